package step

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"perfdiff/analyze/source/remedy"
	"perfdiff/analyze/trace"
)

// A range that the capture's end cut off has no end, and neither has one that the program
// began and never ended: range_push without range_pop. One of the first kind is the last of its
// name on its thread. Those of the other kind reach to the end of the capture, over all that
// begin after them, and do not tell which work was done in them: they mark no steps. To end each
// at the next one was rejected: where a range_pop is missing, another one's range_pop ends the
// ranges that do end, and nothing says which.

// maxOpenFamilies is how many names of ranges without an end are looked at, the first ones.
// Chosen, not measured: a program marks its steps by one or two.
const maxOpenFamilies = 16

// openFamily holds the ranges of one folded name on one thread, some of which have no end.
type openFamily struct {
	name, stem string // stem: what is in front of the first digit
	thread     int32
	numbered   bool // the name is that of numbered steps
	all        int
	open       []int32 // those without an end, by their place in the trace, in order of start
}

// unended returns the ranges that were never ended. The last range of a name does not count if others have ended,
// since the end of the capture may have cut it off. Without a step's number in the name, fewer than minRepeats do not
// count: they may be nested in each other at the end of the capture.
func (f *openFamily) unended(lastIsOpen bool) []int32 {
	out := f.open
	if lastIsOpen && len(f.open) < f.all {
		out = out[:len(out)-1]
	}
	if f.all == 1 || !f.numbered && len(out) < minRepeats {
		return nil
	}
	return out
}

// openFamilies returns the families of ranges without an end, before anything is counted.
func openFamilies(t *trace.Trace) []*openFamily {
	var all []*openFamily
	for i := range t.Ranges {
		r := &t.Ranges[i]
		if !r.Open || len(all) == maxOpenFamilies {
			continue
		}
		text := t.Names.Text(r.Name)
		numbered, folded := profilerStep.MatchString(text) || mayBeNumberedStep(text), FoldName(text)
		if (numbered || folded == text) &&
			!slices.ContainsFunc(all, func(f *openFamily) bool { return f.name == folded && f.thread == r.Thread }) {
			stem := text[:max(0, strings.IndexAny(text+"0", "0123456789"))]
			all = append(all, &openFamily{name: folded, stem: stem, thread: r.Thread, numbered: numbered})
		}
	}
	return all
}

// withoutUnended returns t without ranges that were begun and never ended, and a warning about them; t itself and ""
// where there are none. t, whose ranges must be sorted, is not changed.
func withoutUnended(t *trace.Trace) (*trace.Trace, string) {
	all := openFamilies(t)
	if len(all) == 0 {
		return t, ""
	}
	last := make([]int32, len(all))
	for i := range t.Ranges {
		r := &t.Ranges[i]
		text := t.Names.Text(r.Name)
		for k, f := range all {
			if r.Thread == f.thread && strings.HasPrefix(text, f.stem) && FoldName(text) == f.name {
				f.all++
				last[k] = int32(i)
				if r.Open {
					f.open = append(f.open, int32(i))
				}
			}
		}
	}
	var never []int32
	for k, f := range all {
		f.open = f.unended(t.Ranges[last[k]].Open)
		never = append(never, f.open...)
	}
	if len(never) == 0 {
		return t, ""
	}
	return withoutRanges(t, never), unendedText(slices.MinFunc(all, compareUnended), t.Profiler)
}

// compareUnended puts the family first that the warning names: one of steps before others, then the one with most
// ranges that were never ended.
func compareUnended(a, b *openFamily) int {
	steps := func(f *openFamily) bool { return f.numbered && len(f.open) > 0 }
	switch {
	case steps(a) && !steps(b):
		return -1
	case steps(b) && !steps(a):
		return 1
	}
	return cmp.Or(cmp.Compare(len(b.open), len(a.open)), strings.Compare(a.name, b.name), cmp.Compare(a.thread, b.thread))
}

// withoutRanges returns t without some ranges.
func withoutRanges(t *trace.Trace, places []int32) *trace.Trace {
	slices.Sort(places)
	out := *t
	out.Ranges = make([]trace.Range, 0, len(t.Ranges)-len(places))
	for i, r := range t.Ranges {
		if _, found := slices.BinarySearch(places, int32(i)); !found {
			out.Ranges = append(out.Ranges, r)
		}
	}
	return &out
}

// unendedText says how many ranges of a family were never ended, with the remedy for the profiler
// that recorded them.
func unendedText(f *openFamily, p trace.Profiler) string {
	have, also := "ranges named %q have no end", ""
	if len(f.open) == 1 {
		have = "range named %q has no end"
	}
	if f.numbered {
		also = remedy.Of(remedy.MarkStepsAsWell).Of(p)
	}
	return fmt.Sprintf("%d "+have+" (push without pop): ", len(f.open), f.name) + remedy.Of(remedy.EndRanges).Of(p) + also
}
