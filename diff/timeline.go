package diff

import (
	"slices"

	"perfdiff/analyze/run"
)

// Excerpt is a step of one side as a timeline.
type Excerpt struct {
	run.Excerpt
	Run  string
	Used bool // the step enters the comparison
}

// excerpts are those of the first run that has any.
func (s *side) excerpts() []Excerpt {
	for _, r := range s.runs {
		i := slices.IndexFunc(s.set.Runs, func(x run.Run) bool { return x.Name == r.name && len(x.Excerpts) > 0 })
		if i < 0 {
			continue
		}
		var out []Excerpt
		for _, e := range s.set.Runs[i].Excerpts {
			out = append(out, Excerpt{e, r.name, slices.Contains(r.used, e.Step)})
		}
		return out
	}
	return nil
}

// clocks are those of the side's runs.
func (s *side) clocks() []run.Clocks {
	var out []run.Clocks
	for _, r := range s.runs {
		if i := slices.IndexFunc(s.set.Runs, func(x run.Run) bool { return x.Name == r.name }); i >= 0 {
			out = append(out, s.set.Runs[i].Clocks)
		}
	}
	return out
}
