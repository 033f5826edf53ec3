package html

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"perfdiff/analyze/run"
	"perfdiff/analyze/source/remedy"
	"perfdiff/diff"
	"perfdiff/diff/cause"
	"perfdiff/diff/verdict"
	"perfdiff/render/number"
	"perfdiff/render/plot"
	"perfdiff/render/words"
)

// levelMetric is something that has a level in each step: an amount of memory, a clock.
type levelMetric struct {
	metric, name string // name: "Peak of allocated memory"
	parts        bool   // each part has a level of its own: the power of the board, of the module
}

// levelMetrics lists the metrics that the page draws over steps, two in a row.
var levelMetrics = []levelMetric{
	{run.MemoryAllocatedPeak, "Peak of allocated memory", false},
	{run.MemoryReservedPeak, "Peak of reserved memory", false},
	{run.GPUClock, "Clock", false},
	{run.GPUPower, "Power", true},
	{run.GPUTemperature, "Temperature", true},
}

// mostLevelParts is how many parts of a metric are drawn.
const mostLevelParts = 2

// level is one that was recorded, on a side at least.
type level struct {
	key, name string // key: "gpu_power/Board", as ranks have their values
	c         *verdict.Comparison
	scale     number.Scale
}

// levels returns the levels that were recorded, in the order of the page.
func (s *sheet) levels() (out []level) {
	add := func(key, name string, c *verdict.Comparison) {
		if c != nil && c.Runs != [2]int{} {
			out = append(out, level{key, name, c, s.scaleOfValues(key, c.Metric.Unit)})
		}
	}
	for _, m := range levelMetrics {
		if !m.parts {
			add(m.metric, m.name, s.anyMetric(m.metric))
			continue
		}
		n := 0
		for i := range s.r.Parts {
			if c := &s.r.Parts[i]; c.Key.Metric == m.metric && c.Part != "" && n < mostLevelParts {
				add(m.metric+"/"+c.Part, m.name+" ("+c.Part+")", c)
				n++
			}
		}
	}
	return out
}

// levelSection shows what the device held, and how it ran, over the steps, or what would record
// it. Without steps there is no section.
func (s *sheet) levelSection() section {
	all := s.levels()
	if len(s.r.Steps) == 0 {
		return section{}
	}
	sec := section{ID: run.SectionLevels, Reading: s.levelReading(all)}
	sec.Nav, sec.Title = "Memory and clocks", "How much memory, and at which clock?"
	missing := s.missingLevels(all)
	for len(all) > 0 {
		pair := all[:min(2, len(all))]
		all = all[len(pair):]
		b := block{Values: s.levelTable(pair).cutRows()}
		for i := range pair {
			id := "level-" + strconv.Itoa(len(s.data.Charts))
			chartOf, each := s.levelChart(id, &pair[i])
			s.data.Charts[id] = chartOf
			b.Charts = append(b.Charts, chart{ID: id, Label: pair[i].name + " over steps for both sides", Heading: pair[i].name, Sub: pair[i].missing()})
			b.Note = levelNote(each)
		}
		sec.Blocks = append(sec.Blocks, b)
	}
	for i := range missing {
		sec.Blocks = append(sec.Blocks, block{Empty: &missing[i]})
	}
	return sec
}

// missingLevels says what no side recorded, and what would record it.
func (s *sheet) missingLevels(all []level) (out []empty) {
	if !slices.ContainsFunc(all, isMemory) {
		out = append(out, *lacks(remedy.DeviceMemory))
	}
	if !slices.ContainsFunc(all, func(l level) bool { return !isMemory(l) }) {
		out = append(out, *lacks(remedy.GPUMetrics))
	}
	return out
}

func isMemory(l level) bool { return l.c.Metric.Unit == "B" }

func levelNote(each int) string {
	note := "Line: median over ranks. Band: the lowest to the highest rank. Beside the lines: the median step. A selected rank has lines of its own."
	if each > 1 {
		note += fmt.Sprintf(" Each two points are the least and the most of %d steps.", 2*each)
	}
	return note
}

// missing says which side did not record a level, and what would; "" if both did.
func (l *level) missing() string {
	for i, side := range []string{"baseline", "candidate"} {
		if l.c.Runs[i] == 0 {
			return fmt.Sprintf("Not recorded in the %s (%s).", side, words.Need(l.c.NotRecorded[i]))
		}
	}
	return ""
}

// levelReading returns a sentence for each level.
func (s *sheet) levelReading(all []level) string {
	if len(all) == 0 {
		return "Not known: neither memory nor clocks were recorded."
	}
	var out []string
	for i := range all {
		l := &all[i]
		base, cand := s.levelText(l, 0), s.levelText(l, 1)
		switch {
		case base == "":
			out = append(out, l.name+": "+cand+" in the candidate.")
		case cand == "":
			out = append(out, l.name+": "+base+" in the baseline.")
		case base == cand:
			out = append(out, l.name+": "+base+" on both sides.")
		default:
			out = append(out, l.name+": "+base+" in the baseline, "+cand+" in the candidate.")
		}
	}
	return strings.Join(out, " ")
}

// unevenLevel is how far from the median, as a share of it, a rank must be to be named in the text. Chosen, not
// measured: devices at one clock differ by far less.
const unevenLevel = 0.05

// levelText writes a side's level, "1 980 MHz (rank 2: 1 584)", with the rank farthest from the others if that is far;
// "" where it has none.
func (s *sheet) levelText(l *level, side int) string {
	v := []float64{l.c.Base, l.c.Cand}[side]
	if math.IsNaN(v) || l.c.Runs[side] == 0 {
		return ""
	}
	text, farthest := l.scale.With(v), unevenLevel*math.Abs(v)
	note := ""
	for i := range s.r.Ranks {
		x := medianOfKept([]*diff.RankSide{&s.r.Ranks[i].Base, &s.r.Ranks[i].Cand}[side], l.key)
		if far := math.Abs(x - v); far > farthest {
			farthest, note = far, fmt.Sprintf(" (rank %d: %s)", s.r.Ranks[i].Rank, l.scale.Format(x))
		}
	}
	return text + note
}

// levelPoints returns the steps of the page with the values of a level: over ranks the median, the
// least and the largest, of the first run where several runs are.
func (s *sheet) levelPoints(key string) []cause.StepPoint {
	values := s.valuesByStep(key)
	out := make([]cause.StepPoint, len(s.r.Steps))
	for i, p := range s.r.Steps {
		of := func(v []float64) cause.StepSide {
			return cause.StepSide{Median: interpolatedQuantile(v, 0.5), Min: interpolatedQuantile(v, 0), Max: interpolatedQuantile(v, 1)}
		}
		out[i] = cause.StepPoint{Number: p.Number, Omission: p.Omission, Base: of(values[i][0]), Cand: of(values[i][1])}
	}
	return out
}

// levelChart has the form of the chart of step times, on an axis that need not begin at 0.
func (s *sheet) levelChart(id string, l *level) (data chartData, each int) {
	cols, each := columnsOf(s.levelPoints(l.key))
	names := make([]string, len(cols))
	lo, hi := math.Inf(1), math.Inf(-1)
	for i, c := range cols {
		names[i] = c.name
		for _, v := range existing([]float64{c.base.Min, c.base.Max, c.cand.Min, c.cand.Max}) {
			lo, hi = min(lo, v*l.scale.Factor), max(hi, v*l.scale.Factor)
		}
	}
	y := valueAxis(l.scale.Name, "@tick", 0)
	if lo <= hi {
		pad := max((hi-lo)*0.1, hi*0.02)
		y.Min, y.Max = plot.Around(lo, hi, pad)
	}
	line := newLine(place{id, "96", "26"}, categoryAxis(names, ""), y, names)
	sideLines(line, cols, l.scale.Factor)
	extra := droppedColumns(cols)
	extra["key"] = l.key
	s.addMedians(extra, l.c, l.scale)
	return chartData{Option: line.option(), Height: 280, Narrow: 240, Title: "Step", Unit: l.scale.Name, Pick: "step", Mark: "steps", Extra: extra}, each
}

// levelTable returns the values of some levels, step by step.
func (s *sheet) levelTable(all []level) *table {
	t := &table{Heads: heads("Step")}
	var points [][]cause.StepPoint
	var names []string
	for i := range all {
		l := &all[i]
		points, names = append(points, s.levelPoints(l.key)), append(names, l.name)
		t.Heads = append(t.Heads, head{Text: l.name, Unit: "base, " + l.scale.Name}, head{Text: "\u00a0", Unit: "cand., " + l.scale.Name})
	}
	t.Label = strings.Join(names, ", ")
	for i, p := range s.r.Steps {
		cells := []cell{headCell(strconv.FormatInt(p.Number, 10))}
		for k := range all {
			x, f := &points[k][i], all[k].scale.Factor
			cells = append(cells, numberCell(x.Base.Median*f), numberCell(x.Cand.Median*f))
		}
		t.Rows = append(t.Rows, row{Cells: cells, Step: strconv.Itoa(i)})
	}
	return t
}
