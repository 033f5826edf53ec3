package picture

import (
	"math"
	"slices"
	"strconv"

	"perfdiff/analyze/run"
	"perfdiff/diff"
	"perfdiff/diff/verdict"
	"perfdiff/render/number"
	"perfdiff/render/plot"
)

// The measures of the steps over a run, in px. Chosen, not measured.
const (
	overTall, overLeft, overFoot = 128.0, 64.0, 22.0
	mostOver                     = 600 // steps that are drawn: of more every k-th
)

// Over draws the step times of both sides over the number of the step, where they jump or grow within a run; "" where
// they do not.
func Over(r *diff.Report, width float64, ink plot.Ink) string {
	h := &r.Headline
	if h.Jump == nil && h.Growth == nil && h.Stalls == nil || len(r.Steps) < 2 {
		return ""
	}
	p := &plot.Plot{Ink: ink, Width: width, Height: overTall, Small: 12}
	lo, hi, medians := math.Inf(1), math.Inf(-1), [2][]float64{Medians(r, 0), Medians(r, 1)}
	for _, v := range slices.Concat(medians[0], medians[1]) {
		if !math.IsNaN(v) {
			lo, hi = math.Min(lo, v), math.Max(hi, v)
		}
	}
	first, last := r.Steps[0].Number, r.Steps[len(r.Steps)-1].Number
	if !(hi > lo) || last <= first {
		return ""
	}
	sc := number.ScaleOf("s", hi)
	x := plot.Scale{Lo: float64(first), Hi: float64(last), From: overLeft, To: width - 12}
	pad := float64((hi - lo) * 0.04)
	y := plot.Scale{Lo: (lo - pad) * sc.Factor, Hi: (hi + pad) * sc.Factor, From: overTall - overFoot, To: 24}
	var dots [2][]plot.Point
	for side, v := range medians {
		for i := 0; i < len(v); i += (len(v) + mostOver - 1) / mostOver {
			if !math.IsNaN(v[i]) {
				dots[side] = append(dots[side], plot.Point{X: x.At(float64(r.Steps[i].Number)), Y: y.At(v[i] * sc.Factor)})
			}
		}
	}
	if name := Stripe(p, r, y, sc.Factor, overLeft-6, width); name != "" {
		p.Label(width, 12, "end", "grey: "+name+" about the baseline's median")
	}
	p.Grid(y, 3, overLeft-6, width, sc.Name)
	p.SideDots(0, dots[0], 7)
	p.SideDots(1, dots[1], 7)
	p.Label(overLeft, overTall-4, "start", "step "+strconv.FormatInt(first, 10))
	p.Label(width, overTall-4, "end", strconv.FormatInt(last, 10))
	if j := h.Jump; j != nil {
		p.Text(x.At(float64(j.Step)), overTall-4, "middle", ink.Ink, p.Small, true, strconv.FormatInt(j.Step, 10))
	}
	return p.SVG(plot.Titled("Step times over the number of the step, from " + sc.Format(lo) + " to " + sc.With(hi)))
}

// Medians returns the median step of a side over ranks, in s, for each step; NaN of one that is left out or missing.
func Medians(r *diff.Report, side int) []float64 {
	out := make([]float64, len(r.Steps))
	for i := range r.Steps {
		x := &r.Steps[i]
		if out[i] = [2]float64{x.Base.Median, x.Cand.Median}[side]; x.Omission.Omitted() {
			out[i] = math.NaN()
		}
	}
	return out
}

// Stripe fills the step times that count as no change from the baseline, as far as y goes, whose unit is factor to a
// second. It returns what the stripe is; "" where nothing is judged by one.
func Stripe(p *plot.Plot, r *diff.Report, y plot.Scale, factor, left, right float64) string {
	lo, hi, name := Band(r, verdict.MetricOf(r.Metrics, run.StepTime))
	if name != "" {
		from, to := y.At(min(hi*factor, y.Hi)), y.At(max(lo*factor, y.Lo))
		p.Rect(left, from, right-left, to-from, p.Rule)
	}
	return name
}
