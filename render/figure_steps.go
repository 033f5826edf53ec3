package render

import (
	"fmt"
	"math"

	"perfdiff/diff"
	"perfdiff/diff/cause"
	"perfdiff/render/number"
	"perfdiff/render/picture"
	"perfdiff/render/plot"
)

// Where the steps are drawn, in pixels.
const stepLeft, stepRight, stepHigh, stepLow = 56, 650, 36, 270

// maxStepMarks is up to how many steps each gets a mark on the line. Chosen, not measured: more of them touch each
// other.
const maxStepMarks = 60

// stepPlot is a figure of step times with its scales.
type stepPlot struct {
	*plot.Plot
	steps []cause.StepPoint
	sc    number.Scale
	y     plot.Scale // in sc's unit
}

// figureSides are the sides of a step, as figures draw them.
var figureSides = [2]func(*cause.StepPoint) cause.StepSide{
	func(s *cause.StepPoint) cause.StepSide { return s.Base }, func(s *cause.StepPoint) cause.StepSide { return s.Cand },
}

// stepFigure returns the step times of both sides; nil without steps.
func stepFigure(r *diff.Report) *plot.Plot {
	top := highestStep(r.Steps)
	if len(r.Steps) < 2 || top == 0 {
		return nil
	}
	heads, sc := figureHeads(r), number.ScaleOf("s", top)
	p := stepPlot{Plot: figureOf("steps", "Step time", 312), steps: r.Steps, sc: sc, y: plot.Scale{Hi: plot.Ceiling(top * sc.Factor), From: stepLow, To: stepHigh}}
	p.Caption = "Step time, the median over ranks: " + heads[0] + " with open marks, " + heads[1] + " with filled ones."
	if name := picture.Stripe(p.Plot, r, p.y, sc.Factor, stepLeft, stepRight); name != "" {
		p.Caption += " The grey stripe across: " + name + " about the median of " + heads[0] + "."
	}
	p.axes()
	ends, banded := [2]float64{}, false
	for i, of := range figureSides {
		s, dots := p.series(of), []plot.Point(nil)
		p.Lines(s, p.y, p.Side(i), 2)
		for k, v := range s.Mid {
			if banded = banded || s.Hi[k] > s.Lo[k]; !math.IsNaN(v) {
				ends[i] = p.y.At(v)
				dots = append(dots, plot.Point{X: s.X[k], Y: ends[i]})
			}
		}
		if len(p.steps) <= maxStepMarks {
			p.SideDots(i, dots, 7.5)
		}
	}
	if banded {
		p.Caption += " Bands reach from the fastest to the slowest rank."
	}
	if p.leftOut() {
		p.Caption += " Grey circles, which no line joins: steps that are left out of all numbers; where they lie above the scale, their value stands at its edge."
	}
	p.names(heads, ends)
	return p.Plot
}

// highestStep returns the largest value of the used steps, in s, or of all steps if none is used: that of the slowest
// rank, where it is known.
func highestStep(steps []cause.StepPoint) (top float64) {
	for _, leftOut := range []bool{false, true} {
		for i := range steps {
			s := &steps[i]
			for _, v := range []float64{s.Base.Median, s.Cand.Median, s.Base.Max, s.Cand.Max} {
				if v > top && s.Omission.Omitted() == leftOut { // not NaN
					top = v
				}
			}
		}
		if top > 0 {
			break
		}
	}
	return top
}

// x returns where step i stands.
func (p *stepPlot) x(i int) float64 {
	return plot.Scale{Hi: float64(len(p.steps) - 1), From: stepLeft, To: stepRight}.At(float64(i))
}

func (p *stepPlot) axes() {
	p.Grid(p.y, plot.EndTicks, stepLeft, stepRight, p.sc.Name)
	for i := 0; i < len(p.steps); i += max(1, len(p.steps)/8) {
		p.Label(p.x(i), stepLow+20, "middle", fmt.Sprint(p.steps[i].Number))
	}
	p.Label((stepLeft+stepRight)/2, stepLow+38, "middle", "step")
}

// series returns the steps of a side as they are joined: used ones with no number missing between them.
func (p *stepPlot) series(of func(*cause.StepPoint) cause.StepSide) (s plot.Series) {
	add := func(i int, x cause.StepSide) {
		s.X, s.Mid = append(s.X, p.x(i)), append(s.Mid, x.Median*p.sc.Factor)
		s.Lo, s.Hi = append(s.Lo, x.Min*p.sc.Factor), append(s.Hi, x.Max*p.sc.Factor)
	}
	none, apart := cause.StepSide{Median: math.NaN()}, int64(math.MaxInt64) // what numbers of neighbouring steps differ by
	for i := range p.steps[1:] {
		apart = min(apart, p.steps[i+1].Number-p.steps[i].Number)
	}
	for i := range p.steps {
		if i > 0 && p.steps[i].Number-p.steps[i-1].Number > apart {
			add(i, none)
		}
		if p.steps[i].Omission.Omitted() {
			add(i, none)
		} else {
			add(i, of(&p.steps[i]))
		}
	}
	return s
}

// leftOut marks the steps that do not enter, and says whether there are any.
func (p *stepPlot) leftOut() bool {
	any := false
	for i := range p.steps {
		if !p.steps[i].Omission.Omitted() {
			continue
		}
		for k, of := range figureSides {
			v, x := of(&p.steps[i]).Median*p.sc.Factor, p.x(i)
			if math.IsNaN(v) {
				continue
			}
			any = true
			if v > p.y.Hi {
				p.Text(x, float64(stepHigh-4-12*k), "middle", p.Rule2, p.Small, false, number.With(v, p.sc.Name))
			}
			p.Rings([]plot.Point{{X: x, Y: p.y.At(min(v, p.y.Hi))}}, 7.5, p.Rule2)
		}
	}
	return any
}

// names writes each side's name after the end of its line, apart from the other's.
func (p *stepPlot) names(heads [2]string, ends [2]float64) {
	if gap := ends[1] - ends[0]; ends[0] > 0 && math.Abs(gap) < 15 {
		middle, half := float64((ends[0]+ends[1])/2), math.Copysign(7.5, gap)
		ends = [2]float64{middle - half, middle + half}
	}
	for i, y := range ends {
		if y > 0 {
			p.Text(stepRight+10, y+4, "start", p.Side(i), p.Small, false, Line(heads[i]))
		}
	}
}
