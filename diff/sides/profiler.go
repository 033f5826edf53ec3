package sides

import (
	"strings"

	"perfdiff/analyze/run"
)

// Profilers are what the captures of a comparison were recorded with, so that advice
// names options that their profiler has. The zero value: not known.
type Profilers struct{ Nsight, PyTorch bool }

// ProfilersOf are those of the files that were read.
func ProfilersOf(sets ...*run.Set) (out Profilers) {
	for _, set := range sets {
		for _, f := range set.Files {
			if f.Err != "" {
				continue
			}
			out.Nsight = out.Nsight || strings.HasPrefix(f.Format, "nsys")
			out.PyTorch = out.PyTorch || strings.HasPrefix(f.Format, "kineto")
		}
	}
	return out
}

// Either is a text for the profiler in use: nsight or pytorch, which are sentences or
// parts of one, and both of them where both profilers are in use or none is known.
func (p Profilers) Either(nsight, pytorch, both string) string {
	switch {
	case p.Nsight == p.PyTorch:
		return both
	case p.PyTorch:
		return pytorch
	}
	return nsight
}
