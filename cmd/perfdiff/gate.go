package main

import "perfdiff/diff"

// exitStatus returns the exit status for a report.
func (c *command) exitStatus(r *diff.Report) int { return c.statusOf(r.Gate.State) }

// statusOf returns the exit status for a state of the gate.
func (c *command) statusOf(state diff.GateState) int {
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
