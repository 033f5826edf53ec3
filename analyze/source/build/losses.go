package build

import (
	"fmt"
	"math/bits"

	"perfdiff/analyze/trace"
)

// Losses gathers what a file lacks: warnings for each of its traces, and the contents that none of its traces holds
// completely.
type Losses struct {
	Warnings []string
	Lost     []trace.Loss
}

// Warn adds a warning of the file.
func (l *Losses) Warn(format string, args ...any) {
	l.Warnings = append(l.Warnings, fmt.Sprintf(format, args...))
}

// Lose notes that no trace of the file holds all of a content, for a reason that goes on after "needs".
func (l *Losses) Lose(of trace.Content, format string, args ...any) {
	l.Lost = append(l.Lost, trace.Loss{Of: of, Why: fmt.Sprintf(format, args...)})
}

// Lack does both: it notes the loss, and warns of it.
func (l *Losses) Lack(of trace.Content, format string, args ...any) {
	l.Lose(of, format, args...)
	l.Warn("lacks %s", l.Lost[len(l.Lost)-1].Why)
}

// LackAnswers looks at launches without device work, and notes a loss where they are too many.
// kernels and copies count the calls that launch them; again says what to do about it.
func (l *Losses) LackAnswers(kernels, copies Share, again string) {
	const format = "%s: %d of %d have none (%s)"
	if trace.Kernels.Beyond(kernels.Some, kernels.All) {
		l.Lack(trace.Kernels, format, "a kernel for each launch", kernels.Some, kernels.All, again)
	}
	if trace.Copies.Beyond(copies.Some, copies.All) {
		l.Lack(trace.Copies, format, "a copy for each call that copies", copies.Some, copies.All, again)
	}
}

// LackNames notes the names of kernels as lost where too many kernels have none.
func (l *Losses) LackNames(kernels Share, again string) {
	if trace.Kinds.Beyond(kernels.Some, kernels.All) {
		l.Lack(trace.Kinds, "names of kernels: %d of %d have none (%s)", kernels.Some, kernels.All, again)
	}
}

// Give gives a trace of the file all warnings and losses.
func (l *Losses) Give(t *trace.Trace) {
	for _, lost := range l.Lost {
		t.Lose(lost.Of, lost.Why)
	}
	for _, text := range l.Warnings {
		Warn(t, "%s", text)
	}
}

// Warn adds a warning to one trace.
func Warn(t *trace.Trace, format string, args ...any) {
	t.Warnings = append(t.Warnings, trace.Warning{File: t.File, Text: fmt.Sprintf(format, args...)})
}

// Lack notes that one trace does not hold all of a content, and warns about it, unless that is lost already.
func Lack(t *trace.Trace, of trace.Content, format string, args ...any) {
	if t.Incomplete()&of == of {
		return
	}
	why := fmt.Sprintf(format, args...)
	t.Lose(of, why)
	Warn(t, "lacks %s", why)
}

// contents lists what rows can be, in the order in which people are told about them.
var contents = []trace.Content{trace.Kernels, trace.Copies, trace.Calls, trace.Ranges, trace.Operators, trace.SystemCalls,
	trace.MPICalls, trace.MemoryUse}

// NameOf returns what people call a content. api is what launches kernels: "CUDA".
func NameOf(of trace.Content, api string) string {
	return map[trace.Content]string{
		trace.Kernels: "kernels", trace.Copies: "copies and sets", trace.Calls: "calls of " + api,
		trace.Ranges: "ranges", trace.Operators: "operators and functions", trace.SystemCalls: "calls of the system",
		trace.MPICalls: "calls of MPI", trace.MemoryUse: "allocations of memory",
	}[of]
}

// Share is how many of all are concerned.
type Share struct{ Some, All int64 }

// Count adds one to All, and to Some if concerned.
func (s *Share) Count(concerned bool) {
	s.All++
	if concerned {
		s.Some++
	}
}

// Tally counts the rows of each content, and among them those with impossible times.
type Tally [16]Share

// Count counts a row, and returns ok, which says whether its times can be.
func (y *Tally) Count(of trace.Content, ok bool) bool {
	y.Of(of).Count(!ok)
	return ok
}

// Of returns the share of one content with impossible times.
func (y *Tally) Of(of trace.Content) *Share { return &y[bits.TrailingZeros16(uint16(of))&15] }

// Report says which rows were left out for their times, and which contents are lost with them. api is what launches
// kernels, again what to do about the file.
func (y *Tally) Report(l *Losses, api, again string) {
	for _, of := range contents {
		n, name := y.Of(of), NameOf(of, api)
		if of.Beyond(n.Some, n.All) {
			l.Lack(of, TimesLost, name, n.Some, n.All, again)
		} else if n.Some > 0 {
			l.Warn("%d of %d %s were left out: their times cannot be", n.Some, n.All, name)
		}
	}
}

// TimesLost is why a content is lost whose times cannot be: the name of the content, how many of
// its rows, of how many, and what to do about it.
const TimesLost = "times of %s: %d of %d have none that can be (%s)"
