package render

import (
	"cmp"
	"encoding/json"
	"fmt"
	"io"
	"math"
	"slices"

	"perfdiff/analyze/run"
	"perfdiff/analyze/trace"
	"perfdiff/diff"
	"perfdiff/diff/cause"
	"perfdiff/diff/policy"
	"perfdiff/diff/verdict"
	"perfdiff/render/words"
)

// writeJSON writes the report with what is said of it in words.
func writeJSON(w io.Writer, r *diff.Report, _ Options) error { return writeIndented(w, r) }

// emptyRanks is the text of a document without ranks where ranks belong, and rankDepth is how
// deep a rank stands.
const (
	emptyRanks = "\n  \"ranks\": []"
	rankDepth  = 2
)

// indentedJSON is v as indented JSON, depth levels deep.
func indentedJSON(v any, depth int) ([]byte, error) {
	text, err := json.Marshal(v)
	if err != nil {
		return nil, fmt.Errorf("json: %w", err)
	}
	return indent(replaceInvisible(text, jsonEscape), depth), nil
}

// errorWriter writes until the first error, and keeps it.
type errorWriter struct {
	w   io.Writer
	err error
}

func (f *errorWriter) write(parts ...[]byte) {
	for _, p := range parts {
		if f.err == nil {
			_, f.err = f.w.Write(p)
		}
	}
}

// NewDocument is r in its JSON form. It shares nothing with r that changes.
func NewDocument(r *diff.Report) *Document {
	doc := documentOf(r)
	doc.Ranks = documentsOf(r.Ranks, rankDocument)
	return doc
}

// documentOf is the document without its ranks.
func documentOf(r *diff.Report) *Document {
	p := r.Policy
	return &Document{
		SchemaVersion: r.SchemaVersion, Tool: r.Tool, About: aboutDocument(&r.About),
		Policy: Policy{
			Line: spaces.Replace(words.PolicyLine(&p)), Alpha: Number(p.Alpha), Threshold: Number(p.Threshold), Equivalence: Number(p.Equal()),
			Floor: Number(p.Floor), Force: p.Force, FewFloor: Number(p.FewFloor), HostFloor: Number(p.HostFloor), Gating: neverNil(p.Gating), Rules: rulesDocument(p.Rules),
			Waivers: documentsOf(p.Waivers, func(w *policy.Waiver) Waiver {
				return Waiver{w.Metric, string(w.Kind), w.Reason, w.Owner, w.Expires, Number(w.UpTo)}
			}),
			RequireEqual: neverNil(p.RequireEqual), IgnoreKernels: neverNil(p.IgnoreKernels), StrictKernels: p.StrictKernels,
			FailOn: neverNil(p.FailOn), Allow: neverNil(p.Allow), GateCauses: p.GateCauses, WarnOnly: p.WarnOnly, Escalate: p.Escalate,
		},
		Verdict: Outcome{
			Verdict: r.Verdict.String(), Word: words.Outcome(r), Leans: words.Leaning(r), NoSignOfChange: r.NoSignOfChange, Reason: r.Reason, Headline: words.Headline(&r.Headline), Basis: words.Basis(r), Key: words.Key(r), Hints: neverNil(words.Hints(r)),
			Judged: r.Judged, SameFiles: r.SameFiles, Unpaired: r.Unpaired, Gate: gateDocument(&r.Gate), Causes: neverNil(words.Causes(r)),
		},
		Baseline: sideDocument(&r.Base), Candidate: sideDocument(&r.Cand),
		AloneReason:   string(r.Alone.Kind),
		BaselineAlone: words.WhyLeftOut(&r.Alone),
		History:       documentsOf(r.History, pastDocument),
		Store:         storeDocument(r.StoreFindings),
		Unprofiled:    unprofiledDocument(r.Unprofiled),
		Findings:      documentsOf(words.Findings(r), findingDocument),
		Suspects:      documentsOf(r.Suspects, suspectDocument),
		Loads:         documentsOf(r.Loads, loadDocument),
		Groups:        documentsOf(r.Groups, groupDocument),
		Pairs:         documentsOf(r.Pairs, pairDocument),
		Pipeline:      optional(r.Pipeline, pipelinesDocument),
		Waterfall:     waterfallDocument(&r.Waterfall),
		Path:          pathDocument(&r.Path),
		Metrics:       documentsOf(r.Metrics, comparisonDocument), Parts: documentsOf(r.Parts, comparisonDocument),
		Per: r.Per, Capture: documentsOf(r.Capture, comparisonDocument), Calls: documentsOf(r.Calls, callDocument),
		Kernels: documentsOf(r.Kernels, kernelDocument), KernelShift: Number(r.KernelShift), Launched: launchedDocument(&r.Launched), Summaries: documentsOf(r.Summaries, summaryDocument),
		Longest: documentsOfBoth(r.Longest, longGapDocument), RankWaits: documentsOfBoth(r.RankWaits, rankWaitDocument), HostWaits: documentsOfBoth(r.HostWaits, rankWaitDocument), Bounds: documentsOf(r.Bounds, boundDocument), NextBottleneck: r.NextBottleneck, Quantiles: documentsOf(r.Quantiles, quantileDocument),
		Timeline: documentsOfBoth(r.Timeline, excerptDocument),
		Views:    documentsOf(r.Views, viewDocument), SpikesLeftOut: Both[int]{r.SpikesLeftOut[0], r.SpikesLeftOut[1]},
		Steps:       documentsOf(r.Steps, stepDocument),
		Gaps:        documentsOf(r.Gaps, gapDocument),
		Reads:       readsDocument(r),
		Activity:    Activity{Number(r.Activity.Bin), documentsOf(r.Activity.Base, activityDocument), documentsOf(r.Activity.Cand, activityDocument)},
		Differences: documentsOf(r.Differences, differenceDocument), Same: documentsOf(r.Same, factDocument),
		Warnings: documentsOf(r.Warnings, warningDocument), Candidates: documentsOf(r.Candidates, candidateDocument), Descriptions: documentsOf(r.Descriptions, metricDocument),
	}
}

// documentsOf converts each entry of a list. The result is never nil, so that an empty list is
// [] in JSON.
func documentsOf[T, D any](list []T, of func(*T) D) []D {
	out := make([]D, len(list))
	for i := range list {
		out[i] = of(&list[i])
	}
	return out
}

// neverNil is the list, [] in JSON also when it is nil.
func neverNil[T any](list []T) []T {
	if list == nil {
		return []T{}
	}
	return list
}

func bothNumbers(base, cand float64) Both[Number] { return Both[Number]{Number(base), Number(cand)} }

func findingDocument(f *words.Finding) Finding {
	return Finding{
		Kind: string(f.Kind), Metric: f.Metric, Part: f.Part, Ranks: neverNil(f.Ranks), Steps: neverNil(f.Steps),
		Value: bothNumbers(f.Base, f.Cand), Delta: Number(f.Delta), Estimate: Number(f.Estimate), Low: Number(f.Lo), High: Number(f.Hi),
		Relative: f.Relative, OfMeans: f.OfMeans, EachSpike: Number(f.EachSpike), Unit: f.Unit, Class: f.Class.String(),
		Number: f.Number, NumberIn: f.NumberIn, Interval: f.Interval,
		Text: f.Text, Evidence: f.Evidence, Advice: f.Advice, Section: f.Section, Effect: Number(f.Effect),
		Reasons: documentsOf(f.Reasons, reasonDocument),
		Because: documentsOf(f.Clauses, clauseDocument), StandsOn: evidenceDocument(&f.Finding.Evidence), Next: adviceDocument(&f.Finding.Advice),
		Details: detailsDocument(f.Finding),
	}
}

func reasonDocument(x *cause.Reason) Reason {
	return Reason{x.Metric, x.Part, bothNumbers(x.Base, x.Cand), neverNil(slices.Clone(x.Places)), x.Most}
}

func unprofiledDocument(c *verdict.Unprofiled) *Unprofiled {
	if c == nil {
		return nil
	}
	side := func(s *verdict.UnprofiledSide) UnprofiledSide {
		return UnprofiledSide{s.Runs, Number(s.Profiled), Number(s.Alone), Number(s.Overhead())}
	}
	return &Unprofiled{comparisonDocument(&c.Step), Both[UnprofiledSide]{side(&c.Sides[0]), side(&c.Sides[1])}, c.OtherSteps, c.Differs, c.Against, c.Decides}
}

func comparisonDocument(c *verdict.Comparison) Comparison {
	return Comparison{
		Metric: c.Key.Metric, Part: c.Part, Unit: c.Metric.Unit, Better: betterWord(c.Metric.Better), Source: words.Source(c),
		Median: bothNumbers(c.Base, c.Cand), Mean: bothNumbers(c.BaseMean, c.CandMean), Delta: Number(c.Delta),
		Change: Change{
			Relative: c.Relative, LogScale: c.LogScale, Estimate: Number(c.Estimate), Low: Number(c.Lo), High: Number(c.Hi),
			Threshold: Number(c.Threshold), Equivalence: Number(c.Equivalence), Floor: Number(c.Floor), History: c.History, Unprofiled: c.Unprofiled, P: Number(c.P), Detectable: Number(c.Detectable), Detectable80: Number(c.Detectable80),
			WithinLow: Number(c.WithinLo), WithinHigh: Number(c.WithinHi), Tipping: Number(c.Tipping), FirstStep: Number(c.FirstStep), LastStep: Number(c.LastStep),
		},
		Verdict: c.Verdict.String(), Reason: c.Reason, Why: words.Why(c), Gate: c.Gating,
		Runs: Both[int]{c.Runs[0], c.Runs[1]}, Ranks: Both[int]{c.Ranks[0], c.Ranks[1]},
		StepsUsed: c.StepsUsed, RunsNeeded: c.RunsNeeded, TestedTogether: c.TestedTogether, TestedCandidates: c.TestedCandidates, StepsNeeded: c.StepsNeeded, Waived: waived(c), UpTo: Number(c.UpTo), Note: words.Note(c), Includes: c.Includes,
		NotRecorded: Both[string]{words.Need(c.NotRecorded[0]), words.Need(c.NotRecorded[1])},
		Notes:       neverNil(words.Notes(c)),
	}
}

// waived is why a regression is let through; "" it is not.
func waived(c *verdict.Comparison) string {
	if c.Waiver == nil {
		return ""
	}
	return words.Waiver(c.Waiver)
}

func pastDocument(r *verdict.PastRun) PastRun {
	return PastRun{Name: r.Name, Began: r.Began, Reason: string(r.Why.Kind), Why: words.WhyLeftOut(&r.Why), Level: r.OfLevel}
}

func kernelDocument(k *cause.Kernel) Kernel {
	return Kernel{
		Name: k.Name, Class: k.Class, Family: k.Family, Launch: Both[string]{k.BaseShape, k.CandShape}, Launched: k.LaunchChange, FLOPs: flopsDocument(k), Time: bothNumbers(k.BaseTime, k.CandTime), Calls: bothNumbers(k.BaseCalls, k.CandCalls),
		Delta: Number(k.Delta), ByCalls: Number(k.Calls), BySlower: Number(k.Slower), Change: Number(k.Change), Q: Number(k.Q), Beyond: k.BeyondNoise, Share: Number(k.Share), Others: k.Others,
	}
}

// flopsDocument is nil where nothing is known of either side.
func flopsDocument(k *cause.Kernel) *Both[Number] {
	if math.IsNaN(k.BaseFLOPs) && math.IsNaN(k.CandFLOPs) {
		return nil
	}
	both := bothNumbers(k.BaseFLOPs, k.CandFLOPs)
	return &both
}

func gapDocument(g *cause.GapBin) Gap {
	return Gap{From: Number(g.From), To: Number(g.To), Count: bothNumbers(g.Base, g.Cand)}
}

func rulesDocument(rules map[string]policy.Rule) map[string]Rule {
	out := make(map[string]Rule, len(rules))
	for metric, r := range rules {
		out[metric] = Rule{Number(r.Threshold), string(r.Level), r.Better}
	}
	return out
}

func differenceDocument(d *verdict.Difference) Difference {
	name, base, cand := words.Differs(d)
	return Difference{Name: cmp.Or(d.Name, name), Baseline: base, Candidate: cand, Class: d.Class, Why: words.Effect(d)}
}

func factDocument(f *trace.Fact) Fact { return Fact{Key: f.Key, Value: f.Value} }

func warningDocument(w *diff.Warning) Warning {
	return Warning{Side: w.Side, File: w.File, First: w.First, Text: words.Warning(w), Count: w.Count, Unrelated: w.Aside}
}

func metricDocument(m *run.Metric) Metric {
	return Metric{Name: m.Name, Unit: m.Unit, Better: betterWord(m.Better), Doc: m.Doc, Needs: m.Needs, Part: m.Part, Joint: m.Joint, Main: m.Main}
}
