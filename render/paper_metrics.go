package render

import (
	"math"

	"perfdiff/diff"
	"perfdiff/render/number"
	"perfdiff/render/words"
)

// maxKernelRows is how many kernels the table of a write-up names; the CSV file has all.
const maxKernelRows = 12

// metricsTable shows the main metrics.
func metricsTable(r *diff.Report) *sheet {
	rows := rowsOfMetrics(r)
	t := metricSheet(r, paperHeads(r), rows)
	t.name, t.heading = "metrics", "Metrics"
	t.intro = number.Capital(words.TableNote(r)) + "."
	for i := range rows {
		if o := &rows[i]; o.missing == "" {
			t.add(append(t.metricCells(o), cells(o.verdict)...)...)
		}
	}
	return t
}

func kernelsTable(r *diff.Report) *sheet {
	heads := paperHeads(r)
	t := &sheet{name: "kernels", heading: "Kernels that changed most", align: "lrrrrr",
		heads: []string{"Kernel", heads[0] + ", ms per step", heads[1] + ", ms per step", "Change, ms", "by calls", "by duration"}}
	shown, size := r.Kernels[:min(maxKernelRows, len(r.Kernels))], 0.0
	for i := range shown {
		size = max(size, math.Abs(shown[i].Delta)) // the digits are those of the largest change
	}
	ms := number.RowIn(number.Milliseconds, size)
	for i := range shown {
		if k := &r.Kernels[i]; k.Others == 0 {
			t.add(nameAndCells(shorten(shortName(k.Name), 80), ms.Digits(k.BaseTime), ms.Digits(k.CandTime), ms.Signed(k.Delta), ms.Signed(k.Calls), ms.Signed(k.Slower))...)
		}
	}
	return t
}
