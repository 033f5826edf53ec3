package render

import (
	"perfdiff/analyze/source/ncu"
	"perfdiff/diff/compute"
	"perfdiff/render/words"
)

// ReplayDocument is a comparison of kernels that Nsight Compute replayed, as JSON. Values are in the unit of the field
// "unit": s, B, B/s, Hz, ratio (1 is 100 %), or another one of the profiler.
type ReplayDocument struct {
	SchemaVersion string             `report:"schema_version"`
	Tool          string             `report:"tool"`
	State         string             `report:"state"` // "passed", "failed", "not judged"
	Headline      string             `report:"headline"`
	Basis         string             `report:"basis"`
	Incomplete    bool               `report:"incomplete"` // a part of a side could not be read
	Void          string             `report:"void"`       // why nothing is judged; "": something may be
	Alpha         float64            `report:"alpha"`      // two-sided error of the intervals
	Threshold     float64            `report:"threshold"`  // smallest change of a time that matters, a fraction
	Floor         float64            `report:"floor"`      // standard deviation between recordings that is assumed, a fraction
	Baseline      *compute.Side      `report:"baseline"`
	Candidate     *compute.Side      `report:"candidate"`
	Differences   []ReplayDifference `report:"differences"`
	Unknown       []string           `report:"unknown"` // facts that a side does not tell
	Kernels       []compute.Kernel   `report:"kernels"` // by how much time their change is of
	Alone         []ReplayAlone      `report:"alone"`   // kernels of one side only
	NotCompared   []ReplayMismatch   `report:"not_compared"`
	Warnings      []ReplayWarning    `report:"warnings"`
}

// ReplayDifference is a fact in which the sides differ.
type ReplayDifference struct {
	Fact      string `report:"fact"`
	Baseline  string `report:"baseline"` // clocks in Hz
	Candidate string `report:"candidate"`
	Class     string `report:"class"` // "invalidates", "look", "harmless"
	Why       string `report:"why"`
	Effect    string `report:"effect"` // the same for people
}

// ReplayAlone is a kernel of one side.
type ReplayAlone struct {
	Side         string `report:"side"`
	compute.Lone `report:"."`
}

// ReplayMismatch is a metric whose units on the two sides cannot be converted.
type ReplayMismatch struct {
	Section   string `report:"section"`
	Name      string `report:"name"`
	Baseline  string `report:"baseline"` // units
	Candidate string `report:"candidate"`
}

// ReplayWarning says something about a file.
type ReplayWarning struct {
	Side string `report:"side"`
	File string `report:"file"`
	Text string `report:"text"`
}

func replayDocument(r *compute.Report, tool string) *ReplayDocument {
	out := &ReplayDocument{
		SchemaVersion: compute.SchemaVersion, Tool: tool, State: words.ReplayState(r), Headline: words.ReplayHeadline(r), Basis: words.ReplayBasis, Void: string(r.Void), Incomplete: r.Incomplete,
		Alpha: r.Alpha, Threshold: r.Threshold, Floor: r.Floor,
		Baseline: &r.Sides[0], Candidate: &r.Sides[1], Unknown: r.Unknown,
		Kernels: r.Kernels, Alone: []ReplayAlone{},
		Differences: listOf(r.Differences, func(d *compute.Difference) ReplayDifference {
			_, _, _, effect := words.ReplayDifference(d)
			return ReplayDifference{d.Fact, d.Values[0], d.Values[1], d.Class, string(d.Why), effect}
		}),
		NotCompared: listOf(r.NotCompared, func(m *compute.Mismatch) ReplayMismatch {
			return ReplayMismatch{m.Section, m.Name, m.Units[0], m.Units[1]}
		}),
		Warnings: listOf(r.Warnings, func(w *compute.Warning) ReplayWarning {
			return ReplayWarning{[]string{baseline, candidate}[w.Side], w.File, w.Text}
		}),
	}
	for side, name := range []string{baseline, candidate} {
		for _, l := range r.Alone[side] {
			out.Alone = append(out.Alone, ReplayAlone{name, l})
		}
	}
	return out
}

// replaySayings returns the sayings of kernels that Nsight Compute replayed.
func replaySayings() []sayer {
	return []sayer{
		say("says", func(k *compute.Kernel) []string {
			return listOf(replayLines(k), func(s *string) string { return spaces.Replace(*s) })
		}),
		say("intensity", (*ncu.Roofline).Intensity),
		say("ridge", (*ncu.Roofline).Ridge),
	}
}
