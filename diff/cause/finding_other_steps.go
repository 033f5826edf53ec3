package cause

import (
	"math"
	"slices"

	"perfdiff/analyze/run"
	"perfdiff/diff/policy"
	"perfdiff/diff/sides"
	"perfdiff/diff/stat"
	"perfdiff/diff/verdict"
)

// OtherSteps describes the steps of a run that launch another number of kernels than most, such as evaluation steps
// between training steps.
type OtherSteps struct {
	Side     string  `report:"side"`
	Of       int     `report:"of"`                  // steps that enter
	Every    int     `report:"every"`               // steps from one to the next; 0: not the same
	Launches float64 `report:"launches"`            // kernels in one of them, median
	Usual    float64 `report:"usual_launches"`      // in most steps
	Time     float64 `report:"step_time"`           // s, the median of them
	Median   float64 `report:"usual_time"`          // s, that of the others
	Other    float64 `report:"share_on_other_side"` // of such steps on the other side
}

// What makes steps another kind. Chosen, not measured: one program's steps have equal launches, and steps with another
// shape nearly so.
const (
	otherKind       = 0.2 // of the launches of most steps, by which others differ at least
	leastOtherSteps = 2   // of a kind
	moreOfThem      = 0.05
)

// otherSteps returns the steps of another kind in a side's first run, their numbers, and their share. Nil: all steps
// are of one kind, or no kind has most of them.
func otherSteps(s *sides.Side) (of *OtherSteps, numbers []int64, share float64) {
	r := s.Runs[0]
	launches := launchesPerStep(r)
	usual := stat.Median(launches)
	times, _ := r.Curve(sides.StepTime)
	var theirs, counts, others []float64
	for j, n := range launches {
		if math.Abs(n-usual) < otherKind*usual {
			others = append(others, times[j])
			continue
		}
		numbers, theirs, counts = append(numbers, r.Used[j]), append(theirs, times[j]), append(counts, n)
	}
	share = float64(len(numbers)) / float64(len(launches))
	if len(numbers) < leastOtherSteps || !(usual > 0) || 2*len(numbers) >= len(launches) {
		return nil, nil, share
	}
	of = &OtherSteps{Side: s.Name, Of: len(launches), Every: int(numbers[1] - numbers[0])}
	for i := range numbers[1:] {
		if int(numbers[i+1]-numbers[i]) != of.Every {
			of.Every = 0
			break
		}
	}
	of.Launches, of.Usual = stat.Median(counts), usual
	of.Time, of.Median = stat.Median(stat.Known(theirs)), stat.Median(stat.Known(others))
	return of, numbers, share
}

// launchesPerStep returns how many kernels each used step of a run launches, on its first rank that
// enters.
func launchesPerStep(r *sides.Run) []float64 {
	out := make([]float64, len(r.Used))
	at := slices.IndexFunc(r.Ranks, func(k *sides.Rank) bool { return !k.OnOneSideOnly })
	if at < 0 {
		return out
	}
	k := r.Ranks[at]
	for i := range k.Series {
		if k.Series[i].Metric != run.KernelLaunches || k.Series[i].Part == "" {
			continue
		}
		for j := range out {
			if n := k.ValueOf(k.Series[i].Values, j); !math.IsNaN(n) {
				out[j] += n
			}
		}
	}
	return out
}

// otherStepsFinding reports that only one side has steps of another kind, or has another share of them: the mean shows
// them and the median step does not.
func otherStepsFinding(p *Causes) []Finding {
	if p.Loads != nil || p.Plan.Steps < sides.EnoughSteps {
		return nil
	}
	base, baseSteps, b := otherSteps(p.Base)
	cand, candSteps, c := otherSteps(p.Cand)
	of, steps, other := cand, candSteps, b
	if c < b {
		of, steps, other = base, baseSteps, c
	}
	if of == nil || math.Abs(c-b) < moreOfThem {
		return nil
	}
	of.Other = other
	f := NewFinding(policy.KindOtherSteps)
	f.Base, f.Cand, f.Delta, f.Unit = b, c, c-b, "ratio"
	f.Metric, f.Class, f.Section, f.Steps, f.Others = run.KernelLaunches, verdict.ClassLook, run.SectionSteps, steps, of
	f.Evidence, f.Advice.Kind = Evidence{Kind: EvidenceRecorded}, AdviceOtherSteps
	return []Finding{f}
}
