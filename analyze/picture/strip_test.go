package picture

import (
	"fmt"
	"reflect"
	"testing"

	"perfdiff/analyze/run"
	"perfdiff/analyze/trace"
)

// drawnStep is a step from 1,000 to 2,000 with two streams, three threads and an operator.
func drawnStep() (*trace.Trace, trace.Step) {
	tr := &trace.Trace{Names: trace.NewNames(), Recorded: trace.HasDevice}
	id := tr.Names.ID
	tr.Device = []trace.Span{
		{Start: 1000, End: 1100, Launch: 900, Name: id("gemm"), Kind: trace.Kernel, Class: trace.Compute, Stream: 20},
		{Start: 1200, End: 2100, Launch: trace.NoTime, Name: id("reduce"), Kind: trace.Kernel, Class: trace.Comm, Stream: 7},
		{Start: 1300, End: 1400, Launch: 1350, Name: id("gemm"), Kind: trace.Kernel, Class: trace.Compute, Stream: 20}, // a clock that is off
	}
	tr.Ranges = []trace.Range{{Start: 1000, End: 1900, Name: id("step 3"), Thread: 5}, {Start: 1010, End: 1500, Name: id("forward"), Thread: 5}, {Start: 1100, End: 1200, Name: id("read"), Thread: 4}}
	tr.Ops = []trace.Range{{Start: 1020, End: 1030, Name: id("aten::mm"), Thread: 5}}
	tr.Threads = map[int32]string{4: "loader_3", 7: "of no stream"}
	tr.Sort()
	return tr, trace.Step{Number: 3, Start: 1000, End: 2000, HostStart: 1000, HostEnd: 1900}
}

// TestCutKnowsWhere: bars have their stream or thread, the thread of the steps first, and when
// they were launched where that is recorded; marks of steps are no bars, operators are.
func TestCutKnowsWhere(t *testing.T) {
	tr, st := drawnStep()
	p := NewPainter(tr, 5, 100, []trace.Step{st}, func(x *trace.Span) string { return tr.Names.Text(x.Name) })
	c := p.Cut(st)
	s := c.Strip()
	tidyTracks(&s)
	if want := []run.Track{{Host: true, Steps: true, ID: 5}, {Host: true, ID: 4, Name: "loader_3"}, {ID: 7}, {ID: 20}}; !reflect.DeepEqual(s.Tracks, want) {
		t.Errorf("got the tracks %+v, want %+v", s.Tracks, want)
	}
	var got []string
	for _, x := range s.Spans {
		got = append(got, fmt.Sprintf("%s %d-%d on %d, ahead %d", s.Names[x.Name], x.Start, x.End, x.Track, x.Ahead))
	}
	want := []string{"gemm 0-100 on 4, ahead 100", "gemm 300-400 on 4, ahead 0", "reduce 200-1000 on 3, ahead 0",
		"forward 10-500 on 1, ahead 0", "aten::mm 20-30 on 1, ahead 0", "read 100-200 on 2, ahead 0"}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
}

// TestManyTracks: of a file with very many streams a strip has few tracks.
func TestManyTracks(t *testing.T) {
	tr, st := drawnStep()
	for i := range int32(5000) {
		tr.Device = append(tr.Device, trace.Span{Start: 1400 + int64(i)%500, End: 1950, Launch: trace.NoTime, Name: tr.Names.ID("k"), Kind: trace.Kernel, Class: trace.Compute, Stream: 100 + i})
	}
	tr.Sort()
	c := NewPainter(tr, 5, 10_000, []trace.Step{st}, func(x *trace.Span) string { return "k" }).Cut(st)
	s := c.Strip()
	tidyTracks(&s)
	if n := len(s.Tracks); n > run.MaxTracks || n < run.MaxTracks/2 || !s.Tracks[n-1].Others {
		t.Errorf("got %d tracks, the last %+v", n, s.Tracks[n-1])
	}
	for _, x := range s.Spans {
		if x.Track < 1 || int(x.Track) > len(s.Tracks) {
			t.Fatalf("a bar on track %d of %d", x.Track, len(s.Tracks))
		}
	}
}

// TestMillionBars: of a step with very many bars a strip has those that it would have if all had
// been held until its end.
func TestMillionBars(t *testing.T) {
	tr, st := drawnStep()
	tr.Device = nil
	st.End = 1000 + 100*20_000
	for i := range int64(20_000) {
		tr.Device = append(tr.Device, trace.Span{Start: 1000 + 100*i, End: 1000 + 100*i + 1 + i*i%97, Launch: trace.NoTime, Name: tr.Names.ID(fmt.Sprint("k", i%50)), Kind: trace.Kernel, Class: trace.Class(i % 4), Stream: 7})
	}
	for i := range int64(700) { // some are as short as kernels, and some as long as none
		tr.Ranges = append(tr.Ranges, trace.Range{Start: 1000 + 2000*i, End: 1000 + 2000*i + 1 + i*i%811, Name: tr.Names.ID(fmt.Sprint("of its own ", i)), Thread: 5})
	}
	tr.Sort()
	name := func(x *trace.Span) string { return tr.Names.Text(x.Name) }
	of := func(most int) run.Strip {
		p := NewPainter(tr, 5, most, []trace.Step{st}, name)
		c := p.Cut(st)
		again := p.Cut(st) // nothing is left of the first
		if !sameStrip(c.Strip(), again.Strip()) {
			t.Errorf("%d bars: another strip when drawn again", most)
		}
		s := c.Strip()
		tidyTracks(&s) // those without bars may differ
		return s
	}
	all := of(100_000)
	for _, most := range []int{1, 60, 2000} {
		want := new(barChooser).longest(all, most)
		tidyTracks(&want)
		if got := of(most); !sameStrip(got, want) {
			t.Errorf("%d bars: got %d of them with %d names and %d left out, want %d, %d and %d, or in another order", most,
				len(got.Spans), len(got.Names), got.Omitted, len(want.Spans), len(want.Names), want.Omitted)
		}
	}
}
