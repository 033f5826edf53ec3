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
	return []string{"candidate", "step", "change", intervalHeading(s.Candidates[0]), ""}
}

// severalRow returns a candidate in that table.
func severalRow(r *diff.Report, tag string) []string {
	out := []string{shortName(words.Called(r, 1)), number.None, number.None, number.None, tag}
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

func writeSeveralText(w io.Writer, s *diff.Several, opt Options) error {
	t := newText(opt)
	a := words.SeveralOf(s)
	if title := titleText(s.Candidates[0]); title != "" {
		t.line("", 0, title)
	}
	t.paintedLine(classOf(s.Candidates[a.Lead]), a.Tag+"  ", 0, cleanLine(a.Headline))
	t.WriteString("\n")
	t.grid(severalHeads(s), append([][]string{baselineRow(s)}, rowsOf(s, &a)...))
	for i, r := range s.Candidates {
		t.candidateOf(i, r, &a)
	}
	t.labelled("Next", []string{shortSentence(a.Next)})
	t.WriteString("\n")
	t.line("", 0, cleanLine(a.Gate))
	t.policy(&s.Candidates[0].Policy)
	where := shortName(opt.Page) + " shows"
	if opt.Page == "" {
		where = "-o report.html makes"
	}
	t.line("", 0, where+" a page of all candidates, and one of each beside it.")
	_, err := io.WriteString(w, t.String())
	return err
}

// candidateOf writes one of several candidates: what was measured and why, and what to do unless that ends the summary.
func (t *text) candidateOf(i int, r *diff.Report, of *words.SeveralAnswer) {
	a := &of.Of[i]
	t.WriteString("\n")
	t.paintedLine(classOf(r), fmt.Sprintf("%d  %s  ", i+1, shortName(words.Called(r, 1))), 3, shortSentence(a.Headline))
	t.line("   ", 3, strings.TrimSpace(shortSentence(a.Told())+" "+a.Advice))
	if a.Next != "" && i != of.Lead {
		t.line("   Next  ", 9, shortSentence(a.Next))
	}
}

func writeSeveralMarkdown(w io.Writer, s *diff.Several) error {
	var c comment
	a := words.SeveralOf(s)
	if title := titleText(s.Candidates[0]); title != "" {
		c.line("## " + escapeMarkdown(title) + "\n")
	}
	c.line("### " + escapeMarkdown(a.Tag) + ": " + escapeMarkdown(cleanLine(a.Headline)) + "\n")
	table := &sheet{align: "lrrrl", heads: severalHeads(s)}
	for i, texts := range append([][]string{baselineRow(s)}, rowsOf(s, &a)...) {
		row := nameAndCells(texts[0], texts[1:]...)
		row[4].bold = i > 0 && s.Candidates[i-1].Verdict.Class().Judges()
		table.add(row...)
	}
	c.table(table)
	for _, text := range []string{"**Next** " + escapeMarkdown(shortSentence(a.Next)), escapeMarkdown(cleanLine(a.Gate + " " + words.PolicyLine(&s.Candidates[0].Policy)))} {
		c.line("\n" + text)
	}
	for i, r := range s.Candidates {
		c.folded(fmt.Sprintf("%d. %s: %s", i+1, escapeMarkdown(shortName(words.Called(r, 1))), escapeMarkdown(shortSentence(a.Of[i].Headline))), func() {
			c.answer(r, &a.Of[i])
			c.findings(a.Of[i].Also)
			c.line("")
			missing := c.metrics(r)
			c.stepsAndRanks(r)
			c.differences(r)
			c.list(number.Counted(len(missing.texts), "metric")+" not recorded", missing.texts)
			c.list(number.Counted(len(r.Warnings), "warning"), warningTexts(r))
		})
	}
	return c.finish(w, s.Tool, escapeMarkdown(words.SeveralBasis(s))+" "+words.TableNote(s.Candidates[0]))
}

func rowsOf(s *diff.Several, a *words.SeveralAnswer) (out [][]string) {
	for i, r := range s.Candidates {
		out = append(out, severalRow(r, a.Of[i].Tag))
	}
	return out
}

// SeveralDocument is a report on several candidates as JSON.
type SeveralDocument struct {
	SchemaVersion string             `report:"schema_version"` // "3.0"
	Tool          string             `report:"tool"`
	Result        string             `report:"result"`   // the worst of all candidates: "passed", "failed", "warned", "more runs", "not judged"
	Tag           string             `report:"tag"`      // the answer in a few words: "1 OF 3 FASTER"
	Headline      string             `report:"headline"` // the same in a sentence
	Next          string             `report:"next"`     // what to do
	Candidates    []SeveralCandidate `report:"candidates"`
}

// SeveralCandidate is one of several candidates.
type SeveralCandidate struct {
	Label  string   `report:"label"`
	Given  int      `report:"given"`  // which of the candidates it is in the order in which they were given, from 1
	Change float64  `report:"change"` // estimate of the change of the step time, by which they are ordered; null: none
	Report answered `report:"report"` // its comparison with the baseline
}

// writeSeveralJSON writes the reports of the candidates one after the other.
func writeSeveralJSON(w io.Writer, s *diff.Several) error {
	a := words.SeveralOf(s)
	doc := SeveralDocument{SchemaVersion: s.SchemaVersion, Tool: s.Tool, Result: string(s.State), Tag: a.Tag, Headline: a.Headline, Next: a.Next}
	for i, r := range s.Candidates {
		doc.Candidates = append(doc.Candidates, SeveralCandidate{r.Cand.Label, s.Given[i] + 1, r.StepChange(), answered{r, a.Of[i]}})
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
