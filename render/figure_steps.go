package render

import (
	"fmt"
	"math"

	"perfdiff/diff"
	"perfdiff/diff/cause"
	"perfdiff/render/number"
)

// Where the steps are drawn, in pixels.
const stepLeft, stepRight, stepHigh, stepLow = 56, 650, 36, 270

// maxStepMarks is up to how many steps each gets a mark on the line. Chosen, not measured: more of them touch each
// other.
const maxStepMarks = 60

// stepPlot is a figure of step times with its scales.
type stepPlot struct {
	*figure
	steps []cause.StepPoint
	apart int64   // what numbers of neighbouring steps differ by
	top   float64 // s, at the upper edge
}

// stepFigure returns the step times of both sides; nil without steps.
func stepFigure(r *diff.Report) *figure {
	p := stepPlot{steps: r.Steps, top: highestStep(r.Steps)}
	if len(p.steps) < 2 || p.top == 0 {
		return nil
	}
	heads := figureHeads(r)
	p.figure = &figure{name: "steps", title: "Step time", width: 760, height: 312}
	p.caption = "Step time, the median over ranks: " + heads[0] + " with open marks, " + heads[1] + " with filled ones."
	p.apart = math.MaxInt64
	for i := range p.steps[1:] {
		p.apart = min(p.apart, p.steps[i+1].Number-p.steps[i].Number)
	}
	sc := number.ScaleOf("s", p.top)
	p.top = niceCeiling(p.top*sc.Factor) / sc.Factor
	p.axes(sc)
	sides := [2]func(*cause.StepPoint) cause.StepSide{
		func(s *cause.StepPoint) cause.StepSide { return s.Base }, func(s *cause.StepPoint) cause.StepSide { return s.Cand },
	}
	inks, fills := [2]string{baseInk, candInk}, [2]string{paperInk, candInk}
	banded := p.bands(inks[0], sides[0])
	banded = p.bands(inks[1], sides[1]) || banded
	if banded {
		p.caption += " Bands reach from the fastest to the slowest rank."
	}
	var ends [2]float64
	for i := range sides {
		ends[i] = p.curve(inks[i], fills[i], sides[i])
	}
	if p.leftOut(sc, sides) {
		p.caption += " Grey circles, which no line joins: steps that are left out of all numbers; where they lie above the scale, their value stands at its edge."
	}
	p.names(heads, inks, ends)
	return p.figure
}

// highestStep returns the largest value of the used steps, in s, or of all steps if none is used: that of the slowest
// rank, where it is known.
func highestStep(steps []cause.StepPoint) float64 {
	used, all := 0.0, 0.0
	for i := range steps {
		s := &steps[i]
		for _, v := range []float64{s.Base.Median, s.Cand.Median, s.Base.Max, s.Cand.Max} {
			if v > all { // not NaN
				all = v
			}
			if v > used && s.Omission == (cause.Omission{}) {
				used = v
			}
		}
	}
	if used == 0 {
		return all
	}
	return used
}

func (p *stepPlot) y(v float64) float64 { return stepLow - float64(v/p.top*(stepLow-stepHigh)) }
func (p *stepPlot) x(i int) float64 {
	return stepLeft + float64(float64(i)/float64(len(p.steps)-1)*(stepRight-stepLeft))
}

func (p *stepPlot) axes(sc number.Scale) {
	grid := 5
	if unit := math.Pow(10, math.Floor(math.Log10(p.top*sc.Factor))); math.Mod(math.Round(p.top*sc.Factor/unit*10), 20) == 0 {
		grid = 4 // 2, 4, 6 and 8 are cut into quarters
	}
	for i := range grid + 1 {
		v := p.top * float64(i) / float64(grid)
		p.line(stepLeft, p.y(v), stepRight, p.y(v), ruleInk)
		p.text(stepLeft-8, p.y(v)+4, "end", textInk, number.Format(v*sc.Factor))
	}
	p.text(stepLeft-8, stepHigh-12, "end", textInk, sc.Name)
	for i := 0; i < len(p.steps); i += max(1, len(p.steps)/8) {
		p.text(p.x(i), stepLow+20, "middle", textInk, fmt.Sprint(p.steps[i].Number))
	}
	p.text((stepLeft+stepRight)/2, stepLow+38, "middle", textInk, "step")
}

// stretches returns the steps that a line joins, by index: used ones with no number missing between them.
func (p *stepPlot) stretches(of func(*cause.StepPoint) cause.StepSide) [][]int {
	var out [][]int
	joined := false
	for i := range p.steps {
		s := &p.steps[i]
		if s.Omission != (cause.Omission{}) || math.IsNaN(of(s).Median) {
			joined = false
			continue
		}
		if !joined || s.Number-p.steps[i-1].Number > p.apart {
			out = append(out, nil)
		}
		last := len(out) - 1
		out[last], joined = append(out[last], i), true
	}
	return out
}

// bands fills what lies between the fastest and the slowest rank, and says whether there is any.
func (p *stepPlot) bands(ink string, of func(*cause.StepPoint) cause.StepSide) bool {
	any := false
	for _, stretch := range p.stretches(of) {
		var over, under []point
		for _, i := range stretch {
			s := of(&p.steps[i])
			if !(s.Max > s.Min) {
				continue
			}
			over = append(over, point{p.x(i), p.y(s.Max)})
			under = append([]point{{p.x(i), p.y(s.Min)}}, under...)
		}
		if len(over) > 1 {
			p.area(append(over, under...), ink, true)
			any = true
		}
	}
	return any
}

// curve draws the medians of one side and returns at which height they end; 0 where there are none.
func (p *stepPlot) curve(ink, fill string, of func(*cause.StepPoint) cause.StepSide) float64 {
	end := 0.0
	for _, stretch := range p.stretches(of) {
		var line []point
		for _, i := range stretch {
			line = append(line, point{p.x(i), p.y(of(&p.steps[i]).Median)})
		}
		if end = line[len(line)-1].y; len(line) > 1 {
			p.path(line, ink, 2)
		}
		for _, at := range line {
			if len(p.steps) <= maxStepMarks || len(line) == 1 {
				p.circle(at, 3, ink, fill)
			}
		}
	}
	return end
}

// leftOut marks the steps that do not enter, and says whether there are any.
func (p *stepPlot) leftOut(sc number.Scale, sides [2]func(*cause.StepPoint) cause.StepSide) bool {
	any := false
	for i := range p.steps {
		if p.steps[i].Omission == (cause.Omission{}) {
			continue
		}
		for k, of := range sides {
			v := of(&p.steps[i]).Median
			if math.IsNaN(v) {
				continue
			}
			any = true
			if v > p.top {
				p.text(p.x(i), float64(stepHigh-4-12*k), "middle", sameInk, sc.With(v))
				v = p.top
			}
			p.circle(point{p.x(i), p.y(v)}, 3, sameInk, paperInk)
		}
	}
	return any
}

// names writes each side's name after the end of its line, apart from the other's.
func (p *stepPlot) names(heads, inks [2]string, ends [2]float64) {
	const apart = 15.0
	y := ends
	if y[0] > 0 && y[1] > 0 && math.Abs(y[0]-y[1]) < apart {
		up, down := 0, 1
		if y[1] < y[0] {
			up, down = 1, 0
		}
		middle := float64((y[0] + y[1]) / 2)
		y[up], y[down] = middle-apart/2, middle+apart/2
	}
	for i := range heads {
		if y[i] > 0 {
			p.text(stepRight+10, y[i]+4, "start", inks[i], heads[i])
		}
	}
}

// niceCeiling returns the next round number from v up.
func niceCeiling(v float64) float64 {
	unit := math.Pow(10, math.Floor(math.Log10(v)))
	for _, k := range []float64{1, 1.5, 2, 2.5, 3, 4, 5, 6, 8, 10} {
		if k*unit >= v {
			return k * unit
		}
	}
	return 10 * unit
}
