package diff

import (
	"cmp"
	"slices"
	"strings"

	"perfdiff/analyze/run"
	"perfdiff/diff/stat"
	"perfdiff/diff/verdict"
)

// StepCandidate is something that may mark steps, on both sides.
type StepCandidate struct {
	run.Marker `report:"."`
	Base       CandidateSide `report:"baseline"`
	Cand       CandidateSide `report:"candidate"`
	Usable     bool          `report:"usable"` // it would be taken without being named, where it is
	Within     string        `report:"within"` // why it is only a part of a step; "" it may be one
	Flag       string        `report:"flag"`   // as an argument of the program; "" it cannot be named
}

// CandidateSide is a candidate on one side; the zero value where it does not occur.
type CandidateSide struct {
	Ranks   int     `report:"ranks"`   // captures that have it
	Count   int     `report:"count"`   // in one of them; all numbers are medians over captures
	Period  float64 `report:"period"`  // s, from one to the next
	Spread  float64 `report:"spread"`  // of the periods: (p90 - p10) / median
	Covered float64 `report:"covered"` // share of the capture's activity
	Work    int     `report:"work"`    // kernels and graph replays launched from one to the next
	Usable  bool    `report:"usable"`  // every capture that has it may be measured by it without its being named
}

// Candidates returns what may mark the steps of two run sets, or of one if cand is nil: first what both sides have,
// then what would be used without being named, then by how much it covers. They come from the receipts, see
// analyze.Options.Candidates; a saved summary only has the marker that it was made with.
func Candidates(base, cand *run.Set) []StepCandidate {
	if cand == nil {
		cand = &run.Set{}
	}
	return candidates(base, cand, true)
}

// candidates returns what may mark steps, nil if nobody asked.
func candidates(base, cand *run.Set, asked bool) []StepCandidate {
	if !asked {
		return nil
	}
	sides := [2]map[run.Marker][]run.Candidate{perMarker(base), perMarker(cand)}
	seen := map[run.Marker]bool{}
	var out []StepCandidate
	for _, side := range sides {
		for m, all := range side {
			if seen[m] {
				continue
			}
			seen[m] = true
			c := StepCandidate{Marker: m, Base: overRanks(sides[0][m]), Cand: overRanks(sides[1][m]), Flag: m.Flag()}
			for _, x := range append(slices.Clone(all), sides[1][m]...) {
				c.Usable, c.Within = c.Usable || x.Usable, cmp.Or(c.Within, x.Within)
			}
			out = append(out, c)
		}
	}
	slices.SortFunc(out, func(a, b StepCandidate) int {
		return cmp.Or(cmp.Compare(b.standing(), a.standing()), cmp.Compare(b.Base.Covered+b.Cand.Covered, a.Base.Covered+a.Cand.Covered),
			strings.Compare(a.Kind, b.Kind), strings.Compare(a.Name, b.Name), cmp.Compare(a.Every, b.Every))
	})
	return out[:min(len(out), run.MaxCandidates)]
}

// standing ranks a candidate: on both sides, usable, and no part of anything.
func (c *StepCandidate) standing() (n int) {
	for i, good := range []bool{c.Within == "", c.Usable, c.Base.Count > 0 && c.Cand.Count > 0} {
		if good {
			n += 1 << i
		}
	}
	return n
}

func perMarker(set *run.Set) map[run.Marker][]run.Candidate {
	out := map[run.Marker][]run.Candidate{}
	for k := range set.EachRank() {
		for _, rc := range k.Receipts {
			all := rc.Candidates
			if len(all) == 0 && rc.Found > 0 { // of a saved summary only the marker is known
				all = []run.Candidate{{Marker: rc.By, Count: rc.Found, Usable: true}}
			}
			for _, c := range all {
				out[c.Marker] = append(out[c.Marker], c)
			}
		}
	}
	return out
}

// overRanks returns the median of each number.
func overRanks(all []run.Candidate) CandidateSide {
	median := func(of func(run.Candidate) float64) float64 {
		values := make([]float64, len(all))
		for i, c := range all {
			values[i] = of(c)
		}
		return stat.Median(values)
	}
	if len(all) == 0 {
		return CandidateSide{}
	}
	return CandidateSide{
		Ranks: len(all), Count: int(median(func(c run.Candidate) float64 { return float64(c.Count) })),
		Period:  verdict.Settled(median(func(c run.Candidate) float64 { return float64(c.Period) * 1e-9 })),
		Spread:  verdict.Settled(median(func(c run.Candidate) float64 { return c.Spread })),
		Covered: verdict.Settled(median(func(c run.Candidate) float64 { return c.Covered })),
		Work:    int(median(func(c run.Candidate) float64 { return float64(c.Work) })),
		Usable:  !slices.ContainsFunc(all, func(c run.Candidate) bool { return !c.Usable }),
	}
}
