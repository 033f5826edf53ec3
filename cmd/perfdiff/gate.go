package main

import (
	"fmt"
	"slices"
	"strings"

	"perfdiff/diff"
)

// parseFailOn reads a list of outcomes; "" leaves what is there.
func parseFailOn(c *command, list string) error {
	if list == "" {
		return nil
	}
	c.policy.FailOn = nil
	for name := range strings.SplitSeq(list, ",") {
		name = strings.TrimSpace(name)
		if !slices.Contains(diff.Outcomes(), name) {
			return fmt.Errorf("--fail-on %s: %q is no outcome: choose of %s", list, name, strings.Join(diff.Outcomes(), ", "))
		}
		c.policy.FailOn = append(c.policy.FailOn, name)
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
