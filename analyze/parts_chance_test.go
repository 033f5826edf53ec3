package analyze

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"perfdiff/analyze/trace"
)

// TestPartsOfChance: traces without any order in them give the same in parts.
func TestPartsOfChance(t *testing.T) {
	for seed := range uint64(56) {
		chanceAlike(t, seed, seed%2 == 1)
	}
}

// FuzzPartsOfChance is TestPartsOfChance with any seeds. It begins with those of traces that once
// were measured otherwise in parts.
func FuzzPartsOfChance(f *testing.F) {
	for _, seed := range []uint64{ // work behind the last step of a part was forgotten
		75, 98, 118, 121, 127, 151, 166, 167, 184, 235, 381, 389, 450, 577} {
		f.Add(seed, false)
	}
	for _, seed := range []uint64{332, 563} { // clocks that disagree were not told
		f.Add(seed, false)
	}
	f.Fuzz(func(t *testing.T, seed uint64, various bool) { chanceAlike(t, seed, various) })
}

func chanceAlike(t *testing.T, seed uint64, various bool) {
	t.Helper()
	of := func() *trace.Trace {
		c := chance(seed)
		if various {
			vary(c, seed)
		}
		return c
	}
	alike(t, fmt.Sprintf("seed %d, various: %v", seed, various), Options{}, of, func() (partedProfile, int) { return newInMemory(of()), 0 })
}

// chance is a trace in which nearly everything overlaps.
func chance(seed uint64) *trace.Trace {
	r := rand.New(rand.NewPCG(seed, 1))
	t := &trace.Trace{File: "chance.sqlite", Format: "nsys sqlite", Names: trace.NewNames(), Epoch: trace.NoTime}
	t.Recorded = trace.HasDevice | trace.HasLaunches | trace.HasRanges | trace.HasOS | trace.HasMemcpyBytes | trace.HasFileBytes
	name := func(of ...string) trace.NameID { return t.Names.ID(of[r.IntN(len(of))]) }
	const us, steps = 1000, 24
	length := func() int64 { // most are short, some last for steps
		return int64(1+r.IntN(9)) * us * []int64{1, 1, 1, 1, 10, 10, 100, 1000}[r.IntN(8)]
	}
	period := int64(200+r.IntN(3000)) * us
	for i := range int64(steps) {
		at := i * period
		t.Ranges = append(t.Ranges, trace.Range{Start: at, End: at + period - us, Name: t.Names.ID(fmt.Sprint("step ", i)), Thread: 1})
		for range r.IntN([]int{300, 30, 5}[seed%3]) {
			launch := at + r.Int64N(period)
			start := launch + int64(r.IntN(3))*length()
			s := trace.Span{Start: start, End: start + length(), Launch: launch, Stream: int32(r.IntN(4)), Kind: trace.Kernel,
				Name: name("gemm", "relu", "ncclDevKernel_AllReduce_Sum_f32_RING_LL", "softmax", "layer_norm")}
			if s.Class, s.Coll = t.Names.Kernel(s.Name); r.IntN(5) == 0 {
				s.Kind, s.Class, s.Coll = trace.Memcpy, trace.Memory, 0
				s.Copy, s.Bytes = trace.CopyKind(1+r.IntN(2)), int64(r.IntN(1e6))
			}
			t.Device = append(t.Device, s)
			if r.IntN(20) == 0 {
				t.Device = append(t.Device, s) // twice
			}
			end, thread := launch+length(), int32(1+r.IntN(3))
			t.API = append(t.API, t.Names.Call(launch, end,
				name("cudaLaunchKernel", "cudaMemcpyAsync", "cudaFree", "cudaStreamSynchronize", "cudaGetDevice"), thread))
		}
		for range r.IntN(200) {
			start := at + r.Int64N(period)
			end, thread := start+length(), int32(1+r.IntN(4))
			t.OS = append(t.OS, t.Names.Call(start, end, name("read", "pthread_cond_wait", "poll", "ioctl"), thread))
		}
		for range r.IntN(20) {
			start := at + r.Int64N(period)
			t.Ranges = append(t.Ranges, trace.Range{Start: start, End: start + length(),
				Name: name("forward", "backward", "optimizer"), Thread: int32(1 + r.IntN(2))})
			t.Access = append(t.Access, trace.FileAccess{Start: start, End: start + length(),
				Bytes: 1 << 17, Thread: int32(1 + r.IntN(4)), Op: trace.OpRead})
		}
	}
	t.Capture = trace.Interval{Start: -us, End: (steps + 10) * period}
	t.Sort()
	return t
}

// vary puts into a trace of chance some of what only few traces have.
func vary(t *trace.Trace, seed uint64) {
	r := rand.New(rand.NewPCG(seed, 2))
	for _, change := range []func(*trace.Trace, *rand.Rand){withOtherWork, withWaits, withFrames, withTies, withPauses, withEarlierTimes} {
		if r.IntN(2) == 0 {
			change(t, r)
		}
	}
	t.Sort()
}

// TestTimesBeforeZero: nothing depends on the time from which times are counted.
func TestTimesBeforeZero(t *testing.T) {
	for seed := range uint64(4) {
		moved := chance(seed)
		withEarlierTimes(moved, rand.New(rand.NewPCG(seed, 3)))
		got, want := measure(moved, Options{}, 1).rank, measure(chance(seed), Options{}, 1).rank
		if a, b := fmt.Sprintf("%+v", got.Series), fmt.Sprintf("%+v", want.Series); a != b || got.Series == nil {
			t.Errorf("seed %d: got %.1000s, want %.1000s", seed, a, b)
		}
		if a, b := fmt.Sprintf("%+v", *got.Whole), fmt.Sprintf("%+v", *want.Whole); a != b {
			t.Errorf("seed %d: in the whole capture: got %.1000s, want %.1000s", seed, a, b)
		}
	}
}

// withOtherWork adds replays, sets, work of no length and work whose launch is not known.
func withOtherWork(t *trace.Trace, r *rand.Rand) {
	for i := range t.Device {
		switch s := &t.Device[i]; r.IntN(30) {
		case 0:
			s.Kind, s.Class, s.Coll, s.Copy, s.Bytes = trace.Graph, trace.ClassUnknown, 0, 0, 0
			t.Recorded |= trace.HasGraphs
		case 1:
			s.Kind, s.Class, s.Coll, s.Copy, s.Bytes = trace.Memset, trace.Memory, 0, 0, 4096
		case 2:
			s.End = s.Start
		case 3:
			s.Launch = trace.NoTime
		case 4:
			s.Launch = t.Device[max(0, i-1)].Launch // as kernels of one replay
		}
	}
}

// withWaits tells which streams wait for which.
func withWaits(t *trace.Trace, r *rand.Rand) {
	for i := range t.Device {
		if s := &t.Device[i]; r.IntN(4) == 0 && s.Launch != trace.NoTime {
			t.Waits = append(t.Waits, trace.StreamWait{At: s.Launch - 100, Stream: s.Stream, On: int32(r.IntN(4)), Recorded: s.Launch - 200})
		}
	}
}

// withFrames adds operators, modules and functions, and ranges without an end.
func withFrames(t *trace.Trace, r *rand.Rand) {
	t.Recorded |= trace.HasOperators | trace.HasFunctions
	for _, x := range t.Ranges {
		end := x.Start + 1 + r.Int64N(x.End-x.Start)
		switch r.IntN(4) {
		case 0:
			x.Name, x.End = t.Names.ID([]string{"aten::mm", "nn.Module: Linear_0", "autograd::engine::evaluate_function: MmBackward0"}[r.IntN(3)]), end
			t.Ops = append(t.Ops, x)
		case 1:
			x.Name, x.End = t.Names.ID("train.py(12): loss"), end
			t.Functions = append(t.Functions, x)
		}
	}
	for i := range t.Ranges {
		if x := &t.Ranges[i]; r.IntN(40) == 0 && t.Names.Text(x.Name) == "forward" {
			x.Open, x.End = true, t.Capture.End
		}
	}
}

// withTies makes times whole, so that many are the same.
func withTies(t *trace.Trace, r *rand.Rand) {
	const tick = 50_000
	whole := func(at *int64) {
		if *at != trace.NoTime {
			*at -= *at % tick
		}
	}
	for i := range t.Device {
		s := &t.Device[i]
		whole(&s.Start)
		whole(&s.End)
		whole(&s.Launch)
	}
	for _, list := range [][]trace.Call{t.API, t.OS} {
		for i := range list {
			end := list[i].End()
			whole(&list[i].Start)
			whole(&end)
			by := t.Names.Caller(list[i])
			list[i] = t.Names.Call(list[i].Start, end, by.Name, by.Thread)
		}
	}
}

// withPauses removes all work that starts in some stretches of time.
func withPauses(t *trace.Trace, r *rand.Rand) {
	length, from := t.Capture.End/12, r.Int64N(3)
	kept := t.Device[:0]
	for _, s := range t.Device {
		if s.Start/length%3 != from {
			kept = append(kept, s)
		}
	}
	t.Device = kept
}

// withEarlierTimes moves all of the trace to before the time from which it is counted.
func withEarlierTimes(t *trace.Trace, r *rand.Rand) {
	by := r.Int64N(2 * t.Capture.End)
	move := func(start, end *int64) { *start, *end = *start-by, *end-by }
	for i := range t.Device {
		s := &t.Device[i]
		move(&s.Start, &s.End)
		if s.Launch != trace.NoTime {
			s.Launch -= by
		}
	}
	for _, list := range [][]trace.Range{t.Ranges, t.Ops, t.Functions} {
		for i := range list {
			move(&list[i].Start, &list[i].End)
		}
	}
	for i := range t.Access {
		move(&t.Access[i].Start, &t.Access[i].End)
	}
	for i := range t.Waits {
		move(&t.Waits[i].At, &t.Waits[i].Recorded)
	}
	for _, list := range [][]trace.Call{t.API, t.OS} {
		for i := range list {
			by, end := t.Names.Caller(list[i]), list[i].End()-by
			list[i] = t.Names.Call(list[i].Start-(list[i].End()-end), end, by.Name, by.Thread)
		}
	}
	move(&t.Capture.Start, &t.Capture.End)
}
