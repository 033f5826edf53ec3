package main

import (
	"fmt"
	"strings"

	"github.com/spf13/pflag"

	"perfdiff/diff"
)

// valueRequired are flags that decide what is judged and whose value must not be empty: an
// empty value comes from a variable that was not set, and would silently drop what the user
// wanted.
var valueRequired = []string{
	"ranks", "gate", "fail-on", "allow", "policy", "history", "threshold",
	"step-range", "step-kernel", "step-column", "rank-name", "runs", "baseline-logs", "candidate-logs",
	"title", "names", "label", "commit", "link", "store", "anchor", "first", "markdown", "record",
}

// checkEmpty is the error for a flag of valueRequired with an empty value.
func checkEmpty(f *pflag.FlagSet) error {
	for _, name := range valueRequired {
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

// exitStatus is the exit status for a report.
func (c *command) exitStatus(r *diff.Report) int { return c.statusOf(r.Gate.State) }

// statusOf is the exit status for a state of the gate.
func (c *command) statusOf(state diff.GateState) int {
	if c.exitZero {
		return statusOK
	}
	switch state {
	case diff.GateNotJudged:
		return statusNotJudged
	case diff.GateFailed:
		return statusRegressed
	case diff.GateMoreRuns:
		return statusMoreRuns
	}
	return statusOK
}
