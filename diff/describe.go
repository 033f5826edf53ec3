package diff

import (
	"cmp"
	"slices"
	"sort"
	"strings"

	"perfdiff/analyze/order"
	"perfdiff/analyze/run"
	"perfdiff/analyze/trace"
	"perfdiff/diff/cause"
	"perfdiff/diff/sides"
)

// maxWorld bounds the world size whose missing ranks are listed; a larger one
// is no job but a damaged file.
const maxWorld = 1 << 17

// describe describes a side, 0 the baseline and 1 the candidate, compared with the other one.
func describe(p *cause.Causes, side int) Side {
	both := [2]*sides.Side{p.Base, p.Cand}
	s, other := both[side], both[1-side]
	out := Side{
		Label: s.Set.Label, Ranks: s.Numbers(), World: s.WorldSize(),
		Files: slices.Clone(s.Set.Files), Steps: receipt(p, s), Facts: s.Facts(),
		Missing: missingRanks(p, s, other), Origins: origins(s), Captured: capturedOf(s), Digest: s.Set.Digest,
		Stability: p.Stability[side], Clocks: s.Clocks(),
	}
	if side == 0 && p.Level != nil && !p.Level.Why.Is() { // past runs stand beside what was given
		out.Digest = ""
	}
	out.WithoutSteps, _ = withoutSteps(s, other)
	out.Held = s.Held()
	out.PartOfSteps, _ = partOfSteps(s, other)
	sort.SliceStable(out.Files, func(i, j int) bool {
		a, b := &out.Files[i], &out.Files[j]
		return strings.Compare(a.Name+"\x00"+a.Digest, b.Name+"\x00"+b.Digest) < 0
	})
	known := false
	for _, r := range s.Runs {
		out.Runs, out.Commits = append(out.Runs, r.Name), append(out.Commits, r.Source.Origin.Commit)
		known = known || r.Source.Origin.Commit != ""
	}
	if !known {
		out.Commits = nil
	}
	s.EachRank(func(k *sides.Rank) {
		out.GPUs = append(out.GPUs, k.Fact(trace.FactGPU))
		out.RanksFrom = append(out.RanksFrom, k.RankFrom)
	})
	out.Hosts, out.GPUs, out.RanksFrom = s.Hosts(), sides.Distinct(out.GPUs), sides.Distinct(out.RanksFrom)
	return out
}

// origins returns the origins of the runs, in order of time, then of name, each once; runs without one are left out.
func origins(s *sides.Side) (out []run.Origin) {
	runs := slices.Clone(s.Runs) // in order of name
	slices.SortStableFunc(runs, func(a, b *sides.Run) int { return cmp.Compare(a.Began, b.Began) })
	for _, r := range runs {
		if r.Source.Origin != (run.Origin{}) && !slices.Contains(out, r.Source.Origin) {
			out = append(out, r.Source.Origin)
		}
	}
	return out
}

// missingRanks returns the ranks that the side's own world size or the other side
// knows of and the side does not have. A job of another size knows nothing
// about this one.
func missingRanks(p *cause.Causes, s, other *sides.Side) []int {
	have := s.Numbers()
	if slices.Contains(have, -1) {
		return nil
	}
	var want []int
	for n := 0; n < s.WorldSize() && s.WorldSize() <= maxWorld; n++ {
		want = append(want, n)
	}
	if !p.OtherSize {
		want = append(want, other.Numbers()...)
	}
	slices.Sort(want)
	var out []int
	for _, n := range slices.Compact(want) {
		if _, ok := slices.BinarySearch(have, n); !ok && n >= 0 && !slices.Contains(s.Set.NotAsked, n) {
			out = append(out, n)
		}
	}
	return out
}

// receipt says how the steps of a side were found.
func receipt(p *cause.Causes, s *sides.Side) StepReceipt {
	var seconds []string
	var found, kept []int
	var out StepReceipt
	s.EachRank(func(k *sides.Rank) {
		n := 0
		for _, rc := range k.Receipts {
			seconds = append(seconds, rc.Second)
			n += rc.Found
			if out.Hint == "" {
				out.Hint = rc.Hint
			}
			out.Receipts = append(out.Receipts, rc)
		}
		found, kept = append(found, max(n, len(k.Steps))), append(kept, len(k.Kept()))
	})
	out.Marker, out.Second = s.Marker(), sides.MostFrequent(sides.WithoutEmpty(seconds))
	out.Found, out.Kept, out.Used = order.LowerMedian(found), order.LowerMedian(kept), s.UsedSteps()
	out.Fewest = out.Used
	s.EachRank(func(k *sides.Rank) {
		if n := k.Holds(); n > 0 && !k.OnOneSideOnly {
			out.Fewest = min(out.Fewest, n)
		}
	})
	if len(kept) > 0 {
		out.KeptBy = [2]int{slices.Min(kept), slices.Max(kept)}
	}
	out.Dropped, out.WarmUp = dropped(s), p.Plan.WarmUp
	return out
}

// dropped returns the reasons for which steps were left out, over all runs.
func dropped(s *sides.Side) []run.Drop {
	steps := map[string][]int64{}
	for _, r := range s.Runs {
		for n, reason := range r.DropReasons {
			if reason != "" {
				if own, ok := r.RecordedNumbers[n]; ok {
					n = own
				}
				steps[reason] = append(steps[reason], n)
			}
		}
		if x := r.Others; x != nil && x.LeftOut {
			steps[run.DropOther] = append(steps[run.DropOther], x.Steps...)
		}
	}
	var out []run.Drop
	for _, reason := range sides.SortedKeys(steps) {
		numbers := steps[reason]
		slices.Sort(numbers)
		out = append(out, run.Drop{Steps: slices.Compact(numbers), Reason: reason})
	}
	return out
}
