package run

import (
	"strings"

	"perfdiff/analyze/source/remedy"
	"perfdiff/analyze/trace"
)

// Needing is m with what it needs in the words of each profiler, and with Needs for all of them.
func (m Metric) Needing(what remedy.Text) Metric {
	m.Remedy, m.Needs = what, what.General
	return m
}

// NeedsOf is what a capture must record to answer m, for those who use the given profilers. What
// was found out about a set, which stands behind what m needs in general, is said to all of them.
func (m Metric) NeedsOf(in []trace.Profiler) string {
	found, ok := strings.CutPrefix(m.Needs, m.Remedy.General)
	if m.Remedy == (remedy.Text{}) || !ok {
		return m.Needs
	}
	return m.Remedy.For(in) + found
}
