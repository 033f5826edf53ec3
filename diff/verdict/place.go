package verdict

import (
	"fmt"
	"maps"
	"math"
	"slices"

	"perfdiff/diff/sides"
)

// Places says whether both sides ran in the same places: on the same hosts and their devices.
type Places string

// Whether they did.
const (
	PlacesUnknown Places = "unknown" // nothing recorded says it of all ranks
	PlacesSame    Places = "same"
	PlacesOther   Places = "other" // not, or not as often
)

// otherFloor is what single runs of a job are taken to differ by if they ran on other hosts or devices, or nothing
// says where: a standard deviation. Chosen, not measured: of unchanged single pairs at most 4 % fail then, whatever
// their runs differ by, up to 4 %. That is the size of what is published: the same kernels on devices of one type
// differ by 8 % on average (Sinha et al., SC22, arXiv:2208.11035).
const otherFloor = 0.03

// hostFloor is the hosts' part of otherFloor: what hosts are taken to differ by, without what runs on one host do.
var hostFloor = math.Sqrt(otherFloor*otherFloor - StandardFloor*StandardFloor)

// hostDF is how many degrees of freedom hostFloor counts for: as many as the floor of runs.
const hostDF = 8

// shares returns which share of the runs was in each place; nil where that is not known for all.
func shares(runs []*sides.Run) map[string]float64 {
	out := map[string]float64{}
	for _, r := range runs {
		var devices []string
		for _, k := range r.Ranks {
			if k.Host == "" {
				return nil
			}
			if !k.OnOneSideOnly {
				devices = append(devices, fmt.Sprint(k.Host, " ", k.Device))
			}
		}
		out[sides.List(devices)] += 1 / float64(len(runs))
	}
	return out
}

// unlike returns which share of the variance between places is in a difference of two means of runs: none if both have
// as many runs in each place, 2 if each has a place of its own.
func unlike(base, cand map[string]float64) (sum float64) {
	all := map[string]float64{}
	maps.Copy(all, base)
	maps.Copy(all, cand)
	for _, place := range sides.SortedKeys(all) {
		d := base[place] - cand[place]
		sum += float64(d * d)
	}
	return sum
}

// spread returns which share of the variance between places runs differ by that are spread over places in these
// shares, added up over so many runs: none in one place.
func spread(of map[string]float64, runs int) float64 {
	sum := 1.0
	for _, place := range sides.SortedKeys(of) {
		sum -= float64(of[place] * of[place])
	}
	return sum * float64(runs)
}

// placesOf says whether both sides ran in the same places.
func placesOf(p *sides.Lined) Places {
	base, cand := shares(p.Base.Runs), shares(p.Cand.Runs)
	switch {
	case base == nil || cand == nil || hostsHidden(p.Base.Runs, p.Cand.Runs):
		return PlacesUnknown
	case unlike(base, cand) < sameShares:
		return PlacesSame
	}
	return PlacesOther
}

// hostsHidden reports whether names of hosts stand for others, of which nothing tells whether they are
// the same on both sides: one command gives both sides the same ones.
func hostsHidden(base, cand []*sides.Run) bool {
	apart := func(r *sides.Run) bool { return r.Source.Apart }
	folded := func(r *sides.Run) bool { return r.Source.Folded }
	return slices.ContainsFunc(base, apart) || slices.ContainsFunc(cand, apart) ||
		slices.ContainsFunc(base, folded) != slices.ContainsFunc(cand, folded)
}

// betweenHosts returns how much of the variance between places is in the estimate, beyond what the runs that tell the
// noise (those of the sides, or past ones) show of it themselves. Past runs in three places or more show all of it, and
// for a single pair the floor includes it.
func (p *Terms) betweenHosts() float64 {
	if p.Places != PlacesOther || p.single() || declared(p) {
		return 0
	}
	base, cand := shares(p.Base.Runs), shares(p.Cand.Runs)
	n, m := len(p.Base.Runs), len(p.Cand.Runs)
	known, df := spread(base, n)+spread(cand, m), float64(n+m-2)
	if p.Past != nil {
		past := shares(p.Past.Runs())
		if len(past) >= fewPlaces {
			return 0
		}
		known, df = spread(past, len(p.Past.Runs())), float64(len(p.Past.Runs())-1)
	}
	share := unlike(base, cand)
	if df > 0 {
		share -= float64(known / df * (1/float64(n) + 1/float64(m)))
	}
	if share < sameShares {
		return 0
	}
	return share
}

// sameShares is the difference of shares below which places count as the same. By definition of shares of whole runs:
// if one run of a hundred was elsewhere they differ by more.
const sameShares = 1e-9

// single reports whether the noise between runs is only assumed: one run a side, and no others.
func (p *Terms) single() bool {
	return len(p.Base.Runs) == 1 && len(p.Cand.Runs) == 1 && p.Past == nil && p.unprofiled == nil
}

// declared reports whether somebody said what runs differ by, which then holds wherever they ran.
func declared(p *Terms) bool { return p.Policy.Floor != StandardFloor }

// stepFloor returns what runs are taken to differ by in the step time: more if a single pair is not known to have run
// in one place.
func (p *Terms) stepFloor() float64 {
	if declared(p) || !p.single() || p.Places == PlacesSame {
		return p.Policy.Floor
	}
	return otherFloor
}

// hostVariance returns the variance that hosts add to the estimate of an effect, on a scale on which they are taken to
// differ by sd.
func (p *Terms) hostVariance(sd float64) float64 {
	return p.hosts * sd * sd
}
