package diff

import (
	"slices"

	"perfdiff/analyze/run"
)

// storeRuns is how many runs stand for a level, the newest. More gain little: five widen an
// interval by 10 % over that of any number.
const storeRuns = 5

// storeLevel are the newest runs of the level on which past runs stand, of those that are
// like a job; nil where none is. They are one set, with the label.
func storeLevel(label string, like *run.Set, sets []*run.Set, policy Policy) *run.Set {
	p := newPair(like, &run.Set{}, policy)
	known := map[string]string{}
	h, _ := p.pastOf(sets, known, "")
	if h == nil {
		return nil
	}
	values := h.values(stepTime.Metric)
	all := levels(values, 0)
	from := all[len(all)-1].From
	return joined(label, sets, h.side.runs[max(from, len(values)-storeRuns):])
}

// joined is one set of runs out of several sets.
func joined(label string, sets []*run.Set, runs []*oneRun) *run.Set {
	out := &run.Set{Label: label}
	for _, set := range inOrder(sets) {
		for i := range set.Runs {
			r := set.Runs[i]
			r.Name = nameOf(set, &r)
			if !slices.ContainsFunc(runs, func(o *oneRun) bool { return o.name == r.Name }) {
				continue
			}
			own := filesOfRun(set, &set.Runs[i])
			r.Ranks = slices.Clone(r.Ranks)
			for j := range r.Ranks {
				files := slices.Clone(r.Ranks[j].Files)
				for k := range files {
					files[k] = r.Name + "/" + files[k]
				}
				r.Ranks[j].Files = files
			}
			for _, f := range own {
				f.Name = r.Name + "/" + f.Name
				out.Files = append(out.Files, f)
			}
			out.Runs = append(out.Runs, r)
			out.Metrics = mergedMetrics(out.Metrics, set.Metrics)
			out.Warnings = append(out.Warnings, set.Warnings...)
		}
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
