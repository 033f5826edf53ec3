package main

import (
	"fmt"
	"slices"
	"strings"

	"perfdiff/diff"
)

// outcome is something that can fail a comparison.
type outcome struct {
	name string
	is   func(*diff.Report) bool
}

// outcomes are what --fail-on can name, each with how it is told from a report.
var outcomes = []outcome{
	{"regressed", (*diff.Report).Failed},
	{"inconclusive", func(r *diff.Report) bool { return r.Verdict == diff.Inconclusive }},
	{"missing-rank", func(r *diff.Report) bool { return len(r.Base.Missing)+len(r.Cand.Missing) > 0 }},
	{"missing-file", func(r *diff.Report) bool { return leftOut(&r.Base)+leftOut(&r.Cand) > 0 }},
	{"warning", func(r *diff.Report) bool { return len(r.Warnings) > 0 }},
}

// leftOut is how many files of a side could not be read.
func leftOut(s *diff.Side) (n int) {
	for _, f := range s.Files {
		if f.Err != "" {
			n++
		}
	}
	return n
}

// parseFailOn reads a list of outcomes; "" leaves what is there.
func parseFailOn(c *command, list string) error {
	if list == "" {
		return nil
	}
	c.failOn = nil
	for name := range strings.SplitSeq(list, ",") {
		name = strings.TrimSpace(name)
		if !slices.ContainsFunc(outcomes, func(o outcome) bool { return o.name == name }) {
			var known []string
			for _, o := range outcomes {
				known = append(known, o.name)
			}
			return fmt.Errorf("--fail-on %s: %q is no outcome: choose of %s", list, name, strings.Join(known, ", "))
		}
		c.failOn = append(c.failOn, name)
	}
	return nil
}

// enoughRuns is from how many runs a side on escalation decides.
const enoughRuns = 3

// status is the exit status of a report. With escalation a first pair that
// looks slower by the threshold asks for more runs and decides nothing else:
// only three runs a side do.
func (c *command) status(r *diff.Report) int {
	if c.exitZero {
		return statusOK
	}
	if !r.Judged {
		return statusNotJudged // a gate that measured nothing never passes
	}
	failed := slices.ContainsFunc(outcomes, func(o outcome) bool {
		if c.escalate && fewRuns(r) && o.name == "regressed" {
			return false
		}
		return slices.Contains(c.failOn, o.name) && o.is(r)
	})
	switch {
	case c.warnOnly:
		return statusOK
	case failed:
		return statusRegressed
	case c.escalate && fewRuns(r) && suspicious(r):
		return statusMoreRuns
	}
	return statusOK
}

func fewRuns(r *diff.Report) bool {
	return min(len(r.Base.Runs), len(r.Cand.Runs)) < enoughRuns
}

// suspicious reports whether a gating metric looks worse by its threshold,
// whatever its interval.
func suspicious(r *diff.Report) bool {
	return slices.ContainsFunc(r.Metrics, func(c diff.Comparison) bool {
		return c.Gate && (c.Metric.Better < 0 && c.Estimate >= c.Threshold || c.Metric.Better > 0 && c.Estimate <= -c.Threshold)
	})
}
