package diff

import (
	"math"
	"slices"

	"perfdiff/diff/stat"
)

const warmUp = "warm-up"

// stepPoints are all step numbers of both sides with their step times.
func (p *Causes) stepPoints() []StepPoint {
	numbers := slices.Concat(p.base.stepNumbers(), p.cand.stepNumbers())
	slices.Sort(numbers)
	numbers = slices.Compact(numbers)
	points := make([]StepPoint, len(numbers))
	for i, n := range numbers {
		points[i] = StepPoint{Number: n, Dropped: p.leftOut(n), Base: p.base.step(n), Cand: p.cand.step(n)}
	}
	return points
}

func (s *side) stepNumbers() []int64 {
	var out []int64
	for _, r := range s.runs {
		for n := range r.state {
			out = append(out, n)
		}
	}
	return out
}

// leftOut is why a step does not enter, "" if it does on every side that has
// it.
func (p *Causes) leftOut(n int64) string {
	base, inBase := p.base.leftOut(n)
	cand, inCand := p.cand.leftOut(n)
	switch {
	case inBase && inCand && base != cand:
		return bothReasons(base, cand)
	case base+cand != "" && !inBase:
		return cand
	case base != "":
		return base
	case !p.plan.paired:
		return ""
	case !inBase:
		return "not in the baseline"
	case !inCand:
		return "not in the candidate"
	case !p.base.runs[0].uses(n):
		return "not in every run"
	}
	return ""
}

func bothReasons(base, cand string) string {
	switch {
	case base == "":
		return cand + " (candidate)"
	case cand == "":
		return base + " (baseline)"
	}
	return base + " (baseline), " + cand + " (candidate)"
}

// leftOut is why a step does not enter on a side, and whether the side has
// the step at all. Of several runs the first one that drops it says why.
func (s *side) leftOut(n int64) (reason string, has bool) {
	for _, r := range s.runs {
		why, ok := r.state[n]
		has = has || ok
		if _, cut := slices.BinarySearch(r.warm, n); cut {
			why = warmUp
		}
		if reason == "" {
			reason = why
		}
	}
	return reason, has
}

func (r *oneRun) uses(n int64) bool {
	_, ok := slices.BinarySearch(r.used, n)
	return ok
}

// step is one step of a side over its runs and ranks.
func (s *side) step(n int64) StepSide {
	var medians, all []float64
	out := StepSide{}
	for _, r := range s.runs {
		values := r.stepTimes(n)
		medians = append(medians, stat.Median(values))
		all = append(all, values...)
		out.Ranks = max(out.Ranks, len(values))
	}
	box := stat.Box(all)
	out.Median, out.Min, out.Max, out.PerRun = stat.Median(medians), box[0], box[4], medians
	return out
}

// stepTimes are the step times of the ranks that have step n: of those that
// kept it where the run keeps it, of all others for a step that is only shown.
func (r *oneRun) stepTimes(n int64) []float64 {
	var out []float64
	for _, k := range r.ranks {
		if k.alone {
			continue
		}
		values := k.values(stepTime)
		i, ok := k.at[n]
		if !ok || i >= len(values) || math.IsNaN(values[i]) || math.IsInf(values[i], 0) {
			continue
		}
		if r.state[n] == "" && k.Steps[i].Dropped != "" {
			continue
		}
		out = append(out, values[i])
	}
	return out
}
