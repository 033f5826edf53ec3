package build

import (
	"testing"

	"perfdiff/analyze/trace"
)

// TestUnanswered: launches count between the first and the last that have device work, and
// not while a graph is captured.
func TestUnanswered(t *testing.T) {
	const k, c, begin, end = LaunchesKernel, LaunchesCopy, BeginsCapture, EndsCapture
	call := func(at int64, as Launch, answered bool) Launched {
		return Launched{Start: at, As: as, Answered: answered}
	}
	other := func(at int64, as Launch, answered bool) Launched { return Launched{at, 1, as, answered} }
	for _, x := range []struct {
		name            string
		calls           []Launched
		kernels, copies Share
	}{
		{"none", nil, Share{}, Share{}},
		{"all", []Launched{call(1, k, true), call(2, c, true), call(3, k, true)}, Share{0, 2}, Share{0, 1}},
		{"one in the middle", []Launched{call(1, k, true), call(2, k, false), call(3, k, true)}, Share{1, 3}, Share{}},
		{"in any order", []Launched{call(3, k, true), call(2, k, false), call(1, k, true)}, Share{1, 3}, Share{}},
		{"before and behind", []Launched{call(1, k, false), call(2, k, true), call(3, k, false)}, Share{0, 1}, Share{}},
		{"copies between kernels", []Launched{call(1, k, true), call(2, c, false), call(3, c, false), call(4, k, true)}, Share{0, 2}, Share{2, 2}},
		{"a capture", []Launched{call(1, k, true), call(2, begin, false), call(3, k, false), call(4, end, false), call(5, k, false), call(6, k, true)}, Share{1, 3}, Share{}},
		{"of another thread", []Launched{call(1, k, true), other(2, begin, false), call(3, k, false), other(4, k, false), call(5, k, true)}, Share{1, 3}, Share{}},
		{"nothing that has any", []Launched{call(1, k, false), call(2, k, false)}, Share{}, Share{}},
	} {
		if kernels, copies := Unanswered(x.calls); kernels != x.kernels || copies != x.copies {
			t.Errorf("%s: got %v and %v, want %v and %v", x.name, kernels, copies, x.kernels, x.copies)
		}
		var one Answers // call by call, which now are in order
		for i := range x.calls {
			one.Add(x.calls[i : i+1])
		}
		if kernels, copies := one.Unanswered(); kernels != x.kernels || copies != x.copies {
			t.Errorf("%s, one by one: got %v and %v, want %v and %v", x.name, kernels, copies, x.kernels, x.copies)
		}
	}
}

func TestLaunchOf(t *testing.T) {
	for call, want := range map[string]Launch{
		"cudaLaunchKernel_v7000": LaunchesKernel, "cuLaunchKernelEx": LaunchesKernel, "hipExtModuleLaunchKernel": LaunchesKernel, "cudaGraphLaunch_v10000": LaunchesKernel,
		"cudaLaunchHostFunc_v10000": LaunchesNothing, "cudaMemcpyAsync_v3020": LaunchesCopy, "cuMemcpyHtoDAsync_v2": LaunchesCopy, "cudaMemsetAsync": LaunchesNothing,
		"cudaStreamBeginCapture_v10000": BeginsCapture, "cudaStreamEndCapture": EndsCapture, "cudaStreamGetCaptureInfo_v2": LaunchesNothing, "cudaEventRecord": LaunchesNothing,
	} {
		if got := LaunchOf(call); got != want {
			t.Errorf("%s: got %d, want %d", call, got, want)
		}
	}
}

// TestUnlaunched counts between the first and the last launch that is known.
func TestUnlaunched(t *testing.T) {
	x := &trace.Trace{}
	for i, launch := range []int64{trace.NoTime, 1, trace.NoTime, trace.NoTime, 2, trace.NoTime} {
		x.Device = append(x.Device, trace.Span{Start: int64(i), Launch: launch})
	}
	var one Unlaunched
	for i := range x.Device {
		one.Add(x.Device[i : i+1])
	}
	if got, want := UnlaunchedIn(x), (Share{2, 4}); got != want || one.Share != want {
		t.Errorf("got %v, one by one %v, want %v", got, one.Share, want)
	}
}
