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

// options are what makes Nsight Systems record a topic, apart from what its --trace traces, and what the topic is
// called.
var options = []struct {
	topic      Topic
	name, nsys string
}{
	{Kernels, "kernels", ""},
	{ReadBytes, "bytes read", " --osrt-file-access=true"},
	{DeviceMemory, "device memory", " --cuda-memory-usage=true"},
	{NetworkPorts, "network ports", " --nic-metrics=true"},
	{GPUMetrics, "clocks, power and units of the GPU", " --gpu-metrics-devices=cuda-visible"},
}

// Together names what a capture lacks, and says what records all of it: one command where one profiler can.
func Together(lacks []Topic, in []trace.Profiler) string {
	var names []string
	command, own := "nsys profile --trace=cuda,nvtx,osrt", ""
	for _, o := range options {
		switch {
		case !slices.Contains(lacks, o.topic):
			continue
		case o.topic == Kernels:
			own += ", kernels with " + For(RecordKernels, in)
		case o.topic == DeviceMemory:
			own += ", device memory with " + For(RecordMemory, in)
		}
		names, command = append(names, o.name), command+o.nsys
	}
	text := "Not on both sides: " + strings.Join(names, ", ") + "."
	if IsGeneral(in) || slices.Contains(in, trace.NsightSystems) {
		return text + " One command records all of it: `" + command + "`."
	}
	switch {
	case own == "" && !slices.Contains(in, trace.PyTorchProfiler):
		text += " " + For(RecordBytes, in) + "."
	case own == "":
	case strings.Count(own, ",") < len(names):
		text += " Record" + own[1:] + "; it cannot record the rest."
	default:
		text += " Record" + own[1:] + "."
	}
	if slices.Contains(in, trace.PyTorchProfiler) {
		text += " Nsight Systems records all of it: `" + command + "`."
	}
	return text
}
