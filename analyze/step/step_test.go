package step

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
	"testing"

	"perfdiff/analyze/trace"
)

const ms = 1_000_000

// loop is a training loop of n steps of 10 ms whose device work runs 3 ms
// behind the host; name gives a step's range its name, "" for none.
func loop(n int, name func(i int) string) *trace.Trace {
	t := &trace.Trace{File: "a.sqlite", Names: trace.NewNames(), Recorded: trace.HasDevice | trace.HasLaunches | trace.HasRanges}
	for i := range int64(n) {
		at := i * 10 * ms
		if s := name(int(i)); s != "" {
			t.Ranges = append(t.Ranges, trace.Range{Start: at, End: at + 9*ms, Name: t.Names.ID(s), Thread: 7})
		}
		for k := range int64(3) {
			launch := at + k*ms
			t.Device = append(t.Device, kernel(t, fmt.Sprintf("gemm%d", k), launch, launch+3*ms, launch+4*ms))
		}
	}
	return t
}

func kernel(t *trace.Trace, name string, launch, start, end int64) trace.Span {
	return trace.Span{Start: start, End: end, Launch: launch, Name: t.Names.ID(name), Kind: trace.Kernel, Class: trace.Compute}
}

// tail adds the first device work of the step behind the last.
func tail(t *trace.Trace, n int64) *trace.Trace {
	at := n * 10 * ms
	t.Device = append(t.Device, kernel(t, "gemm0", at, at+3*ms, at+4*ms))
	return t
}

func none(int) string { return "" }

func TestMarkers(t *testing.T) {
	tests := []struct {
		name    string
		trace   *trace.Trace
		opt     Options
		marker  string
		found   int
		kept    int
		first   int64 // number of the first step
		dropped string
	}{
		{"profiler steps", tail(loop(6, func(i int) string { return fmt.Sprintf("ProfilerStep#%d", i+5) }), 6), Options{SkipFirst: -1},
			"ProfilerStep#N", 6, 5, 5, DropFirst},
		{"last is cut", loop(6, func(i int) string { return fmt.Sprintf("ProfilerStep#%d", i+5) }), Options{SkipFirst: -1},
			"ProfilerStep#N", 6, 4, 5, DropFirst + "|" + DropLast},
		{"few keep the first", loop(4, func(i int) string { return fmt.Sprintf("ProfilerStep#%d", i+5) }), Options{SkipFirst: -1},
			"ProfilerStep#N", 4, 3, 5, DropLast},
		{"only one", loop(1, func(i int) string { return "ProfilerStep#10" }), Options{SkipFirst: -1},
			"ProfilerStep#N", 1, 1, 10, ""},
		{"numbered", tail(loop(6, func(i int) string { return fmt.Sprintf("train step %d", i+11) }), 6), Options{SkipFirst: 0},
			`range "train step N"`, 6, 6, 11, ""},
		{"iteration_N", tail(loop(6, func(i int) string { return fmt.Sprintf("iteration_%d", i) }), 6), Options{SkipFirst: 2},
			`range "iteration_N"`, 6, 4, 0, DropSkip},
		{"warm-up is no step", tail(loop(6, func(i int) string { return fmt.Sprintf("Warm-up Step %d", i) }), 6), Options{SkipFirst: 0},
			"none", 0, 0, 0, ""},
		{"repeating", tail(loop(6, func(int) string { return "training" }), 6), Options{SkipFirst: 0}, `range "training"`, 6, 6, 0, ""},
		{"named by the user", tail(loop(6, func(i int) string { return fmt.Sprintf("foo %d", i+3) }), 6),
			Options{Range: regexp.MustCompile(`^foo (\d+)`), SkipFirst: 0}, `range matching "^foo (\\d+)"`, 6, 6, 3, ""},
		{"named by the user, with a number of something", tail(loop(6, func(i int) string { return fmt.Sprintf("foo %d", i+3) }), 6),
			Options{Range: regexp.MustCompile("^foo"), SkipFirst: 0}, `range matching "^foo"`, 6, 6, 0, ""},
		{"named by the user, with the number of a step", tail(loop(6, func(i int) string { return fmt.Sprintf("foo iter=%d of 99", i+3) }), 6),
			Options{Range: regexp.MustCompile("^foo"), SkipFirst: 0}, `range matching "^foo"`, 6, 6, 3, ""},
		{"kernel named by the user", loop(6, none), Options{Kernel: regexp.MustCompile("gemm1"), SkipFirst: 0},
			`kernel matching "gemm1"`, 6, 5, 0, DropLast},
		{"regular kernel", loop(30, none), Options{SkipFirst: 0}, `launch of "gemm0"`, 30, 29, 0, DropLast},
		{"too few for a kernel", loop(6, none), Options{SkipFirst: -1}, "none", 0, 0, 0, ""},
		{"optimizer", tail(loop(6, func(int) string { return "Optimizer.step#SGD.step" }), 6), Options{SkipFirst: 0}, "Optimizer.step", 6, 6, 0, ""},
		{"no match", loop(6, none), Options{Range: regexp.MustCompile("x"), SkipFirst: -1}, "none", 0, 0, 0, ""},
	}
	for _, tt := range tests {
		tt.trace.Sort()
		f := Find(tt.trace, tt.opt)
		var reasons []string
		for _, d := range f.Receipt.Dropped {
			reasons = append(reasons, d.Reason)
		}
		r := f.Receipt
		if r.Marker != tt.marker || r.Found != tt.found || r.Kept != tt.kept || strings.Join(reasons, "|") != tt.dropped {
			t.Errorf("%s: got marker %s, found %d, kept %d, dropped %q, want %s, %d, %d, %q",
				tt.name, r.Marker, r.Found, r.Kept, strings.Join(reasons, "|"), tt.marker, tt.found, tt.kept, tt.dropped)
		}
		if tt.found > 0 && f.Steps[0].Number != tt.first {
			t.Errorf("%s: first step has number %d, want %d", tt.name, f.Steps[0].Number, tt.first)
		}
		if tt.found == 0 && r.Hint == "" {
			t.Errorf("%s: no steps and no hint", tt.name)
		}
	}
}

// TestDeviceEdges holds a step to the device's clock: it starts with the first
// work launched in it, 3 ms behind its range.
func TestDeviceEdges(t *testing.T) {
	tr := tail(loop(6, func(i int) string { return fmt.Sprintf("step %d", i) }), 6)
	// Work of step 2 that waits on a second stream until step 3 began.
	tr.Device = append(tr.Device, kernel(tr, "late", 22*ms, 34*ms, 35*ms))
	tr.Sort()
	steps := Find(tr, Options{SkipFirst: 0}).Steps
	for i, s := range steps {
		at := int64(i) * 10 * ms
		if s.Start != at+3*ms || s.End != at+13*ms || s.HostStart != at {
			t.Errorf("step %d: got device [%d, %d), host %d, want [%d, %d), %d", i, s.Start, s.End, s.HostStart, at+3*ms, at+13*ms, at)
		}
	}
}

// TestPartialRanges: a range around the first half of each step does not end
// the last one, whose second half is launched behind it.
func TestPartialRanges(t *testing.T) {
	tr := tail(loop(8, func(i int) string { return fmt.Sprintf("step %d", i) }), 8)
	for i := range tr.Ranges {
		tr.Ranges[i].End = tr.Ranges[i].Start + ms + ms/2
	}
	f := Find(tr, Options{SkipFirst: 0})
	if got := f.Steps[7].Dropped; got != DropLast {
		t.Errorf("the last step: dropped for %q, want %q", got, DropLast)
	}
	if f.Receipt.Kept != 7 {
		t.Errorf("got %d steps kept, want 7", f.Receipt.Kept)
	}
}

func TestStepsWithoutLaunches(t *testing.T) {
	tr := tail(loop(6, func(i int) string { return fmt.Sprintf("step %d", i) }), 6)
	tr.Recorded &^= trace.HasLaunches
	f := Find(tr, Options{SkipFirst: 0})
	if f.Steps[1].Start != 10*ms || f.Steps[1].End != 20*ms {
		t.Errorf("host edges: got [%d, %d)", f.Steps[1].Start, f.Steps[1].End)
	}
	if !strings.Contains(f.Receipt.Marker, "host edges") {
		t.Errorf("the receipt does not say that host edges were used: %q", f.Receipt.Marker)
	}
}

func TestStepWithoutWork(t *testing.T) {
	tr := tail(loop(6, func(i int) string { return fmt.Sprintf("step %d", i) }), 6)
	tr.Device = slices.DeleteFunc(tr.Device, func(s trace.Span) bool { return s.Launch >= 20*ms && s.Launch < 30*ms })
	f := Find(tr, Options{SkipFirst: 0})
	if f.Steps[2].Dropped != DropNoWork || f.Steps[1].Dropped != DropNoNext || f.Steps[3].Dropped != "" {
		t.Errorf("got %q, %q, %q", f.Steps[1].Dropped, f.Steps[2].Dropped, f.Steps[3].Dropped)
	}
}

// secondAnchor is what the second anchor says of steps that were found.
func secondAnchor(t *trace.Trace, f Found) string {
	s := NewSecondAnchor(t, f.Steps, f.Receipt.By)
	s.Add(t.Device)
	return s.Text()
}

// TestBusiestThread: of two threads with step ranges the one with more is
// taken, and ranges inside a step are not steps.
func TestBusiestThread(t *testing.T) {
	tr := tail(loop(6, func(i int) string { return fmt.Sprintf("step %d", i) }), 6)
	tr.Ranges = append(tr.Ranges,
		trace.Range{Start: 1 * ms, End: 2 * ms, Name: tr.Names.ID("step 0"), Thread: 7}, // nested
		trace.Range{Start: 0, End: 9 * ms, Name: tr.Names.ID("step 0"), Thread: 9})
	tr.Sort()
	f := Find(tr, Options{SkipFirst: 0})
	if f.Receipt.Found != 6 || f.Thread != 7 {
		t.Errorf("got %d steps on thread %d, want 6 on 7", f.Receipt.Found, f.Thread)
	}
	if got, want := secondAnchor(tr, f), "agrees: 3 kernels in every step"; got != want {
		t.Errorf("second anchor: got %q, want %q", got, want)
	}
}

// TestCovering: markers own their ends if most of them cover four fifths of their period.
func TestCovering(t *testing.T) {
	for _, c := range []struct {
		lasts []int64 // each of a period of 100; the last has none
		want  bool
	}{
		{[]int64{80, 80, 80, 1}, true}, {[]int64{79, 79, 79, 100}, false}, {[]int64{60, 60, 60, 60}, false},
		{[]int64{50, 90, 90, 1}, true}, {[]int64{50, 50, 90, 90, 90}, false}, {[]int64{50, 79, 90, 90}, false}, {[]int64{1}, true},
	} {
		var marks []mark
		for i, n := range c.lasts {
			marks = append(marks, mark{start: int64(i) * 100, end: int64(i)*100 + n})
		}
		if got := coverPeriods(marks); got != c.want {
			t.Errorf("%v of 100: got %v, want %v", c.lasts, got, c.want)
		}
	}
}

// TestLastStep: a step that nothing ends lasts as long as its marker or its work, whichever
// is longer, and what is launched at the very start of a step is its own.
func TestLastStep(t *testing.T) {
	for _, c := range []struct{ lasts, want int64 }{{9 * ms, 59 * ms}, {3 * ms, 56 * ms}} {
		tr := loop(6, func(i int) string { return fmt.Sprintf("step %d", i) })
		for i := range tr.Ranges {
			tr.Ranges[i].End = tr.Ranges[i].Start + 9*ms
		}
		tr.Ranges[5].End = tr.Ranges[5].Start + c.lasts
		tr.Sort()
		last := Find(tr, Options{SkipFirst: 0}).Steps[5]
		if last.Start != 53*ms || last.End != c.want || last.Dropped != DropLast {
			t.Errorf("a marker of %d ns: got [%d, %d), dropped for %q, want [53 ms, %d)", c.lasts, last.Start, last.End, last.Dropped, c.want)
		}
	}
}
