package render

import (
	"math"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"perfdiff/diff"
	"perfdiff/diff/cause"
	"perfdiff/render/plot"
)

// steps are step points of both sides by number, those named left out.
func stepPoints(numbers []int64, leftOut map[int64]float64) *diff.Report {
	r := &diff.Report{}
	for _, n := range numbers {
		p := cause.StepPoint{Number: n, Base: cause.StepSide{Median: 0.1, Min: 0.09, Max: 0.12}, Cand: cause.StepSide{Median: 0.08, Min: 0.08, Max: 0.08}}
		if v, ok := leftOut[n]; ok {
			p.Omission = cause.Omission{Cand: "warm-up"}
			p.Cand.Median, p.Cand.Min, p.Cand.Max = v, v, v
		}
		r.Steps = append(r.Steps, p)
	}
	return r
}

// TestStepFigure: no line crosses a step that is left out or missing, such a step is marked
// and does not set the scale, and bands stand where ranks differ.
func TestStepFigure(t *testing.T) {
	for _, c := range []struct {
		name           string
		numbers        []int64
		leftOut        map[int64]float64
		lines          int // of the candidate
		grey           int
		above          string
		baselineBanded int
	}{
		{"all used", []int64{1, 2, 3, 4, 5}, nil, 1, 0, "", 1},
		{"every tenth", []int64{10, 20, 30, 40}, nil, 1, 0, "", 1},
		{"captured in two pieces", []int64{1, 2, 3, 8, 9, 10}, nil, 2, 0, "", 2},
		{"one left out", []int64{1, 2, 3, 4, 5, 6}, map[int64]float64{3: 0.11}, 2, 2, "", 2},
		{"one left out above", []int64{1, 2, 3, 4, 5, 6}, map[int64]float64{1: 5}, 1, 2, "5\u2009000\u202fms", 1},
	} {
		f, ink := stepFigure(stepPoints(c.numbers, c.leftOut)), plot.PlainInk
		svg, above, top := f.Body(), "", math.Inf(1)
		lines, grey := strings.Count(svg, `" stroke="`+ink.Cand+`" stroke-width="2"`), strings.Count(svg, `h0" stroke="`+ink.Rule2+`"`)
		bands := strings.Count(svg, `z" fill="`+ink.Base+`" opacity="0.18"`)
		if m := regexp.MustCompile(`fill="` + ink.Rule2 + `">([^<]*)<`).FindStringSubmatch(svg); m != nil {
			above = m[1]
		}
		for _, m := range regexp.MustCompile(`M[0-9.]+ ([0-9.]+)`).FindAllStringSubmatch(svg, -1) {
			y, err := strconv.ParseFloat(m[1], 64)
			if err != nil {
				t.Fatal(err)
			}
			top = math.Min(top, y)
		}
		if lines != c.lines || grey != c.grey || bands != c.baselineBanded || !strings.Contains(c.above+" ", above) || (above == "") != (c.above == "") || top < stepHigh {
			t.Errorf("%s: got %d lines, %d grey marks, %d bands, %q above, top %v", c.name, lines, grey, bands, above, top)
		}
		if got := strings.Contains(f.Caption, "left out"); got != (c.grey > 0) {
			t.Errorf("%s: caption says %q", c.name, f.Caption)
		}
	}
}

// TestLatexText: no character of a name is a command of LaTeX, and all of it is ASCII.
func TestLatexText(t *testing.T) {
	for in, want := range map[string]string{
		"a_b & 50 %":            `a\_b \& 50 \%`,
		`\input{/etc/passwd}`:   `\textbackslash{}input\{/etc/passwd\}`,
		"x^2 ~ #1 $y$":          `x\textasciicircum{}2 \textasciitilde{} \#1 \$y\$`,
		"−52\u202f% → 1–2 × 3…": `\ensuremath{-}52\,\% \ensuremath{\to} 1--2 \ensuremath{\times} 3\ldots{}`,
		"日本":                    "??",
		"a--b":                  `a{-}{-}b`,
	} {
		if got := latexText(in); got != want {
			t.Errorf("%q: got %s, want %s", in, got, want)
		}
	}
}
