package render

import (
	"bytes"
	"fmt"
	"io"
	"math"
	"strings"

	"perfdiff/diff"
	"perfdiff/render/html"
	"perfdiff/render/number"
	"perfdiff/render/words"
)

// WritePortrait writes what one run set looks like: as text, as JSON, or as a page.
func WritePortrait(w io.Writer, p *diff.Portrait, f Format, opt Options) error {
	switch f {
	case JSON:
		return writeIndented(w, portraitDocument(p))
	case HTML:
	default:
		return writePortraitText(w, p, opt)
	}
	var page bytes.Buffer
	if err := html.WritePortrait(&page, p); err != nil {
		return err
	}
	_, err := w.Write(replaceInvisible(page.Bytes(), replacementMark))
	return err
}

func writePortraitText(w io.Writer, p *diff.Portrait, opt Options) error {
	t := newText(opt)
	t.paintedLine("strong", shortName(p.Side.Label)+"  ", 0, words.Portrait(p))
	t.line("", 0, cleanLine(words.PortraitBasis(p)))
	t.policy(&p.Report.Policy)
	if len(p.Notes) > 0 {
		t.heading("What stands out")
	}
	for i := range p.Notes {
		size, unit, text := words.NoteText(p, &p.Notes[i])
		t.line("  "+padTo(size+unbreakable+unit, 10, true)+"  ", 14, shortSentence(text))
	}
	t.portraitParts(p)
	t.portraitMetrics(p)
	if len(p.Warnings) > 0 {
		t.heading("Warnings")
		for i := range p.Warnings {
			t.line("  ", 4, warningText(&p.Warnings[i]))
		}
	}
	if hint := p.Side.Steps.Hint; hint != "" {
		t.heading("What would help")
		t.line("  ", 2, shortSentence(hint))
	}
	_, err := io.WriteString(w, t.String())
	return err
}

// portraitParts says where the time of a step goes.
func (t *text) portraitParts(p *diff.Portrait) {
	if len(p.Report.Waterfall.Parts) == 0 {
		return
	}
	t.heading("Where the time of a mean step goes")
	sc, rows := number.ScaleOf("s", p.Mean), [][]string{}
	for _, x := range p.Report.Waterfall.Parts {
		rows = append(rows, []string{words.StepPart(x.StepPart), sc.With(x.Cand), number.Share(p.PartShare(x.Cand))})
	}
	t.grid([]string{"part", "per step", "share"}, append(rows, []string{"step", sc.With(p.Mean), number.Share(1)}))
}

// portraitMetrics writes a line for each main metric that was recorded, and one for the others.
func (t *text) portraitMetrics(p *diff.Portrait) {
	var rows [][]string
	var missing []string
	for i := range p.Report.Metrics {
		c := &p.Report.Metrics[i]
		if math.IsNaN(c.Cand) {
			missing = append(missing, metricKey(c))
			continue
		}
		rows = append(rows, []string{metricKey(c), valueText(number.ScaleOf(c.Metric.Unit, math.Abs(c.Cand)), c.Cand)})
	}
	if len(rows)+len(missing) == 0 {
		return
	}
	t.heading("What was measured")
	if len(rows) > 0 {
		t.grid([]string{"metric", "value"}, rows)
	}
	if len(missing) > 0 {
		t.line("  ", 4, fmt.Sprintf("not recorded: %s (perfdiff help metrics NAME says what would record it)", strings.Join(missing, ", ")))
	}
}
