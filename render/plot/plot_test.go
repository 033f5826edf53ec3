package plot

import (
	"math"
	"slices"
	"strings"
	"testing"
)

// TestAxis: an axis ends at a round number not far above its values, and its last tick is there; ticks have no trailing
// zeros.
func TestAxis(t *testing.T) {
	for v, want := range map[float64]float64{0: 1, 1: 1, 1.01: 1.2, 99: 100, 101: 120, 0.031: 0.04, 8.1: 10, -3: 1, 0.0000012: 0.0000012} {
		if got := Ceiling(v); got != want {
			t.Errorf("ceiling(%v): got %v, want %v", v, got, want)
		}
	}
	for v := 0.0013; v < 1e7; v *= 1.07 {
		end := Ceiling(v)
		ticks := Scale{Hi: end, To: 100}.Ticks(EndTicks, false)
		if last := ticks[len(ticks)-1]; math.Abs(last.At-100) > 1e-6 || len(ticks) < 4 || len(ticks) > EndTicks+1 {
			t.Errorf("to %g: got ticks %v", end, ticks)
		}
	}
	var texts []string
	for _, tick := range (Scale{Lo: -0.3, Hi: 0.42, To: 100}).Ticks(4, true) {
		texts = append(texts, tick.Text)
	}
	for _, c := range [][5]float64{{28.7, 34.8, 0.3, 28, 36}, {0.2, 90, 5, 0, 100}, {5, 5, 0, 5, 5}} {
		if lo, hi := Around(c[0], c[1], c[2]); lo != c[3] || hi != c[4] {
			t.Errorf("around %v: got %g and %g", c, lo, hi)
		}
	}
	if want := []string{"\u22120.2", "0", "+0.2", "+0.4"}; !slices.Equal(texts, want) {
		t.Errorf("got %q, want %q", texts, want)
	}
}

// TestLines: a line breaks where a value is missing, its band has its ends, and a value alone is a dot.
func TestLines(t *testing.T) {
	nan := math.NaN()
	p := &Plot{Ink: PlainInk}
	p.Lines(Series{X: []float64{0, 10, 20, 30}, Mid: []float64{1, 2, nan, 4}, Lo: []float64{0, 1, nan, 3}, Hi: []float64{2, 3, nan, 5}}, Scale{Hi: 5, From: 50}, "#000000", 2)
	want := `<path d="M0 30 10 20v20L0 50z" fill="#000000" opacity="0.18"/><path d="M0 40 10 30" stroke="#000000" stroke-width="2"/><path d="M30 10h0" stroke="#000000" stroke-width="4" stroke-linecap="round"/>`
	if got := p.Body(); got != want {
		t.Errorf("got %s\nwant %s", got, want)
	}
}

// TestSame: SVG and TikZ have the same marks, and what they say is no markup.
func TestSame(t *testing.T) {
	p := &Plot{Ink: PlainInk, Small: 12, Width: 100, Height: 50, Name: "x", Title: `a<b`}
	p.Label(1, 2, "end", `"<i>&`)
	p.Line(0, 0, 10, 0, p.Base, 1).Dash = "2 3"
	p.Rect(1, 2, 3, 4, p.Cand).Hint = `k<"1">`
	p.Dots([]Point{{5, 6.04}, {7, 8}}, 4, p.Cand)
	svg := p.SVG(Titled(`"q"`))
	for _, want := range []string{`aria-label="&#34;q&#34;"`, `&#34;&lt;i&gt;&amp;</text>`, `d="M0 0h10"`, `stroke-dasharray="2 3"`, `d="M1 2h3v4h-3z"`, `data-hint="k&lt;&#34;1&#34;&gt;"`, `d="M5 6h0M7 8h0"`} {
		if !strings.Contains(svg, want) {
			t.Errorf("no %s in %s", want, svg)
		}
	}
	tikz := string(p.TikZ(func(s string) string { return "T" }))
	for what, want := range map[string]int{`\node`: 1, "dashed": 1, "cycle": 1, "circle": 2, `\definecolor`: 3, "<": 0} {
		if got := strings.Count(tikz, what); got != want {
			t.Errorf("got %d %s, want %d: %s", got, what, want, tikz)
		}
	}
}
