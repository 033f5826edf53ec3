package diff

import (
	"math"
	"slices"

	"perfdiff/analyze/run"
	"perfdiff/diff/stat"
)

// past are the runs of a history that are like the baseline's, in the order in
// which they were recorded. A nil past is none.
type past struct {
	side    *side
	ordered bool // all say when they began; else they are in order of name
	plan    plan
	files   map[string][]run.File // by name of the run
	base    bool                  // the runs of the baseline are among them
}

// began is when a run began, UTC nanoseconds; 0 where no rank says.
func began(r *run.Run) int64 {
	first := int64(0)
	for i := range r.Ranks {
		if at := r.Ranks[i].Began; at != 0 && (first == 0 || at < first) {
			first = at
		}
	}
	return first
}

// markers are what the steps were found by.
func (s *side) markers() string {
	return mostFrequent(s.values(func(k *oneRank) string {
		if len(k.Receipts) == 0 {
			return ""
		}
		return k.Receipts[0].Marker
	}))
}

func orUnknown(s string) string {
	if s == "" || s == "0" {
		return "unknown"
	}
	return s
}

// values are the distinct values of something over the ranks of a side.
func (s *side) values(of func(*oneRank) string) []string {
	var out []string
	s.each(func(k *oneRank) { out = append(out, of(k)) })
	return distinct(out)
}

func (h *past) runs() []*oneRun {
	if h == nil {
		return nil
	}
	return h.side.runs
}

// paired are the logs of step times of past runs, less the curve that they
// share where all have the same steps.
func (h *past) paired() [][]float64 {
	if h == nil {
		return nil
	}
	rows := logCurves(h.side)
	if !h.plan.paired || slices.ContainsFunc(rows, func(x []float64) bool { return len(x) != len(rows[0]) }) {
		return rows
	}
	shared, _ := stat.WithoutShared(rows, rows)
	return shared
}

// scalars are the scalars of a series in past runs, on the scale of a
// comparison; those without it, or with too few steps, are left out.
func (h *past) scalars(key run.Key, sc scale) []float64 {
	if h == nil {
		return nil
	}
	var rows [][]float64
	for _, r := range h.side.runs {
		curve, ranks := r.curve(key)
		if ranks > 0 {
			rows = append(rows, curve)
		}
	}
	rows, steps := answeredBy(rows, h.plan.paired)
	if steps < minSteps || sc.logs && !positive(rows) {
		return nil
	}
	return stat.PastScalars(sc.apply(rows), h.plan.paired)
}

// tamed are scalars of past runs of which a single one far off all others counts as less
// far off.
func tamed(scalars []float64, floor float64) []float64 {
	at, as := stat.Odd(scalars, floor)
	if at < 0 {
		return scalars
	}
	out := slices.Clone(scalars)
	out[at] = as
	return out
}

// effect is the effect of scalars under the noise of past runs where there are
// enough, else under the declared floor. The noise of past runs is at least
// least, a variance. What was used is noted in c, and what the effect would be if runs
// differed by another deviation in p.between.
func (p *Judged) effect(c *Comparison, s stat.Sides, scalars []float64, floor, least float64) stat.Effect {
	learned := stat.Past{}
	if p.past != nil && len(scalars) >= stat.MinHistory {
		learned = stat.Learn(tamed(scalars, floor))
		learned.Base = p.past.base
	}
	if learned.Variance = math.Max(learned.Variance, least); p.elsewhere != "" {
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
	c.P = e.P()
	return e
}
