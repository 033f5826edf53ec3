package diff

import (
	"fmt"
	"math"
	"slices"

	"perfdiff/analyze/run"
	"perfdiff/diff/cause"
	"perfdiff/diff/sides"
	"perfdiff/diff/stat"
)

// injection puts a change of one thing into a copy of a set.
type injection struct {
	what   string
	kernel string  // its name, where it is one
	ofStep float64 // its share of the step time
	apply  func(size float64) *run.Set
}

// changes returns the changes that can be put into a set: to every step, its last rank, its longest kernel and its
// longest collective.
func changes(set *run.Set) []injection {
	out := []injection{{what: "every step", ofStep: 1, apply: func(size float64) *run.Set {
		return changed(set, func(r *run.Rank, _ bool) {
			for i := range r.Series {
				if isTime(set, r.Series[i].Metric) {
					multiply(r.Series[i].Values, 1+size)
				}
			}
		})
	}}}
	ranks := set.Runs[0].Ranks
	last := ranks[len(ranks)-1].Rank
	step := total(set, sides.StepTime)
	if compute := (run.Key{Metric: run.ComputeTime}); len(ranks) > 1 && total(set, compute) > 0 {
		out = append(out, injection{what: fmt.Sprintf("rank %d", last), ofStep: total(set, compute) / step, apply: func(size float64) *run.Set {
			return changed(set, func(r *run.Rank, slow bool) {
				more := slices.Clone(r.Values(compute)) // of the others, as much: they wait for it
				multiply(more, size)
				into := []string{run.CommTime, run.ExposedCommTime}
				if slow {
					into = []string{run.ComputeTime}
				}
				add(r, more, append(into, run.StepTime, run.HostStepTime)...)
			})
		}})
	}
	if k, share := longest(set, sides.KernelTime); share > 0 {
		out = append(out, part("kernel "+k.Part, set, k, share/step, run.ComputeTime, run.StepTime, run.HostStepTime))
		out[len(out)-1].kernel = k.Part
	}
	if k, share := longest(set, run.CommTime); share > 0 {
		out = append(out, part("collective "+k.Part, set, k, share/step, run.CommTime, run.ExposedCommTime, run.StepTime, run.HostStepTime))
	}
	return out
}

// part returns a change of one part and of everything that contains it.
func part(what string, set *run.Set, key run.Key, ofStep float64, in ...string) injection {
	return injection{what: what, ofStep: ofStep, apply: func(size float64) *run.Set {
		return changed(set, func(r *run.Rank, _ bool) {
			more := slices.Clone(r.Values(key))
			multiply(more, size)
			multiply(r.Values(key), 1+size)
			add(r, more, in...)
		})
	}}
}

// changed returns a copy in which f changed every rank; slow is the last of a run.
func changed(set *run.Set, f func(r *run.Rank, slow bool)) *run.Set {
	out := anonymous(set)
	for i := range out.Runs {
		ranks := out.Runs[i].Ranks
		for j := range ranks {
			f(&ranks[j], j == len(ranks)-1)
		}
	}
	return out
}

func multiply(v []float64, by float64) {
	for i := range v {
		v[i] *= by
	}
}

// add adds to the series of metrics, where a rank has them.
func add(r *run.Rank, more []float64, metrics ...string) {
	for _, m := range metrics {
		values := r.Values(run.Key{Metric: m})
		for i := range values {
			if i < len(more) && !math.IsNaN(more[i]) {
				values[i] += more[i]
			}
		}
	}
}

func isTime(set *run.Set, metric string) bool {
	return slices.ContainsFunc(set.Metrics, func(m run.Metric) bool { return m.Name == metric && m.Unit == "s" })
}

// total returns the mean of a series over ranks and steps, 0 if there is none.
func total(set *run.Set, key run.Key) float64 {
	var means []float64
	for k := range set.EachRank() {
		if m := stat.Mean(k.Values(key)); !math.IsNaN(m) {
			means = append(means, m)
		}
	}
	if len(means) == 0 {
		return 0
	}
	return stat.Mean(means)
}

// longest returns the part of a metric that takes most, communication kernels left
// out of the kernels.
func longest(set *run.Set, metric string) (key run.Key, share float64) {
	parts := map[string]bool{}
	for k := range set.EachRank() {
		for _, s := range k.Series {
			if s.Metric == metric && s.Part != "" && (metric != sides.KernelTime || !cause.IsComm(s.Part)) {
				parts[s.Part] = true
			}
		}
	}
	for _, name := range sides.SortedKeys(parts) {
		if v := total(set, run.Key{Metric: metric, Part: name}); v > share {
			key, share = run.Key{Metric: metric, Part: name}, v
		}
	}
	return key, share
}
