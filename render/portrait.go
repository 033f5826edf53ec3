package render

import (
	"bytes"
	"cmp"
	"fmt"
	"io"
	"math"
	"strings"

	"perfdiff/analyze/run"
	"perfdiff/diff"
	"perfdiff/diff/verdict"
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
	a := words.AnswerOfRun(p, t.all)
	t.paintedLine("strong", a.Tag+"  ", 0, shortSentence(a.Headline))
	t.WriteString("\n")
	t.line("  ", 2, shorten(a.Story, 2*maxSentence))
	writeRunParts(t, &a)
	t.labelled("Also", listOf(a.Also, func(s *string) string { return shortSentence(*s) }))
	if len(a.Gains) > 0 {
		t.WriteString("\n  Most that could be gained a step\n")
		width := columnsOf(a.Gains[0][0])
		for _, g := range a.Gains {
			t.line("  "+padTo(g[0], width, true)+"  ", 4+width, g[1])
		}
	}
	writeCallsOfRun(t, p.Report)
	if t.all || p.Report.OfResults {
		t.portraitMetrics(p)
	}
	t.labelled("Know", knownOfRun(p, t.all))
	t.labelled("Next", []string{nextOfRun(p, &a, opt)})
	exit := "0"
	if math.IsNaN(p.Step) {
		exit = "3"
	}
	t.WriteString("\n")
	t.line("", 0, "Nothing was compared or judged, exit "+exit+".")
	t.policy(&p.Report.Policy)
	_, err := io.WriteString(w, t.String())
	return err
}

// writeRunParts writes what a step is made of, with a bar for each part.
func writeRunParts(t *text, a *words.RunAnswer) {
	const longest = 30 // columns of a bar as long as the step
	if len(a.Parts) == 0 {
		return
	}
	t.WriteString("\n  What a step is made of (mean over ranks and steps)\n")
	var rows [][]string
	for i := range a.Parts {
		x := &a.Parts[i]
		bar := ""
		if i < len(a.Parts)-1 && x.Of > 0 {
			bar = strings.Repeat("#", max(1, int(math.Round(longest*x.Of))))
		}
		rows = append(rows, []string{x.Name, x.Time + unbreakable + a.Unit, x.Share, bar})
	}
	t.lay(rows, "lrrl", 2, 2, nil)
}

// mostKnown is how many warnings the answer on a run set names. Chosen, not measured: it is to fit one screen.
const mostKnown = 2

// knownOfRun returns what is to be known of a run set.
func knownOfRun(p *diff.Portrait, all bool) (lines []string) {
	for i := range p.Warnings {
		if i == mostKnown && !all {
			return append(lines, "and "+number.Counted(len(p.Warnings)-i, "more warning")+": --table")
		}
		lines = append(lines, warningText(&p.Warnings[i]))
	}
	return lines
}

// nextOfRun returns the one thing to do next.
func nextOfRun(p *diff.Portrait, a *words.RunAnswer, opt Options) string {
	if hint := p.Side.Steps.Hint; hint != "" && math.IsNaN(p.Step) {
		return shortSentence(number.Capital(hint) + ".")
	}
	if c := verdict.MetricOf(p.Report.Metrics, run.ComputeTime); c != nil && len(a.Parts) == 0 && c.NotRecorded[1].Is() {
		_, how, _ := strings.Cut(words.Need(c.NotRecorded[1]), ": ")
		return shortSentence(number.Capital(how) + ", to see what a step is made of.")
	}
	if len(a.Parts) == 0 && !math.IsNaN(p.Step) {
		return "Profile a run, to see what a step is made of (perfdiff help record)."
	}
	next := "open " + shortName(opt.Page)
	if opt.Page == "" {
		next = "perfdiff report " + ShellPath(cmp.Or(opt.Set, shortName(p.Side.Label), "RUNSET")) + " -o report.html"
	}
	if a.Section != "" {
		next += ", section " + a.Looks
	}
	return next + "."
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
