package verdict

import (
	"slices"

	"perfdiff/analyze/trace"
	"perfdiff/diff/sides"
)

// OtherPlace is in what the pair differs from the past runs that the noise is learned
// from, so that the floor counts again: all of them were on other hosts than a side, or under
// another driver; none where they were not.
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

// factOf are the distinct values of a fact over the ranks of a side, nil where none is known.
func factOf(s *sides.Side, key string) []string {
	return s.DistinctValues(func(k *sides.Rank) string { return FactOf(k, key) })
}

// fewPlaces is under how many sets of hosts a history is one of those hosts alone: runs
// on three sets and more differ by what hosts differ by. Simulated for one set of hosts:
// of a history on one quiet node golden/rates.txt has the false alarms. That three are
// enough was chosen.
const fewPlaces = 3

// hostSets are the sets of hosts that runs were on.
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

// otherHosts are the hosts of a history that is all of other ones than a side, and those of
// the side; nil where it is not, or where that is not known.
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
