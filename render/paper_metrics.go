package render

import (
	"math"
	"strconv"
	"strings"

	"perfdiff/diff"
	"perfdiff/diff/verdict"
	"perfdiff/render/number"
)

// maxKernelRows is how many kernels the table of a write-up names; the CSV file has all.
const maxKernelRows = 12

// metricsTable shows the main metrics. The difference of the two numbers that readers see is in a column of its own,
// apart from the estimate, which compares the same steps of both sides.
func metricsTable(r *diff.Report) *sheet {
	heads := paperHeads(r)
	t := &sheet{name: "metrics", heading: "Metrics", align: "lrrrrrl",
		intro: "Medians over steps of the median over ranks; difference is that of the two numbers as they stand here; estimate and interval compare the same steps of both sides and are what is tested.",
		heads: []string{"Metric", heads[0], heads[1], "Difference", "Estimate", intervalHeading(r), "Verdict"}}
	for i := range r.Metrics {
		c := &r.Metrics[i]
		if o := rowOf(c); o.missing == "" {
			t.add(nameAndCells(o.metric, o.base, o.cand, differenceText(c), o.change, o.intervalWithUnit(), o.verdict)...)
		}
	}
	return t
}

// differenceText returns the difference of both values as they are printed, in the unit of the
// estimate: a reader who computes it from the table gets the same digits.
func differenceText(c *verdict.Comparison) string {
	if math.IsNaN(c.Base) || math.IsNaN(c.Cand) {
		return number.None
	}
	s := number.ScaleOf(c.Metric.Unit, largerMagnitude(c.Base, c.Cand))
	base, cand := asPrinted(s, c.Base), asPrinted(s, c.Cand)
	switch {
	case c.Relative && !(base > 0):
		return number.None
	case c.Relative:
		p := number.PercentFor(c.Estimate, c.Lo, c.Hi)
		return p.Signed(cand/base-1) + number.Space + "%"
	case c.Metric.Unit == "ratio":
		p := number.PercentFor(c.Estimate, c.Lo, c.Hi)
		return p.Signed((cand-base)/100) + number.Space + "pts"
	}
	return number.SignedWith(cand-base, s.Name)
}

// asPrinted returns the number that readers see of v, in the unit of s.
func asPrinted(s number.Scale, v float64) float64 {
	text := strings.NewReplacer(number.Minus, "-", number.Comma, "").Replace(s.Format(v))
	seen, err := strconv.ParseFloat(text, 64)
	if err != nil {
		return math.NaN()
	}
	return seen
}

func kernelsTable(r *diff.Report) *sheet {
	heads := paperHeads(r)
	t := &sheet{name: "kernels", heading: "Kernels that changed most", align: "lrrrrr",
		heads: []string{"Kernel", heads[0] + ", ms per step", heads[1] + ", ms per step", "Change, ms", "by calls", "by duration"}}
	ms := number.Milliseconds
	for i := range r.Kernels[:min(maxKernelRows, len(r.Kernels))] {
		if k := &r.Kernels[i]; k.Others == 0 {
			t.add(nameAndCells(shorten(shortName(k.Name), 80), ms.Format(k.BaseTime), ms.Format(k.CandTime), ms.Signed(k.Delta), ms.Signed(k.Calls), ms.Signed(k.Slower))...)
		}
	}
	return t
}
