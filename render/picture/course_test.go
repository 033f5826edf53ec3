package picture

import (
	"math"
	"regexp"
	"slices"
	"strings"
	"testing"

	"perfdiff/diff/difftest"
	"perfdiff/diff/history"
	"perfdiff/render/plot"
)

// TestCourse: a picture has a dot for each run that has a value, its levels, and its change with what it says; ticks have
// no trailing zeros.
func TestCourse(t *testing.T) {
	j := difftest.MovedJob()
	for _, width := range []float64{CourseWide, CourseNarrow} {
		svg := Course(&j, &j.Metrics[0], width, plot.PlainInk, "", func(run int) string { return j.Runs[run].From.Link })
		texts := wellFormed(t, svg)
		for _, want := range []string{"+5.0\u202f% accepted", "ms", "29", "31", "2026-07-28", "36.66\u202fms"} {
			if !slices.Contains(texts, want) {
				t.Errorf("%g px: no %q in %q", width, want, texts)
			}
		}
		for what, want := range map[string]int{"<circle ": 60, "data-level=": 2, "data-change=": 1, `href="https://ci.example/`: 60, `stroke="` + plot.PlainInk.Hold + `"`: 3} {
			if got := strings.Count(svg, what); got != want {
				t.Errorf("%g px: got %d %s, want %d", width, got, what, want)
			}
		}
		for _, at := range regexp.MustCompile(` (?:c?[xy])="([^"]*)"`).FindAllStringSubmatch(svg, -1) {
			if strings.HasPrefix(at[1], "-") || at[1] == "NaN" {
				t.Errorf("%g px: a mark stands at %s", width, at[1])
			}
		}
	}
	idle := Course(&j, &j.Metrics[1], CourseWide, plot.PlainInk, "", nil)
	if texts := wellFormed(t, idle); !slices.Contains(texts, "3.5") || !slices.Contains(texts, "4") || strings.Contains(idle, "<a ") || strings.Count(idle, "h0") != 57+2*2 {
		t.Errorf("got %q", texts)
	}
}

// TestSpark draws the newest 20 runs; a job without any has none.
func TestSpark(t *testing.T) {
	j := difftest.MovedJob()
	svg := Spark(&j, plot.PlainInk, ` class="spark"`)
	wellFormed(t, svg)
	if n := strings.Count(svg, "h0"); n != 19+2 || !strings.Contains(svg, `aria-label="Main: step time 31.50`) || strings.Count(svg, "data-level=") != 1 {
		t.Errorf("%d dots: %s", n, svg)
	}
	if got := Spark(&history.Job{}, plot.PlainInk, ""); got != "" {
		t.Errorf("of nothing: got %s", got)
	}
	j.Metrics[0].Levels, j.Metrics[0].Changes = nil, nil
	for i := range j.Metrics[0].Values {
		j.Metrics[0].Values[i] = math.NaN()
	}
	if svg := Spark(&j, plot.PlainInk, ""); strings.Contains(svg, "NaN") {
		t.Errorf("without values: got %s", svg)
	}
}
