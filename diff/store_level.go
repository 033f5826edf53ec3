package diff

import (
	"slices"

	"perfdiff/analyze/run"
	"perfdiff/analyze/trace"
)

// storeLevel are the newest runs of the level on which past runs stand, of those that are
// like a job; nil where none is. They are one set, with the label. Where no level can be
// told, as of an inference engine's steps, whose loads differ, they are the newest.
func storeLevel(label string, like *run.Set, sets []*run.Set, policy Policy) *run.Set {
	bare := *like
	bare.Files = nil // it may be one of them
	if l := LevelOf(nil, &bare, sets, policy); l.Base != nil {
		out := *l.Base
		out.Label = label
		for _, text := range l.Warnings {
			out.Warnings = append(out.Warnings, trace.Warning{Text: text})
		}
		return &out
	}
	h, _ := newPair(like, &run.Set{}, policy).pastOf(sets, map[string]string{}, "")
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

// filesOfRun are the files that a run of a set was read from.
func filesOfRun(set *run.Set, r *run.Run) []run.File {
	if len(set.Runs) == 1 {
		return set.Files
	}
	own := map[string]bool{}
	for i := range r.Ranks {
		for _, name := range r.Ranks[i].Files {
			own[name] = true
		}
	}
	return slices.DeleteFunc(slices.Clone(set.Files), func(f run.File) bool { return !own[f.Name] })
}
