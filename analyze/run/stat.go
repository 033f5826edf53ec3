package run

import (
	"cmp"
	"math"
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
)

// Tables are all summaries in the order in which they are shown.
var Tables = []Table{KernelTable, MemoryTable, APITable, OSTable, RangeTable, ProjectedTable}

// MostStats is how many names a rank keeps in each table: those with the most time.
const MostStats = 48

// Stat is one name in one table: what starts within the kept steps of a rank.
type Stat struct {
	Table                   Table
	Name                    string
	Count                   int64
	Total, Min, Max, Median int64   // ns
	Squares                 float64 // s2: sum of squared distances from the mean
	Bytes                   int64   // moved, of memory operations
}

// Durations are those of one name on the way to a Stat. They are kept in four bytes
// each, since only their median needs them: a rank has millions.
type Durations struct {
	count, total, min, max int64
	squares                float64 // of s, about the first
	first                  int64
	all                    []float32 // ns
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
	d.all = append(d.all, float32(ns))
}

// Stat is the sum of them; the median is right to seven digits.
func (d *Durations) Stat(table Table, name string) Stat {
	out := Stat{Table: table, Name: name, Count: d.count, Total: d.total, Min: d.min, Max: d.max}
	if d.count == 0 {
		return out
	}
	// About the mean: less the mean's own distance from the first.
	n := float64(d.count)
	away := (float64(d.total)/n - float64(d.first)) * 1e-9
	out.Squares = math.Max(0, d.squares-float64(n*float64(away*away)))
	out.Median = min(max(int64(trace.Select(d.all, int(d.count-1)/2)), d.min), d.max)
	return out
}

// Most leaves the names with the most time of each table, in order of table and name.
func Most(all []Stat) []Stat {
	slices.SortFunc(all, func(a, b Stat) int {
		return cmp.Or(strings.Compare(string(a.Table), string(b.Table)), cmp.Compare(b.Total, a.Total), strings.Compare(a.Name, b.Name))
	})
	kept, n := all[:0], 0
	for i, s := range all {
		if i == 0 || s.Table != all[i-1].Table {
			n = 0
		}
		if n++; n <= MostStats {
			kept = append(kept, s)
		}
	}
	slices.SortFunc(kept, func(a, b Stat) int {
		return cmp.Or(strings.Compare(string(a.Table), string(b.Table)), strings.Compare(a.Name, b.Name))
	})
	return slices.Clip(kept)
}

// Plus is both together. The median is that of the one with more.
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
		out.Median = t.Median
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
func AddStats(a, b []Stat) []Stat {
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
	return Most(all)
}
