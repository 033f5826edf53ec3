package cause_test

import (
	"math"
	"strings"
	"testing"

	"perfdiff/analyze/run"
	"perfdiff/diff"
	"perfdiff/diff/difftest"
	"perfdiff/diff/policy"
)

// withParts gives every rank of a set a breakdown: compute of two families, idle
// time of two causes, and communication; in seconds of step s on rank r.
func withParts(set *run.Set, value func(metric, part string, rank, step int) float64) *run.Set {
	for i := range set.Runs {
		for k := range set.Runs[i].Ranks {
			r := &set.Runs[i].Ranks[k]
			add := func(metric, part string) []float64 {
				v := make([]float64, len(r.Steps))
				for s := range v {
					v[s] = value(metric, part, k, s)
				}
				r.Series = append(r.Series, run.Series{Key: run.Key{Metric: metric, Part: part}, Values: v})
				return v
			}
			sum := func(metric string, lists ...[]float64) {
				v := make([]float64, len(r.Steps))
				for _, l := range lists {
					for s := range v {
						v[s] += l[s]
					}
				}
				r.Series = append(r.Series, run.Series{Key: run.Key{Metric: metric}, Values: v})
			}
			sum("compute_time", add("compute_time", "GEMM"), add("compute_time", "mine"))
			sum("idle_time", add("idle_time", "input"), add("idle_time", "unknown"))
			add("exposed_comm_time", "")
			add("exposed_memory_time", "")
		}
	}
	return set
}

// TestWaterfall: the change of the mean step is the sum of the changes of its
// parts, whatever the parts do, and what changed has an interval that says so.
func TestWaterfall(t *testing.T) {
	shares := map[string]float64{"compute_time/GEMM": 0.5, "compute_time/mine": 0.1, "idle_time/input": 0.2, "idle_time/unknown": 0.05, "exposed_comm_time": 0.1, "exposed_memory_time": 0.05}
	side := func(seed float64, input float64) *run.Set {
		set := difftest.SetOf("a", difftest.Job{Ranks: difftest.UpTo(4), Steps: 40, Step: difftest.Steady(0.1, seed)})
		return withParts(set, func(metric, part string, rank, step int) float64 {
			v := 0.1 * shares[nameOf(run.Key{Metric: metric, Part: part})] * (1 + 0.01*float64(rank+step%3))
			if part == "input" {
				v *= input
			}
			return v
		})
	}
	r := diff.Compare(side(1, 1), side(2, 2), policy.DefaultPolicy(), diff.Options{})
	w := r.Waterfall
	var base, delta float64
	for i := range w.Parts {
		p := &w.Parts[i]
		base, delta = base+p.Base, delta+p.Delta
		within := 0.0
		for _, x := range p.Within {
			within += x.Delta
		}
		if len(p.Within) > 0 && math.Abs(within-p.Delta) > 1e-12 {
			t.Errorf("%s: its parts change by %g, want %g", nameOf(p.Key), within, p.Delta)
		}
		if sure := p.Lo > 0; sure != (p.Kind == "input") || !(p.Lo <= p.Delta && p.Delta <= p.Hi) {
			t.Errorf("%s: got %g in [%g, %g]", nameOf(p.Key), p.Delta, p.Lo, p.Hi)
		}
	}
	if len(w.Parts) != 5 || math.Abs(base-w.Base) > 1e-12 || math.Abs(delta-w.Delta) > 1e-12 || math.Abs(w.Cand-w.Base-w.Delta) > 1e-12 {
		t.Errorf("got %d parts that add up to %g and %g, want 5, %g and %g", len(w.Parts), base, delta, w.Base, w.Delta)
	}
	if got := w.MedianCand - w.MedianBase - w.Delta; math.Abs(got-w.Residual) > 1e-12 {
		t.Errorf("residual: got %g, want %g", w.Residual, got)
	}
	for _, rank := range r.Ranks {
		if sum := rank.Base.Parts; len(sum) != len(w.Parts) {
			t.Errorf("rank %d: got %d parts", rank.Rank, len(sum))
		}
	}
}

// TestPartsAreMeans: a part of a side is the mean over runs, steps and ranks. A rank counts in
// the steps in which it has a breakdown, and what did not occur there is zero.
func TestPartsAreMeans(t *testing.T) {
	const ms = 1e-3
	nan := math.NaN()
	side := func(gemm [3]float64) *run.Set {
		set := difftest.SetOf("a", difftest.Job{Ranks: difftest.UpTo(3), Steps: 40, Step: difftest.Constant(100 * ms)})
		return withParts(set, func(metric, part string, rank, step int) float64 {
			switch nameOf(run.Key{Metric: metric, Part: part}) {
			case "compute_time/GEMM":
				return gemm[rank] * ms
			case "idle_time/input":
				return []float64{10, 30, nan}[rank] * ms // all of the last rank's idle time is unknown, and so its breakdown
			case "exposed_comm_time":
				return []float64{nan, 8, 9}[rank] * ms
			}
			return 0
		})
	}
	w := diff.Compare(side([3]float64{60, 80, 400}), side([3]float64{50, 80, 400}), policy.DefaultPolicy(), diff.Options{}).Waterfall
	got := map[string][2]float64{}
	for _, p := range w.Parts {
		got[nameOf(p.Key)] = [2]float64{p.Base / ms, p.Cand / ms}
	}
	for part, want := range map[string][2]float64{
		"compute_time": {70, 65}, "idle_time/input": {20, 20}, "exposed_comm_time": {4, 4},
	} {
		if math.Abs(got[part][0]-want[0]) > 1e-9 || math.Abs(got[part][1]-want[1]) > 1e-9 {
			t.Errorf("%s: got %g ms per step, want %g", part, got[part], want)
		}
	}
}

// nameOf is how a key is written: "metric" or "metric/part".
func nameOf(k run.Key) string { return strings.TrimSuffix(k.Metric+"/"+k.Part, "/") }
