package analyze

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"perfdiff/analyze/metric"
	"perfdiff/analyze/run"
	"perfdiff/analyze/trace"
)

// Merge joins sets that were measured separately. Their runs are repeats, or nodes of one run: as says which, or
// evidence does. The sets are not used afterwards. Where nodes are joined, values that are computed from the profiles
// of all ranks together (who waited for whom, clocks) are lost, and a warning says so.
func Merge(label string, sets []*run.Set, as Runs) *run.Set {
	out := mergedSet{joinSets(label, sets)}
	parts := make([]*setPart, len(out.Runs))
	for i := range out.Runs {
		parts[i] = partOf(&out.Runs[i])
	}
	g := groupParts("summaries", parts, as)
	out.Doubts = append(out.Doubts, g.doubts()...)
	var runs []run.Run
	for n, members := range g.runs {
		if len(members) == 1 {
			runs = append(runs, out.Runs[members[0]])
			continue
		}
		runs = append(runs, out.join(g.nameOf(n, parts, label), parts, members))
	}
	joined := len(runs) < len(out.Runs)
	if out.Runs = runs; joined {
		metric.RedescribeInseparable(out.Set)
	}
	sortDoubts(out.Set)
	out.Warnings = sortWarnings(out.Warnings)
	slices.SortStableFunc(out.Runs, func(a, b run.Run) int { return strings.Compare(a.Name, b.Name) })
	return out.Set
}

// joinSets makes one set of several, with all their runs.
func joinSets(label string, sets []*run.Set) *run.Set {
	out := &run.Set{Label: label, NotAsked: slices.Clone(sets[0].NotAsked)}
	var digests []string
	labels := map[string]bool{}
	for _, s := range sets {
		label := s.Label
		for labels[label] {
			label += "'" // two summaries of directories of one name: their files are not the same ones
		}
		labels[label] = true
		out.NotAsked = slices.DeleteFunc(out.NotAsked, func(n int) bool { return !slices.Contains(s.NotAsked, n) })
		for _, r := range s.Runs {
			for i := range r.Ranks { // as the files are called below
				files := slices.Clone(r.Ranks[i].Files)
				for j := range files {
					files[j] = label + "/" + files[j]
				}
				r.Ranks[i].Files = files
				if r.Folded && r.Ranks[i].Host != "" { // the numbers of another summary are of other hosts
					r.Ranks[i].Host += " of " + s.Digest[:min(6, len(s.Digest))]
				}
			}
			for i := range r.Clocks.Hosts {
				if h := &r.Clocks.Hosts[i]; r.Folded {
					h.Host += " of " + s.Digest[:min(6, len(s.Digest))]
				}
			}
			if r.Name == s.Label {
				r.Name = label
			} else {
				r.Name = label + "/" + r.Name
			}
			out.Runs = append(out.Runs, r)
		}
		for _, m := range s.Metrics {
			if !slices.ContainsFunc(out.Metrics, func(have run.Metric) bool { return have.Name == m.Name }) {
				out.Metrics = append(out.Metrics, m)
			}
		}
		for _, f := range s.Files {
			f.Name = label + "/" + f.Name
			out.Files = append(out.Files, f)
		}
		out.Warnings = append(out.Warnings, s.Warnings...)
		out.Doubts = append(out.Doubts, s.Doubts...)
		digests = append(digests, s.Digest)
	}
	slices.SortStableFunc(out.Runs, func(a, b run.Run) int { return strings.Compare(a.Name, b.Name) })
	slices.SortStableFunc(out.Files, func(a, b run.File) int { return strings.Compare(a.Name, b.Name) })
	slices.Sort(digests)
	out.Digest = combine(digests)
	out.Warnings = sortWarnings(out.Warnings)
	return out
}

// partOf returns a measured run as a part of a set.
func partOf(r *run.Run) *setPart {
	p := newPart(r.Name, "")
	for i := range r.Ranks {
		k := &r.Ranks[i]
		to := int64(0)
		if k.Began != 0 && k.Captured > 0 {
			to = k.Began + k.Captured
		}
		p.add(k, k.Began, to)
	}
	if r.Folded { // one name may be two hosts
		clear(p.hosts)
	}
	return p
}

// mergedSet is a set that is being joined from others.
type mergedSet struct{ *run.Set }

// join joins runs that are the nodes of one run. Ranks without a number, and numbers that count anew on each node, are
// renumbered. Of other ranks that occur twice the first is kept.
func (m mergedSet) join(name string, parts []*setPart, members []int) run.Run {
	out := run.Run{Name: name, Origin: m.Runs[members[0]].Origin}
	var apart []run.Clocks
	seen, first := map[int]string{}, 0
	anew := numbersAgain(m.Set, members)
	for _, i := range members {
		r := &m.Runs[i]
		if r.Origin != out.Origin { // nodes of one run that say different things of it
			out.Origin = run.Origin{}
		}
		out.Folded, out.Apart = out.Folded || r.Folded, out.Apart || r.Apart
		next := first
		apart = append(apart, r.Clocks)
		for _, k := range r.Ranks {
			if anew {
				k.Rank, k.RankFrom = first+max(k.Rank, 0), trace.RankGuessed
				next = max(next, k.Rank+1)
			}
			if in, ok := seen[k.Rank]; ok && k.Rank >= 0 {
				m.warn(fmt.Sprintf("rank %d of %s is in %s already; left out", k.Rank, r.Name, in))
				continue
			}
			seen[k.Rank] = r.Name
			out.Ranks = append(out.Ranks, k)
		}
		if first = next; out.Excerpts == nil {
			out.Excerpts = r.Excerpts
		}
	}
	slices.SortStableFunc(out.Ranks, func(a, b run.Rank) int { return cmp.Compare(a.Rank, b.Rank) })
	if anew {
		m.warn(fmt.Sprintf("the ranks of %s are numbered on in order of name, since their numbers count anew in each",
			partNames(parts, members, 8, ", ")))
	}
	out.Clocks = metric.JoinNodes(out.Ranks, apart)
	m.warn(fmt.Sprintf("%s are the nodes of one run, put together from their summaries: who waited for whom in collectives "+
		"is not known, and timelines are those of the first (summarize all nodes together)", partNames(parts, members, 8, ", ")))
	return out
}

func (m mergedSet) warn(text string) { m.Warnings = append(m.Warnings, trace.Warning{Text: text}) }

// numbersAgain reports whether runs of one job share rank numbers that no profile states itself.
func numbersAgain(set *run.Set, members []int) bool {
	seen := map[int]bool{}
	for _, i := range members {
		var own []int
		for _, k := range set.Runs[i].Ranks {
			weak := trace.RankIsWeak(k.RankFrom)
			if weak && seen[k.Rank] {
				return true
			}
			own = append(own, k.Rank)
		}
		for _, n := range own {
			seen[n] = true
		}
	}
	return false
}

// mergeNodes joins sets of a history that are surely nodes of one run, so that they count as one.
func mergeNodes(sets []*run.Set, as Runs) []*run.Set {
	var parts []*setPart
	var at []int
	for i, s := range sets {
		if len(s.Runs) == 1 {
			parts, at = append(parts, partOf(&s.Runs[0])), append(at, i)
		}
	}
	g := groupParts("summaries", parts, RunsByEvidence)
	if g.contradicts || g.ranksUnknown || as == RunsAsRepeats {
		return sets
	}
	drop := map[int]bool{}
	for _, members := range g.runs {
		if len(members) < 2 {
			continue
		}
		var of []*run.Set
		var names []string
		for _, n := range members {
			of, names = append(of, sets[at[n]]), append(names, sets[at[n]].Label)
			drop[at[n]] = true
		}
		first := at[members[0]]
		place := sets[first].Place
		sets[first], drop[first] = Merge(strings.Join(names, "+"), of, RunsAsNodes), false
		sets[first].Place = place
	}
	var out []*run.Set
	for i, s := range sets {
		if !drop[i] {
			out = append(out, s)
		}
	}
	return out
}
