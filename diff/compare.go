package diff

import "perfdiff/analyze/run"

// Options are what a report says about its making.
type Options struct {
	Tool string // name and version: "perfdiff 1.2.3"
	// History are past runs of the baseline's configuration, from which the
	// noise between runs is learned. Those that are not like it are left out and
	// named.
	History []*run.Set
	// Level says which runs of the baseline are those of the history; nil: none are.
	Level *CurrentLevel
	// Warnings are about what was read beside the two sides.
	Warnings []Warning
}

// Compare compares two measured run sets. It never fails: what cannot be
// compared is said in the report. The policy must pass Check. Neither set is
// changed, and neither the order of runs, ranks and files nor anything outside
// the arguments has an influence on the report.
func Compare(base, cand *run.Set, policy Policy, opt Options) *Report {
	judged := judge(lineUp(base, cand, policy.Force), policy, opt.History, opt.Level)
	return newReport(findCauses(judged), opt)
}

// newReport is everything that is shown, once nothing is computed any more.
func newReport(p *Causes, opt Options) *Report {
	r := &Report{
		SchemaVersion: SchemaVersion, Tool: opt.Tool, Policy: p.policy, SameFiles: p.same, Profilers: p.profilers(),
		Verdict: p.Gate.Verdict, Reason: p.Gate.Reason, Judged: p.decided(), Causes: p.Beyond, History: p.history,
		Base: p.describe(p.base, p.cand), Cand: p.describe(p.cand, p.base),
		Findings: p.Findings, untoldFindings: p.untoldFindings, Loads: p.loadGroups(), Waterfall: p.Waterfall, Metrics: p.Metrics, Parts: p.Parts,
		Per: p.Per, Unpaired: !p.plan.paired, Capture: p.Capture, Calls: p.Calls, Kernels: p.Kernels, KernelShift: p.KernelShift, Summaries: p.summaries(),
		Longest: p.Longest, Blames: p.Blames, HostBlames: p.HostBlames, Bounds: p.Bounds, Next: nextBound(p.Bounds),
		Timeline: [2][]Excerpt{p.base.excerpts(), p.cand.excerpts()}, Steps: p.stepPoints(), Gaps: p.Gaps, Courses: p.courses(),
		Differences: p.Differences, Same: p.Same, Warnings: append(p.warnings(), opt.Warnings...),
		Candidates: candidates(p.base.set, p.cand.set, p.unit != "" || p.plan.steps == 0), Descriptions: p.Descriptions,
	}
	if p.level != nil {
		r.Alone = p.level.Why
	}
	r.Base.Conduct, r.Cand.Conduct = p.Conducts[0], p.Conducts[1]
	r.Base.Clocks, r.Cand.Clocks = p.base.clocks(), p.cand.clocks()
	r.Quantiles = Quantiles(r.Steps)
	r.Ranks = p.rankRows(r.Waterfall.Parts, r.Metrics, r.Parts, p.alone())
	r.Headline, r.Basis = p.headline(r, &p.Gate), p.basis(r, &p.Gate)
	if r.Quiet = p.quiet(r, &p.Gate); r.Judged {
		r.Leans = p.Gate.Leans()
	}
	lacks := p.lacks(&p.Gate)
	p.tooLittle(r, lacks)
	r.Gate = r.gate(lacks)
	return r
}
