package html

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"sort"
	"strings"

	"perfdiff/analyze/run"
	"perfdiff/analyze/source/remedy"
	"perfdiff/diff"
	"perfdiff/diff/verdict"
	"perfdiff/render/number"
	"perfdiff/render/plot"
	"perfdiff/render/words"
)

// inputSection shows whether input keeps up with the device.
func (s *sheet) inputSection() section {
	sec := section{ID: "io", Nav: "Reads", Title: "Does input keep up?", Reading: s.readsReading()}
	b := block{}
	read := s.byteRateOf("io", "Read throughput", func(c *diff.RankActivity) ([]float32, string) { return c.Read, c.ReadSource })
	write := s.byteRateOf("io", "Write throughput", func(c *diff.RankActivity) ([]float32, string) { return c.Write, c.ReadSource })
	if read.isKnown() {
		b.Charts = s.flowCharts(read, write)
		b.Note = s.bytesNote(read) + ". " + lineStyleNote("read", "written", write) + s.blockNote()
		b.Values = s.flowTable(read).cutRows()
	} else {
		b.Empty = lacks(remedy.ReadBytes)
		if s.r.Reads.Unlike {
			b.Empty = &empty{What: "The sides recorded bytes from different sources, which do not compare.", How: s.recordBytes()}
		}
	}
	sec.Blocks = []block{b}
	if t := s.readSummary(sec.ID); t != nil {
		sec.Blocks[0].Table = t.cutRows()
	}
	if t := s.requestTable(); t != nil {
		sec.Blocks = append(sec.Blocks, block{Heading: "Single reads", Table: t, Note: "Of the reads that moved bytes, in the steps that were kept, over all ranks compared."})
	}
	if t := s.nodeReads(); t != nil {
		sec.Blocks = append(sec.Blocks, block{Heading: "Reads of each node", Sub: "Mean over the capture, the ranks of a node together.", Table: t.cutRows()})
	}
	return sec
}

// blockNote says what the blocks under the curves are; "" without any.
func (s *sheet) blockNote() string {
	if len(s.r.Steps) == 0 {
		return ""
	}
	return "Blocks under each curve are the steps of the first rank."
}

// lineStyleNote says which line is full and which dashed, if there are two.
func lineStyleNote(full, dashed string, second byteRate) string {
	if !second.isKnown() {
		return ""
	}
	return "Filled: " + full + "; dashed: " + dashed + ". "
}

// byteRate is bytes per second over time on both sides, summed over ranks.
type byteRate struct {
	id, label string
	rate      [2][]float64
	source    [2]string
}

func (f *byteRate) isKnown() bool { return len(f.rate[0])+len(f.rate[1]) > 0 }

func (s *sheet) byteRateOf(id, label string, pick func(*diff.RankActivity) ([]float32, string)) byteRate {
	f := byteRate{id: id, label: label}
	for i, ranks := range [][]diff.RankActivity{s.r.Activity.Base, s.r.Activity.Cand} {
		f.rate[i], f.source[i] = sumOfRanks(ranks, pick)
	}
	return f
}

// sumOfRanks adds, bin by bin, what pick returns for each rank, in bytes a second.
func sumOfRanks(ranks []diff.RankActivity, pick func(*diff.RankActivity) ([]float32, string)) (sum []float64, source string) {
	for i := range ranks {
		rates, from := pick(&ranks[i])
		if len(rates) == 0 {
			continue
		}
		source = from
		for len(sum) < len(rates) {
			sum = append(sum, 0)
		}
		for k, v := range rates {
			if !math.IsNaN(float64(v)) {
				sum[k] += float64(v)
			}
		}
	}
	return sum, source
}

func sourceText(base, cand string) string {
	switch {
	case base == cand && base != "":
		return "; source: " + base
	case base == "" && cand == "":
		return ""
	}
	return fmt.Sprintf("; source: %s in the baseline, %s in the candidate", orDash(base), orDash(cand))
}

func (s *sheet) readsReading() string {
	text := ""
	if c := s.mainMetric(run.InputWaitTime); c != nil && c.NotRecorded == [2]verdict.Need{} && !math.IsNaN(c.Base) && !math.IsNaN(c.Cand) {
		o := words.RowOf(c)
		text = fmt.Sprintf("Steps wait for input for %s and %s.", o.Base, o.Cand)
	}
	if c := s.mainMetric(run.IOReadThroughput); c != nil && !math.IsNaN(c.Base) && !math.IsNaN(c.Cand) {
		o := words.RowOf(c)
		text += fmt.Sprintf(" %s %s and %s (%s)%s.", whoReads(c), o.Base, o.Cand, orDash(words.Source(c)), s.whileReading())
	}
	if c := s.captureMetric("extent_read_throughput"); c != nil && !math.IsNaN(c.Delta) {
		o := words.RowOf(c)
		text = fmt.Sprintf("%s %s and %s over the capture (%s).", whoReads(c), o.Base, o.Cand, orDash(words.Source(c)))
	}
	if text == "" {
		return "Not known: neither input wait nor reads were recorded on both sides."
	}
	return text
}

// readSummary returns the table of a section's metrics about input, each with its source.
func (s *sheet) readSummary(sec string) *table {
	t := &table{Label: "Input", Heads: heads("Metric", "Baseline", "Candidate", "Change", "Source")}
	var parts []run.Metric
	for _, m := range s.r.Descriptions {
		if m.Section != sec {
			continue
		}
		if c := s.anyMetric(m.Name); c != nil && !(math.IsNaN(c.Base) && math.IsNaN(c.Cand)) {
			t.Rows = append(t.Rows, s.readRow(metricName(m.Name, ""), c))
		}
		parts = append(parts, m)
	}
	sort.SliceStable(parts, func(i, j int) bool {
		a, b := &parts[i], &parts[j]
		return cmp.Compare(s.partOrder(*a), s.partOrder(*b)) < 0
	})
	for _, m := range parts {
		for _, c := range s.partsOfMetric(m.Name) {
			if len(t.Rows) < maxRows {
				t.Rows = append(t.Rows, s.readRow(metricName(m.Name, c.Part), c))
			}
		}
	}
	if len(t.Rows) == 0 {
		return nil
	}
	return t
}

// partOrder returns the place of a metric's parts in the table: first the parts of a sum that has a
// row, then amounts, then times and rates.
func (s *sheet) partOrder(m run.Metric) int {
	switch {
	case s.shown[run.Key{Metric: m.Name}]:
		return 0
	case m.Better == run.Neither:
		return 1
	}
	return 2
}

func (s *sheet) readRow(name string, c *verdict.Comparison) row {
	return row{Cells: append(append([]cell{headCell(name)}, s.threeCells(c)...), textCell(orDash(words.Source(c)), ""))}
}

// flowCharts returns a chart for each side: first as a filled curve, second as a dashed line.
func (s *sheet) flowCharts(first, second byteRate) []chart {
	all := slices.Concat(first.rate[0], first.rate[1], second.rate[0], second.rate[1])
	top := largestMagnitude(all...)
	sc := number.ScaleOf("B/s", top)
	bins := 0
	for _, v := range [][]float64{first.rate[0], first.rate[1], second.rate[0], second.rate[1]} {
		bins = max(bins, len(v))
	}
	var out []chart
	for i, side := range []struct{ id, name, color string }{{"b", "Baseline", baseColor}, {"c", "Candidate", candColor}} {
		id := first.id + "-" + side.id
		x := scaleAxis("value", "", "@seconds", 0, sixDigits(s.r.Activity.Bin*float64(bins)), hiddenLine(), noSplitLines())
		line := newLine(place{id, "8", "54"}, x, valueAxis(sc.Name, "@tick", plot.Ceiling(top*sc.Factor)), nil)
		line.series(side.name, s.points(first.rate[i], sc), solid(side.color, 1.5, "", 0.16))
		if second.isKnown() {
			line.series(side.name+", dashed", s.points(second.rate[i], sc), dashed(side.color))
		}
		s.data.Charts[id] = chartData{Option: line.option(), Height: 210, Unit: sc.Name, Mark: "reads", Extra: map[string]any{"side": side.id}}
		out = append(out, chart{ID: id, Label: first.label + " over time, " + strings.ToLower(side.name), Heading: side.name, Side: side.id})
	}
	return out
}

// points returns the points of a line without those within a level stretch, as without any write; the last two say
// where a capture ends.
func (s *sheet) points(v []float64, sc number.Scale) (data []any) {
	for i, x := range v {
		if i == 0 || i+2 >= len(v) || v[i-1] != x || v[i+1] != x {
			data = append(data, []float64{sixDigits((float64(i) + 0.5) * s.r.Activity.Bin), sixDigits(x * sc.Factor)})
		}
	}
	return data
}

// flowTable has the mean rate in each twentieth of the time.
func (s *sheet) flowTable(f byteRate) *table {
	const rows = 20
	base, cand := f.rate[0], f.rate[1]
	sc := number.ScaleOf("B/s", largestMagnitude(slices.Concat(base, cand)...))
	t := &table{Label: f.label + " over time", Heads: heads("From, s", "To, s", "Baseline, "+sc.Name, "Candidate, "+sc.Name)}
	n := max(len(base), len(cand))
	for i := range min(rows, n) {
		lo, hi := i*n/min(rows, n), (i+1)*n/min(rows, n)
		t.Rows = append(t.Rows, row{Cells: []cell{
			headCell(number.Format(float64(lo) * s.r.Activity.Bin)), numberCell(float64(hi) * s.r.Activity.Bin),
			numberCell(sliceMean(base, lo, hi) * sc.Factor), numberCell(sliceMean(cand, lo, hi) * sc.Factor),
		}})
	}
	return t
}

func sliceMean(v []float64, lo, hi int) float64 {
	if lo >= len(v) {
		return math.NaN()
	}
	return mean(v[lo:min(hi, len(v))])
}

// recordBytes says how to record bytes with the profiler that was used.
func (s *sheet) recordBytes() string {
	return remedy.For(remedy.RecordBytes, s.r.Profilers) + "."
}
