package render

import (
	"io"
	"strings"

	"perfdiff/diff"
	"perfdiff/diff/number"
	"perfdiff/render/words"
)

// mostMarkdown is how long a comment may be, in bytes: GitHub takes 65,536
// characters.
const mostMarkdown = 65_000

// ending is what is left for closing a folded part and for saying what is cut.
const ending = 400

// comment is Markdown in the making: a line for which there is no room is
// left out, and so is everything after it.
type comment struct {
	strings.Builder
	cut bool
}

// line adds a line, and reports whether there was room for it.
func (c *comment) line(s string) bool {
	if c.cut || c.Len()+len(s)+1 > mostMarkdown-ending {
		c.cut = true
		return false
	}
	c.WriteString(s + "\n")
	return true
}

// cells adds a row of a table; the cells are Markdown already.
func (c *comment) cells(cells ...string) { c.line("| " + strings.Join(cells, " | ") + " |") }

// folded adds a part that is closed until somebody opens it.
func (c *comment) folded(summary string, body func()) {
	if c.line("\n<details><summary>" + summary + "</summary>\n") {
		body()
		c.WriteString("\n</details>\n") // there is always room for this: ending
	}
}

func writeMarkdown(w io.Writer, r *diff.Report, _ Options) error {
	var c comment
	c.line("### " + tag(r) + ": " + escape(sentence(r.Headline)))
	c.line("\n" + escape(short(r.Basis, 2*longestSentence)))
	if g := r.GateLine(); g != "" {
		c.line("\n" + escape(sentence(g)))
	}
	if p := r.Policy.Line(); p != "" {
		c.line("\n" + escape(whole(p)))
	}
	c.held(r.Held)
	c.findings(r)
	missing := c.metrics(r)
	c.details(r)
	c.loads(r)
	c.withoutSteps(r)
	c.candidates(r)
	c.stepsAndRanks(r)
	c.trend(r.Held)
	c.differences(r)
	c.list(number.Counted(len(missing.texts), "metric")+" not recorded", missing.texts)
	c.list(number.Counted(len(r.Warnings), "warning"), warningTexts(r))
	if c.cut {
		c.WriteString("\nThe rest is cut; the report as HTML or JSON holds everything.\n")
	}
	if r.Tool != "" {
		c.WriteString("\n<sub>" + escape(name(r.Tool)) + "; changes are estimated from steps and runs, and can differ from the difference of two medians</sub>\n")
	}
	_, err := io.WriteString(w, c.String())
	return err
}

// metrics is the table of the main metrics, with what is to be known of their numbers
// below; it returns what was not recorded.
func (c *comment) metrics(r *diff.Report) (missing notes) {
	if len(r.Metrics) == 0 {
		return missing
	}
	c.line("")
	c.cells("metric", baseline, candidate, "change", intervalHead(r), "verdict")
	c.line("|:--|--:|--:|--:|--:|:--|")
	var below notes
	for i := range r.Metrics {
		o := rowOf(&r.Metrics[i])
		if o.missing != "" {
			missing.mark(code(o.metric) + ": " + escape(o.missing))
		}
		if o.unit != "" && strings.Contains(o.interval, " to ") {
			o.interval += number.Space + o.unit
		}
		if o.class != "" {
			o.verdict = "**" + o.verdict + "**"
		}
		for _, note := range r.Metrics[i].Notes() {
			o.verdict += superscript(below.mark(escape(sentence(note))))
		}
		c.cells(code(o.metric), o.base, o.cand, o.change, o.interval, o.verdict)
	}
	unmarked := r.UnmarkedNote()
	if len(below.texts) > 0 || unmarked != "" {
		c.line("")
	}
	for _, text := range below.texts {
		c.line(superscript(below.mark(text)) + " " + text + "<br>")
	}
	if unmarked != "" {
		c.line(number.Capital(unmarked) + ".")
	}
	return missing
}

// superscript is a mark "[1]" as a raised number.
func superscript(mark string) string { return "<sup>" + strings.Trim(mark, "[]") + "</sup>" }

func (c *comment) findings(r *diff.Report) {
	if len(r.Findings) == 0 {
		return
	}
	c.line("\n**" + changedHead(r) + "**\n")
	found, advised := words.Findings(r), 0
	for _, f := range found {
		c.line("- " + strong(numberOf(f)) + escape(sentence(f.Text)) + bracketed(f.Interval))
		if f.Advice != "" {
			advised++
		}
	}
	if advised == 0 {
		return
	}
	c.folded("What it stands on, and what to look at next", func() {
		for _, f := range found {
			if f.Advice != "" {
				c.line("- " + strong(numberOf(f)) + escape(sentence(ended(f.Evidence))+" "+sentence(f.Advice)))
			}
		}
	})
}

func strong(s string) string {
	if s == "" {
		return ""
	}
	return "**" + escape(s) + "** "
}

func bracketed(interval string) string {
	if interval == "" {
		return ""
	}
	return " (interval " + escape(short(interval, 60)) + ")"
}

// ended is a clause as a sentence.
func ended(s string) string {
	if s == "" {
		return ""
	}
	return strings.TrimSuffix(s, ".") + "."
}

// stepsAndRanks is what was compared, the sides beside each other.
func (c *comment) stepsAndRanks(r *diff.Report) {
	c.folded("Steps and ranks", func() {
		c.cells("", baseline, candidate)
		c.line("|:--|:--|:--|")
		both := func(what string, of func(*diff.Side) string) {
			if base, cand := of(&r.Base), of(&r.Cand); base != "" || cand != "" {
				c.cells(what, orNone(base), orNone(cand))
			}
		}
		both("run set", func(s *diff.Side) string { return code(name(s.Label)) })
		both("from", func(s *diff.Side) string { return originCells(s.Origins) })
		both("runs", func(s *diff.Side) string { return codes(s.Runs) })
		both("captured", func(s *diff.Side) string { return escape(ranksOf(s)) })
		both("not captured", func(s *diff.Side) string { return escape(number.Ranges(s.Missing)) })
		both("rank numbers from", func(s *diff.Side) string { return codes(s.RanksFrom) })
		both("hosts", func(s *diff.Side) string { return codes(s.Hosts) })
		both("GPUs", func(s *diff.Side) string { return codes(s.GPUs) })
		both("steps found by", func(s *diff.Side) string { return code(markerOf(&s.Steps)) })
		both("steps", func(s *diff.Side) string { return escape(stepsOf(&s.Steps)) })
		both("second anchor", func(s *diff.Side) string { return escape(secondOf(&s.Steps)) })
		both("hint", func(s *diff.Side) string { return escape(sentence(s.Steps.Hint)) })
		if past := r.HistoryText(); past != "" {
			c.line("\n" + escape(Line(past)))
		}
	})
}

// mostCodes is how many names a cell holds.
const mostCodes = 8

// codes writes names as code spans.
func codes(list []string) string {
	var out []string
	for _, s := range list[:min(mostCodes, len(list))] {
		out = append(out, code(name(s)))
	}
	if more := fold(len(list), mostCodes, ""); more != "" {
		out = append(out, strings.TrimSpace(more))
	}
	return strings.Join(out, ", ")
}

func (c *comment) differences(r *diff.Report) {
	if len(r.Differences) == 0 {
		return
	}
	summary := number.Counted(len(r.Differences), "difference") + " between the sides"
	if n := len(suspects(r)); n > 0 {
		summary += ", " + number.Count(n) + " worth a look"
	}
	c.folded(summary, func() {
		c.cells("what", baseline, candidate, "class", "why")
		c.line("|:--|:--|:--|:--|:--|")
		for _, d := range r.Differences {
			c.cells(escape(name(diff.FactName(d.Name))), orNone(code(name(d.Base))), orNone(code(name(d.Cand))), escape(name(d.Class)), escape(sentence(d.Why)))
		}
	})
}

// list is a folded list of lines that are Markdown already.
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

// warningTexts are the warnings, each text once.
func warningTexts(r *diff.Report) []string {
	var out []string
	seen := map[string]bool{}
	for i := range r.Warnings {
		if text := escape(warningText(&r.Warnings[i])); !seen[text] {
			seen[text] = true
			out = append(out, text)
		}
	}
	return out
}
