package html

import (
	"fmt"
	"math"

	"github.com/go-echarts/go-echarts/v2/charts"
	"github.com/go-echarts/go-echarts/v2/opts"

	"perfdiff/diff"
	"perfdiff/diff/number"
)

// reads shows whether input keeps up.
func (s *sheet) reads() section {
	sec := section{ID: "io", Nav: "Reads", Title: "Does input keep up?", Reading: s.readsReading()}
	b := block{}
	base, bs := summed(s.r.Courses.Base)
	cand, cs := summed(s.r.Courses.Cand)
	if len(base)+len(cand) > 0 {
		s.readCharts(base, cand)
		b.Charts = []chart{
			{ID: "io-b", Label: "Read throughput over time, baseline", Heading: "Baseline", Side: "b"},
			{ID: "io-c", Label: "Read throughput over time, candidate", Heading: "Candidate", Side: "c"},
		}
		b.Note = "Sum over the ranks captured" + sourceText(bs, cs) + ". Blocks under each curve are the steps of the first rank."
		b.Values = s.readTable(base, cand).cut()
	} else {
		b.Empty = &empty{"No bytes over time in these captures.", "Record reads with nsys profile --trace=osrt and its file access option, or storage metrics (check the flag against the nsys version in use)."}
	}
	b.Table = s.readSummary()
	sec.Blocks = []block{b}
	return sec
}

// summed adds the reads of all ranks bin by bin, in bytes a second.
func summed(ranks []diff.RankCourse) (sum []float64, source string) {
	for i := range ranks {
		if len(ranks[i].Read) == 0 {
			continue
		}
		source = ranks[i].ReadSource
		for len(sum) < len(ranks[i].Read) {
			sum = append(sum, 0)
		}
		for k, v := range ranks[i].Read {
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
	if c := s.metric("input_wait_time"); c != nil && c.NotRecorded == [2]string{} && !math.IsNaN(c.Base) && !math.IsNaN(c.Cand) {
		sc := number.ScaleOf("s", largest(c.Base, c.Cand))
		text = fmt.Sprintf("Steps wait for input for %s in the baseline and %s in the candidate.", valueText(sc, c.Base), valueText(sc, c.Cand))
	}
	if c := s.metric("io_read_throughput"); c != nil && !math.IsNaN(c.Base) && !math.IsNaN(c.Cand) {
		sc := number.ScaleOf("B/s", largest(c.Base, c.Cand))
		text += fmt.Sprintf(" A rank reads %s and %s (%s).", valueText(sc, c.Base), valueText(sc, c.Cand), orDash(c.Source))
	}
	if text == "" {
		return "Not known: neither input wait nor reads were recorded on both sides."
	}
	return text
}

// readSummary has the metrics of input, each with its source.
func (s *sheet) readSummary() *table {
	t := &table{Label: "Input", Heads: heads("Metric", "Baseline", "Candidate", "Change", "Source")}
	for _, name := range []string{"input_wait_time", "io_read_throughput"} {
		if c := s.metric(name); c != nil && !(math.IsNaN(c.Base) && math.IsNaN(c.Cand)) {
			t.Rows = append(t.Rows, s.readRow(metricName(name, ""), c))
		}
	}
	for _, metric := range []string{"memcpy_bytes", "memcpy_time", "memcpy_bandwidth"} {
		for _, c := range s.partsOf(metric) {
			if len(t.Rows) < maxRows {
				t.Rows = append(t.Rows, s.readRow(metricName(metric, c.Part), c))
			}
		}
	}
	if len(t.Rows) == 0 {
		return nil
	}
	return t
}

func (s *sheet) readRow(name string, c *diff.Comparison) row {
	sc := number.ScaleOf(c.Metric.Unit, largest(known([]float64{c.Base, c.Cand})...))
	class := ""
	if _, k := s.verdictOf(c); k == "better" || k == "worse" {
		class = k
	}
	change := number.None
	if !math.IsNaN(c.Delta) {
		change = sc.SignedWith(c.Delta)
	}
	return row{Cells: []cell{headCell(name), textCell(valueText(sc, c.Base), ""), textCell(valueText(sc, c.Cand), ""), textCell(change, class), textCell(orDash(c.Source), "")}}
}

func (s *sheet) readCharts(base, cand []float64) {
	top := largest(append(base[:len(base):len(base)], cand...)...)
	sc := number.ScaleOf("B/s", top)
	bins := max(len(base), len(cand))
	s.data.Charts["io-b"] = s.readChart("io-b", "Baseline", baseColor, base, bins, top, sc)
	s.data.Charts["io-c"] = s.readChart("io-c", "Candidate", candColor, cand, bins, top, sc)
}

func (s *sheet) readChart(id, name, color string, v []float64, bins int, top float64, sc number.Scale) chartData {
	bin := s.r.Courses.Bin
	data := make([]opts.LineData, len(v))
	for i, x := range v {
		data[i].Value = []float64{round((float64(i) + 0.5) * bin), round(x * sc.Factor)}
	}
	x := opts.XAxis{Type: "value", Min: 0, Max: round(bin * float64(bins)), SplitLine: noLines(), AxisLine: hidden(), AxisLabel: labelled("@seconds")}
	line := charts.NewLine()
	line.SetGlobalOptions(globals(id, "8", "54", x, values(sc.Name, "@tick", ceiling(top*sc.Factor)))...)
	line.AddSeries(name, data, charts.WithLineChartOpts(opts.LineChart{Symbol: "none"}), charts.WithLineStyleOpts(opts.LineStyle{Width: 1.5, Color: color}),
		charts.WithItemStyleOpts(opts.ItemStyle{Color: color}), charts.WithAreaStyleOpts(opts.AreaStyle{Color: color, Opacity: opts.Float(0.16)}))
	return chartData{Option: option(line), Height: 240, Unit: sc.Name, Mark: "reads", Extra: map[string]any{"side": id[3:]}}
}

// readTable has the mean rate of each twentieth of the time.
func (s *sheet) readTable(base, cand []float64) *table {
	const rows = 20
	sc := number.ScaleOf("B/s", largest(append(base[:len(base):len(base)], cand...)...))
	t := &table{Label: "Read throughput over time", Heads: heads("From, s", "To, s", "Baseline, "+sc.Name, "Candidate, "+sc.Name)}
	n := max(len(base), len(cand))
	for i := range min(rows, n) {
		lo, hi := i*n/min(rows, n), (i+1)*n/min(rows, n)
		t.Rows = append(t.Rows, row{Cells: []cell{
			headCell(number.Format(float64(lo) * s.r.Courses.Bin)), numberCell(float64(hi) * s.r.Courses.Bin),
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
