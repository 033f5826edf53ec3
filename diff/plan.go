package diff

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
	minSteps    = 3   // under these nothing is judged
	goodSteps   = 50  // what is worth recording
	enoughSteps = 10  // from these on the usual floor holds; a warm-up cut leaves as many
	settleSteps = 20  // from these on a run can be refused for not settling
	longWarmUp  = 0.3 // share of a run beyond which a warm-up is no warm-up
)

var stepTime = run.Key{Metric: run.StepTime}

// plan is which steps of which runs are compared.
type plan struct {
	paired   bool // the same step numbers on both sides, step by step
	disjoint bool // no step number is on both sides
	// unnumbered steps were found by launches, and runs have different numbers of them:
	// the nth of one is not the nth of another.
	unnumbered bool
	common     int  // step numbers in all runs
	steps      int  // used a run; the fewest of any run
	cut        int  // warm-up steps left out of every run
	unsettled  bool // a warm-up that does not end
}

// newPlan chooses the steps and tells every run.
//
// Steps are paired by number over the numbers that all runs of both sides
// kept, if those are at least 10, or at least 3 and half of what the shortest
// run has: with fewer in common, pairing would throw away more than it gains
// and every run enters with its own steps.
func newPlan(base, cand *side) plan {
	runs := slices.Concat(base.runs, cand.runs)
	common, shortest := commonSteps(runs)
	p := plan{common: len(common), disjoint: len(common) == 0}
	p.paired = len(common) >= enoughSteps || len(common) >= minSteps && 2*len(common) >= shortest ||
		len(common) > 0 && shortest < minSteps
	p.unnumbered = unnumbered(runs)
	p.paired = p.paired && !p.unnumbered
	for _, r := range runs {
		if p.paired {
			r.use(common)
		} else {
			r.use(r.kept)
		}
	}
	p.cutWarmUp(runs)
	p.steps = fewestUsed(runs)
	return p
}

// unnumbered reports whether steps of different runs have nothing that pairs them.
// Launches have no numbers: they are paired by order, and only where there are as many.
func unnumbered(runs []*oneRun) bool {
	counts := map[int]bool{}
	launched := false
	for _, r := range runs {
		for _, k := range r.ranks {
			for _, rc := range k.Receipts {
				launched = launched || rc.By.OnDevice()
			}
		}
		counts[len(r.state)] = true
	}
	return launched && len(counts) > 1
}

func commonSteps(runs []*oneRun) (common []int64, shortest int) {
	if len(runs) == 0 {
		return nil, 0
	}
	common, shortest = runs[0].kept, len(runs[0].kept)
	for _, r := range runs[1:] {
		shortest = min(shortest, len(r.kept))
		var both []int64
		for _, n := range common {
			if _, ok := slices.BinarySearch(r.kept, n); ok {
				both = append(both, n)
			}
		}
		common = both
	}
	return common, shortest
}

func fewestUsed(runs []*oneRun) int {
	if len(runs) == 0 {
		return 0
	}
	n := math.MaxInt
	for _, r := range runs {
		n = min(n, len(r.used))
	}
	return n
}

// cutWarmUp leaves out the longest warm-up of any run from all of them. A run
// that is above its line at the start without falling (it grows ever faster)
// has no warm-up. One that reaches half the run does not end, nor does one
// that takes more than 30 % of it and goes on falling behind the cut. Where
// half of the runs and more are like that nothing is judged; one among many only
// has the longest warm-up, or more runs would make a verdict less likely.
//
// The rule was measured on 20 steps and more. In a shorter run the line has
// too few points to refuse a comparison, and a cut that leaves fewer than 10
// steps would cost more than it gains: two captures of five steps each, put
// together, look like a warm-up as often as not.
//
// Runs whose steps are not paired are each cut by their own. Engine steps that are
// compared by load are not in order of time, and nothing is cut.
func (p *plan) cutWarmUp(runs []*oneRun) {
	steps, endlessRuns := fewestUsed(runs), 0
	own := make([]int, len(runs))
	for i, r := range runs {
		if r.recorded != nil {
			continue
		}
		x, at := logs(r)
		w := stat.WarmUpOf(x)
		if w.Cut == 0 {
			continue
		}
		long := w.Capped || float64(w.Cut) > longWarmUp*float64(len(x))
		endless := w.Capped || long && w.GoesOn
		switch {
		case long && !w.Falls:
		case len(x) < settleSteps && (endless || steps-at[w.Cut] < enoughSteps):
		default:
			own[i] = at[w.Cut]
			p.cut = max(p.cut, own[i])
			if endless {
				endlessRuns++
			}
		}
	}
	p.unsettled = endlessRuns > 0 && 2*endlessRuns >= len(runs)
	for i, r := range runs {
		r.own = own[i]
		cut := min(p.cut, len(r.used))
		if !p.paired {
			cut = own[i]
		}
		r.warm = r.used[:cut]
		r.use(r.used[cut:])
	}
}

// logs are the logs of a run's step times and where in its used steps they
// stand.
func logs(r *oneRun) (x []float64, at []int) {
	curve := r.curvesOf(stepTime).medians
	x, at = make([]float64, 0, len(curve)), make([]int, 0, len(curve))
	for j, v := range curve {
		if v > 0 {
			x = append(x, math.Log(v))
			at = append(at, j)
		}
	}
	return x, at
}
