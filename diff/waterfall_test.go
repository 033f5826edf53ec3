package diff

import (
	"math"
	"testing"

	"perfdiff/analyze/run"
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
		set := setOf("a", job{ranks: upTo(4), steps: 40, step: steady(0.1, seed)})
		return withParts(set, func(metric, part string, rank, step int) float64 {
			v := 0.1 * shares[name(run.Key{Metric: metric, Part: part})] * (1 + 0.01*float64(rank+step%3))
			if part == "input" {
				v *= input
			}
			return v
		})
	}
	r := Compare(side(1, 1), side(2, 2), DefaultPolicy(), Options{})
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
			t.Errorf("%s: its parts change by %g, want %g", p.Name, within, p.Delta)
		}
		if sure := p.Lo > 0; sure != (p.Kind == "input") || !(p.Lo <= p.Delta && p.Delta <= p.Hi) {
			t.Errorf("%s: got %g in [%g, %g]", p.Name, p.Delta, p.Lo, p.Hi)
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
