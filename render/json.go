package render

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"slices"

	"perfdiff/analyze/run"
	"perfdiff/analyze/trace"
	"perfdiff/diff"
	"perfdiff/render/words"
)

// writeJSON writes the document, its ranks one by one: those of a large job have a
// hundred million numbers.
func writeJSON(w io.Writer, r *diff.Report, _ Options) error {
	doc := documentOf(r)
	doc.Ranks = []Rank{}
	text, err := laidOut(doc, 0)
	if err != nil {
		return err
	}
	// No text of JSON holds a line break, so that this is the member of the document.
	head, tail, ok := bytes.Cut(text, []byte(noRanks))
	if !ok || len(r.Ranks) == 0 {
		_, err := w.Write(append(text, '\n'))
		return err
	}
	out := &first{w: w}
	out.write(head, []byte(noRanks[:len(noRanks)-1]))
	for i := range r.Ranks {
		rank, err := laidOut(rankDocument(&r.Ranks[i]), rankLevel)
		if err != nil {
			return err
		}
		if i > 0 {
			out.write([]byte(","))
		}
		out.write([]byte("\n    "), rank)
	}
	out.write([]byte("\n  ]"), tail, []byte("\n"))
	return out.err
}

// noRanks is how the document is laid out where it has no ranks, and rankLevel how deep
// one stands.
const (
	noRanks   = "\n  \"ranks\": []"
	rankLevel = 2
)

// laidOut is v as JSON for people, so many levels deep.
func laidOut(v any, depth int) ([]byte, error) {
	text, err := json.Marshal(v)
	if err != nil {
		return nil, fmt.Errorf("json: %w", err)
	}
	return indent(replaceUnseen(text, jsonEscape), depth), nil
}

// first writes until something cannot be written, and keeps that error.
type first struct {
	w   io.Writer
	err error
}

func (f *first) write(parts ...[]byte) {
	for _, p := range parts {
		if f.err == nil {
			_, f.err = f.w.Write(p)
		}
	}
}

// NewDocument is r in its JSON form. It shares nothing with r that changes.
func NewDocument(r *diff.Report) *Document {
	doc := documentOf(r)
	doc.Ranks = each(r.Ranks, rankDocument)
	return doc
}

// documentOf is the document without its ranks.
func documentOf(r *diff.Report) *Document {
	p := r.Policy
	return &Document{
		SchemaVersion: r.SchemaVersion, Tool: r.Tool,
		Policy: Policy{
			Line: spaces.Replace(p.Line()), Alpha: Number(p.Alpha), Threshold: Number(p.Threshold), Equivalence: Number(p.Equal()),
			Floor: Number(p.Floor), Force: p.Force, FewFloor: Number(p.FewFloor), HostFloor: Number(p.HostFloor), Gating: listed(p.Gating), Rules: rulesDocument(p.Rules),
			Waivers: each(p.Waivers, func(w *diff.Waiver) Waiver {
				return Waiver{w.Metric, string(w.Kind), w.Reason, w.Owner, w.Expires, Number(w.UpTo)}
			}),
			RequireEqual: listed(p.RequireEqual), IgnoreKernels: listed(p.IgnoreKernels), StrictKernels: p.StrictKernels,
			FailOn: listed(p.FailOn), Allow: listed(p.Allow), GateCauses: p.GateCauses, WarnOnly: p.WarnOnly, Escalate: p.Escalate,
		},
		Verdict: Outcome{
			Verdict: r.Verdict.String(), Word: r.Outcome(), Leans: r.Leans, Quiet: r.Quiet, Reason: r.Reason, Headline: r.Headline, Basis: r.Basis, Key: r.Key, Hints: listed(r.Hints),
			Judged: r.Judged, SameFiles: r.SameFiles, Unpaired: r.Unpaired, Gate: Gate{string(r.Gate.State), listed(r.Gate.Causes)}, Causes: listed(r.Causes),
		},
		Baseline: sideDocument(&r.Base), Candidate: sideDocument(&r.Cand),
		Alone:     r.Alone,
		History:   each(r.History, func(h *diff.PastRun) PastRun { return PastRun{h.Name, h.Began, h.Why, h.Level} }),
		Store:     storeDocument(r.Held),
		Findings:  each(words.Findings(r), findingDocument),
		Loads:     each(r.Loads, loadDocument),
		Waterfall: waterfallDocument(&r.Waterfall),
		Metrics:   each(r.Metrics, comparisonDocument), Parts: each(r.Parts, comparisonDocument),
		Per: r.Per, Capture: each(r.Capture, comparisonDocument), Calls: each(r.Calls, callDocument),
		Kernels: each(r.Kernels, kernelDocument), KernelShift: Number(r.KernelShift), Summaries: each(r.Summaries, summaryDocument),
		Longest: bothOf(r.Longest, storyDocument), Blames: bothOf(r.Blames, blameDocument), HostBlames: bothOf(r.HostBlames, blameDocument), Bounds: each(r.Bounds, boundDocument), Next: r.Next, Quantiles: each(r.Quantiles, quantileDocument),
		Timeline:    bothOf(r.Timeline, excerptDocument),
		Steps:       each(r.Steps, stepDocument),
		Gaps:        each(r.Gaps, gapDocument),
		Courses:     Courses{Number(r.Courses.Bin), each(r.Courses.Base, courseDocument), each(r.Courses.Cand, courseDocument)},
		Differences: each(r.Differences, differenceDocument), Same: each(r.Same, factDocument),
		Warnings: each(r.Warnings, warningDocument), Candidates: each(r.Candidates, candidateDocument), Descriptions: each(r.Descriptions, metricDocument),
	}
}

// each is of(v) for every v of list, never nil: an empty list is [] in JSON.
func each[T, D any](list []T, of func(*T) D) []D {
	out := make([]D, len(list))
	for i := range list {
		out[i] = of(&list[i])
	}
	return out
}

// listed is list, [] in JSON when it is nil.
func listed[T any](list []T) []T {
	if list == nil {
		return []T{}
	}
	return list
}

func both(base, cand float64) Both[Number] { return Both[Number]{Number(base), Number(cand)} }

func betterWord(b run.Better) string {
	switch b {
	case run.Lower:
		return "lower"
	case run.Higher:
		return "higher"
	}
	return "neither"
}

func findingDocument(f *words.Finding) Finding {
	return Finding{
		Kind: string(f.Kind), Metric: f.Metric, Part: f.Part, Ranks: listed(f.Ranks), Steps: listed(f.Steps),
		Value: both(f.Base, f.Cand), Delta: Number(f.Delta), Estimate: Number(f.Estimate), Low: Number(f.Lo), High: Number(f.Hi),
		Relative: f.Relative, Mean: f.Mean, Each: Number(f.Each), Unit: f.Unit, Class: f.Class,
		Number: f.Number, NumberIn: f.NumberIn, Interval: f.Interval,
		Text: f.Text, Evidence: f.Evidence, Advice: f.Advice, Section: f.Section, Effect: Number(f.Effect),
		Reasons: each(f.Reasons, reasonDocument),
		Because: each(f.Clauses, clauseDocument), StandsOn: evidenceDocument(&f.Finding.Evidence), Next: adviceDocument(&f.Finding.Advice),
		Details: detailsDocument(f.Finding),
	}
}

func reasonDocument(x *diff.Reason) Reason {
	return Reason{x.Metric, x.Part, both(x.Base, x.Cand), listed(slices.Clone(x.Places)), x.Most}
}

func comparisonDocument(c *diff.Comparison) Comparison {
	return Comparison{
		Metric: c.Key.Metric, Part: c.Part, Unit: c.Metric.Unit, Better: betterWord(c.Metric.Better), Source: c.Source,
		Median: both(c.Base, c.Cand), Mean: both(c.BaseMean, c.CandMean), Delta: Number(c.Delta),
		Change: Change{
			Relative: c.Relative, Logs: c.Logs, Estimate: Number(c.Estimate), Low: Number(c.Lo), High: Number(c.Hi),
			Threshold: Number(c.Threshold), Equal: Number(c.Equal), Floor: Number(c.Floor), History: c.History, P: Number(c.P), Detectable: Number(c.Detectable), Shown: Number(c.Shown),
			WithinLow: Number(c.WithinLo), WithinHigh: Number(c.WithinHi), Tipping: Number(c.Tipping), FirstStep: Number(c.FirstStep), LastStep: Number(c.LastStep),
		},
		Verdict: c.Verdict.String(), Reason: c.Reason, Why: c.Why, Gate: c.Gate,
		Runs: Both[int]{c.Runs[0], c.Runs[1]}, Ranks: Both[int]{c.Ranks[0], c.Ranks[1]},
		StepsUsed: c.StepsUsed, RunsNeeded: c.RunsNeeded, Of: c.Of, StepsNeeded: c.Least, Waived: c.Waived, UpTo: Number(c.UpTo), Note: c.Note, Holds: c.Holds,
		NotRecorded: Both[string]{c.NotRecorded[0], c.NotRecorded[1]},
		Notes:       append([]string{}, c.Notes()...),
	}
}

func kernelDocument(k *diff.Kernel) Kernel {
	return Kernel{
		Name: k.Name, Class: k.Class, Family: k.Family, Launch: Both[string]{k.BaseShape, k.CandShape}, Launched: k.Launched, Time: both(k.BaseTime, k.CandTime), Calls: both(k.BaseCalls, k.CandCalls),
		Delta: Number(k.Delta), ByCalls: Number(k.Calls), BySlower: Number(k.Slower), Change: Number(k.Change), Q: Number(k.Q), Beyond: k.Beyond, Share: Number(k.Share), Others: k.Others,
	}
}

func gapDocument(g *diff.GapBin) Gap {
	return Gap{From: Number(g.From), To: Number(g.To), Count: both(g.Base, g.Cand)}
}

func rulesDocument(rules map[string]diff.Rule) map[string]Rule {
	out := make(map[string]Rule, len(rules))
	for metric, r := range rules {
		out[metric] = Rule{Number(r.Threshold), string(r.Level), r.Better}
	}
	return out
}

func differenceDocument(d *diff.Difference) Difference {
	return Difference{Name: d.Name, Baseline: d.Base, Candidate: d.Cand, Class: d.Class, Why: d.Why}
}

func factDocument(f *trace.Fact) Fact { return Fact{Key: f.Key, Value: f.Value} }

func warningDocument(w *diff.Warning) Warning {
	return Warning{Side: w.Side, File: w.File, First: w.First, Text: w.Text, Count: w.Count, Aside: w.Aside}
}

func metricDocument(m *run.Metric) Metric {
	return Metric{Name: m.Name, Unit: m.Unit, Better: betterWord(m.Better), Doc: m.Doc, Needs: m.Needs, Part: m.Part, Joint: m.Joint, Main: m.Main}
}
