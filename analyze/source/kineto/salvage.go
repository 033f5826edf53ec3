package kineto

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"

	"perfdiff/analyze/source/build"
	"perfdiff/analyze/trace"
)

// unusable returns the error for a file without any trace.
func (d *document) unusable(name string, err error, c *collector) error {
	const remedy = "export it again with torch.profiler's export_chrome_trace or tensorboard_trace_handler"
	cause := d.w.err
	if cause == io.EOF {
		cause = nil
	}
	switch {
	case d.w.off == 0 && d.w.end == 0 && cause == nil:
		return fmt.Errorf("%s: the file is empty: the profiler wrote nothing or the copy failed (%s)", name, remedy)
	case d.w.off == 0 && d.w.end == 0:
		return fmt.Errorf("%s: cannot be read: %w (copy it again, or %s)", name, cause, remedy)
	case err != nil:
		return fmt.Errorf("%s: not a PyTorch profiler trace: %w (%s)", name, err, remedy)
	case c.plain.ofOtherProgram():
		return notOfProfiler(name, remedy)
	case d.events > 0 && c.total > 0:
		return nil
	case d.events > 0 && d.kept > c.framework:
		return fmt.Errorf("%s: none of %d events has a usable time: ts is missing, not a number or too large (%s)", name, d.kept-c.framework, remedy)
	case d.events > 0:
		return nil // operators only: a trace of the host without ranges
	case !d.found && d.ended:
		return fmt.Errorf("%s: not a PyTorch profiler trace: it has no traceEvents (%s)", name, remedy)
	case d.lastEnd > d.start:
		return notOfProfiler(name, remedy)
	case !d.ended && cause != nil:
		return fmt.Errorf("%s: breaks off before its first event: %w (copy it again, or %s)", name, cause, remedy)
	case !d.ended:
		return fmt.Errorf("%s: ends before its first event: the file was cut or is not valid JSON (copy it again, or %s)", name, remedy)
	}
	return fmt.Errorf("%s: holds no events: the profiler recorded nothing (let its schedule reach an active step, then %s)", name, remedy)
}

func notOfProfiler(name, remedy string) error {
	return fmt.Errorf("%s: not a PyTorch profiler trace: its list holds no events of the profiler: perhaps a Chrome trace of another program (%s)", name, remedy)
}

// unitOf is what places in a file are counted in.
func unitOf(zipped bool) string {
	if zipped {
		return "inflated byte"
	}
	return "byte"
}

// cutOff warns that a file ends early, for a reason.
func (d *document) cutOff(file, why string, zipped bool) trace.Warning {
	at := fmt.Sprintf("%s %d", unitOf(zipped), d.lastEnd)
	return trace.Warning{File: file, Cut: at, Text: fmt.Sprintf("%s at %s; the %d events before are used and what came after is lost "+
		"(copy the file again, or let the profiler finish before the job ends)", why, at, d.events)}
}

// warnings says what was lost, and what looks wrong in the file.
func (d *document) warnings(zipped bool, c *collector) []string {
	var out []string
	add := func(format string, args ...any) { out = append(out, fmt.Sprintf(format, args...)) }
	unit := unitOf(zipped)
	if d.breaks > 0 {
		add("%d broken places were skipped, %d bytes in all, the first at %s %d: not valid JSON, or an event of more than %d KB (record again with a newer PyTorch, or without with_stack)",
			d.breaks, d.skipped, unit, d.firstBreak, windowSize>>10)
	}
	if d.unclosed {
		add("the list of events is not closed behind %s %d, as its format allows: if the file was cut there, what came after is lost (copy the file again if it was)", unit, d.lastEnd)
	}
	if d.otherLists > 0 {
		add("%d more lists of events were left out: only the first of a file is read (record each rank to its own file)", d.otherLists)
	}
	if d.halfEvents > 0 {
		add("%d events were left out: they are the begin or the end of one (ph B and E), which PyTorch's profiler writes as one (ph X): another program wrote or changed the file (give the trace as the profiler wrote it)", d.halfEvents)
	}
	out = append(out, c.losses.Warnings...)
	if c.tooLong > 0 {
		add("%d events that last more than 7 days were dropped: the profiler wrote a corrupt duration (record again)", c.tooLong)
	}
	if c.overCrowded > 0 {
		add("%d events of more than %d processes or devices were dropped (record one file per rank)", c.overCrowded, build.MaxPlaces)
	}
	if c.timeless > 0 {
		add("%d events were dropped: ts is missing, not a number or too large (record again)", c.timeless)
	}
	if c.total > 0 && c.atZero*2 >= c.total && c.atZero > 1 {
		add("%d of %d events are at time 0: a fault of some builds of PyTorch 2.12 (pytorch #188481); times are not to be trusted (record with another build)", c.atZero, c.total)
	}
	switch {
	case len(c.device) > 0, len(c.unread) > 0:
	case c.plain.seen:
		add("no device work: this PyTorch was built without Kineto, and its profiler records the host alone (for a job on GPUs record with a build that has it)")
	case d.halfEvents > 0:
		add("no device work: no event of it is whole (give the trace as the profiler wrote it)")
	default:
		add("no device work: only the host was recorded (record with activities=[CPU, CUDA])")
	}
	return out
}

// mostUnread is how many kinds of events that are not read a warning names.
const mostUnread = 3

// unreadText counts events of devices that are not read, by category, the most frequent first.
func unreadText(unread map[string]int64) string {
	var all int64
	names := slices.Sorted(maps.Keys(unread))
	slices.SortStableFunc(names, func(a, b string) int { return cmp.Compare(unread[b], unread[a]) })
	for _, n := range unread {
		all += n
	}
	kinds, more := names[:min(mostUnread, len(names))], ""
	if rest := len(names) - len(kinds); rest > 0 {
		more = fmt.Sprintf(" and %d more", rest)
	}
	return fmt.Sprintf("%d events of a device are of a kind that is not read (%s%s)", all, strings.Join(kinds, ", "), more)
}

// endText says why the text ended early, "" if it did not.
func (d *document) endText() string {
	switch {
	case d.ended:
		return ""
	case d.stopped == errBroken:
		return fmt.Sprintf("reading was given up after %d broken places", maxBreaks)
	case d.stopped == errTooMany:
		return fmt.Sprintf("reading was given up after %d device spans, calls and ranges", maxEvents)
	case d.stopped != nil && !errors.Is(d.stopped, io.ErrUnexpectedEOF):
		return fmt.Sprintf("the file is damaged (%v)", trace.WithoutPath(d.stopped))
	}
	return "the file ends early, or is not valid JSON from there on,"
}
