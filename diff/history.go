package diff

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"

	"perfdiff/analyze/run"
	"perfdiff/analyze/trace"
	"perfdiff/diff/stat"
)

// past are the runs of a history that are like the baseline's, in the order in
// which they were recorded. A nil past is none.
type past struct {
	side    *side
	ordered bool // all say when they began
	plan    plan
}

// newPast sorts out which past runs can say what repeats of this job differ by.
func (p *pair) newPast(sets []*run.Set) (*past, []PastRun) {
	seen := map[string]bool{}
	for _, digest := range slices.Concat(digests(p.base.set), digests(p.cand.set)) {
		seen[digest] = true
	}
	return p.pastOf(sets, seen)
}

// pastOf is newPast that leaves out the files that were seen already.
func (p *pair) pastOf(sets []*run.Set, seen map[string]bool) (*past, []PastRun) {
	var used []PastRun
	all := &run.Set{}
	for _, set := range sets {
		s := newSide(set.Label, set)
		why := p.unlike(s)
		for _, d := range digests(set) {
			if why == "" && seen[d] {
				why = "it is one of the runs that are compared, or is there twice"
			}
		}
		for _, d := range digests(set) {
			seen[d] = true
		}
		for i := range set.Runs {
			r := set.Runs[i]
			name := set.Label
			if len(set.Runs) > 1 {
				name += "/" + r.Name
			}
			used = append(used, PastRun{Name: name, Why: why, Began: began(&r)})
			if why == "" {
				r.Name = name
				all.Runs = append(all.Runs, r)
			}
		}
	}
	sortPast(used)
	if len(all.Runs) < stat.MinHistory {
		for i := range used {
			if used[i].Why == "" {
				used[i].Why = fmt.Sprintf("%s are like the baseline; noise is learned from %d on", counted(len(all.Runs), "past run"), stat.MinHistory)
			}
		}
		return nil, used
	}
	h := &past{side: newSide("history", all), ordered: true}
	slices.SortStableFunc(h.side.runs, func(a, b *oneRun) int { return cmp.Compare(a.began, b.began) })
	for _, r := range h.side.runs {
		h.ordered = h.ordered && r.began != 0
	}
	h.plan = newPlan(h.side, &side{set: &run.Set{}})
	return h, used
}

func sortPast(runs []PastRun) {
	slices.SortStableFunc(runs, func(a, b PastRun) int {
		return cmp.Or(cmp.Compare(a.Began, b.Began), strings.Compare(a.Name, b.Name))
	})
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

// unlike is why a run of the past says nothing about this job's noise.
func (p *pair) unlike(s *side) string {
	differs := func(what, past, now string) string {
		return fmt.Sprintf("its %s is %s, here it is %s", what, orUnknown(past), orUnknown(now))
	}
	gpus := func(s *side) string {
		return strings.Join(s.values(func(k *oneRank) string { return factOf(k, trace.FactGPU) }), ", ")
	}
	size := func(s *side) string { return fmt.Sprint(s.world()) }
	ranks := func(s *side) string { return ranges(s.numbers()) }
	switch b := p.base; {
	case len(s.runs) == 0 || len(s.runs[0].kept) == 0:
		return "it has no steps"
	case gpus(s) != gpus(b):
		return differs("GPU", gpus(s), gpus(b))
	case size(s) != size(b):
		return differs("number of ranks", size(s), size(b))
	case ranks(s) != ranks(b):
		return differs("list of captured ranks", ranks(s), ranks(b))
	case s.markers() != b.markers():
		return differs("step marker", s.markers(), b.markers())
	}
	return ""
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

// effect is the effect of scalars under the noise of past runs where there are
// enough, else under the declared floor. The noise of past runs is at least
// least, a variance. What was used is noted in c.
func (p *pair) effect(c *Comparison, s stat.Sides, scalars []float64, floor, least float64) stat.Effect {
	learned := stat.Past{}
	if p.past != nil && len(scalars) >= stat.MinHistory {
		learned = stat.LearnSpread(scalars)
		if p.past.ordered {
			learned = stat.Learn(scalars)
		}
	}
	learned.Variance = math.Max(learned.Variance, least)
	var e stat.Effect
	if learned.Known() && learned.Variance > 0 {
		e = stat.Learned(s, learned)
		c.History, c.Floor = learned.Runs, math.Sqrt(learned.Variance)
	} else {
		e = stat.Moderated(s, floor)
		c.Floor = floor
	}
	c.P = e.P()
	return e
}
