package words

import (
	"fmt"
	"slices"
	"strings"

	"perfdiff/analyze/run"
	"perfdiff/diff/sides"
	"perfdiff/diff/verdict"
	"perfdiff/render/number"
)

// Source says what a comparison was measured from, and how the counters of nodes were put together; "" for a metric
// with only one possible source.
func Source(c *verdict.Comparison) string {
	from := Sources(c.Sources)
	if !c.OfNodes() || from == "" {
		return from
	}
	return nodesOf(c.Reads, c.Reads.AddsUp(c.Key.Metric))
}

// ReadSource says what the bytes read in a report's curves were measured from, added up over nodes and volumes.
func ReadSource(r *sides.Reads) string {
	if r.Source != run.SourceStorage {
		return r.Source
	}
	return nodesOf(r, true)
}

// nodesOf says over how many nodes counters are put together: "storage counters, sum over 2
// nodes".
func nodesOf(r *sides.Reads, sum bool) string {
	how := "storage counters, median over "
	if sum {
		how = "storage counters, sum over "
	}
	b, c := r.Nodes[0], r.Nodes[1]
	most := max(b, c)
	switch {
	case b < r.Of[0] && b > 0 || c < r.Of[1] && c > 0:
		return fmt.Sprintf("%s%d of %s", how, most, number.Counted(max(r.Of[0], r.Of[1]), "node")) + sampledOnBoth(r)
	case b != c && b > 0 && c > 0:
		return fmt.Sprintf("%s%s in the baseline and %d in the candidate", how, number.Counted(b, "node"), c)
	case most <= 1:
		return r.Source
	}
	return how + number.Counted(most, "node")
}

// sampledOnBoth ends what is said of some nodes.
func sampledOnBoth(r *sides.Reads) string {
	if len(r.Has[0]) == 0 || len(r.Has[1]) == 0 {
		return ", those that were sampled"
	}
	return ", those that both sides sampled"
}

// unlikeSources says which sources of reads each side has, if they share none; "" if they do, or if a side has none.
func unlikeSources(c *verdict.Comparison) string {
	if c.Reads == nil || !c.Reads.Unlike {
		return ""
	}
	has := func(i int) string { return strings.Join(c.Reads.Has[i], " and ") }
	return fmt.Sprintf("Not recorded from one source on both sides: the baseline has %s, the candidate %s. Needs %s.",
		has(0), has(1), Need(c.NotRecorded[0]))
}

// Sources says what a metric was measured from: "file access events", or each side's source if they differ; "" for a
// metric with only one possible source.
func Sources(of [2][]string) string {
	names := sides.Distinct(slices.Concat(of[0], of[1]))
	switch {
	case len(names) == 0:
		return ""
	case len(names) == 1:
		return names[0]
	case len(of[0]) == 0 || len(of[1]) == 0 || slices.Equal(of[0], of[1]):
		return names[0] + " and others"
	}
	return "baseline: " + of[0][0] + "; candidate: " + of[1][0]
}
