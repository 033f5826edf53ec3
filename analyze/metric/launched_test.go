package metric

import (
	"slices"
	"testing"

	"perfdiff/analyze/run"
	"perfdiff/analyze/trace"
)

// TestFrameKindOf: names tell a phase by a word of their own, and operators by autograd's frame alone.
func TestFrameKindOf(t *testing.T) {
	for name, want := range map[string]frameKind{
		"forward": frameForward, "fwd": frameForward, "Forward pass 3": frameForward, "forward microbatch 2": frameForward,
		"[pl][profile][Strategy]DDPStrategy.backward": frameBackward, "bwd_microstep": frameBackward,
		"Optimizer.step#AdamW.step": frameOptimizer, "optimizer_step": frameOptimizer, "Optimizer.zero_grad#SGD.zero_grad": frameOptimizer,
		"forward-backward": framePlain, "forwarding": framePlain, "step 12": framePlain, "opt-1.3b": framePlain, "fast path": framePlain,
		"aten::convolution_backward": framePlain, "aten::mm, op_id = 3": framePlain,
		"autograd::engine::evaluate_function: MmBackward0": frameAutograd, "MmBackward0, seq = 12": frameAutograd, "MulBackward": frameAutograd,
		"nn.Module: Linear_3": frameModule, "Backward": frameBackward, "BackwardHook": framePlain,
	} {
		if got := frameKindOf(name); got != want {
			t.Errorf("%q: got %d, want %d", name, got, want)
		}
	}
}

func launched(phase run.Phase, in, kernel string, ns, launches int64) run.LaunchedRow {
	return run.LaunchedRow{Phase: phase, In: in, Kernel: kernel, Time: ns, Launches: launches}
}

// launchTrace is a trace in which launches are added.
type launchTrace struct{ *trace.Trace }

func newLaunchTrace() *launchTrace {
	return &launchTrace{&trace.Trace{Names: trace.NewNames(), Messages: &trace.Messages{}, Recorded: trace.HasDevice | trace.HasLaunches}}
}

func (x *launchTrace) launch(thread int32, at, start, end int64, kernel string) {
	x.API = append(x.API, x.Names.Call(at, at+1, x.Names.ID("cudaLaunchKernel"), thread))
	id := x.Names.ID(kernel)
	s := trace.Span{Start: start, End: end, Launch: at, Name: id}
	x.Messages.Kernel(&s, x.Names)
	x.Device = append(x.Device, s)
}

func (x *launchTrace) frame(list *[]trace.Range, thread int32, start, end int64, name string) {
	*list = append(*list, trace.Range{Start: start, End: end, Name: x.Names.ID(name), Thread: thread})
}

// launched measures the steps of a trace.
func (x *launchTrace) launched(steps ...trace.Step) *run.Launched {
	x.Sort()
	r := Prepare(x.Trace, 1)
	r.Measure(steps)
	r.Projected(steps)
	return r.Launched()
}

// TestLaunched: the thread of a launch says in what it lies: modules before operators, the innermost
// first; autograd's threads are the backward pass also where modules run again in it; the step's
// marker is no place; and no time of a kernel is lost.
func TestLaunched(t *testing.T) {
	x := newLaunchTrace()
	x.frame(&x.Ranges, 1, 0, 1000, "ProfilerStep#4")
	x.frame(&x.Ops, 1, 10, 100, "nn.Module: Net_0")
	x.frame(&x.Ops, 1, 20, 60, "nn.Module: Linear_7")
	x.frame(&x.Ops, 1, 30, 50, "aten::linear")
	x.launch(1, 40, 2000, 2100, "gemm")
	x.launch(1, 70, 2100, 2150, "relu")
	x.frame(&x.Ops, 1, 110, 140, "aten::mse_loss")
	x.Ranges = append(x.Ranges, trace.Range{Start: 115, End: 130, Name: x.Names.ID("ncclAllReduce"), Thread: 1, Domain: x.Names.ID("NCCL")}) // a library's
	x.launch(1, 120, 2150, 2160, "loss")
	x.launch(1, 150, 2160, 2165, "fill") // in nothing
	x.frame(&x.Ops, 2, 200, 300, "autograd::engine::evaluate_function: CheckpointFunctionBackward")
	x.frame(&x.Ops, 2, 210, 250, "nn.Module: Linear_7") // runs again
	x.launch(2, 220, 2200, 2300, "gemm")
	x.launch(2, 260, 2300, 2500, "gemm")
	x.frame(&x.Ranges, 1, 400, 500, "Optimizer.step#AdamW.step")
	x.frame(&x.Ops, 1, 410, 450, "aten::_fused_adamw_")
	x.launch(1, 420, 2600, 2700, "adam")
	x.launch(3, 430, 2700, 2710, "fill") // a thread without any range
	got := x.launched(trace.Step{Number: 4, Start: 2000, End: 3000, HostStart: 0, HostEnd: 1000})
	want := []run.LaunchedRow{
		launched(run.Backward, "CheckpointFunctionBackward", "gemm", 200, 1), launched(run.Optimizer, "aten::_fused_adamw_", "adam", 100, 1),
		launched(run.Backward, "Linear", "gemm", 100, 1), launched(run.Forward, "Linear", "gemm", 100, 1), launched(run.Forward, "Net", "relu", 50, 1),
		launched("", "", "fill", 15, 2), launched("", "aten::mse_loss", "loss", 10, 1),
	}
	if got == nil || got.Steps != 1 || !slices.Equal(got.Rows, want) {
		t.Errorf("got %+v\nwant %+v", got, want)
	}
}

// TestLaunchedByMarker: where a launch marks steps, it lies in ranges that began before; ranges that
// hold a step are no places in it; and numbers that come back in no other step are no names.
func TestLaunchedByMarker(t *testing.T) {
	x := newLaunchTrace()
	x.frame(&x.Ranges, 1, 0, 10_000, "epoch 3")
	var steps []trace.Step
	for k := range int64(4) {
		at := 1000 * (k + 1)
		x.frame(&x.Ranges, 1, at-20, at+20, "optimizer")
		x.launch(1, at, 100_000+at, 100_100+at, "adam")
		x.frame(&x.Ranges, 1, at+100, at+400, "forward")
		x.frame(&x.Ranges, 1, at+110, at+300, "layer 2 of 4")
		x.launch(1, at+200, 100_200+at, 100_250+at, "gemm")
		x.frame(&x.Ranges, 1, at+310, at+390, []string{"batch 17, a", "batch 21, a", "batch 23, a", "batch 88, a"}[k])
		x.launch(1, at+320, 100_300+at, 100_330+at, "gemm")
		steps = append(steps, trace.Step{Number: k, Start: 100_000 + at, End: 101_000 + at, HostStart: at, HostEnd: at + 1000})
	}
	got := x.launched(steps...)
	want := []run.LaunchedRow{launched(run.Optimizer, "", "adam", 400, 4), launched(run.Forward, "layer 2 of 4", "gemm", 200, 4), launched(run.Forward, "batch N, a", "gemm", 120, 4)}
	if got == nil || got.Steps != 4 || !slices.Equal(got.Rows, want) {
		t.Errorf("got %+v\nwant %+v", got, want)
	}
}

// TestLaunchedNotKnown: without ranges or launches nothing is said.
func TestLaunchedNotKnown(t *testing.T) {
	step := trace.Step{Start: 2000, End: 3000, HostStart: 0, HostEnd: 1000}
	x := newLaunchTrace()
	x.launch(1, 40, 2000, 2100, "gemm")
	if got := x.launched(step); got != nil {
		t.Errorf("no range: got %+v", got)
	}
	x.frame(&x.Ranges, 1, 0, 1000, "step 1")
	if got := x.launched(step); got != nil {
		t.Errorf("the step's marker alone: got %+v", got)
	}
	x.frame(&x.Ranges, 1, 30, 50, "forward")
	x.Recorded &^= trace.HasLaunches
	if got := x.launched(step); got != nil {
		t.Errorf("launches were not recorded: got %+v", got)
	}
}

// TestLaunchedInBackward: what other threads launch while the step's thread is in its backward pass is
// of it, since that call waits for them; while it is in its forward pass they may do anything.
func TestLaunchedInBackward(t *testing.T) {
	x := newLaunchTrace()
	x.frame(&x.Ranges, 1, 100, 200, "forward")
	x.frame(&x.Ranges, 1, 300, 600, "backward")
	x.launch(2, 150, 2000, 2010, "augment")
	x.launch(2, 250, 2010, 2030, "augment")
	x.launch(2, 400, 2100, 2400, "dgrad")
	x.launch(2, 700, 2400, 2440, "late")
	got := x.launched(trace.Step{Start: 2000, End: 3000, HostStart: 0, HostEnd: 1000})
	want := []run.LaunchedRow{launched(run.Backward, "", "dgrad", 300, 1), launched("", "", "late", 40, 1), launched("", "", "augment", 30, 2)}
	if got == nil || !slices.Equal(got.Rows, want) {
		t.Errorf("got %+v\nwant %+v", got, want)
	}
}
