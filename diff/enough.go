package diff

import (
	"cmp"
	"slices"

	"perfdiff/analyze/run"
	"perfdiff/diff/cause"
	"perfdiff/diff/policy"
	"perfdiff/diff/sides"
	"perfdiff/diff/verdict"
)

// mostLost is the share of a side's ranks, or files, that may be lost while the rest still represents it. Chosen, not
// measured: golden/gate.txt lists what passes and what does not.
const mostLost = 0.25

// Lack is one reason why too little was measured: too few steps, or none in common, which the headline says, or a lost
// part of a side.
type Lack struct {
	Allow string `report:"allow"` // what a policy names to allow it, of policy.Allowable
	Side  string `report:"side"`  // that lost a part, "baseline" or "candidate"; "" both have too few steps
	Lost  int    `report:"lost"`  // ranks or files of the side that are lost, and how many there should be
	Of    int    `report:"of"`
	// OfSteps: Lost and Of count ranks times steps. Metrics gate, and the candidate alone does not hold
	// them, which sentences call Subjects; nil of all other reasons.
	OfSteps  bool     `report:"of_steps,omitempty"`
	Metrics  []string `report:"metrics,omitempty"`
	Subjects []string
	// Kind is what fails by the policy and cannot be found, since the side does not hold Metric;
	// "" of ranks, files and steps.
	Kind   policy.Kind `report:"kind,omitempty"`
	Metric string      `report:"metric,omitempty"`
}

// findLacks returns the reasons that hold and that the policy does not allow.
func findLacks(p *cause.Causes, gate *verdict.Comparison) []Lack {
	var all []Lack
	for _, s := range []*sides.Side{p.Base, p.Cand} {
		if bad, of := files(s); float64(bad) > mostLost*float64(of) {
			all = append(all, Lack{Allow: policy.AllowFiles, Side: s.Name, Lost: bad, Of: of})
		}
	}
	for _, s := range []*sides.Side{p.Base, p.Cand} {
		if lost, of := lostRanks(p, s); float64(lost) > mostLost*float64(of) {
			all = append(all, Lack{Allow: policy.AllowRanks, Side: s.Name, Lost: lost, Of: of})
		} else if lost, of = lostSteps(p, s, lost, of); float64(lost) > mostLost*float64(of) {
			all = append(all, Lack{Allow: policy.AllowRanks, Side: s.Name, Lost: lost, Of: of, OfSteps: true})
		}
	}
	for _, l := range p.Lost {
		if l.Recorded == [2]bool{true, false} && !failsNothing(p, gate) {
			all = append(all, Lack{Allow: policy.AllowMetric, Side: p.Cand.Name, Metrics: l.Names, Subjects: subjectsOf(p, l.Names)})
		}
	}
	switch {
	case gate.Verdict != verdict.Inconclusive:
	case gate.Reason == verdict.ReasonTooFewSteps:
		all = append(all, Lack{Allow: policy.AllowSteps})
	case p.Moving && (gate.Reason == verdict.ReasonNoCommonSteps || !p.Plan.Paired && p.Plan.Disjoint):
		all = append(all, Lack{Allow: policy.AllowCommon})
	}
	all = append(all, unknownKinds(p)...)
	return slices.DeleteFunc(all, func(l Lack) bool { return slices.Contains(p.Policy.Allow, l.Allow) })
}

// subjectsOf returns what sentences call main metrics.
func subjectsOf(p *cause.Causes, names []string) (out []string) {
	for _, name := range names {
		out = append(out, cmp.Or(verdict.MetricOf(p.Metrics, name).Metric.Subject, name))
	}
	return out
}

// failsNothing reports whether the step became faster, so that other metrics fail nothing unless the policy names
// them.
func failsNothing(p *cause.Causes, gate *verdict.Comparison) bool {
	byDefault := slices.Equal(p.Policy.Gating, policy.DefaultGating())
	return gate.Verdict == verdict.Improved && gate.Key == sides.StepTime && byDefault
}

// unknownKinds returns the kinds of findings that would fail by the policy but that a side cannot have, since it lacks
// the data for them. A job on one device lacks nothing that needs several.
func unknownKinds(p *cause.Causes) (out []Lack) {
	for _, name := range p.Policy.FailOn {
		kind := policy.Kind(name)
		for _, s := range []*sides.Side{p.Base, p.Cand} {
			if needs := kind.Needs(); len(needs) > 0 && !holdsAny(s, needs) {
				out = append(out, Lack{Allow: policy.AllowMetric, Side: s.Name, Kind: kind, Metric: needs[0]})
			}
		}
	}
	return out
}

func holdsAny(s *sides.Side, metrics []string) bool {
	alone := func(m run.Metric) bool {
		return s.WorldSize() == 1 && m.AcrossDevices && slices.Contains(metrics, m.Name)
	}
	return slices.ContainsFunc(metrics, s.Holds) || slices.ContainsFunc(s.Set.Metrics, alone)
}

// files returns how many profiles of a side could not be read, and how many there are: files of a known format, and
// empty ones, which were meant to be profiles. A settings file in JSON next to them does not count.
func files(s *sides.Side) (bad, of int) {
	for _, f := range s.Set.Files {
		switch {
		case f.Err != "" && (f.Format != "" || f.Bytes == 0):
			bad++
			of++
		case len(f.Ranks) > 0:
			of++
		}
	}
	return bad, of
}

// lostRanks returns how many of the ranks that either side captured a side lacks, or has without a compared step, over
// all its runs. Sides that share no rank number are compared whole, as are jobs of different size by force: then only
// the side with fewer ranks can lack some.
func lostRanks(p *cause.Causes, s *sides.Side) (lost, of int) {
	other := p.Base
	if s == p.Base {
		other = p.Cand
	}
	asked := func(n int) bool { return !slices.Contains(s.Set.NotAsked, n) }
	mine, all := s.Numbers(), slices.Concat(s.Numbers(), other.Numbers())
	slices.Sort(all)
	all = slices.DeleteFunc(slices.Compact(all), func(n int) bool { return !asked(n) })
	switch {
	case p.OtherSize || len(mine) == 0 || slices.Contains(all, -1):
		return 0, 0
	case len(all) == len(mine)+len(other.Numbers()): // not one is common
		return max(0, other.MostRanks()-s.MostRanks()), max(other.MostRanks(), s.MostRanks())
	}
	_, lost = withoutSteps(s, other)
	for _, r := range s.Runs {
		lost += len(all) - len(r.Ranks)
	}
	return max(0, lost), len(all) * len(s.Runs)
}

// lostSteps returns how many ranks times steps a side lacks, and how many there are: all steps of the ranks that it
// lost, and some steps of ranks that hold only a part.
func lostSteps(p *cause.Causes, s *sides.Side, ranks, of int) (lost, all int) {
	other := p.Base
	if s == p.Base {
		other = p.Cand
	}
	_, lost = partOfSteps(s, other)
	if steps := s.UsedSteps(); of > 0 {
		return lost + ranks*steps, of * steps
	}
	return lost, s.Held().Of
}

// lostParts returns the lacks that leave too little of the sides to judge by, if nothing regressed in what is left;
// nil: there are none.
func lostParts(p *cause.Causes, lacks []Lack) (lost []Lack) {
	if p.Gate.Verdict == verdict.Regressed || !p.Decided() {
		return nil
	}
	for _, l := range lacks {
		if l.Side != "" {
			lost = append(lost, l)
		}
	}
	return lost
}

// lacking returns the causes of a gate that too little was measured: the headline, or what is lost if the headline
// says something else, and what to do.
func (r *Report) lacking(lacks []Lack) []GateCause {
	first := GateCause{Kind: CauseHeadline, Headline: &r.Headline}
	if r.Verdict == verdict.Regressed {
		first = GateCause{Kind: CauseTooLittle, Lacks: lacks}
	}
	return []GateCause{first, {Kind: CauseNotMeasured, Lacks: lacks}}
}

// WithoutMetric reports whether nothing is judged because the captures, or the history,
// do not hold what the gating metrics are measured from.
func (r *Report) WithoutMetric() bool { return withoutMetric(r.Reason) }

func withoutMetric(reason string) bool {
	return slices.Contains([]string{verdict.ReasonNotRecorded, verdict.ReasonNotJudged, verdict.ReasonNeedsHistory, verdict.ReasonKinds}, reason)
}
