package analyze

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"perfdiff/analyze/trace"
)

// TestPartsOfVarious: nor does it matter what is in such traces.
func TestPartsOfVarious(t *testing.T) {
	for seed := range uint64(32) {
		variousAlike(t, seed)
	}
}

// FuzzPartsOfVarious is that of any seed.
func FuzzPartsOfVarious(f *testing.F) {
	f.Add(uint64(14)) // times before 0
	f.Fuzz(func(t *testing.T, seed uint64) { variousAlike(t, seed) })
}

func variousAlike(t *testing.T, seed uint64) {
	t.Helper()
	of := func() *trace.Trace { return various(seed) }
	alike(t, fmt.Sprint("various, seed ", seed), Options{}, of, func() (partedProfile, int) { return newInMemory(of()), 0 })
}

// various is a trace of chance with some of what only few traces have.
func various(seed uint64) *trace.Trace {
	t, r := chance(seed), rand.New(rand.NewPCG(seed, 2))
	for _, change := range []func(*trace.Trace, *rand.Rand){withOtherWork, withWaits, withFrames, withTies, withPauses, withEarlierTimes} {
		if r.IntN(2) == 0 {
			change(t, r)
		}
	}
	t.Sort()
	return t
}

// TestTimesBeforeZero: nothing depends on the time from which times are counted.
func TestTimesBeforeZero(t *testing.T) {
	for seed := range uint64(4) {
		moved := chance(seed)
		withEarlierTimes(moved, rand.New(rand.NewPCG(seed, 3)))
		got, want := measure(moved, Options{}, 1, nobody.together).rank, measure(chance(seed), Options{}, 1, nobody.together).rank
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
			s.Kind, s.Class, s.Copy = trace.Graph, trace.ClassUnknown, 0
			s.SetBytes(0)
			t.Recorded |= trace.HasGraphs
		case 1:
			s.Kind, s.Class, s.Copy = trace.Memset, trace.Memory, 0
			s.SetBytes(4096)
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
