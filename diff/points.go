package diff

import (
	"math"
	"slices"

	"perfdiff/diff/cause"
	"perfdiff/diff/sides"
	"perfdiff/diff/stat"
)

const warmUp = "warm-up"

// stepPoints are all step numbers of both sides with their step times.
func stepPoints(p *cause.Causes) []cause.StepPoint {
	numbers := slices.Concat(stepNumbers(p.Base), stepNumbers(p.Cand))
	slices.Sort(numbers)
	numbers = slices.Compact(numbers)
	points := make([]cause.StepPoint, 0, len(numbers))
	for _, n := range numbers {
		points = append(points, pointsOf(p, n)...)
	}
	return points
}

// pointsOf are the points of a number: one, or one of each side where steps are not compared by
// number and one side alone leaves its own out. What is left out on one side is used on the other.
func pointsOf(p *cause.Causes, n int64) []cause.StepPoint {
	why, base, cand := whyStepLeftOut(p, n), step(p.Base, n), step(p.Cand, n)
	if p.Plan.Paired || (why.Base == "") == (why.Cand == "") {
		return []cause.StepPoint{{Number: n, Omission: why, Base: base, Cand: cand}}
	}
	return []cause.StepPoint{
		{Number: n, Omission: cause.Omission{Base: why.Base, Cand: why.Base}, Base: base, Cand: none(p.Cand)},
		{Number: n, Omission: cause.Omission{Base: why.Cand, Cand: why.Cand}, Base: none(p.Base), Cand: cand},
	}
}

// none is a step that a side does not have.
func none(s *sides.Side) cause.StepSide {
	nan := math.NaN()
	return cause.StepSide{Median: nan, Min: nan, Max: nan, PerRun: slices.Repeat([]float64{nan}, len(s.Runs))}
}

func stepNumbers(s *sides.Side) []int64 {
	var out []int64
	for _, r := range s.Runs {
		for n := range r.DropReasons {
			out = append(out, n)
		}
	}
	return out
}

// whyStepLeftOut is why a step does not enter; zero if it does on every side that has it.
func whyStepLeftOut(p *cause.Causes, n int64) cause.Omission {
	base, inBase := whyLeftOut(p.Base, n)
	cand, inCand := whyLeftOut(p.Cand, n)
	switch {
	case inBase && inCand && base != cand:
		return cause.Omission{Base: base, Cand: cand}
	case base+cand != "" && !inBase:
		return cause.Omission{Base: cand, Cand: cand}
	case base != "":
		return cause.Omission{Base: base, Cand: base}
	case !p.Plan.Paired:
		return cause.Omission{}
	case !inBase:
		return cause.Omission{Missing: cause.MissingInBase}
	case !inCand:
		return cause.Omission{Missing: cause.MissingInCand}
	case !uses(p.Base.Runs[0], n):
		return cause.Omission{Missing: cause.MissingInRuns}
	}
	return cause.Omission{}
}

// whyLeftOut is why a step does not enter on a side, and whether the side has the step at all.
// Of several runs, of which none uses it, the first one that drops it says why.
func whyLeftOut(s *sides.Side, n int64) (reason string, has bool) {
	for _, r := range s.Runs {
		why, ok := r.DropReasons[n]
		has = has || ok
		if _, cut := slices.BinarySearch(r.WarmUpSteps, n); cut {
			why = warmUp
		}
		if uses(r, n) {
			return "", true
		}
		if reason == "" {
			reason = why
		}
	}
	return reason, has
}

func uses(r *sides.Run, n int64) bool {
	_, ok := slices.BinarySearch(r.Used, n)
	return ok
}

// step is one step of a side over its runs and ranks: of the runs that use it, or of all where
// none does.
func step(s *sides.Side, n int64) cause.StepSide {
	var medians, all []float64
	out := cause.StepSide{}
	used := slices.ContainsFunc(s.Runs, func(r *sides.Run) bool { return uses(r, n) })
	for _, r := range s.Runs {
		var values []float64
		if !used || uses(r, n) {
			values = stepTimes(r, n)
		}
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
func stepTimes(r *sides.Run, n int64) []float64 {
	var out []float64
	for _, k := range r.Ranks {
		if k.OnOneSideOnly {
			continue
		}
		values := k.ValuesOf(sides.StepTime)
		i, ok := k.StepIndex[n]
		if !ok || i >= len(values) || math.IsNaN(values[i]) || math.IsInf(values[i], 0) {
			continue
		}
		if r.DropReasons[n] == "" && k.Steps[i].Dropped != "" {
			continue
		}
		out = append(out, values[i])
	}
	return out
}
