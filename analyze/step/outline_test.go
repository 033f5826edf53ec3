package step

import (
	"errors"
	"fmt"
	"reflect"
	"regexp"
	"slices"
	"testing"

	"perfdiff/analyze/run"
	"perfdiff/analyze/trace"
)

// inPieces hands over the device work of t backwards, in pieces of four.
func inPieces(device []trace.Span) ReadWork {
	return func(add func([]trace.Span)) error {
		for piece := range slices.Chunk(device, 4) {
			piece = slices.Clone(piece)
			slices.Reverse(piece)
			add(piece)
		}
		return nil
	}
}

// TestOutlined: steps that ranges mark are the same whether the device work is in memory or
// handed over in pieces; where only the work marks steps, nothing is found.
func TestOutlined(t *testing.T) {
	steps := func(i int) string { return fmt.Sprintf("step %d", i) }
	partial := tail(loop(8, steps), 8)
	for i := range partial.Ranges {
		partial.Ranges[i].End = partial.Ranges[i].Start + ms
	}
	two := tail(loop(12, steps), 12)
	for i := range int64(6) {
		name := two.Names.ID(fmt.Sprintf("iteration %d", i))
		two.Ranges = append(two.Ranges, trace.Range{Start: i * 20 * ms, End: i*20*ms + 20*ms, Name: name, Thread: 7})
	}
	for _, c := range []struct {
		name  string
		trace *trace.Trace
		opt   Options
		none  bool
	}{
		{"numbered", tail(loop(8, steps), 8), Options{}, false},
		{"the first skipped", tail(loop(8, steps), 8), Options{SkipFirst: -1}, false},
		{"the last cut", loop(8, steps), Options{}, false}, {"ranges around half of a step", partial, Options{}, false},
		{"the first of two markers", two, Options{}, false},
		{"the second of them", two, Options{Marker: run.Marker{Kind: run.MarkNumbered, Name: "iteration N"}}, false},
		{"one that is not there", two, Options{Marker: run.Marker{Kind: run.MarkNumbered, Name: "batch N"}}, true},
		{"named by the user", tail(loop(8, steps), 8), Options{Range: regexp.MustCompile(`^step (\d+)`)}, false},
		{"launches alone", loop(30, none), Options{}, true},
		{"a kernel named by the user", loop(30, none), Options{Kernel: regexp.MustCompile("gemm1")}, true},
	} {
		c.trace.Sort()
		whole, all := *c.trace, c.trace.Device
		want := Find(&whole, c.opt)
		last := all[len(all)-1]
		o := &trace.Outline{Device: trace.Interval{Start: all[0].Start, End: last.End}, LastStart: last.Start}
		got, ok, err := FindOutlined(c.trace, o, c.opt, inPieces(all))
		if err != nil || ok == c.none {
			t.Errorf("%s: got found %v, %v, want %v", c.name, ok, err, !c.none)
		}
		if ok && (!reflect.DeepEqual(got.Steps, want.Steps) || !reflect.DeepEqual(got.Receipt, want.Receipt)) {
			t.Errorf("%s: got %+v, %+v, want %+v, %+v", c.name, got.Steps, got.Receipt, want.Steps, want.Receipt)
		}
		if c.trace.Device != nil {
			t.Errorf("%s: the stand-in of the device work stayed", c.name)
		}
		c.trace.Device = all
	}
	tr := tail(loop(8, steps), 8)
	tr.Sort()
	broken := errors.New("a page that cannot be read")
	unread := func(func([]trace.Span)) error { return broken }
	if _, _, err := FindOutlined(tr, &trace.Outline{}, Options{}, unread); !errors.Is(err, broken) {
		t.Errorf("work that cannot be read: got %v, want %v", err, broken)
	}
}

// TestCopiesMarkNothing: copies repeat as evenly as kernels, and a job may copy nothing or
// twice as much in its next version: they mark no steps.
func TestCopiesMarkNothing(t *testing.T) {
	tr := loop(30, none)
	for i := range tr.Device {
		tr.Device[i].Kind = trace.Memcpy
	}
	tr.Sort()
	if got := Find(tr, Options{}).Receipt; got.Found != 0 || len(got.Candidates) != 0 {
		t.Errorf("copies alone: got %s, found %d, candidates %v", got.Marker, got.Found, got.Candidates)
	}
}
