package diff

import (
	"math"
	"slices"

	"perfdiff/diff/cause"
	"perfdiff/diff/sides"
	"perfdiff/diff/stat"
)

const warmUp = "warm-up"

// stepPoints returns all step numbers of both sides with their step times.
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

// pointsOf returns the points of a step number: one, or one for each side if steps are not compared by number and only
// one side leaves its own out: the other side's step is used.
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

// none returns a step that a side does not have.
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

// whyStepLeftOut returns why a step is not used; zero if every side that has it uses it.
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

// whyLeftOut returns why a side does not use a step, and whether it has the step at all. If no run uses it, the first
// run that drops it says why.
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

// step returns one step of a side over its runs and ranks: over the runs that use it, or over all if none does.
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

// stepTimes returns the step times of the ranks that have step n: of those that kept it if the run keeps it, else of
// all others, for a step that is only shown.
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
