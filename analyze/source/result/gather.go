package result

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"

	"perfdiff/analyze/run"
	"perfdiff/analyze/trace"
)

// A gathering is what is read of a file so far.
type gathering struct {
	file     string
	runs     []Run
	names    []string       // of metrics, in order
	at       map[string]int // their places in names
	first    []Value        // one of each
	over     bool           // there are more repeats than are read
	facts    []trace.Fact
	warnings []trace.Warning
}

// entry is what a row says: values of a repeat that may have a name.
type entry struct {
	key    string // the same in the rows of one load, and of one metric where a row has but one
	label  string
	values []Value
}

// add takes a value of the repeat at a place. Numbers that are none are left out.
func (g *gathering) add(at int, v Value) {
	v.Name = trace.Tidy(v.Name)
	switch {
	case math.IsNaN(v.Value) || math.IsInf(v.Value, 0) || v.Name == "":
		return
	case at >= mostRepeats:
		g.over = true
		return
	}
	for len(g.runs) <= at {
		g.runs = append(g.runs, Run{Name: fmt.Sprintf("#%d", len(g.runs)+1)})
	}
	if _, ok := g.at[v.Name]; !ok {
		g.at[v.Name] = len(g.names)
		g.names, g.first = append(g.names, v.Name), append(g.first, v)
	}
	g.runs[at].Values = append(g.runs[at].Values, v)
}

// fact keeps the first of what is said under a key.
func (g *gathering) fact(key, value string) {
	value = trace.Tidy(value)
	if value != "" && !slices.ContainsFunc(g.facts, func(f trace.Fact) bool { return f.Key == key }) {
		g.facts = append(g.facts, trace.Fact{Key: key, Value: value})
	}
}

// rows takes the rows of a table. Those with one label are one repeat; without labels, or where one comes again under
// the same load, the nth row of a load is of the nth repeat.
func (g *gathering) rows(rows []row) {
	r := readingOf(rows)
	entries := make([]entry, len(rows))
	labelled, seen := true, map[string]bool{}
	for i, cells := range rows {
		e, said := r.entry(cells)
		for _, f := range said {
			g.fact(f.Key, f.Value)
		}
		key := e.label + "\x00" + e.key
		labelled = labelled && e.label != "" && !seen[key]
		seen[key], entries[i] = true, e
	}
	times, labels := map[string]int{}, map[string]int{}
	for _, e := range entries {
		at := times[e.key]
		times[e.key]++
		if _, known := labels[e.label]; !known {
			labels[e.label] = len(labels)
		}
		if labelled {
			at = labels[e.label]
		}
		for _, v := range e.values {
			g.add(at, v)
		}
		if labelled && at < len(g.runs) {
			g.runs[at].Name = e.label
		}
	}
}

// finish returns the repeats, with the metrics that are kept.
func (g *gathering) finish() []Run {
	order := make([]int, len(g.names))
	for i := range order {
		order[i] = i
	}
	rankOf := func(i int) int {
		r := rank(wordsOf(g.names[i]))
		if g.first[i].Better == run.Neither {
			r += len(statistics)
		}
		return r
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(rankOf(a), rankOf(b)) })
	place := map[string]int{}
	for n, i := range order[:min(len(order), run.MaxResults)] {
		place[g.names[i]] = n
	}
	if len(order) > run.MaxResults {
		var some []string
		for _, i := range order[run.MaxResults:min(len(order), run.MaxResults+3)] {
			some = append(some, fmt.Sprintf("%q", g.names[i]))
		}
		g.warn(fmt.Sprintf("it holds %d metrics: %d are compared, and the others are left out (%s)", len(order), run.MaxResults,
			strings.Join(some, ", ")))
	}
	if g.over {
		g.warn(fmt.Sprintf("it holds more than %d repeats: the first are compared", mostRepeats))
	}
	var out []Run
	for _, r := range g.runs {
		r.Values = slices.DeleteFunc(r.Values, func(v Value) bool { _, kept := place[v.Name]; return !kept })
		slices.SortStableFunc(r.Values, func(a, b Value) int { return cmp.Compare(place[a.Name], place[b.Name]) })
		r.Values = slices.CompactFunc(r.Values, func(a, b Value) bool { return a.Name == b.Name })
		if r.Facts = slices.Clip(g.facts); len(r.Values) > 0 {
			out = append(out, r)
		}
	}
	if len(out) == 1 {
		out[0].Name = ""
	}
	if len(out) > 0 {
		out[0].Warnings = g.warnings
	}
	return out
}
