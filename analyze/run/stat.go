package run

import (
	"cmp"
	"math"
	"slices"
	"strings"

	"perfdiff/analyze/order"
)

// Table is the name of a table that people know from nsys stats.
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

// Tables are all tables in the order in which they are shown.
var Tables = []Table{KernelTable, CollectiveTable, MemoryTable, APITable, OSTable, RangeTable, OperatorTable, ProjectedTable}

// MaxStats is how many names a rank keeps in each table: those with the most time.
const MaxStats = 48

// Stat is one name in one table: what starts within the kept steps of a rank, or in its whole
// capture.
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

// TopStats returns the MaxStats names of each table with the most time, in order of table and name.
func TopStats(all []Stat) []Stat { return topStats(possibleTop(all), MaxStats, "") }

// topStats returns the names of each table with the most time, and one row called others for all others, which are left
// out where that is "".
func topStats(all []Stat, most int, others string) []Stat {
	n, order := 0, orderByTime(all, others)
	room := most
	if others != "" {
		room++
	}
	out := emptyList(order, room)
	for i, p := range order {
		s := all[p.at]
		if i == 0 || p.table != order[i-1].table {
			n = 0
		}
		if n++; n > most {
			s.Name = others
		}
		last := len(out) - 1
		switch {
		case n > most && others == "":
		case others != "" && s.Name == others && last >= 0 && out[last].Table == s.Table && out[last].Name == others:
			out[last] = out[last].Plus(s)
		default:
			out = append(out, s)
		}
	}
	slices.SortFunc(out, func(a, b Stat) int {
		return cmp.Or(strings.Compare(string(a.Table), string(b.Table)), strings.Compare(a.Name, b.Name))
	})
	return out
}

// possibleTop leaves out stats that cannot be among the MaxStats of their table, if there are
// many.
func possibleTop(all []Stat) []Stat {
	if len(all) < 64*MaxStats {
		return all
	}
	totals := map[Table][]int64{}
	for i := range all {
		totals[all[i].Table] = append(totals[all[i].Table], -all[i].Total)
	}
	least := map[Table]int64{}
	for table, of := range totals {
		least[table] = -order.Select(of, min(MaxStats, len(of))-1)
	}
	var out []Stat
	for i := range all {
		if all[i].Total >= least[all[i].Table] {
			out = append(out, all[i])
		}
	}
	return out
}

// statPlace is the index of a stat with what it is sorted by. A capture can have a hundred
// thousand stats, which are large: their indices are sorted in their place.
type statPlace struct {
	total     int64
	at, table int32
	last      bool
}

// orderByTime sorts stats by table, then by time, the longest first. In each table the one named last, if there is
// one, comes after the others.
func orderByTime(all []Stat, last string) []statPlace {
	var tables []Table
	for i := range all {
		if len(tables) == 0 || all[i].Table != tables[len(tables)-1] {
			tables = append(tables, all[i].Table)
		}
	}
	slices.Sort(tables)
	tables = slices.Compact(tables)
	order := make([]statPlace, len(all))
	for i := range all {
		table, _ := slices.BinarySearch(tables, all[i].Table)
		order[i] = statPlace{all[i].Total, int32(i), int32(table), last != "" && all[i].Name == last}
	}
	slices.SortFunc(order, func(a, b statPlace) int {
		switch {
		case a.table != b.table:
			return cmp.Compare(a.table, b.table)
		case a.last != b.last:
			return CompareBool(a.last, b.last)
		case a.total != b.total:
			return cmp.Compare(b.total, a.total)
		}
		return strings.Compare(all[a.at].Name, all[b.at].Name)
	})
	return order
}

// emptyList returns an empty list with room for at most most elements of each table; nil if there are none.
func emptyList(order []statPlace, most int) []Stat {
	room, n := 0, 0
	for i, p := range order {
		if i == 0 || p.table != order[i-1].table {
			n = 0
		}
		if n++; n <= most {
			room++
		}
	}
	if room == 0 {
		return nil
	}
	return make([]Stat, 0, room)
}

// Plus returns both together. The median and the quartiles are those of the one with more calls.
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

// Deviation returns the standard deviation of the durations, in s.
func (s Stat) Deviation() float64 {
	if s.Count < 2 {
		return math.NaN()
	}
	return math.Sqrt(s.Squares / float64(s.Count-1))
}

// JoinStats returns the stats of two captures of a rank together: TopStats of mergeStats.
func JoinStats(a, b []Stat) []Stat { return TopStats(mergeStats(a, b)) }

// mergeStats adds up stats of one table and name.
func mergeStats(a, b []Stat) []Stat {
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
