package run

import (
	"strings"

	"perfdiff/analyze/source/remedy"
	"perfdiff/analyze/trace"
)

// Needing returns m with what it needs in the words of each profiler, and with Needs for all of them.
func (m Metric) Needing(what remedy.Text) Metric {
	m.Remedy, m.Needs = what, what.General
	return m
}

// NeedsOf returns what a capture must record to answer m, for those who use the given profilers. What was found out
// about a set, which follows what m needs in general, is added for all of them.
func (m Metric) NeedsOf(in []trace.Profiler) string {
	found, ok := strings.CutPrefix(m.Needs, m.Remedy.General)
	if m.Remedy == (remedy.Text{}) || !ok {
		return m.Needs
	}
	return m.Remedy.For(in) + found
}
