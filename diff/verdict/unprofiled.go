package verdict

import (
	"math"
	"slices"

	"perfdiff/analyze/run"
	"perfdiff/analyze/trace"
	"perfdiff/diff/policy"
	"perfdiff/diff/sides"
	"perfdiff/diff/stat"
)

// Unprofiled is what runs without a profiler say about the step time. There are often many of them and few profiles,
// and they do not include the cost of profiling.
type Unprofiled struct {
	Step  Comparison        `report:"step"`  // of these runs alone; its Estimate is NaN where one side has none, or nothing could be compared
	Sides [2]UnprofiledSide `report:"sides"` // baseline, candidate
	// OtherSteps: they hold too few of the steps that were profiled, so that all of theirs are compared.
	OtherSteps bool `report:"other_steps"`
	Differs    bool `report:"differs"` // no change lies in both intervals, theirs and that of the profiles
	Against    bool `report:"against"` // the verdict on the profiles cannot stand beside that on them
	Decides    bool `report:"decides"` // the profiles alone decide nothing and say nothing else: the verdict on them is that on the profiles
}

// UnprofiledSide holds the runs without a profiler of one side.
type UnprofiledSide struct {
	Runs     int     `report:"runs"`       // without a profiler; 0: none were given
	Profiled float64 `report:"profiled"`   // s: median step under the profiler
	Alone    float64 `report:"unprofiled"` // s: median step without; NaN without runs, and where their logs do not say how long a step is
}

// Overhead returns by how much the profiler makes a step longer, a fraction; NaN where that is not known.
func (s *UnprofiledSide) Overhead() float64 { return s.Profiled/s.Alone - 1 }

// Enough reports whether these runs have the same verdict and are as many as it takes to decide.
func (u *Unprofiled) Enough() bool {
	return u != nil && u.Step.Reason == ReasonDecided && !u.Against && !u.OtherSteps && min(u.Sides[0].Runs, u.Sides[1].Runs) >= EnoughRuns
}

// Costly is from which overhead on the cost of a profiler is said, a fraction. Chosen, not measured: of less the
// threshold of a change is hardly touched.
const Costly = 0.10

// Logs are sets of runs without a profiler, of the baseline and the candidate; nil where none were given.
type Logs [2]*run.Set

// unprofiled are the runs without a profiler, lined up.
type unprofiled struct {
	*Judged
	otherSteps bool
}

// outsideProfile is why a step of a log does not enter.
const outsideProfile = "not profiled"

// alone lines up the runs without a profiler. nil: there are none.
func alone(p *sides.Lined, logs Logs, rules policy.Policy) *unprofiled {
	if logs == (Logs{}) || Stepless(p) {
		return nil
	}
	rules.Gating = []string{run.StepTime}
	lo, hi := usedSteps(p)
	narrow, enough := Logs{}, true
	for i := range logs {
		if logs[i] == nil {
			logs[i] = &run.Set{}
		}
		var ok bool
		narrow[i], ok = within(logs[i], lo, hi)
		enough = enough && ok
	}
	if enough {
		logs = narrow
	}
	return &unprofiled{Of(sides.Of(logs[0], logs[1], rules.Force), rules, nil, nil, Logs{}, nil), !enough}
}

// usedSteps returns the numbers of the first and the last step that is compared.
func usedSteps(p *sides.Lined) (lo, hi int64) {
	lo, hi = math.MaxInt64, math.MinInt64
	for _, r := range slices.Concat(p.Base.Runs, p.Cand.Runs) {
		if n := len(r.Used); n > 0 {
			lo, hi = min(lo, r.Used[0]), max(hi, r.Used[n-1])
		}
	}
	return lo, hi
}

// within returns a set with only the steps from lo to hi; ok reports whether every run has enough of them.
func within(set *run.Set, lo, hi int64) (out *run.Set, ok bool) {
	copied := *set
	copied.Runs, ok = slices.Clone(set.Runs), true
	for i := range copied.Runs {
		r := &copied.Runs[i]
		r.Ranks = slices.Clone(r.Ranks)
		for j := range r.Ranks {
			k, kept := &r.Ranks[j], 0
			k.Steps = slices.Clone(k.Steps)
			for s := range k.Steps {
				step := &k.Steps[s]
				if step.Number < lo || step.Number > hi {
					step.Dropped = outsideProfile
				}
				if step.Dropped == "" {
					kept++
				}
			}
			ok = ok && kept >= sides.EnoughSteps
		}
	}
	return &copied, ok
}

// scalars returns the step times of all its runs, each less the mean of its side, which leaves what runs of one code
// differ by. nil: too few to learn noise from. means is the number of sides they come from.
func (u *unprofiled) scalars(sc Scale) (out []float64, means int) {
	if u == nil || !sc.LogScale {
		return nil, 0
	}
	of := []*sides.Side{u.Base, u.Cand}
	if u.Identical || len(u.Doubts) > 0 { // what counts twice says nothing of how runs differ
		of = of[:1]
	}
	for _, s := range of {
		h := &Past{Side: s, plan: u.Plan}
		own := h.scalars(sides.StepTime, sc)
		if len(own) < 2 {
			continue
		}
		middle := stat.Mean(own)
		for _, v := range own {
			out = append(out, v-middle)
		}
		means++
	}
	if len(out)-means < stat.MinHistory-1 {
		return nil, 0
	}
	return out, means
}

// unprofiledSay returns what runs without a profiler say about what the profiles say. nil: there are no such runs.
func unprofiledSay(p *Terms, metrics []Comparison) *Unprofiled {
	u := p.unprofiled
	if u == nil {
		return nil
	}
	out := &Unprofiled{Step: u.Gate, OtherSteps: u.otherSteps}
	if c := MetricOf(u.Metrics, run.StepTime); c != nil {
		out.Step = *c
	}
	for i, s := range []*sides.Side{u.Base, u.Cand} {
		out.Sides[i] = UnprofiledSide{len(s.Runs), [2]float64{p.Step, p.OtherStep}[i], s.Measure(sides.StepTime).Median()}
		s.EachRank(func(k *sides.Rank) {
			if slices.ContainsFunc(k.Receipts, func(r run.Receipt) bool { return r.By.Kind == run.MarkLogged && trace.IsPerItem(r.By.Name) }) {
				out.Sides[i].Alone = math.NaN()
			}
		})
	}
	own := MetricOf(metrics, run.StepTime)
	if own == nil || math.IsNaN(own.Lo) || math.IsNaN(out.Step.Lo) || !WasJudged(&out.Step) {
		return out
	}
	out.Differs = own.Hi < out.Step.Lo || out.Step.Hi < own.Lo
	decided := func(c *Comparison) bool { return c.Reason == ReasonDecided }
	open := []string{ReasonNeedsRuns, ReasonNoise, ReasonManyMetrics}
	switch {
	case !decided(&out.Step) || out.OtherSteps || own.Verdict == out.Step.Verdict:
	case !out.Differs && slices.Contains(open, own.Reason):
		out.Decides = true
	default:
		out.Against = decided(own) || out.Step.Verdict == Regressed
	}
	return out
}

// heedUnprofiled lets runs without a profiler decide what profiles leave open, and takes away the verdict on the step
// time if theirs is another one: one of the two is about the profiler.
func (p *Trial) heedUnprofiled(j *Judged) {
	j.Unprofiled = unprofiledSay(p.Terms, j.Metrics)
	u := j.Unprofiled
	if u == nil || !u.Decides && (!u.Against || p.Policy.Force) {
		return
	}
	own := MetricOf(j.Metrics, run.StepTime)
	x := p.proofs[own.Key]
	if x.against = !u.Decides; u.Decides {
		x.decidedBy = &u.Step
	}
	x.decide(own)
	mean := j.Gate.Key.Metric == run.StepTimeMean && j.Gate.Verdict != Regressed
	if (j.Gate.Key == sides.StepTime || mean) && WasJudged(&j.Gate) {
		j.Gate = *own
	}
}

// decideBy copies the change and its certainty from a comparison of other runs.
func (c *Comparison) decideBy(o *Comparison) {
	c.Estimate, c.Lo, c.Hi, c.P, c.Floor, c.History, c.Unprofiled = o.Estimate, o.Lo, o.Hi, o.P, o.Floor, o.History, false
	c.Verdict, c.Reason, c.RunsNeeded, c.Runs, c.Ranks, c.StepsUsed = o.Verdict, o.Reason, 0, o.Runs, o.Ranks, o.StepsUsed
	c.WithinLo, c.WithinHi, c.Tipping, c.Detectable, c.Detectable80 = o.WithinLo, o.WithinHi, o.Tipping, o.Detectable, o.Detectable80
	c.Spread, c.Hosts, c.Places, c.Wanders = o.Spread, o.Hosts, o.Places, o.Wanders
	c.FirstStep, c.LastStep, c.EstimateApart, c.TooSlight = math.NaN(), math.NaN(), false, false
}
