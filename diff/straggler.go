package diff

import (
	"fmt"
	"maps"
	"math"
	"slices"

	"perfdiff/analyze/run"
	"perfdiff/diff/number"
	"perfdiff/diff/stat"
)

// Ranks are stragglers that take longer than others for something and are waited for: one
// for more than half of all waiting, several for four fifths of it. Where nobody takes
// longer than others over the run, another rank may from step to step. The shares are
// chosen, not measured: TestPlanted holds who is named in the stories of late ranks, a
// late node, and ranks that take turns.
const (
	stragglerShare = 0.5
	groupShare     = 0.8
	stragglerRanks = 2
	// likeMost is from which part of the most late one's excess a rank is late like it, if
	// it is waited for at least so much as a part of what that one is; as late as it, from
	// the second part on, it may hide behind it.
	likeMost, waitedFor, asLate = 0.5, 0.2, 0.85
)

// The kinds of who is late.
const (
	lateRank     = "rank"
	lateRanks    = "ranks"
	lateNode     = "node"
	lateRotating = "rotating"
)

// late is who arrives last on a side, and why.
type late struct {
	kind  string
	ranks []int // in order; nil of rotating
	host  string
	share float64 // of all collectives, at which they arrive last; of rotating ranks the most frequent one's
	// byTime: the share is of all waiting, since they are not last at most collectives.
	byTime bool
	phases []*phase  // what they do longer than the others, in order of the table; nil unknown
	parts  []float64 // by how much in each, s a step
	more   float64   // in all
}

// who is the straggler as a sentence begins with it.
func (l *late) who() string {
	share := number.Share(l.share)
	name, verb, waited := "", "arrive last", "are waited for most"
	switch l.kind {
	case lateRank:
		name, verb, waited = fmt.Sprintf("Rank %d", l.ranks[0]), "arrives last", "is waited for most"
	case lateRanks:
		name = "Ranks " + number.Ranges(l.ranks)
	case lateNode:
		name = "The ranks of " + l.host
	default:
		return fmt.Sprintf("Another rank arrives last from step to step (none at more than %s of all collectives)", share)
	}
	if l.byTime {
		return fmt.Sprintf("%s %s, %s of all waiting", name, waited, share)
	}
	return fmt.Sprintf("%s %s at %s of all collectives", name, verb, share)
}

// phase is something that a rank can be late with.
type phase struct {
	key              run.Key
	singular, plural string
	advice           string // "" as for idle time of that cause, which depends on the profiler
}

var phases = [...]phase{
	{run.Key{Metric: run.ComputeTime}, "computes", "compute", "Compare the devices: clock, temperature, power limit, and the kernels of one rank with another's."},
	{run.Key{Metric: run.InputWaitTime}, "waits for input", "wait for input", "Compare the input: files, storage, loader threads and the sizes of the batches."},
	{run.Key{Metric: run.IdleTime, Part: "host"}, "does other host work", "do other host work", "Compare the hosts: other processes, core binding, what the program does there alone (logging, checkpoints)."},
	{run.Key{Metric: run.IdleTime, Part: "allocator"}, "allocates memory", "allocate memory", "Compare the memory: what the allocator frees and allocates there, and which shapes differ."},
	{run.Key{Metric: run.IdleTime, Part: "launching"}, "launches", "launch", "Compare the hosts: clocks, core binding and other processes; launching takes longer there."},
	{run.Key{Metric: run.IdleTime, Part: "synchronizing"}, "synchronizes", "synchronize", causeAdvice["synchronizing"]},
	{run.Key{Metric: run.IdleTime, Part: "unknown"}, "is idle for an unknown reason", "are idle for an unknown reason", ""},
	{run.Key{Metric: run.ExposedMemoryTime}, "copies", "copy", "Look at what is copied there beside the work, and over which link."},
}

// leastPart is from which part of the longest thing another one is a reason as well, and
// leastReason the part of what others wait that all of them together explain at least.
// Chosen, not measured: TestPlanted holds the reasons that are named.
const (
	leastPart   = 0.2
	leastReason = 0.25
)

var lastArrivals = run.Key{Metric: run.LastArrivals}

// late is that of the side over all its runs; false where arrivals are not known.
// Who is late is who the others wait for longest: a rank can be last by microseconds
// at most collectives and hold up nobody.
func (s *side) late() (late, bool) {
	of, numbers := s.blame(), s.numbers()
	if len(numbers) < stragglerRanks || !(of.waiting > 0) {
		return late{}, false
	}
	top := numbers[0]
	for _, n := range numbers {
		if of.rank[n].waiting > of.rank[top].waiting {
			top = n
		}
	}
	if out, ok := s.lateGroup(&of, top); ok {
		return out, true
	}
	out := late{kind: lateRotating, share: of.rank[top].last / of.last}
	if of.rank[top].waiting > stragglerShare*of.waiting { // with nothing recorded that it does longer
		out = of.named(late{kind: lateRank, ranks: []int{top}})
		return out, true
	}
	s.reasons(&out)
	return out, true
}

// lateGroup are the ranks that do for longer what the most late one does for longer,
// if all the waiting is for them: alone, of one node, or some here and there.
func (s *side) lateGroup(of *blameSums, top int) (late, bool) {
	out := late{kind: lateRank}
	best, longest := map[int]float64{}, 0.0 // by how much longer each takes, for all that the most late one does longer
	all := make([]map[int]float64, len(phases))
	for i := range phases {
		all[i] = s.means(phases[i].key)
		least := lowerQuartile(all[i])
		for n := range all[i] {
			all[i][n] -= least
		}
		longest = math.Max(longest, all[i][top])
	}
	for i := range phases {
		if all[i][top] > 0 && all[i][top] >= leastPart*longest {
			for n, v := range all[i] {
				best[n] += v
			}
		}
	}
	if waits := s.means(run.Key{Metric: exposedWait.metric}); !(best[top] > 0) || best[top] < leastReason*median(waits) {
		return late{}, false
	}
	waiting, host := 0.0, of.hostOf[top]
	for _, n := range sortedKeys(best) {
		hides := best[n] < asLate*best[top] && of.rank[n].waiting < waitedFor*of.rank[top].waiting
		if best[n] >= likeMost*best[top] && !hides {
			out.ranks = append(out.ranks, n)
			waiting += of.rank[n].waiting
			if of.hostOf[n] != host {
				host = ""
			}
		}
	}
	share := groupShare
	if len(out.ranks) == 1 {
		share = stragglerShare
	}
	if len(out.ranks) == 0 || 2*len(out.ranks) > len(of.rank) || waiting < share*of.waiting {
		return late{}, false
	}
	switch {
	case len(out.ranks) == 1:
		out.kind = lateRank
	case host != "" && len(of.host) > 1 && 2*len(out.ranks) > of.host[host].ranks:
		out.kind, out.host = lateNode, host
	default:
		out.kind = lateRanks
	}
	s.reasons(&out)
	return of.named(out), out.phases != nil
}

// reasons finds what the late ones do longer, and by how much.
func (s *side) reasons(l *late) {
	var more [len(phases)]float64
	longest := 0.0
	for i := range phases {
		more[i] = s.moreOf(l, &phases[i])
		longest = math.Max(longest, more[i])
	}
	for i := range phases {
		if more[i] > 0 && more[i] >= leastPart*longest {
			l.phases, l.parts, l.more = append(l.phases, &phases[i]), append(l.parts, more[i]), l.more+more[i]
		}
	}
}

// likewise is what the late ones of the other side do here.
func (s *side) likewise(l late) late {
	l.parts, l.more = nil, 0
	for _, x := range l.phases {
		l.parts = append(l.parts, s.moreOf(&l, x))
		l.more += l.parts[len(l.parts)-1]
	}
	return l
}

// median is the middle of the values.
func median(values map[int]float64) float64 {
	return stat.Median(slices.Sorted(maps.Values(values)))
}

// means are the mean times of all ranks in something, s a step, over all runs.
func (s *side) means(key run.Key) map[int]float64 {
	type sum struct {
		of float64
		n  int
	}
	sums := make(map[int]sum, s.captured())
	s.each(func(k *oneRank) {
		x, values := sums[k.Rank.Rank], k.values(key)
		for j := range k.pos {
			if v := k.value(values, j); !math.IsNaN(v) {
				x.of, x.n = x.of+v, x.n+1
			}
		}
		sums[k.Rank.Rank] = x
	})
	out := make(map[int]float64, len(sums))
	for n, x := range sums {
		if out[n] = 0; x.n > 0 {
			out[n] = x.of / float64(x.n)
		}
	}
	return out
}

// lowerQuartile is one that is a value itself: of two equal groups the lower one's.
func lowerQuartile(values map[int]float64) float64 {
	all := slices.Sorted(maps.Values(values))
	if len(all) == 0 {
		return 0
	}
	return all[(len(all)-1)/4]
}

// moreOf is by how much longer the late ones of either side take for something, s a step.
func (s *side) moreOf(l *late, what *phase) float64 {
	one := *l
	one.phases = []*phase{what}
	var all []float64
	for _, r := range s.runs {
		all = append(all, stat.Known(r.lateCurve(&one))...)
	}
	if len(all) == 0 {
		return 0
	}
	return stat.Mean(all)
}

// lateCurve is by how much longer the late ones take for what they are late with, in each
// used step of a run: of a group its mean less the median of the others, of ranks that
// take turns the one that arrives last in the step less the median of all. NaN where
// nobody does.
func (r *oneRun) lateCurve(l *late) []float64 {
	type series struct {
		late  bool
		parts [][]float64 // of the things they are late with
		last  []float64
	}
	ranks := make([]series, len(r.ranks))
	for i, k := range r.ranks {
		ranks[i] = series{late: slices.Contains(l.ranks, k.Rank.Rank), last: k.values(lastArrivals)}
		for _, x := range l.phases {
			ranks[i].parts = append(ranks[i].parts, k.values(x.key))
		}
	}
	out := make([]float64, len(r.used))
	own, others := make([]float64, 0, len(ranks)), make([]float64, 0, len(ranks))
	for j := range out {
		own, others = own[:0], others[:0]
		last, value := 0.0, math.NaN()
		for i, k := range r.ranks {
			v := math.NaN()
			for _, values := range ranks[i].parts {
				if part := k.value(values, j); math.IsNaN(v) {
					v = part
				} else if !math.IsNaN(part) {
					v += part
				}
			}
			if n := k.value(ranks[i].last, j); n > last {
				last, value = n, v
			}
			if ranks[i].late {
				own = append(own, v)
			} else {
				others = append(others, v)
			}
		}
		if l.kind == lateRotating {
			own = append(own[:0], value)
		}
		out[j] = stat.Mean(own) - middleOf(others)
	}
	return out
}
