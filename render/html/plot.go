package html

import (
	"fmt"
	"math"
	"strings"

	"perfdiff/diff"
	"perfdiff/render/number"
	"perfdiff/render/words"
)

// plot is a picture of lines over time or steps, drawn on the server.
type plot struct {
	Label, Unit, First, Last string
	Top                      float64 // where the axis ends, in Unit; 0: where the lines need
	Grid                     []plotPlace
	Lines                    []plotLine
}

// plotLine is a line without a break, with its band; "" it has none.
type plotLine struct{ Class, Points, Band string }

// plotSeries holds the values of one line, in the plot's unit, NaN where it breaks. lo and hi are the ends of its
// band; nil: it has none.
type plotSeries struct {
	class       string
	mid, lo, hi []float64
}

// The frame of a plot, and the most points of a line: if there are more, several are drawn as their mean and largest
// band.
const (
	plotLeft, plotRight = 60.0, 1090.0
	plotTop, plotBottom = 24.0, 230.0
	plotPoints          = 600
)

// draw draws the lines on an axis that begins at 0.
func (p *plot) draw(all []plotSeries) {
	top := 0.0
	for i := range all {
		all[i].thin()
		for _, v := range [][]float64{all[i].mid, all[i].hi} {
			top = max(top, largestMagnitude(existing(v)...))
		}
	}
	if p.Top == 0 {
		p.Top = niceCeiling(top)
	}
	y := func(v float64) string {
		return coordinate(plotBottom - float64((plotBottom-plotTop)*(v/p.Top)))
	}
	parts := roundParts(p.Top)
	for i := range parts + 1 {
		v := p.Top * float64(i) / float64(parts)
		p.Grid = append(p.Grid, plotPlace{Y: y(v), Text: number.Format(v)})
	}
	for _, s := range all {
		x := func(i float64) string {
			return coordinate(plotLeft + float64((plotRight-plotLeft)*((i+0.5)/float64(len(s.mid)))))
		}
		p.Lines = append(p.Lines, s.lines(x, y)...)
	}
}

// thin puts neighbours together where there are more than places.
func (s *plotSeries) thin() {
	each := (len(s.mid) + plotPoints - 1) / plotPoints
	if each <= 1 {
		return
	}
	var mid, lo, hi []float64
	for i := 0; i < len(s.mid); i += each {
		group := existing(s.mid[i:min(i+each, len(s.mid))])
		mid, lo, hi = append(mid, mean(group)), append(lo, interpolatedQuantile(group, 0)), append(hi, interpolatedQuantile(group, 1))
	}
	s.mid, s.lo, s.hi = mid, lo, hi
}

// lines returns the lines of a series, broken where values are missing.
func (s *plotSeries) lines(x func(float64) string, y func(float64) string) (out []plotLine) {
	var line, upper, lower []string
	end := func(i int) {
		if len(line) == 1 { // one point alone would not be seen
			line = []string{x(float64(i)-0.1) + "," + y(s.mid[i]), x(float64(i)+0.1) + "," + y(s.mid[i])}
		}
		if len(line) > 0 {
			one := plotLine{Class: s.class, Points: strings.Join(line, " ")}
			for i := len(lower) - 1; i >= 0; i-- {
				upper = append(upper, lower[i])
			}
			one.Band = strings.Join(upper, " ")
			out = append(out, one)
		}
		line, upper, lower = nil, nil, nil
	}
	for i, v := range s.mid {
		if math.IsNaN(v) {
			end(i - 1)
			continue
		}
		line = append(line, x(float64(i))+","+y(v))
		if s.lo != nil && !math.IsNaN(s.lo[i]+s.hi[i]) {
			upper, lower = append(upper, x(float64(i))+","+y(s.hi[i])), append(lower, x(float64(i))+","+y(s.lo[i]))
		}
	}
	end(len(s.mid) - 1)
	return out
}

// meanOfRanks returns the mean over ranks of a course in half percents, in percent.
func meanOfRanks(ranks []diff.RankActivity, pick func(*diff.RankActivity) []uint8) (out []float64) {
	var count []float64
	for i := range ranks {
		for k, v := range pick(&ranks[i]) {
			if k == len(out) {
				out, count = append(out, 0), append(count, 0)
			}
			out[k], count[k] = out[k]+float64(float64(v)/2), count[k]+1
		}
	}
	for k := range out {
		out[k] /= count[k]
	}
	return out
}

// rankBars is a bar for each rank: its mean step by parts.
type rankBars struct {
	Label  string
	Rows   []partBar
	Height int
}

// rankBars draws the ranks; nil where the parts of no rank are known.
func (s *portraitSheet) rankBars() *rankBars {
	ranks, longest := s.r.Ranks[:min(len(s.r.Ranks), maxPortraitBars)], 0.0
	for i := range ranks {
		sum := 0.0
		for _, v := range existing(ranks[i].Cand.Parts) {
			sum += v
		}
		longest = max(longest, sum)
	}
	if longest == 0 {
		return nil
	}
	out := &rankBars{Label: "Mean step of each rank by its parts", Height: len(ranks) * barPitch}
	for i := range ranks {
		bar := partBar{Name: fmt.Sprint("rank ", ranks[i].Rank), Y: i * barPitch, TextY: i*barPitch + 13}
		at, total := barLeft, 0.0
		for k, v := range ranks[i].Cand.Parts {
			part := &s.r.Waterfall.Parts[k]
			if w := float64((plotRight - 90 - barLeft) * (v / longest)); w > 0 {
				bar.Pieces = append(bar.Pieces, barPiece{part.Kind, words.StepPart(part.StepPart) + ": " + s.ms.With(v), coordinate(at), coordinate(w)})
				at, total = at+w, total+v
			}
		}
		bar.Total, bar.End = s.ms.With(total), coordinate(at+6)
		out.Rows = append(out.Rows, bar)
	}
	return out
}

// plotPlace is a mark of a plot with its text.
type plotPlace struct{ Y, Text string }

func coordinate(v float64) string { return fmt.Sprintf("%.1f", v) }
