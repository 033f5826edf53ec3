package main

import "perfdiff/cmd/perfdiff/policyfile"

// command is a parsed command line.
type command struct {
	policyfile.Settings
	base, cand string
	more       []string // candidates beside cand; nil: one is compared
	outputs    []output
	history    []string  // paths of past runs
	logs       [2]string // of runs without a profiler, of the baseline and the candidate; "": none
	exitZero   bool
	quiet      bool
	anonymize  bool   // names of hosts, directories and files are replaced by numbers
	writeUpDir string // "": no write-up is wanted
	data       dataOut
	asked      []askedFlag // flags that a report depends on, by name
}

func newCommand() *command {
	return &command{Settings: policyfile.Default()}
}
