package verdict

import (
	"math"
	"slices"

	"perfdiff/analyze/run"
	"perfdiff/diff/sides"
	"perfdiff/diff/stat"
)

// Past are the runs of a history that are like the baseline's, in the order in
// which they were recorded. A nil past is none.
type Past struct {
	Side    *sides.Side
	ordered bool // all say when they began; else they are in order of name
	plan    sides.Plan
	Files   map[string][]run.File // by name of the run
	base    bool                  // the runs of the baseline are among them
}

// Runs are the past runs that count; nil without a history.
func (h *Past) Runs() []*sides.Run {
	if h == nil {
		return nil
	}
	return h.Side.Runs
}

// paired are the logs of the step times in s of past runs, without the curve that they share
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

// scalars are the scalars of a series in past runs, on the scale of a
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
	rows, steps := AnsweredBy(rows, h.plan.Paired)
	if steps < sides.MinSteps || sc.LogScale && !positive(rows) {
		return nil
	}
	return stat.PastScalars(sc.Apply(rows), h.plan.Paired)
}

// limitOutlier are scalars of past runs of which a single one far off all others counts as less
// far off.
func limitOutlier(scalars []float64, floor float64) []float64 {
	at, as := stat.Odd(scalars, floor)
	if at < 0 {
		return scalars
	}
	out := slices.Clone(scalars)
	out[at] = as
	return out
}

// Effect is the effect of scalars under the noise of past runs where there are
// enough, else under the declared floor. The noise of past runs is at least
// least, a variance. What was used is noted in c, and what the effect would be if runs
// differed by another deviation in p.between.
func (p *Judged) Effect(c *Comparison, s stat.Sides, scalars []float64, floor, least float64) stat.Effect {
	learned := stat.Past{}
	if c.Unprofiled {
		learned = stat.LearnSpread(limitOutlier(scalars, floor)).AboutMeans(p.unprofiled.means)
	} else if p.Past != nil && len(scalars) >= stat.MinHistory {
		learned = stat.Learn(limitOutlier(scalars, floor))
		learned.Base = p.Past.base
	}
	if learned.Variance = math.Max(learned.Variance, least); p.Elsewhere.Is() {
		learned.Variance = math.Max(learned.Variance, float64(floor*floor))
	}
	var e stat.Effect
	if learned.Known() && learned.Variance > 0 {
		learned = learned.Moderated(floor)
		e = stat.Learned(s, learned)
		p.between[c.Key] = func(sd float64) stat.Effect {
			return stat.Learned(s, stat.Past{Variance: sd * sd, DF: learned.DF, Runs: learned.Runs})
		}
		c.History, c.Floor = learned.Runs, math.Sqrt(learned.Variance)
	} else {
		e = stat.Moderated(s, floor)
		p.between[c.Key] = func(sd float64) stat.Effect { return stat.Moderated(s, sd) }
		c.Floor = floor
	}
	c.P, c.Tested = e.P(), [2][]float64{s.Base, s.Cand}
	return e
}
