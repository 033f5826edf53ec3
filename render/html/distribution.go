package html

import (
	"fmt"
	"math"
	"slices"
	"strconv"

	"github.com/go-echarts/go-echarts/v2/charts"
	"github.com/go-echarts/go-echarts/v2/opts"

	"perfdiff/diff"
	"perfdiff/diff/number"
)

// manyRanks is from how many ranks on charts show nodes.
const manyRanks = 64

func (s *sheet) distribution() section {
	base := s.used(func(p *diff.StepPoint) float64 { return p.Base.Median })
	cand := s.used(func(p *diff.StepPoint) float64 { return p.Cand.Median })
	if len(base) < 2 || len(cand) < 2 {
		return section{}
	}
	slices.Sort(base)
	slices.Sort(cand)
	s.data.Charts["ecdf"] = s.ecdf(base, cand)
	s.data.Charts["quantiles"] = s.quantiles()
	boxes, note := s.boxes()
	s.data.Charts["boxes"] = boxes
	return section{
		ID: "distribution", Nav: "Distribution", Title: "Did all steps change, or only some?", Reading: s.distributionReading(base, cand),
		Blocks: []block{
			{Charts: []chart{
				{ID: "ecdf", Label: "Share of steps at or below a time", Heading: "Share of steps at or below a time", Sub: "The further left, the faster. Steep means even."},
				{ID: "quantiles", Label: "Change at each quantile", Heading: "Change at each quantile", Sub: s.quantileReading()},
			}, Values: s.quantileTable()},
			{Charts: []chart{{ID: "boxes", Label: "Step time of each rank", Heading: "Step time of each rank", Sub: "Box: half of the steps. Line: median. Ends: fastest and slowest step."}},
				Note: note, Values: s.boxTable().cut()},
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

// ecdf is the share of steps at or below a time.
func (s *sheet) ecdf(base, cand []float64) chartData {
	lo, hi := min(base[0], cand[0]), max(base[len(base)-1], cand[len(cand)-1])
	pad := max((hi-lo)*0.06, hi*0.005)
	lo, hi = nice(max(0, lo-pad), hi-lo, math.Floor), nice(hi+pad, hi-lo, math.Ceil)
	x := opts.XAxis{Type: "value", Min: lo, Max: hi, SplitLine: noLines(), AxisLine: ruled(), AxisLabel: labelled("@tick")}
	below(&x, "step time, "+s.ms.Name)
	line := charts.NewLine()
	y := values("% of steps", "@tick", 100)
	line.SetGlobalOptions(globals("ecdf", "16", "42", x, y)...)
	for _, side := range []struct {
		name, color string
		v           []float64
	}{{"Baseline", baseColor, base}, {"Candidate", candColor, cand}} {
		v := thin(side.v, 400)
		data := []opts.LineData{{Value: []float64{lo, 0}}}
		for i, t := range v {
			data = append(data, opts.LineData{Value: []float64{round(t), round(float64(i+1) / float64(len(v)) * 100)}})
		}
		data = append(data, opts.LineData{Value: []float64{hi, 100}})
		line.AddSeries(side.name, data, charts.WithLineChartOpts(opts.LineChart{Step: "end", Symbol: "none"}),
			charts.WithLineStyleOpts(opts.LineStyle{Width: 2.25, Color: side.color}), charts.WithItemStyleOpts(opts.ItemStyle{Color: side.color}))
	}
	return chartData{Option: option(line), Height: 280, Title: "At most", Unit: "% of steps", Mark: "ecdf", Extra: map[string]any{"unit": s.ms.Name}}
}

// nice rounds the end of an axis to a tenth of its span's order.
func nice(v, span float64, to func(float64) float64) float64 {
	if !(span > 0) {
		return v
	}
	unit := math.Pow(10, math.Floor(math.Log10(span))) / 2
	return round(to(v/unit) * unit)
}

// quantiles is the change at each quantile but the ends. No verdict stands behind a
// quantile, so that its bar has no colour.
func (s *sheet) quantiles() chartData {
	var names []string
	var change []opts.BarData
	for _, q := range s.r.Quantiles {
		if q.Percent == 0 || q.Percent == 100 {
			continue
		}
		names = append(names, strconv.Itoa(q.Percent))
		change = append(change, opts.BarData{Value: point((q.Cand - q.Base) * s.ms.Factor)})
	}
	bar := charts.NewBar()
	y := values(s.ms.Name, "@signed", 0)
	y.Min = nil
	bar.SetGlobalOptions(globals("quantiles", "16", "42", categories(names, "quantile of steps, %"), y)...)
	bar.SetXAxis(names)
	bar.AddSeries("Change", change, charts.WithBarChartOpts(opts.BarChart{BarWidth: "8"}), charts.WithItemStyleOpts(opts.ItemStyle{Color: "$ink3"}))
	return chartData{Option: option(bar), Height: 280, Title: "Quantile, %", Unit: s.ms.Name, Mark: "zero"}
}

func (s *sheet) quantileTable() *table {
	u := s.ms.Name
	t := &table{Label: "Quantiles of step time", Heads: heads("Quantile", "Baseline, "+u, "Candidate, "+u, "Change, "+u)}
	for _, q := range s.r.Quantiles {
		b, c := float64(q.Base*s.ms.Factor), float64(q.Cand*s.ms.Factor)
		t.Rows = append(t.Rows, row{Cells: []cell{headCell(strconv.Itoa(q.Percent) + number.Space + "%"), numberCell(b), numberCell(c), {Text: align(number.Signed(c - b))}}})
	}
	return t
}

// box is one box of each side under one name.
type box struct {
	name       string
	base, cand [5]float64
}

// boxes are the step times of every rank; above manyRanks of every node, and
// of the five ranks whose median is largest.
func (s *sheet) boxes() (chartData, string) {
	list, note := s.rankBoxes(), ""
	if len(list) > manyRanks {
		list = append(s.nodeBoxes(), worst(list, 5)...)
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
		hi = max(hi, largest(known([]float64{b.base[4], b.cand[4]})...))
	}
	lo, hi = float64(lo*s.ms.Factor), float64(hi*s.ms.Factor)
	y := values(s.ms.Name, "@tick", nice(hi, hi-lo, math.Ceil))
	if !math.IsInf(lo, 1) {
		y.Min = nice(lo, hi-lo, math.Floor)
	}
	plot := charts.NewBoxPlot()
	plot.SetGlobalOptions(globals("boxes", "8", "26", categories(names, ""), y)...)
	plot.SetXAxis(names)
	plot.AddSeries("Baseline", base, charts.WithItemStyleOpts(opts.ItemStyle{Color: "$paper", BorderColor: baseColor, BorderWidth: 1.6}))
	plot.AddSeries("Candidate", cand, charts.WithItemStyleOpts(opts.ItemStyle{Color: "$candSoft", BorderColor: candColor, BorderWidth: 1.6}))
	d := chartData{Option: option(plot), Height: 280, Narrow: 60 + 22*len(names), Flip: true, Title: "Rank", Unit: s.ms.Name, Mark: "boxes"}
	if note == "" {
		d.Pick = "rank"
	}
	return d, note
}

func (s *sheet) boxData(b [5]float64) opts.BoxPlotData {
	v := make([]any, 5)
	for i := range b {
		v[i] = point(b[i] * s.ms.Factor)
	}
	return opts.BoxPlotData{Value: v}
}

func (s *sheet) rankBoxes() []box {
	var out []box
	for i, r := range s.r.Ranks {
		out = append(out, box{s.data.Ranks[i], r.Base.Box, r.Cand.Box})
	}
	return out
}

// nodeBoxes bring the boxes of a node's ranks together: the ends of all, the
// medians of the quartiles.
func (s *sheet) nodeBoxes() []box {
	var out []box
	for _, group := range s.nodes() {
		var base, cand [][5]float64
		for _, r := range group.rows {
			base, cand = append(base, r.Base.Box), append(cand, r.Cand.Box)
		}
		out = append(out, box{group.name, joined(base), joined(cand)})
	}
	return out
}

func joined(boxes [][5]float64) (out [5]float64) {
	for i, q := range [5]float64{0, 0.5, 0.5, 0.5, 1} {
		var v []float64
		for _, b := range boxes {
			v = append(v, b[i])
		}
		out[i] = quantile(known(v), q)
	}
	return out
}

// worst are the n ranks with the largest median.
func worst(list []box, n int) []box {
	sorted := slices.Clone(list)
	for i := range sorted {
		sorted[i].name = "rank " + sorted[i].name
	}
	slices.SortStableFunc(sorted, func(a, b box) int {
		x, y := largest(known([]float64{a.base[2], a.cand[2]})...), largest(known([]float64{b.base[2], b.cand[2]})...)
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

// node is a host and its ranks.
type node struct {
	name string
	rows []diff.RankRow
}

// nodes groups the ranks by host, in order of their first rank.
func (s *sheet) nodes() []node {
	var out []node
	at := map[string]int{}
	for i := range s.r.Ranks {
		h := hostOf(&s.r.Ranks[i])
		k, known := at[h]
		if !known {
			k = len(out)
			at[h] = k
			out = append(out, node{name: "node " + strconv.Itoa(k)})
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
