package render

import (
	"fmt"
	"math"
	"strings"

	"perfdiff/diff"
	"perfdiff/diff/cause"
	"perfdiff/render/number"
	"perfdiff/render/words"
)

// maxStages is how many stages a table outside of the page shows.
const maxStages = 16

// stageRow is what a stage does on both sides: Busy, warm-up, steady, drain, in one scale.
type stageRow struct {
	name  string
	cells [4]string
}

// stageRows are the stages of a pipeline on both sides, those that either has; nil where there is
// none. unit is that of the numbers.
func stageRows(r *diff.Report) (rows []stageRow, unit string) {
	if r.Pipeline == nil {
		return nil, ""
	}
	top := 0.0
	for i := range r.Pipeline {
		for k := range r.Pipeline[i].Loads {
			if v := r.Pipeline[i].Loads[k].Step; v > top {
				top = v
			}
		}
	}
	sc := number.ScaleOf("s", top)
	for stage := range max(len(r.Pipeline[0].Loads), len(r.Pipeline[1].Loads)) {
		row := stageRow{name: fmt.Sprint("stage ", stage)}
		b, c := stageTimes(&r.Pipeline[0], stage), stageTimes(&r.Pipeline[1], stage)
		for i := range row.cells {
			row.cells[i] = sc.Format(b[i]) + " → " + sc.Format(c[i])
		}
		rows = append(rows, row)
	}
	return rows, sc.Name
}

func stageTimes(x *cause.Pipeline, stage int) [4]float64 {
	if stage >= len(x.Loads) {
		nan := math.NaN()
		return [4]float64{nan, nan, nan, nan}
	}
	return words.StageTimes(&x.Loads[stage])
}

// pipelineLine is a line about a pipeline on both sides; "" where there is none.
func pipelineLine(r *diff.Report) string {
	if r.Pipeline == nil {
		return ""
	}
	b, c := &r.Pipeline[0], &r.Pipeline[1]
	pair := func(b, c float64) string { return share(b) + " → " + share(c) }
	text := number.Capital(words.Schedule(b, c)) + "; bubble " + pair(b.Share, c.Share) + " of the step"
	if !math.IsNaN(b.Ideal) || !math.IsNaN(c.Ideal) {
		text += ", ideally " + pair(b.Ideal, c.Ideal)
	}
	return text + "."
}

func share(v float64) string {
	if math.IsNaN(v) {
		return number.None
	}
	return number.Share(v)
}

// pipeline is what the stages of a pipeline do in a step, in a terminal.
func (t *text) pipeline(r *diff.Report) {
	rows, unit := stageRows(r)
	if len(rows) == 0 {
		return
	}
	t.heading("Pipeline")
	t.line("  ", 4, pipelineLine(r))
	heads, cells := []string{"in " + unit + " per step"}, [][]string(nil)
	for _, part := range words.StageParts {
		heads = append(heads, strings.ToLower(part))
	}
	for _, row := range rows[:min(len(rows), maxStages)] {
		cells = append(cells, append([]string{row.name}, row.cells[:]...))
	}
	t.grid(heads, cells)
	if more := notShownText(len(rows), maxStages, "stages"); more != "" {
		t.line("  ", 4, more)
	}
}

// pipeline is the same in Markdown.
func (c *comment) pipeline(r *diff.Report) {
	rows, unit := stageRows(r)
	if len(rows) == 0 {
		return
	}
	c.folded("Pipeline", func() {
		c.line(escapeMarkdown(pipelineLine(r)) + "\n")
		c.tableRow("in "+unit+" per step", "busy", "warm-up", "steady", "drain")
		c.line("|:--|--:|--:|--:|--:|")
		for _, row := range rows[:min(len(rows), maxStages)] {
			c.tableRow(row.name, row.cells[0], row.cells[1], row.cells[2], row.cells[3])
		}
		if n := len(rows) - maxStages; n > 0 {
			c.line("\nand " + number.Counted(n, "more stage"))
		}
	})
}

// writeUpPipeline writes the same into the write-up.
func writeUpPipeline(line func(string, ...any), r *diff.Report) {
	rows, unit := stageRows(r)
	if len(rows) == 0 {
		return
	}
	line("\n## Pipeline\n\n%s\n\n| In %s per step | Busy | Warm-up | Steady | Drain |\n|:--|--:|--:|--:|--:|", escapeMarkdown(pipelineLine(r)), unit)
	for _, row := range rows {
		line("| %s | %s | %s | %s | %s |", number.Capital(row.name), row.cells[0], row.cells[1], row.cells[2], row.cells[3])
	}
}
