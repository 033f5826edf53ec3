package picture

import (
	"math"
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
	first, last := float64(r.Steps[0].Number), float64(r.Steps[len(r.Steps)-1].Number)
	lo, hi := math.Inf(1), math.Inf(-1)
	for i := range r.Steps {
		for _, v := range []float64{r.Steps[i].Base.Median, r.Steps[i].Cand.Median} {
			if !math.IsNaN(v) && !r.Steps[i].Omission.Omitted() {
				lo, hi = math.Min(lo, v), math.Max(hi, v)
			}
		}
	}
	if !(hi > lo) || last <= first {
		return ""
	}
	sc := number.ScaleOf("s", hi)
	x := plot.Scale{Lo: first, Hi: last, From: overLeft, To: width - 12}
	pad := float64((hi - lo) * 0.04)
	y := plot.Scale{Lo: (lo - pad) * sc.Factor, Hi: (hi + pad) * sc.Factor, From: overTall - overFoot, To: 24}
	every := (len(r.Steps) + mostOver - 1) / mostOver
	var dots [2][]plot.Point
	for i := range r.Steps {
		if p := &r.Steps[i]; i%every == 0 && !p.Omission.Omitted() {
			for side, v := range []float64{p.Base.Median, p.Cand.Median} {
				if !math.IsNaN(v) {
					dots[side] = append(dots[side], plot.Point{X: x.At(float64(p.Number)), Y: y.At(v * sc.Factor)})
				}
			}
		}
	}
	if name := Stripe(p, r, y, sc.Factor, overLeft-6, width); name != "" {
		p.Label(width, 12, "end", "grey: "+name+" about the baseline's median")
	}
	p.Grid(y, 3, overLeft-6, width, sc.Name)
	p.SideDots(0, dots[0], 7)
	p.SideDots(1, dots[1], 7)
	p.Label(overLeft, overTall-4, "start", "step "+strconv.FormatInt(r.Steps[0].Number, 10))
	p.Label(width, overTall-4, "end", strconv.FormatInt(r.Steps[len(r.Steps)-1].Number, 10))
	if j := h.Jump; j != nil {
		p.Text(x.At(float64(j.Step)), overTall-4, "middle", ink.Ink, p.Small, true, strconv.FormatInt(j.Step, 10))
	}
	return p.SVG(plot.Titled("Step times over the number of the step, from " + sc.Format(lo) + " to " + sc.With(hi)))
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
