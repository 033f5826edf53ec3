package diff

import (
	"perfdiff/analyze/run"
	"perfdiff/diff/policy"
	"perfdiff/diff/sides"
	"perfdiff/diff/stat"
	"perfdiff/diff/verdict"
)

// storeLevel returns the newest runs that are like a job and on the level of the newest past run, as one set with the
// label; nil where there are none. The sets are in order. If the newest run differs from those before, because of what
// was merged last, it stays alone: the next candidate must not answer for it. far lists the runs that are left out
// since they are far off all others.
func storeLevel(label string, like *run.Set, sets []*run.Set, policy policy.Policy) (level *run.Set, far []verdict.LevelWarning) {
	bare := *like
	bare.Files = nil // it may be one of them
	var l *verdict.CurrentLevel
	if n := len(sets) - 1; n+1 >= stat.MinHistory && verdict.FindCurrentLevel(nil, &bare, sets[n:], policy).Base != nil {
		l = verdict.FindCurrentLevel(sets[n], &bare, sets[:n], policy)
	} else {
		l = verdict.FindCurrentLevel(nil, &bare, sets, policy)
	}
	if l.Base == nil {
		return nil, nil
	}
	out := *l.Base
	out.Label = label
	return &out, l.Warnings
}

// newest returns the newest past runs of a job where no level can be found: for an inference engine, whose loads
// differ, or under another driver, which the comparison then reports.
func newest(label string, like *run.Set, sets []*run.Set, policy policy.Policy) *run.Set {
	h, _ := verdict.PastOf(sides.Of(like, &run.Set{}, policy.Force), sets, map[string]verdict.LeftOut{}, verdict.AgainstPair)
	if h == nil {
		return nil
	}
	out := &run.Set{Label: label, Metrics: h.Side.Set.Metrics}
	for _, r := range h.Side.Runs[max(0, len(h.Side.Runs)-verdict.MaxLevelRuns):] {
		verdict.AddRun(out, *r.Source, h.Files[r.Name])
	}
	return out
}
