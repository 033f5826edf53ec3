package sides

import (
	"math"
	"slices"

	"perfdiff/analyze/run"
	"perfdiff/diff/stat"
)

// The numbers of steps that decide how a comparison is made. Few steps were simulated
// (TestFewStepsRates): with 8 to 12 recorded and a floor of 1 % an unchanged pair
// regressed in 7 to 10 %, which is why under enoughSteps another floor holds. From 50 to
// 100 steps power hardly grows (golden/rates.txt). The share of a warm-up is chosen: of
// longer ones in simulated runs of 50 steps a tenth and more was left.
const (
	MinSteps    = 3   // under these nothing is judged
	GoodSteps   = 50  // what is worth recording
	EnoughSteps = 10  // from these on the usual floor holds; a warm-up cut leaves as many
	settleSteps = 20  // from these on a run can be refused for not settling
	LongWarmUp  = 0.3 // share of a run beyond which a warm-up is no warm-up
)

var StepTime = run.Key{Metric: run.StepTime}

// Plan says which steps of which runs are compared.
type Plan struct {
	Paired   bool // the same step numbers on both sides, step by step
	Disjoint bool // no step number is on both sides
	// unnumbered steps were found by launches, and runs have different numbers of them:
	// the nth of one is not the nth of another.
	Unnumbered bool
	// OnePass: each capture is a step, and each side has enough runs to be judged by them alone. Of unchanged pairs 0.1,
	// 2.3 and 5.6 % had a verdict where three runs a side differed by 2, 4 and 8 %, and 2.6, 4.6 and 4.9 % of eight; of
	// pairs with +10 %, 99, 64 and 27 %, and 100, 100 and 65 % (simulated, with FewFloor as it is by default).
	OnePass   bool
	Common    int  // step numbers in all runs
	Steps     int  // used a run; the fewest of any run
	WarmUp    int  // warm-up steps left out of every run
	Unsettled bool // a warm-up that does not end
}

// NewPlan chooses the steps to compare and tells every run.
//
// Steps are paired by number over the numbers that all runs of both sides kept, if those are at least 10, or at least
// 3 and half of the shortest run's: with fewer in common, pairing would throw away more than it gains and every run
// enters with its own steps.
func NewPlan(base, cand *Side) Plan {
	runs := slices.Concat(base.Runs, cand.Runs)
	common, shortest := commonSteps(runs)
	p := Plan{Common: len(common), Disjoint: len(common) == 0}
	p.Paired = len(common) >= EnoughSteps || len(common) >= MinSteps && 2*len(common) >= shortest ||
		len(common) > 0 && shortest < MinSteps
	p.Unnumbered = unnumbered(runs)
	p.Paired = p.Paired && !p.Unnumbered
	for _, r := range runs {
		if p.Paired {
			r.use(common)
		} else {
			r.use(r.Kept)
		}
	}
	p.cutWarmUp(runs)
	p.Steps = fewestUsed(runs)
	p.OnePass = OfPasses(base) && OfPasses(cand) && min(len(base.Runs), len(cand.Runs)) >= MinSteps
	return p
}

// PlanOf chooses the steps of runs that are held to those of a side with a plan: the steps that its runs use, where they
// all use the same, and none of a run's own warm-up. The longest warm-up of 30 runs is longer than that of one: with each
// side's own, an unchanged candidate of one run was 0.45 % slower than its main, one of three 0.27 (simulated, steps of
// 40 that begin 80 % slower).
func (p Plan) PlanOf(with, s *Side) Plan {
	out := NewPlan(s, &Side{Set: &run.Set{}})
	for _, r := range s.Runs {
		steps := slices.Concat(r.WarmUpSteps, r.Used)
		cut := r.OwnWarmUp
		if first := with.Runs[0].Used; p.Paired && len(first) > 0 {
			steps, cut = among(steps, cut, first, p.WarmUp)
		}
		r.WarmUpSteps = steps[:cut]
		r.use(steps[cut:])
	}
	out.Steps = fewestUsed(s.Runs)
	return out
}

// among returns the steps of a run that others use, and how many of them are its warm-up of so many steps; where they
// have too few in common all steps, of which the longer warm-up is cut.
func among(steps []int64, own int, used []int64, theirs int) ([]int64, int) {
	var both []int64
	cut := 0
	for i, n := range steps {
		if _, ok := slices.BinarySearch(used, n); ok {
			if both = append(both, n); i < own {
				cut++
			}
		}
	}
	if len(both)-cut < min(EnoughSteps, len(used)) {
		return steps, min(max(own, theirs), len(steps)/2)
	}
	return both, cut
}

// LeastSteps returns how many steps a run must have for anything to be judged. Of captures that are steps one will do:
// so many runs tell by themselves what they differ by.
func (p *Plan) LeastSteps() int {
	if p.OnePass {
		return 1
	}
	return MinSteps
}

// OfPasses reports whether each capture of the side is a step.
func OfPasses(s *Side) bool {
	passes := len(s.Runs) > 0
	s.EachRank(func(k *Rank) {
		for _, r := range k.Receipts {
			passes = passes && r.By.Kind == run.MarkCapture
		}
	})
	return passes
}

// unnumbered reports whether steps of different runs have nothing that pairs them.
// Launches have no numbers: they are paired by order, and only where there are as many.
func unnumbered(runs []*Run) bool {
	counts := map[int]bool{}
	launched := false
	for _, r := range runs {
		for _, k := range r.Ranks {
			for _, rc := range k.Receipts {
				launched = launched || rc.By.OnDevice()
			}
		}
		counts[len(r.DropReasons)] = true
	}
	return launched && len(counts) > 1
}

func commonSteps(runs []*Run) (common []int64, shortest int) {
	if len(runs) == 0 {
		return nil, 0
	}
	common, shortest = runs[0].Kept, len(runs[0].Kept)
	for _, r := range runs[1:] {
		shortest = min(shortest, len(r.Kept))
		var both []int64
		for _, n := range common {
			if _, ok := slices.BinarySearch(r.Kept, n); ok {
				both = append(both, n)
			}
		}
		common = both
	}
	return common, shortest
}

func fewestUsed(runs []*Run) int {
	if len(runs) == 0 {
		return 0
	}
	n := math.MaxInt
	for _, r := range runs {
		n = min(n, len(r.Used))
	}
	return n
}

// cutWarmUp leaves the longest warm-up of any run out of all of them. A run that starts above its line without falling
// (it grows ever faster) has no warm-up. A warm-up does not end if it reaches half the run, or if it takes more than
// 30 % of it and times still fall after the cut. If half of the runs or more are like that nothing is judged; one
// among many only has the longest warm-up, or more runs would make a verdict less likely.
//
// The rule was measured on 20 steps and more. In a shorter run the line has too few points to refuse a comparison, and
// a cut that leaves fewer than 10 steps would cost more than it gains: two captures of five steps each, put together,
// look like a warm-up as often as not.
//
// Runs whose steps are not paired are each cut by their own. Engine steps that are compared by load are not in order
// of time, and nothing is cut.
func (p *Plan) cutWarmUp(runs []*Run) {
	steps, endlessRuns := fewestUsed(runs), 0
	own := make([]int, len(runs))
	for i, r := range runs {
		if r.RecordedNumbers != nil {
			continue
		}
		x, at := LogStepTimes(r)
		w := stat.WarmUpOf(x)
		if w.Cut == 0 {
			continue
		}
		long := w.Capped || float64(w.Cut) > LongWarmUp*float64(len(x))
		endless := w.Capped || long && w.GoesOn
		switch {
		case long && !w.Falls:
		case len(x) < settleSteps && (endless || steps-at[w.Cut] < EnoughSteps):
		default:
			own[i] = at[w.Cut]
			p.WarmUp = max(p.WarmUp, own[i])
			if endless {
				endlessRuns++
			}
		}
	}
	p.Unsettled = endlessRuns > 0 && 2*endlessRuns >= len(runs)
	for i, r := range runs {
		r.OwnWarmUp = own[i]
		cut := min(p.WarmUp, len(r.Used))
		if !p.Paired {
			cut = own[i]
		}
		r.WarmUpSteps = r.Used[:cut]
		r.use(r.Used[cut:])
	}
}

// LogStepTimes returns the logs of a run's step times and where in its used steps they
// stand.
func LogStepTimes(r *Run) (x []float64, at []int) {
	curve := r.curvesOf(StepTime).medians
	x, at = make([]float64, 0, len(curve)), make([]int, 0, len(curve))
	for j, v := range curve {
		if v > 0 {
			x = append(x, math.Log(v))
			at = append(at, j)
		}
	}
	return x, at
}
