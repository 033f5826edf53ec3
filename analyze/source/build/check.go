package build

import (
	"slices"

	"perfdiff/analyze/trace"
)

// Check looks for device work and launches that a trace must have had and does not hold.
type Check struct {
	Again      string // what to do about a file that lost something
	NoKernels  string // what to say where the device worked and there is no kernel, as it goes on behind "lacks"
	NoLaunches string // likewise where no launch of any device work is known
}

// All does all checks of a sorted trace. kernels are the launches without a kernel.
func (c Check) All(t *trace.Trace, kernels Share) {
	if len(t.Device) == 0 {
		return
	}
	c.Kernels(t)
	if trace.Kernels.Beyond(kernels.Some, kernels.All) {
		Lack(t, trace.Kernels, "a kernel for each launch: %d of %d have none (%s)", kernels.Some, kernels.All, c.Again)
	}
	c.Times(t)
	c.Launches(t, func() Share { return UnlaunchedIn(t) })
}

// Kernels looks for device work without any kernel: nothing copies for its own sake.
func (c Check) Kernels(t *trace.Trace) {
	if len(t.Device) > 0 && !slices.ContainsFunc(t.Device, IsKernel) {
		Lack(t, trace.Kernels|trace.Kinds, "%s", c.NoKernels)
	}
}

// IsKernel reports whether a span is a kernel or the replay of a graph of them.
func IsKernel(s trace.Span) bool { return s.Kind == trace.Kernel || s.Kind == trace.Graph }

// Times looks for kernels that last longer than they can.
func (c Check) Times(t *trace.Trace) {
	if why := EnclosingLost(t, c.Again); why != "" {
		Lack(t, trace.Kernels, "%s", why)
	}
}

// Launches looks for device work whose launch is not known. unlaunched counts it. It returns whether
// any launch is known.
func (c Check) Launches(t *trace.Trace, unlaunched func() Share) (known bool) {
	if !t.Recorded.Has(trace.HasLaunches) {
		Warn(t, "lacks %s", c.NoLaunches)
		return false
	}
	if x := unlaunched(); trace.Calls.Beyond(x.Some, x.All) {
		Lack(t, trace.Calls, "the calls that launch: %d of %d kernels, copies and sets have none (%s)", x.Some, x.All, c.Again)
	}
	return true
}
