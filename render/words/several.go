package words

import (
	"strings"

	"perfdiff/diff"
	"perfdiff/render/number"
)

// Several says in one sentence what became of candidates: "Of three candidates, one regressed and
// two improved."
func Several(s *diff.Several) string {
	var names []string
	count := map[string]int{}
	for _, r := range s.Candidates {
		name := Outcome(r)
		if count[name]++; count[name] == 1 {
			names = append(names, name)
		}
	}
	n := len(s.Candidates)
	if len(names) == 1 {
		return "All " + number.Word(n) + " candidates: " + names[0] + "."
	}
	parts := make([]string, len(names))
	for i, name := range names {
		parts[i] = number.Word(count[name]) + " " + name
	}
	last := len(parts) - 1
	return "Of " + number.Word(n) + " candidates: " + strings.Join(parts[:last], ", ") + " and " + parts[last] + "."
}

// SeveralState returns the state of several comparisons for a build.
func SeveralState(s *diff.Several) string { return string(s.State) }

// SeveralBasis says how candidates were compared, and what their order means.
func SeveralBasis(s *diff.Several) string {
	return "Each is compared with the baseline, and not with another one. " +
		"The verdicts on gating metrics, and their intervals, hold for all " + number.Word(len(s.Candidates)) +
		" together (Holm's rule). They stand in order of the estimate: two whose intervals overlap may stand the other way round."
}
