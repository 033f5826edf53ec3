package diff

import (
	"fmt"
	"slices"

	"perfdiff/analyze/run"
)

// A recording can be exported again, by another version or into another format, and then
// its files are other ones. It is still one recording: the same run.

// measuredTwice reports whether both sides are the same recording, however it was exported:
// every run of one began at the nanosecond at which a run of the other did, on the same
// ranks, with the same time in every step.
func measuredTwice(base, cand *side) bool {
	same := func(r *oneRun, of *side) bool {
		return slices.ContainsFunc(of.runs, func(other *oneRun) bool { return sameRecording(r, other) })
	}
	for _, s := range [][2]*side{{base, cand}, {cand, base}} {
		if len(s[0].runs) == 0 || slices.ContainsFunc(s[0].runs, func(r *oneRun) bool { return !same(r, s[1]) }) {
			return false
		}
	}
	return true
}

// sameRecording reports whether two runs hold the same steps of the same captures.
func sameRecording(a, b *oneRun) bool {
	return slices.EqualFunc(a.ranks, b.ranks, func(x, y *oneRank) bool {
		return x.Began != 0 && x.Began == y.Began && x.Rank.Rank == y.Rank.Rank && len(x.Steps) >= minSteps &&
			sameSteps(x.Steps, y.Steps) && sameValues(x.values(stepTime), y.values(stepTime))
	})
}

// sameValues reports whether values are the same in every step that has any, and some do.
func sameValues(a, b []float64) bool {
	known := 0
	return slices.EqualFunc(a, b, func(x, y float64) bool {
		if x == x {
			known++
		}
		return x == y || x != x && y != y
	}) && known >= minSteps
}

// onceRecorded leaves out the runs of a side that are another run of it, exported again.
func (s *side) onceRecorded() (left []copies) {
	var kept []*oneRun
	for _, r := range s.runs {
		i := slices.IndexFunc(kept, func(k *oneRun) bool { return sameRecording(k, r) })
		if i < 0 {
			kept = append(kept, r)
			continue
		}
		left = append(left, copies{side: s.name, of: kept[i].name, runs: []string{r.name}})
	}
	s.runs = kept
	return left
}

// recordedOnBoth doubts sides of which some runs are one recording.
func recordedOnBoth(base, cand *side) (d run.Doubt, ok bool) {
	for _, c := range cand.runs {
		for _, b := range base.runs {
			if sameRecording(b, c) {
				return run.Doubt{Of: ofBoth, Hint: "give each side its own runs",
					Text: fmt.Sprintf("run %s of the candidate is the recording of run %s of the baseline, exported again",
						c.name, b.name)}, true
			}
		}
	}
	return run.Doubt{}, false
}
