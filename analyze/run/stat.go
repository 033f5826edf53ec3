package run

import (
	"cmp"
	"math"
	"math/bits"
	"slices"
	"strings"

	"perfdiff/analyze/trace"
)

// Table is one of the summaries that people know from nsys stats.
type Table string

// The summaries: cuda_gpu_kern_sum, cuda_gpu_mem_time_sum and cuda_gpu_mem_size_sum,
// cuda_api_sum, osrt_sum and nvtx_sum.
const (
	KernelTable Table = "kernels"
	MemoryTable Table = "memory operations"
	APITable    Table = "CUDA API"
	OSTable     Table = "OS runtime"
	RangeTable  Table = "ranges"
	// ProjectedTable is nvtx_gpu_proj_sum.
	ProjectedTable Table = "ranges on the device"
	// CollectiveTable and OperatorTable sum up what nsys stats does not: communication
	// kernels by collective, and the operators of a framework. They are of whole captures only.
	CollectiveTable Table = "collectives"
	OperatorTable   Table = "operators"
)

// Tables are all summaries in the order in which they are shown.
var Tables = []Table{KernelTable, CollectiveTable, MemoryTable, APITable, OSTable, RangeTable, OperatorTable, ProjectedTable}

// MostStats is how many names a rank keeps in each table: those with the most time.
const MostStats = 48

// Stat is one name in one table: what starts within the kept steps of a rank, or in its
// whole capture.
type Stat struct {
	Table                   Table
	Name                    string
	Count                   int64
	Total, Min, Max, Median int64   // ns
	Squares                 float64 // s2: sum of squared distances from the mean
	Bytes                   int64   // moved, of memory operations and collectives
	// Quartiles are the durations, in ns, that a quarter and three quarters of the calls
	// do not exceed; 0 where they are not kept.
	Quartiles [2]int64 `json:",omitzero"`
}

// Durations are those of one name on the way to a Stat. A rank has millions, and only
// their median needs more than sums: the first hundred are kept as they are, of more the
// bin of each, a thousandth of its size, and where those would take more room than the
// bins, how many are in each.
type Durations struct {
	count, total, min, max int64
	squares                float64 // of s, about the first
	first                  int64
	few                    []float32 // ns
	binned                 []uint16  // by binOf, in place of few
	bins                   []uint32  // by binOf less lowest, in place of binned
	lowest                 int
}

// mostFew is how many durations are kept as they are, mostBinned how many by their bin,
// and binBits the bits of a duration that tell its bin.
const (
	mostFew    = 128
	mostBinned = 1 << 14
	binBits    = 10
)

// binOf is the bin of a duration in ns: the smallest have one each, others share one
// with what has the same first eleven bits.
func binOf(ns int64) int {
	v := uint64(max(ns, 0))
	more := max(bits.Len64(v)-binBits-1, 0)
	return more<<binBits + int(v>>more)
}

// middleOf is the middle of a bin, in ns.
func middleOf(bin int) int64 {
	more := max(bin>>binBits-1, 0)
	low := int64(bin-more<<binBits) << more
	return low + (1<<more)/2
}

// Add counts a duration, in ns.
func (d *Durations) Add(ns int64) {
	if d.count == 0 {
		d.first, d.min, d.max = ns, ns, ns
	}
	d.count++
	d.total += ns
	d.min, d.max = min(d.min, ns), max(d.max, ns)
	away := float64(ns-d.first) * 1e-9
	d.squares += float64(away * away)
	switch {
	case d.bins != nil:
		d.bin(binOf(ns))
	case d.binned != nil && len(d.binned) < mostBinned:
		d.binned = append(d.binned, uint16(binOf(ns)))
	case d.count == 1: // first holds it as well
	case d.binned == nil && len(d.few) < mostFew:
		if d.count == 2 {
			d.few = append(d.few, float32(d.first))
		}
		d.few = append(d.few, float32(ns))
	default:
		d.condense(ns)
	}
}

// condense takes in a duration for which there is no room in few, or in binned.
func (d *Durations) condense(ns int64) {
	if d.binned == nil {
		d.binned = make([]uint16, 0, 4*mostFew)
		for _, x := range d.few {
			d.binned = append(d.binned, uint16(binOf(int64(x))))
		}
		d.few, d.binned = nil, append(d.binned, uint16(binOf(ns)))
		return
	}
	d.widen(binOf(d.min), binOf(d.max))
	for _, at := range d.binned {
		d.bin(int(at))
	}
	d.binned = nil
	d.bin(binOf(ns))
}

func (d *Durations) bin(at int) {
	if at < d.lowest || at >= d.lowest+len(d.bins) {
		d.widen(min(at, d.lowest), max(at, d.lowest+len(d.bins)-1))
	}
	d.bins[at-d.lowest]++
}

// widen makes room for the bins from low to high and some on both sides.
func (d *Durations) widen(low, high int) {
	some := max(64, (high-low)/8)
	low, high = max(0, low-some), high+some
	bins := make([]uint32, high-low+1)
	if len(d.bins) > 0 {
		copy(bins[d.lowest-low:], d.bins)
	}
	d.bins, d.lowest = bins, low
}

// nth is the duration that so many are not above, to a thousandth.
func (d *Durations) nth(nth int64) int64 {
	switch {
	case d.count == 1:
		return int64(float32(d.first))
	case d.binned != nil:
		return min(max(middleOf(nthBin(d.binned, int(nth))), d.min), d.max)
	case d.bins == nil:
		return int64(trace.Select(d.few, int(nth)))
	}
	for at, n := range d.bins {
		if nth -= int64(n); nth < 0 {
			return min(max(middleOf(d.lowest+at), d.min), d.max)
		}
	}
	return d.max
}

// nthBin is the bin that so many are not above: by its high byte, then by its low one.
func nthBin(binned []uint16, nth int) int {
	var high, low [256]int
	for _, at := range binned {
		high[at>>8]++
	}
	h := 0
	for ; nth >= high[h]; h++ {
		nth -= high[h]
	}
	for _, at := range binned {
		if int(at>>8) == h {
			low[at&0xff]++
		}
	}
	l := 0
	for ; nth >= low[l]; l++ {
		nth -= low[l]
	}
	return h<<8 + l
}

// Stat is the sum of them; the median, the lower one of two in the middle, is right to a
// thousandth.
func (d *Durations) Stat(table Table, name string) Stat {
	out := Stat{Table: table, Name: name, Count: d.count, Total: d.total, Min: d.min, Max: d.max}
	if d.count == 0 {
		return out
	}
	// About the mean: less the mean's own distance from the first.
	n := float64(d.count)
	away := (float64(d.total)/n - float64(d.first)) * 1e-9
	out.Squares = math.Max(0, d.squares-float64(n*float64(away*away)))
	out.Median = min(max(d.nth((d.count-1)/2), d.min), d.max)
	return out
}

// Spread is Stat with the quartiles.
func (d *Durations) Spread(table Table, name string) Stat {
	out := d.Stat(table, name)
	if n := d.count; n > 0 {
		out.Quartiles = [2]int64{d.nth((n - 1) / 4), d.nth(n - 1 - (n-1)/4)}
	}
	return out
}

// Most leaves the names with the most time of each table, in order of table and name.
func Most(all []Stat) []Stat {
	var kept []Stat
	all = contenders(all)
	n, order := 0, byTime(all, "")
	for i, p := range order {
		if i == 0 || p.table != order[i-1].table {
			n = 0
		}
		if n++; n <= MostStats {
			kept = append(kept, all[p.at])
		}
	}
	slices.SortFunc(kept, func(a, b Stat) int {
		return cmp.Or(strings.Compare(string(a.Table), string(b.Table)), strings.Compare(a.Name, b.Name))
	})
	return slices.Clip(kept)
}

// contenders leaves out, where there are many, what cannot be among the MostStats of its
// table.
func contenders(all []Stat) []Stat {
	if len(all) < 64*MostStats {
		return all
	}
	totals := map[Table][]int64{}
	for i := range all {
		totals[all[i].Table] = append(totals[all[i].Table], -all[i].Total)
	}
	least := map[Table]int64{}
	for table, of := range totals {
		least[table] = -trace.Select(of, min(MostStats, len(of))-1)
	}
	var out []Stat
	for i := range all {
		if all[i].Total >= least[all[i].Table] {
			out = append(out, all[i])
		}
	}
	return out
}

// ranked is the place of a stat in a list. A capture can have a hundred thousand stats,
// which are large: their places are put in order.
type ranked struct {
	total     int64
	at, table int32
	last      bool
}

// byTime are the places of stats in order of table, those with the most time first; what
// is called last comes behind the others of its table.
func byTime(all []Stat, last string) []ranked {
	var tables []Table
	for i := range all {
		if len(tables) == 0 || all[i].Table != tables[len(tables)-1] {
			tables = append(tables, all[i].Table)
		}
	}
	slices.Sort(tables)
	tables = slices.Compact(tables)
	order := make([]ranked, len(all))
	for i := range all {
		table, _ := slices.BinarySearch(tables, all[i].Table)
		order[i] = ranked{all[i].Total, int32(i), int32(table), last != "" && all[i].Name == last}
	}
	slices.SortFunc(order, func(a, b ranked) int {
		switch {
		case a.table != b.table:
			return cmp.Compare(a.table, b.table)
		case a.last != b.last:
			return compareBool(a.last, b.last)
		case a.total != b.total:
			return cmp.Compare(b.total, a.total)
		}
		return strings.Compare(all[a.at].Name, all[b.at].Name)
	})
	return order
}

// Plus is both together. The median and the quartiles are those of the one with more.
func (s Stat) Plus(t Stat) Stat {
	switch {
	case s.Count == 0:
		return t
	case t.Count == 0:
		return s
	}
	n, m := float64(s.Count), float64(t.Count)
	apart := (float64(t.Total)/m - float64(s.Total)/n) * 1e-9
	out := s
	out.Count, out.Total, out.Bytes = s.Count+t.Count, s.Total+t.Total, s.Bytes+t.Bytes
	out.Min, out.Max = min(s.Min, t.Min), max(s.Max, t.Max)
	out.Squares = s.Squares + t.Squares + float64(apart*apart*n*m/(n+m))
	if t.Count > s.Count {
		out.Median, out.Quartiles = t.Median, t.Quartiles
	}
	return out
}

// Deviation is the standard deviation of durations, in s.
func (s Stat) Deviation() float64 {
	if s.Count < 2 {
		return math.NaN()
	}
	return math.Sqrt(s.Squares / float64(s.Count-1))
}

// AddStats are the stats of two captures of a rank together.
func AddStats(a, b []Stat) []Stat { return Most(together(a, b)) }

// together are the stats of both lists, those of one table and name as one.
func together(a, b []Stat) []Stat {
	type key struct {
		table Table
		name  string
	}
	at, all := map[key]int{}, slices.Clone(a)
	for i, s := range all {
		at[key{s.Table, s.Name}] = i
	}
	for _, s := range b {
		if i, ok := at[key{s.Table, s.Name}]; ok {
			all[i] = all[i].Plus(s)
		} else {
			all = append(all, s)
		}
	}
	return all
}
