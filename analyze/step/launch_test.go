package step

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
	"testing"

	"perfdiff/analyze/run"
	"perfdiff/analyze/trace"
)

// layered is a program of n iterations of so many layers: an embedding, two kernels a
// layer, and so many launches of an optimizer, each 100 us long and 1 ms behind the host.
func layered(n, layers, optimizer int) *trace.Trace {
	t := &trace.Trace{File: "a.sqlite", Names: trace.NewNames(), Recorded: trace.HasDevice | trace.HasLaunches | trace.HasRanges}
	at := int64(0)
	add := func(name string) {
		t.Device = append(t.Device, kernel(t, name, at, at+ms, at+ms+100_000))
		at += 110_000
	}
	for range n {
		add("embedding")
		for range layers {
			add("attention")
			add("mlp")
		}
		for range optimizer {
			add("adam")
		}
	}
	return t
}

func TestRepeatingLaunches(t *testing.T) {
	rename := func(tr *trace.Trace, from, to string) *trace.Trace {
		for i := range tr.Device {
			if tr.Names.Text(tr.Device[i].Name) == from {
				tr.Device[i].Name = tr.Names.ID(to)
			}
		}
		return tr
	}
	once := func(tr *trace.Trace, name string) *trace.Trace {
		tr.Ranges = append(tr.Ranges, trace.Range{Start: -1, End: tr.Device[len(tr.Device)-1].End, Name: tr.Names.ID(name), Thread: 7})
		return tr
	}
	late := func(tr *trace.Trace, every int) *trace.Trace { // each so many launches the program waits
		for i := range tr.Device {
			by := int64(i/every) * int64(i%7) * ms
			tr.Device[i].Start, tr.Device[i].End, tr.Device[i].Launch = tr.Device[i].Start+by, tr.Device[i].End+by, tr.Device[i].Launch+by
		}
		return tr
	}
	for _, tt := range []struct {
		name   string
		trace  *trace.Trace
		marker string
		found  int
	}{
		{"one a step", layered(30, 12, 1), `launch of "adam"`, 30},
		{"the one that most of the others share", layered(30, 12, 4), `launch of "embedding"`, 30},
		{"one of several", rename(layered(30, 12, 4), "embedding", "mlp"), `one in 4 launches of "adam"`, 30},
		{"a single pass through layers", layered(1, 36, 0), "none", 0},
		{"two passes", layered(2, 36, 3), "none", 0},
		{"too few to tell", layered(7, 12, 1), "none", 0},
		{"a range that holds them all", once(layered(30, 12, 1), "execute_context_1"), "none", 0},
		{"a range of a whole loop", once(layered(30, 12, 1), "train one epoch"), `launch of "adam"`, 30},
		{"as it comes", late(layered(30, 4, 1), 10), "none", 0},
	} {
		tt.trace.Sort()
		f := Find(tt.trace, Options{SkipFirst: 0})
		if f.Receipt.Marker != tt.marker || f.Receipt.Found != tt.found {
			t.Errorf("%s: got %s, found %d, want %s, %d", tt.name, f.Receipt.Marker, f.Receipt.Found, tt.marker, tt.found)
		}
		if tt.found > 0 {
			if got := secondAnchor(tt.trace, f); !strings.HasPrefix(got, "none") {
				t.Errorf("%s: second anchor: got %q: the marker's own kernels are no evidence for it", tt.name, got)
			}
		}
	}
}

func TestMultiple(t *testing.T) {
	for _, tt := range []struct {
		count, n int
		want     bool
	}{{228, 19, true}, {229, 19, true}, {230, 19, false}, {57, 19, true}, {100, 49, false}, {1, 19, false}, {18, 19, true}} {
		if got := nearMultiple(tt.count, tt.n); got != tt.want {
			t.Errorf("multiple(%d, %d): got %v, want %v", tt.count, tt.n, got, tt.want)
		}
	}
}

// TestCandidates: what repeats is told, and what it is a part of.
func TestCandidates(t *testing.T) {
	tr := layered(1, 36, 0)
	tr.Ranges = []trace.Range{{Start: -1, End: 99 * ms, Name: tr.Names.ID("execute_context_1"), Thread: 7}}
	for i := range int64(9) {
		tr.Ranges = append(tr.Ranges, trace.Range{Start: i * ms, End: i*ms + ms/2, Name: tr.Names.ID(fmt.Sprintf("decode 12%d", i)), Thread: 7})
	}
	tr.Sort()
	all := Find(tr, Options{SkipFirst: -1}).Receipt.Candidates
	at := slices.IndexFunc(all, func(c run.Candidate) bool { return c.Marker.Kind == run.MarkLaunch })
	if at < 0 || !strings.Contains(all[at].Within, "execute_context_1") || all[at].Usable || all[at].Count != 36 || all[at].Work != 2 {
		t.Errorf("got candidates %+v, want a launch of a layer that is told to be a part", all)
	}
	at = slices.IndexFunc(all, func(c run.Candidate) bool { return c.Name == "decode N" })
	if at < 0 || all[at].Count != 9 || all[at].Period != ms || all[at].Flag() != "--step-range 'decode N'" {
		t.Errorf("got candidates %+v, want the range with its number folded", all)
	}
	if got := Find(tr, Options{Range: asked("decode N"), SkipFirst: 0}).Receipt.Found; got != 9 {
		t.Errorf("the name as it is told, as an argument: got %d steps, want 9", got)
	}
	tr.Ranges = append(tr.Ranges, trace.Range{Start: 0, End: 6 * ms, Name: tr.Names.ID("all of decode 120 to decode 125"), Thread: 7})
	tr.Sort()
	if got := Find(tr, Options{Range: asked("decode N"), SkipFirst: 0}).Receipt.Found; got != 9 {
		t.Errorf("beside a longer name: got %d steps, want 9", got)
	}
	tr.Ranges = append(tr.Ranges, trace.Range{Start: 0, End: 6 * ms, Name: tr.Names.ID("decode 120 warm"), Thread: 7})
	tr.Sort()
	if got := Find(tr, Options{Range: asked("decode 121"), SkipFirst: 0}).Receipt.Found; got != 1 {
		t.Errorf("a name in full: got %d steps, want 1", got)
	}
}

// TestChosenMarker: a marker that was chosen for several captures is the only one.
func TestChosenMarker(t *testing.T) {
	tr := tail(loop(30, func(i int) string { return fmt.Sprintf("step %d", i) }), 30)
	tr.Sort()
	all, _, _ := Markers(tr)
	if len(all) < 2 || all[0] != (run.Marker{Kind: run.MarkNumbered, Name: "step N"}) {
		t.Fatalf("got %v, want the range first and launches behind it", all)
	}
	for _, m := range all {
		if got := Find(tr, Options{SkipFirst: 0, Marker: m}).Receipt; got.By != m || got.Found < 30 {
			t.Errorf("%v: got %v, found %d", m, got.By, got.Found)
		}
	}
	other := run.Marker{Kind: run.MarkNumbered, Name: "iteration N"}
	if got := Find(tr, Options{SkipFirst: 0, Marker: other}).Receipt; got.Found != 0 || !strings.Contains(got.Hint, "iteration N") {
		t.Errorf("a marker that it does not have: got found %d, hint %q", got.Found, got.Hint)
	}
}

// TestUnevenLaunches: a loop whose work shrinks is listed, and is taken where it is asked for by the other side.
func TestUnevenLaunches(t *testing.T) {
	tr := &trace.Trace{File: "a.sqlite", Names: trace.NewNames(), Recorded: trace.HasDevice | trace.HasLaunches}
	at := int64(0)
	for i := range int64(40) {
		for _, name := range []string{"Fan1", "Fan2"} {
			tr.Device = append(tr.Device, kernel(tr, name, at, at+ms, at+ms+100_000))
			at += 110_000 + ms*(40-i)/40*(i%3)
		}
	}
	tr.Sort()
	all, uneven, told := Markers(tr)
	want := run.Marker{Kind: run.MarkLaunch, Name: "Fan1", Every: 1}
	if len(all) > 0 || !slices.Contains(uneven, want) || len(told) == 0 || told[0].Marker != want || told[0].Usable || told[0].Spread < maxPeriodSpread {
		t.Errorf("got %v, %v and %+v", all, uneven, told)
	}
	if got := Find(tr, Options{}).Receipt.Found; got != 0 {
		t.Errorf("got %d steps, though none is even", got)
	}
	if got := Find(tr, Options{Marker: want}).Receipt; got.Found != 40 || got.By != want {
		t.Errorf("asked for: got %+v", got)
	}
}

// TestNotSteps: what a compiler named is no step, and halves of steps are not twice as many.
func TestNotSteps(t *testing.T) {
	for name, want := range map[string]string{
		"## Call CompiledFxGraph fud64jsrxcxliekg7lptyw24yz5k3oa65b73wjfbhz6j2f ##": "none",
		"Torch-Compiled Region: 0/0": "none", "region 8d4b99fa0d1d2d3de": "none", "training": `range "training"`,
	} {
		tr := tail(loop(6, func(int) string { return name }), 6)
		tr.Sort()
		if got := Find(tr, Options{SkipFirst: 0}).Receipt.Marker; got != want {
			t.Errorf("%s: got marker %s, want %s", name, got, want)
		}
	}
	tr := tail(loop(6, func(i int) string { return fmt.Sprintf("Step %d: forward", i) }), 6)
	for i := range int64(6) {
		at := i*10*ms + 9*ms
		tr.Ranges = append(tr.Ranges, trace.Range{Start: at, End: at + ms/2, Name: tr.Names.ID(fmt.Sprintf("Step %d: backward", i)), Thread: 7})
	}
	tr.Sort()
	if got := Find(tr, Options{SkipFirst: 0}).Receipt; got.Marker != `range "Step N: forward"` || got.Found != 6 {
		t.Errorf("halves: got marker %s, found %d", got.Marker, got.Found)
	}
}

func asked(s string) *regexp.Regexp { return regexp.MustCompile(s) }
