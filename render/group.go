package render

import (
	"math"
	"slices"

	"perfdiff/analyze/run"
	"perfdiff/diff"
	"perfdiff/diff/cause"
	"perfdiff/diff/verdict"
	"perfdiff/render/number"
	"perfdiff/render/words"
)

// Group is ranks that communicate with each other.
type Group struct {
	Ranks     []int           `json:"ranks"`
	Label     string          `json:"label"`     // of the ranks: "0-3"
	Size      int             `json:"size"`      // ranks in all, those that are not known too; 0: unknown
	Purpose   string          `json:"purpose"`   // as the program describes it; "": not recorded
	Dimension string          `json:"dimension"` // of parallelism that it serves: "tensor parallel"; "": unknown, or not the same on both sides
	Uses      []GroupUse      `json:"uses"`
	Sides     Both[GroupLoad] `json:"sides"`
}

// GroupUse is one kind of call.
type GroupUse struct {
	Collective string       `json:"collective"`
	Type       string       `json:"type"`  // of data, as recorded; "": unknown
	Size       string       `json:"size"`  // class of the message: "1 to 16 MiB"; "": unknown
	Calls      Both[Number] `json:"calls"` // of a rank in a step in which there are any
}

// GroupLoad is what the group does in a step of one of its ranks.
type GroupLoad struct {
	Calls     Number `json:"calls"`     // 0: the side has no such group
	Time      Number `json:"time"`      // s
	Exposed   Number `json:"exposed"`   // s of time without compute beside it
	Wait      Number `json:"wait"`      // s of time; null: not told apart
	Transfer  Number `json:"transfer"`  // s of time; null: not told apart
	Bandwidth Number `json:"bandwidth"` // of the bus in the transfers; null: unknown
	Algorithm Number `json:"algorithm"` // algorithm bandwidth, bytes of messages a second of transfer; null: unknown
}

func groupDocument(g *cause.GroupChange) Group {
	return Group{
		Ranks: neverNil(g.Ranks), Label: g.Label, Size: g.Size, Purpose: g.Purpose, Dimension: g.Dimension,
		Uses: documentsOf(g.Uses, func(u *cause.GroupUse) GroupUse {
			return GroupUse{u.Collective, u.Type, u.Size, bothNumbers(u.Base, u.Cand)}
		}),
		Sides: Both[GroupLoad]{groupLoad(&g.Base), groupLoad(&g.Cand)},
	}
}

func groupLoad(l *cause.GroupLoad) GroupLoad {
	return GroupLoad{Number(l.Calls), Number(l.Time), Number(l.Exposed), Number(l.Wait), Number(l.Transfer), Number(l.Bandwidth), Number(l.Algorithm)}
}

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
