package analyze

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"perfdiff/analyze/metric"
	"perfdiff/analyze/order"
	"perfdiff/analyze/picture"
	"perfdiff/analyze/run"
	"perfdiff/analyze/trace"
)

// By how much the steps of a rank must differ from its peers' to be taken for steps that hold another number of the
// same thing. All three must hold: stages of a pipeline launch other numbers of kernels in steps of one length, and a
// short capture has fewer steps of it. Chosen, not measured: wide enough for noise, far from the nearest other whole
// number.
const (
	wholeNumberError = 0.1 // of a ratio of step times, and of launches per step, to a number of 2 or more
	sameWorkError    = 0.2 // of the launches in all steps, of which ends of captures cut one step or two
)

// stepLoad is how much of the job the steps of a rank hold.
type stepLoad struct {
	rank     int     // index
	time     float64 // s, of the median step
	launches float64 // of kernels in kept steps
	steps    float64 // that were kept
}

// loadOf returns the step time and launches of a rank; ok is false where it has no steps or no kernels.
func loadOf(at int, r *run.Rank) (load stepLoad, ok bool) {
	var times []float64
	values := r.Values(run.Key{Metric: run.StepTime})
	for _, i := range r.Kept() {
		if i < len(values) && !math.IsNaN(values[i]) {
			times = append(times, values[i])
		}
	}
	launches := int64(0)
	for i := range r.Stats {
		if s := &r.Stats[i]; s.Table == run.KernelTable {
			launches += s.Count
		}
	}
	if len(times) == 0 || launches == 0 {
		return load, false
	}
	slices.Sort(times)
	return stepLoad{at, times[len(times)/2], float64(launches), float64(len(times))}, true
}

// timesOf returns how many steps of a peer one of these is, as the ratio is written: "2", "1/2"; "" if
// they are alike, or differ in another way.
func (l stepLoad) timesOf(peer stepLoad) string {
	if l.time < peer.time {
		if n := peer.timesOf(l); n != "" {
			return "1/" + n
		}
		return ""
	}
	longer, more := l.time/peer.time, l.launches/l.steps*peer.steps/peer.launches
	n := math.Round(longer)
	if n < 2 || math.Abs(longer-n) > wholeNumberError*n || math.Abs(more-n) > wholeNumberError*n ||
		math.Abs(l.launches/peer.launches-1) > sameWorkError {
		return ""
	}
	return fmt.Sprintf("%.0f", n)
}

// joined are the ranks of a run with what belongs to each.
type joined struct {
	ranks []run.Rank
	comms []metric.Communication
	cuts  [][]picture.Cut
}

// leaveOutOddSteps leaves out ranks whose steps hold another number of the same thing than the steps of most ranks:
// compared with them every other rank would seem fast, or slow. A rank that is left out counts as lost.
func (j *joined) leaveOutOddSteps(set *run.Set) {
	var loads []stepLoad
	for i := range j.ranks {
		if l, ok := loadOf(i, &j.ranks[i]); ok {
			loads = append(loads, l)
		}
	}
	if len(loads) < 2 {
		return
	}
	slices.SortStableFunc(loads, func(a, b stepLoad) int { return cmp.Compare(a.time, b.time) })
	usual := order.Lower(loads) // of two halves the shorter: markers are lost more often than made up
	odd := map[int]bool{}
	for _, l := range loads {
		times := l.timesOf(usual)
		if times == "" {
			continue
		}
		odd[l.rank] = true
		r, peer := &j.ranks[l.rank], &j.ranks[usual.rank]
		set.Warnings = append(set.Warnings, trace.Warning{File: r.Files[0], Text: fmt.Sprintf(
			"rank %d left out: its steps take %s times as long as those of rank %d and launch %s times as many kernels, so that they are not the same steps (mark steps alike on all ranks)",
			r.Rank, times, peer.Rank, times)})
	}
	if len(odd) > 0 {
		j.ranks, j.comms, j.cuts = without(j.ranks, odd), without(j.comms, odd), without(j.cuts, odd)
	}
}

// without returns a list without the elements at some indices.
func without[T any](list []T, at map[int]bool) (out []T) {
	for i := range list {
		if !at[i] {
			out = append(out, list[i])
		}
	}
	return out
}
