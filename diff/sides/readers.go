package sides

import (
	"fmt"
	"slices"

	"perfdiff/analyze/run"
)

// readers are who reads in each run of a side.
type readers struct {
	side   *Side
	groups [][]*readerGroup // by run: its nodes
}

// readerGroup holds the ranks of a node, with the node's counters and the ranks' own accesses.
type readerGroup struct {
	ranks   []int // numbers of those that are compared, in order
	counted *Rank // that has the counters of the node; nil none
	out     bool  // its counters do not enter
	filed   []*Rank
	left    map[int]bool // numbers of ranks whose accesses do not enter; nil: all do
}

func ofReads(s *Side) *readers {
	of := &readers{side: s}
	steps, has := false, (*Rank).inCapture
	s.EachRank(func(k *Rank) { steps = steps || k.inSeries(run.SourceStorage) || k.inSeries(run.SourceFiles) })
	if steps {
		has = (*Rank).inSeries
	}
	for _, r := range s.Runs {
		nodes := map[string]*readerGroup{}
		for _, k := range r.Ranks {
			g := nodes[k.Host]
			if g == nil {
				g = &readerGroup{}
				nodes[k.Host] = g
			}
			if has(k, run.SourceStorage) && g.counted == nil {
				g.counted = k
			}
			if k.OnOneSideOnly {
				continue
			}
			if g.ranks = append(g.ranks, k.Rank.Rank); has(k, run.SourceFiles) {
				g.filed = append(g.filed, k)
			}
		}
		var groups []*readerGroup
		for _, host := range SortedKeys(nodes) {
			if g := nodes[host]; len(g.ranks) > 0 {
				slices.Sort(g.ranks)
				groups = append(groups, g)
			}
		}
		of.groups = append(of.groups, groups)
	}
	return of
}

// inSeries and inCapture report whether a rank has a source in its steps, or in the whole capture, which is all that a
// rank without steps has.
func (k *Rank) inSeries(source string) bool {
	return slices.ContainsFunc(k.Series, func(s run.Series) bool { return s.Source == source && s.Values != nil })
}

func (k *Rank) inCapture(source string) bool {
	if read, write := k.Activity.Moved(source); read != nil || write != nil {
		return true
	}
	if k.Whole == nil {
		return false
	}
	_, _, ok := k.Whole.Moved(source)
	return ok
}

// each calls f for every group of every run.
func (of *readers) each(f func(*readerGroup)) {
	for _, groups := range of.groups {
		for _, g := range groups {
			f(g)
		}
	}
}

// any and all report whether some, or all nodes, or ranks, have a source.
func (of *readers) any(source string) (any bool) {
	of.each(func(g *readerGroup) { any = any || g.amount(source) > 0 })
	return any
}

func (of *readers) all(source string) bool {
	all, n := true, 0
	of.each(func(g *readerGroup) {
		n++
		all = all && (source == run.SourceStorage && g.counted != nil || source == run.SourceFiles && len(g.filed) == len(g.ranks))
	})
	return all && n > 0
}

func (g *readerGroup) amount(source string) int {
	switch {
	case source == run.SourceFiles:
		return len(g.filed)
	case g.counted != nil:
		return 1
	}
	return 0
}

func (of *readers) none() bool { return !of.any(run.SourceStorage) && !of.any(run.SourceFiles) }

// has returns the sources of a side, the best first.
func (of *readers) has() (have []string) {
	for _, source := range []string{run.SourceStorage, run.SourceFiles} {
		if of.any(source) {
			have = append(have, source)
		}
	}
	return have
}

// best returns the source for a side that has no other side to share one with.
func (of *readers) best() string {
	if have := of.has(); len(have) > 0 {
		return have[0]
	}
	return ""
}

// shareOf keeps on both sides only the nodes, or the ranks, that have a source in every run, and reports whether any
// are left.
func (of *readers) shareOf(source string, other *readers) bool {
	shared, first := map[string]bool{}, true
	for _, side := range []*readers{of, other} {
		for _, groups := range side.groups {
			has := map[string]bool{}
			for _, g := range groups {
				for _, name := range g.names(source) {
					has[name] = first || shared[name]
				}
			}
			shared, first = has, false
		}
	}
	left := 0
	for _, in := range shared {
		if in {
			left++
		}
	}
	if left == 0 {
		return false
	}
	for _, side := range []*readers{of, other} {
		side.each(func(g *readerGroup) { g.leave(source, shared) })
	}
	return true
}

// names tell nodes, or ranks, with a source from others, on both sides alike: a node is
// known by its ranks, since a job runs on other hosts the next time.
func (g *readerGroup) names(source string) (out []string) {
	switch {
	case source == run.SourceStorage && g.counted != nil:
		return []string{fmt.Sprint(g.ranks)}
	case source == run.SourceFiles:
		for _, k := range g.filed {
			out = append(out, fmt.Sprint(k.Rank.Rank))
		}
	}
	return out
}

// leave sets aside what is not shared.
func (g *readerGroup) leave(source string, shared map[string]bool) {
	if source == run.SourceStorage {
		g.out = !shared[fmt.Sprint(g.ranks)]
		return
	}
	g.left = map[int]bool{}
	for _, k := range g.filed {
		if !shared[fmt.Sprint(k.Rank.Rank)] {
			g.left[k.Rank.Rank] = true
		}
	}
}

// keep leaves the series of a source in the ranks that enter, and none of another.
func (of *readers) keep(source string) {
	enters := map[*Rank]bool{}
	of.each(func(g *readerGroup) {
		if source == run.SourceStorage && g.counted != nil && !g.out {
			enters[g.counted] = true
		}
		for _, k := range g.filed {
			if source == run.SourceFiles && !g.left[k.Rank.Rank] {
				enters[k] = true
			}
		}
	})
	type kept struct {
		from   *SeriesIndex
		enters bool
	}
	made := map[kept]*SeriesIndex{} // so that ranks that share an index share what is left of it
	of.side.EachRank(func(k *Rank) {
		k.ReadsEnter = enters[k]
		at := kept{k.Index, enters[k]}
		if made[at] == nil {
			made[at] = k.indexFrom(source, enters[k])
		}
		k.Index = made[at]
	})
}

// sourceOf returns which of the sources of reads a series comes from; "" for a series without one.
func sourceOf(s *run.Series) string {
	if s.Source == run.SourceStorage || s.Source == run.SourceFiles || s.Source == run.SourceCopies {
		return s.Source
	}
	return ""
}

// indexFrom returns the index with only one source's series of those that have a source; the index itself if none has
// one.
func (k *Rank) indexFrom(source string, enters bool) *SeriesIndex {
	out, any := make(SeriesIndex, len(*k.Index)), false
	for key, i := range *k.Index {
		if sourceOf(&k.Series[i]) != "" {
			any = true
			continue
		}
		out[key] = i
	}
	if !any {
		return k.Index
	}
	for i := range k.Series {
		if s := &k.Series[i]; enters && source != "" && s.Source == source {
			_, kept := (*k.Index)[s.Key] // a loss of file accesses costs no counters
			if kept || source == run.SourceStorage {
				out[s.Key] = i
			}
		}
	}
	return &out
}

// count returns how many nodes' counters enter and how many nodes were captured, the most of a run.
func (of *readers) count() (nodes, captured int) {
	for i := range of.groups {
		n, all := of.countOf(i)
		nodes, captured = max(nodes, n), max(captured, all)
	}
	return nodes, captured
}

func (of *readers) countOf(i int) (nodes, captured int) {
	for _, g := range of.groups[i] {
		if g.counted != nil && !g.out {
			nodes++
		}
	}
	return nodes, len(of.groups[i])
}
