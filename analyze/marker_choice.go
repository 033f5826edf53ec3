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

// maxShareWithoutMarker is the largest share of a run's captures that may lack the marker the
// run is measured by. Those captures have no steps, and are named. Chosen, not measured: it is
// the share of a side that a gate lets be missing.
const maxShareWithoutMarker = 0.25

// runCaptures are the captures of one run on one side.
type runCaptures struct {
	side, run string
	captures  []captureIndex
}

// captureIndex is the place of a capture: the index of its file, and of the capture in that
// file.
type captureIndex struct{ file, capture int }

// agreeOnMarker makes sure that all captures are measured by one marker, if they have one in common, or else by one
// for each side. fixed holds the markers of sides that are saved summaries, which cannot be measured again. The
// markers of past runs, opt.Past, are preferred where possible.
func agreeOnMarker(ctx context.Context, files []file, read []result, fixed []run.Marker, opt Options) error {
	if opt.Step.Range != nil || opt.Step.Kernel != nil {
		return nil
	}
	apart, lacking := markersDiffer(read, fixed, opt.Past), oneSideLacksSteps(files, read, fixed)
	if !apart && !lacking {
		return nil
	}
	lists, err := listUsable(ctx, files, read, opt)
	if err != nil {
		return err
	}
	all := capturesByRun(files, read)
	want, ok := chooseMarker(all, lists, slices.Concat(fixed, opt.Past))
	if !ok {
		want, ok = chooseMarker(all, lists, fixed)
	}
	if !ok && !apart {
		addCandidates(read, lists)
		return nil
	}
	if ok {
		return remeasure(ctx, files, read, func(string) run.Marker { return want }, opt)
	}
	bySide := map[string]run.Marker{}
	for _, g := range all {
		if _, done := bySide[g.side]; !done {
			same := slices.DeleteFunc(slices.Clone(all), func(h runCaptures) bool { return h.side != g.side })
			bySide[g.side], _ = chooseMarker(same, lists, nil)
		}
	}
	err = remeasure(ctx, files, read, func(side string) run.Marker { return bySide[side] }, opt)
	addCandidates(read, lists)
	return err
}

// addCandidates adds the step candidates of each capture to its receipts.
func addCandidates(read []result, lists map[captureIndex]markerList) {
	for p, l := range lists {
		if captures := read[p.file].captures; p.capture < len(captures) { // it was read again, and may have changed
			for i := range captures[p.capture].rank.Receipts {
				captures[p.capture].rank.Receipts[i].Candidates = l.candidates
			}
		}
	}
}

// markersDiffer reports whether the captures were measured by different markers, or by others
// than summaries or past runs. A capture without a marker does not count.
func markersDiffer(read []result, fixed, past []run.Marker) bool {
	var first run.Marker
	differs := func(m run.Marker) bool {
		if first == (run.Marker{}) {
			first = m
		}
		return m != (run.Marker{}) && m != first
	}
	for i := range read {
		for c := range read[i].captures {
			if differs(read[i].captures[c].stepMarker()) {
				return true
			}
		}
	}
	return slices.ContainsFunc(fixed, differs) || slices.ContainsFunc(past, differs)
}

// oneSideLacksSteps reports whether one side has steps and another has none: then the report must say what could mark
// steps on both.
func oneSideLacksSteps(files []file, read []result, fixed []run.Marker) bool {
	found := map[string]bool{}
	if slices.ContainsFunc(fixed, func(m run.Marker) bool { return m != run.Marker{} }) {
		found["summary"] = true
	}
	for i := range read {
		for c := range read[i].captures {
			found[files[i].side] = found[files[i].side] || read[i].captures[c].stepMarker() != run.Marker{}
		}
	}
	with, without := false, false
	for _, has := range found {
		with, without = with || has, without || !has
	}
	return with && without
}

// stepMarker returns the marker by which the capture's steps were found.
func (c *capture) stepMarker() run.Marker {
	if len(c.rank.Receipts) == 0 {
		return run.Marker{}
	}
	return c.rank.Receipts[0].By
}

// listUsable reads the files again for the markers that their captures have, the best first.
func listUsable(ctx context.Context, files []file, read []result, opt Options) (map[captureIndex]markerList, error) {
	opt.listOnly = true
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
	out := map[captureIndex]markerList{}
	for at, i := range which {
		for c := range more[at].captures {
			out[captureIndex{i, c}] = more[at].captures[c].listing
		}
	}
	return out, nil
}

// readSome reads some of the files without counting their progress.
func readSome(ctx context.Context, files []file, which []int, opt Options) ([]result, error) {
	some := make([]file, len(which))
	for at, i := range which {
		some[at] = files[i]
		some[at].progress = nil
	}
	return readAll(ctx, some, opt)
}

// capturesByRun returns the captures of each run, in order of side and name. If some captures of a
// run have device work, those without are left out: a process that only loads data has no
// steps.
func capturesByRun(files []file, read []result) []runCaptures {
	byName := map[[2]string]*runCaptures{}
	for i := range read {
		key := [2]string{files[i].side, files[i].run}
		for c := range read[i].captures {
			if byName[key] == nil {
				byName[key] = &runCaptures{side: key[0], run: key[1]}
			}
			byName[key].captures = append(byName[key].captures, captureIndex{i, c})
		}
	}
	var out []runCaptures
	for _, g := range byName {
		worked := slices.DeleteFunc(slices.Clone(g.captures), func(p captureIndex) bool {
			s := read[p.file].captures[p.capture].rank.Spans
			return s.Kernels+s.Graphs == 0
		})
		if len(worked) > 0 {
			g.captures = worked
		}
		out = append(out, *g)
	}
	slices.SortFunc(out, func(a, b runCaptures) int {
		return cmp.Or(strings.Compare(a.side, b.side), strings.Compare(a.run, b.run))
	})
	return out
}

// chooseMarker returns the best marker that all runs and all fixed markers have in common: the one
// with the best mean place in the lists of the captures. One that repeats unevenly is had where any run has it evenly, or
// was measured by it.
func chooseMarker(groups []runCaptures, lists map[captureIndex]markerList, fixed []run.Marker) (run.Marker, bool) {
	place := map[run.Marker]float64{} // mean place in the lists, over groups
	for _, g := range groups {
		for _, p := range g.captures {
			for _, m := range lists[p].usable {
				place[m] = 0
			}
		}
	}
	for _, m := range fixed {
		if m != (run.Marker{}) {
			place[m] = 0
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
			mean, lacking := g.meanPlace(lists, m)
			sum, ok = sum+mean, ok && lacking <= maxShareWithoutMarker
		}
		if place[m] = sum; ok && (!found || ranksBefore(place, m, best)) {
			best, found = m, true
		}
	}
	return best, found
}

// ranksBefore reports whether marker a is better than b, by mean place, kind and name.
func ranksBefore(place map[run.Marker]float64, a, b run.Marker) bool {
	return cmp.Or(cmp.Compare(place[a], place[b]), strings.Compare(a.Kind, b.Kind), strings.Compare(a.Name, b.Name)) < 0
}

// meanPlace returns the mean place of a marker in the lists of a run's captures, and the share of
// its captures that lack it.
func (g *runCaptures) meanPlace(lists map[captureIndex]markerList, m run.Marker) (mean, lacking float64) {
	sum, have := 0, 0
	for _, p := range g.captures {
		if at := slices.Index(slices.Concat(lists[p].usable, lists[p].uneven), m); at >= 0 {
			sum, have = sum+at, have+1
		}
	}
	return float64(sum) / float64(max(1, have)), 1 - float64(have)/float64(len(g.captures))
}

// remeasure reads files again that were measured by another marker than want returns for their side.
func remeasure(ctx context.Context, files []file, read []result, want func(side string) run.Marker, opt Options) error {
	which := map[run.Marker][]int{}
	for i := range read {
		m := want(files[i].side)
		if m != (run.Marker{}) && slices.ContainsFunc(read[i].captures, func(c capture) bool { return c.stepMarker() != m }) {
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

// markersOf returns the markers in the receipts of sets, each once.
func markersOf(sets ...*run.Set) []run.Marker {
	var out []run.Marker
	for _, set := range sets {
		for k := range set.EachRank() {
			for _, r := range k.Receipts {
				if r.By != (run.Marker{}) && !slices.Contains(out, r.By) {
					out = append(out, r.By)
				}
			}
		}
	}
	return out
}

// MarkersOf returns the markers by which the steps of past runs were found, for Options.Past.
func MarkersOf(past []*run.Set) []run.Marker { return markersOf(past...) }

// markerList holds what may mark the steps of a capture, the best first, and the candidates that people are shown.
type markerList struct {
	usable     []run.Marker // without being named
	uneven     []run.Marker // that may be used where others have them
	candidates []run.Candidate
}

// listMarkers returns a capture with its markers and without measurements.
func listMarkers(t *trace.Trace) capture {
	usable, uneven, told := step.Markers(t)
	return capture{id: t.Identity, listing: markerList{usable, uneven, told}}
}
