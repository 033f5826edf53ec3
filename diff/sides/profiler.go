package sides

import (
	"perfdiff/analyze/run"
	"perfdiff/analyze/trace"
)

// Profilers are what the captures of a comparison were recorded with, so that advice names
// options that their profiler has. The zero value: not known.
type Profilers struct{ Nsight, PyTorch bool }

// ProfilersOf are those of the files that were read.
func ProfilersOf(sets ...*run.Set) (out Profilers) {
	for _, set := range sets {
		for _, f := range set.Files {
			out.Nsight = out.Nsight || f.Err == "" && f.Profiler == trace.NsightSystems
			out.PyTorch = out.PyTorch || f.Err == "" && f.Profiler == trace.PyTorchProfiler
		}
	}
	return out
}

// Either is a text for the profiler in use: nsight or pytorch, which are sentences or
// parts of one, and both of them where both are in use, or neither is: another profiler's
// users read what the two can do that are described.
func (p Profilers) Either(nsight, pytorch, both string) string {
	switch {
	case p.Nsight == p.PyTorch:
		return both
	case p.PyTorch:
		return pytorch
	}
	return nsight
}
