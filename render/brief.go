package render

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"unicode/utf8"

	"perfdiff/analyze/run"
	"perfdiff/diff"
)

// MaxBrief bounds a brief, in bytes: what a script prints or a language model is given at little
// cost.
const MaxBrief = 8 << 10

// Brief is the answer of a report in at most MaxBrief bytes of JSON. Its values are those of the
// JSON form, under the same names; what has no room is the last of each list, and said.
type Brief struct {
	BriefVersion string            `json:"brief_version"`       // "1.0"
	Tool         string            `json:"tool"`                // what wrote it
	Title        string            `json:"title,omitempty"`     // what was said of the comparison
	Policy       string            `json:"policy,omitempty"`    // in what it is not the default; absent: in nothing
	Verdict      BriefVerdict      `json:"verdict"`             // the answer
	StepTime     *BriefMetric      `json:"step_time,omitempty"` // absent: not compared
	Findings     []BriefFinding    `json:"findings"`            // what changed, the largest effect first
	Differences  []BriefDifference `json:"differences"`         // between the sides beside the change under test, the worst class first
	Warnings     []BriefWarning    `json:"warnings"`            // what to know before trusting the above
	LeftOut      BriefLeftOut      `json:"left_out"`            // for want of room
}

// BriefVerdict is of Outcome what decides.
type BriefVerdict struct {
	Verdict  string   `json:"verdict"`
	Word     string   `json:"word"`
	Reason   string   `json:"reason"`
	Headline string   `json:"headline"`
	Basis    string   `json:"basis"`
	Judged   bool     `json:"judged"`
	Gate     string   `json:"gate"`   // its state
	Causes   []string `json:"causes"` // why the gate says so
	Hints    []string `json:"hints"`
}

// BriefMetric is a metric compared.
type BriefMetric struct {
	Unit     string       `json:"unit"`
	Median   Both[Number] `json:"median"`
	Relative bool         `json:"relative"` // estimate, low and high are fractions of the baseline
	Estimate Number       `json:"estimate"`
	Low      Number       `json:"low"`
	High     Number       `json:"high"`
}

// BriefFinding is of Finding what a reader needs to act.
type BriefFinding struct {
	Kind     string       `json:"kind"`
	Class    string       `json:"class"`
	Metric   string       `json:"metric"`
	Part     string       `json:"part,omitempty"`
	Value    Both[Number] `json:"value"`
	Delta    Number       `json:"delta"`
	Relative bool         `json:"relative"`
	Low      Number       `json:"low"`
	High     Number       `json:"high"`
	Unit     string       `json:"unit"`
	Ranks    []int        `json:"ranks,omitempty"`  // the first of them
	OfRanks  int          `json:"ranks_in_all"`     // 0: all, or not known which
	Steps    []int64      `json:"steps,omitempty"`  // the first of them
	OfSteps  int          `json:"steps_in_all"`     // 0: all that are compared
	Text     string       `json:"text"`             // the sentence
	Evidence string       `json:"evidence"`         // on what it stands
	Advice   string       `json:"advice,omitempty"` // what to do next
	Section  string       `json:"section"`          // of the page that shows it: where to look
}

// BriefDifference is of Difference all.
type BriefDifference Difference

// BriefWarning is of Warning what is said.
type BriefWarning struct {
	Side string `json:"side,omitempty"`
	File string `json:"file,omitempty"`
	Text string `json:"text"`
}

// BriefLeftOut counts what had no room.
type BriefLeftOut struct {
	Findings    int    `json:"findings"`
	Differences int    `json:"differences"`
	Warnings    int    `json:"warnings"`
	Texts       int    `json:"texts"` // that end in … because they were cut
	Note        string `json:"note,omitempty"`
}

// maxBriefList is how many ranks, steps, causes or hints of one thing are named.
const maxBriefList = 8

// briefTexts are the longest texts that are tried, in bytes: the first with which the verdict
// takes at most half of the room.
var briefTexts = []int{600, 300, 120, 40}

// WriteBrief writes the brief of r on one line.
func WriteBrief(w io.Writer, r *diff.Report) error {
	doc := documentOf(r)
	var text []byte
	for _, longest := range briefTexts {
		var err error
		b := &briefing{doc: doc, longest: longest}
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
	doc     *Document
	longest int // text, in bytes
	out     Brief
	head    int // bytes without lists
}

// fill puts in what there is room for: findings, differences and warnings in turn, so that a
// report of many findings does not lose what they stand under.
func (b *briefing) fill() ([]byte, error) {
	b.verdict()
	differences := b.doc.Differences
	warnings := relatedFirst(b.doc.Warnings)
	o := &b.out
	o.LeftOut.Findings, o.LeftOut.Differences, o.LeftOut.Warnings = len(b.doc.Findings), len(differences), len(warnings)
	o.LeftOut.Note = "for want of room; the JSON report (-o report.json) has all"
	text, err := b.text()
	b.head = len(text)
	full := [3]bool{}
	for i := 0; err == nil && full != [3]bool{true, true, true}; i++ {
		for list, n := range [3]int{len(b.doc.Findings), len(differences), len(warnings)} {
			if full[list] = full[list] || i >= n; full[list] || err != nil {
				continue
			}
			before := b.out
			switch list {
			case 0:
				o.Findings = append(o.Findings, b.finding(&b.doc.Findings[i]))
				o.LeftOut.Findings--
			case 1:
				d := differences[i]
				o.Differences = append(o.Differences, BriefDifference{b.cut(d.Name), b.cut(d.Baseline), b.cut(d.Candidate), d.Class, b.cut(d.Why)})
				o.LeftOut.Differences--
			case 2:
				x := warnings[i]
				o.Warnings = append(o.Warnings, BriefWarning{x.Side, b.cut(x.File), b.cut(x.Text)})
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

// relatedFirst are the warnings in order, last those about something that was not measured.
func relatedFirst(all []Warning) []Warning {
	var first, last []Warning
	for _, w := range all {
		if w.Unrelated {
			last = append(last, w)
		} else {
			first = append(first, w)
		}
	}
	return append(first, last...)
}

// said is without the note where nothing was left out.
func (l BriefLeftOut) said() BriefLeftOut {
	if l.Findings+l.Differences+l.Warnings+l.Texts == 0 {
		l.Note = ""
	}
	return l
}

func (b *briefing) verdict() {
	v := &b.doc.Verdict
	b.out = Brief{BriefVersion: "1.0", Tool: b.doc.Tool, Findings: []BriefFinding{}, Differences: []BriefDifference{}, Warnings: []BriefWarning{}}
	if b.doc.About != nil {
		b.out.Title = b.cut(b.doc.About.Title)
	}
	b.out.Policy = b.cut(b.doc.Policy.Line)
	b.out.Verdict = BriefVerdict{v.Verdict, v.Word, v.Reason, b.cut(v.Headline), b.cut(v.Basis), v.Judged, v.Gate.State, b.cutAll(v.Gate.Causes), b.cutAll(v.Hints)}
	for i := range b.doc.Metrics {
		if c := &b.doc.Metrics[i]; c.Metric == run.StepTime && c.Part == "" {
			b.out.StepTime = &BriefMetric{c.Unit, c.Median, c.Change.Relative, c.Change.Estimate, c.Change.Low, c.Change.High}
		}
	}
}

func (b *briefing) finding(f *Finding) BriefFinding {
	return BriefFinding{
		Kind: f.Kind, Class: f.Class, Metric: f.Metric, Part: b.cut(f.Part), Value: f.Value, Delta: f.Delta, Relative: f.Relative, Low: f.Low, High: f.High, Unit: f.Unit,
		Ranks: f.Ranks[:min(len(f.Ranks), maxBriefList)], OfRanks: len(f.Ranks), Steps: f.Steps[:min(len(f.Steps), maxBriefList)], OfSteps: len(f.Steps),
		Text: b.cut(f.Text), Evidence: b.cut(f.Evidence), Advice: b.cut(f.Advice), Section: f.Section,
	}
}

// cut is s, or its start and … where it is too long.
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

// text is the brief as it stands.
func (b *briefing) text() ([]byte, error) {
	var out bytes.Buffer
	e := json.NewEncoder(&out)
	e.SetEscapeHTML(false) // names of kernels are full of < and >
	if err := e.Encode(&b.out); err != nil {
		return nil, fmt.Errorf("json: %w", err)
	}
	return replaceInvisible(out.Bytes(), jsonEscape), nil
}
