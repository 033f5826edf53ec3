package store

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"time"

	"perfdiff/analyze/order"
	"perfdiff/analyze/run"
	"perfdiff/analyze/trace"
)

// Entry is one run of a store: a summary.
type Entry struct {
	Name    string // the file's name without its extension, which is the label of the set
	File    string // in the directory
	Size    int64  // bytes
	Number  int64  // of saving; 0: a run of a store as it was before, or put there by hand
	Saved   int64  // UTC ns, as the machine's clock said; 0 unknown
	Began   int64  // when the first of its captures began, UTC ns, likewise; 0: not all of its runs say it
	Future  bool   // Saved or Began is more than a day from now: it counts for nothing
	Origin  run.Origin
	Branch  string
	Hosts   []string // in order
	GPU     string   // the models of its devices
	Driver  string
	Job     string   // what must be alike for runs to be compared: devices, ranks and what marks steps
	Digest  string   // of its content, where a store saved it
	Events  []string // digests of the events that the store held then
	Damaged *Finding // nil: it was read
	Set     *run.Set // nil: it cannot be read, or was not kept

	name fileName
}

// describe fills in what a set says of itself.
func (e *Entry) describe(set *run.Set) {
	if k := set.Kept; k != nil {
		e.Number, e.Saved, e.Branch, e.Digest, e.Events = k.Number, k.Saved, k.Branch, k.Digest, k.Events
	} else {
		e.Number, e.Saved = 0, 0 // a name alone is no number: anybody may have given it
	}
	e.Began = firstCapture(set)
	if len(set.Runs) > 0 {
		e.Origin = set.Runs[0].Origin
	}
	var sizes, ranks []int
	var markers []string
	var gpus []string
	for k := range set.EachRank() {
		e.Hosts, gpus = append(e.Hosts, k.Host), append(gpus, k.Fact(trace.FactGPU))
		e.Driver = cmp.Or(e.Driver, k.Fact(trace.FactDriver))
		sizes, ranks = append(sizes, k.WorldSize), append(ranks, k.Rank)
		for _, r := range k.Receipts {
			markers = append(markers, r.Marker)
		}
	}
	e.Hosts = distinct(e.Hosts)
	e.GPU = strings.Join(distinct(gpus), ", ")
	e.Job = jobOf(e.GPU, distinct(sizes), distinct(ranks), distinct(markers))
}

// jobOf returns what tells jobs apart, as people read it.
func jobOf(gpu string, sizes, ranks []int, markers []string) string {
	text := fmt.Sprintf("%d ranks", len(ranks))
	if len(ranks) == 1 {
		text = "1 rank"
	}
	if n := len(ranks); n > 0 && ranks[n-1]-ranks[0] != n-1 || n > 0 && ranks[0] > 0 {
		text += fmt.Sprintf(" from %d to %d", ranks[0], ranks[n-1])
	}
	if n := len(sizes); n > 0 && sizes[n-1] != len(ranks) {
		text += fmt.Sprintf(" of %d", sizes[n-1])
	}
	for _, more := range []string{gpu, strings.Join(markers, ", ")} {
		if more != "" {
			text += ", " + more
		}
	}
	return text
}

// distinct returns the values, each once, in order, without the empty text.
func distinct[T cmp.Ordered](all []T) []T {
	all = slices.DeleteFunc(slices.Clone(all), func(v T) bool { return any(v) == any("") })
	slices.Sort(all)
	return slices.Compact(all)
}

// firstCapture returns when the first capture of a set began, UTC ns; 0 if one of its runs does not say.
func firstCapture(set *run.Set) (first int64) {
	for i := range set.Runs {
		began := int64(0)
		for j := range set.Runs[i].Ranks {
			if at := set.Runs[i].Ranks[j].Began; at != 0 && (began == 0 || at < began) {
				began = at
			}
		}
		if began == 0 {
			return 0
		}
		if first == 0 || began < first {
			first = began
		}
	}
	return first
}

// aDay is by how much clocks of machines may differ, a time zone taken for another one included. Chosen, not measured:
// a clock that is wrong by more is one that was never set.
const aDay = 24 * time.Hour

// future reports whether a time is later than now, clocks being what they are.
func future(at int64, now time.Time) bool { return at > now.Add(aDay).UnixNano() }

// knownSaved and knownBegan are the times that count; 0 where they do not.
func (e *Entry) knownSaved(now time.Time) int64 { return known(e.Saved, now) }
func (e *Entry) knownBegan(now time.Time) int64 {
	return known(cmp.Or(e.Began, e.name.began), now)
}

func known(at int64, now time.Time) int64 {
	if future(at, now) {
		return 0
	}
	return at
}

// sortEntries puts runs in the order of saving.
func sortEntries(all []Entry, now time.Time) []Entry {
	var numbered, dated, others []Entry
	for _, e := range all {
		switch {
		case e.Number > 0:
			numbered = append(numbered, e)
		case e.knownBegan(now) != 0:
			dated = append(dated, e)
		default:
			others = append(others, e)
		}
	}
	slices.SortFunc(numbered, func(a, b Entry) int {
		return cmp.Or(cmp.Compare(a.Number, b.Number), cmp.Compare(a.knownSaved(now), b.knownSaved(now)),
			strings.Compare(a.name.digest, b.name.digest), strings.Compare(a.File, b.File))
	})
	slices.SortFunc(dated, func(a, b Entry) int {
		return cmp.Or(cmp.Compare(a.knownBegan(now), b.knownBegan(now)), order.Names(a.Name, b.Name))
	})
	slices.SortFunc(others, func(a, b Entry) int {
		return cmp.Or(cmp.Compare(a.name.before, b.name.before), order.Names(a.Name, b.Name))
	})
	var out []Entry
	for _, e := range others { // where its number says, in a store that lost none
		for len(dated) > 0 && int64(len(out)) < e.name.before-1 {
			out, dated = append(out, dated[0]), dated[1:]
		}
		out = append(out, e)
	}
	return append(append(out, dated...), numbered...)
}
