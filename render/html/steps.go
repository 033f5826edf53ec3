package html

import (
	"fmt"
	"math"
	"slices"
	"strconv"

	"perfdiff/analyze/run"
	"perfdiff/analyze/source/remedy"
	"perfdiff/diff"
	"perfdiff/diff/cause"
	"perfdiff/diff/verdict"
	"perfdiff/render/number"
	"perfdiff/render/picture"
	"perfdiff/render/plot"
	"perfdiff/render/words"
)

// maxColumns is how many steps a chart shows singly. Of more, neighbours are joined.
const maxColumns = 600

// stepColumn is one column of the step chart: a step, or several neighbours.
type stepColumn struct {
	name       string
	index      int // of its first step
	dropped    string
	base, cand cause.StepSide
}

// stepColumns returns the columns of the step charts: single steps up to maxColumns, else the extremes of neighbours,
// with their fastest and slowest ranks. each is the number of steps in a column.
func (s *sheet) stepColumns() (cols []stepColumn, each int) { return columnsOf(s.r.Steps) }

func columnsOf(points []cause.StepPoint) (cols []stepColumn, each int) {
	each = (len(points) + maxColumns - 1) / maxColumns
	if each > 1 {
		return thinnedColumns(points, each), each
	}
	for i := 0; i < len(points); i += max(each, 1) {
		group := points[i:min(i+each, len(points))]
		c := stepColumn{name: strconv.FormatInt(group[0].Number, 10), index: i, dropped: words.StepLeft(&group[0].Omission), base: group[0].Base, cand: group[0].Cand}
		cols = append(cols, c)
	}
	return cols, each
}

// thinnedColumns joins neighbours: each pair of columns stands for 2*each steps and shows the least and the largest of
// them, in the order in which they come, so that no extreme is lost.
func thinnedColumns(points []cause.StepPoint, each int) (cols []stepColumn) {
	for i := 0; i < len(points); i += 2 * each {
		both := points[i:min(i+2*each, len(points))]
		base := leastAndMost(both, func(p *cause.StepPoint) *cause.StepSide { return &p.Base })
		cand := leastAndMost(both, func(p *cause.StepPoint) *cause.StepSide { return &p.Cand })
		for k := 0; k < 2 && k*each < len(both); k++ {
			at := i + k*each
			cols = append(cols, stepColumn{name: strconv.FormatInt(points[at].Number, 10), index: at, base: base[k], cand: cand[k]})
		}
	}
	return cols
}

// leastAndMost returns the steps with the least and the largest median of a group, in their order, each with the
// fastest and the slowest rank of its half.
func leastAndMost(group []cause.StepPoint, side func(*cause.StepPoint) *cause.StepSide) (out [2]cause.StepSide) {
	out = [2]cause.StepSide{mergeSteps(group, side), mergeSteps(group, side)}
	least, most := -1, -1
	for i := range group {
		v := side(&group[i]).Median
		if group[i].Omission.Omitted() || math.IsNaN(v) {
			continue
		}
		if least < 0 || v < side(&group[least]).Median {
			least = i
		}
		if most < 0 || v >= side(&group[most]).Median {
			most = i
		}
	}
	if least >= 0 {
		first, last := min(least, most), max(least, most)
		out[0].Median, out[1].Median = side(&group[first]).Median, side(&group[last]).Median
	}
	return out
}

func mergeSteps(group []cause.StepPoint, side func(*cause.StepPoint) *cause.StepSide) cause.StepSide {
	var medians []float64
	out := cause.StepSide{Median: math.NaN(), Min: math.NaN(), Max: math.NaN()}
	for i := range group {
		p := side(&group[i])
		if group[i].Omission.Omitted() || math.IsNaN(p.Median) {
			continue
		}
		medians = append(medians, p.Median)
		if len(medians) == 1 {
			out.Min, out.Max = p.Min, p.Max
		}
		out.Min, out.Max = min(out.Min, p.Min), max(out.Max, p.Max)
	}
	if len(medians) > 0 {
		out.Median = interpolatedQuantile(medians, 0.5)
	}
	return out
}

func (s *sheet) stepSection() section {
	sec := section{ID: "steps", Nav: "Step by step", Title: "How did step time develop?"}
	if len(s.r.Steps) == 0 {
		sec.Reading = "Not known: no steps were found."
		sec.Blocks = []block{{Empty: &empty{What: "No steps in these captures.", How: stepHint(s.r)}}}
		return sec
	}
	cols, each := s.stepColumns()
	s.data.Charts["steps"] = s.stepChart(cols)
	note := "Line: median over ranks. Band: the fastest to the slowest rank. Beside the lines: the median step."
	if each > 1 {
		note += fmt.Sprintf(" Each two points are the least and the most of %d steps: no extreme is left out.", 2*each)
	}
	if len(s.data.LeftOut) > 0 && each == 1 {
		note += " Shaded: left out of every number."
	}
	if s.runCount() > 1 {
		note += " Thin lines: single runs."
	}
	sec.Reading = s.stepReading()
	sec.Blocks = []block{{
		Charts: []chart{{ID: "steps", Label: "Step time over steps for both sides"}},
		Note:   note, Values: s.stepTable().cutRows(),
	}}
	return appendBlock(sec, s.stabilityTable())
}

func stepHint(r *diff.Report) string {
	for _, side := range []*diff.Side{&r.Base, &r.Cand} {
		if side.Steps.Hint != "" {
			return number.Capital(side.Steps.Hint) + "."
		}
	}
	return "Put a range around each training step (" + remedy.For(remedy.StepRangeNames, r.Profilers) + "), or name one with --step-range."
}

// recordKernels says how to record kernels with the profiler that was used.
func (s *sheet) recordKernels() string {
	return "Record kernels with " + remedy.For(remedy.RecordKernels, s.r.Profilers)
}

// mostPoints is from how many steps on a line has no points. Chosen, not measured.
const mostPoints = 60

func (s *sheet) runCount() int { return max(len(s.r.Base.Runs), len(s.r.Cand.Runs)) }

// keptValues returns values of the steps that are not left out, in the page's unit.
func (s *sheet) keptValues(value func(*cause.StepPoint) float64) []float64 {
	out := []float64{}
	for i := range s.r.Steps {
		p := &s.r.Steps[i]
		if v := value(p); !p.Omission.Omitted() && !math.IsNaN(v) {
			out = append(out, sixDigits(v*s.ms.Factor))
		}
	}
	return out
}

func (s *sheet) stepReading() string {
	base := s.spread("baseline", s.keptValues(func(p *cause.StepPoint) float64 { return p.Base.Median }))
	cand := s.spread("candidate", s.keptValues(func(p *cause.StepPoint) float64 { return p.Cand.Median }))
	text := number.Capital(base) + "; " + cand + "."
	if n := len(s.data.LeftOut); n > 0 {
		text += fmt.Sprintf(" %s left out.", number.Capital(number.Word(n))+map[bool]string{true: " step is", false: " steps are"}[n == 1])
	}
	return text
}

func (s *sheet) spread(side string, v []float64) string {
	if len(v) == 0 {
		return side + " has no steps here"
	}
	lo, hi := interpolatedQuantile(v, 0), interpolatedQuantile(v, 1)
	if len(v) == 1 {
		return side + " has one step of " + number.With(lo, s.ms.Name)
	}
	return fmt.Sprintf("%s steps take %s to %s", side, number.Format(lo), number.With(hi, s.ms.Name))
}

// stepChart draws for each side a line, and a band from its fastest to its slowest rank. The band is made of two
// stacked areas, the lower one invisible.
func (s *sheet) stepChart(cols []stepColumn) chartData {
	names := make([]string, len(cols))
	top := 0.0
	for i, c := range cols {
		names[i] = c.name
		top = max(top, largestMagnitude(existing([]float64{c.base.Median, c.base.Max, c.cand.Median, c.cand.Max})...))
	}
	line := newLine(place{"steps", "96", "26"}, categoryAxis(names, ""), valueAxis(s.ms.Name, "@tick", plot.Ceiling(top*s.ms.Factor)), names)
	s.runLines(line, cols)
	sideLines(line, cols, s.ms.Factor)
	return chartData{Option: line.option(), Height: 260, Narrow: 240, Title: "Step", Unit: s.ms.Name, Pick: "step", Mark: "steps", Extra: s.addLevels(s.addMedians(droppedColumns(cols), s.mainMetric(run.StepTime), s.ms), cols)}
}

// droppedColumns returns the columns that are left out, to be shaded, and why the first one is.
func droppedColumns(cols []stepColumn) map[string]any {
	out := []int{}
	at := make([]int, len(cols))
	why := ""
	for i, c := range cols {
		at[i] = c.index
		if c.dropped != "" {
			out = append(out, i)
			if why == "" {
				why = "step " + c.name + " is left out: " + c.dropped
			}
		}
	}
	if len(out) > 1 {
		why = number.Counted(len(out), "step") + " left out"
	}
	extra := map[string]any{"leftOut": out, "why": why, "first": at, "key": run.StepTime}
	if breaks := captureBreaks(cols); breaks != nil {
		extra["breaks"] = breaks
	}
	return extra
}

// captureBreaks returns the columns before which steps were not captured: their numbers go on after a gap that is
// larger than usual. No line joins two captures.
func captureBreaks(cols []stepColumn) (out []int) {
	number := func(i int) int64 { v, _ := strconv.ParseInt(cols[i].name, 10, 64); return v }
	usual := map[int64]int{}
	for i := 1; i < len(cols); i++ {
		usual[number(i)-number(i-1)]++
	}
	most := int64(1)
	for by, n := range usual {
		if n > usual[most] || n == usual[most] && by < most {
			most = by
		}
	}
	for i := 1; i < len(cols); i++ {
		if number(i)-number(i-1) > 2*most {
			out = append(out, i)
		}
	}
	return out
}

// addMedians adds the texts at the lines' ends, the medians that are compared and not the values at the ends, and the
// stripe of no change.
func (s *sheet) addMedians(extra map[string]any, c *verdict.Comparison, sc number.Scale) map[string]any {
	if c != nil && !math.IsNaN(c.Base) && !math.IsNaN(c.Cand) {
		extra["median"] = []float64{sixDigits(c.Base * sc.Factor), sixDigits(c.Cand * sc.Factor)}
		extra["stripe"] = stripeOf(s.r, c, sc)
	}
	return extra
}

// stripeOf returns what counts as no change of a metric: from, to, and what it is; nil for one that is not judged.
func stripeOf(r *diff.Report, c *verdict.Comparison, sc number.Scale) []any {
	if lo, hi, name := picture.Band(r, c); name != "" {
		return []any{sixDigits(lo * sc.Factor), sixDigits(hi * sc.Factor), "grey: " + name}
	}
	return nil
}

// levelMark is a place at which a run changes to another level.
type levelMark struct {
	At   int    `json:"at"`   // column of the first step on the new level
	Side int    `json:"side"` // 0: baseline, 1: candidate
	Text string `json:"text"` // "": another mark of the side says it
}

// addLevels adds the places where runs change to another level, with a text at the first one of
// each side.
func (s *sheet) addLevels(extra map[string]any, cols []stepColumn) map[string]any {
	var marks []levelMark
	for i, side := range []*diff.Side{&s.r.Base, &s.r.Cand} {
		said := false
		for _, c := range side.Stability {
			if c.Level == nil || len(marks) == maxRunLines {
				continue
			}
			m := levelMark{At: s.columnOf(c.Level.Step, cols), Side: i}
			if !said {
				m.Text = fmt.Sprintf("step %d: %s", c.Level.Step, number.SignedWith(100*c.Level.Change, "%"))
			}
			marks, said = append(marks, m), true
		}
	}
	if marks != nil {
		extra["levels"] = marks
	}
	return extra
}

// columnOf returns the index of the column that shows a step.
func (s *sheet) columnOf(step int64, cols []stepColumn) int {
	index := slices.IndexFunc(s.r.Steps, func(p cause.StepPoint) bool { return p.Number == step })
	at := 0
	for at+1 < len(cols) && cols[at+1].index <= index {
		at++
	}
	return at
}

// sideLines adds a line with its band for each side, of values times a factor.
func sideLines(line drawing, cols []stepColumn, f float64) {
	sideLine(line, cols, f, "Baseline", baseColor, func(c *stepColumn) *cause.StepSide { return &c.base })
	sideLine(line, cols, f, "Candidate", candColor, func(c *stepColumn) *cause.StepSide { return &c.cand })
}

func sideLine(line drawing, cols []stepColumn, f float64, name, color string, side func(*stepColumn) *cause.StepSide) {
	low, high, median := make([]any, len(cols)), make([]any, len(cols)), make([]any, len(cols))
	for i := range cols {
		p := side(&cols[i])
		low[i], high[i], median[i] = chartValue(p.Min*f), chartValue((p.Max-p.Min)*f), chartValue(p.Median*f)
	}
	line.series("_low "+name, low, band(name, ""))
	line.series("_band "+name, high, band(name, color))
	symbol, fill := "circle", color
	if len(cols) > mostPoints {
		symbol = "none"
	}
	if color == baseColor {
		fill = "$paper"
	}
	line.series(name, median, dotted(symbol, fill, color))
}

// maxRunLines is the largest number of thin lines for single runs: more could not be told apart.
const maxRunLines = 20

func (s *sheet) runLines(line drawing, cols []stepColumn) {
	if s.runCount() < 2 || len(cols) != len(s.r.Steps) {
		return
	}
	for _, side := range []struct {
		name, color string
		of          func(*cause.StepPoint) *cause.StepSide
		runs        int
	}{
		{"baseline", baseColor, func(p *cause.StepPoint) *cause.StepSide { return &p.Base }, len(s.r.Base.Runs)},
		{"candidate", candColor, func(p *cause.StepPoint) *cause.StepSide { return &p.Cand }, len(s.r.Cand.Runs)},
	} {
		for run := range min(side.runs, maxRunLines) {
			data := make([]any, len(cols))
			for i := range data {
				data[i] = missingPoint
				if per := side.of(&s.r.Steps[i]).PerRun; run < len(per) {
					data[i] = chartValue(per[run] * s.ms.Factor)
				}
			}
			line.series("_run "+side.name, data, faint(side.color))
		}
	}
}

func (s *sheet) stepTable() *table {
	u := s.ms.Name
	t := &table{Label: "Step times", Heads: heads("Step", "Baseline, "+u, "Fastest rank, "+u, "Slowest rank, "+u, "Candidate, "+u, "Fastest rank, "+u, "Slowest rank, "+u, "Change, "+u)}
	for i, p := range s.r.Steps {
		name := strconv.FormatInt(p.Number, 10)
		if p.Omission.Omitted() {
			name += " (left out: " + words.StepLeft(&p.Omission) + ")"
		}
		cells := []cell{headCell(name)}
		for _, v := range []float64{p.Base.Median, p.Base.Min, p.Base.Max, p.Cand.Median, p.Cand.Min, p.Cand.Max} {
			cells = append(cells, numberCell(v*s.ms.Factor))
		}
		cells = append(cells, cell{Text: alignNumber(number.Signed((p.Cand.Median - p.Base.Median) * s.ms.Factor))})
		t.Rows = append(t.Rows, row{Cells: cells, Step: strconv.Itoa(i)})
	}
	return t
}
