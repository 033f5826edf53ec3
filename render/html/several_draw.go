package html

import (
	"fmt"
	"math"
	"strings"

	"perfdiff/analyze/run"
	"perfdiff/diff"
	"perfdiff/diff/cause"
	"perfdiff/diff/verdict"
	"perfdiff/render/number"
	"perfdiff/render/words"
)

// Pictures of several candidates are small and stand on one axis, so that they can be compared
// with each other by eye.

// intervalMark is an estimate with its interval, on the axis of all candidates, from 0 to
// markWidth.
type intervalMark struct {
	Zero, From, To, At, Lo, Hi string
	Below, Above               bool // it goes on beyond the axis
	Width                      int
}

const markWidth = 260

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
	lo, hi = min(lo, -2*threshold), max(hi, 2*threshold)
	x := func(v float64) string { return coordinate(markWidth * (min(max(v, lo), hi) - lo) / (hi - lo)) }
	for i, r := range s.Candidates {
		if c := stepInterval(r); c != nil {
			p.Candidates[i].Mark = &intervalMark{
				Zero: x(0), From: x(-c.Threshold), To: x(c.Threshold), At: x(c.Estimate), Lo: x(c.Lo), Hi: x(c.Hi),
				Below: c.Lo < lo, Above: c.Hi > hi, Width: markWidth,
			}
		}
	}
	p.Axis = fmt.Sprintf("Intervals are drawn from %s to %s%%; the line is no change, the band is \u00b1%s, which is the threshold. Left is faster.",
		number.Signed(sixDigits(lo*100)), number.Signed(sixDigits(hi*100))+number.Space, number.Setting(threshold))
}

// stepInterval returns the step time with an interval, nil where nothing is judged.
func stepInterval(r *diff.Report) *verdict.Comparison {
	c := verdict.MetricOf(r.Metrics, run.StepTime)
	if c == nil || !hasVerdict(r) || !c.Relative || math.IsNaN(c.Estimate+c.Lo+c.Hi) {
		return nil
	}
	return c
}

// stepPanel is the picture of the steps of one pair.
type stepPanel struct {
	Base, Cand   []panelLine
	Grid         []plotPlace
	First, Last  string // step numbers
	Label        string
	Width, Right float64
}

// panelLine is a line without a break, and the range of the steps that share a place on it.
type panelLine struct{ Points, Band string }

// The frame of a panel, and the most places along it: more steps share a place, as their median
// and their reach.
const (
	panelWidth, panelHeight = 360.0, 150.0
	panelLeft, panelBottom  = 44.0, 128.0
	panelTop                = 8.0
	panelPlaces             = 150
)

// drawSteps draws the steps of each pair on one axis of time.
func (p *severalPage) drawSteps(s *diff.Several) {
	top := 0.0
	for _, r := range s.Candidates {
		for _, x := range r.Steps {
			for _, v := range []float64{x.Base.Median, x.Cand.Median} {
				if v > top {
					top = v
				}
			}
		}
	}
	if top == 0 {
		return
	}
	sc := number.ScaleOf("s", top)
	ceiling, most := niceCeiling(top*sc.Factor), 1
	for i, r := range s.Candidates {
		if len(r.Steps) == 0 {
			continue
		}
		each := (len(r.Steps) + panelPlaces - 1) / panelPlaces
		most = max(most, each)
		p.Candidates[i].Panel = panelOf(r, sc, ceiling, each)
	}
	p.Steps = fmt.Sprintf("Median step over ranks, in %s, from 0 to %s in all pictures. A line breaks where steps are left out.", sc.Name, number.Format(ceiling))
	if most > 1 {
		p.Steps += fmt.Sprintf(" Up to %d steps share a place: the line is their median, the band goes from their shortest to their longest.", most)
	}
}

func panelOf(r *diff.Report, sc number.Scale, ceiling float64, each int) *stepPanel {
	out := &stepPanel{
		First: fmt.Sprint(r.Steps[0].Number), Last: fmt.Sprint(r.Steps[len(r.Steps)-1].Number), Width: panelWidth, Right: panelWidth,
		Label: "Step times of " + words.Called(r, 0) + " and " + words.Called(r, 1),
	}
	y := func(v float64) float64 { return panelBottom - float64((panelBottom-panelTop)*(v/ceiling)) }
	for i := range 3 {
		v := ceiling * float64(i) / 2
		out.Grid = append(out.Grid, plotPlace{Y: coordinate(y(v)), Text: number.Format(v)})
	}
	places := (len(r.Steps) + each - 1) / each
	x := func(i int) float64 {
		return panelLeft + float64((panelWidth-panelLeft-4)*((float64(i)+0.5)/float64(places)))
	}
	side := func(of func(*cause.StepPoint) float64) []panelLine {
		return linesOf(r.Steps, each, of, x, func(v float64) float64 { return y(v * sc.Factor) })
	}
	out.Base = side(func(p *cause.StepPoint) float64 { return p.Base.Median })
	out.Cand = side(func(p *cause.StepPoint) float64 { return p.Cand.Median })
	return out
}

// linesOf returns the lines of a side, broken where steps are left out or missing.
func linesOf(points []cause.StepPoint, each int, of func(*cause.StepPoint) float64, x func(int) float64, y func(float64) float64) (out []panelLine) {
	var line, upper, lower []string
	end := func() {
		if len(line) == 1 { // one place alone would not be seen
			line = append(line, line[0])
		}
		if len(line) > 0 {
			one := panelLine{Points: strings.Join(line, " ")}
			if each > 1 {
				for i := len(lower) - 1; i >= 0; i-- {
					upper = append(upper, lower[i])
				}
				one.Band = strings.Join(upper, " ")
			}
			out = append(out, one)
		}
		line, upper, lower = nil, nil, nil
	}
	for i := 0; i*each < len(points); i++ {
		var v []float64
		for k := i * each; k < min((i+1)*each, len(points)); k++ {
			if m := of(&points[k]); !points[k].Omission.Omitted() && !math.IsNaN(m) {
				v = append(v, m)
			}
		}
		if len(v) == 0 {
			end()
			continue
		}
		at := func(q float64) string { return coordinate(x(i)) + "," + coordinate(y(interpolatedQuantile(v, q))) }
		line, upper, lower = append(line, at(0.5)), append(upper, at(1)), append(lower, at(0))
	}
	end()
	return out
}

// partBars are two bars: the mean step of both sides by its parts.
type partBars struct {
	Label string
	Rows  []partBar
}

type partBar struct {
	Name, Total string
	Pieces      []barPiece
	End         string // where the bar ends
	Y, TextY    int
}

type barPiece struct{ Key, Text, X, W string }

// The width of the longest bar, where it begins, and how far bars are apart.
const (
	barLeft, barRight = 70.0, 300.0
	barPitch          = 24
)

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
		bars := &partBars{Label: "Mean step of " + words.Called(r, 0) + " and " + words.Called(r, 1) + " by its parts"}
		for side, name := range []string{"baseline", "candidate"} {
			bar := partBar{Name: name, Y: side * barPitch, TextY: side*barPitch + 13}
			at, total := barLeft, 0.0
			for _, part := range r.Waterfall.Parts {
				v := [2]float64{part.Base, part.Cand}[side]
				w := float64((barRight - barLeft) * (v / longest))
				if w > 0 {
					bar.Pieces = append(bar.Pieces, barPiece{part.Kind, words.StepPart(part.StepPart) + ": " + sc.With(v), coordinate(at), coordinate(w)})
					at += w
				}
				total += v
			}
			bar.Total, bar.End = sc.With(total), coordinate(at+6)
			bars.Rows = append(bars.Rows, bar)
		}
		p.Candidates[i].Bars = bars
	}
}
