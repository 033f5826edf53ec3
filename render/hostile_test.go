package render

import (
	"strings"

	"perfdiff/analyze/run"
	"perfdiff/analyze/trace"
	"perfdiff/diff"
	"perfdiff/diff/cause"
	"perfdiff/diff/policy"
	"perfdiff/diff/sides"
	"perfdiff/diff/verdict"
)

// evil is what a name in a profile may be: markup, links, control sequences
// and what turns the direction of text.
const evil = "a|b`c``d</details><script>alert(1)</script> @everyone #123 GH-7 ![x](http://e.example/y) www.e.example \\| *b* _c_ $x$\x1b[31m\u202e\n\n# head\r\x00\xff"

// hostile is a report in which everything that comes from a file is evil.
func hostile() *diff.Report {
	r := improved()
	r.Tool, r.Headline.Of.Metric.Subject = evil, "Step"+evil
	for _, s := range []*diff.Side{&r.Base, &r.Cand} {
		s.Label, s.Runs, s.Hosts, s.GPUs, s.RanksFrom = evil, []string{evil, evil}, []string{evil}, []string{evil}, []string{evil}
		s.Files = []run.File{{Name: evil, Err: evil}}
		s.Steps.Marker, s.Steps.Second, s.Steps.Hint = evil, evil, evil
		s.Steps.Dropped = []run.Drop{{Reason: evil}}
	}
	for i := range r.Metrics {
		r.Metrics[i].Part, r.Metrics[i].NotRecorded[0], r.Metrics[i].Reason = evil, verdict.Need{Kind: verdict.NeedRecord, What: evil}, verdict.ReasonNotRecorded
	}
	for i := range r.Findings {
		r.Findings[i] = cause.Finding{Kind: policy.KindNotComparable, Metric: evil, Part: evil, Unit: evil, Section: evil,
			Fact: &verdict.Difference{Name: evil, Base: evil, Cand: evil}}
	}
	r.Findings[0].Advice = cause.Advice{Kind: cause.AdviceSpikeRange, Name: evil}
	r.Differences = []verdict.Difference{{Name: evil, Base: evil, Cand: evil, Class: evil, Why: policy.OtherMachine}}
	doubt := &sides.Doubt{Side: evil, Read: run.Doubt{Text: evil, Hint: evil}}
	unit := &sides.OtherUnit{Kind: sides.UnitMarkers, Markers: [2][]string{{evil}, {evil}}}
	r.Ground.Copies = []sides.Copies{{Side: "baseline", Of: evil, Runs: []string{evil, evil}}}
	r.Forced = []sides.Forced{{Doubt: doubt}, {Unit: unit}}
	r.ForcedUnequal = []verdict.Unequal{{Difference: verdict.Difference{Name: evil, Base: evil, Cand: evil}}}
	r.Warnings = []diff.Warning{{Side: "baseline", Warning: trace.Warning{File: evil, Text: evil}},
		{Kind: diff.WarnDoubt, Doubt: doubt}, {Kind: diff.WarnCopies, Copies: &r.Ground.Copies[0]}, {Kind: diff.WarnForced, Forced: &r.Forced[1]}}
	return r
}

// long is a report of very long names and lists.
func long() *diff.Report {
	r := hostile()
	huge := strings.Repeat("namespace::kernel<float, 4>|", 5000)
	for i := range 300 {
		r.Metrics = append(r.Metrics, unrecorded(seconds, huge, nan, nan, huge, huge))
		r.Warnings = append(r.Warnings, diff.Warning{Warning: trace.Warning{File: huge, Text: huge[i:]}})
		r.Differences = append(r.Differences, verdict.Difference{Name: huge, Base: huge, Cand: huge, Class: huge, Why: policy.OtherMachine})
	}
	for i := range int64(100000) {
		r.Base.Steps.Dropped[0].Steps = append(r.Base.Steps.Dropped[0].Steps, 2*i)
		r.Base.Missing = append(r.Base.Missing, int(3*i))
	}
	r.Base.Runs = strings.Split(huge, "|")
	return r
}
