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

// stageRow says what a stage does on both sides: busy, warm-up, steady, drain, in one scale.
type stageRow struct {
	name  string
	cells [4]string
}

// stageRows returns the stages of a pipeline that either side has; nil where there is none. unit is the unit of the
// numbers.
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

// pipelineLine returns a line about a pipeline on both sides; "" where there is none.
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

// pipeline writes what the stages of a pipeline do in a step, for a terminal.
func (t *text) pipeline(r *diff.Report) {
	rows, _ := stageRows(r)
	if len(rows) == 0 {
		return
	}
	t.heading("Pipeline")
	t.line("  ", 4, pipelineLine(r))
	s := pipelineSheet(r).first(maxStages)
	t.grid(s.heads, s.texts())
	if more := notShownText(len(rows), maxStages, "stages"); more != "" {
		t.line("  ", 4, more)
	}
}

// pipelineSheet returns the same as a table.
func pipelineSheet(r *diff.Report) *sheet {
	rows, unit := stageRows(r)
	s := &sheet{heading: "Pipeline", intro: pipelineLine(r), align: "lrrrr", heads: []string{"in " + unit + " per step"}}
	for _, part := range words.StageParts {
		s.heads = append(s.heads, strings.ToLower(part))
	}
	for i := range rows {
		s.add(cells(append([]string{rows[i].name}, rows[i].cells[:]...)...)...)
	}
	return s
}

// pipeline writes what the stages of a pipeline do in a step, in Markdown.
func (c *comment) pipeline(r *diff.Report) {
	s, more := pipelineSheet(r), ""
	if n := len(s.rows) - maxStages; n > 0 {
		more = "and " + number.Counted(n, "more stage")
	}
	c.foldedTable(s.first(maxStages), more)
}
