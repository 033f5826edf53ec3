package metric

// durationBufferSize is how many durations are kept before they are added up. So many stay in
// the processor's cache.
const durationBufferSize = 1 << 15

// durationBuffer keeps durations with the group that each belongs to, and hands them over group
// by group: what is known of hundreds of groups does not fit into the cache, so it should not
// be touched for each duration.
type durationBuffer struct {
	groups   []int32
	ns       []int64
	counts   []int32 // by group, of those that are gathered
	nonEmpty []int32 // groups of which some are
	sorted   []int64
}

// put keeps a duration. The buffer must not be full.
func (x *durationBuffer) put(group int32, ns int64) {
	for int(group) >= len(x.counts) {
		x.counts = append(x.counts, make([]int32, max(64, len(x.counts)))...)
	}
	if x.counts[group] == 0 {
		x.nonEmpty = append(x.nonEmpty, group)
	}
	x.counts[group]++
	x.groups, x.ns = append(x.groups, group), append(x.ns, ns)
}

func (x *durationBuffer) full() bool { return len(x.ns) >= durationBufferSize }

// flush calls do with the durations of each group, in the order in which they were put, and
// empties the buffer.
func (x *durationBuffer) flush(do func(group int32, ns []int64)) {
	if len(x.nonEmpty) == 1 {
		do(x.nonEmpty[0], x.ns)
	} else if len(x.nonEmpty) > 1 {
		x.sortByGroup()
		from := int32(0)
		for _, g := range x.nonEmpty { // counts are where each ends by now
			to := x.counts[g]
			do(g, x.sorted[from:to])
			from = to
		}
	}
	for _, g := range x.nonEmpty {
		x.counts[g] = 0
	}
	x.groups, x.ns, x.nonEmpty = x.groups[:0], x.ns[:0], x.nonEmpty[:0]
}

// sortByGroup puts the durations of each group next to each other.
func (x *durationBuffer) sortByGroup() {
	if cap(x.sorted) < len(x.ns) { // a small capture never gathers mostGathered
		x.sorted = make([]int64, max(len(x.ns), min(2*len(x.ns), durationBufferSize)))
	}
	sorted, sum := x.sorted[:len(x.ns)], int32(0)
	for _, g := range x.nonEmpty {
		sum, x.counts[g] = sum+x.counts[g], sum
	}
	for i, g := range x.groups {
		sorted[x.counts[g]] = x.ns[i]
		x.counts[g]++
	}
}
