package collective

import (
	"math"
	"slices"
)

// Clocks is how the clocks of hosts agree, from the ends of collectives: one ends on
// all its ranks at about the same moment (the assumption of JAX-Toolbox and HTA),
// while wall clocks of nodes agree to milliseconds only.
type Clocks struct {
	Hosts    []HostClock // in order of name
	Residual int64       // ns: median distance of an end from the others' once clocks are aligned
	Used     int         // collectives that it stands on; 0: clocks are not aligned
	Matched  int         // kernels that were matched with all others of their collective
	Kernels  int         // communication kernels in all
}

// HostClock is the clock of one host. Ranks of a host share a clock and are kept
// rigid.
type HostClock struct {
	Host   string
	Offset int64   // ns that it is ahead of the median host, in the middle of the run
	Drift  float64 // ns a second by which it gets ahead; 0 where the run is too short to tell
}

// The least that clocks are aligned on, and a drift is fitted to.
const (
	leastEnds  = 3
	driftEnds  = 10
	driftSpan  = 1e9 // ns
	mostPoints = 200 // of the fit, evenly taken
)

// ends is one collective as hosts saw it end.
type ends struct {
	at     int64            // ns, the middle of all
	byHost map[string]int64 // ns, median of the host's ranks
	ranks  []struct {
		host string
		end  int64
	}
}

// ends are those of a collective; false if a rank's wall clock is not known.
func (f found) ends(ranks []Rank, hosts []string) (e ends, ok bool) {
	if hosts == nil {
		return e, false
	}
	perHost := map[string][]int64{}
	for _, m := range f {
		s := &ranks[m.rank].Spans[m.span]
		if s.UTC == 0 {
			return e, false
		}
		perHost[hosts[m.rank]] = append(perHost[hosts[m.rank]], s.UTC)
		e.ranks = append(e.ranks, struct {
			host string
			end  int64
		}{hosts[m.rank], s.UTC})
	}
	e.byHost = map[string]int64{}
	var middles []int64
	for h, v := range perHost {
		e.byHost[h] = middle(v)
		middles = append(middles, e.byHost[h])
	}
	e.at = middle(middles)
	return e, true
}

// fit finds each host's offset and drift, and what remains.
func (c *Clocks) fit(all []ends) {
	names := map[string]bool{}
	for i := range all {
		for h := range all[i].byHost {
			names[h] = true
		}
	}
	from, to := all[0].at, all[0].at
	for i := range all {
		from, to = min(from, all[i].at), max(to, all[i].at)
	}
	center := from + (to-from)/2
	clock := map[string]HostClock{}
	for _, h := range sorted(names) {
		var away []int64
		var x, y []float64
		for i := range all {
			if end, ok := all[i].byHost[h]; ok {
				away = append(away, end-all[i].at)
				x, y = append(x, float64(all[i].at-center)*1e-9), append(y, float64(end-all[i].at))
			}
		}
		k := HostClock{Host: h, Offset: middle(away)}
		if len(away) >= driftEnds && to-from >= driftSpan {
			k.Drift = slope(x, y)
		}
		clock[h] = k
		c.Hosts = append(c.Hosts, k)
	}
	var left []int64
	for i := range all {
		for _, r := range all[i].ranks {
			k := clock[r.host]
			d := r.end - all[i].at - k.Offset - int64(math.Round(k.Drift*float64(all[i].at-center)*1e-9))
			left = append(left, max(d, -d))
		}
	}
	c.Residual = middle(left)
}

// slope is the median slope between points (Theil and Sen), of at most mostPoints.
func slope(x, y []float64) float64 {
	every := (len(x) + mostPoints - 1) / mostPoints
	var all []float64
	for i := 0; i < len(x); i += every {
		for j := i + every; j < len(x); j += every {
			if d := x[j] - x[i]; d != 0 {
				all = append(all, (y[j]-y[i])/d)
			}
		}
	}
	if len(all) == 0 {
		return 0
	}
	slices.Sort(all)
	return all[len(all)/2]
}

// middle is the lower median; v is put in order and must not be empty.
func middle(v []int64) int64 {
	slices.Sort(v)
	return v[(len(v)-1)/2]
}

func sorted(names map[string]bool) []string {
	out := make([]string, 0, len(names))
	for n := range names {
		out = append(out, n)
	}
	slices.Sort(out)
	return out
}
