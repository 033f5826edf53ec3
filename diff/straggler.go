package diff

import (
	"fmt"
	"math"

	"perfdiff/analyze/run"
	"perfdiff/diff/number"
	"perfdiff/diff/stat"
)

// A rank is a straggler that arrives last at more than half of the collectives
// of a side with at least three ranks; a node is one whose ranks do at four in
// five. Where neither is, another rank is late from step to step.
const (
	stragglerShare = 0.5
	nodeShare      = 0.8
	stragglerRanks = 3
)

// late is who arrives last on a side, and why.
type late struct {
	kind  string // "rank", "node", "rotating"
	rank  int
	host  string
	share float64 // of all collectives, at which it arrives last; of rotating ranks the most frequent one's
	// byTime: the share is of all waiting, since it is not last at most collectives.
	byTime bool
	phase  string  // what it does longer than the others: "computes", …; "" unknown
	more   float64 // by how much, s a step
}

// who is the straggler as a sentence begins with it.
func (l *late) who() string {
	share := number.Share(l.share)
	switch {
	case l.kind == "rank" && l.byTime:
		return fmt.Sprintf("Rank %d is waited for most, %s of all waiting", l.rank, share)
	case l.kind == "rank":
		return fmt.Sprintf("Rank %d arrives last at %s of all collectives", l.rank, share)
	case l.kind == "node" && l.byTime:
		return fmt.Sprintf("The ranks of %s are waited for most, %s of all waiting", l.host, share)
	case l.kind == "node":
		return fmt.Sprintf("The ranks of %s arrive last at %s of all collectives", l.host, share)
	}
	return fmt.Sprintf("Another rank arrives last from step to step (none at more than %s of all collectives)", share)
}

// phases are what a rank can be late with.
var phases = []struct {
	key              run.Key
	singular, plural string
}{
	{run.Key{Metric: "compute_time"}, "computes", "compute"},
	{run.Key{Metric: "input_wait_time"}, "waits for input", "wait for input"},
	{run.Key{Metric: "idle_time", Part: "host"}, "does other host work", "do other host work"},
	{run.Key{Metric: "idle_time", Part: "allocator"}, "allocates memory", "allocate memory"},
	{run.Key{Metric: "idle_time", Part: "launching"}, "launches", "launch"},
}

var lastArrivals = run.Key{Metric: "last_arrivals"}

// late is that of the side over all its runs; false where arrivals are not known.
// Who is late is who the others wait for longest: a rank can be last by microseconds
// at most collectives and hold up nobody.
func (s *side) late() (late, bool) {
	of := s.blame()
	numbers := s.numbers()
	if len(numbers) < stragglerRanks || !(of.waiting > 0) {
		return late{}, false
	}
	out := late{kind: "rotating", rank: numbers[0]}
	for _, n := range numbers {
		if of.rank[n].waiting > of.rank[out.rank].waiting {
			out.rank = n
		}
	}
	for _, h := range sortedKeys(of.host) {
		if of.host[h].waiting > of.host[out.host].waiting {
			out.host = h
		}
	}
	share := func(x blamed) (part float64, byTime bool) {
		part = x.waiting / of.waiting
		if arrivals := x.last / of.last; arrivals > stragglerShare {
			return arrivals, false
		}
		return part, true
	}
	host := of.host[out.host]
	ranks := float64(host.ranks) / float64(of.ranks)
	switch {
	case of.rank[out.rank].waiting > stragglerShare*of.waiting:
		out.kind = "rank"
		out.share, out.byTime = share(of.rank[out.rank])
	// A node stands out if what is waited for the others is less than half of what
	// would fall on them by number.
	case len(of.host) > 1 && out.host != "" && host.waiting > nodeShare*of.waiting && 1-host.waiting/of.waiting < (1-ranks)/2:
		out.kind = "node"
		out.share, out.byTime = share(host)
	default:
		out.share = of.rank[out.rank].last / of.last
	}
	s.explain(&out)
	return out, true
}

// blamed is what is put down to a rank or a host.
type blamed struct {
	waiting float64 // s that others wait for it
	last    float64 // collectives at which it arrives last
	ranks   int
}

// blameSums are those of a side.
type blameSums struct {
	blamed
	rank map[int]blamed
	host map[string]blamed
}

// blame sums up who is waited for. Where only arrivals are known they stand for the
// waiting.
func (s *side) blame() blameSums {
	out := blameSums{rank: map[int]blamed{}, host: map[string]blamed{}}
	hostOf, timed := map[int]string{}, false
	add := func(rank int, x blamed) {
		plus := func(a blamed) blamed { return blamed{a.waiting + x.waiting, a.last + x.last, a.ranks + x.ranks} }
		out.rank[rank], out.host[hostOf[rank]], out.blamed = plus(out.rank[rank]), plus(out.host[hostOf[rank]]), plus(out.blamed)
	}
	s.each(func(k *oneRank) {
		hostOf[k.Rank.Rank] = k.Host
		timed = timed || len(k.Waits) > 0
	})
	s.each(func(k *oneRank) {
		x := blamed{ranks: 1}
		for _, v := range k.usedValues(lastArrivals) {
			x.last += v
		}
		if !timed {
			x.waiting = x.last
		}
		add(k.Rank.Rank, x)
		for _, w := range k.Waits {
			add(w.For, blamed{waiting: float64(w.Time) / 1e9})
		}
	})
	return out
}

// explain finds what the late ones do longer than the others.
func (s *side) explain(l *late) {
	for _, p := range phases {
		more := 0.0
		if l.kind == "rotating" {
			more = s.lateInStep(p.key)
		} else {
			var own, others []float64
			s.each(func(k *oneRank) {
				mean := stat.Mean(k.usedValues(p.key))
				if l.kind == "rank" && k.Rank.Rank == l.rank || l.kind == "node" && k.Host == l.host {
					own = append(own, mean)
				} else {
					others = append(others, mean)
				}
			})
			more = stat.Mean(own) - stat.Median(others)
		}
		if more > l.more {
			l.more, l.phase = more, p.singular
			if l.kind == "node" {
				l.phase = p.plural
			}
		}
	}
}

// lateInStep is how much longer the rank that arrives last in a step takes for
// something than the median rank in that step, on average.
func (s *side) lateInStep(key run.Key) float64 {
	var more []float64
	for _, r := range s.runs {
		for j := range r.used {
			var all []float64
			last, value := 0.0, math.NaN()
			for _, k := range r.ranks {
				v, n := k.value(k.values(key), j), k.value(k.values(lastArrivals), j)
				all = append(all, v)
				if n > last {
					last, value = n, v
				}
			}
			if d := value - stat.Median(all); !math.IsNaN(d) {
				more = append(more, d)
			}
		}
	}
	if len(more) == 0 {
		return 0
	}
	return stat.Mean(more)
}

// stragglers is the finding about who is late, where that changed between the
// sides and the waiting with it.
func (p *pair) stragglers(r *Report) []Finding {
	wait := metricOf(r.Parts, "exposed_wait_time")
	if wait == nil || !wait.changed() || !(math.Abs(wait.Delta) >= p.policy.Threshold*p.step) {
		return nil
	}
	base, before := p.base.late()
	cand, after := p.cand.late()
	f := Finding{Metric: "exposed_wait_time", Section: "ranks", Effect: wait.Delta, Interval: absolute(wait), Evidence: p.ground1(wait)}
	if comm := metricOf(r.Metrics, "exposed_comm_time"); comm != nil && comm.Delta*f.Effect > 0 {
		f.Effect = math.Copysign(math.Max(math.Abs(f.Effect), math.Abs(comm.Delta)), f.Effect)
	}
	sc := number.ScaleOf("s", math.Max(wait.Base, wait.Cand))
	f.Number, f.Unit = sc.Signed(wait.Delta), sc.Name
	switch {
	case after && wait.Delta > 0 && !(before && base.kind == cand.kind && base.rank == cand.rank && base.share >= cand.share):
		if cand.kind == "rotating" && !(cand.more >= wait.Delta/2) {
			return nil // waiting grew, and nobody in particular is late with anything
		}
		f.Class = "worse"
		f.Text = cand.who() + ", and the others wait."
		if cand.phase != "" && cand.more >= wait.Delta/2 {
			f.Text = cand.who() + ": " + cand.reason(sc) + ", and the others wait."
			f.Effect = math.Max(f.Effect, cand.more) // what the late ones take longer, all do
		}
		f.Advice = lateAdvice[cand.kind]
	case before && base.kind != "rotating" && wait.Delta < 0 && !(after && base.kind == cand.kind && base.rank == cand.rank):
		f.Class = "better"
		f.Text = "In the baseline " + lower(base.who()) + ", and in the candidate no longer."
	default:
		return nil
	}
	return []Finding{f}
}

var lateAdvice = map[string]string{
	"rank":     "Compare this rank's GPU (clock, temperature, power), its kernels and its input with the others'.",
	"node":     "Compare this node with the others: power limits, cooling, its storage and its processes.",
	"rotating": "Look at what differs from step to step between ranks: sizes of batches, padding, routing of experts; no device is slow by itself.",
}

// reason says what the late ones do longer.
func (l *late) reason(sc number.Scale) string {
	switch l.kind {
	case "rank":
		return fmt.Sprintf("it %s %s a step longer than the median rank", l.phase, sc.With(l.more))
	case "node":
		return fmt.Sprintf("they %s %s a step longer than those of other nodes", l.phase, sc.With(l.more))
	}
	return fmt.Sprintf("the last one %s %s longer than the median rank in its step", l.phase, sc.With(l.more))
}
