package main

import (
	"perfdiff/cmd/perfdiff/policyfile"
	"perfdiff/diff/compute"
)

// command is a parsed command line.
type command struct {
	policyfile.Settings
	line       *line
	base, cand string
	more       []string // candidates beside cand; nil: one is compared
	outputs    []output
	listings   listings  // files of tables, of a command that prints them
	history    []string  // paths of past runs
	logs       [2]string // of runs without a profiler, of the baseline and the candidate; "": none
	quiet      bool
	tables     bool   // the summary is followed by every table
	anonymize  bool   // names of hosts, directories and files are replaced by numbers
	writeUpDir string // "": no write-up is wanted
	data       dataOut
	// kernelFiles are what Nsight Compute recorded of both sides, "BASE,CAND", and kernels how they
	// compare; "" and nil: nothing was given.
	kernelFiles string
	kernels     *compute.Report
	asked       []askedFlag // flags that a report depends on, by name
}

func newCommand() *command {
	return &command{Settings: policyfile.Default()}
}
