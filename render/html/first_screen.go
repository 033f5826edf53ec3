package html

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"perfdiff/analyze/run"
	"perfdiff/diff"
	"perfdiff/diff/cause"
	"perfdiff/diff/policy"
	"perfdiff/diff/verdict"
	"perfdiff/render/number"
	"perfdiff/render/words"
)

// firstScreen is the data of the first screen: the answer, its evidence and what changed.
type firstScreen struct {
	State, Tag, Glyph, Headline  string
	Before, Key, After           string   // the basis, cut in three: Key is written in bold
	Policy                       string   // how the policy differs from the default
	Held                         []string // what perfdiff gate found in its store
	Banner                       *banner
	Caption, Label, FindingsHead string
	NoFindings                   string // text in place of findings
	More                         string // how many findings stand below the first ones
	Picture                      bool
	Hint                         string // what to record where there is nothing to show
	Findings                     []finding
	Suspects                     []string // what else differs between the sides
	SuspectsHead, SuspectsNote   string
}

// maxFirstFindings is how many findings are open to see on the first screen.
const maxFirstFindings = 6

// Leading and Rest are the findings that are open to see, and those below them.
func (f firstScreen) Leading() []finding { return f.Findings[:min(maxFirstFindings, len(f.Findings))] }
func (f firstScreen) Rest() []finding    { return f.Findings[min(maxFirstFindings, len(f.Findings)):] }

type banner struct{ Class, Strong, Text string }

type finding struct {
	Number, Unit, Class, Word, Text, Interval string
	Card                                      card
}

// firstChart is the picture of the first screen: a dot for each step on both sides and, below,
// the interval of the change.
type firstChart struct {
	Base     []float64        `json:"base"`
	Cand     []float64        `json:"cand"`
	Medians  [2]*writtenValue `json:"medians"`
	Unit     string           `json:"unit"`
	Change   string           `json:"change"`
	Arrow    bool             `json:"arrow"`
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
	Text  string  `json:"text"`
	Name  string  `json:"name"`
}

// pageState is the verdict as the page shows it: one of the four verdicts, "invalid" if the
// sides cannot be compared, "none" if nothing could be judged.
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

// pageLook is the state as a class of the page's style. A result that passes is shown without
// alarm.
func pageLook(r *diff.Report) string {
	if r.Outcome() == verdict.OutcomePassed {
		return verdict.Unchanged.String()
	}
	return pageState(r)
}

func verdictTag(r *diff.Report) string { return number.Capital(words.Outcome(r)) }

// hasVerdict reports whether better and worse mean anything on this page.
func hasVerdict(r *diff.Report) bool { return r.Judged && r.Reason != verdict.ReasonRankCount }

// jobText says in a few words what was captured.
func jobText(r *diff.Report) string {
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
	f := firstScreen{State: pageLook(r), Tag: verdictTag(r), Headline: words.Headline(&r.Headline), FindingsHead: "What changed", NoFindings: "Nothing else stands out. The main metrics are below.", Banner: worstDifference(r)}
	f.Before, f.Key, f.After = splitBasis(r)
	if g := words.GateLine(r); g != "" {
		f.After += " " + g
	}
	f.Policy = words.PolicyLine(&r.Policy)
	for _, l := range words.Store(r.StoreFindings) {
		f.Held = append(f.Held, number.Capital(l[0])+": "+l[1])
	}
	f.Label = words.Headline(&r.Headline) + " " + words.Basis(r)
	if !s.judged {
		f.FindingsHead, f.NoFindings = "Measured, not judged", "Nothing is judged. What was measured is below."
	}
	for _, found := range words.Findings(r) {
		f.Findings = append(f.Findings, s.finding(found))
	}
	if n := len(r.Findings) - maxFirstFindings; n > 0 {
		f.More = number.Capital(number.Word(n)) + " more"
	}
	s.tellSuspects(&f)
	s.data.First, f.Caption = s.firstChart()
	f.Picture = s.data.First != nil
	if !f.Picture && len(words.Hints(r)) == 0 {
		f.Hint = stepHint(r)
	}
	return f
}

// splitBasis is the basis of the verdict, with its key figure apart, to be written in bold; key
// is "" if it has none.
func splitBasis(r *diff.Report) (before, key, after string) {
	if words.Key(r) == "" {
		return words.Basis(r), "", ""
	}
	before, after, _ = strings.Cut(words.Basis(r), words.Key(r))
	return before, words.Key(r), after
}

// worstDifference is the banner about the worst difference between the sides; nil if all are
// harmless.
func worstDifference(r *diff.Report) *banner {
	var worst *verdict.Difference
	others := 0
	for i := range r.Differences {
		d := &r.Differences[i]
		switch {
		case d.Class == policy.ClassHarmless:
		case worst == nil:
			worst = d
		default:
			others++
		}
	}
	if worst == nil {
		return nil
	}
	name, base, cand := words.Differs(worst)
	b := &banner{Class: "warn", Strong: fmt.Sprintf("%s: %s in the baseline, %s in the candidate.",
		number.Capital(name), orDash(base), orDash(cand)), Text: number.Capital(words.Effect(worst)) + "."}
	if worst.Class == policy.ClassInvalidates {
		b.Class = "stop"
	}
	if others > 0 {
		b.Text += " And " + number.Word(others) + " more."
	}
	return b
}

func (s *sheet) finding(f words.Finding) finding {
	out := finding{Number: f.Number, Unit: f.NumberIn, Text: f.Text, Interval: f.Interval, Word: f.Class}
	switch f.Class {
	case "better", "worse":
		out.Class = f.Class
	case "remains":
		out.Class, out.Word = "hold", "still there"
	case "look":
		out.Class = "hold"
	case "stayed":
		out.Word = "no sign of a change"
	}
	if !s.judged {
		out.Class, out.Word = "", "measured"
	}
	return out
}

const maxDots = 60

// firstChart is the picture and its caption; nil if no step was found.
func (s *sheet) firstChart() (*firstChart, string) {
	base, cand := s.keptValues(func(p *cause.StepPoint) float64 { return p.Base.Median }), s.keptValues(func(p *cause.StepPoint) float64 { return p.Cand.Median })
	if len(base)+len(cand) == 0 {
		return nil, ""
	}
	caption := "One dot is one step (median over ranks); the line marks the median."
	if max(len(base), len(cand)) > maxDots {
		base, cand = representatives(base, maxDots-10), representatives(cand, maxDots-10)
		caption = "One dot is 2" + number.Space + "% of the steps; the line marks the median."
	}
	d := &firstChart{Base: base, Cand: cand, Unit: s.ms.Name}
	if c := s.mainMetric(run.StepTime); c != nil {
		d.Medians = [2]*writtenValue{s.writtenMedian(c.Base), s.writtenMedian(c.Cand)}
		d.Change, d.Verdict = s.ms.SignedWith(c.Delta), s.stepVerdict(c)
		moved := d.Verdict == "improved" || d.Verdict == "regressed" || d.Verdict == "invalid"
		d.Arrow = moved && !math.IsNaN(c.Delta)
		d.Estimate = estimateOf(s.r, c)
	}
	return d, caption
}

// stepVerdict is the verdict on the step time, which need not be the page's: another gating
// metric can decide that. It is empty on a page without a verdict.
func (s *sheet) stepVerdict(c *verdict.Comparison) string {
	if s.state == "invalid" || s.state == "none" {
		return s.state
	}
	return c.Verdict.String()
}

func (s *sheet) writtenMedian(v float64) *writtenValue {
	if math.IsNaN(v) {
		return nil
	}
	return &writtenValue{At: v * s.ms.Factor, Text: s.ms.With(v)}
}

func estimateOf(r *diff.Report, c *verdict.Comparison) *estimateStrip {
	if math.IsNaN(c.Estimate) || math.IsNaN(c.Lo) || math.IsNaN(c.Hi) || !c.Relative {
		return nil
	}
	p := number.PercentFor(c.Estimate, c.Lo, c.Hi)
	out := &estimateStrip{
		Value: c.Estimate * 100, Lo: c.Lo * 100, Hi: c.Hi * 100, Band: c.Threshold * 100,
		Text: fmt.Sprintf("%s%s%%  (%s to %s%s%%)", p.Signed(c.Estimate), number.Space, p.Signed(c.Lo), p.Signed(c.Hi), number.Space),
		Name: "\u00b1" + number.Setting(c.Threshold) + " threshold",
	}
	if c.Verdict == verdict.Unchanged {
		out.Band, out.Name = r.Policy.Equal()*100, "\u00b1"+number.Setting(r.Policy.Equal())+" counts as equal"
	}
	return out
}

// keptValues are values of the steps that are not left out, in the page's unit.
func (s *sheet) keptValues(value func(*cause.StepPoint) float64) []float64 {
	out := []float64{}
	for i := range s.r.Steps {
		p := &s.r.Steps[i]
		if v := value(p); !p.Omission.Omitted() && !math.IsNaN(v) {
			out = append(out, sixDigits(v*s.ms.Factor))
		}
	}
	return out
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
