package html

import (
	"cmp"
	"fmt"
	"math"
	"strconv"
	"strings"

	"perfdiff/analyze/run"
	"perfdiff/render/number"
	"perfdiff/render/plot"
)

// manyRanks is the number of ranks from which on charts show hosts instead of ranks.
const manyRanks = 64

// distributionSection shows of each quantity how its values are spread: over steps or calls, and
// from rank to rank. The switch above it is the one above the maps: one choice, both sections.
func (s *sheet) distributionSection() section {
	step := &s.quantities()[0]
	if !step.known() {
		return section{}
	}
	sec := section{
		ID: "distribution", Nav: "Distributions", Title: "Did all steps change, or only some?", Reading: s.distributionReading(step.base, step.cand),
		Blocks: []block{{Switch: &choices{Name: "view", Label: "Quantity"}}},
	}
	var missing []string
	for i := range s.quantities() {
		q := &s.quantities()[i]
		if !q.known() {
			missing = append(missing, q.name)
			continue
		}
		sec.Blocks[0].Switch.Options = append(sec.Blocks[0].Switch.Options, choice{q.key, q.name})
		sec.Blocks = append(sec.Blocks, s.distributionBlocks(q)...)
	}
	if len(missing) > 0 {
		sec.Blocks = append(sec.Blocks, block{Note: "Not recorded on both sides: " + strings.Join(missing, ", ") + "."})
	}
	return sec
}

// distributionBlocks returns the panel of a quantity: both curves, the change at each quantile, and
// a box for each rank.
func (s *sheet) distributionBlocks(q *quantity) []block {
	ecdf, quantiles, boxes := q.chartID("ecdf"), q.chartID("quantiles"), q.chartID("boxes")
	s.data.Charts[ecdf], s.data.Charts[quantiles] = q.cumulativeChart(), q.quantileChart()
	chartOfBoxes, note := s.boxChart(q)
	s.data.Charts[boxes] = chartOfBoxes
	share, each := "Share of "+q.each+"s at or below a value", cmp.Or(q.ofRank, q.name)+" of each rank"
	if q.unit == "s" {
		share = "Share of " + q.each + "s at or below a time"
	}
	return []block{
		{Panel: q.key, Heading: q.name, Sub: q.reading()},
		{Panel: q.key, Charts: []chart{
			{ID: ecdf, Label: q.name + ": " + share, Heading: share, Sub: q.more},
			{ID: quantiles, Label: q.name + ": change at each quantile", Heading: "Change at each quantile", Sub: q.quantileReading()},
		}, Values: q.quantileTable()},
		{Panel: q.key, Below: true, Charts: []chart{{ID: boxes, Label: each, Heading: each, Sub: q.boxReading()}}, Note: note, Values: q.boxTable().cutRows()},
	}
}

func (s *sheet) distributionReading(base, cand []float64) string {
	slowest := func(v []float64) string { return s.ms.With(v[len(v)-1]) }
	fastest := func(v []float64) string { return s.ms.With(v[0]) }
	switch {
	case cand[len(cand)-1] < base[0]:
		return fmt.Sprintf("All of them: the fastest baseline step (%s) is slower than the slowest candidate step (%s).", fastest(base), slowest(cand))
	case base[len(base)-1] < cand[0]:
		return fmt.Sprintf("All of them: the slowest baseline step (%s) is faster than the fastest candidate step (%s).", slowest(base), fastest(cand))
	}
	return fmt.Sprintf("The two sides overlap: baseline steps take %s to %s, candidate steps %s to %s.",
		s.ms.Format(base[0]), slowest(base), s.ms.Format(cand[0]), slowest(cand))
}

func (q *quantity) quantileReading() string {
	change := func(percent int) string {
		for _, x := range q.quantiles {
			if x.Percent == percent {
				return q.scale.SignedWith(x.Cand - x.Base)
			}
		}
		return number.None
	}
	high, low := "high", "low"
	if q.unit == "s" {
		high, low = "slow", "fast"
	}
	if q.key == run.GapTime {
		high, low = "long", "short"
	}
	return fmt.Sprintf("%s at the %s end (95%s%% of %ss), %s at the %s end (5%s%%).", change(95), high, number.Space, q.each, change(5), low, number.Space)
}

// cumulativeChart draws the share of values that are at most a given one.
func (q *quantity) cumulativeChart() chartData {
	base, cand := scaled(q.base, q.scale), scaled(q.cand, q.scale)
	lo, hi := min(base[0], cand[0]), max(base[len(base)-1], cand[len(cand)-1])
	pad := max((hi-lo)*0.06, hi*0.005)
	lo, hi = plot.Around(lo, hi, pad)
	x := scaleAxis("value", q.what+", "+q.scale.Name, "@tick", lo, hi, ruledLine(), noSplitLines())
	share := "% of " + q.each + "s"
	line := newLine(place{q.chartID("ecdf"), "16", "42"}, x, valueAxis(share, "@tick", 100), nil)
	for _, side := range []struct {
		name, color string
		v           []float64
	}{{"Baseline", baseColor, base}, {"Candidate", candColor, cand}} {
		v := representatives(side.v, q.points())
		data := []any{[]float64{lo, 0}}
		for i, t := range v {
			data = append(data, []float64{sixDigits(t), sixDigits(float64(i+1) / float64(len(v)) * 100)})
		}
		line.series(side.name, append(data, []float64{hi, 100}), solid(side.color, 2.25, "end", 0))
	}
	return chartData{Option: line.option(), Height: 220, Title: "At most", Unit: share, Mark: "ecdf", Extra: map[string]any{"unit": q.scale.Name, "key": q.keyOfSteps()}}
}

// quantileChart returns the change at each quantile, without the smallest and the largest value. A
// quantile has no verdict, so that its bar has no colour.
func (q *quantity) quantileChart() chartData {
	var names []string
	var change []any
	for _, x := range q.quantiles {
		if x.Percent == 0 || x.Percent == 100 {
			continue
		}
		names = append(names, strconv.Itoa(x.Percent))
		change = append(change, chartValue((x.Cand-x.Base)*q.scale.Factor))
	}
	y := valueAxis(q.changeUnit(), "@signed", 0)
	y.Min = nil
	bar := newBar(place{q.chartID("quantiles"), "16", "42"}, categoryAxis(names, "quantile of "+q.each+"s, %"), y, names)
	bar.series("Change", change, filled("$ink3", "", 0).wide("8", ""))
	return chartData{Option: bar.option(), Height: 220, Title: "Quantile, %", Unit: q.changeUnit(), Mark: "zero"}
}

func (q *quantity) quantileTable() *table {
	u := q.scale.Name
	t := &table{Label: "Quantiles of " + q.what, Heads: heads("Quantile", "Baseline, "+u, "Candidate, "+u, "Change, "+q.changeUnit())}
	for _, x := range q.quantiles {
		b, c := float64(x.Base*q.scale.Factor), float64(x.Cand*q.scale.Factor)
		t.Rows = append(t.Rows, row{Cells: append([]cell{headCell(strconv.Itoa(x.Percent) + number.Space + "%")}, changeCells(b, c)...)})
	}
	return t
}

// rankBox is the box of a rank or a host on each side: minimum, quartiles and maximum.
type rankBox struct {
	name       string
	bar        int // whose it is, see barsOf
	base, cand [5]float64
}

// boxChart returns the values of every rank. With more than manyRanks it has every host, and the
// five ranks with the largest median.
func (s *sheet) boxChart(q *quantity) (chartData, string) {
	note := ""
	if len(q.boxes) > manyRanks {
		q.boxes = append(apartBoxes(q.boxes), s.nodeBoxes(q.boxes)...)
		note = fmt.Sprintf("The %s ranks whose median is furthest from that of the median rank, then one box for each node, over its ranks.", number.Word(ranksBesideNodes))
	}
	var names []string
	var whose []int
	var base, cand []any
	lo, hi := math.Inf(1), 0.0
	for _, b := range q.boxes {
		names, whose = append(names, b.name), append(whose, b.bar)
		base, cand = append(base, q.boxData(b.base)), append(cand, q.boxData(b.cand))
		for _, v := range []float64{b.base[0], b.cand[0]} {
			if v < lo {
				lo = v
			}
		}
		hi = max(hi, largestMagnitude(existing([]float64{b.base[4], b.cand[4]})...))
	}
	lo, hi = float64(lo*q.scale.Factor), float64(hi*q.scale.Factor)
	y := valueAxis(q.scale.Name, "@tick", 0)
	if !math.IsInf(lo, 1) {
		y.Min, y.Max = plot.Around(lo, hi, 0)
	}
	box := newBox(place{q.chartID("boxes"), "8", "26"}, categoryAxis(names, ""), y, names)
	box.series("Baseline", base, filled("$paper", baseColor, 1.6))
	box.series("Candidate", cand, filled("$candSoft", candColor, 1.6))
	d := chartData{Option: box.option(), Height: 280, Narrow: 60 + 22*len(names), Flip: true, Title: "Rank", Unit: q.scale.Name, Mark: "boxes", Pick: "rank", Extra: map[string]any{"each": q.each}}
	if note != "" {
		s.showHosts(&d, whose)
	}
	return d, note
}

func (q *quantity) boxData(b [5]float64) []any {
	v := make([]any, 5)
	for i := range b {
		v[i] = chartValue(b[i] * q.scale.Factor)
	}
	return v
}

// nodeBoxes joins the boxes of each host's ranks, given the boxes of all ranks in order: the extremes of all, and the
// medians of their quartiles.
func (s *sheet) nodeBoxes(boxes []rankBox) []rankBox {
	var out []rankBox
	for k, group := range s.ranksByHost() {
		var base, cand [][5]float64
		for _, i := range group.places {
			base, cand = append(base, boxes[i].base), append(cand, boxes[i].cand)
		}
		out = append(out, rankBox{group.name, -1 - k, joinBoxes(base), joinBoxes(cand)})
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

// apartBoxes returns the boxes of the ranks whose median is furthest from the median rank's.
func apartBoxes(list []rankBox) (out []rankBox) {
	base, cand := make([]float64, len(list)), make([]float64, len(list))
	for i := range list {
		base[i], cand[i] = list[i].base[2], list[i].cand[2]
	}
	for _, i := range furthest(ranksBesideNodes, base, cand) {
		b := list[i]
		b.name = "rank " + b.name
		out = append(out, b)
	}
	return out
}

// boxTable has the values of the chart of boxes: of a host where that shows hosts.
func (q *quantity) boxTable() *table {
	u := q.scale.Name
	t := &table{Label: cmp.Or(q.ofRank, q.name) + " of each rank", Heads: heads("Rank", "Base min, "+u, "25 %, "+u, "Median, "+u, "75 %, "+u, "Max, "+u, "Cand. min, "+u, "25 %, "+u, "Median, "+u, "75 %, "+u, "Max, "+u)}
	for _, b := range q.boxes {
		cells := []cell{headCell(b.name)}
		for _, v := range append(b.base[:], b.cand[:]...) {
			cells = append(cells, numberCell(v*q.scale.Factor))
		}
		r := row{Cells: cells}
		if b.bar >= 0 {
			r.Rank = strconv.Itoa(b.bar)
		}
		t.Rows = append(t.Rows, r)
	}
	return t
}
