package metric

// durationBufferSize is how many durations are kept before they are added up. So many stay in
// the processor's cache.
const durationBufferSize = 1 << 15

// durationBuffer keeps durations with the group that each belongs to, and hands them over group
// by group: what is known of hundreds of groups does not fit into the cache, so it should not
// be touched for each duration.
type durationBuffer struct {
	groups   []int32 // of a fixed length, as ns
	ns       []int64
	n        int     // so many are kept
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
	if x.n == len(x.ns) {
		x.grow()
	}
	x.groups[x.n], x.ns[x.n] = group, ns
	x.n++
}

// grow makes room for more durations. A small capture never fills a whole buffer.
func (x *durationBuffer) grow() {
	n := min(max(1<<10, 8*len(x.ns)), durationBufferSize)
	x.groups = append(x.groups, make([]int32, n-len(x.groups))...)
	x.ns = append(x.ns, make([]int64, n-len(x.ns))...)
}

// flush calls do with the durations of each group, in the order in which they were put, and
// empties the buffer.
func (x *durationBuffer) flush(do func(group int32, ns []int64)) {
	if len(x.nonEmpty) == 1 {
		do(x.nonEmpty[0], x.ns[:x.n])
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
	x.n, x.nonEmpty = 0, x.nonEmpty[:0]
}

// sortByGroup puts the durations of each group next to each other.
func (x *durationBuffer) sortByGroup() {
	if len(x.sorted) < len(x.ns) {
		x.sorted = make([]int64, len(x.ns))
	}
	sorted, counts, sum := x.sorted[:x.n], x.counts, int32(0)
	for _, g := range x.nonEmpty {
		sum, counts[g] = sum+counts[g], sum
	}
	all := x.ns[:x.n]
	for i, g := range x.groups[:x.n] {
		at := counts[g]
		sorted[at] = all[i]
		counts[g] = at + 1
	}
}
