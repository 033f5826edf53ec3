package verdict

import (
	"math"
	"slices"

	"perfdiff/analyze/run"
	"perfdiff/diff/sides"
	"perfdiff/diff/stat"
)

// Past holds the runs of a history that are like the baseline's, in the order of recording. nil: no past.
type Past struct {
	Side    *sides.Side
	ordered bool           // all say when they began; else they are in order of name
	places  map[string]int // in the order of saving, by name; empty: they are not of a store
	plan    sides.Plan
	Files   map[string][]run.File // by name of the run
	base    bool                  // the runs of the baseline are among them
}

// Runs returns the past runs that count; nil without a history.
func (h *Past) Runs() []*sides.Run {
	if h == nil {
		return nil
	}
	return h.Side.Runs
}

// paired returns the logs of the step times in s of past runs, without the curve that they share
// where all have the same steps.
func (h *Past) paired() [][]float64 {
	if h == nil {
		return nil
	}
	rows := LogCurves(h.Side)
	if !h.plan.Paired || slices.ContainsFunc(rows, func(x []float64) bool { return len(x) != len(rows[0]) }) {
		return rows
	}
	shared, _ := stat.WithoutShared(rows, rows)
	return shared
}

// scalars returns the scalars of a series in past runs, on the scale of a
// comparison; those without it, or with too few steps, are left out.
func (h *Past) scalars(key run.Key, sc Scale) []float64 {
	if h == nil {
		return nil
	}
	var rows [][]float64
	for _, r := range h.Side.Runs {
		curve, ranks := r.Curve(key)
		if ranks > 0 {
			rows = append(rows, curve)
		}
	}
	if sc.ofRuns {
		return sc.values(rows)
	}
	rows, steps := AnsweredBy(rows, h.plan.Paired)
	if steps < sides.MinSteps || sc.LogScale && !positive(rows) {
		return nil
	}
	return stat.PastScalars(sc.Apply(rows), h.plan.Paired)
}

// limitOutlier returns the scalars of past runs; if a single one is far off all others, it is moved closer to them.
func limitOutlier(scalars []float64, floor float64) []float64 {
	at, as := stat.Odd(scalars, floor)
	if at < 0 {
		return scalars
	}
	out := slices.Clone(scalars)
	out[at] = as
	return out
}

// RunNoise says where the noise between runs comes from: past runs, or an assumption.
type RunNoise struct {
	Past  []float64 // scalars of past runs
	Floor float64   // the deviation where they are too few
	least float64   // variance that past runs cannot go below
	hosts float64   // the deviation between hosts, where each side has its own
	shown bool      // what the sides' own runs show counts, and the floor hardly
	means int       // the scalars are of runs without a profiler, about so many means; 0: of past runs
}

// ownNoise is from how many runs a side on nothing is assumed beside what they differ by themselves. Simulated:
// stat.Observed has what it costs.
const ownNoise = 5

// Effect returns the effect of scalars under the noise of past runs where there are enough, else under the declared
// floor, and a function that returns it for another deviation between runs. It notes in c what was used.
func (p *Terms) Effect(c *Comparison, s stat.Sides, n RunNoise) (e stat.Effect, between func(sd float64) stat.Effect) {
	learned := stat.Past{}
	if n.means > 0 {
		learned = stat.LearnSpread(limitOutlier(n.Past, n.Floor)).AboutMeans(n.means)
	} else if p.Past != nil && len(n.Past) >= stat.MinHistory {
		learned = stat.Learn(limitOutlier(n.Past, n.Floor))
		learned.Base = p.Past.base
	}
	if learned.Variance = math.Max(learned.Variance, n.least); p.Elsewhere.Is() {
		learned.Variance = math.Max(learned.Variance, float64(n.Floor*n.Floor))
	}
	if learned.Known() && learned.Variance > 0 {
		learned = learned.Moderated(n.Floor)
		e = stat.Learned(s, learned)
		between = func(sd float64) stat.Effect {
			return stat.Learned(s.If(sd), stat.Past{Variance: sd * sd, DF: learned.DF, Runs: learned.Runs, Base: learned.Base})
		}
		c.History, c.Floor = learned.Runs, math.Sqrt(learned.Variance)
	} else {
		effect := stat.Moderated
		if c.Floor = n.Floor; n.shown {
			effect = stat.ModeratedByRuns
		} else if min(len(s.Base), len(s.Cand)) >= ownNoise && n.least == 0 && s.Spread() > 0 && !declared(p) {
			effect, c.Floor = func(s stat.Sides, _ float64) stat.Effect { return stat.Observed(s) }, 0
		}
		e = effect(s, n.Floor)
		between = func(sd float64) stat.Effect { return effect(s.If(math.Sqrt(float64(sd*sd)+s.Variance)), sd) }
	}
	if v := p.hostVariance(n.hosts); v > 0 {
		c.Hosts = n.hosts
		runsAlone := between
		e, between = e.Plus(v, hostDF), func(sd float64) stat.Effect { return runsAlone(sd).Plus(v, hostDF) }
	}
	if !declared(p) {
		c.Places = p.Places
	}
	c.Tested = [2][]float64{s.Base, s.Cand}
	if r := p.Level.ruling(c.Key); r != nil {
		e, between = c.ruled(r)
	}
	c.P = e.P()
	return e, between
}
