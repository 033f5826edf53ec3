package idle

import (
	"regexp"

	"perfdiff/analyze/interval"
	"perfdiff/analyze/run"
	"perfdiff/analyze/trace"
)

// HostTime tells what the host does at times of a step at which it matters, also while the device
// works. Steps come in order of time, and each was added to the scan of gaps.
type HostTime struct {
	*hostWork
	waiting callCursor // calls that may wait for the device, of the piece
	reading callCursor // reads of any thread
	reads   interval.Set
	rest    interval.Set
	calls   []DeviceWait
	files   interval.Set // accesses that read
}

// DeviceWait is a call that may wait for the device.
type DeviceWait struct {
	interval.Interval
	OwnWork bool // it is a copy, which can wait for no other work than itself
}

// Doing says what the host does in a stretch of time.
type Doing struct {
	interval.Interval
	Cause string // of run.IdleCauses, or StorageRead
}

// StorageRead is a wait for input while somebody reads from storage.
const StorageRead = "storage"

// NewHostTime begins to tell what the host does in the steps of a scan of gaps.
func (w *GapScan) NewHostTime() *HostTime {
	h, names := &HostTime{hostWork: w.hostWork}, w.process.trace.Names
	h.waiting.kinds = trace.CallersOf(&names.Callers, func(x trace.Caller) int8 {
		if !h.threads.has(x.Thread) {
			return -1
		}
		return waitKind(names.Text(x.Name))
	})
	h.waiting.until = trace.NoTime // no window was before, and times can be before 0
	h.findWaits(w.api.list)
	h.reading = callCursor{list: w.os.list, kinds: trace.CallersOf(&names.Callers, func(x trace.Caller) int8 {
		if trace.ReadCall(names.Text(x.Name)) {
			return 0
		}
		return -1
	})}
	for _, a := range w.process.trace.Access {
		if a.Op == trace.OpRead {
			h.files = h.files.Add(a.Start, a.End)
		}
	}
	w.fullTime = h
	return h
}

// beginPiece goes on with the piece that the trace holds now.
func (h *HostTime) beginPiece() {
	t := h.process.trace
	h.reading.list = t.OS
	h.findWaits(t.API)
}

// findWaits finds the calls in a piece that may wait for the device. The cursor goes on after those that it has passed
// in the piece before.
func (h *HostTime) findWaits(calls []trace.Call) {
	list := h.waiting.list[:0]
	for i := range calls {
		if h.waiting.kinds[calls[i].By()] >= 0 {
			list = append(list, calls[i])
		}
	}
	next := 0
	for next < len(list) && list[next].Start < h.waiting.until {
		next++
	}
	h.waiting.list, h.waiting.next = list, next
}

// Calls of CUDA and HIP that may wait for the device: for other work, or for what they do
// themselves, as a copy of pageable memory does.
var (
	deviceWait = regexp.MustCompile(`^(?:cuda|hip|cu)(?:\w*Synchronize|Memcpy\w*|Memset\w*|Free(?:Host)?|MemFree(?:Host)?)(?:_v2|_ptsz|_ptds)*$`)
	ownWait    = regexp.MustCompile(`^(?:cuda|hip|cu)(?:Memcpy|Memset)\w*Async`)
)

// The kinds of calls that may wait.
const (
	waitsForAny = iota
	waitsForOwn
)

// waitKind returns how a call with a name waits; -1: it does not wait.
func waitKind(name string) int8 {
	switch {
	case ownWait.MatchString(name):
		return waitsForOwn
	case deviceWait.MatchString(name):
		return waitsForAny
	}
	return -1
}

// Waits returns the calls that may wait for the device in the step [lo, hi). They are valid until the
// next step.
func (h *HostTime) Waits(lo, hi int64) []DeviceWait {
	h.calls = h.calls[:0]
	h.waiting.each(lo, hi, nil, func(kind int, start, end int64) {
		if end <= hi {
			h.calls = append(h.calls, DeviceWait{interval.Interval{Start: start, End: end}, kind == waitsForOwn})
		}
	})
	return h.calls
}

// BeginStep looks at what the host does in some stretches of the step [lo, hi), which was added to
// the scan of gaps with all of these stretches.
func (h *HostTime) BeginStep(lo, hi int64, where interval.Set) {
	h.rest = where.Gaps(h.rest[:0], lo, hi)
	h.reads = h.reads[:0]
	if len(h.sets[causeInput]) > 0 {
		h.reading.each(lo, hi, h.rest, func(_ int, start, end int64) { h.reads = h.reads.Add(start, end) })
		if len(h.files) > 0 {
			h.reads = interval.Union(nil, h.reads, h.files.Touching(lo, hi))
		}
	}
}

// Each calls do with what the host does in a stretch that was looked at, in order of time. If it does several things
// at once, the first of them in run.IdleCauses counts.
func (h *HostTime) Each(in interval.Interval, do func(Doing)) {
	h.each(in, 0, do)
}

func (h *HostTime) each(in interval.Interval, from cause, do func(Doing)) {
	for from < causeUnknown && len(h.sets[from]) == 0 {
		from++
	}
	if from == causeUnknown {
		do(Doing{in, run.IdleCauses[causeUnknown]})
		return
	}
	at := in.Start
	for _, iv := range h.sets[from].Touching(in.Start, in.End) {
		iv = interval.Interval{Start: max(iv.Start, at), End: min(iv.End, in.End)}
		if iv.Start > at {
			h.each(interval.Interval{Start: at, End: iv.Start}, from+1, do)
		}
		if from == causeInput {
			h.eachInput(iv, do)
		} else {
			do(Doing{iv, run.IdleCauses[from]})
		}
		at = iv.End
	}
	if at < in.End {
		h.each(interval.Interval{Start: at, End: in.End}, from+1, do)
	}
}

// eachInput cuts a wait for input by whether somebody reads.
func (h *HostTime) eachInput(in interval.Interval, do func(Doing)) {
	at := in.Start
	for _, iv := range h.reads.Touching(in.Start, in.End) {
		iv = interval.Interval{Start: max(iv.Start, at), End: min(iv.End, in.End)}
		if iv.Start > at {
			do(Doing{interval.Interval{Start: at, End: iv.Start}, run.IdleCauses[causeInput]})
		}
		do(Doing{iv, StorageRead})
		at = iv.End
	}
	if at < in.End {
		do(Doing{interval.Interval{Start: at, End: in.End}, run.IdleCauses[causeInput]})
	}
}
