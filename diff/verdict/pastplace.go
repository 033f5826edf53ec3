package verdict

import (
	"slices"

	"perfdiff/analyze/trace"
	"perfdiff/diff/sides"
)

// OtherPlace says how the pair's place differs from that of the past runs from which noise is learned: all of them ran
// on other hosts than a side, or under another driver. Then the floor counts again. None if they did not.
func OtherPlace(p *sides.Lined, past *Past) Elsewhere {
	if past == nil {
		return Elsewhere{}
	}
	for _, s := range []*sides.Side{p.Base, p.Cand} {
		if then, now := past.otherHosts(s); then != nil {
			return Elsewhere{PlaceHosts, s.Name, then, now}
		}
		if then, now := factOf(past.Side, trace.FactDriver), factOf(s, trace.FactDriver); then != nil && now != nil &&
			!slices.ContainsFunc(now, func(v string) bool { return slices.Contains(then, v) }) {
			return Elsewhere{PlaceDriver, s.Name, then, now}
		}
	}
	return Elsewhere{}
}

// factOf returns the distinct values of a fact over the ranks of a side, nil where none is known.
func factOf(s *sides.Side, key string) []string {
	return s.DistinctValues(func(k *sides.Rank) string { return k.Fact(key) })
}

// fewPlaces is the number of different sets of hosts below which a history speaks for its own hosts only: with that
// many, its runs show what hosts differ by. Simulated for one set of hosts: golden/rates.txt has the false alarms of a
// history on one quiet node. That three are enough was chosen.
const fewPlaces = 3

// hostSets returns the sets of hosts that runs were on.
func hostSets(runs []*sides.Run) map[string]bool {
	places := map[string]bool{}
	for _, r := range runs {
		var hosts []string
		for _, k := range r.Ranks {
			hosts = append(hosts, k.Host)
		}
		places[sides.List(hosts)] = true
	}
	return places
}

// otherHosts returns the hosts of a history and those of a side if they have none in common; nil if they have, or if
// that is not known.
func (h *Past) otherHosts(s *sides.Side) (then, now []string) {
	there := map[string]bool{}
	for _, r := range h.Runs() {
		for _, k := range r.Ranks {
			there[k.Host] = true
		}
	}
	own := s.Hosts()
	folded := slices.ContainsFunc(slices.Concat(h.Runs(), s.Runs), func(r *sides.Run) bool { return r.Source.Folded })
	common := slices.ContainsFunc(own, func(host string) bool { return there[host] })
	if folded || common || there[""] || len(own) == 0 || len(hostSets(h.Runs())) >= fewPlaces {
		return nil, nil
	}
	return sides.SortedKeys(there), own
}
