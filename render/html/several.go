package html

import (
	"bytes"
	"cmp"
	"html/template"
	"io"
	"math"
	"strconv"

	"perfdiff/analyze/run"
	"perfdiff/diff"
	"perfdiff/diff/verdict"
	"perfdiff/render/number"
	"perfdiff/render/words"
)

// severalPage is the data of several.tmpl: several candidates. Its pictures, which are small, are drawn here, so that
// the page is complete without a script. A script marks what a reader selects.
type severalPage struct {
	Style                                  template.CSS
	Theme, Script                          template.JS
	ScriptPolicy, Title, Tool, Tag, Look   string
	Given                                  string // title that the user gave; ""
	Base                                   string
	BaseFrom                               runOrigin
	Headline, Next, Gate, Policy, Interval string
	Order                                  string // what the order of the candidates means
	BaseStep                               string
	Candidates                             []severalCandidate
	Axis                                   string // what the intervals are drawn on
	Steps                                  string // what the pictures of steps are drawn on
	Legend                                 []legend
	Metrics                                *table
	Compared                               table
	Command                                string
}

// severalCandidate is a candidate: its row, its pictures and its texts.
type severalCandidate struct {
	Rank                              int
	ID, Name, Page, Tag, State, Class string
	From                              runOrigin
	Step, Change, Interval            string
	Mark                              template.HTML // "": there is no interval
	Panel                             template.HTML // "": no step was found
	Bars                              template.HTML // "": parts were not measured
	Headline, Story, Advice           string
	Facts                             []chip
	Notes, Next, Gate                 string
	Banner                            *banner
	FindingsHead, NoFindings          string
	First, More                       []finding
	MoreText                          string
	Metrics                           table
	Warnings                          []line
	WarningText                       string
}

// shownFindings is how many findings of each candidate stand open. Chosen, not measured: with
// four candidates they fill a screen.
const shownFindings = 3

// WriteSeveral writes the page of several candidates. pages are the files with the whole page of
// each, beside this one; nil: there are none.
func WriteSeveral(w io.Writer, s *diff.Several, pages []string) error {
	p := severalPageOf(s, pages)
	script := "(function () {\n'use strict';\n" + embeddedFile("script/several.js") + "})();"
	p.Style, p.Theme, p.Script, p.ScriptPolicy = template.CSS(embeddedFile("page.css")+embeddedFile("style/first.css")), template.JS(themeAndHints()), template.JS(script), scriptPolicy(digest(themeAndHints()), digest(script))
	var out bytes.Buffer
	if err := parsed().ExecuteTemplate(&out, "several.tmpl", p); err != nil {
		return err
	}
	_, err := w.Write(out.Bytes())
	return err
}

func severalPageOf(s *diff.Several, pages []string) *severalPage {
	first, a := s.Candidates[0], words.SeveralOf(s)
	p := &severalPage{
		Tool: s.Tool, Tag: a.Tag, Look: pageLook(s.Candidates[a.Lead]), Base: words.Called(first, 0), BaseFrom: originOf(&first.Base), Headline: a.Headline,
		Next: a.Next, Gate: a.Gate, Order: words.SeveralBasis(s), Policy: words.PolicyLine(&first.Policy), Interval: number.Setting(1-first.Policy.Alpha) + " interval", BaseStep: number.None,
		Metrics: metricMatrix(s), Compared: severalCompared(s), Command: first.About.Command, Given: first.About.Title,
	}
	p.Title = p.Tag + ": " + cmp.Or(first.About.Title, cmp.Or(first.About.Names[0], titleOf(&first.Base))+" and "+number.Word(len(s.Candidates))+" candidates")
	if c := verdict.MetricOf(first.Metrics, run.StepTime); c != nil {
		p.BaseStep = words.RowOf(c).Base
	}
	for i, r := range s.Candidates {
		c := candidateOf(i, r, &a.Of[i])
		if i < len(pages) {
			c.Page = pages[i]
		}
		p.Candidates = append(p.Candidates, c)
	}
	p.drawIntervals(s)
	p.drawSteps(s)
	p.drawParts(s)
	return p
}

// candidateOf describes a candidate; it is drawn later, on axes that fit all of them.
func candidateOf(i int, r *diff.Report, a *words.Answer) severalCandidate {
	s := &sheet{r: r, state: pageState(r), judged: hasVerdict(r), ms: stepScale(r)}
	c := severalCandidate{
		Rank: i + 1, ID: "candidate-" + strconv.Itoa(i+1), Name: words.Called(r, 1), From: originOf(&r.Cand), Tag: a.Tag, State: pageLook(r),
		Step: number.None, Change: number.None, Interval: number.None, Headline: a.Headline, Banner: notAlike(r),
		Story: a.Told(), Advice: a.Advice, Facts: chipsOf(a), Notes: a.Notes, Next: a.Next, Gate: gateText(r),
		FindingsHead: "What changed", NoFindings: "Nothing else stands out.",
	}
	if !s.judged {
		c.FindingsHead, c.NoFindings = "Measured, not judged", "Nothing is judged."
	}
	if m := verdict.MetricOf(r.Metrics, run.StepTime); m != nil {
		row := words.RowOf(m)
		if c.Step = row.Cand; s.judged {
			c.Change, c.Interval, c.Class = row.Change, row.Interval, s.class(m, row.Delta)
		}
	}
	for k, f := range words.Findings(r) {
		if k < shownFindings {
			c.First = append(c.First, s.finding(f))
		} else {
			c.More = append(c.More, s.finding(f))
		}
	}
	c.MoreText = number.Counted(len(c.More), "more finding")
	c.Metrics = s.metricTable("Main metrics of " + words.Called(r, 1))
	sec := s.warningSection()
	if c.WarningText = sec.Reading; len(sec.Blocks) > 0 {
		c.Warnings = sec.Blocks[0].Lines
	}
	return c
}

// severalCompared says what was compared: a column for the baseline and each candidate.
func severalCompared(s *diff.Several) table {
	first := s.Candidates[0]
	t := table{Label: "What was compared", Heads: []head{{Text: "Compared", Left: true}, {Text: words.Called(first, 0), Left: true}}}
	for i, r := range s.Candidates {
		t.Heads = append(t.Heads, head{Text: strconv.Itoa(i+1) + " " + words.Called(r, 1), Left: true})
	}
	for _, f := range sideFacts() {
		text, whole := f.of(&first.Base)
		line, known := row{Cells: []cell{headCell(f.name), {Text: orDash(text), Title: whole, Left: true, Class: "wrapc"}}}, text != ""
		for _, r := range s.Candidates {
			text, whole := f.of(&r.Cand)
			line.Cells, known = append(line.Cells, cell{Text: orDash(text), Title: whole, Left: true, Class: "wrapc"}), known || text != ""
		}
		if known {
			t.Rows = append(t.Rows, line)
		}
	}
	return t
}

// metricMatrix returns the change of each main metric for each candidate.
func metricMatrix(s *diff.Several) *table {
	t := &table{Label: "Change of the main metrics of each candidate", Heads: heads("Metric")}
	for i, r := range s.Candidates {
		t.Heads = append(t.Heads, head{Text: strconv.Itoa(i+1) + " " + words.Called(r, 1)})
	}
	for i := range s.Candidates[0].Metrics {
		m := &s.Candidates[0].Metrics[i]
		line := row{Cells: []cell{{Text: metricName(m.Metric.Name, m.Part), Title: m.Metric.Doc, Head: true, Left: true}}}
		for _, r := range s.Candidates {
			line.Cells = append(line.Cells, matrixCell(r, m.Metric.Name))
		}
		t.Rows = append(t.Rows, line)
	}
	return t
}

// matrixCell returns the change of a metric in one candidate, with its interval below it and its
// verdict as colour and sign.
func matrixCell(r *diff.Report, metric string) cell {
	c := verdict.MetricOf(r.Metrics, metric)
	if c == nil {
		return cell{Text: number.None}
	}
	s := &sheet{r: r, judged: hasVerdict(r)}
	row := words.RowOf(c)
	out := valueCells(s, c, &row)[2]
	switch text, _ := s.verdictOf(c); {
	case c.Reason == verdict.ReasonNotRecorded:
		out.Text, out.Small = number.None, words.MetricOutcome(c)
	case !math.IsNaN(c.Estimate):
		out.Small = row.Interval
		if out.Class != "" {
			out.Text = text[:len("\u25b4"+number.Space)] + out.Text
		}
	}
	return out
}
