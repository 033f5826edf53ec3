package render

import (
	"io"
	"strings"

	"perfdiff/diff"
	"perfdiff/diff/sides"
	"perfdiff/render/number"
	"perfdiff/render/words"
)

// maxCommentBytes is how long a comment may be, in bytes: GitHub takes 65,536 characters.
const maxCommentBytes = 65_000

// reservedForEnd is how many bytes are kept free for closing a folded part and for saying that
// something was left out.
const reservedForEnd = 400

// comment is a Markdown text under construction. The first line that does not fit is left out,
// and everything after it.
type comment struct {
	strings.Builder
	full bool
}

// line adds a line. It is false if there was no room.
func (c *comment) line(s string) bool {
	if c.full || c.Len()+len(s)+1 > maxCommentBytes-reservedForEnd {
		c.full = true
		return false
	}
	c.WriteString(s + "\n")
	return true
}

// folded adds a part that readers must open to see.
func (c *comment) folded(summary string, body func()) {
	if c.line("\n<details><summary>" + summary + "</summary>\n") {
		body()
		c.WriteString("\n</details>\n") // there is always room for this: ending
	}
}

func writeMarkdown(w io.Writer, r *diff.Report, _ Options) error {
	var c comment
	if title := titleText(r); title != "" {
		c.line("## " + escapeMarkdown(title) + "\n")
	}
	a := words.AnswerOf(r)
	c.line("### " + a.Tag + ": " + escapeMarkdown(shortSentence(a.Headline)))
	c.answer(r, &a)
	c.storeSection(r.StoreFindings)
	c.also(r, &a)
	c.suspects(r)
	var missing footnotes
	if r.OfResults {
		missing = c.metrics(r)
	} else {
		c.folded("All "+number.Counted(len(r.Metrics), "metric"), func() { missing = c.metrics(r) })
	}
	c.foldedTable(dimensionSheet(r))
	c.groups(r)
	c.pipeline(r)
	c.foldedTable(pathSheet(r))
	c.details(r)
	c.loads(r)
	c.stepLessTable(r)
	c.candidates(r)
	c.stepsAndRanks(r)
	c.storeTrend(r.StoreFindings)
	c.differences(r)
	c.list(number.Counted(len(missing.texts), "metric")+" not recorded", missing.texts)
	c.list(number.Counted(len(r.Warnings), "warning"), warningTexts(r))
	return c.finish(w, r.Tool, words.TableNote(r))
}

// finish writes the comment, and at its end whether it is cut, what wrote it and what its values are.
func (c *comment) finish(w io.Writer, tool, note string) error {
	if c.full {
		c.WriteString("\nThe rest is cut; the report as HTML or JSON holds everything.\n")
	}
	if tool != "" {
		c.WriteString("\n<sub>" + escapeMarkdown(shortName(tool)) + "; " + note + "</sub>\n")
	}
	_, err := io.WriteString(w, c.String())
	return err
}

// metrics writes the table of main metrics, with remarks about their numbers below it. It
// returns footnotes for what was not recorded.
func (c *comment) metrics(r *diff.Report) (missing footnotes) {
	if len(r.Metrics) == 0 {
		return missing
	}
	c.line("")
	rows := rowsOfMetrics(r)
	s := metricSheet(r, commentHeads(r), rows)
	var below footnotes
	for i := range rows {
		o := &rows[i]
		if o.missing != "" {
			missing.mark(codeSpan(o.metric) + ": " + escapeMarkdown(o.missing))
		}
		if o.class != "" {
			o.verdict = "**" + o.verdict + "**"
		}
		for _, note := range words.Notes(&r.Metrics[i]) {
			o.verdict += raisedMark(below.mark(escapeMarkdown(shortSentence(note))))
		}
		s.add(append(s.metricCells(o), markedCells(o.verdict)...)...)
	}
	c.table(s)
	unmarked := words.Unmarked(r)
	if len(below.texts) > 0 || unmarked != "" {
		c.line("")
	}
	for _, text := range below.texts {
		c.line(raisedMark(below.mark(text)) + " " + text + "<br>")
	}
	if unmarked != "" {
		c.line(number.Capital(unmarked) + ".")
	}
	return missing
}

// raisedMark returns a mark "[1]" as a raised number.
func raisedMark(mark string) string { return "<sup>" + strings.Trim(mark, "[]") + "</sup>" }

// answer writes the answer below its headline: five lines to see, and what the change is made of folded.
func (c *comment) answer(r *diff.Report, a *words.Answer) {
	c.line("\n" + escapeMarkdown(strings.TrimSpace(shorten(a.Told(), 2*maxSentence)+" "+a.Advice)))
	var facts []string
	for _, x := range a.Facts {
		if x[1] != "" {
			facts = append(facts, "**"+escapeMarkdown(x[0])+"** "+escapeMarkdown(x[1]))
		}
	}
	for _, x := range [][2]string{{"", strings.Join(facts, ". ")}, {"**Know** ", escapeMarkdown(shorten(words.FirstToKnow(r, a), 2*maxSentence))},
		{"", escapeMarkdown(shorten(words.NotAlike(r), 2*maxSentence))}, {"**Next** ", escapeMarkdown(shortSentence(a.Next))},
		{"", escapeMarkdown(strings.TrimSpace(words.GateResult(r) + " " + shortSentence(words.GateLine(r))))}, {"", escapeMarkdown(cleanLine(words.PolicyLine(&r.Policy)))}} {
		if x[1] != "" {
			c.line("\n" + x[0] + x[1])
		}
	}
	if a.Sum != nil {
		c.foldedTable(sumSheet(a.Sum), escapeMarkdown(a.Sum.Note))
	}
}

// sumSheet returns what the change of the step is made of.
func sumSheet(s *words.Sum) *sheet {
	of := &sheet{name: "sum", heading: "What the change is made of", align: "lrrrl", heads: []string{s.Unit + " per step", "before", "after", "change", ""}}
	for i := range s.Rows {
		x := &s.Rows[i]
		name, beside := x.Name, ""
		if x.Follows {
			name = "\u2003" + name
		}
		if i == len(s.Rows)-1 {
			beside = x.Why
		}
		row := cells(name, x.Base, x.Cand, x.Change, beside)
		if x.Class.Judges() {
			row = inBold(row)
		}
		of.add(row...)
	}
	return of
}

// findings writes findings, a line each.
func (c *comment) findings(list []words.Finding) {
	for _, f := range list {
		c.line("- " + bold(numberText(f)) + escapeMarkdown(shortSentence(f.Text)) + inBrackets(f.Interval))
	}
}

// also writes what changed beside the sum, and on what it stands.
func (c *comment) also(r *diff.Report, a *words.Answer) {
	if len(a.Also) == 0 {
		return
	}
	write := func() { c.findings(a.Also) }
	if a.OfSteps {
		c.folded("Also: "+number.Counted(len(a.Also), "finding"), write)
	} else {
		c.line("\n**" + findingsHeading(r) + "**\n")
		write()
	}
	c.folded("What the findings stand on, and what to look at next", func() {
		for _, f := range words.Findings(r) {
			if f.Advice != "" {
				c.line("- " + bold(numberText(f)) + escapeMarkdown(shortSentence(asSentence(f.Evidence))+" "+shortSentence(f.Advice)))
			}
		}
	})
}

func bold(s string) string {
	if s == "" {
		return ""
	}
	return "**" + escapeMarkdown(s) + "** "
}

func inBrackets(interval string) string {
	if interval == "" {
		return ""
	}
	return " (interval " + escapeMarkdown(shorten(interval, 60)) + ")"
}

// asSentence adds a full stop to a clause.
func asSentence(s string) string {
	if s == "" {
		return ""
	}
	return strings.TrimSuffix(s, ".") + "."
}

// stepsAndRanks writes what was compared, side by side.
func (c *comment) stepsAndRanks(r *diff.Report) {
	what := "Steps and ranks"
	if r.OfResults {
		what = "Runs"
	}
	c.folded(what, func() {
		table := &sheet{align: "lll", heads: []string{"", commentHeads(r)[0], commentHeads(r)[1]}}
		both := func(what string, of func(*diff.Side) string) {
			if base, cand := of(&r.Base), of(&r.Cand); base != "" || cand != "" {
				table.add(markedCells(what, orNone(base), orNone(cand))...)
			}
		}
		both("run set", func(s *diff.Side) string { return codeSpan(shortName(s.Label)) })
		both("date", func(s *diff.Side) string { return words.Captured(s.Captured) })
		both("digest", func(s *diff.Side) string { return codeSpan(shortDigest(s.Digest)) })
		both("from", func(s *diff.Side) string { return originCells(s.Origins) })
		both("runs", func(s *diff.Side) string { return codeSpans(words.RunNames(s)) })
		if !r.OfResults {
			ranksAndSteps(both)
		}
		c.table(table)
		if past := words.History(r); past != "" {
			c.line("\n" + escapeMarkdown(Line(past)))
		}
		if r.About.Command != "" {
			c.line("\n" + codeSpan(Line(r.About.Command)))
		}
	})
}

// ranksAndSteps adds rows about what was captured of both sides.
func ranksAndSteps(both func(what string, of func(*diff.Side) string)) {
	both("ranks captured", func(s *diff.Side) string { return escapeMarkdown(ranksText(s)) })
	both("ranks not captured", func(s *diff.Side) string { return escapeMarkdown(sides.Ranges(s.Missing)) })
	both("rank numbers from", func(s *diff.Side) string { return codeSpans(s.RanksFrom) })
	both("hosts", func(s *diff.Side) string { return codeSpans(s.Hosts) })
	both("GPUs", func(s *diff.Side) string { return codeSpans(s.GPUs) })
	both("steps found by", func(s *diff.Side) string { return codeSpan(markerText(&s.Steps)) })
	both("steps", func(s *diff.Side) string { return escapeMarkdown(stepsText(&s.Steps)) })
	both("second anchor", func(s *diff.Side) string { return escapeMarkdown(secondAnchorText(&s.Steps)) })
	both("hint", func(s *diff.Side) string { return escapeMarkdown(shortSentence(s.Steps.Hint)) })
}

// maxNamesInCell is how many names a cell of a table holds.
const maxNamesInCell = 8

// codeSpans writes names as code spans.
func codeSpans(list []string) string {
	var out []string
	for _, s := range list[:min(maxNamesInCell, len(list))] {
		out = append(out, codeSpan(shortName(s)))
	}
	if more := notShownText(len(list), maxNamesInCell, ""); more != "" {
		out = append(out, strings.TrimSpace(more))
	}
	return strings.Join(out, ", ")
}

func (c *comment) differences(r *diff.Report) {
	if len(r.Differences) == 0 {
		return
	}
	summary := number.Counted(len(r.Differences), "difference") + " between the sides"
	if n := len(suspectDifferences(r)); n > 0 {
		summary += ", " + number.Count(n) + " worth a look"
	}
	s := &sheet{heading: summary, align: "lllll", heads: []string{"what", commentHeads(r)[0], commentHeads(r)[1], "class", "why"}}
	for _, d := range r.Differences {
		name, base, cand := words.Differs(&d)
		s.add(sheetCell{text: shortName(name)}, nameOrNone(shortName(base)), nameOrNone(shortName(cand)),
			sheetCell{text: shortName(d.Class)}, sheetCell{text: shortSentence(words.Effect(&d))})
	}
	c.foldedTable(s)
}

// list writes a folded list. The lines are Markdown already.
func (c *comment) list(summary string, lines []string) {
	if len(lines) == 0 {
		return
	}
	c.folded(summary, func() {
		for _, l := range lines {
			c.line("- " + l)
		}
	})
}

// warningTexts returns the texts of the warnings, without repetitions.
func warningTexts(r *diff.Report) []string {
	var out []string
	seen := map[string]bool{}
	for i := range r.Warnings {
		if text := escapeMarkdown(warningText(&r.Warnings[i])); !seen[text] {
			seen[text] = true
			out = append(out, text)
		}
	}
	return out
}
