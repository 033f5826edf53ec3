package sides

import (
	"slices"
)

// A recording can be exported again, by another version or into another format, and then
// its files are other ones. It is still one recording: the same run.

// measuredTwice reports whether both sides are the same recording, however it was exported: every run of one began at
// the same nanosecond as a run of the other, on the same ranks, with the same time in every step.
func measuredTwice(base, cand *Side) bool {
	same := func(r *Run, of *Side) bool {
		return slices.ContainsFunc(of.Runs, func(other *Run) bool { return sameRecording(r, other) })
	}
	for _, s := range [][2]*Side{{base, cand}, {cand, base}} {
		if len(s[0].Runs) == 0 || slices.ContainsFunc(s[0].Runs, func(r *Run) bool { return !same(r, s[1]) }) {
			return false
		}
	}
	return true
}

// sameRecording reports whether two runs hold the same steps of the same captures.
func sameRecording(a, b *Run) bool {
	return slices.EqualFunc(a.Ranks, b.Ranks, func(x, y *Rank) bool {
		return x.Began != 0 && x.Began == y.Began && x.Rank.Rank == y.Rank.Rank && len(x.Steps) >= MinSteps &&
			SameSteps(x.Steps, y.Steps) && sameValues(x.ValuesOf(StepTime), y.ValuesOf(StepTime))
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
	}) && known >= MinSteps
}

// onceRecorded leaves out runs that are another run of the same side, exported again.
func (s *Side) onceRecorded() (left []Copies) {
	var kept []*Run
	for _, r := range s.Runs {
		i := slices.IndexFunc(kept, func(k *Run) bool { return sameRecording(k, r) })
		if i < 0 {
			kept = append(kept, r)
			continue
		}
		left = append(left, Copies{Side: s.Name, Of: kept[i].Name, Runs: []string{r.Name}})
	}
	s.Runs = kept
	return left
}

// recordedOnBoth doubts sides that share a recording in some of their runs.
func recordedOnBoth(base, cand *Side) (d Doubt, ok bool) {
	for _, c := range cand.Runs {
		for _, b := range base.Runs {
			if sameRecording(b, c) {
				return Doubt{Kind: DoubtSameRecording, Runs: [2]string{b.Name, c.Name}}, true
			}
		}
	}
	return d, false
}
