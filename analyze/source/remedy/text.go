// Package remedy knows what to do, or to record, where a capture lacks something, in the words of
// each profiler: nobody is told of options that their profiler does not have.
package remedy

import (
	"slices"
	"strings"

	"perfdiff/analyze/trace"
)

// Text says one thing in the words of each profiler. All are parts of a sentence, or sentences
// without their full stop.
type Text struct {
	// General is for readers of whom it is not known what they record with, and for those of
	// Nsight Systems and PyTorch's profiler together.
	General string
	Nsight  string
	PyTorch string
	Rocprof string
	XLA     string
}

// Same returns a text that names nothing of a profiler.
func Same(text string) Text { return Text{text, text, text, text, text} }

// Of returns the text for one profiler; General if it is not known.
func (t Text) Of(p trace.Profiler) string {
	switch p {
	case trace.NsightSystems:
		return t.Nsight
	case trace.PyTorchProfiler:
		return t.PyTorch
	case trace.Rocprof:
		return t.Rocprof
	case trace.XLAProfiler:
		return t.XLA
	}
	return t.General
}

// IsGeneral reports whether General is the text for the users of these profilers: none is known, or they are Nsight
// Systems and PyTorch's profiler together.
func IsGeneral(in []trace.Profiler) bool {
	return len(in) == 0 || len(in) == 2 &&
		slices.Contains(in, trace.NsightSystems) && slices.Contains(in, trace.PyTorchProfiler)
}

// For returns the text for those who use the given profilers: if it differs between them, each with the name of its
// profiler after it.
func (t Text) For(in []trace.Profiler) string {
	if IsGeneral(in) {
		return t.General
	}
	if slices.ContainsFunc(in, func(p trace.Profiler) bool { return t.Of(p) != t.Of(in[0]) }) {
		return t.forEach(in)
	}
	return t.Of(in[0])
}

// forEach has the text of each profiler with its name, unless the text names it.
func (t Text) forEach(in []trace.Profiler) string {
	var texts []string
	for _, p := range in {
		switch text := t.Of(p); {
		case text == "":
		case strings.Contains(text, string(p)):
			texts = append(texts, text)
		default:
			texts = append(texts, text+" ("+string(p)+")")
		}
	}
	return strings.Join(texts, "; ")
}

// Then returns t followed by another text, profiler by profiler.
func (t Text) Then(next Text) Text {
	return Text{t.General + next.General, t.Nsight + next.Nsight, t.PyTorch + next.PyTorch,
		t.Rocprof + next.Rocprof, t.XLA + next.XLA}
}
