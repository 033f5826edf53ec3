package diff

import (
	"math"
	"regexp"
	"slices"

	"perfdiff/analyze/run"
	"perfdiff/diff/stat"
)

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
	p := newPair(base, cand, policy)
	r := &Report{SchemaVersion: SchemaVersion, Tool: opt.Tool, Policy: policy, SameFiles: p.same, Profilers: p.profilers()}
	r.Base, r.Cand = p.describe(p.base, p.cand), p.describe(p.cand, p.base)
	p.level = opt.Level
	p.past, p.history = p.newPast(opt.History)
	p.elsewhere = p.otherPlace()
	if r.History = p.history; p.level != nil {
		r.Alone = p.level.Why
	}
	gate := p.judge(r)
	p.lost = p.lostGates(r.Metrics)
	if r.Per = PerStep; p.stepless() {
		r.Per = PerSecond
		p.compareWhole(r)
	}
	r.Unpaired = !p.plan.paired
	r.Waterfall = p.waterfall(r)
	r.Base.Conduct, r.Cand.Conduct = p.conducts(p.base), p.conducts(p.cand)
	r.Base.Clocks, r.Cand.Clocks = p.base.clocks(), p.cand.clocks()
	if p.plan.steps > 0 {
		r.Longest, r.Blames, r.Bounds = [2][]GapStory{p.base.longest(), p.cand.longest()}, [2][]Blame{p.base.blames(), p.cand.blames()}, p.bounds()
		r.HostBlames = [2][]Blame{hostBlames(r.Blames[0]), hostBlames(r.Blames[1])}
	}
	r.Loads = p.loadGroups()
	r.Summaries = p.summaries()
	r.Timeline = [2][]Excerpt{p.base.excerpts(), p.cand.excerpts()}
	r.Steps = p.stepPoints()
	r.Quantiles, r.Next = Quantiles(r.Steps), nextBound(r.Bounds)
	r.Ranks = p.rankRows(r.Waterfall.Parts, r.Metrics, r.Parts, p.alone())
	r.Courses = p.courses()
	r.Candidates = candidates(p.base.set, p.cand.set, p.unit != "" || p.plan.steps == 0)
	r.Differences, r.Same = p.facts(r)
	p.requireEqual(r, &gate)
	r.Warnings = append(p.warnings(), opt.Warnings...)
	r.Verdict, r.Reason = gate.Verdict, gate.Reason
	r.Judged = judged(&gate)
	r.Findings = p.findings(r)
	r.Headline, r.Basis = p.headline(r, &gate), p.basis(r, &gate)
	if r.Quiet = p.quiet(r, &gate); r.Judged {
		r.Leans = gate.Leans()
	}
	r.Causes = p.causes(r)
	lacks := p.lacks(&gate)
	p.tooLittle(r, lacks)
	r.Gate = r.gate(lacks)
	return r
}

func newPair(base, cand *run.Set, policy Policy) *pair {
	base, again := once("baseline", base)
	cand, more := once("candidate", cand)
	both, isShared := shared(base, cand)
	base, cand, like := likeWithLike(base, cand, policy.Force)
	p := &pair{policy: policy, tested: map[run.Key]tested{}, between: map[run.Key]func(float64) stat.Effect{}, base: newSide("baseline", base), cand: newSide("candidate", cand), step: math.NaN(),
		copies: append(again, more...)}
	p.copies = append(p.copies, append(p.base.onceRecorded(), p.cand.onceRecorded()...)...)
	for _, expr := range policy.IgnoreKernels {
		p.ignored = append(p.ignored, regexp.MustCompile(expr)) // the policy was checked
	}
	p.ranks = matchRanks(p.base, p.cand)
	matchLosses(p.base, p.cand)
	p.setLoads(like)
	p.plan = newPlan(p.base, p.cand)
	p.again = !sameFiles(base, cand) && measuredTwice(p.base, p.cand)
	p.same = (sameFiles(base, cand) || p.again) && p.base.markers() == p.cand.markers() && p.base.found() == p.cand.found()
	if why, differ := sizesDiffer(p.base, p.cand); differ {
		p.otherSize = true
		if p.sizes = why; policy.Force {
			p.sizes, p.forced = "", append(p.forced, why)
		}
	}
	if why := p.otherUnit(); why != "" && policy.Force {
		p.forced = append(p.forced, why)
	} else if why != "" {
		p.unit, p.plan.steps = why, 0
	}
	p.doubted()
	if d, again := recordedOnBoth(p.base, p.cand); again && !isShared {
		both, isShared = d, true
	}
	if isShared && !p.same {
		p.doubts = append(p.doubts, doubt{"", both})
	}
	return p
}

// judge fills in everything that compares values, and returns the gate.
func (p *pair) judge(r *Report) Comparison {
	metrics := mergedMetrics(p.base.set.Metrics, p.cand.set.Metrics)
	if !p.stepless() {
		p.step, p.otherStep = p.typical(p.base.measure(stepTime)), p.typical(p.cand.measure(stepTime))
	}
	p.untold = p.kinds()
	if p.stepless() {
		r.Descriptions, r.KernelShift = metrics, math.NaN()
		return p.noSteps()
	}
	if !slices.ContainsFunc(metrics, func(m run.Metric) bool { return m.Name == stepTime.Metric }) {
		metrics = slices.Insert(metrics, 0, stepMetric)
	}
	for _, m := range metrics {
		for _, key := range p.keys(m) {
			c := p.compare(key, m)
			if m.Main && key.Part == "" {
				r.Metrics = append(r.Metrics, c)
			} else if c.Runs != [2]int{} {
				r.Parts = append(r.Parts, c)
			}
		}
	}
	main, detail := p.shape()
	r.Metrics, r.Parts = append(r.Metrics, main...), append(r.Parts, detail...)
	for _, c := range slices.Concat(main, detail) {
		metrics = append(metrics, c.Metric)
	}
	r.Kernels, r.KernelShift = p.kernels()
	r.Gaps = p.gaps()
	r.Descriptions = metrics
	p.setEffectTrend(r.Metrics)
	gate := p.gate(r.Metrics)
	p.markSlight(r.Metrics, r.Parts)
	return gate
}

// noSteps is the gate where a side has no step to compare, or none of the same unit.
func (p *pair) noSteps() Comparison {
	nan, reason := math.NaN(), ReasonNoSteps
	if p.unit != "" {
		reason = ReasonOtherSteps
	} else if p.loadsDiffer() {
		reason = ReasonLoad
	}
	return Comparison{
		Key: stepTime, Metric: run.Metric{Traits: stepMetric.Traits}, Gate: true, Reason: reason, Relative: true,
		Base: nan, Cand: nan, BaseMean: nan, CandMean: nan, Delta: nan,
		Estimate: nan, Lo: nan, Hi: nan, Detectable: nan, Shown: nan, WithinLo: nan, WithinHi: nan, Tipping: nan, FirstStep: nan, LastStep: nan, P: nan,
	}
}

// mergedMetrics are the metrics of both sides in the order of the baseline's
// list, then those that only the candidate has.
func mergedMetrics(base, cand []run.Metric) []run.Metric {
	out := slices.Clone(base)
	for _, m := range cand {
		if !slices.ContainsFunc(out, func(have run.Metric) bool { return have.Name == m.Name }) {
			out = append(out, m)
		}
	}
	return out
}

// stepMetric is the step time of sides whose summaries do not describe it.
var stepMetric = run.Metric{Name: stepTime.Metric, Unit: "s", Better: run.Lower, Main: true,
	Traits: run.Traits{Subject: "Step time", Section: run.SectionSteps, Depth: run.DepthStep}}

// Kernels have a table of their own.
const (
	kernelTime     = run.KernelTime
	kernelLaunches = run.KernelLaunches
)

// keys are the series of a metric on either side: itself, then its parts in
// order of name. A main metric is there even if no side recorded it.
func (p *pair) keys(m run.Metric) []run.Key {
	if m.Name == kernelTime || m.Name == kernelLaunches {
		return nil
	}
	found := map[string]bool{}
	if m.Main {
		found[""] = true
	}
	for _, s := range []*side{p.base, p.cand} {
		var last *seriesIndex
		s.each(func(k *oneRank) {
			if k.series == last {
				return
			}
			last = k.series
			for i := range k.Series { // those that were forgotten too
				if k.Series[i].Metric == m.Name {
					found[k.Series[i].Part] = true
				}
			}
		})
	}
	var keys []run.Key
	for _, part := range sortedKeys(found) {
		keys = append(keys, run.Key{Metric: m.Name, Part: part})
	}
	return keys
}

// sameFiles reports whether both sides were read from the same content.
func sameFiles(base, cand *run.Set) bool {
	if base.Digest != "" && base.Digest == cand.Digest {
		return true
	}
	b, c := digests(base), digests(cand)
	return len(b) > 0 && slices.Equal(b, c)
}

// digests are the digests of the files that were read, in order.
func digests(s *run.Set) []string {
	var out []string
	for _, f := range s.Files {
		if f.Digest != "" && f.Err == "" {
			out = append(out, f.Digest)
		}
	}
	slices.Sort(out)
	return slices.Compact(out)
}
