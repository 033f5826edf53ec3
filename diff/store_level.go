package diff

import (
	"perfdiff/analyze/run"
	"perfdiff/diff/policy"
	"perfdiff/diff/sides"
	"perfdiff/diff/stat"
	"perfdiff/diff/verdict"
)

// storeLevel are the newest runs of the level on which the newest of past runs stands, of
// those that are like a job; nil where none is. They are one set, with the label. The sets
// are in order. Where the newest differs from those before, as what was merged last does, it
// stands alone: who comes next answers for no other's change. far are the runs that are left
// out since they are far off all others.
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

// newest are the newest past runs of a job where no level can be told: of an inference
// engine, whose loads differ, or of another driver, so that the comparison says so.
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
