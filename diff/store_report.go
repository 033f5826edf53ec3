package diff

import (
	"cmp"
	"math"
	"slices"

	"perfdiff/analyze/run"
	"perfdiff/diff/policy"
	"perfdiff/diff/sides"
	"perfdiff/diff/stat"
	"perfdiff/diff/verdict"
)

// StoreFindings says what a candidate was compared with: the level of a store, and its anchor.
type StoreFindings struct {
	Runs    int               `report:"runs"`     // of the store that are like the candidate
	NoMatch []verdict.PastRun `report:"no_match"` // the runs with why none is; nil: some are
	Trend   *verdict.Trend    `report:"."`
	Anchor  *AnchorComparison `report:"anchor"` // nil: there is none
}

// AnchorComparison is the result of the second comparison, with the anchor.
type AnchorComparison struct {
	At       AnchorAt           `report:"at,said"`
	Side     Side               `report:"baseline"`
	Step     verdict.Comparison `report:"step"` // of the step time; of its zero value where there is none
	Headline Headline           `report:"headline,said"`
	Alpha    float64            `report:"alpha"` // that it had
	Gate     Gate               `report:"gate"`
}

// CompareStore compares a candidate with the level of a store and with its anchor, which share the policy's alpha. The
// report is about the level; the gate about both. The store must have a Base.
func CompareStore(cand *run.Set, store *Store, policy policy.Policy, opt Options) *Report {
	level := policy
	if store.Anchor != nil {
		level.Shared, level.Alpha = policy.Alpha, policy.Alpha*(1-anchorShare)
	}
	opt.History, opt.far = store.past(store.Base), store.far
	if len(cand.Runs) >= verdict.EnoughRuns {
		level.Escalate = false // main's runs are there: more of the candidate's is all that can be asked for
	}
	r := Compare(store.Base, cand, level, opt)
	if again := byOneRun(r, store.Base, cand, level, opt); again != nil {
		r = again
	}
	r.Policy.Escalate, r.Base.Digest = policy.Escalate, "" // it is many summaries, of which each has its own
	r.StoreFindings = &StoreFindings{Runs: len(store.Trend.Points), NoMatch: store.NoMatch, Trend: store.Trend}
	if store.Anchor != nil {
		r.hold(cand, store, policy, opt)
	}
	return r
}

// withoutSlowest returns a candidate without the run whose steps took longest, and that run's name; nil where that
// leaves fewer than two, or runs cannot be compared one by one.
func withoutSlowest(cand *run.Set, policy policy.Policy) (*run.Set, string) {
	var members []verdict.LevelRun
	for _, r := range sides.Of(cand, &run.Set{}, policy.Force).Base.Runs {
		members = append(members, verdict.LevelRun{Run: r})
	}
	if len(members) < verdict.EnoughRuns || len(members) != len(cand.Runs) || !verdict.Valued(members) {
		return nil, ""
	}
	slowest := slices.MaxFunc(members, func(a, b verdict.LevelRun) int { return cmp.Compare(a.Value, b.Value) })
	name := slowest.Source.Name
	out := *cand
	out.Runs = slices.DeleteFunc(slices.Clone(cand.Runs), func(r run.Run) bool { return r.Name == name })
	return &out, name
}

// byOneRun compares again without the slowest run if a step time regressed over several runs. If the others do not
// show it, that run alone makes it, as on a bad node: noise that is known from many past runs makes its mean
// significant all the same. It returns the report on the others, which says so; nil where they agree.
func byOneRun(r *Report, base, cand *run.Set, policy policy.Policy, opt Options) *Report {
	step := verdict.MetricOf(r.Metrics, sides.StepTime.Metric)
	if step == nil || step.Verdict != verdict.Regressed {
		return nil
	}
	others, name := withoutSlowest(cand, policy)
	if others == nil {
		return nil
	}
	opt.Warnings = append(slices.Clone(opt.Warnings), Warning{Kind: WarnOneRun, Side: "candidate", Runs: []string{name}})
	again := Compare(base, others, policy, opt)
	if s := verdict.MetricOf(again.Metrics, sides.StepTime.Metric); s != nil && s.Estimate < s.Threshold {
		return again
	}
	return nil
}

// leastCrept is how many times the threshold a change since the anchor must be: a merge is blamed for it that may have
// added nothing. Simulated: golden/rates.txt has the false alarms of the anchor, and what it finds of a creep.
const leastCrept = 1.5

// hold compares the step time with the anchor, and adds the result to the gate. The first comparison asks for more
// runs and warns about what is missing; this one only fails what regressed.
func (r *Report) hold(cand *run.Set, store *Store, policy policy.Policy, opt Options) {
	own := policy
	own.Shared, own.Alpha, own.Threshold = policy.Alpha, policy.Alpha*anchorShare, policy.Threshold*leastCrept
	own.Gating, own.Escalate = []string{sides.StepTime.Metric}, false
	own.FailOn = slices.DeleteFunc(slices.Clone(policy.FailOn), func(name string) bool { return name != "regressed" })
	opt.History, opt.Warnings, opt.far = store.past(store.Anchor), nil, nil
	a := Compare(store.Anchor, cand, own, opt)
	a.Base.Digest = ""
	held := &AnchorComparison{At: store.At, Side: a.Base, Headline: a.Headline, Alpha: own.Alpha, Gate: a.Gate}
	if step := verdict.MetricOf(a.Metrics, sides.StepTime.Metric); step != nil {
		held.Step = *step
	}
	if policy.Escalate && len(a.Cand.Runs) < verdict.EnoughRuns && a.Gate.State == GateFailed {
		held.Gate.State = GateMoreRuns
	}
	r.StoreFindings.Anchor = held
	r.Gate = r.gateWith(held)
}

// severity is the order in which states of a gate prevail.
var severity = []GateState{GatePassed, GateWarned, GateMoreRuns, GateNotJudged, GateFailed}

// gateWith returns the gate of both comparisons: the worse state, and the causes of what did not pass.
func (r *Report) gateWith(a *AnchorComparison) Gate {
	out := Gate{r.Gate.State, slices.Clone(r.Gate.Causes)}
	if a.Gate.State == GatePassed {
		return out
	}
	if slices.Index(severity, a.Gate.State) > slices.Index(severity, out.State) {
		out.State = a.Gate.State
	}
	for _, cause := range a.Gate.Causes {
		cause.Against = &a.At
		out.Causes = append(out.Causes, cause)
	}
	switch last := &out.Causes[len(out.Causes)-1]; {
	case a.Gate.State == GateMoreRuns:
		last.Next = NextRuns
	case r.Gate.State == GatePassed && a.Gate.State != GateNotJudged:
		last.Next, last.Step = wayOf(r.StoreFindings.Trend, a.Step.Estimate)
	}
	for i := range out.Causes {
		if c := &out.Causes[i]; c.Next == NextRuns && out.State != GateMoreRuns {
			c.Next = "" // no further run decides what failed
		}
	}
	return out
}

// mostOfCreep is the share of a change since the anchor that one change of level must make up to count as its source.
// Chosen, not measured: a creep that is cut into two levels has half of it between them.
const mostOfCreep = 0.75

// wayOf says how a store came to differ from its anchor by so much: by one change of level that makes up most of it,
// or in several steps or none. Nothing where levels are not known yet, or where the newest level is not what differs:
// one odd run is no step.
func wayOf(t *verdict.Trend, by float64) (GateNext, *StoreStep) {
	n := len(t.Levels)
	if n == 0 {
		return "", nil
	}
	last := &t.Levels[n-1]
	if n > 1 && last.Change.By*by > 0 && math.Abs(last.Change.By) >= mostOfCreep*math.Abs(by) {
		return NextLevel, &StoreStep{t.Points[last.From].Name, t.Points[last.From].From, last.Change.By}
	}
	if some := len(t.Points) / 3; some > 0 && pace(t.Points[len(t.Points)-some:])/pace(t.Points[:some])-1 >= by/2 {
		return NextTrend, nil
	}
	return "", nil
}

// pace returns the median of runs of a trend.
func pace(points []verdict.TrendPoint) float64 {
	var values []float64
	for i := range points {
		values = append(values, points[i].Value)
	}
	return stat.Median(values)
}
