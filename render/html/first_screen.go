package html

import (
	"fmt"
	"html/template"
	"math"
	"slices"
	"strconv"
	"strings"

	"perfdiff/diff"
	"perfdiff/diff/policy"
	"perfdiff/diff/verdict"
	"perfdiff/render/number"
	"perfdiff/render/picture"
	"perfdiff/render/plot"
	"perfdiff/render/words"
)

// firstScreen is the data of the first screen: the answer, what it is made of, what else changed, and what to do.
type firstScreen struct {
	State, Tag, Headline       string
	Story, Advice              string
	Facts                      []chip // questions with their answers
	OfSteps                    bool   // the answer is about steps that were judged
	Sum                        *sumTable
	Over                       template.HTML // the steps over a run, where they jump; "" where not
	Also                       []*finding    // findings beside the sum
	Next, Notes, Know          string        // what to know first, and how much there is in all
	Gate                       string        // what the gate makes of it
	Policy                     string        // how the policy differs from the default
	Held                       []string      // what perfdiff gate found in its store
	Spark                      template.HTML // main's newest runs; "" without a store
	Banner                     *banner
	About, Caption, Label      string
	FindingsHead               string
	More                       string // how many findings stand below the first ones
	Picture                    bool
	SVG                        []template.HTML // the picture, for a wide and for a narrow window
	Hint                       string          // what to record where there is nothing to show
	Findings                   []finding       // all of them, in the order of the report
	Suspects                   []string        // what else differs between the sides
	SuspectsHead, SuspectsNote string
	Metrics                    *table // where there is nothing else to show; else nil
}

// maxFirstFindings is how many findings beside the sum are open to see on the first screen.
const maxFirstFindings = 3

// Leading and Rest return the findings beside the sum that are open to see, and those below them.
func (f firstScreen) Leading() []*finding { return f.Also[:min(maxFirstFindings, len(f.Also))] }
func (f firstScreen) Rest() []*finding    { return f.Also[min(maxFirstFindings, len(f.Also)):] }

type banner struct{ Class, Strong, Text string }

type finding struct {
	Number, Unit, Class, Word, Text, Interval string
	Card                                      card
}

// firstChart is what the script knows of the first picture, which the page holds already drawn: the dots of both sides
// in the order of drawing, and what each stands for.
type firstChart struct {
	Base     []float64        `json:"base"`
	Cand     []float64        `json:"cand"`
	Of       [2][][3]int      `json:"of"` // step (an index, or -1), run (or -1) and picture.Kind
	Runs     [2][]string      `json:"runs"`
	Medians  [2]*writtenValue `json:"medians"`
	Unit     string           `json:"unit"`
	Verdict  string           `json:"verdict"` // of the step time; that of the page if the page has none
	Estimate *estimateStrip   `json:"estimate,omitempty"`
}

// writtenValue is a value with its text.
type writtenValue struct {
	At   float64 `json:"at"`
	Text string  `json:"text"`
}

// estimateStrip is an estimate with its interval, in percent.
type estimateStrip struct {
	Value float64 `json:"value"`
	Lo    float64 `json:"lo"`
	Hi    float64 `json:"hi"`
	Band  float64 `json:"band"`
}

// pageState returns the verdict as the page shows it: one of the four verdicts, "invalid" if the sides cannot be
// compared, "none" if nothing could be judged.
func pageState(r *diff.Report) string {
	switch r.Outcome() {
	case verdict.OutcomeNotComparable:
		return "invalid"
	case verdict.OutcomeNotJudged:
		return "none"
	default: // what leans is no verdict, and has no colour
		return r.Verdict.String()
	}
}

// pageLook returns the state as a class of the page's style. A result that passes is shown without
// alarm.
func pageLook(r *diff.Report) string {
	if r.Outcome() == verdict.OutcomePassed {
		return verdict.Unchanged.String()
	}
	return pageState(r)
}

// hasVerdict reports whether better and worse mean anything on this page.
func hasVerdict(r *diff.Report) bool { return r.Judged && r.Reason != verdict.ReasonRankCount }

// jobText says in a few words what was captured.
func jobText(r *diff.Report) string {
	if r.OfResults {
		return number.Counted(max(len(r.Base.Runs), len(r.Cand.Runs)), "run")
	}
	ranks := max(len(r.Base.Ranks), len(r.Cand.Ranks))
	parts := []string{number.Counted(ranks, "rank")}
	if hosts := max(len(r.Base.Hosts), len(r.Cand.Hosts)); hosts > 0 {
		parts = append([]string{number.Counted(hosts, "node")}, parts...)
	}
	if len(r.Base.GPUs) == 1 && slices.Equal(r.Base.GPUs, r.Cand.GPUs) {
		parts = append(parts, r.Base.GPUs[0])
	}
	switch n := len(r.Steps); {
	case n == 1:
		parts = append(parts, fmt.Sprintf("step %d", r.Steps[0].Number))
	case n > 1:
		parts = append(parts, fmt.Sprintf("steps %d\u2013%d", r.Steps[0].Number, r.Steps[n-1].Number))
	}
	return strings.Join(parts, " \u00b7 ")
}

func (s *sheet) firstScreen() firstScreen {
	r := s.r
	a := words.AnswerOf(r)
	f := firstScreen{State: pageLook(r), Tag: a.Tag, Headline: a.Headline, Story: strings.TrimSpace(a.Story + " " + a.Still), Advice: a.Advice, Next: a.Next, Notes: words.FirstToKnow(r, &a), OfSteps: a.OfSteps, FindingsHead: "Also", Banner: notAlike(r)}
	if a.Sum == nil || a.Sum.Rows[0].Finding < 0 {
		f.Story = a.Told()
	}
	if n := len(r.Warnings) + len(r.Caveats()); n > 0 {
		f.Know = strings.TrimSuffix(warningReading(len(r.Warnings), len(r.Caveats())), ".")
	}
	f.Facts, f.Gate = chipsOf(&a), gateText(r)
	f.Policy = words.PolicyLine(&r.Policy)
	for _, l := range words.Store(r.StoreFindings) {
		f.Held = append(f.Held, number.Capital(l[0])+": "+l[1])
	}
	if h := r.StoreFindings; h != nil {
		f.Spark = template.HTML(picture.Spark(h.Job, plot.PageInk, ""))
	}
	f.Label = picture.Label(&a)
	for _, found := range words.Findings(r) {
		f.Findings = append(f.Findings, s.finding(found))
	}
	for _, i := range a.Beside {
		f.Also = append(f.Also, &f.Findings[i])
	}
	f.Over = template.HTML(picture.Over(r, 900, plot.PageInk))
	f.Sum = s.sum(&a, f.Findings)
	if !s.judged {
		f.FindingsHead = "Measured, not judged"
	} else if a.Sum == nil && !a.OfSteps {
		f.FindingsHead = "What changed"
	}
	if !a.OfSteps {
		f.Metrics = s.firstMetrics(len(r.Findings))
	}
	if n := len(f.Also) - maxFirstFindings; n > 0 {
		f.More = number.Capital(number.Word(n)) + " more"
	}
	s.tellSuspects(&f)
	if p := picture.Of(r); p != nil {
		s.data.First, f.About, f.Caption, f.Picture = s.firstChart(p), p.About, p.Caption, true
		for i, width := range []float64{picture.Wide, picture.Narrow} {
			f.SVG = append(f.SVG, template.HTML(p.SVG(width, plot.PageInk, ` class="p`+strconv.Itoa(i)+`"`)))
		}
	}
	if !f.Picture && len(words.Hints(r)) == 0 && !r.OfResults {
		f.Hint = stepHint(r)
	}
	return f
}

// gateText says what the gate makes of a report.
func gateText(r *diff.Report) string {
	return strings.TrimSpace(words.GateResult(r) + " " + words.GateLine(r))
}

// chip is a question with its answer, of which the first words are written in bold.
type chip struct{ Question, Answer, More string }

// chipsOf returns the questions of an answer that have one.
func chipsOf(a *words.Answer) (out []chip) {
	for _, x := range a.Facts {
		at := len(x[1])
		for _, end := range []string{" (", ": ", "; ", ", "} {
			if i := strings.Index(x[1], end); i > 0 && i < at {
				at = i
			}
		}
		if x[1] != "" {
			out = append(out, chip{x[0], number.Capital(x[1][:at]), x[1][at:]})
		}
	}
	return out
}

// firstMetrics returns the recorded main metrics that have room below so many findings; nil where there is none.
func (s *sheet) firstMetrics(findings int) *table {
	const room, each = 8, 3 // rows beside the picture, and how many a finding takes
	t := &table{Label: "Main metrics, the first of them", Heads: heads("Metric", "Baseline", "Candidate", "Change")}
	for i := range s.r.Metrics {
		c := &s.r.Metrics[i]
		if len(t.Rows) < room-each*findings && !(math.IsNaN(c.Base) && math.IsNaN(c.Cand)) {
			o := words.RowOf(c)
			cells := s.metricRow(c, &o).Cells[:4]
			cells[0].Small = ""
			t.Rows = append(t.Rows, row{Cells: cells})
		}
	}
	if len(t.Rows) == 0 {
		return nil
	}
	return t
}

// notAlike returns the banner about sides that cannot be compared, or that differ in something to look at first; nil
// where they are alike.
func notAlike(r *diff.Report) *banner {
	for i := range r.Differences {
		if d := &r.Differences[i]; d.Class == policy.ClassInvalidates { // they come first
			name, base, cand := words.Differs(d)
			return &banner{Class: "stop", Strong: fmt.Sprintf("%s: %s in the baseline, %s in the candidate.",
				number.Capital(name), orDash(base), orDash(cand)), Text: number.Capital(words.Effect(d)) + "."}
		}
	}
	before, text, found := strings.Cut(words.NotAlike(r), ": ")
	if !found {
		return nil
	}
	return &banner{Class: "warn", Strong: before + ".", Text: text}
}

func (s *sheet) finding(f words.Finding) finding {
	out := finding{Number: f.Number, Unit: f.NumberIn, Text: f.Text, Interval: f.Interval, Word: f.Class.String()}
	switch f.Class {
	case verdict.ClassBetter, verdict.ClassWorse:
		out.Class = f.Class.String()
	case verdict.ClassRemains:
		out.Class, out.Word = "hold", "still there"
	case verdict.ClassLook:
		out.Class = "hold"
	case verdict.ClassStayed:
		out.Word = "no sign of a change"
	}
	if !s.judged {
		out.Class, out.Word = "", "measured"
	}
	return out
}

// firstChart returns the data of the first picture for the script.
func (s *sheet) firstChart(p *picture.First) *firstChart {
	d := &firstChart{Unit: p.Unit, Verdict: p.Verdict}
	for i, values := range []*[]float64{&d.Base, &d.Cand} {
		side := &p.Sides[i]
		*values, d.Of[i], d.Runs[i] = []float64{}, [][3]int{}, []string{}
		for _, x := range side.Dots {
			*values = append(*values, sixDigits(x.Value))
			d.Of[i] = append(d.Of[i], [3]int{x.Step, x.Run, int(x.Kind)})
			if x.Kind == picture.OfRun {
				d.Runs[i] = words.RunNames([]*diff.Side{&s.r.Base, &s.r.Cand}[i])
			}
		}
		if side.Median != nil {
			d.Medians[i] = &writtenValue{side.Median.At, side.Median.Text}
		}
	}
	if e := p.Estimate; e != nil {
		d.Estimate = &estimateStrip{e.Value, e.Lo, e.Hi, e.Band}
	}
	return d
}

func (s *sheet) rankAndStepChoices() (ranks, steps []choice) {
	for i, name := range s.data.Ranks {
		ranks = append(ranks, choice{strconv.Itoa(i), name})
	}
	for i, p := range s.r.Steps {
		text := strconv.FormatInt(p.Number, 10)
		if p.Omission.Omitted() {
			text += " (left out)"
		}
		steps = append(steps, choice{strconv.Itoa(i), text})
		if i >= 2000 {
			break
		}
	}
	return ranks, steps
}
