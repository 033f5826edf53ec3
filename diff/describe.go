package diff

import (
	"cmp"
	"slices"
	"strings"

	"perfdiff/analyze/run"
	"perfdiff/analyze/trace"
)

// maxWorld bounds the world size whose missing ranks are listed; a larger one
// is no job but a damaged file.
const maxWorld = 1 << 17

// describe says what a side is made of, seen beside the other one.
func (p *Causes) describe(s, other *side) Side {
	out := Side{
		Label: s.set.Label, Ranks: s.numbers(), World: s.world(),
		Files: slices.Clone(s.set.Files), Steps: p.receipt(s), Facts: s.facts(),
		Missing: p.missingRanks(s, other), Origins: s.origins(),
	}
	slices.SortStableFunc(out.Files, func(a, b run.File) int {
		return strings.Compare(a.Name+"\x00"+a.Digest, b.Name+"\x00"+b.Digest)
	})
	for _, r := range s.runs {
		out.Runs = append(out.Runs, r.name)
	}
	s.each(func(k *oneRank) {
		out.GPUs = append(out.GPUs, factOf(k, trace.FactGPU))
		out.RanksFrom = append(out.RanksFrom, k.RankFrom)
	})
	out.Hosts, out.GPUs, out.RanksFrom = s.hosts(), distinct(out.GPUs), distinct(out.RanksFrom)
	return out
}

// hosts are those of the ranks, each once.
func (s *side) hosts() (out []string) {
	s.each(func(k *oneRank) { out = append(out, k.Host) })
	return distinct(out)
}

// marker is what marks the steps of most ranks.
func (s *side) marker() string {
	var markers []string
	s.each(func(k *oneRank) {
		for _, rc := range k.Receipts {
			markers = append(markers, rc.Marker)
		}
	})
	return mostFrequent(without(markers))
}

// usedSteps are how many steps of a run enter.
func (s *side) usedSteps() int {
	var used []int
	for _, r := range s.runs {
		used = append(used, len(r.used))
	}
	return middle(used)
}

// origins are those of the runs, in order of time, then of name, each once; runs of which
// nothing is said have none.
func (s *side) origins() (out []run.Origin) {
	runs := slices.Clone(s.runs) // in order of name
	slices.SortStableFunc(runs, func(a, b *oneRun) int { return cmp.Compare(a.began, b.began) })
	for _, r := range runs {
		if r.of.Origin != (run.Origin{}) && !slices.Contains(out, r.of.Origin) {
			out = append(out, r.of.Origin)
		}
	}
	return out
}

func factOf(k *oneRank, key string) string {
	for _, f := range k.Facts {
		if f.Key == key {
			return f.Value
		}
	}
	return ""
}

// missingRanks are the ranks that the side's own world size or the other side
// knows of and the side does not have. A job of another size knows nothing
// about this one.
func (p *Causes) missingRanks(s, other *side) []int {
	have := s.numbers()
	if slices.Contains(have, -1) {
		return nil
	}
	var want []int
	for n := 0; n < s.world() && s.world() <= maxWorld; n++ {
		want = append(want, n)
	}
	if !p.otherSize {
		want = append(want, other.numbers()...)
	}
	slices.Sort(want)
	var out []int
	for _, n := range slices.Compact(want) {
		if _, ok := slices.BinarySearch(have, n); !ok && n >= 0 && !slices.Contains(s.set.NotAsked, n) {
			out = append(out, n)
		}
	}
	return out
}

// receipt says how the steps of a side were found.
func (p *Causes) receipt(s *side) StepReceipt {
	var seconds []string
	var found, kept []int
	var out StepReceipt
	s.each(func(k *oneRank) {
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
	out.Marker, out.Second = s.marker(), mostFrequent(without(seconds))
	out.Found, out.Kept, out.Used = middle(found), middle(kept), s.usedSteps()
	out.Dropped, out.WarmUp = s.dropped(), p.plan.cut
	return out
}

// dropped are the reasons for which steps were left out, over all runs.
func (s *side) dropped() []run.Drop {
	steps := map[string][]int64{}
	for _, r := range s.runs {
		for n, reason := range r.state {
			if reason != "" {
				if own, ok := r.recorded[n]; ok {
					n = own
				}
				steps[reason] = append(steps[reason], n)
			}
		}
	}
	var out []run.Drop
	for _, reason := range sortedKeys(steps) {
		numbers := steps[reason]
		slices.Sort(numbers)
		out = append(out, run.Drop{Steps: slices.Compact(numbers), Reason: reason})
	}
	return out
}
