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

// Options are what a report says about its making.
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

func judge(base, cand *run.Set, policy policy.Policy, opt Options) *verdict.Judged {
	return verdict.Of(sides.Of(base, cand, policy.Force), policy, opt.History, opt.Level, opt.Unprofiled, opt.beside)
}

// newReport is everything that is shown, once nothing is computed any more.
func newReport(p *cause.Causes, opt Options) *Report {
	r := &Report{
		SchemaVersion: SchemaVersion, Tool: opt.Tool, About: opt.About, Policy: p.Policy, SameFiles: p.Identical, SameRecording: p.Identical && p.SameRecording, Profilers: p.Profilers(),
		Verdict: p.Gate.Verdict, Reason: p.Gate.Reason, Judged: p.Decided(), Causes: p.BeyondNoise, History: p.History,
		Base: describe(p, p.Base, p.Cand), Cand: describe(p, p.Cand, p.Base),
		Findings: p.Findings, Suspects: p.Suspects, findingsLeftOut: p.FindingsLeftOut, Loads: p.LoadGroups(), Groups: p.Groups, Pairs: p.Pairs, Pipeline: p.Pipeline, Waterfall: p.Waterfall, Path: p.Path, Metrics: p.Metrics, Parts: p.Parts,
		Per: p.Per, Unpaired: !p.Plan.Paired, Capture: p.Capture, Calls: p.Calls, Kernels: p.Kernels, KernelShift: p.KernelShift, Launched: p.Launched, Summaries: p.Summaries(),
		Longest: p.Longest, RankWaits: p.RankWaits, HostWaits: p.HostWaits, Bounds: p.Bounds, NextBottleneck: cause.NextBottleneck(p.Bounds),
		Steps: stepPoints(p), Gaps: p.Gaps, Activity: courses(p),
		Reads: p.Reads, Requests: p.Requests(),
		Differences: p.Differences, Same: p.Same, Warnings: append(warnings(p, opt.far), opt.Warnings...),
		Candidates: candidates(p.Base.Set, p.Cand.Set, p.OtherUnit != nil || p.Plan.Steps == 0), Descriptions: described(p.Descriptions, p.Profilers()), Beside: len(opt.beside),
	}
	r.Unprofiled = p.Unprofiled
	if p.Level != nil {
		r.Alone = p.Level.Why
		if !r.Alone.Is() { // past runs stand beside what was given
			r.Base.Digest = ""
		}
	}
	r.Base.Stability, r.Cand.Stability = p.Stability[0], p.Stability[1]
	r.Base.Clocks, r.Cand.Clocks = p.Base.Clocks(), p.Cand.Clocks()
	r.Quantiles = cause.Quantiles(r.Steps)
	r.Ranks = rankRows(p, r.Waterfall.Parts, r.Metrics, r.Parts, p.Alone())
	r.Runs = runRows(p, r.Ranks, r.Waterfall.Parts, r.Metrics, r.Parts, p.Alone())
	addTimeline(p, r)
	r.Headline, r.Ground, r.Hints = newHeadline(p, r), newGround(p), hints(p, r)
	r.Forced, r.ForcedUnequal = p.Forced, p.ForcedUnequal
	if r.NoSignOfChange = quiet(p, r, &p.Gate); r.Judged {
		r.Leans = p.Gate.Leans()
	}
	lacks := findLacks(p, &p.Gate)
	r.tooLittle(lacks)
	r.Gate = r.gate(lacks)
	return r
}

// described are metrics with what they need in the words for all profilers, or for those in use
// where any of them is neither Nsight Systems nor PyTorch's.
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
