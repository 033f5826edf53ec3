package verdict

import (
	"math"
	"slices"

	"perfdiff/analyze/run"
	"perfdiff/diff/policy"
	"perfdiff/diff/sides"
	"perfdiff/diff/stat"
)

// The metrics of how a run goes on, beside its level. Each run is one number,
// and the test over runs is that of every other metric. The floors and least
// changes are those whose rates were simulated.
const (
	driftFloor, DriftLeast           = 0.02, 0.03 // of the run's first step
	tailLeast                        = 1.0        // events in 100 steps
	ImbalanceFloor, imbalanceLeast   = 0.005, 0.02
	dispersionFloor, dispersionLeast = 0.10, 0.25

	TailSteps       = 20 // under these a tail has no events to count
	dispersionSteps = 10
)

// Shape are the comparisons of how runs go on: those that can gate, and those
// that are shown as detail.
func (p *Trial) Shape() (main, detail []Comparison) {
	main = []Comparison{
		p.compareShape(policy.DriftMetric, stat.MinDrift, p.drift),
		p.compareShape(policy.TailMetric, TailSteps, p.tail),
		p.compareShape(policy.ImbalanceMetric, sides.MinSteps, p.imbalance),
	}
	detail = []Comparison{
		p.compareShape(policy.DispersionMetric, dispersionSteps, p.dispersion),
		p.compareShape(policy.MeanMetric, sides.MinSteps, p.meanTime),
	}
	return main, detail
}

// shapeTest is what one such metric is tested on.
type shapeTest struct {
	sides      stat.Sides
	past       []float64 // scalars of past runs
	floor      float64
	hosts      float64 // what hosts differ by, where each side has its own; 0 of what is no level
	least      float64 // variance that past runs cannot go below
	limits     stat.Limits
	base, cand float64               // as shown
	asShown    func(float64) float64 // an effect on the scale of the scalars as shown
	relative   bool
	note       Note // what it is about
}

// compareShape judges one metric of how runs go on.
func (p *Trial) compareShape(m run.Metric, least int, measure func() (shapeTest, bool)) Comparison {
	nan := math.NaN()
	c := Comparison{
		Key: run.Key{Metric: m.Name}, Metric: m, Base: nan, Cand: nan, BaseMean: nan, CandMean: nan, Delta: nan,
		Estimate: nan, Lo: nan, Hi: nan, Detectable: nan, Detectable80: nan, WithinLo: nan, WithinHi: nan, Tipping: nan, Spread: nan, FirstStep: nan, LastStep: nan, Threshold: p.Policy.ThresholdOf(m.Name, 0),
		Runs:  [2]int{len(p.Base.Runs), len(p.Cand.Runs)},
		Ranks: [2]int{p.Base.MostRanks(), p.Cand.MostRanks()},
	}
	c.StepsUsed = timed(p.Lined)
	if p.Loads != nil && m.DependsOnOrder { // engine steps that are compared stand in the order of one run only
		return p.finish(c, &proof{untested: ReasonNotJudged})
	}
	if c.StepsUsed > 0 && c.StepsUsed < least {
		c.StepsNeeded = least
		return p.finish(c, &proof{untested: ReasonTooFewSteps})
	}
	s, ok := shapeTest{}, false
	if c.StepsUsed > 0 {
		s, ok = measure()
	}
	if !ok {
		c.NotRecorded = [2]Need{toRecord(m.Needs), toRecord(m.Needs)}
		if m.Name == run.Imbalance {
			c.NotRecorded = lacking(p.Lined, run.ComputeTime, m)
		}
		return p.finish(c, &proof{untested: ReasonNotRecorded})
	}
	c.Base, c.Cand, c.Relative = Settled(s.base), Settled(s.cand), s.relative
	c.BaseMean, c.CandMean, c.Delta = c.Base, c.Cand, c.Cand-c.Base
	c.Note = s.note
	c.Threshold = s.asShown(s.limits.Threshold)
	if p.Identical {
		c.Estimate, c.Lo, c.Hi = 0, 0, 0
		return p.finish(c, &proof{sameFiles: true})
	}
	e, between := p.Effect(&c, s.sides, RunNoise{Past: s.past, Floor: s.floor, hosts: s.hosts, least: s.least})
	c.Estimate = s.asShown(e.Estimate)
	t := Tested{e, s.limits, s.asShown, s.asShown}
	c.setInterval(t, s.limits.Alpha)
	c.setShown(t)
	x := proof{test: &t, between: between, barred: p.bar(&c, false)}
	c.setTipping(&x, s.limits.Alpha)
	if c.Spread = s.sides.Spread(); !s.relative { // a floor of 3 % is one in logs
		c.Floor, c.Hosts, c.Spread = s.asShown(c.Floor), s.asShown(c.Hosts), s.asShown(c.Spread)
	}
	c.Equivalence = s.asShown(s.limits.Equivalence)
	c.OtherCause = x.barred != "" && x.barred != ReasonNotJudged
	return p.finish(c, &x)
}

// timed is how many of the used steps have a step time, of the run with the
// fewest.
func timed(p *sides.Lined) int {
	n := math.MaxInt
	for _, r := range slices.Concat(p.Base.Runs, p.Cand.Runs) {
		x, _ := sides.LogStepTimes(r)
		n = min(n, len(x))
	}
	return n
}

// limits are those of a metric whose smallest change that matters is least; up
// to half as much again counts as equal.
func (p *Terms) limits(metric string, least float64) stat.Limits {
	if metric != run.Tail { // who sets a coarse threshold wants no finer one for shares
		least = math.Max(least, p.Policy.Threshold)
	}
	l := p.Policy.ThresholdOf(metric, least)
	return stat.Limits{Alpha: p.Policy.Alpha, Threshold: l, Equivalence: 1.5 * l}
}

// LogCurves are the logs of the step times of each run of a side; of all runs
// the same length where steps are paired.
func LogCurves(s *sides.Side) [][]float64 {
	var out [][]float64
	for _, r := range s.Runs {
		x, _ := sides.LogStepTimes(r)
		out = append(out, x)
	}
	return out
}

// curves are the logs of the step times in s of all runs. Where steps are paired and each run
// has them all, the curve that the sides share is subtracted, and paired is true.
func curves(p *sides.Lined) (base, cand [][]float64, paired bool) {
	base, cand = LogCurves(p.Base), LogCurves(p.Cand)
	n := len(base[0])
	uneven := slices.ContainsFunc(slices.Concat(base, cand), func(x []float64) bool { return len(x) != n })
	if !p.Plan.Paired || uneven {
		return base, cand, false
	}
	base, cand = stat.WithoutShared(base, cand)
	return base, cand, true
}

// drift is by how much each run rises from its first to its last step: of the curves without
// what both sides share where no run changes its level, which pairing would put half into
// the other side; else each run by itself, from its first level to its last.
func (p *Terms) drift() (shapeTest, bool) {
	base, cand, paired := curves(p.Lined)
	past, rise := p.Past.paired(), stat.Drift
	if changesLevel(p.Base.Runs) || changesLevel(p.Cand.Runs) {
		base, cand, paired, rise = LogCurves(p.Base), LogCurves(p.Cand), false, stat.Rise
		if past = nil; p.Past != nil {
			past = LogCurves(p.Past.Side)
		}
	}
	scalars := func(rows [][]float64) (out []stat.Scalar) {
		for _, x := range rows {
			out = append(out, rise(x))
		}
		return out
	}
	raw := func(s *sides.Side) float64 {
		var v []float64
		for _, x := range LogCurves(s) {
			v = append(v, stat.Rise(x).Value)
		}
		return stat.Mean(v)
	}
	s := shapeTest{floor: p.driftFloor(), limits: p.limits(run.Drift, DriftLeast), note: Note{Levels: levelSteps(p.Lined)}}
	for _, x := range past {
		if len(x) >= stat.MinDrift {
			s.past = append(s.past, rise(x).Value)
		}
	}
	// What past runs differ by holds the noise within them too, and the rates of
	// the test with history are those of the plain variance.
	if s.sides = stat.Pooled(scalars(base), scalars(cand), 4); paired && len(s.past) < stat.MinHistory {
		s.sides = stat.PooledPaired(scalars(base), scalars(cand), 4)
	}
	s.asShares(raw(p.Base), raw(p.Cand))
	return s, true
}

// driftFloor is what runs are taken to differ by in their drift, a standard deviation: of
// jobs without device work by as much more as their steps are. What else runs on the same
// processors comes and goes, and one run of twelve changed its level by 30 % (golden/real.txt).
func (p *Terms) driftFloor() float64 {
	if hostOnly(p.Lined) {
		return driftFloor * p.Policy.HostFloor / StandardFloor
	}
	return driftFloor
}

// Note is what the number of a shape is about; of its zero value nothing needs to be said.
type Note struct {
	Levels  []LevelStart // of a drift: where runs change their level
	Slowest []Slowest    // of an imbalance: the rank that computes longest, of each side
}

// LevelStart is from where on a run stands on another level.
type LevelStart struct {
	Side, Run string // Run: where the side has several; else ""
	Step      int64
}

// Slowest is the rank that computes longest most often, the lowest of several.
type Slowest struct {
	Rank      int
	Times, Of int // runs
}

// levelSteps are the steps from which on runs stand on another level.
func levelSteps(p *sides.Lined) (out []LevelStart) {
	for _, s := range []*sides.Side{p.Base, p.Cand} {
		for _, r := range s.Runs {
			_, place, ok := Level(r)
			if !ok {
				continue
			}
			start := LevelStart{Side: s.Name, Step: r.Used[place]}
			if len(s.Runs) > 1 {
				start.Run = r.Name
			}
			out = append(out, start)
		}
	}
	return out
}

// asShares shows effects on logs as differences of shares: from a rise of the log
// by base to one by cand. A rise by 0.79 is one by 120 %, so that a difference of
// logs is brought to the unit of the shares by their difference quotient.
func (s *shapeTest) asShares(base, cand float64) {
	s.base, s.cand = math.Expm1(base), math.Expm1(cand)
	factor := math.Exp(base)
	if math.Abs(cand-base) > 1e-9 {
		factor = (s.cand - s.base) / (cand - base)
	}
	s.asShown = func(v float64) float64 { return v * factor }
	s.limits.Threshold, s.limits.Equivalence = s.limits.Threshold/factor, s.limits.Equivalence/factor
}

func (p *Terms) tail() (shapeTest, bool) {
	marks := func(s *sides.Side) (spikes [][]bool, steps []int) {
		for _, r := range s.Runs {
			curve, _ := r.Curve(sides.StepTime)
			spikes, steps = append(spikes, stat.Spikes(curve)), append(steps, len(curve))
		}
		return spikes, steps
	}
	base, nb := marks(p.Base)
	cand, nc := marks(p.Cand)
	var regular []bool
	if p.Plan.Paired && !(p.Identical && len(base) == 1) { // what a single run does is not what all do
		regular = stat.Regular(base, cand)
	}
	s := shapeTest{
		floor: math.Sqrt(stat.PoissonVariance), least: stat.PoissonVariance, sides: stat.Sides{DF: 1},
		limits: p.limits(run.Tail, tailLeast),
	}
	// Counts are compared as they are where runs are equally long, else as if
	// all were as long as the shortest.
	length := float64(p.Plan.Steps)
	count := func(spikes [][]bool, steps []int) (scalars []float64, rate float64) {
		var rates []float64
		for i, x := range spikes {
			n := float64(stat.Events(x, regular))
			scalars = append(scalars, stat.CountScalar(n*length/float64(steps[i])))
			rates = append(rates, 100*n/float64(steps[i]))
		}
		return scalars, stat.Mean(rates)
	}
	s.sides.Base, s.base = count(base, nb)
	s.sides.Cand, s.cand = count(cand, nc)
	past := p.Past.spikes()
	for i, r := range p.Past.Runs() {
		curve, _ := r.Curve(sides.StepTime)
		n := float64(stat.Events(past[i], p.Past.regular(past)))
		s.past = append(s.past, stat.CountScalar(n*length/float64(max(1, len(curve)))))
	}
	// A difference of roots is one of counts times the sum of the roots.
	factor := (stat.Mean(s.sides.Base) + stat.Mean(s.sides.Cand)) * 100 / length
	s.asShown = func(v float64) float64 { return v * factor }
	s.limits.Threshold, s.limits.Equivalence = s.limits.Threshold/factor, s.limits.Equivalence/factor
	return s, true
}

// imbalance is measured over the ranks that both sides have, on their own
// compute time: in a step all ranks wait for the slowest.
func (p *Terms) imbalance() (shapeTest, bool) {
	s := shapeTest{sides: stat.Sides{DF: 1}, floor: ImbalanceFloor, limits: p.limits(run.Imbalance, imbalanceLeast)}
	for _, side := range []*sides.Side{p.Base, p.Cand} {
		var values []float64
		var ranks []int
		for _, r := range side.Runs {
			v, at := slowest(r)
			if math.IsNaN(v) {
				return s, false
			}
			values, ranks = append(values, v), append(ranks, at)
		}
		if side == p.Base {
			s.sides.Base = values
		} else {
			s.sides.Cand = values
		}
		s.note.Slowest = append(s.note.Slowest, MostOften(ranks))
	}
	for _, r := range p.Past.Runs() {
		if v, _ := slowest(r); !math.IsNaN(v) {
			s.past = append(s.past, v)
		}
	}
	s.asShares(stat.Mean(s.sides.Base), stat.Mean(s.sides.Cand))
	return s, true
}

// MostOften is the rank that is there most often, of one for each run.
func MostOften(ranks []int) Slowest {
	best, most := -1, 0
	for _, r := range ranks {
		n := 0
		for _, other := range ranks {
			n += map[bool]int{true: 1}[other == r]
		}
		if n > most || n == most && r < best {
			best, most = r, n
		}
	}
	return Slowest{best, most, len(ranks)}
}
