package diff

import (
	"perfdiff/analyze/run"
	"perfdiff/analyze/trace"
	"perfdiff/diff/stat"
)

// storeLevel are the newest runs of the level on which the newest of past runs stands, of
// those that are like a job; nil where none is. They are one set, with the label. The sets
// are in order. Where the newest differs from those before, as what was merged last does, it
// stands alone: who comes next answers for no other's change.
func storeLevel(label string, like *run.Set, sets []*run.Set, policy Policy) *run.Set {
	bare := *like
	bare.Files = nil // it may be one of them
	var l *CurrentLevel
	if n := len(sets) - 1; n+1 >= stat.MinHistory && LevelOf(nil, &bare, sets[n:], policy).Base != nil {
		l = LevelOf(sets[n], &bare, sets[:n], policy)
	} else {
		l = LevelOf(nil, &bare, sets, policy)
	}
	if l.Base == nil {
		return nil
	}
	out := *l.Base
	out.Label = label
	for _, text := range l.Warnings {
		out.Warnings = append(out.Warnings, trace.Warning{Text: text})
	}
	return &out
}

// newest are the newest past runs of a job where no level can be told: of an inference
// engine, whose loads differ, or of another driver, so that the comparison says so.
func newest(label string, like *run.Set, sets []*run.Set, policy Policy) *run.Set {
	h, _ := undecided(lineUp(like, &run.Set{}, policy.Force), policy).pastOf(sets, map[string]string{}, "")
	if h == nil {
		return nil
	}
	out := &run.Set{Label: label, Metrics: h.side.set.Metrics}
	for _, r := range h.side.runs[max(0, len(h.side.runs)-mostLevel):] {
		addRun(out, *r.of, h.files[r.name])
	}
	return out
}

// nameOf is what a run of a past set is called.
func nameOf(set *run.Set, r *run.Run) string {
	if len(set.Runs) > 1 {
		return set.Label + "/" + r.Name
	}
	return set.Label
}
