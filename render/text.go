package render

import (
	"cmp"
	"io"
	"slices"
	"strings"

	"perfdiff/diff"
	"perfdiff/diff/policy"
	"perfdiff/render/number"
	"perfdiff/render/words"
)

// text is a summary for a terminal, under construction.
type text struct {
	strings.Builder
	width int
	color bool
	all   bool // with every table, and so every finding
	notes footnotes
}

// Widths of a terminal, in columns: the least that is used, and the default.
const (
	minWidth     = 24
	defaultWidth = 80
)

// newText returns an empty summary, as wide as the terminal is.
func newText(opt Options) *text {
	t := &text{width: max(opt.Width, minWidth), color: opt.Color, all: opt.Tables}
	if opt.Width <= 0 {
		t.width = defaultWidth
	}
	return t
}

// writeText writes the answer, and behind it every table where these were asked for, or where they are the answer.
func writeText(w io.Writer, r *diff.Report, opt Options) error {
	t := newText(opt)
	a := words.AnswerOf(r)
	t.answer(r, &a)
	if opt.Tables || !a.OfSteps && (r.OfResults || len(r.Steps) == 0 && len(r.Calls) == 0) {
		t.suspects(r)
		t.table(r)
		t.details(r)
		t.loads(r)
		t.dimensions(r)
		t.groups(r)
		t.pipeline(r)
		t.path(r)
		t.stepLessTable(r)
		t.candidates(r)
		t.compared(r)
		t.writeFootnotes()
		t.WriteString("\n")
		t.more(r, opt, "")
	} else {
		t.stepLessTable(r)
		t.candidates(r)
		text := "--table prints what was compared. "
		if len(r.Metrics) > 0 {
			text = "--table prints " + number.Counted(len(r.Metrics), "metric") + ". "
		}
		t.more(r, opt, text)
	}
	_, err := io.WriteString(w, t.String())
	return err
}

// more says where the rest is, behind text.
func (t *text) more(r *diff.Report, opt Options, text string) {
	if what := pageContent(r); what != "" {
		text += cmp.Or(shortName(opt.Page), "-o report.html") + " shows " + what + "."
	}
	if text != "" {
		t.line("", 0, text)
	}
}

// line writes plain text after first, and breaks it where it is too long. Further lines are indented by rest.
func (t *text) line(first string, rest int, s string) {
	for _, l := range wrapText(first, rest, s, t.width) {
		t.WriteString(l + "\n")
	}
}

// paintedLine writes a line with first in the colour of a class. first must fit on one line.
func (t *text) paintedLine(class, first string, rest int, s string) {
	for i, l := range wrapText(first, rest, s, t.width) {
		if word := strings.TrimRight(spaces.Replace(first), " "); i == 0 && strings.HasPrefix(l, word) {
			indent := len(word) - len(strings.TrimLeft(word, " "))
			l = word[:indent] + t.paint(class, word[indent:]) + l[len(word):]
		}
		t.WriteString(l + "\n")
	}
}

// heading begins a section.
func (t *text) heading(s string) {
	t.WriteString("\n")
	for _, l := range wrapText("", 0, s, t.width) {
		t.WriteString(t.paint("strong", l) + "\n")
	}
}

// answer writes the answer: tag and headline, what was measured and why, how sure that is, what it is made of, what
// else changed, and what to do.
func (t *text) answer(r *diff.Report, a *words.Answer) {
	if title := titleText(r); title != "" {
		t.line("", 0, title)
	}
	t.paintedLine(classOf(r), cleanLine(a.Tag)+"  ", 0, shortSentence(a.Headline))
	t.WriteString("\n")
	t.line("  ", 2, strings.TrimSpace(shorten(a.Told(), 2*maxSentence)+" "+a.Advice))
	if look := words.NotAlike(r); look != "" && !r.BlamesClock() {
		t.line("  ", 2, shorten(look, 2*maxSentence))
	}
	t.facts(a.Facts)
	t.sum(a.Sum)
	t.also(a)
	t.labelled("Know", t.toKnow(r, a))
	t.labelled("Next", slices.DeleteFunc([]string{shortSentence(a.Next)}, func(s string) bool { return s == "" }))
	t.WriteString("\n")
	if gate := strings.TrimSpace(words.GateResult(r) + " " + strings.TrimPrefix(shortSentence(words.GateLine(r)), "Gate: failed. ")); gate != "" {
		t.line("", 0, gate)
	}
	t.policy(&r.Policy)
}

// classOf returns the colour of an answer.
func classOf(r *diff.Report) string {
	if c := r.Verdict.Class(); c.Judges() && r.Judged {
		return c.String()
	}
	return "strong"
}

// labelled writes lines with a label in front of the first.
func (t *text) labelled(label string, lines []string) {
	for i, l := range lines {
		if i == 0 {
			t.WriteString("\n")
		} else {
			label = ""
		}
		t.line("  "+padTo(label, 6, false), 8, l)
	}
}

// facts writes questions with their answers.
func (t *text) facts(list [][2]string) {
	list = slices.DeleteFunc(slices.Clone(list), func(x [2]string) bool { return x[1] == "" })
	if len(list) == 0 {
		return
	}
	const labels = 13
	t.WriteString("\n")
	for _, x := range list {
		t.line("  "+padTo(x[0], labels, false), 2+labels, x[1])
	}
}

// sum writes what the change is made of.
func (t *text) sum(s *words.Sum) {
	if s == nil {
		return
	}
	rows, classes := [][]string{{"", "before", "after", "change", ""}}, []string{""}
	for i := range s.Rows {
		x := &s.Rows[i]
		name, change, beside := x.Name, x.Change, ""
		if x.Follows {
			name = unbreakable + unbreakable + name
		} else if change != "~" {
			change += unbreakable + s.Unit
		}
		if i == len(s.Rows)-1 {
			beside = x.Why
		}
		rows, classes = append(rows, []string{name, x.Base, x.Cand, change, beside}), append(classes, x.Class.String())
	}
	t.WriteString("\n")
	t.lay(rows, "lrrll", 2, 2, classes)
}

// mostAlso is how many findings beside the sum the answer names. Chosen, not measured: it is to fit one screen.
const mostAlso = 3

// also writes what changed beside the sum.
func (t *text) also(a *words.Answer) {
	var lines []string
	for i := range a.Also {
		if i == mostAlso && !t.all {
			lines = append(lines, "and "+number.Counted(len(a.Also)-i, "more finding")+": --table")
			break
		}
		lines = append(lines, shortSentence(a.Also[i].Text))
	}
	t.labelled("Also", lines)
}

// policy says how the policy differs from the default.
func (t *text) policy(p *policy.Policy) {
	if line := words.PolicyLine(p); line != "" {
		t.line("", 0, cleanLine(line))
	}
}

// findingsHeading returns the heading of the findings.
func findingsHeading(r *diff.Report) string {
	if r.Judged {
		return "What changed"
	}
	return "What stands out"
}

// maxNumberWidth is how much of a finding's number or unit is written, in characters.
const maxNumberWidth = 9

func numberText(f words.Finding) string {
	number, unit := shorten(f.Number, maxNumberWidth), shorten(f.NumberIn, maxNumberWidth)
	if unit == "" {
		return number
	}
	return number + unbreakable + unit
}

// labelledLine writes a line with a label in front.
func (t *text) labelledLine(label, s string) {
	const labels = 11
	t.line("  "+padTo(label, labels, false), 2+labels, s)
}

// compared says what was compared: ranks, steps, differences.
func (t *text) compared(r *diff.Report) {
	t.heading("What was compared")
	t.labelledLine(baseline, sideText(baseline, nameOf(r, 0), &r.Base, r.OfResults))
	t.labelledLine(candidate, sideText(candidate, nameOf(r, 1), &r.Cand, r.OfResults))
	label := "steps"
	for _, l := range stepLines(r, t.steps) {
		if l[0] != "both" {
			l[1] = l[0] + " " + l[1]
		}
		t.labelledLine(label, l[1])
		label = ""
	}
	for _, hint := range slices.Compact([]string{r.Base.Steps.Hint, r.Cand.Steps.Hint}) {
		if hint != "" && !slices.Contains(words.Hints(r), hint) {
			t.labelledLine("hint", shortSentence(hint))
		}
	}
	if r.Judged {
		t.labelledLine("values", strings.TrimPrefix(words.TableNote(r), "values are "))
	}
	if past := words.History(r); past != "" {
		t.labelledLine("history", Line(past))
	}
	for _, l := range words.Store(r.StoreFindings) {
		t.labelledLine(l[0], Line(l[1]))
	}
}

// sideText describes a side in a line. It begins with the side's name if that is not its role: a baseline called
// candidate is worth a look. name is what the user calls the side, "" if nothing.
func sideText(role, name string, s *diff.Side, results bool) string {
	var parts []string
	if len(s.Runs) > 1 || results {
		parts = append(parts, number.Counted(len(s.Runs), "run"))
	}
	ranks := ranksText(s)
	if len(s.RanksFrom) > 0 {
		ranks += " from " + firstNames(s.RanksFrom, 2)
	}
	if !results {
		parts = append(parts, ranks)
	}
	if m := missingRanksText(s); m != "" {
		parts = append(parts, m)
	}
	if len(s.Hosts) > 1 {
		parts = append(parts, number.Counted(len(s.Hosts), "host"))
	}
	if from := words.From(s); from != "" {
		parts = append(parts, shortName(from))
	}
	out := strings.Join(parts, ", ")
	label := ""
	if s.Label != "" && s.Label != role {
		label = shortName(s.Label)
	}
	switch {
	case name != "" && label != "" && label != name:
		return name + " (" + label + "): " + out
	case name != "" && name != role || label != "":
		return cmp.Or(name, label) + ": " + out
	}
	return out
}

// stepLines are lines about the steps of both sides; none of what runs printed.
func stepLines(r *diff.Report, of func(*diff.StepReceipt) string) [][2]string {
	if r.OfResults {
		return nil
	}
	return linesOfSides(of(&r.Base.Steps), of(&r.Cand.Steps))
}

func (t *text) steps(s *diff.StepReceipt) string {
	if m := markerText(s); m != "" {
		return m + ": " + stepsText(s)
	}
	return stepsText(s)
}

// pageContent names what a page would show of a report; "" if nothing.
func pageContent(r *diff.Report) string {
	switch {
	case r.OfResults:
		return "metrics, with each run"
	case len(r.Calls) > 0:
		return "calls, kernels, gaps, summaries"
	case len(r.Steps) > 0 && len(r.Kernels) == 0:
		return "steps and ranks"
	case len(r.Steps) > 0:
		return "steps, ranks, kernels"
	}
	return ""
}

// writeFootnotes writes the footnotes.
func (t *text) writeFootnotes() {
	if len(t.notes.texts) == 0 {
		return
	}
	t.WriteString("\n")
	for _, s := range t.notes.texts {
		m := t.notes.mark(s) + " "
		t.line(m, len(m), s)
	}
}
