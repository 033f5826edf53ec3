package cause

import (
	"cmp"
	"math"
	"slices"
	"strings"

	"perfdiff/analyze/run"
	"perfdiff/analyze/trace"
	"perfdiff/diff/sides"
)

// places returns how long the host is where in the program during gaps of other host work, in s a step, as a mean over
// the ranks for which that is known; nil without any.
func places(s *sides.Side) map[run.HostPlace]float64 {
	sums, ranks := map[run.HostPlace]float64{}, 0.0
	s.EachRank(func(k *sides.Rank) {
		if k.OnOneSideOnly || k.PlacedSteps == 0 {
			return
		}
		ranks++
		for _, p := range k.Places {
			ns := p.Time
			p.Time = 0
			sums[p] += float64(float64(ns)*1e-9) / float64(k.PlacedSteps)
		}
	})
	if ranks == 0 {
		return nil
	}
	for p := range sums {
		sums[p] /= ranks
	}
	return sums
}

// mostPlaces is how many places a reason is told with.
const mostPlaces = 2

// placesOf returns the places where other host work changed, the largest first, and whether most of the change is
// there. It gives no figures: they would be means over other steps than the change that they explain.
func placesOf(p *Causes, delta float64) (names []string, most bool) {
	changes, all := map[run.HostPlace]float64{}, 0.0
	for s, sign := range map[*sides.Side]float64{p.Base: -1, p.Cand: +1} {
		for place, v := range places(s) {
			changes[place] += float64(sign * v)
		}
	}
	type change struct {
		run.HostPlace
		size float64
	}
	var list []change
	for place, v := range changes {
		if size := v * math.Copysign(1, delta); size > 0 {
			list = append(list, change{HostPlace: place, size: size})
		}
	}
	slices.SortFunc(list, func(a, b change) int { return cmp.Or(cmp.Compare(b.size, a.size), cmp.Compare(a.String(), b.String())) })
	sum := 0.0
	for _, x := range list { // in one order
		all += x.size
	}
	for _, x := range list[:min(mostPlaces, len(list))] {
		if x.size >= besideOf*all {
			names, sum = append(names, x.String()), sum+x.size
		}
	}
	return names, sum >= all/2
}

// hostEvidence is what must be recorded to tell other host work from work that nobody recorded.
const hostEvidence = trace.HasRanges | trace.HasOS | trace.HasOperators | trace.HasFunctions

// graphLaunch is part of the calls that replay a graph, of CUDA and HIP.
const graphLaunch = "GraphLaunch"

// launchedAlike reports whether both sides replay graphs, or neither does: a replay is one
// call for many kernels, so that idle time between them has other causes by itself.
func launchedAlike(p *Causes) bool {
	replays := func(s *sides.Side) (any bool) {
		s.EachRank(func(k *sides.Rank) {
			any = any || slices.ContainsFunc(k.Stats, func(x run.Stat) bool {
				return x.Table == run.APITable && strings.Contains(x.Name, graphLaunch)
			})
		})
		return any
	}
	return replays(p.Base) == replays(p.Cand)
}

// hostAlike reports whether both sides recorded the same things of the host: only then does a fall in unknown work
// mean more than that more was recorded.
func hostAlike(p *Causes) bool {
	of := func(s *sides.Side) trace.Recorded {
		all := hostEvidence
		s.EachRank(func(k *sides.Rank) {
			if !k.OnOneSideOnly {
				all &= k.Recorded
			}
		})
		return all
	}
	return of(p.Base) == of(p.Cand)
}
