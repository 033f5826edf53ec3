package diff

import (
	"slices"

	"perfdiff/analyze/run"
	"perfdiff/diff/sides"
)

// Excerpt is a step of one side as a timeline.
type Excerpt struct {
	run.Excerpt
	Run  string
	Used bool // the step enters the comparison
}

// excerpts are those of the first run that has any.
func excerpts(s *sides.Side) []Excerpt {
	for _, r := range s.Runs {
		i := slices.IndexFunc(s.Set.Runs, func(x run.Run) bool { return x.Name == r.Name && len(x.Excerpts) > 0 })
		if i < 0 {
			continue
		}
		var out []Excerpt
		for _, e := range s.Set.Runs[i].Excerpts {
			out = append(out, Excerpt{e, r.Name, slices.Contains(r.Used, e.Step)})
		}
		return out
	}
	return nil
}
