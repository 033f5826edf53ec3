package render

import (
	"bytes"
	"fmt"
	"io"
	"slices"
	"strings"
	"unicode/utf8"

	"perfdiff/analyze/run"
	"perfdiff/diff"
	"perfdiff/diff/verdict"
	"perfdiff/render/words"
)

// MaxBrief bounds a brief, in bytes: what a script prints or a language model is given at little
// cost.
const MaxBrief = 8 << 10

// Brief is the answer of a report in at most MaxBrief bytes of JSON. Its values are those of the JSON form, under the
// same names; the ends of lists that do not fit are left out, which it says.
type Brief struct {
	BriefVersion string               `report:"brief_version"`       // "1.0"
	Tool         string               `report:"tool"`                // what wrote it
	Title        string               `report:"title,omitempty"`     // what was said of the comparison
	Policy       string               `report:"policy,omitempty"`    // in what it is not the default; absent: in nothing
	Verdict      BriefVerdict         `report:"verdict"`             // the answer
	StepTime     *BriefMetric         `report:"step_time,omitempty"` // absent: not compared
	Findings     []BriefFinding       `report:"findings"`            // what changed, the largest effect first
	Differences  []verdict.Difference `report:"differences"`         // between the sides beside the change under test, the worst class first
	Warnings     []diff.Warning       `report:"warnings"`            // what to know before trusting the above
	LeftOut      BriefLeftOut         `report:"left_out"`            // for want of room
}

// BriefVerdict holds the parts of the verdict that decide.
type BriefVerdict struct {
	Verdict  string   `report:"verdict"`
	Word     string   `report:"word"`
	Reason   string   `report:"reason"`
	Headline string   `report:"headline"`
	Say      string   `report:"say"`             // what was measured, and why
	Change   string   `report:"change_to_blame"` // whether the change under test is why; "" nothing is to blame
	Next     string   `report:"next"`            // what to do, and what each outcome would mean
	Basis    string   `report:"basis"`
	Judged   bool     `report:"judged"`
	Gate     string   `report:"gate"`   // its state
	Causes   []string `report:"causes"` // why the gate says so
	Hints    []string `report:"hints"`
}

// BriefMetric is a metric compared.
type BriefMetric struct {
	Unit     string     `report:"unit"`
	Median   [2]float64 `report:"median"`
	Relative bool       `report:"relative"` // estimate, low and high are fractions of the baseline
	Estimate float64    `report:"estimate"`
	Low      float64    `report:"low"`
	High     float64    `report:"high"`
}

// BriefFinding holds the parts of Finding that a reader needs to act.
type BriefFinding struct {
	Kind     string     `report:"kind"`
	Class    string     `report:"class"`
	Metric   string     `report:"metric"`
	Part     string     `report:"part,omitempty"`
	Value    [2]float64 `report:"value"`
	Delta    float64    `report:"delta"`
	Relative bool       `report:"relative"`
	Low      float64    `report:"low"`
	High     float64    `report:"high"`
	Unit     string     `report:"unit"`
	Ranks    []int      `report:"ranks,omitempty"`       // the first of them
	OfRanks  int        `report:"ranks_in_all"`          // 0: all, or not known which
	Steps    []int64    `report:"steps,omitempty"`       // the first of them
	OfSteps  int        `report:"steps_in_all"`          // 0: all that are compared
	Text     string     `report:"text"`                  // the sentence
	Evidence string     `report:"evidence"`              // on what it stands
	Advice   string     `report:"advice,omitempty"`      // what to do next
	Section  string     `report:"section"`               // of the page that shows it: where to look
	Places   []string   `report:"where,omitempty"`       // in the profiles: a step of each side
	Ncu      []string   `report:"ncu_untried,omitempty"` // commands that record the kernels that it blames
}

// BriefLeftOut counts what did not fit.
type BriefLeftOut struct {
	Findings    int    `report:"findings"`
	Differences int    `report:"differences"`
	Warnings    int    `report:"warnings"`
	Texts       int    `report:"texts"` // that end in … because they were cut
	Note        string `report:"note,omitempty"`
}

// maxBriefList is how many ranks, steps, causes or hints of one thing are named.
const maxBriefList = 8

// briefTexts are the longest texts that are tried, in bytes: the first with which the verdict
// takes at most half of the room.
var briefTexts = []int{600, 300, 120, 40}

// WriteBrief writes the brief of r on one line.
func WriteBrief(w io.Writer, r *diff.Report) error {
	var text []byte
	for _, longest := range briefTexts {
		var err error
		b := &briefing{report: r, findings: words.Findings(r), longest: longest}
		if text, err = b.fill(); err != nil {
			return err
		}
		if b.head <= MaxBrief/2 {
			break
		}
	}
	if len(text) > MaxBrief {
		return fmt.Errorf("the verdict alone takes %d bytes, more than the %d of a brief", len(text), MaxBrief)
	}
	_, err := w.Write(text)
	return err
}

// briefing is a brief in the making.
type briefing struct {
	report   *diff.Report
	findings []words.Finding
	longest  int // text, in bytes
	out      Brief
	head     int // bytes without lists
}

// fill adds what there is room for: findings, differences and warnings in turn, so that a report with many findings
// does not lose the warnings about them.
func (b *briefing) fill() ([]byte, error) {
	b.verdict()
	differences := b.report.Differences
	aside, related := func(w diff.Warning) bool { return w.Aside }, func(w diff.Warning) bool { return !w.Aside }
	warnings := slices.Concat(slices.DeleteFunc(slices.Clone(b.report.Warnings), aside), slices.DeleteFunc(slices.Clone(b.report.Warnings), related))
	o := &b.out
	o.LeftOut.Findings, o.LeftOut.Differences, o.LeftOut.Warnings = len(b.findings), len(differences), len(warnings)
	o.LeftOut.Note = "for want of room; the JSON report (-o report.json) has all"
	text, err := b.text()
	b.head = len(text)
	full := [3]bool{}
	for i := 0; err == nil && full != [3]bool{true, true, true}; i++ {
		for list, n := range [3]int{len(b.findings), len(differences), len(warnings)} {
			if full[list] = full[list] || i >= n; full[list] || err != nil {
				continue
			}
			before := b.out
			switch list {
			case 0:
				o.Findings = append(o.Findings, b.finding(&b.findings[i]))
				o.LeftOut.Findings--
			case 1:
				o.Differences = append(o.Differences, differences[i])
				o.LeftOut.Differences--
			case 2:
				o.Warnings = append(o.Warnings, warnings[i])
				o.LeftOut.Warnings--
			}
			var longer []byte
			if longer, err = b.text(); len(longer) > MaxBrief {
				b.out, full[list] = before, true
				continue
			}
			text = longer
		}
	}
	if o.LeftOut = o.LeftOut.said(); err == nil {
		text, err = b.text() // shorter where nothing was left out
	}
	return text, err
}

// said returns the counts, without the note if nothing was left out.
func (l BriefLeftOut) said() BriefLeftOut {
	if l.Findings+l.Differences+l.Warnings+l.Texts == 0 {
		l.Note = ""
	}
	return l
}

func (b *briefing) verdict() {
	r := b.report
	b.out = Brief{BriefVersion: "1.0", Tool: r.Tool, Title: b.cut(r.About.Title), Policy: b.cut(spaces.Replace(words.PolicyLine(&r.Policy)))}
	a := words.AnswerOf(r)
	b.out.Verdict = BriefVerdict{
		r.Verdict.String(), words.Outcome(r), r.Reason, b.cut(a.Headline), b.cut(a.Told()), b.cut(words.Blame(r)), b.cut(strings.TrimSpace(a.Advice + " " + a.Next)), b.cut(a.Basis()), r.Judged,
		string(r.Gate.State), b.cutAll(words.GateCauses(&r.Gate)), b.cutAll(words.Hints(r)),
	}
	if c := verdict.MetricOf(r.Metrics, run.StepTime); c != nil {
		b.out.StepTime = &BriefMetric{c.Metric.Unit, [2]float64{c.Base, c.Cand}, c.Relative, c.Estimate, c.Lo, c.Hi}
	}
}

func (b *briefing) finding(f *words.Finding) BriefFinding {
	var ncu []string
	for i := range f.Profiles {
		command, _ := words.Ncu(&f.Profiles[i])
		ncu = append(ncu, command)
	}
	return BriefFinding{
		Kind: string(f.Kind), Class: f.Class.String(), Metric: f.Metric, Part: b.cut(f.Part), Unit: f.Unit,
		Value: [2]float64{f.Base, f.Cand}, Delta: f.Delta, Relative: f.Relative, Low: f.Lo, High: f.Hi,
		Ranks: f.Ranks[:min(len(f.Ranks), maxBriefList)], OfRanks: len(f.Ranks), Steps: f.Steps[:min(len(f.Steps), maxBriefList)], OfSteps: len(f.Steps),
		Text: b.cut(f.Text), Evidence: b.cut(f.Evidence), Advice: b.cut(f.Advice), Section: f.Section, Places: f.Places, Ncu: ncu,
	}
}

// cut returns s, or its start and … where it is too long.
func (b *briefing) cut(s string) string {
	if len(s) <= b.longest {
		return s
	}
	b.out.LeftOut.Texts++
	end := b.longest - len("…")
	for end > 0 && !utf8.RuneStart(s[end]) {
		end--
	}
	return s[:end] + "…"
}

func (b *briefing) cutAll(list []string) []string {
	out := []string{}
	for i, s := range list {
		if i == maxBriefList {
			b.out.LeftOut.Texts += len(list) - i
			break
		}
		out = append(out, b.cut(s))
	}
	return out
}

// text returns the brief as it stands.
func (b *briefing) text() ([]byte, error) {
	var out bytes.Buffer
	err := (&encoder{w: &out, oneLine: true}).write(&b.out)
	return out.Bytes(), err
}
