package main

import (
	"fmt"
	"strings"

	"github.com/spf13/pflag"

	"perfdiff/diff"
)

// neverEmpty are flags that decide what is judged, and that mean nothing without a value:
// an empty one is a variable that was not set, and would drop the wish without a word.
var neverEmpty = []string{
	"ranks", "gate", "fail-on", "allow", "policy", "history", "threshold",
	"step-range", "step-kernel", "rank-name", "runs",
	"label", "commit", "link", "store", "anchor", "first", "markdown", "record",
}

// checkEmpty refuses those of neverEmpty that were given without a value.
func checkEmpty(f *pflag.FlagSet) error {
	for _, name := range neverEmpty {
		flag := f.Lookup(name)
		if flag == nil || !flag.Changed {
			continue
		}
		values := []string{flag.Value.String()}
		if list, ok := flag.Value.(pflag.SliceValue); ok {
			values = list.GetSlice()
		}
		for _, v := range values {
			if strings.TrimSpace(v) == "" {
				return fmt.Errorf(`--%s "": is empty: give it a value, or leave the flag out (is the variable set?)`, name)
			}
		}
	}
	return nil
}

// status is the exit status of a report.
func (c *command) status(r *diff.Report) int {
	if c.exitZero {
		return statusOK
	}
	switch r.Gate.State {
	case diff.GateNotJudged:
		return statusNotJudged
	case diff.GateFailed:
		return statusRegressed
	case diff.GateMoreRuns:
		return statusMoreRuns
	}
	return statusOK
}
