package sides

import (
	"math"
	"slices"

	"perfdiff/analyze/run"
	"perfdiff/diff/stat"
)

// OtherSteps are steps of a run that launch another number of kernels than most, such as evaluation steps between
// training steps.
type OtherSteps struct {
	Side     string  `report:"side"`
	Of       int     `report:"of"`                  // steps that enter
	Every    int     `report:"every"`               // steps from one to the next; 0: not the same
	Launches float64 `report:"launches"`            // kernels in one of them, median
	Usual    float64 `report:"usual_launches"`      // in most steps
	Time     float64 `report:"step_time"`           // s, the median of them
	Median   float64 `report:"usual_time"`          // s, that of the others
	Other    float64 `report:"share_on_other_side"` // of such steps on the other side
	Steps    []int64 `report:"steps"`               // their numbers
	LeftOut  bool    `report:"left_out_of_medians"` // medians leave them out, and means keep them
	at       []int   // where they are among the steps that enter
}

// What makes steps another kind. Chosen, not measured: one program's steps have equal launches, and steps with another
// shape nearly so.
const (
	otherKind       = 0.2 // of the launches of most steps, by which others differ at least
	leastOtherSteps = 2   // of a kind
)

// Share returns which share of the steps they are; 0 of none.
func (x *OtherSteps) Share() float64 {
	if x == nil {
		return 0
	}
	return float64(len(x.Steps)) / float64(x.Of)
}

// leftOut returns where the steps are that medians leave out.
func (x *OtherSteps) leftOut() []int {
	if x == nil || !x.LeftOut {
		return nil
	}
	return x.at
}

// tellKinds finds the steps of another kind in every run. Medians, and what is tested, leave them out, where enough
// steps are left: a median stands for one kind of step, and a job pays the mean, which keeps all. Engine steps are
// compared by load.
func (p *Lined) tellKinds() {
	if p.Loads != nil || p.Plan.Steps < EnoughSteps {
		return
	}
	others, left := map[int64]bool{}, math.MaxInt
	runs := slices.Concat(p.Base.Runs, p.Cand.Runs)
	for _, r := range runs {
		if r.Others = r.otherSteps(); r.Others == nil {
			continue
		}
		if !p.Plan.Paired {
			clear(others)
		}
		for _, n := range r.Others.Steps {
			others[n] = true
		}
		left = min(left, len(r.Used)-len(others))
	}
	for _, r := range runs {
		if r.Others != nil && left >= EnoughSteps {
			r.Others.LeftOut = true
		}
	}
}

// otherSteps returns the steps of another kind among those of a run that enter. Nil: all are of one kind, or no kind
// has most of them.
func (r *Run) otherSteps() *OtherSteps {
	launches := r.launchesPerStep()
	times := r.curvesOf(StepTime).medians
	out := &OtherSteps{Of: len(launches), Usual: stat.Median(stat.Known(launches))}
	var theirs, counts, others []float64
	for j, n := range launches {
		if !(math.Abs(n-out.Usual) >= otherKind*out.Usual) { // also where it is not known
			others = append(others, times[j])
			continue
		}
		out.Steps, out.at = append(out.Steps, r.Used[j]), append(out.at, j)
		theirs, counts = append(theirs, times[j]), append(counts, n)
	}
	if len(counts) < leastOtherSteps || !(out.Usual > 0) || 2*len(counts) >= out.Of {
		return nil
	}
	out.Every = int(out.Steps[1] - out.Steps[0])
	for i := range out.Steps[1:] {
		if int(out.Steps[i+1]-out.Steps[i]) != out.Every {
			out.Every = 0
			break
		}
	}
	out.Launches, out.Time, out.Median = stat.Median(counts), stat.Median(stat.Known(theirs)), stat.Median(stat.Known(others))
	return out
}

// launchesPerStep returns how many kernels each used step launches, on the first rank that enters; NaN where that rank
// leaves the step out.
func (r *Run) launchesPerStep() []float64 {
	out := make([]float64, len(r.Used))
	at := slices.IndexFunc(r.Ranks, func(k *Rank) bool { return !k.OnOneSideOnly })
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
			} else if k.UsedIndex[j] < 0 {
				out[j] = n
			}
		}
	}
	return out
}
