package main

import "perfdiff/cmd/perfdiff/policyfile"

// command is a parsed command line.
type command struct {
	policyfile.Settings
	base, cand string
	outputs    []output
	history    []string
	exitZero   bool
	quiet      bool
	anonymize  bool   // hosts, directories and files have numbers in place of names
	writeUpDir string // "": none is asked for
}

func newCommand() *command {
	return &command{Settings: policyfile.Default()}
}
