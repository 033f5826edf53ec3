package cause_test

import (
	"math"
	"testing"

	"perfdiff/analyze/metric"
	"perfdiff/analyze/run"
	"perfdiff/analyze/trace"
	"perfdiff/diff/difftest"
	"perfdiff/diff/policy"
)

// measured returns a set whose ranks have these metrics at each of so many steps.
func measured(steps int, recorded trace.Recorded, of map[run.Key]func(step int) float64) *run.Set {
	s := difftest.SetOf("a", difftest.Job{Ranks: difftest.UpTo(2), Steps: steps, Step: difftest.Steady(.1, 0)})
	names := map[string]bool{}
	for key, value := range of {
		difftest.Edit(s, func(k *run.Rank) {
			series := run.Series{Key: key, Values: make([]float64, steps)}
			for i := range series.Values {
				series.Values[i] = value(i)
			}
			k.Series, k.Recorded = append(k.Series, series), k.Recorded|recorded
		})
		names[key.Metric] = true
	}
	s.Metrics = append([]run.Metric{}, s.Metrics...)
	for _, m := range metric.Descriptions() {
		if names[m.Name] {
			s.Metrics = append(s.Metrics, m)
		}
	}
	return s
}

// TestMemoryGrowth: memory grows where each half of a run of six steps or more keeps a share of it.
func TestMemoryGrowth(t *testing.T) {
	side := func(steps int, kept func(step int) float64) *run.Set {
		return measured(steps, 0, map[run.Key]func(int) float64{
			{Metric: run.MemoryReservedPeak}: func(int) float64 { return 10e9 },
			{Metric: run.MemoryGrowth}:       kept,
		})
	}
	level := func(int) float64 { return 0 }
	always := func(int) float64 { return 50e6 }
	for _, c := range []struct {
		name  string
		steps int
		kept  func(step int) float64
		want  bool
	}{
		{"in every step", 40, always, true},
		{"in six steps", 6, always, true},
		{"in five steps", 5, always, false},
		{"less than matters", 40, func(int) float64 { return 1e6 }, false},
		{"in the first half", 40, func(step int) float64 { return 50e6 * float64(1-step/20) }, false},
		{"in the second half", 40, func(step int) float64 { return 50e6 * float64(step/20) }, false},
	} {
		r := difftest.Compare(side(c.steps, level), side(c.steps, c.kept))
		if got := found(r, policy.KindMemoryGrowth) != nil; got != c.want {
			t.Errorf("%s: found %v, want %v", c.name, got, c.want)
		}
	}
}

// TestPageableAgainstTime: that more is copied from pageable memory is a finding only where copies take longer.
func TestPageableAgainstTime(t *testing.T) {
	side := func(time, pageable float64) *run.Set {
		constant := func(v float64) func(int) float64 {
			return func(step int) float64 { return v * (1 + 0.001*math.Sin(float64(step))) }
		}
		return measured(40, trace.HasDevice|trace.HasMemcpyBytes|trace.HasCopyKinds, map[run.Key]func(int) float64{
			{Metric: run.MemcpyTime, Part: "h2d"}:           constant(time),
			{Metric: run.MemcpyBytes, Part: "h2d"}:          constant(50e6),
			{Metric: run.MemcpyBytes, Part: "h2d pageable"}: constant(pageable),
		})
	}
	for _, c := range []struct {
		name       string
		base, cand *run.Set
		want       bool
	}{
		{"more of it, longer", side(.002, 0), side(.016, 50e6), true},
		{"more of it, shorter", side(.016, 0), side(.002, 50e6), false},
		{"less of it, shorter", side(.016, 50e6), side(.002, 0), true},
		{"less of it, longer", side(.002, 50e6), side(.016, 0), false},
	} {
		if got := found(difftest.Compare(c.base, c.cand), policy.KindPageableCopies) != nil; got != c.want {
			t.Errorf("%s: found %v, want %v", c.name, got, c.want)
		}
	}
}
