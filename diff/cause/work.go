package cause

import (
	"math"
	"slices"

	"perfdiff/analyze/run"
	"perfdiff/diff/sides"
	"perfdiff/diff/stat"
	"perfdiff/diff/verdict"
)

// sameLength is up to which share two captures are equally long. Chosen, not measured: no
// two captures by one timer were at hand.
const sameLength = 0.01

// WorkRate is how much more work the candidate does in a second than the baseline.
type WorkRate struct {
	Fixed   bool    `report:"fixed"`  // captures of one length: a clock ended them, and not the work
	Length  float64 `report:"length"` // s, of the baseline's where Fixed
	Rate    float64 `report:"rate"`   // work a second in the candidate over the baseline, of the median kernel
	Lo      float64 `report:"low"`    // of the kernels whose rate changed least and most
	Hi      float64 `report:"high"`
	Kernels int     `report:"kernels"` // that both repeat

	ranks int
	Sure  bool // it differs beyond what stretches of the captures differ by, and what runs do
}

// OtherWork reports whether the sides do other work, and not the same at another rate.
func (w *WorkRate) OtherWork() bool { return w.Hi > otherWork*w.Lo }

// WorkRate compares the work of a second by the launches of the kernels that both sides
// repeat. ok is false where there are none.
func (p *Causes) WorkRate() (w WorkRate, ok bool) {
	b, c := launchRates(p.Base), launchRates(p.Cand)
	var rates []float64
	for _, name := range sides.SortedKeys(b) {
		if c[name] > 0 && !IsComm(name) {
			rates = append(rates, c[name]/b[name])
		}
	}
	if len(rates) == 0 {
		return WorkRate{}, false
	}
	w = WorkRate{Rate: stat.Median(rates), Lo: slices.Min(rates), Hi: slices.Max(rates)}
	w.Kernels, w.ranks = len(rates), p.Base.MostRanks()
	w.Length, w.Fixed = fixedLength(p)
	w.Sure = math.Abs(math.Log(w.Rate)) >= workNoise*math.Sqrt(rateVariance(p, p.Base)+rateVariance(p, p.Cand))
	return w, true
}

// workNoise is by how many standard deviations a rate of work must change. Chosen, not measured: rates of one capture
// are few, and normal noise is beyond this in one of eighty.
const workNoise = 2.5

// fixedLength returns the length of both sides' captures if it is the same: of the device's activity, as in a cut of a
// longer recording, or of the files. A capture of a number of steps is as long as its work.
func fixedLength(p *Causes) (length float64, fixed bool) {
	for _, of := range []func(*sides.Rank) int64{
		func(k *sides.Rank) int64 { return k.Spans.Active },
		func(k *sides.Rank) int64 { return k.Captured },
	} {
		base, cand := lengthOf(p.Base, of), lengthOf(p.Cand, of)
		if base > 0 && math.Abs(cand-base) <= sameLength*base {
			return base, true
		}
	}
	return 0, false
}

// Window is the length of both sides' captures where it is one, as where a timer ended them.
type Window struct {
	Length   float64    `report:"length"`   // s
	Launches [2]float64 `report:"launches"` // of kernels, whole ones of the median over ranks
	Change   float64    `report:"change"`   // of these, a fraction
}

// Window compares how much was launched in captures of one length; nil if their lengths differ.
func (p *Causes) Window() *Window {
	length, fixed := fixedLength(p)
	w := &Window{Length: length}
	for i, s := range []*sides.Side{p.Base, p.Cand} {
		var launches []float64
		s.EachRank(func(k *sides.Rank) { launches = append(launches, float64(k.Spans.Kernels)) })
		w.Launches[i] = math.Floor(stat.Median(launches))
	}
	if !fixed || !(w.Launches[0] > 0) || !(w.Launches[1] > 0) {
		return nil
	}
	w.Change = verdict.Settled(w.Launches[1]/w.Launches[0] - 1)
	return w
}

// lengthOf returns the median over ranks of a length, in s; NaN not known.
func lengthOf(s *sides.Side, of func(*sides.Rank) int64) float64 {
	var all []float64
	s.EachRank(func(k *sides.Rank) {
		if n := of(k); n > 0 {
			all = append(all, float64(n)*1e-9)
		}
	})
	return stat.Median(all)
}

// rateVariance returns the variance of the log of a side's launches a second: from one stretch of a capture to
// another, and by what runs differ by.
func rateVariance(p *Causes, s *sides.Side) float64 {
	var all []float64
	s.EachRank(func(k *sides.Rank) {
		if k.Whole == nil || k.OnOneSideOnly {
			return
		}
		var x [run.LaunchBins]float64
		for i, n := range k.Whole.Launches {
			x[i] = float64(n)
		}
		if mean := stat.Mean(x[:]); mean > 0 {
			sum := 0.0
			for _, v := range x {
				away := v/mean - 1
				sum += float64(away * away)
			}
			all = append(all, sum/(run.LaunchBins-1)/run.LaunchBins)
		}
	})
	within := 0.0
	if len(all) > 0 {
		within = stat.Mean(all)
	}
	return (float64(p.Policy.Floor*p.Policy.Floor) + within) / math.Max(1, float64(len(s.Runs)))
}

// otherWork is how many times as often as another a kernel may be launched more than
// before for the sides to do the same work at another rate. Chosen, not measured: what is
// launched a fifth more often than the rest is another kind of work.
const otherWork = 1.2

// leastLaunches is how often a kernel must be launched to be one that repeats. Chosen,
// not measured: what is launched less often is not of the loop.
const leastLaunches = 10

// launchRates returns the launches a second of the kernels that repeat, from the first to
// the last work of the device, the mean over ranks. How long the program took to begin
// says nothing of its work.
func launchRates(s *sides.Side) map[string]float64 {
	out, ranks := map[string]float64{}, 0.0
	s.EachRank(func(k *sides.Rank) {
		length := float64(k.Spans.Active) * 1e-9
		if length <= 0 {
			return
		}
		ranks++
		for _, w := range k.Work {
			if w.Launches >= leastLaunches && w.Family != "" { // none of communication
				out[w.Kernel] += float64(w.Launches) / length
			}
		}
	})
	for name := range out {
		out[name] /= ranks
	}
	return out
}
