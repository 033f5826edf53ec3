package verdict

import (
	"math"
	"slices"

	"perfdiff/analyze/run"
	"perfdiff/analyze/trace"
	"perfdiff/diff/policy"
	"perfdiff/diff/sides"
)

// Terms holds two sides and what they are judged by: all that is known before anything is compared.
type Terms struct {
	*sides.Lined
	Policy      policy.Policy
	Past        *Past // nil: no history
	History     []PastRun
	Level       *CurrentLevel // what the baseline was joined from; nil: it is as it was given
	Elsewhere   Elsewhere     // how the pair's place is another one than the past runs', so that their noise says too little
	Step        float64       // the baseline's median step time, s; NaN unknown
	OtherStep   float64       // the candidate's, likewise
	NotCompared NotCompared   // why kinds of work are not compared
	Places      Places        // whether both sides ran on the same hosts and devices
	hosts       float64       // how much of the variance between places is in an estimate, as betweenHosts says

	unprofiled *unprofiled // runs without a profiler, lined up; nil: there are none
	beside     []Family    // what gates of the other candidates of a report, tested together with it
}

// Judged is the judgement on two sides: every metric and part compared, and what is certain.
type Judged struct {
	*Terms
	Metrics       []Comparison // main metrics, in the order of the metric list
	Parts         []Comparison // by collective, direction, … and metrics that are no main ones
	Descriptions  []run.Metric // of every metric that occurs above
	Gate          Comparison   // the metric that speaks for the report
	Family        Family       // what gates, as it was tested
	Moving        bool         // the step time changes over runs whose steps are not paired
	Lost          []LostGate   // gating metrics that are not judged since a side lacks them
	Differences   []Difference // facts that differ between the sides
	Same          []trace.Fact // facts that are equal on both sides
	ForcedUnequal []Unequal    // the same, where it is compared all the same
	Unprofiled    *Unprofiled  // what runs without a profiler say; nil: there are none
}

// NewTerms returns the terms on which two sides are judged without past runs, by a policy that
// passes Check.
func NewTerms(lined *sides.Lined, policy policy.Policy) *Terms {
	t := &Terms{Lined: lined, Policy: resultsOf(lined, policy), Step: math.NaN(), OtherStep: math.NaN(), Places: placesOf(lined)}
	if !Stepless(lined) {
		t.Step, t.OtherStep = lined.TypicalStep(lined.Base.Measure(sides.StepTime)), lined.TypicalStep(lined.Cand.Measure(sides.StepTime))
	}
	t.NotCompared = kinds(lined, t.Least())
	return t
}

// Of compares every metric and part of two sides and says what is certain, given past runs and runs without a
// profiler. level says which runs of the baseline are among the past ones; beside holds what the report's other
// candidates claim.
func Of(lined *sides.Lined, policy policy.Policy, history []*run.Set, level *CurrentLevel, logs Logs, beside []Family) *Judged {
	t := NewTerms(lined, policy)
	t.Level, t.beside, t.unprofiled = level, beside, alone(lined, logs, policy)
	t.Past, t.History = NewPast(lined, level, history)
	t.Elsewhere = OtherPlace(lined, t.Past)
	return Judge(t)
}

// Judge compares the two sides and says what is certain.
func Judge(t *Terms) *Judged {
	if Stepless(t.Lined) && !t.HasResults() {
		j := &Judged{Terms: t, Descriptions: MergedMetrics(t.Base.Set.Metrics, t.Cand.Set.Metrics), Gate: NoSteps(t.Lined)}
		j.Differences, j.Same = Facts(t, nil)
		return j
	}
	t.hosts = t.betweenHosts()
	trial := NewTrial(t)
	j := trial.compareAll(MergedMetrics(t.Base.Set.Metrics, t.Cand.Set.Metrics))
	trial.setEffectTrend(j.Metrics)
	j.Gate = trial.SetGate(j.Metrics, j.Parts)
	markSlight(t, j.Metrics, j.Parts)
	resultsFirst(j.Metrics)
	if j.Gate.Metric.OfResult && len(j.Metrics) > 0 { // which may lean now
		j.Gate = t.firstResult(j.Metrics)
	}
	j.Family, j.Lost, j.Moving = trial.family, lostGates(t.Policy, j.Metrics), trial.isMoving()
	j.Differences, j.Same = Facts(t, j.Parts)
	trial.requireEqual(j)
	trial.heedUnprofiled(j)
	return j
}

// Trial compares two sides and holds the evidence for the verdict on each comparison.
type Trial struct {
	*Terms
	proofs  map[run.Key]*proof
	context *ReasonContext // what all reasons may name
	family  Family         // what gates, as it is tested
}

// NewTrial begins to compare two sides.
func NewTrial(t *Terms) *Trial {
	return &Trial{Terms: t, proofs: map[run.Key]*proof{}, context: contextOf(t)}
}

// compareAll compares all metrics of either side and their parts, and the shapes of curves.
func (p *Trial) compareAll(metrics []run.Metric) *Judged {
	for i := range metrics {
		metrics[i] = p.Policy.Of(metrics[i])
	}
	if only := p.OnlyResults(); only {
		metrics = slices.DeleteFunc(metrics, func(m run.Metric) bool { return !m.OfResult })
	} else if !slices.ContainsFunc(metrics, func(m run.Metric) bool { return m.Name == sides.StepTime.Metric }) {
		metrics = slices.Insert(metrics, 0, stepMetric)
	}
	keys := make([][]run.Key, len(metrics))
	for i, m := range metrics {
		keys[i] = keysOf(p.Lined, m)
	}
	all := slices.Concat(keys...)
	p.BothAtOnce(func(_ int, s *sides.Side) { s.Gather(all) })
	out := &Judged{Terms: p.Terms}
	for i, m := range metrics {
		for _, key := range keys[i] {
			c := p.Compare(key, m)
			if p.unheard(m, &c) {
				continue
			}
			if m.Main && key.Part == "" {
				out.Metrics = append(out.Metrics, c)
			} else if c.Runs != [2]int{} {
				out.Parts = append(out.Parts, c)
			}
		}
	}
	main, detail := []Comparison(nil), []Comparison(nil)
	if !p.OnlyResults() {
		main, detail = p.Shape()
	}
	out.Metrics, out.Parts = append(out.Metrics, main...), append(out.Parts, detail...)
	for _, c := range slices.Concat(main, detail) {
		metrics = append(metrics, c.Metric)
	}
	out.Descriptions = metrics
	return out
}

// isMoving reports whether unpaired steps change their time over a run by as much as a change would.
func (p *Trial) isMoving() bool {
	x := p.proofs[sides.StepTime]
	return x != nil && x.moving
}

// unheard reports whether reports leave out a main metric since no side recorded it, or not enough of it, or the reads
// of a rank since the read throughput is made of the same accesses.
func (p *Terms) unheard(m run.Metric, c *Comparison) bool {
	if m.Name == run.IORankReadThroughput {
		return p.Reads.Source != run.SourceStorage
	}
	return m.WhereRecorded && c.Runs == [2]int{} && !slices.Contains(p.Policy.Gates(), m.Name) &&
		!p.Base.LossOf(m.Name).Is() && !p.Cand.LossOf(m.Name).Is()
}

// Stepless reports whether the sides have no step to compare. What needs none, a call, a
// second, the capture, is described then and never judged.
func Stepless(p *sides.Lined) bool {
	return p.Plan.Steps == 0 || len(p.Base.Runs) == 0 || len(p.Cand.Runs) == 0
}

// Part returns the comparison under a key that is not a main metric's; nil if nothing was compared.
func (p *Judged) Part(key run.Key) *Comparison { return partOf(p.Parts, key) }

// partOf returns the comparison of a key; nil: nothing was compared under it.
func partOf(list []Comparison, key run.Key) *Comparison {
	for i := range list {
		if list[i].Key == key {
			return &list[i]
		}
	}
	return nil
}

// Profilers returns the profilers that recorded either side.
func (p *Terms) Profilers() sides.Profilers { return sides.ProfilersOf(p.Base.Set, p.Cand.Set) }
