package metric

import (
	"math"
	"sort"

	"perfdiff/analyze/run"
	"perfdiff/analyze/trace"
)

// deviceScan goes once through all work of the device, in order of start, and adds it up by
// kernel: in each step, within the kept steps and outside of them. The last two are the whole
// capture.
type deviceScan struct {
	rank     *Rank
	families *familySplit
	at       int // the first span that was not taken
	bin      launchBin
	buffer   durationBuffer // kernels
}

// addStep adds the spans [from, to) of the step with an index, and first those between it and the step before. Steps
// come in order of start; spans that an earlier step shares with this one were added with that one.
func (w *deviceScan) addStep(at, from, to int, isKept bool) {
	w.takeUntil(from, outsideSteps, false)
	in, device := outsideSteps, w.rank.Trace.Device
	if isKept {
		in = keptSteps
		if k := &w.rank.kernels; k.before == nil {
			k.before = map[int]int64{}
			for n := range k.all.Len() {
				k.before[n] = k.all.At(n).byScope[outsideSteps].count()
			}
		}
	}
	if both := device[from:max(from, min(to, w.at))]; len(both) > 0 {
		w.addRepeated(both, isKept)
	}
	w.takeUntil(to, in, true)
	w.rank.kernels.endStep(at)
}

// flush adds up the durations in the buffer.
func (w *deviceScan) flush(in scope, inStep bool) {
	k := &w.rank.kernels
	w.buffer.flush(func(n int32, ns []int64) {
		k.addAllToGroup(n, ns, in)
		if inStep {
			k.addToStep(n, ns)
		}
	})
}

// takeUntil adds the spans before an index that were not added yet.
func (w *deviceScan) takeUntil(to int, in scope, inStep bool) {
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
			n := k.groupNumber(s.Name)
			if w.buffer.put(n, ns); w.buffer.n >= durationBufferSize {
				w.flush(in, inStep)
			}
			w.bin.count(s.Start, &d.launches)
			if s.Class == trace.Comm {
				d.communicate(s, ns, r)
			}
			if s.Kind == trace.Kernel {
				kernel = n
				if s.Class == trace.Comm {
					k.collective[n] = r.Trace.Messages.Coll(s)
				}
			} else {
				sum := k.replays[n]
				k.replays[n] = kernelSum{sum.time + ns, sum.launches + 1}
			}
		} else {
			d.copies.add(s)
			if in == keptSteps {
				r.copies.add(s)
			}
		}
		if s.End > f.covered && (s.Class == trace.Compute || s.Class == trace.ClassUnknown) {
			f.assign(s, kernel)
		}
	}
	w.flush(in, inStep)
}

// addRepeated adds to a step what was added with an earlier step that it overlaps.
func (w *deviceScan) addRepeated(spans []trace.Span, isKept bool) {
	r, k := w.rank, &w.rank.kernels
	for i := range spans {
		s := &spans[i]
		if s.Kind != trace.Kernel && s.Kind != trace.Graph {
			if isKept {
				r.copies.add(s)
			}
			continue
		}
		n := k.groupNumber(s.Name)
		k.addToStep(n, []int64{s.End - s.Start})
		if isKept {
			for int(n) >= len(k.repeated) {
				k.repeated = append(k.repeated, run.Durations{})
			}
			k.repeated[n].Add(s.End - s.Start)
		}
	}
}

// launchBin finds which of the LaunchBins equal parts of the device's extent a launch is in.
// They come in order of time, so it is hardly ever another one than before.
type launchBin struct {
	extent trace.Interval
	at     int
	until  int64 // when the next one begins
}

// number returns the number of the bin that holds a time.
func (x *launchBin) number(t int64) int {
	at := int(float64(t-x.extent.Start) / float64(max(x.extent.End-x.extent.Start, 1)) * run.LaunchBins)
	return min(at, run.LaunchBins-1)
}

// count counts a launch.
func (x *launchBin) count(t int64, launches *[run.LaunchBins]int64) {
	if t >= x.until {
		x.at = x.number(t)
		x.until = math.MaxInt64
		if last := x.extent.End; x.at < run.LaunchBins-1 && t <= last {
			x.until = t + int64(sort.Search(int(last-t)+1, func(i int) bool { return x.number(t+int64(i)) > x.at }))
		}
	}
	launches[x.at]++
}
