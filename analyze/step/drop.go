package step

import (
	"fmt"
	"math"
	"time"

	"perfdiff/analyze/run"
	"perfdiff/analyze/trace"
)

// The first step, into which profiler start-up falls, is left out when at least this many
// others remain. Chosen, not measured: as many as are compared, and one.
const enoughWithoutFirst = 4

// Reasons for which a step is left out. They are shown to people.
const (
	DropFirst  = "first step: the profiler starts in it"
	DropSkip   = "left out by --skip-first"
	DropLast   = "last step: nothing in the capture ends it"
	DropNoWork = "no device work was launched in it"
	DropNoNext = "the next step launched no device work that would end it"
	// Work of a later step can start before that of an earlier one only when
	// streams run far apart; such steps have no device edges.
	DropOutOfOrder = "the next step's device work began before its own"
)

// markDropped marks the steps that are left out of measurement. skip is how many at the start
// the user leaves out; -1 leaves out the first, where enough others remain.
func markDropped(steps []trace.Step, skip int) {
	if n := len(steps); steps[n-1].Dropped == "" && steps[n-1].End == trace.NoTime {
		steps[n-1].Dropped = DropLast
	}
	if len(steps) == 1 && steps[0].Dropped == DropLast && steps[0].End != trace.NoTime {
		steps[0].Dropped = "" // the only one: it is measured up to the end of its work
	}
	kept := 0
	for _, s := range steps {
		if s.Dropped == "" {
			kept++
		}
	}
	reason := DropSkip
	if skip < 0 {
		skip, reason = 0, DropFirst
		if kept > enoughWithoutFirst { // the first counts among the kept
			skip = 1
		}
	}
	for i := 0; i < skip && i < len(steps); i++ {
		steps[i].Dropped = reason
	}
}

// WindowText returns the window in seconds, as users write it; "" where all counts.
func (o Options) WindowText() string {
	if o.Window == [2]time.Duration{} {
		return ""
	}
	return fmt.Sprintf("--window %v-%v", o.Window[0].Seconds(), o.Window[1].Seconds())
}

// dropOutside leaves out the steps that do not lie in the window, of a capture that began at a time. It returns where
// they lie if none is left, else "".
func (o Options) dropOutside(steps []trace.Step, began int64) string {
	first, last, kept := int64(math.MaxInt64), int64(0), 0
	for i := range steps {
		s := &steps[i]
		start, end := s.HostStart-began, s.HostEnd-began
		if s.HasWindow() {
			start, end = s.Start-began, s.End-began
			first, last = min(first, start), max(last, end)
		}
		if s.Dropped == "" && o.WindowText() != "" && (start < int64(o.Window[0]) || end > int64(o.Window[1])) {
			s.Dropped = "outside of " + o.WindowText()
		}
		if s.Dropped == "" {
			kept++
		}
	}
	if kept > 0 || o.WindowText() == "" || last == 0 {
		return ""
	}
	return fmt.Sprintf("the steps lie from %.3f to %.3f s of the capture", float64(first)/1e9, float64(last)/1e9)
}

// A warning is due from minWorkless steps without device work on, if they are more than mostWorkless of all steps.
// Chosen, not measured: the last few of a capture often have none, as the host runs ahead of the device, and so does
// one that only evaluates.
const (
	minWorkless   = 3
	mostWorkless  = 0.25
	recordAllHint = " (record the device for as long as the host, or export again)"
)

// warnWorkless returns the warning that many steps have no device work, "" if few have none: lost data looks as if
// nothing had been launched, and the other steps would stand for all.
func warnWorkless(steps []trace.Step) string {
	n, first := 0, int64(0)
	for _, s := range steps {
		if s.Dropped == DropNoWork {
			if n++; n == 1 {
				first = s.Number
			}
		}
	}
	if n < minWorkless || float64(n) <= mostWorkless*float64(len(steps)) {
		return ""
	}
	return fmt.Sprintf("%d of %d steps have no device work, the first of them step %d: they launched none, or it was lost"+recordAllHint,
		n, len(steps), first)
}

// tallyDrops counts the kept steps and lists the dropped ones by reason, in the order in which
// the reasons first occur.
func tallyDrops(steps []trace.Step) (drops []run.Drop, kept int) {
	for _, s := range steps {
		if s.Dropped == "" {
			kept++
			continue
		}
		i := 0
		for i < len(drops) && drops[i].Reason != s.Dropped {
			i++
		}
		if i == len(drops) {
			drops = append(drops, run.Drop{Reason: s.Dropped})
		}
		drops[i].Steps = append(drops[i].Steps, s.Number)
	}
	return drops, kept
}
