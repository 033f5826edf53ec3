package verdict

import (
	"slices"
	"strings"

	"perfdiff/analyze/run"
	"perfdiff/diff/sides"
)

// MaxLevelRuns is how many runs represent a level, the newest ones. More gain little (five lose 4 of 100 regressions
// by 5 % that eight find, simulated), and older runs hold more of a slow creep, which no test of the level sees.
const MaxLevelRuns = 8

// join adds the newest past runs of the level to the baseline.
func (l *CurrentLevel) join(h *Past, on []LevelRun) {
	past := slices.DeleteFunc(slices.Clone(on), func(m LevelRun) bool { return m.given })
	room := max(0, MaxLevelRuns-(len(on)-len(past)))
	for _, m := range past[:max(0, len(past)-room)] {
		l.leave(m.Name, LeftOut{Kind: NewerCount, Have: MaxLevelRuns})
	}
	past = past[max(0, len(past)-room):]
	if len(past) == 0 {
		l.Why = LeftOut{Kind: EnoughOfOwn}
		if l.given == nil {
			l.Why.Kind = NoneAlike
		}
		return
	}
	out := &run.Set{Label: "history"}
	if l.given != nil {
		given := *l.given
		out = &given
		out.Runs, out.Files = slices.Clone(given.Runs), slices.Clone(given.Files)
	}
	out.Digest, out.Metrics = "", MergedMetrics(out.Metrics, h.Side.Set.Metrics)
	for _, m := range past {
		AddRun(out, *m.Source, h.Files[m.Name])
	}
	l.Base = out
}

// AddRun adds a run with its files to a set, under names that the set does not have.
func AddRun(set *run.Set, r run.Run, files []run.File) {
	taken := func() bool {
		return slices.ContainsFunc(set.Runs, func(have run.Run) bool { return have.Name == r.Name }) ||
			slices.ContainsFunc(set.Files, func(f run.File) bool { return strings.HasPrefix(f.Name, r.Name+"/") })
	}
	for taken() {
		r.Name += "'"
	}
	r.Ranks = slices.Clone(r.Ranks)
	for i := range r.Ranks {
		own := slices.Clone(r.Ranks[i].Files)
		for j := range own {
			own[j] = r.Name + "/" + own[j]
		}
		r.Ranks[i].Files = own
	}
	for _, f := range files {
		f.Name = r.Name + "/" + f.Name
		set.Files = append(set.Files, f)
	}
	set.Runs = append(set.Runs, r)
}

// joined reports whether the baseline was extended by past runs.
func (l *CurrentLevel) joined() bool { return l != nil && l.Base != l.given }

// mark notes which past runs are used together with the baseline.
func (l *CurrentLevel) mark(runs []PastRun) {
	for i := range runs {
		at := slices.IndexFunc(l.Runs, func(r PastRun) bool { return r.Name == runs[i].Name })
		runs[i].OfLevel = at >= 0 && !l.Runs[at].Why.Is()
	}
}

// given returns the baseline as it was given; nil where it is all of the history.
func given(p *sides.Lined, level *CurrentLevel) *run.Set {
	if level.joined() {
		return level.given
	}
	return p.Base.Set
}

// with counts the runs of a given baseline among the past ones; those of the history are there already.
func (h *Past) with(given *run.Set) {
	h.base = true
	if given == nil {
		return
	}
	given, _ = sides.WithoutCopies("given", given)
	for _, r := range sides.NewSide("given", given).Runs {
		h.ordered = h.ordered && r.Began != 0
		h.Side.Runs = append(h.Side.Runs, r)
	}
	slices.SortStableFunc(h.Side.Runs, h.byTime)
	h.plan = sides.NewPlan(h.Side, &sides.Side{Set: &run.Set{}})
}
