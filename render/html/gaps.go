package html

import (
	"fmt"
	"math"

	"perfdiff/analyze/run"
	"perfdiff/analyze/source/remedy"
	"perfdiff/diff/cause"
	"perfdiff/render/number"
	"perfdiff/render/words"
)

// gapSection shows how long the device is idle between work.
func (s *sheet) gapSection() section {
	sec := section{ID: "gaps", Nav: "GPU gaps", Title: "How long are the gaps on the GPU?"}
	if len(s.r.Gaps) == 0 {
		sec.Reading = "Not known: no gaps were measured."
		sec.Blocks = []block{{Empty: lacks(remedy.Kernels)}}
		return sec
	}
	s.data.Charts["gaps"] = s.gapChart()
	sec.Reading = s.gapReading()
	sec.Blocks = []block{{
		Legend: []legend{{"b", "Baseline"}, {"c", "Candidate"}},
		Charts: []chart{{ID: "gaps", Label: "Histogram of gap lengths on both sides"}},
		Note:   "Gaps per rank and " + s.perUnit() + ", ten bins a decade; both axes are logarithmic. A gap is a time in which no stream of the GPU has work.",
		Table:  s.gapSummary(), Values: s.gapTable().cutRows(),
	}}
	sec.Blocks = append(sec.Blocks, s.idleCauseBlocks()...)
	return sec
}

func (s *sheet) gapReading() string {
	if c := s.captureMetric("gap_rate"); c != nil && !math.IsNaN(c.Delta) {
		return fmt.Sprintf("Per second of the device %s gaps of at least 1\u202f\u00b5s come in the baseline and %s in the candidate.", number.Format(c.Base), number.Format(c.Cand))
	}
	p90, total := s.anyMetric(run.GapP90), s.anyMetric(run.GapTime)
	if total == nil || p90 == nil {
		return "Gaps by their length, for each rank and " + s.perUnit() + "."
	}
	all, long := words.RowOf(total), words.RowOf(p90)
	if long.Base == long.Cand {
		return fmt.Sprintf("Gaps take %s per step in the baseline and %s in the candidate; nine in ten are at most %s on both sides.", all.Base, all.Cand, long.Base)
	}
	return fmt.Sprintf("Gaps take %s per step in the baseline and %s in the candidate; nine in ten are at most %s and %s.", all.Base, all.Cand, long.Base, long.Cand)
}

func (s *sheet) gapSummary() *table {
	t := &table{Label: "Gaps", Heads: heads("Gaps per step", "Baseline", "Candidate", "Change")}
	for _, m := range []struct{ name, text string }{
		{run.GapCount, "Number"}, {run.GapTime, "Total"}, {run.GapP50, "Half are at most"}, {run.GapP90, "90 % are at most"}, {run.GapP99, "99 % are at most"},
	} {
		c := s.anyMetric(m.name)
		if c == nil {
			continue
		}
		t.Rows = append(t.Rows, row{Cells: append([]cell{headCell(m.text)}, s.threeCells(c)...)})
	}
	if len(t.Rows) == 0 {
		return nil
	}
	return t
}

// minGapShare is the least share of the longest bar at which a bar of the histogram is drawn.
const minGapShare = 1e-6

// lowerEdgeOfBin returns where a bin begins on a logarithmic axis, in s. The first bin also holds everything shorter,
// and is drawn from 1 µs.
func lowerEdgeOfBin(b *cause.GapBin) float64 { return max(b.From, 1e-6) }

// gapChart returns the histogram of gaps as a line of steps.
func (s *sheet) gapChart() chartData {
	low, top := math.Inf(1), 0.0
	from, to := math.Inf(1), 0.0
	for _, b := range s.r.Gaps {
		for _, v := range []float64{b.Base, b.Cand} {
			if v > 0 && !math.IsInf(v, 0) {
				low, top = min(low, v), max(top, v)
				from, to = min(from, lowerEdgeOfBin(&b)), max(to, b.To)
			}
		}
	}
	if top == 0 {
		low, top, from, to = 1, 1, 1e-6, 1
	}
	decade := func(v float64, round func(float64) float64) float64 { return math.Pow(10, round(math.Log10(v))) }
	ceil := decade(top*1.0001, math.Ceil)
	floor := max(decade(low, math.Floor), ceil*minGapShare)
	x := scaleAxis("log", "gap length", "@micro", decade(from*1e6*1.01, math.Floor), decade(to*1e6*0.99, math.Ceil), ruledLine(), noSplitLines())
	y := valueAxis("per rank and "+s.perUnit(), "@plain", ceil)
	y.Type, y.Min = "log", floor
	line := newLine(place{"gaps", "16", "42"}, x, y, nil)
	s.gapLine(line, "Baseline", baseColor, floor, func(b *cause.GapBin) float64 { return b.Base })
	s.gapLine(line, "Candidate", candColor, floor, func(b *cause.GapBin) float64 { return b.Cand })
	return chartData{Option: line.option(), Height: 240, Unit: "gaps", Mark: "gaps"}
}

func (s *sheet) gapLine(line drawing, name, color string, floor float64, of func(*cause.GapBin) float64) {
	var data []any
	for i := range s.r.Gaps {
		b := &s.r.Gaps[i]
		point := []any{sixDigits(lowerEdgeOfBin(b) * 1e6), chartValue(of(b))}
		if v := of(b); !(v > floor) || math.IsInf(v, 0) { // drawn on the axis, told as it is
			point = []any{point[0], floor, chartValue(v)}
		}
		data = append(data, point)
	}
	data = append(data, []float64{sixDigits(s.r.Gaps[len(s.r.Gaps)-1].To * 1e6), floor, 0})
	look := solid(color, 2, "end", 0.15)
	look.area.Origin = "start"
	line.series(name, data, look)
}

func (s *sheet) gapTable() *table {
	t := &table{Label: "Histogram of gap lengths", Heads: heads("From", "To", "Baseline, gaps per rank and "+s.perUnit(), "Candidate, gaps per rank and "+s.perUnit())}
	for _, b := range s.r.Gaps {
		if b.Base == 0 && b.Cand == 0 {
			continue
		}
		t.Rows = append(t.Rows, row{Cells: []cell{headCell(number.GapScale(b.From).With(b.From)), textCell(number.GapScale(b.To).With(b.To), ""), numberCell(b.Base), numberCell(b.Cand)}})
	}
	return t
}
