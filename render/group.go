package render

import (
	"math"
	"slices"

	"perfdiff/analyze/run"
	"perfdiff/diff"
	"perfdiff/diff/verdict"
	"perfdiff/render/number"
	"perfdiff/render/words"
)

// dimensionMetrics are what is shown of each dimension of parallelism in few lines.
var dimensionMetrics = []string{run.DimensionTime, run.DimensionWaitTime, run.DimensionTransferTime, run.ExposedWaitTime, run.ExposedTransferTime, run.DimensionBandwidth, run.DimensionAlgorithm}

// dimensionRows are the time of communication by dimension of parallelism, and what of it is
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

// partOf is a metric of one part; nil where the report has none.
func partOf(r *diff.Report, metric, part string) *verdict.Comparison {
	i := slices.IndexFunc(r.Parts, func(c verdict.Comparison) bool { return c.Key.Metric == metric && c.Key.Part == part })
	if i < 0 {
		return nil
	}
	return &r.Parts[i]
}

// dimensions is communication by dimension in a terminal, a line for each.
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

// writeUpDimensions writes the same as a table.
func writeUpDimensions(line func(string, ...any), r *diff.Report) {
	rows := dimensionRows(r)
	if len(rows) == 0 {
		return
	}
	line("\n## Communication by dimension of parallelism\n\n| Time per step | %s | %s | Change |\n|:--|--:|--:|--:|", writeUpHeads(r)[0], writeUpHeads(r)[1])
	for _, o := range rows {
		line("| %s | %s | %s | %s |", escapeMarkdown(number.Capital(o.metric)), o.base, o.cand, o.change)
	}
}

// dimensions is the table of communication by dimension in Markdown.
func (c *comment) dimensions(r *diff.Report) {
	rows := dimensionRows(r)
	if len(rows) == 0 {
		return
	}
	c.folded("Communication by dimension of parallelism", func() {
		c.tableRow("time per step", commentHeads(r)[0], commentHeads(r)[1], "change")
		c.line("|:--|--:|--:|--:|")
		for _, o := range rows {
			c.tableRow(escapeMarkdown(o.metric), o.base, o.cand, o.change)
		}
	})
}
