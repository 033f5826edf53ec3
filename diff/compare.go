package diff

import (
	"slices"

	"perfdiff/analyze/run"
	"perfdiff/analyze/trace"
	"perfdiff/diff/cause"
	"perfdiff/diff/policy"
	"perfdiff/diff/sides"
	"perfdiff/diff/verdict"
)

// Options holds what a report needs besides the sets.
type Options struct {
	Tool  string // name and version: "perfdiff 1.2.3"
	About About
	// History are past runs of the baseline's configuration, from which the
	// noise between runs is learned. Those that are not like it are left out and
	// named.
	History []*run.Set
	// Level says which runs of the baseline are those of the history; nil: none are.
	Level *verdict.CurrentLevel
	// Unprofiled are runs of both sides without a profiler, of which logs say the step times.
	Unprofiled verdict.Logs
	// Warnings are about what was read beside the two sides.
	Warnings []Warning

	store  *StoreFindings         // what the baseline was taken from; nil: it was given
	far    []verdict.LevelWarning // of the runs that the baseline was joined from, in a store
	beside []verdict.Family       // what gates of the other candidates, see CompareSeveral
}

// Compare compares two measured run sets. It never fails: what cannot be
// compared is said in the report. The policy must pass Check. Neither set is
// changed, and neither the order of runs, ranks and files nor anything outside
// the arguments has an influence on the report.
func Compare(base, cand *run.Set, policy policy.Policy, opt Options) *Report {
	return newReport(cause.Of(judge(base, cand, policy, opt)), opt)
}

// Beside adds the past runs of the baseline's level to the baseline, and returns it with the options that say so: what
// Compare takes where there is a history. Without a history it returns both as they were given.
func Beside(base, cand *run.Set, policy policy.Policy, opt Options) (*run.Set, Options) {
	if len(opt.History) == 0 || cand.OfResults() { // numbers have levels of their own
		return base, opt
	}
	opt.Level = verdict.FindCurrentLevel(base, cand, opt.History, policy)
	return opt.Level.Base, opt
}

func judge(base, cand *run.Set, policy policy.Policy, opt Options) *verdict.Judged {
	lined := sides.Of(base, cand, policy.Force)
	if policy.PerWork {
		lined.CompareWork()
	}
	return verdict.Of(lined, policy, opt.History, opt.Level, opt.Unprofiled, opt.beside)
}

// newReport returns everything that is shown; after it nothing is computed any more.
func newReport(p *cause.Causes, opt Options) *Report {
	base, cand := describe(p, 0), describe(p, 1)
	steps, ranks := stepPoints(p), rankRows(p, p.Waterfall.Parts, p.Metrics, p.Parts, p.Alone())
	lacks := findLacks(p, &p.Gate)
	says, shown := tellOf(conclude(p, lacks), opt.store, p.Decided()), timelineOf(p, ranks, steps)
	var window *cause.Window
	if p.Gate.Reason == verdict.ReasonNoSteps {
		window = p.Window()
	}
	return withGate(Report{
		SchemaVersion: SchemaVersion, Tool: opt.Tool, About: opt.About, Policy: p.Policy, Profilers: p.Profilers(), Beside: len(opt.beside),
		SameFiles: p.Identical, SameRecording: p.Identical && p.SameRecording, Unpaired: !p.Plan.Paired, Per: p.Per, OfResults: p.Base.Set.OfResults() && p.Cand.Set.OfResults(),

		Verdict: says.verdict, Reason: says.reason, Headline: says.headline, Leans: says.leans,
		Judged: p.Decided(), NoSignOfChange: quiet(p, &says.headline), Causes: p.BeyondNoise,
		Ground: newGround(p), Hints: hints(p, &base, &cand), Forced: p.Forced, ForcedUnequal: p.ForcedUnequal,

		Base: base, Cand: cand, StoreFindings: opt.store, History: p.History, Alone: alone(p), Unprofiled: p.Unprofiled,
		Differences: p.Differences, Same: p.Same, Warnings: append(warnings(p, opt.far), opt.Warnings...),
		Candidates: candidates(p.Base.Set, p.Cand.Set, p.OtherUnit != nil || p.Plan.Steps == 0),

		Findings: p.Findings, findingsLeftOut: p.FindingsLeftOut, Suspects: p.Suspects, Work: p.Lined.Work, Window: window,
		Metrics: p.Metrics, Parts: p.Parts, Capture: p.Capture, Descriptions: described(p.Descriptions, p.Profilers()),
		Sum: says.headline.Sum, Waterfall: p.Waterfall, Path: p.Path, Bounds: p.Bounds, NextBottleneck: cause.NextBottleneck(p.Bounds),
		Kernels: p.Kernels, KernelShift: p.KernelShift, Launched: p.Launched, Calls: p.Calls, Summaries: p.Summaries(),
		Groups: p.Groups, Pairs: p.Pairs, Pipeline: p.Pipeline, Loads: p.LoadGroups(), RankWaits: p.RankWaits, HostWaits: p.HostWaits,
		Gaps: p.Gaps, Longest: p.Longest, Reads: p.Reads, Requests: p.Requests(),

		Steps: steps, Quantiles: cause.Quantiles(steps), Ranks: ranks, Runs: runRows(p, ranks, p.Waterfall.Parts, p.Metrics, p.Parts, p.Alone()),
		Activity: courses(p), Timeline: shown.steps, Views: shown.views, SpikesLeftOut: shown.spikesLeftOut,
	}, lacks)
}

// withGate adds to a report what it says to a build, which follows from all the rest.
func withGate(r Report, lacks []Lack) *Report {
	r.Gate = r.gate(lacks)
	return &r
}

// conclusion is the result of a comparison as a whole.
type conclusion struct {
	verdict  verdict.Verdict
	reason   string
	headline Headline
	leans    verdict.Leaning
}

// conclude gives the verdict on what gates, or says that too little is left of the sides to judge by.
func conclude(p *cause.Causes, lacks []Lack) conclusion {
	lost := lostParts(p, lacks)
	out := conclusion{verdict: p.Gate.Verdict, reason: p.Gate.Reason, headline: newHeadline(p, lost)}
	if len(lost) > 0 {
		out.verdict, out.reason = verdict.Inconclusive, verdict.ReasonTooLittle
	} else if h := &out.headline; h.goesOn() && out.verdict == verdict.Unchanged || h.Open != "" {
		if out.verdict != verdict.Inconclusive {
			out.reason = verdict.ReasonWithin
		}
		out.verdict = verdict.Inconclusive
	}
	if p.Decided() && !out.headline.goesOn() {
		out.leans = p.Gate.Leans()
	}
	return out
}

// tellOf puts what main itself is told in the place of what one of its runs shows: the gate goes by that.
func tellOf(out conclusion, store *StoreFindings, decided bool) conclusion {
	switch {
	case store == nil || store.Main == nil:
	case len(store.Main.Changes) > 0:
		out.verdict, out.reason, out.headline.Main, out.leans = verdict.Regressed, verdict.ReasonMainTold, store.Main, verdict.LeansNowhere
	case decided:
		if out.headline.Main = store.Main; store.Main.Accepted != nil {
			out.verdict, out.reason, out.leans = verdict.Regressed, verdict.ReasonMainTold, verdict.LeansNowhere
		}
	}
	return out
}

// alone returns why the baseline was not extended by past runs; none if it was, or if none were given.
func alone(p *cause.Causes) verdict.LeftOut {
	if p.Level == nil {
		return verdict.LeftOut{}
	}
	return p.Level.Why
}

// described returns metrics that say what they need: in the words for all profilers, or for those in use if one of
// these is neither Nsight Systems nor PyTorch's.
func described(metrics []run.Metric, in sides.Profilers) []run.Metric {
	if !slices.Contains(in, trace.Rocprof) && !slices.Contains(in, trace.XLAProfiler) {
		in = nil
	}
	out := slices.Clone(metrics)
	for i := range out {
		out[i].Needs = out[i].NeedsOf(in)
	}
	return out
}
