package cause

import (
	"cmp"
	"math"
	"slices"

	"perfdiff/analyze/order"
	"perfdiff/analyze/run"
	"perfdiff/diff/sides"
	"perfdiff/diff/stat"
	"perfdiff/diff/verdict"
)

// What times and counts of kernels, summaries and gaps are of.
const (
	PerStep = "step"
	// PerSecond: of the time from the first to the last work of a rank's device; what the
	// host does, from its first to its last activity.
	PerSecond = "second"
)

// Alone returns the main metrics where the sides have no step to compare: they are shown and not compared.
func (p *Causes) Alone() (out []verdict.Comparison) {
	if !verdict.Stepless(p.Judged.Lined) {
		return nil
	}
	for _, m := range verdict.MergedMetrics(p.Base.Set.Metrics, p.Cand.Set.Metrics) {
		if m.Main && !m.WhereRecorded {
			out = append(out, verdict.Comparison{Key: run.Key{Metric: m.Name}})
		}
	}
	return out
}

// compareWhole fills in what is compared without steps.
func compareWhole(p *Causes) {
	p.Kernels, p.KernelShift = compareKernels(p)
	p.Gaps = compareGaps(p)
	p.Calls = compareCalls(p, p.Kernels)
	p.Capture = capture(p)
	for _, c := range p.Capture {
		p.Descriptions = append(p.Descriptions, c.Metric)
	}
}

// onHost reports whether a table is about the host.
func onHost(table run.Table) bool {
	return table != run.KernelTable && table != run.CollectiveTable && table != run.MemoryTable
}

// wholeStats returns a side's sums by name over its whole captures, with run.Others for the
// names that ranks do not keep.
func wholeStats(s *sides.Side, table run.Table) map[string]StatSide {
	return statsOf(s, table, func(k *sides.Rank) ([]run.Stat, float64) {
		if k.Whole == nil {
			return nil, 0
		}
		length := k.Whole.Device
		if onHost(table) {
			length = k.Whole.Host
		}
		return k.Whole.Stats, float64(max(length, 1)) / 1e9
	})
}

// unkept reports whether a name that a side lacks may be among those that its ranks drop from a full table: then it is
// not known to be gone.
func unkept(name string, have, lack map[string]StatSide) bool {
	_, there := lack[name]
	others := lack[run.Others]
	return !there && others.Count > 0 && others.Time >= have[name].Time
}

// comparable returns the names in either table that are known on both sides, in order.
func comparable(base, cand map[string]StatSide) []string {
	names := map[string]bool{}
	for n := range base {
		names[n] = !unkept(n, base, cand)
	}
	for n := range cand {
		names[n] = !unkept(n, cand, base)
	}
	delete(names, run.Others)
	return slices.DeleteFunc(sides.SortedKeys(names), func(n string) bool { return !names[n] })
}

// kernelsASecond returns each kernel's time and launches a second of the device.
func kernelsASecond(s *sides.Side) map[string]KernelSum {
	out := map[string]KernelSum{}
	for name, x := range wholeStats(s, run.KernelTable) {
		out[name] = KernelSum{x.Time, x.Calls}
	}
	return out
}

// capture returns the quantities of whole captures that a side has recorded. They have no
// interval: the steps are missing that would tell noise from change.
func capture(p *Causes) []verdict.Comparison {
	var out []verdict.Comparison
	for i := range run.WholeMetrics {
		q := &run.WholeMetrics[i]
		c := verdict.NoSteps(p.Lined)
		c.Key, c.Metric = run.Key{Metric: q.Name}, q.Metric
		c.Gating, c.Relative = false, q.Unit != "ratio"
		base, cand := ofWhole(p.Base, q, &p.Reads), ofWhole(p.Cand, q, &p.Reads)
		c.Base, c.Cand = base.Median(), cand.Median()
		c.BaseMean, c.CandMean = base.Mean, cand.Mean
		c.Delta = c.Cand - c.Base
		c.Runs = [2]int{len(base.Rows), len(cand.Rows)}
		c.Ranks = [2]int{order.LowerMedian(slices.Clone(base.Ranks)), order.LowerMedian(slices.Clone(cand.Ranks))}
		if c.Runs == [2]int{} {
			continue
		}
		for i, n := range c.Runs {
			if n == 0 {
				s := []*sides.Side{p.Base, p.Cand}[i]
				if c.NotRecorded[i] = p.Needs(s, q.Metric); q.OfDevice() {
					c.NotRecorded[i] = cmp.Or(verdict.Lost(s, run.IdleTime), verdict.Lost(s, run.CommTime), c.NotRecorded[i])
				}
				c.Reason = verdict.ReasonNotRecorded
			}
		}
		if q.From != nil {
			if c.Reads = &p.Reads; p.Reads.Source != "" {
				c.Sources = [2][]string{{p.Reads.Source}, {p.Reads.Source}}
			}
		}
		out = append(out, c)
	}
	return out
}

// ofWhole returns a quantity of the side's captures, a row of one value for each run that has it:
// the median over its ranks, or the sum over its nodes.
func ofWhole(s *sides.Side, q *run.WholeMetric, reads *sides.Reads) sides.Measured {
	var m sides.Measured
	var means []float64
	for _, r := range s.Runs {
		values := wholeValues(r, q, reads.Source)
		if len(values) == 0 {
			continue
		}
		middle, mean := stat.Median(values), stat.Mean(values)
		if q.From != nil && reads.Source == run.SourceStorage {
			mean *= float64(len(values))
			middle = mean
		}
		m.Rows, m.Ranks, means = append(m.Rows, []float64{middle}), append(m.Ranks, len(values)), append(means, mean)
	}
	m.Mean = stat.Mean(means)
	return m
}

// wholeValues returns the values of the ranks that take part and have one.
func wholeValues(r *sides.Run, q *run.WholeMetric, source string) (values []float64) {
	for _, k := range r.Ranks {
		v := math.NaN()
		switch {
		case k.Whole == nil:
		case q.From != nil && k.ReadsEnter:
			v = q.From(k.Whole, source)
		case q.From == nil && !k.OnOneSideOnly:
			v = q.Of(k.Whole)
		}
		if !math.IsNaN(v) {
			values = append(values, v)
		}
	}
	return values
}
