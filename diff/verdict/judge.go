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

// Judged is what is said of two sides: every metric and part compared, and which of that
// is certain.
type Judged struct {
	*sides.Lined
	Policy        policy.Policy
	Past          *Past // nil: no history
	History       []PastRun
	Level         *CurrentLevel // what the baseline was joined from; nil: it is as it was given
	Elsewhere     Elsewhere     // how the pair's place is another one than the past runs', so that their noise says too little
	tested        map[run.Key]Tested
	between       map[run.Key]func(sd float64) stat.Effect // the effects if runs differed by sd
	Lost          []LostGate                               // gating metrics that are not judged since a side lacks them
	logs          Logs                                     // runs without a profiler, as they were given
	unprofiled    *unprofiled                              // the same, lined up; nil: there are none
	Unprofiled    *Unprofiled                              // what they say; nil likewise
	Unequal       []Unequal                                // what differs and must not
	ForcedUnequal []Unequal                                // the same, where it is compared all the same
	shared        *ReasonContext                           // what all reasons may name; nil: none is given yet
	Moving        bool                                     // the step time changes over runs whose steps are not paired
	Step          float64                                  // the baseline's median step time, s; NaN unknown
	OtherStep     float64                                  // the candidate's, likewise
	NotCompared   NotCompared                              // why kinds of work are not compared

	Metrics      []Comparison // main metrics, in the order of the metric list
	Parts        []Comparison // by collective, direction, … and metrics that are no main ones
	Descriptions []run.Metric // of every metric that occurs above
	Gate         Comparison   // the metric that speaks for the report
	Family       Family       // what gates, as it was tested
	beside       []Family     // what gates of the other candidates of a report, tested together with it
	Differences  []Difference // facts that differ between the sides
	Same         []trace.Fact // facts that are equal on both sides
}

// Undecided are two sides of which nothing is said yet.
func Undecided(lined *sides.Lined, policy policy.Policy) *Judged {
	return &Judged{Lined: lined, Policy: policy, tested: map[run.Key]Tested{}, between: map[run.Key]func(float64) stat.Effect{},
		Step: math.NaN(), OtherStep: math.NaN()}
}

// Of compares every metric and part of two sides with each other and says what is
// certain, in the light of past runs and of runs without a profiler. level says which runs of
// the baseline are among the past ones; beside is what the other candidates of a report claim.
func Of(lined *sides.Lined, policy policy.Policy, history []*run.Set, level *CurrentLevel, logs Logs, beside []Family) *Judged {
	p := Undecided(lined, policy)
	p.beside = beside
	p.logs = logs
	p.Level = level
	p.Past, p.History = p.NewPast(history)
	p.Elsewhere = p.OtherPlace()
	p.DecideAll()
	p.Lost = p.lostGates(p.Metrics)
	p.Differences, p.Same = p.Facts()
	p.requireEqual()
	p.heedUnprofiled()
	return p
}

// DecideAll compares what there is with each other and says what of it is certain.
func (p *Judged) DecideAll() {
	metrics := MergedMetrics(p.Base.Set.Metrics, p.Cand.Set.Metrics)
	if p.Descriptions = metrics; Stepless(p.Lined) {
		p.NotCompared = p.kinds()
		p.Gate = p.NoSteps()
	} else {
		p.Step, p.OtherStep = p.TypicalStep(p.Base.Measure(sides.StepTime)), p.TypicalStep(p.Cand.Measure(sides.StepTime))
		p.NotCompared = p.kinds()
		p.unprofiled = p.alone(p.logs, p.Policy)
		p.compareAll(metrics)
		p.setEffectTrend(p.Metrics)
		p.Gate = p.SetGate(p.Metrics)
		p.markSlight(p.Metrics, p.Parts)
	}
}

// compareAll compares all metrics of either side and their parts, and the shapes of curves.
func (p *Judged) compareAll(metrics []run.Metric) {
	if !slices.ContainsFunc(metrics, func(m run.Metric) bool { return m.Name == sides.StepTime.Metric }) {
		metrics = slices.Insert(metrics, 0, stepMetric)
	}
	keys := make([][]run.Key, len(metrics))
	for i, m := range metrics {
		keys[i] = p.keys(m)
	}
	all := slices.Concat(keys...)
	p.BothAtOnce(func(_ int, s *sides.Side) { s.Gather(all) })
	for i, m := range metrics {
		for _, key := range keys[i] {
			c := p.Compare(key, m)
			if p.unheard(m, &c) {
				continue
			}
			if m.Main && key.Part == "" {
				p.Metrics = append(p.Metrics, c)
			} else if c.Runs != [2]int{} {
				p.Parts = append(p.Parts, c)
			}
		}
	}
	main, detail := p.Shape()
	p.Metrics, p.Parts = append(p.Metrics, main...), append(p.Parts, detail...)
	for _, c := range slices.Concat(main, detail) {
		metrics = append(metrics, c.Metric)
	}
	p.Descriptions = metrics
}

// unheard reports whether reports do not speak of a main metric, since no side recorded it, or some
// of it that is not enough.
func (p *Judged) unheard(m run.Metric, c *Comparison) bool {
	return m.WhereRecorded && c.Runs == [2]int{} && !slices.Contains(p.Policy.Gating, m.Name) &&
		!p.Base.LossOf(m.Name).Is() && !p.Cand.LossOf(m.Name).Is()
}

// Stepless reports whether the sides have no step to compare. What needs none, a call, a
// second, the capture, is described then and never judged.
func Stepless(p *sides.Lined) bool {
	return p.Plan.Steps == 0 || len(p.Base.Runs) == 0 || len(p.Cand.Runs) == 0
}

// Part is what was compared under a key that is no main metric's; nil: nothing was.
func (p *Judged) Part(key run.Key) *Comparison {
	for i := range p.Parts {
		if p.Parts[i].Key == key {
			return &p.Parts[i]
		}
	}
	return nil
}

// Profilers are those that recorded either side.
func (p *Judged) Profilers() sides.Profilers { return sides.ProfilersOf(p.Base.Set, p.Cand.Set) }
