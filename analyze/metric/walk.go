package metric

import (
	"math"
	"sort"

	"perfdiff/analyze/run"
	"perfdiff/analyze/trace"
)

// walk goes through all device work once, in order of start, and adds it up by kernel: in
// each step, within the kept steps and outside of them, which together are the whole
// capture's.
type walk struct {
	rank     *Rank
	families *familySplit
	at       int // the first span that was not taken
	stretch  stretch
	gathered gathered // kernels
}

// step takes the spans [from, to) of a step at a place and those before that no step took.
// Steps come in order of start. What an earlier one has in common with it was taken with
// that one.
func (w *walk) step(at, from, to int, isKept bool) {
	w.take(from, outside, false)
	in, device := outside, w.rank.Trace.Device
	if isKept {
		in = kept
	}
	if both := device[from:max(from, min(to, w.at))]; len(both) > 0 {
		w.repeat(both, isKept)
	}
	w.take(to, in, true)
	w.rank.kernels.endStep(at)
}

// sumUp adds up the kernels that were gathered.
func (w *walk) sumUp(in part, inStep bool) {
	k := &w.rank.kernels
	w.gathered.each(func(n int32, ns []int64) {
		k.addAll(n, ns, in)
		if inStep {
			k.inStep(n, ns)
		}
	})
}

// take takes the spans before a place that were not taken.
func (w *walk) take(to int, in part, inStep bool) {
	if w.at >= to {
		return
	}
	r, k, d, f := w.rank, &w.rank.kernels, &w.rank.device, w.families
	spans := r.Trace.Device[w.at:to]
	w.at = to
	for i := range spans {
		s := &spans[i]
		ns, kernel := s.End-s.Start, int32(-1)
		if s.Kind == trace.Kernel || s.Kind == trace.Graph {
			n := k.number(s.Name)
			if w.gathered.put(n, ns); w.gathered.full() {
				w.sumUp(in, inStep)
			}
			w.stretch.count(s.Start, &d.launches)
			if s.Class == trace.Comm {
				d.communicate(s, ns, r)
			}
			if s.Kind == trace.Kernel {
				kernel = n
				if s.Class == trace.Comm {
					k.coll[n] = s.Coll
				}
			} else {
				sum := k.replays[n]
				k.replays[n] = kernelSum{sum.time + ns, sum.launches + 1}
			}
		} else {
			d.copies.add(s)
			if in == kept {
				r.copies.add(s)
			}
		}
		if s.End > f.covered && (s.Class == trace.Compute || s.Class == trace.ClassUnknown) {
			f.give(s, kernel)
		}
	}
	w.sumUp(in, inStep)
}

// repeat counts in a step what was taken with an earlier one.
func (w *walk) repeat(spans []trace.Span, isKept bool) {
	r, k := w.rank, &w.rank.kernels
	for i := range spans {
		s := &spans[i]
		if s.Kind != trace.Kernel && s.Kind != trace.Graph {
			if isKept {
				r.copies.add(s)
			}
			continue
		}
		n := k.number(s.Name)
		k.inStep(n, []int64{s.End - s.Start})
		if isKept {
			for int(n) >= len(k.again) {
				k.again = append(k.again, run.Durations{})
			}
			k.again[n].Add(s.End - s.Start)
		}
	}
}

// stretch is the part of the device's extent that a span begins in. As they come in order
// it hardly ever is another one than before.
type stretch struct {
	extent trace.Interval
	at     int
	until  int64 // when the next one begins
}

func newStretch(extent trace.Interval) stretch {
	return stretch{extent: extent, until: math.MinInt64}
}

// of is the number of the stretch that a time lies in.
func (x *stretch) of(t int64) int {
	at := int(float64(t-x.extent.Start) / float64(max(x.extent.End-x.extent.Start, 1)) * run.Stretches)
	return min(at, run.Stretches-1)
}

// count counts a launch.
func (x *stretch) count(t int64, launches *[run.Stretches]int64) {
	if t >= x.until {
		x.at = x.of(t)
		x.until = math.MaxInt64
		if last := x.extent.End; x.at < run.Stretches-1 && t <= last {
			x.until = t + int64(sort.Search(int(last-t)+1, func(i int) bool { return x.of(t+int64(i)) > x.at }))
		}
	}
	launches[x.at]++
}
