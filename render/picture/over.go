package picture

import (
	"fmt"
	"html"
	"math"
	"strconv"

	"perfdiff/diff"
	"perfdiff/render/number"
)

// The measures of the steps over a run, in px. Chosen, not measured.
const (
	overTall, overLeft, overFoot = 128.0, 64.0, 22.0
	mostOver                     = 600 // steps that are drawn: of more every k-th
)

// Over draws the step times of both sides over the number of the step, where they jump or grow within a run; "" where
// they do not.
func Over(r *diff.Report, width float64, ink Ink) string {
	h := &r.Headline
	if h.Jump == nil && h.Growth == nil && h.Stalls == nil || len(r.Steps) < 2 {
		return ""
	}
	p := &pen{Ink: ink, small: 12, size: 13, large: 16}
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
	at := func(n, v float64) [2]float64 {
		return [2]float64{overLeft + float64((n-first)/(last-first)*(width-overLeft-12)), 8 + float64((hi-v)/(hi-lo)*(overTall-overFoot-16))}
	}
	every := (len(r.Steps) + mostOver - 1) / mostOver
	var dots [2][][2]float64
	for i := range r.Steps {
		if x := &r.Steps[i]; i%every == 0 && !x.Omission.Omitted() {
			for side, v := range []float64{x.Base.Median, x.Cand.Median} {
				if !math.IsNaN(v) {
					dots[side] = append(dots[side], at(float64(x.Number), v))
				}
			}
		}
	}
	for _, v := range []float64{lo, hi} {
		y := at(first, v)[1]
		p.line(overLeft-6, y, width, y, p.Rule, 1, "")
		p.write(overLeft-10, y+4, "end", p.Ink2, p.small, false, sc.With(v))
	}
	p.marks(0, dots[0], 7, "")
	p.marks(1, dots[1], 7, "")
	p.write(overLeft, overTall-4, "start", p.Ink2, p.small, false, "step "+strconv.FormatInt(r.Steps[0].Number, 10))
	p.write(width, overTall-4, "end", p.Ink2, p.small, false, strconv.FormatInt(r.Steps[len(r.Steps)-1].Number, 10))
	if j := h.Jump; j != nil {
		x := at(float64(j.Step), lo)[0]
		p.write(x, overTall-4, "middle", ink.Ink, p.small, true, strconv.FormatInt(j.Step, 10))
	}
	return fmt.Sprintf(`<svg viewBox="0 0 %s %s" role="img" aria-label="%s" fill="%s" font-size="12" font-family="inherit">%s</svg>`, px(width), px(overTall),
		html.EscapeString("Step times over the number of the step, from "+sc.Format(lo)+" to "+sc.With(hi)), ink.Ink2, p.String())
}
