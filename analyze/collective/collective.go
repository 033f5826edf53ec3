// Package collective sees one collective on many ranks: which kernels of the
// ranks of a run belong together, and how much of each is waiting for the last
// rank to arrive.
package collective

import (
	"cmp"
	"slices"
)

// Span is a communication kernel as one rank recorded it.
type Span struct {
	Step       int   // index of the rank's step in which it starts
	Start, End int64 // ns, of the rank's own clock
	UTC        int64 // ns: End by the wall clock; 0 unknown
	Kind       string
	Comm       string // communicator or process group; "" unknown
	Seq        int64  // 1 + its number in the communicator; 0 unknown
	Ranks      int    // of the communicator; 0 unknown
	Bytes      int64  // of the message; 0 unknown
}

// Rank is what one rank of a run recorded.
type Rank struct {
	Numbers []int64 // of its steps, by index
	Spans   []Span  // in order of start
}

// Split is what a collective was on one rank.
type Split struct {
	// Wait is its duration less the shortest of all ranks, which only transfers, in
	// ns; Unknown where the communicator is not known to be whole.
	Wait int64
	// Skew is by how much the first rank arrived before the last, in ns: the longest
	// less the shortest duration, since a collective ends on all ranks at once.
	Skew int64
	// Last is the index of the rank that arrived last: of those with the shortest
	// duration the first. It counts only where Wait is known.
	Last int
}

// Unknown is the wait of a kernel that was matched with no others, or not with
// all ranks of its communicator.
const Unknown int64 = -1

// Splits are those of every span of every rank. world is the number of ranks in
// the job, 0 unknown.
//
// Kernels belong together that have a communicator and sequence number in
// common; where these are not recorded, those at the same place among the
// collectives of a step, if all ranks have the same ones, or at the same place
// among those of the same kind, if all have as many. Different counts are left
// unmatched and never shifted.
func Splits(ranks []Rank, world int) [][]Split {
	splits, _ := Match(ranks, nil, world)
	return splits
}

// Match is Splits, and how the clocks of hosts agree, which names the host of each
// rank; nil if that is not asked for.
func Match(ranks []Rank, hosts []string, world int) ([][]Split, Clocks) {
	var clocks Clocks
	var all []ends
	splits := make([][]Split, len(ranks))
	for r := range ranks {
		clocks.Kernels += len(ranks[r].Spans)
		splits[r] = slices.Repeat([]Split{{Wait: Unknown}}, len(ranks[r].Spans))
	}
	for _, step := range steps(ranks) {
		for _, m := range match(ranks, step) {
			if !m.whole(ranks, len(step), world) || !m.together(ranks, hosts) {
				continue
			}
			m.split(ranks, splits)
			clocks.Matched += len(m)
			if e, ok := m.ends(ranks, hosts); ok {
				all = append(all, e)
			}
		}
	}
	if len(all) >= leastEnds {
		clocks.Used = len(all)
		clocks.fit(all)
	}
	return splits, clocks
}

// member is a span of a rank.
type member struct{ rank, span int }

// found is kernels that belong together, at most one of each rank.
type found []member

// stepOf is the spans of a step on one rank.
type stepOf struct {
	rank  int
	spans []int // in order of start
}

// steps are the spans of each step number, in order of number and then of rank.
func steps(ranks []Rank) [][]stepOf {
	byNumber := map[int64][]stepOf{}
	for r := range ranks {
		at := map[int64]int{} // place of the rank in byNumber
		for i, s := range ranks[r].Spans {
			if s.Step < 0 || s.Step >= len(ranks[r].Numbers) {
				continue
			}
			n := ranks[r].Numbers[s.Step]
			place, ok := at[n]
			if !ok {
				place = len(byNumber[n])
				at[n] = place
				byNumber[n] = append(byNumber[n], stepOf{rank: r})
			}
			byNumber[n][place].spans = append(byNumber[n][place].spans, i)
		}
	}
	numbers := make([]int64, 0, len(byNumber))
	for n := range byNumber {
		numbers = append(numbers, n)
	}
	slices.Sort(numbers)
	out := make([][]stepOf, len(numbers))
	for i, n := range numbers {
		out[i] = byNumber[n]
	}
	return out
}

// key is what kernels that belong together have in common.
type key struct {
	kind, comm string
	seq        int64 // of the communicator, or the place in the step
}

// match finds the kernels of a step that belong together.
func match(ranks []Rank, step []stepOf) []found {
	sequenced := true
	for _, s := range step {
		for _, i := range s.spans {
			x := &ranks[s.rank].Spans[i]
			sequenced = sequenced && x.Seq > 0 && x.Comm != ""
		}
	}
	byKey := map[key]found{}
	var order []key
	add := func(k key, m member) {
		if byKey[k] == nil {
			order = append(order, k)
		}
		byKey[k] = append(byKey[k], m)
	}
	alike := sameSequence(ranks, step)
	for _, s := range step {
		nth := map[key]int64{}
		for place, i := range s.spans {
			x := &ranks[s.rank].Spans[i]
			k := key{kind: x.Kind, comm: x.Comm}
			switch {
			case sequenced:
				k.seq = x.Seq
			case alike:
				k.seq = int64(place)
			default:
				nth[k]++
				n := nth[k]
				k.seq = n
			}
			add(k, member{s.rank, i})
		}
	}
	var out []found
	for _, k := range order {
		if alike || sequenced || evenCounts(ranks, step, k) {
			out = append(out, byKey[k])
		}
	}
	return out
}

// sameSequence reports whether all ranks have the same collectives in the same
// order.
func sameSequence(ranks []Rank, step []stepOf) bool {
	for _, s := range step[1:] {
		if !slices.EqualFunc(step[0].spans, s.spans, func(a, b int) bool {
			x, y := &ranks[step[0].rank].Spans[a], &ranks[s.rank].Spans[b]
			return x.Kind == y.Kind && x.Comm == y.Comm
		}) {
			return false
		}
	}
	return true
}

// evenCounts reports whether all ranks that have a kind of collective in a
// communicator have as many of it.
func evenCounts(ranks []Rank, step []stepOf, k key) bool {
	counts := map[int]bool{}
	for _, s := range step {
		n := 0
		for _, i := range s.spans {
			if x := &ranks[s.rank].Spans[i]; x.Kind == k.kind && x.Comm == k.comm {
				n++
			}
		}
		if n > 0 {
			counts[n] = true
		}
	}
	return len(counts) == 1
}

// whole reports whether the members are all ranks of their communicator. Where
// its size is not recorded all ranks of the job must be there.
func (f found) whole(ranks []Rank, present, world int) bool {
	seen := map[int]bool{}
	size := 0
	for _, m := range f {
		if seen[m.rank] {
			return false // twice on a rank: something else than was thought
		}
		seen[m.rank] = true
		size = cmp.Or(size, ranks[m.rank].Spans[m.span].Ranks)
	}
	if size > 0 {
		return len(f) == size && size > 1
	}
	return len(f) > 1 && len(f) == present && (world == 0 || len(f) == world)
}

// together reports whether members on one host, whose clock they share, run at the same
// time: a collective does, and kernels that only stand at the same place of a step,
// with the edge of the step between them, do not.
func (f found) together(ranks []Rank, hosts []string) bool {
	if hosts == nil {
		return true
	}
	start, end := map[string]int64{}, map[string]int64{} // the last to begin and the first to end, by host
	for _, m := range f {
		s, h := &ranks[m.rank].Spans[m.span], hosts[m.rank]
		if s.UTC == 0 || h == "" {
			continue
		}
		began := s.UTC - (s.End - s.Start)
		if _, seen := end[h]; !seen {
			start[h], end[h] = began, s.UTC
			continue
		}
		start[h], end[h] = max(start[h], began), min(end[h], s.UTC)
	}
	for h := range end {
		if start[h] > end[h]+clockSlack {
			return false
		}
	}
	return true
}

// clockSlack is by how much the wall clocks of profilers on one host may differ, in ns.
const clockSlack = 1_000_000

// split gives each member its wait and the skew of all.
func (f found) split(ranks []Rank, splits [][]Split) {
	duration := func(m member) int64 {
		s := &ranks[m.rank].Spans[m.span]
		return s.End - s.Start
	}
	shortest, longest, last := duration(f[0]), duration(f[0]), f[0].rank
	for _, m := range f {
		if duration(m) < shortest {
			last = m.rank
		}
		shortest, longest = min(shortest, duration(m)), max(longest, duration(m))
	}
	for _, m := range f {
		splits[m.rank][m.span] = Split{Wait: duration(m) - shortest, Skew: longest - shortest, Last: last}
	}
}
