package html

import (
	"fmt"
	"html/template"
	"math"
	"slices"

	"perfdiff/analyze/run"
	"perfdiff/diff"
	"perfdiff/diff/verdict"
	"perfdiff/render/number"
	"perfdiff/render/picture"
	"perfdiff/render/plot"
	"perfdiff/render/words"
)

// Pictures of several candidates are small and stand on one axis, so that they can be compared
// with each other by eye.

// drawIntervals draws the intervals of the step time. The axis is as long as the changes need; an
// interval that goes far beyond all of them is cut, and has an arrow.
func (p *severalPage) drawIntervals(s *diff.Several) {
	lo, hi, threshold := 0.0, 0.0, 0.0
	for _, r := range s.Candidates {
		if c := stepInterval(r); c != nil {
			threshold = c.Threshold
			reach := max(4*c.Threshold, 2*math.Abs(c.Estimate))
			lo, hi = min(lo, max(c.Lo, -reach)), max(hi, min(c.Hi, reach))
		}
	}
	if threshold == 0 && lo == hi {
		return
	}
	x := plot.Scale{Lo: min(lo, -2*threshold), Hi: max(hi, 2*threshold), To: 260}
	for i, r := range s.Candidates {
		if c := stepInterval(r); c != nil {
			p.Candidates[i].Mark = drawInterval(c, x, &p.Candidates[i])
		}
	}
	p.Axis = fmt.Sprintf("Intervals are drawn from %s to %s%%; the line is no change, the band is \u00b1%s, which is the threshold. Left is faster.",
		number.Signed(sixDigits(x.Lo*100)), number.Signed(sixDigits(x.Hi*100))+number.Space, number.Setting(threshold))
}

// drawInterval draws an estimate with its interval.
func drawInterval(c *verdict.Comparison, x plot.Scale, of *severalCandidate) template.HTML {
	p := &plot.Plot{Ink: plot.PageInk, Width: x.To, Height: 22, Small: 12}
	color := map[string]string{"better": p.Better, "worse": p.Worse}[of.Class]
	if color == "" {
		color = p.Ink2
	}
	at := func(v float64) float64 { return x.At(min(max(v, x.Lo), x.Hi)) }
	p.Rect(at(-c.Threshold), 0, at(c.Threshold)-at(-c.Threshold), 22, "var(--paper2)").More = ` class="band"`
	p.Line(at(0), 0, at(0), 22, "var(--ink3)", 1)
	p.Line(at(c.Lo), 11, at(c.Hi), 11, color, 3)
	p.Dots([]plot.Point{{X: at(c.Estimate), Y: 11}}, 10, color)
	for _, end := range []struct {
		cut      bool
		from, to float64
	}{{c.Lo < x.Lo, 8, 0}, {c.Hi > x.Hi, x.To - 8, x.To}} {
		if end.cut {
			p.Area([]plot.Point{{X: end.to, Y: 11}, {X: end.from, Y: 6}, {X: end.from, Y: 16}}, color).More = ` class="cut"`
		}
	}
	return template.HTML(p.SVG(` class="mark"` + plot.Titled(of.Change+", "+of.Interval)))
}

// stepInterval returns the step time with an interval, nil where nothing is judged.
func stepInterval(r *diff.Report) *verdict.Comparison {
	c := verdict.MetricOf(r.Metrics, run.StepTime)
	if c == nil || !hasVerdict(r) || !c.Relative || math.IsNaN(c.Estimate+c.Lo+c.Hi) {
		return nil
	}
	return c
}

// The frame of the steps of one pair, and the most places along it: more steps share a place, as their median and
// their reach.
var panelFrame = frame{360, 150, 44, 358, 8, 128, 3}

const panelPlaces = 150

// drawSteps draws the steps of each pair on one axis of time.
func (p *severalPage) drawSteps(s *diff.Several) {
	top, most := 0.0, 1
	for _, r := range s.Candidates {
		most = max(most, (len(r.Steps)+panelPlaces-1)/panelPlaces)
		top = max(top, largestMagnitude(existing(slices.Concat(picture.Medians(r, 0), picture.Medians(r, 1)))...))
	}
	if top == 0 {
		return
	}
	sc, band := number.ScaleOf("s", top), ""
	for i, r := range s.Candidates {
		if len(r.Steps) == 0 {
			continue
		}
		l := &lines{
			label: "Step times of " + words.Called(r, 0) + " and " + words.Called(r, 1), top: top * sc.Factor,
			first: fmt.Sprint("step ", r.Steps[0].Number), last: fmt.Sprint(r.Steps[len(r.Steps)-1].Number),
			under: func(p *plot.Plot, y plot.Scale) {
				if name := picture.Stripe(p, r, y, sc.Factor, panelFrame.left, panelFrame.right); name != "" {
					band = " The grey stripe across: " + name + " about the baseline's median."
				}
			},
		}
		for side := range 2 {
			v := scaled(picture.Medians(r, side), sc)
			l.all = append(l.all, thinned(plot.PageInk.Side(side), v, panelPlaces, func(v []float64) float64 { return interpolatedQuantile(v, 0.5) }))
		}
		p.Candidates[i].Panel = l.draw(panelFrame)
	}
	p.Steps = fmt.Sprintf("Median step over ranks, in %s, from 0 to %s in all pictures. A line breaks where steps are left out.%s", sc.Name, number.Format(plot.Ceiling(top*sc.Factor)), band)
	if most > 1 {
		p.Steps += fmt.Sprintf(" Up to %d steps share a place: the line is their median, the band goes from their shortest to their longest.", most)
	}
}

// drawParts draws the mean step of each pair, on one axis.
func (p *severalPage) drawParts(s *diff.Several) {
	longest := 0.0
	seen := map[string]bool{}
	for _, r := range s.Candidates {
		if len(r.Waterfall.Parts) > 0 {
			longest = max(longest, r.Waterfall.Base, r.Waterfall.Cand)
		}
		for _, part := range r.Waterfall.Parts {
			if !seen[part.Kind] {
				seen[part.Kind] = true
				p.Legend = append(p.Legend, legend{part.Kind, words.StepPart(part.StepPart)})
			}
		}
	}
	if !(longest > 0) {
		return
	}
	sc := number.ScaleOf("s", longest)
	for i, r := range s.Candidates {
		if len(r.Waterfall.Parts) == 0 {
			continue
		}
		bars := []partBar{{name: "baseline"}, {name: "candidate"}}
		for _, part := range r.Waterfall.Parts {
			bars[0].values, bars[1].values = append(bars[0].values, part.Base), append(bars[1].values, part.Cand)
		}
		p.Candidates[i].Bars = drawBars("Mean step of "+words.Called(r, 0)+" and "+words.Called(r, 1)+" by its parts", panelFrame.width, 300, longest, bars, r.Waterfall.Parts, sc)
	}
}
