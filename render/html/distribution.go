package html

import (
	"fmt"
	"math"
	"slices"
	"strconv"

	"github.com/go-echarts/go-echarts/v2/charts"
	"github.com/go-echarts/go-echarts/v2/opts"

	"perfdiff/diff"
	"perfdiff/diff/cause"
	"perfdiff/render/number"
)

// manyRanks is from how many ranks on charts show hosts in place of ranks.
const manyRanks = 64

func (s *sheet) distributionSection() section {
	base := s.keptValues(func(p *cause.StepPoint) float64 { return p.Base.Median })
	cand := s.keptValues(func(p *cause.StepPoint) float64 { return p.Cand.Median })
	if len(base) < 2 || len(cand) < 2 {
		return section{}
	}
	slices.Sort(base)
	slices.Sort(cand)
	s.data.Charts["ecdf"] = s.cumulativeChart(base, cand)
	s.data.Charts["quantiles"] = s.quantileChart()
	boxes, note := s.boxChart()
	s.data.Charts["boxes"] = boxes
	return section{
		ID: "distribution", Nav: "Distribution", Title: "Did all steps change, or only some?", Reading: s.distributionReading(base, cand),
		Blocks: []block{
			{Charts: []chart{
				{ID: "ecdf", Label: "Share of steps at or below a time", Heading: "Share of steps at or below a time", Sub: "The further left, the faster. Steep means even."},
				{ID: "quantiles", Label: "Change at each quantile", Heading: "Change at each quantile", Sub: s.quantileReading()},
			}, Values: s.quantileTable()},
			{Charts: []chart{{ID: "boxes", Label: "Step time of each rank", Heading: "Step time of each rank", Sub: "Box: half of the steps. Line: median. Ends: fastest and slowest step."}},
				Note: note, Values: s.boxTable().cutRows()},
		},
	}
}

func (s *sheet) distributionReading(base, cand []float64) string {
	slowest := func(v []float64) string { return number.With(v[len(v)-1], s.ms.Name) }
	fastest := func(v []float64) string { return number.With(v[0], s.ms.Name) }
	switch {
	case cand[len(cand)-1] < base[0]:
		return fmt.Sprintf("All of them: the fastest baseline step (%s) is slower than the slowest candidate step (%s).", fastest(base), slowest(cand))
	case base[len(base)-1] < cand[0]:
		return fmt.Sprintf("All of them: the slowest baseline step (%s) is faster than the fastest candidate step (%s).", slowest(base), fastest(cand))
	}
	return fmt.Sprintf("The two sides overlap: baseline steps take %s to %s, candidate steps %s to %s.",
		number.Format(base[0]), slowest(base), number.Format(cand[0]), slowest(cand))
}

func (s *sheet) quantileReading() string {
	change := func(percent int) string {
		for _, q := range s.r.Quantiles {
			if q.Percent == percent {
				return s.ms.SignedWith(q.Cand - q.Base)
			}
		}
		return number.None
	}
	return fmt.Sprintf("%s at the slow end (95%s%% of steps), %s at the fast end (5%s%%).", change(95), number.Space, change(5), number.Space)
}

// cumulativeChart is the share of steps that take at most a given time.
func (s *sheet) cumulativeChart(base, cand []float64) chartData {
	lo, hi := min(base[0], cand[0]), max(base[len(base)-1], cand[len(cand)-1])
	pad := max((hi-lo)*0.06, hi*0.005)
	lo, hi = roundAxisEnd(max(0, lo-pad), hi-lo, math.Floor), roundAxisEnd(hi+pad, hi-lo, math.Ceil)
	x := opts.XAxis{Type: "value", Min: lo, Max: hi, SplitLine: noSplitLines(), AxisLine: ruledLine(), AxisLabel: axisLabel("@tick")}
	nameBelow(&x, "step time, "+s.ms.Name)
	line := charts.NewLine()
	y := valueAxis("% of steps", "@tick", 100)
	line.SetGlobalOptions(commonOptions("ecdf", "16", "42", x, y)...)
	for _, side := range []struct {
		name, color string
		v           []float64
	}{{"Baseline", baseColor, base}, {"Candidate", candColor, cand}} {
		v := representatives(side.v, 400)
		data := []opts.LineData{{Value: []float64{lo, 0}}}
		for i, t := range v {
			data = append(data, opts.LineData{Value: []float64{sixDigits(t), sixDigits(float64(i+1) / float64(len(v)) * 100)}})
		}
		data = append(data, opts.LineData{Value: []float64{hi, 100}})
		line.AddSeries(side.name, data, charts.WithLineChartOpts(opts.LineChart{Step: "end", Symbol: "none"}),
			charts.WithLineStyleOpts(opts.LineStyle{Width: 2.25, Color: side.color}), charts.WithItemStyleOpts(opts.ItemStyle{Color: side.color}))
	}
	return chartData{Option: chartOption(line), Height: 280, Title: "At most", Unit: "% of steps", Mark: "ecdf", Extra: map[string]any{"unit": s.ms.Name}}
}

// roundAxisEnd rounds the end of an axis to a tenth of the magnitude of its span.
func roundAxisEnd(v, span float64, to func(float64) float64) float64 {
	if !(span > 0) {
		return v
	}
	unit := math.Pow(10, math.Floor(math.Log10(span))) / 2
	return sixDigits(to(v/unit) * unit)
}

// quantileChart is the change at each quantile, without the smallest and the largest value. A
// quantile has no verdict, so that its bar has no colour.
func (s *sheet) quantileChart() chartData {
	var names []string
	var change []opts.BarData
	for _, q := range s.r.Quantiles {
		if q.Percent == 0 || q.Percent == 100 {
			continue
		}
		names = append(names, strconv.Itoa(q.Percent))
		change = append(change, opts.BarData{Value: chartValue((q.Cand - q.Base) * s.ms.Factor)})
	}
	bar := charts.NewBar()
	y := valueAxis(s.ms.Name, "@signed", 0)
	y.Min = nil
	bar.SetGlobalOptions(commonOptions("quantiles", "16", "42", categoryAxis(names, "quantile of steps, %"), y)...)
	bar.SetXAxis(names)
	bar.AddSeries("Change", change, charts.WithBarChartOpts(opts.BarChart{BarWidth: "8"}), charts.WithItemStyleOpts(opts.ItemStyle{Color: "$ink3"}))
	return chartData{Option: chartOption(bar), Height: 280, Title: "Quantile, %", Unit: s.ms.Name, Mark: "zero"}
}

func (s *sheet) quantileTable() *table {
	u := s.ms.Name
	t := &table{Label: "Quantiles of step time", Heads: heads("Quantile", "Baseline, "+u, "Candidate, "+u, "Change, "+u)}
	for _, q := range s.r.Quantiles {
		b, c := float64(q.Base*s.ms.Factor), float64(q.Cand*s.ms.Factor)
		t.Rows = append(t.Rows, row{Cells: []cell{headCell(strconv.Itoa(q.Percent) + number.Space + "%"), numberCell(b), numberCell(c), {Text: alignNumber(number.Signed(c - b))}}})
	}
	return t
}

// rankBox is the box of a rank or a host on each side: minimum, quartiles and maximum.
type rankBox struct {
	name       string
	base, cand [5]float64
}

// boxChart is the step times of every rank. With more than manyRanks it has every host, and the
// five ranks with the largest median.
func (s *sheet) boxChart() (chartData, string) {
	list, note := s.rankBoxes(), ""
	if len(list) > manyRanks {
		list = append(s.nodeBoxes(), slowestBoxes(list, 5)...)
		note = "One box for each node, over its ranks; then the five ranks with the largest median."
	}
	var names []string
	base, cand := []opts.BoxPlotData{}, []opts.BoxPlotData{}
	lo, hi := math.Inf(1), 0.0
	for _, b := range list {
		names = append(names, b.name)
		base, cand = append(base, s.boxData(b.base)), append(cand, s.boxData(b.cand))
		for _, v := range []float64{b.base[0], b.cand[0]} {
			if v < lo {
				lo = v
			}
		}
		hi = max(hi, largestMagnitude(existing([]float64{b.base[4], b.cand[4]})...))
	}
	lo, hi = float64(lo*s.ms.Factor), float64(hi*s.ms.Factor)
	y := valueAxis(s.ms.Name, "@tick", roundAxisEnd(hi, hi-lo, math.Ceil))
	if !math.IsInf(lo, 1) {
		y.Min = roundAxisEnd(lo, hi-lo, math.Floor)
	}
	plot := charts.NewBoxPlot()
	plot.SetGlobalOptions(commonOptions("boxes", "8", "26", categoryAxis(names, ""), y)...)
	plot.SetXAxis(names)
	plot.AddSeries("Baseline", base, charts.WithItemStyleOpts(opts.ItemStyle{Color: "$paper", BorderColor: baseColor, BorderWidth: 1.6}))
	plot.AddSeries("Candidate", cand, charts.WithItemStyleOpts(opts.ItemStyle{Color: "$candSoft", BorderColor: candColor, BorderWidth: 1.6}))
	d := chartData{Option: chartOption(plot), Height: 280, Narrow: 60 + 22*len(names), Flip: true, Title: "Rank", Unit: s.ms.Name, Mark: "boxes"}
	if note == "" {
		d.Pick = "rank"
	}
	return d, note
}

func (s *sheet) boxData(b [5]float64) opts.BoxPlotData {
	v := make([]any, 5)
	for i := range b {
		v[i] = chartValue(b[i] * s.ms.Factor)
	}
	return opts.BoxPlotData{Value: v}
}

func (s *sheet) rankBoxes() []rankBox {
	var out []rankBox
	for i, r := range s.r.Ranks {
		out = append(out, rankBox{s.data.Ranks[i], r.Base.Box, r.Cand.Box})
	}
	return out
}

// nodeBoxes join the boxes of each host's ranks: the extremes of all ranks, and the medians of
// their quartiles.
func (s *sheet) nodeBoxes() []rankBox {
	var out []rankBox
	for _, group := range s.ranksByHost() {
		var base, cand [][5]float64
		for _, r := range group.rows {
			base, cand = append(base, r.Base.Box), append(cand, r.Cand.Box)
		}
		out = append(out, rankBox{group.name, joinBoxes(base), joinBoxes(cand)})
	}
	return out
}

func joinBoxes(boxes [][5]float64) (out [5]float64) {
	for i, q := range [5]float64{0, 0.5, 0.5, 0.5, 1} {
		var v []float64
		for _, b := range boxes {
			v = append(v, b[i])
		}
		out[i] = interpolatedQuantile(existing(v), q)
	}
	return out
}

// slowestBoxes are the n ranks with the largest median.
func slowestBoxes(list []rankBox, n int) []rankBox {
	sorted := slices.Clone(list)
	for i := range sorted {
		sorted[i].name = "rank " + sorted[i].name
	}
	slices.SortStableFunc(sorted, func(a, b rankBox) int {
		x, y := largestMagnitude(existing([]float64{a.base[2], a.cand[2]})...), largestMagnitude(existing([]float64{b.base[2], b.cand[2]})...)
		switch {
		case x > y:
			return -1
		case x < y:
			return 1
		}
		return 0
	})
	return sorted[:min(n, len(sorted))]
}

// hostRanks is a host and its ranks.
type hostRanks struct {
	name string
	rows []diff.RankRow
}

// ranksByHost groups the ranks by host, in order of each host's first rank.
func (s *sheet) ranksByHost() []hostRanks {
	var out []hostRanks
	at := map[string]int{}
	for i := range s.r.Ranks {
		h := hostOf(&s.r.Ranks[i])
		k, known := at[h]
		if !known {
			k = len(out)
			at[h] = k
			out = append(out, hostRanks{name: "node " + strconv.Itoa(k)})
		}
		out[k].rows = append(out[k].rows, s.r.Ranks[i])
	}
	return out
}

func (s *sheet) boxTable() *table {
	u := s.ms.Name
	t := &table{Label: "Step time of each rank", Heads: heads("Rank", "Base min, "+u, "25 %, "+u, "Median, "+u, "75 %, "+u, "Max, "+u, "Cand. min, "+u, "25 %, "+u, "Median, "+u, "75 %, "+u, "Max, "+u)}
	for i, r := range s.r.Ranks {
		cells := []cell{headCell(s.data.Ranks[i])}
		for _, v := range append(r.Base.Box[:], r.Cand.Box[:]...) {
			cells = append(cells, numberCell(v*s.ms.Factor))
		}
		t.Rows = append(t.Rows, row{Cells: cells, Rank: strconv.Itoa(i)})
	}
	return t
}
