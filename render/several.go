package render

import (
	"bytes"
	"fmt"
	"io"
	"strconv"
	"strings"

	"perfdiff/analyze/run"
	"perfdiff/diff"
	"perfdiff/diff/verdict"
	"perfdiff/render/html"
	"perfdiff/render/number"
	"perfdiff/render/words"
)

// WriteSeveral writes a report on several candidates, with the same promises as Write.
func WriteSeveral(w io.Writer, s *diff.Several, format Format, opt Options) error {
	switch format {
	case Text:
		return writeSeveralText(w, s, opt)
	case Markdown:
		return writeSeveralMarkdown(w, s)
	case JSON:
		return writeSeveralJSON(w, s)
	case HTML:
		var page bytes.Buffer
		if err := html.WriteSeveral(&page, s, opt.Pages); err != nil {
			return err
		}
		_, err := w.Write(replaceInvisible(page.Bytes(), replacementMark))
		return err
	case JUnit:
		return writeSeveralJUnit(w, s)
	}
	return fmt.Errorf("unknown format %d", int(format))
}

// severalHeads returns the columns of the table of candidates.
func severalHeads(s *diff.Several) []string {
	return []string{"candidate", "step", "change", intervalHeading(s.Candidates[0]), "verdict"}
}

// severalRow returns a candidate in that table.
func severalRow(r *diff.Report) []string {
	out := []string{shortName(words.Called(r, 1)), number.None, number.None, number.None, words.Outcome(r)}
	if c := verdict.MetricOf(r.Metrics, run.StepTime); c != nil {
		row := rowOf(c)
		out[1] = row.Cand
		if r.Judged {
			out[2], out[3] = row.Change, row.Interval
		}
	}
	return out
}

// baselineRow returns the baseline's row in that table. Its value comes from the first pair; in other pairs it can
// differ, if they have other steps in common.
func baselineRow(s *diff.Several) []string {
	r := s.Candidates[0]
	out := []string{shortName(words.Called(r, 0)), number.None, "", "", ""}
	if words.Called(r, 0) != baseline {
		out[0] += " (" + baseline + ")"
	}
	if c := verdict.MetricOf(r.Metrics, run.StepTime); c != nil {
		out[1] = rowOf(c).Base
	}
	return out
}

// findingsOfEach is how many findings of each candidate the summary of several shows.
const findingsOfEach = 3

func writeSeveralText(w io.Writer, s *diff.Several, opt Options) error {
	t := newText(opt)
	if title := titleText(s.Candidates[0]); title != "" {
		t.line("", 0, title)
	}
	t.paintedLine("strong", strings.ToUpper(words.SeveralState(s))+"  ", 0, words.Several(s))
	t.line("", 0, cleanLine(words.SeveralBasis(s)))
	t.policy(&s.Candidates[0].Policy)
	t.WriteString("\n")
	rows := [][]string{baselineRow(s)}
	for _, r := range s.Candidates {
		rows = append(rows, severalRow(r))
	}
	t.grid(severalHeads(s), rows)
	for i, r := range s.Candidates {
		t.candidateOf(i, r)
	}
	t.heading("What to look at next")
	where := "open " + shortName(opt.Page) + ": all candidates side by side"
	if opt.Page == "" {
		where = "add -o report.html for a page of all candidates, and one of each beside it"
	}
	t.line("  ", 2, where)
	_, err := io.WriteString(w, t.String())
	return err
}

// candidateOf writes one of several candidates: the answer, the largest findings, the warnings.
func (t *text) candidateOf(i int, r *diff.Report) {
	t.WriteString("\n")
	class := "strong"
	if c := r.Verdict.Class(); c.Judges() && r.Judged {
		class = c.String()
	}
	t.paintedLine(class, fmt.Sprintf("%d  %s  ", i+1, shortName(words.Called(r, 1))), 3, shortSentence(words.Headline(&r.Headline)))
	t.line("   ", 3, shorten(words.Basis(r), 2*maxSentence))
	if g := words.GateLine(r); g != "" {
		t.line("   ", 3, shortSentence(g))
	}
	for k, f := range words.Findings(r) {
		if k == findingsOfEach {
			t.line("   ", 3, number.Capital(number.Word(len(r.Findings)-k))+" more "+number.Plural(len(r.Findings)-k, "finding")+" on its page.")
			break
		}
		t.paintedLine(f.Class.String(), "   "+numberText(f)+"  ", 5, shortSentence(f.Text))
	}
	if n := len(r.Warnings); n > 0 {
		t.line("   ", 3, number.Counted(n, "warning")+"; the first: "+shortSentence(warningText(&r.Warnings[0])))
	}
}

func writeSeveralMarkdown(w io.Writer, s *diff.Several) error {
	var c comment
	if title := titleText(s.Candidates[0]); title != "" {
		c.line("## " + escapeMarkdown(title) + "\n")
	}
	c.line("### " + strings.ToUpper(words.SeveralState(s)) + ": " + escapeMarkdown(words.Several(s)))
	c.line("\n" + escapeMarkdown(cleanLine(words.SeveralBasis(s))))
	if p := words.PolicyLine(&s.Candidates[0].Policy); p != "" {
		c.line("\n" + escapeMarkdown(cleanLine(p)))
	}
	c.line("")
	table := &sheet{align: "lrrrl", heads: severalHeads(s)}
	for i, texts := range append([][]string{baselineRow(s)}, rowsOf(s)...) {
		row := nameAndCells(texts[0], texts[1:]...)
		row[4].bold = i > 0 && s.Candidates[i-1].Verdict.Class().Judges()
		table.add(row...)
	}
	c.table(table)
	for i, r := range s.Candidates {
		c.folded(fmt.Sprintf("%d. %s: %s", i+1, escapeMarkdown(shortName(words.Called(r, 1))), escapeMarkdown(shortSentence(words.Headline(&r.Headline)))), func() {
			c.line(escapeMarkdown(shorten(words.Basis(r), 2*maxSentence)))
			if g := words.GateLine(r); g != "" {
				c.line("\n" + escapeMarkdown(shortSentence(g)))
			}
			c.line("")
			c.findings(words.Findings(r))
			c.line("")
			missing := c.metrics(r)
			c.stepsAndRanks(r)
			c.differences(r)
			c.list(number.Counted(len(missing.texts), "metric")+" not recorded", missing.texts)
			c.list(number.Counted(len(r.Warnings), "warning"), warningTexts(r))
		})
	}
	return c.finish(w, s.Tool, words.TableNote(s.Candidates[0]))
}

func rowsOf(s *diff.Several) (out [][]string) {
	for _, r := range s.Candidates {
		out = append(out, severalRow(r))
	}
	return out
}

// SeveralDocument is a report on several candidates as JSON.
type SeveralDocument struct {
	SchemaVersion string             `report:"schema_version"` // "2.0"
	Tool          string             `report:"tool"`
	Result        string             `report:"result"`   // the worst of all candidates: "passed", "failed", "warned", "more runs", "not judged"
	Headline      string             `report:"headline"` // the answer in a sentence
	Candidates    []SeveralCandidate `report:"candidates"`
}

// SeveralCandidate is one of several candidates.
type SeveralCandidate struct {
	Label  string       `report:"label"`
	Given  int          `report:"given"`  // which of the candidates it is in the order in which they were given, from 1
	Change float64      `report:"change"` // estimate of the change of the step time, by which they are ordered; null: none
	Report *diff.Report `report:"report"` // its comparison with the baseline
}

// writeSeveralJSON writes the reports of the candidates one after the other.
func writeSeveralJSON(w io.Writer, s *diff.Several) error {
	doc := SeveralDocument{SchemaVersion: s.SchemaVersion, Tool: s.Tool, Result: words.SeveralState(s), Headline: words.Several(s)}
	for i, r := range s.Candidates {
		doc.Candidates = append(doc.Candidates, SeveralCandidate{r.Cand.Label, s.Given[i] + 1, r.StepChange(), r})
	}
	return writeIndented(w, &doc)
}

func writeSeveralJUnit(w io.Writer, s *diff.Several) error {
	var suites []testSuite
	for i, r := range s.Candidates {
		suites = append(suites, suiteOf(r, "perfdiff "+strconv.Itoa(i+1)+": "+shortName(words.Called(r, 1))))
	}
	return writeSuites(w, suites)
}
