package render

import (
	"io"
	"slices"
	"strings"

	"perfdiff/diff"
	"perfdiff/diff/number"
	"perfdiff/render/words"
)

// text is a summary for a terminal in the making.
type text struct {
	strings.Builder
	width int
	color bool
	notes notes
}

// The narrowest and the usual terminal, in columns.
const (
	narrowest = 24
	usual     = 80
)

func writeText(w io.Writer, r *diff.Report, opt Options) error {
	t := &text{width: max(opt.Width, narrowest), color: opt.Color}
	if opt.Width <= 0 {
		t.width = usual
	}
	t.verdict(r)
	t.findings(r)
	t.table(r)
	t.details(r)
	t.loads(r)
	t.withoutSteps(r)
	t.candidates(r)
	t.compared(r)
	t.next(r, opt.Page)
	t.footnotes()
	_, err := io.WriteString(w, t.String())
	return err
}

// line writes one line of plain text, broken where it is too long.
func (t *text) line(first string, rest int, s string) {
	for _, l := range wrap(first, rest, s, t.width) {
		t.WriteString(l + "\n")
	}
}

// lead is line with the first words painted: they must fit on the first line.
func (t *text) lead(class, first string, rest int, s string) {
	for i, l := range wrap(first, rest, s, t.width) {
		if word := strings.TrimRight(spaces.Replace(first), " "); i == 0 && strings.HasPrefix(l, word) {
			indent := len(word) - len(strings.TrimLeft(word, " "))
			l = word[:indent] + t.paint(class, word[indent:]) + l[len(word):]
		}
		t.WriteString(l + "\n")
	}
}

// head begins a section.
func (t *text) head(s string) {
	t.WriteString("\n")
	for _, l := range wrap("", 0, s, t.width) {
		t.WriteString(t.paint("strong", l) + "\n")
	}
}

// verdict is the answer: tag, headline, and on what they stand.
func (t *text) verdict(r *diff.Report) {
	class := "strong"
	if c := classOf(r.Verdict); c != "" && r.Judged {
		class = c
	}
	t.lead(class, tag(r)+"  ", 0, sentence(r.Headline))
	t.line("", 0, short(r.Basis, 2*longestSentence)+t.notes.marks(r, ""))
	if g := r.GateLine(); g != "" {
		t.line("", 0, sentence(g))
	}
	t.policy(&r.Policy)
}

// policy says in what the policy is not the default.
func (t *text) policy(p *diff.Policy) {
	if line := p.Line(); line != "" {
		t.line("", 0, whole(line))
	}
}

// findings are what changed, a line each.
func (t *text) findings(r *diff.Report) {
	if len(r.Findings) == 0 {
		return
	}
	t.head(changedHead(r))
	wide := 0
	for _, f := range words.Findings(r) {
		wide = max(wide, columns(numberOf(f)))
	}
	rest := min(wide+4, t.width/2)
	for _, f := range words.Findings(r) {
		t.lead(f.Class, "  "+pad(numberOf(f), wide, true)+"  ", rest, sentence(f.Text))
		if f.Advice != "" {
			t.line(strings.Repeat(" ", rest)+"Next: ", rest+6, sentence(f.Advice))
		}
	}
}

// changedHead is the heading of findings.
func changedHead(r *diff.Report) string {
	if r.Judged {
		return "What changed"
	}
	return "What stands out"
}

// longestNumber is the longest number or unit of a finding that is written
// whole.
const longestNumber = 9

func numberOf(f words.Finding) string {
	number, unit := short(f.Number, longestNumber), short(f.NumberIn, longestNumber)
	if unit == "" {
		return number
	}
	return number + unbreakable + unit
}

// labelled writes a line with a label in front of it.
func (t *text) labelled(label, s string) {
	const labels = 11
	t.line("  "+pad(label, labels, false), 2+labels, s)
}

// mostSuspects is how many differences a summary names.
const mostSuspects = 3

// compared says what stands behind the numbers: ranks, steps, differences.
func (t *text) compared(r *diff.Report) {
	t.head("What was compared")
	t.labelled(baseline, sideOf(baseline, &r.Base)+t.notes.marks(r, baseline))
	t.labelled(candidate, sideOf(candidate, &r.Cand)+t.notes.marks(r, candidate))
	label := "steps"
	for _, l := range sideLines(t.steps(&r.Base.Steps), t.steps(&r.Cand.Steps)) {
		if l[0] != "both" {
			l[1] = l[0] + " " + l[1]
		}
		t.labelled(label, l[1])
		label = ""
	}
	if r.Judged {
		t.labelled("change", "estimated from steps and runs: it can differ from the difference of two medians")
	}
	if past := r.HistoryText(); past != "" {
		t.labelled("history", Line(past))
	}
	for _, l := range r.Held.Lines() {
		t.labelled(l[0], Line(l[1]))
	}
	all := suspects(r)
	for i, d := range all[:min(mostSuspects, len(all))] {
		label := "differs"
		if i > 0 {
			label = ""
		}
		t.labelled(label, name(diff.FactName(d.Name))+": "+orNone(name(d.Base))+" and "+orNone(name(d.Cand))+" ("+sentence(d.Why)+")")
	}
	if more := fold(len(all), mostSuspects, "differences"); more != "" {
		t.labelled("", more)
	}
}

// sideOf says in a line what a side is made of, by name where that is not its role: a
// baseline of the name candidate is worth a look.
func sideOf(role string, s *diff.Side) string {
	var parts []string
	if len(s.Runs) > 1 {
		parts = append(parts, number.Counted(len(s.Runs), "run"))
	}
	ranks := ranksOf(s)
	if len(s.RanksFrom) > 0 {
		ranks += " from " + names(s.RanksFrom, 2)
	}
	parts = append(parts, ranks)
	if m := missingRanks(s); m != "" {
		parts = append(parts, m)
	}
	if len(s.Hosts) > 1 {
		parts = append(parts, number.Counted(len(s.Hosts), "host"))
	}
	if from := s.From(); from != "" {
		parts = append(parts, name(from))
	}
	out := strings.Join(parts, ", ")
	if s.Label != "" && s.Label != role {
		out = name(s.Label) + ": " + out
	}
	return out
}

func (t *text) steps(s *diff.StepReceipt) string {
	if m := markerOf(s); m != "" {
		return m + ": " + stepsOf(s)
	}
	return stepsOf(s)
}

// next says what to do now: what to record, where to look.
func (t *text) next(r *diff.Report, page string) {
	var lines []string
	for _, hint := range []string{r.Base.Steps.Hint, r.Cand.Steps.Hint} {
		if hint != "" && !slices.Contains(r.Hints, hint) && (len(lines) == 0 || lines[0] != sentence(hint)) {
			lines = append(lines, sentence(hint))
		}
	}
	if marks := t.missing(r); marks != "" {
		lines = append(lines, "what the dashes need: "+marks)
	}
	if what := shownOf(r); !r.SameFiles && what != "" {
		where := "open " + name(page)
		if page == "" {
			where = "add -o report.html for a page"
		}
		lines = append(lines, where+": "+what+sectionOf(r))
	}
	if len(lines) == 0 {
		return
	}
	t.head("What to look at next")
	for _, l := range lines {
		t.line("  ", 2, l)
	}
}

// shownOf is what a page shows of a report; "" where that is nothing.
func shownOf(r *diff.Report) string {
	switch {
	case len(r.Calls) > 0:
		return "calls, kernels, gaps, summaries"
	case len(r.Steps) > 0:
		return "steps, ranks, kernels"
	}
	return ""
}

// missing are the marks of what was not recorded.
func (t *text) missing(r *diff.Report) string {
	var marks []string
	for i := range r.Metrics {
		if why := missingOf(&r.Metrics[i]); why != "" {
			if m := t.notes.mark(why); !slices.Contains(marks, m) {
				marks = append(marks, m)
			}
		}
	}
	return strings.Join(marks, ", ")
}

// sectionOf names the section of the page with the largest change.
func sectionOf(r *diff.Report) string {
	if len(r.Findings) == 0 || r.Findings[0].Section == "" {
		return ""
	}
	return "; begin at #" + name(r.Findings[0].Section)
}

// footnotes are what the marks stand for.
func (t *text) footnotes() {
	if len(t.notes.texts) == 0 && t.notes.left == 0 {
		return
	}
	t.WriteString("\n")
	for _, s := range t.notes.texts {
		m := t.notes.mark(s) + " "
		t.line(m, len(m), s)
	}
	if rest := t.notes.rest(); rest != "" {
		t.line("", 0, rest)
	}
}
