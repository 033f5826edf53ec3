package metric

// mostGathered is how many durations are gathered before they are added up: as many as stay
// in the processor's cache.
const mostGathered = 1 << 15

// gathered are durations with the group that each belongs to. They are put together by group
// before they are added up, since what is known of hundreds of names is too much to be
// touched for each duration.
type gathered struct {
	groups  []int32
	ns      []int64
	counts  []int32 // by group, of those that are gathered
	touched []int32 // groups of which some are
	sorted  []int64
}

// put takes a duration. There must be room for it, see full.
func (x *gathered) put(group int32, ns int64) {
	for int(group) >= len(x.counts) {
		x.counts = append(x.counts, make([]int32, max(64, len(x.counts)))...)
	}
	if x.counts[group] == 0 {
		x.touched = append(x.touched, group)
	}
	x.counts[group]++
	x.groups, x.ns = append(x.groups, group), append(x.ns, ns)
}

func (x *gathered) full() bool { return len(x.ns) >= mostGathered }

// each hands over the durations of each group, in the order in which they were put, and
// forgets them.
func (x *gathered) each(do func(group int32, ns []int64)) {
	if len(x.touched) == 1 {
		do(x.touched[0], x.ns)
	} else if len(x.touched) > 1 {
		x.sort()
		from := int32(0)
		for _, g := range x.touched { // counts are where each ends by now
			to := x.counts[g]
			do(g, x.sorted[from:to])
			from = to
		}
	}
	for _, g := range x.touched {
		x.counts[g] = 0
	}
	x.groups, x.ns, x.touched = x.groups[:0], x.ns[:0], x.touched[:0]
}

// sort puts durations together by group.
func (x *gathered) sort() {
	if cap(x.sorted) < len(x.ns) { // a small capture never gathers mostGathered
		x.sorted = make([]int64, max(len(x.ns), min(2*len(x.ns), mostGathered)))
	}
	sorted, sum := x.sorted[:len(x.ns)], int32(0)
	for _, g := range x.touched {
		sum, x.counts[g] = sum+x.counts[g], sum
	}
	for i, g := range x.groups {
		sorted[x.counts[g]] = x.ns[i]
		x.counts[g]++
	}
}
