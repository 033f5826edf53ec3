package analyze

import (
	"cmp"
	"context"
	"slices"
	"strings"

	"perfdiff/analyze/run"
	"perfdiff/analyze/step"
	"perfdiff/analyze/trace"
)

// What steps are is chosen for both sides together: a capture's own best marker may be
// the range around a step on one side and the launch of a layer's kernel on the other.
// Most pairs agree at once. Where they do not, the files are read again, to list what
// could mark steps in each, and once more by what all of them have.

// mostLacking is the share of the captures of a run that may lack the marker: they have
// no steps then, and are named. Chosen, not measured: it is the share of a side that a
// gate lets be missing.
const mostLacking = 0.25

// members are the captures of one run on one side, by index of file and capture.
type members struct {
	side, run string
	of        []place
}

type place struct{ file, capture int }

// agree has all captures measured by one marker, if there is one that they share, else
// those of each side. fixed are the markers of the sides that are saved summaries; those
// of the history, opt.Past, are heeded where that is possible.
func agree(ctx context.Context, files []file, read []result, fixed []run.Marker, opt Options) error {
	if opt.Step.Range != nil || opt.Step.Kernel != nil {
		return nil
	}
	apart, lacking := disagree(read, fixed, opt.Past), lacks(files, read)
	if !apart && !lacking {
		return nil
	}
	lists, err := listUsable(ctx, files, read, opt)
	if err != nil {
		return err
	}
	if !apart {
		tell(read, lists)
		return nil
	}
	all := groups(files, read)
	want, ok := choose(all, lists, slices.Concat(fixed, opt.Past))
	if !ok {
		want, ok = choose(all, lists, fixed)
	}
	if ok {
		return remeasure(ctx, files, read, func(string) run.Marker { return want }, opt)
	}
	bySide := map[string]run.Marker{}
	for _, g := range all {
		if _, done := bySide[g.side]; !done {
			same := slices.DeleteFunc(slices.Clone(all), func(h members) bool { return h.side != g.side })
			bySide[g.side], _ = choose(same, lists, nil)
		}
	}
	err = remeasure(ctx, files, read, func(side string) run.Marker { return bySide[side] }, opt)
	tell(read, lists)
	return err
}

// tell adds what may mark steps to the receipts of the captures.
func tell(read []result, lists map[place]listing) {
	for p, l := range lists {
		if captures := read[p.file].captures; p.capture < len(captures) { // it was read again, and may have changed
			for i := range captures[p.capture].rank.Receipts {
				captures[p.capture].rank.Receipts[i].Candidates = l.told
			}
		}
	}
}

// disagree reports whether the captures' own best markers differ from each other, from
// those of summaries or from those of past runs. A capture without any is not asked.
func disagree(read []result, fixed, past []run.Marker) bool {
	var first run.Marker
	differs := func(m run.Marker) bool {
		if first == (run.Marker{}) {
			first = m
		}
		return m != (run.Marker{}) && m != first
	}
	for i := range read {
		for c := range read[i].captures {
			if differs(read[i].captures[c].by()) {
				return true
			}
		}
	}
	return slices.ContainsFunc(fixed, differs) || slices.ContainsFunc(past, differs)
}

// lacks reports whether one side has steps and another has none, so that people are to be
// told what could mark them on both.
func lacks(files []file, read []result) bool {
	found := map[string]bool{}
	for i := range read {
		for c := range read[i].captures {
			found[files[i].side] = found[files[i].side] || read[i].captures[c].by() != run.Marker{}
		}
	}
	with, without := false, false
	for _, has := range found {
		with, without = with || has, without || !has
	}
	return with && without
}

// by is what the capture's steps were found by.
func (c *capture) by() run.Marker {
	if len(c.rank.Receipts) == 0 {
		return run.Marker{}
	}
	return c.rank.Receipts[0].By
}

// listUsable reads all files for what may mark steps in their captures, the best first.
func listUsable(ctx context.Context, files []file, read []result, opt Options) (map[place]listing, error) {
	opt.list = true
	var which []int
	for i := range read {
		if len(read[i].captures) > 0 {
			which = append(which, i)
		}
	}
	more, err := readSome(ctx, files, which, opt)
	if err != nil {
		return nil, err
	}
	out := map[place]listing{}
	for at, i := range which {
		for c := range more[at].captures {
			out[place{i, c}] = more[at].captures[c].listing
		}
	}
	return out, nil
}

// readSome reads some of the files without telling anybody of their progress.
func readSome(ctx context.Context, files []file, which []int, opt Options) ([]result, error) {
	some := make([]file, len(which))
	for at, i := range which {
		some[at] = files[i]
		some[at].watch = nil
	}
	return readAll(ctx, some, opt)
}

// groups are the runs of both sides, in order of side and name. Captures without work
// of the device beside others with some are not asked: a process that only loads data
// has no steps.
func groups(files []file, read []result) []members {
	byName := map[[2]string]*members{}
	for i := range read {
		key := [2]string{files[i].side, files[i].run}
		for c := range read[i].captures {
			if byName[key] == nil {
				byName[key] = &members{side: key[0], run: key[1]}
			}
			byName[key].of = append(byName[key].of, place{i, c})
		}
	}
	var out []members
	for _, g := range byName {
		worked := slices.DeleteFunc(slices.Clone(g.of), func(p place) bool {
			s := read[p.file].captures[p.capture].rank.Spans
			return s.Kernels+s.Graphs == 0
		})
		if len(worked) > 0 {
			g.of = worked
		}
		out = append(out, *g)
	}
	slices.SortFunc(out, func(a, b members) int {
		return cmp.Or(strings.Compare(a.side, b.side), strings.Compare(a.run, b.run))
	})
	return out
}

// choose is the best marker that every group and every fixed one has: the one that
// stands highest in their lists together.
func choose(groups []members, lists map[place]listing, fixed []run.Marker) (run.Marker, bool) {
	place := map[run.Marker]float64{} // mean place in the lists, over groups
	for _, g := range groups {
		for _, p := range g.of {
			for _, m := range lists[p].usable {
				place[m] = 0
			}
		}
	}
	var best run.Marker
	found := false
	for m := range place {
		if slices.ContainsFunc(fixed, func(f run.Marker) bool { return f != m && f != (run.Marker{}) }) {
			continue
		}
		sum, ok := 0.0, true
		for _, g := range groups {
			mean, lacking := g.standing(lists, m)
			sum, ok = sum+mean, ok && lacking <= mostLacking
		}
		if place[m] = sum; ok && (!found || before(place, m, best)) {
			best, found = m, true
		}
	}
	return best, found
}

// before reports whether a stands before b, by place, kind and name.
func before(place map[run.Marker]float64, a, b run.Marker) bool {
	return cmp.Or(cmp.Compare(place[a], place[b]), strings.Compare(a.Kind, b.Kind), strings.Compare(a.Name, b.Name)) < 0
}

// standing is a marker's mean place in the lists of a group, and the share of its
// captures that lack it.
func (g *members) standing(lists map[place]listing, m run.Marker) (mean, lacking float64) {
	sum, have := 0, 0
	for _, p := range g.of {
		if at := slices.Index(lists[p].usable, m); at >= 0 {
			sum, have = sum+at, have+1
		}
	}
	return float64(sum) / float64(max(1, have)), 1 - float64(have)/float64(len(g.of))
}

// remeasure measures those files anew that were measured by another marker than their side's.
func remeasure(ctx context.Context, files []file, read []result, want func(side string) run.Marker, opt Options) error {
	which := map[run.Marker][]int{}
	for i := range read {
		m := want(files[i].side)
		if m != (run.Marker{}) && slices.ContainsFunc(read[i].captures, func(c capture) bool { return c.by() != m }) {
			which[m] = append(which[m], i)
		}
	}
	for m, list := range which {
		opt.Step.Marker = m
		more, err := readSome(ctx, files, list, opt)
		if err != nil {
			return err
		}
		for at, i := range list {
			read[i] = more[at]
		}
	}
	return nil
}

// markersOf are the distinct markers of a saved summary; none of one that does not say.
func markersOf(sets ...*run.Set) []run.Marker {
	var out []run.Marker
	for _, set := range sets {
		for i := range set.Runs {
			for j := range set.Runs[i].Ranks {
				for _, r := range set.Runs[i].Ranks[j].Receipts {
					if r.By != (run.Marker{}) && !slices.Contains(out, r.By) {
						out = append(out, r.By)
					}
				}
			}
		}
	}
	return out
}

// MarkersOf are what the steps of past runs were found by, for Options.Past.
func MarkersOf(past []*run.Set) []run.Marker { return markersOf(past...) }

// listing is what may mark the steps of a capture: what may be taken unnamed, the best
// first, and what people are told.
type listing struct {
	usable []run.Marker
	told   []run.Candidate
}

// listed is a capture of which only that is known.
func listed(t *trace.Trace) capture {
	usable, told := step.Markers(t)
	return capture{id: t.Identity, listing: listing{usable, told}}
}
