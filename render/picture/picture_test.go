package picture

import (
	"encoding/xml"
	"errors"
	"io"
	"math"
	"slices"
	"strings"
	"testing"

	"perfdiff/analyze/run"
	"perfdiff/diff"
	"perfdiff/diff/cause"
	"perfdiff/diff/verdict"
	"perfdiff/render/plot"
)

// reportOf is a report of step times in s, of each side a list for each run.
func reportOf(base, cand [][]float64, v verdict.Verdict) *diff.Report {
	r := &diff.Report{Judged: true, Verdict: v}
	n := 0
	for _, x := range slices.Concat(base, cand) {
		n = max(n, len(x))
	}
	at := func(runs [][]float64, i int) cause.StepSide {
		s := cause.StepSide{Median: math.NaN()}
		var all []Dot
		for _, x := range runs {
			s.PerRun = append(s.PerRun, x[i])
			all = append(all, Dot{Value: x[i]})
		}
		s.Median = median(all)
		return s
	}
	for i := range n {
		r.Steps = append(r.Steps, cause.StepPoint{Number: int64(i), Base: at(base, i), Cand: at(cand, i)})
	}
	for k, runs := range [][][]float64{base, cand} {
		for i := range runs {
			side := []*diff.Side{&r.Base, &r.Cand}[k]
			side.Runs = append(side.Runs, string(rune('a'+i)))
		}
	}
	r.Metrics = []verdict.Comparison{{Key: run.Key{Metric: run.StepTime}, Metric: run.Metric{Name: run.StepTime}, Base: base[0][0], Cand: cand[0][0], Delta: cand[0][0] - base[0][0],
		Estimate: 0.05, Lo: 0.01, Hi: 0.09, Threshold: 0.02, Relative: true, Verdict: v}}
	return r
}

// around are n values about v, evenly within one percent.
func around(v float64, n int) []float64 {
	out := make([]float64, n)
	for i := range out {
		out[i] = v * (1 + 0.01*(float64(i)/float64(n)-0.5))
	}
	return out
}

// wellFormed are the texts of an SVG, which must be one that programs other than browsers read.
func wellFormed(t *testing.T, svg string) (texts []string) {
	t.Helper()
	d := xml.NewDecoder(strings.NewReader(svg))
	for {
		token, err := d.Token()
		if errors.Is(err, io.EOF) {
			return texts
		}
		if err != nil {
			t.Fatalf("%v in %s", err, svg)
		}
		if s, ok := token.(xml.CharData); ok && strings.TrimSpace(string(s)) != "" {
			texts = append(texts, string(s))
		}
	}
}

// TestDots: of one run a dot is a step, of many steps a share of them with both ends, and of
// several runs each run is a dot, as the test sees it.
func TestDots(t *testing.T) {
	many := around(0.1, 500)
	many[77] = 0.9
	for _, tt := range []struct {
		name       string
		base, cand [][]float64
		steps, of  int // dots of the candidate: all, and those of runs
		value      float64
	}{
		{"steps", [][]float64{around(0.1, 12)}, [][]float64{around(0.2, 12)}, 12, 0, 0},
		{"shares", [][]float64{around(0.1, 500)}, [][]float64{many}, 52, 0, 900},
		{"runs", [][]float64{around(0.1, 5), around(0.1, 5)}, [][]float64{{0.1, 0.2, 0.3, 0.4, 0.5}, {0.5, 0.1, 0.1, 0.1, 0.1}}, 12, 2, 300},
		{"many runs", [][]float64{around(0.1, 5)}, slices.Repeat([][]float64{{0.1, 0.2, 0.3, 0.4, 0.5}}, 7), 7, 7, 300},
	} {
		p := Of(reportOf(tt.base, tt.cand, verdict.Regressed))
		dots, runs, found := p.Sides[1].Dots, 0, tt.value == 0
		for _, d := range dots {
			if d.Kind == OfRun {
				runs++
			}
			found = found || math.Abs(d.Value-tt.value) < 1e-9
		}
		if len(dots) != tt.steps || runs != tt.of || !found {
			t.Errorf("%s: got %d dots, %d of runs, and one of %g: %v; want %d and %d", tt.name, len(dots), runs, tt.value, found, tt.steps, tt.of)
		}
	}
}

// TestBreak: values far out get a piece of their own, so that the others keep most of the width;
// the pieces do not overlap, and where nothing is far out there is one.
func TestBreak(t *testing.T) {
	spikes := append(around(30, 40), 70, 71, 72)
	for _, tt := range []struct {
		name       string
		base, cand []float64
		pieces     int
	}{
		{"even", around(30, 40), around(31, 40), 1},
		{"far apart", around(30, 40), around(90, 40), 1},
		{"equal", []float64{5, 5, 5}, []float64{5, 5, 5}, 1},
		{"spikes", around(30, 40), spikes, 2},
		{"both ends", append(around(30, 40), 1), spikes, 3},
	} {
		slices.Sort(tt.base)
		slices.Sort(tt.cand)
		a := axisOf([2][]float64{tt.base, tt.cand}, []float64{tt.base[len(tt.base)/2], tt.cand[len(tt.cand)/2]}, 0, 600)
		if len(a) != tt.pieces {
			t.Errorf("%s: got %d pieces, want %d: %v", tt.name, len(a), tt.pieces, a)
		}
		last := -1.0
		for _, v := range slices.Sorted(slices.Values(append(slices.Clone(tt.base), tt.cand...))) {
			x := a.at(v)
			if x < last || x < 0 || x > 600 {
				t.Errorf("%s: %g stands at %g, behind %g", tt.name, v, x, last)
			}
			last = x
		}
		if tt.pieces == 2 {
			if width := a.at(30.15) - a.at(29.85); width < 150 {
				t.Errorf("%s: the body has %g px", tt.name, width)
			}
		}
	}
}

// TestDrawn: the picture says both medians, the change and the interval in words of its own, in
// every width, and stays within its frame.
func TestDrawn(t *testing.T) {
	p := Of(reportOf([][]float64{around(0.1, 30)}, [][]float64{append(around(0.12, 28), 0.9, 0.91)}, verdict.Regressed))
	for _, width := range []float64{Wide, Narrow} {
		got := strings.Join(wellFormed(t, p.SVG(width, plot.PlainInk, "")), "|")
		for _, want := range []string{"Baseline\u2002" + p.Sides[0].Median.Text, "Candidate\u2002" + p.Sides[1].Median.Text, p.Change, p.Estimate.Text, "±2\u202f% threshold", "ms"} {
			if !strings.Contains(got, want) {
				t.Errorf("%g px: got %q, want %q in it", width, got, want)
			}
		}
	}
}

// TestNoPicture: without a step there is none; with steps on one side there is one, without an
// arrow, and it says so.
func TestNoPicture(t *testing.T) {
	if p := Of(&diff.Report{}); p != nil {
		t.Errorf("got %v", p)
	}
	r := reportOf([][]float64{around(0.1, 5)}, [][]float64{around(0.2, 5)}, verdict.Inconclusive)
	for i := range r.Steps {
		r.Steps[i].Cand.Median = math.NaN()
	}
	r.Metrics = nil
	p := Of(r)
	if texts := wellFormed(t, p.SVG(Wide, plot.PlainInk, "")); p.Arrow || !slices.Contains(texts, "Candidate: no steps") {
		t.Errorf("got %q", texts)
	}
}

// TestStacks: no two marks overlap, and each stands within a width of its place.
func TestStacks(t *testing.T) {
	at := []float64{50, 3, 4, 4.5, 12, 12.5, 30, 31, 33, 3.5}
	x, level := stacks(at, 5)
	for i := range at {
		for k := range i {
			if level[i] == level[k] && math.Abs(x[i]-x[k]) < 5 {
				t.Errorf("%g and %g overlap at %g and %g", at[i], at[k], x[i], x[k])
			}
		}
		if math.Abs(x[i]-at[i]) > 5 {
			t.Errorf("%g stands at %g", at[i], x[i])
		}
	}
}

// TestFile: the file says title, headline and basis, wrapped, beside the picture; it is whole by
// itself, and where there is no picture the words stand alone.
func TestFile(t *testing.T) {
	r := reportOf([][]float64{around(0.1, 30)}, [][]float64{around(0.12, 30)}, verdict.Regressed)
	r.About.Title = `a < b & "c"`
	for _, steps := range []int{30, 0} {
		r.Steps = r.Steps[:steps]
		file := string(File(r))
		texts := wellFormed(t, file)
		if !slices.Contains(texts, r.About.Title) || strings.Contains(file, "var(") {
			t.Errorf("%d steps: got %q", steps, texts)
		}
		if drawn := slices.Contains(texts, "This change, estimated, %"); drawn != (steps > 0) {
			t.Errorf("%d steps: drawn: %v", steps, drawn)
		}
	}
	if got := wrapped("one two three", 60, 10, false); !slices.Equal(got, []string{"one two", "three"}) {
		t.Errorf("got %q", got)
	}
}
