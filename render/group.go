package render

import (
	"math"
	"slices"

	"perfdiff/analyze/run"
	"perfdiff/diff"
	"perfdiff/diff/verdict"
	"perfdiff/render/words"
)

// dimensionMetrics are the metrics shown for each dimension of parallelism if there are few lines.
var dimensionMetrics = []string{run.DimensionTime, run.DimensionWaitTime, run.DimensionTransferTime, run.ExposedWaitTime, run.ExposedTransferTime, run.DimensionBandwidth, run.DimensionAlgorithm}

// dimensionRows returns rows with the time of communication by dimension of parallelism, and how much of it is
// exposed; nil where dimensions are not told apart.
func dimensionRows(r *diff.Report) (rows []metricRow) {
	for _, d := range words.Dimensions(r.Parts) {
		for _, metric := range dimensionMetrics {
			if c := partOf(r, metric, d); c != nil {
				o := rowOf(c)
				if o.metric = words.OfDimension(c.Key); o.missing == "" {
					rows = append(rows, o)
				}
			}
		}
	}
	return rows
}

// partOf returns the comparison of one part of a metric; nil where the report has none.
func partOf(r *diff.Report, metric, part string) *verdict.Comparison {
	i := slices.IndexFunc(r.Parts, func(c verdict.Comparison) bool { return c.Key.Metric == metric && c.Key.Part == part })
	if i < 0 {
		return nil
	}
	return &r.Parts[i]
}

// dimensions writes communication by dimension in a terminal, a line for each.
func (t *text) dimensions(r *diff.Report) {
	if len(dimensionRows(r)) == 0 {
		return
	}
	var rows []loadRow
	for _, d := range words.Dimensions(r.Parts) {
		of := func(metric string) pair {
			if c := partOf(r, metric, d); c != nil {
				return pair{c.Base, c.Cand}
			}
			return pair{math.NaN(), math.NaN()}
		}
		exposed, late := of(run.ExposedTransferTime), of(run.ExposedWaitTime)
		rows = append(rows, loadRow{
			name: words.ShortDimension(d),
			wait: of(run.DimensionWaitTime), transfer: of(run.DimensionTransferTime), bandwidth: of(run.DimensionBandwidth),
			exposed: pair{exposed.base + late.base, exposed.cand + late.cand},
		})
	}
	t.heading("Communication by dimension of parallelism")
	t.loadGrid("per step", rows)
}

// dimensionSheet returns the same as a table.
func dimensionSheet(r *diff.Report) *sheet {
	s := &sheet{heading: "Communication by dimension of parallelism", align: "lrrr", ofSides: true,
		heads: []string{"time per step", commentHeads(r)[0], commentHeads(r)[1], "change"}}
	for _, o := range dimensionRows(r) {
		s.add(cells(o.metric, o.Base, o.Cand, o.Change)...)
	}
	return s
}
