package cause

import (
	"math"
	"strings"

	"perfdiff/analyze/run"
	"perfdiff/analyze/trace"
	"perfdiff/diff/sides"
	"perfdiff/diff/verdict"
)

// What differs between the sides beside the time they take may be why they take another time: how
// input is read is found here, and what the machine says of itself is in verdict.Difference. It
// coincides with the change. That it causes it is not shown, and no verdict depends on it.

// Suspect is one thing that both sides do in another way.
type Suspect struct {
	Kind   SuspectKind `report:"kind"`
	Names  [2]string   `report:"names"`  // of SuspectReadCall and SuspectLoader: the function or the range; "" of others
	Values [2]float64  `report:"values"` // of SuspectReadCall calls a step and rank; of others what their kind says; NaN of SuspectLoader
	Times  [2]float64  `report:"times"`  // s a step and rank, in that function, over all threads; NaN of others
}

// SuspectKind says what differs.
type SuspectKind string

// The kinds, in the order in which they are reported.
const (
	SuspectLoader   SuspectKind = "loader"       // the range in which the step gets its batch
	SuspectReadCall SuspectKind = "read_call"    // the function of the operating system that reads
	SuspectDirect   SuspectKind = "aligned"      // the share of bytes in large aligned requests, as direct reads are
	SuspectReaders  SuspectKind = "readers"      // threads of a rank that read at once
	SuspectSize     SuspectKind = "request_size" // bytes of a read
)

// From which difference on it is worth a line. Chosen, not measured: threads and sizes are set by
// people, who double or halve them, and of the bytes one side reads most directly and the other
// side does not.
const (
	suspectFactor = 1.5
	suspectShare  = 0.5
)

// mostlyOne is the share of a side's calls that one function must have to be what it reads with.
// Chosen, not measured: on both sides the same libraries read a few files, too.
const mostlyOne = 0.8

// suspects returns the ways in which the two sides read their data differently, in the order of the kinds.
func suspects(p *Causes) (out []Suspect) {
	if p.Identical {
		return nil
	}
	none := [2]float64{math.NaN(), math.NaN()}
	if names, _, _, ok := replaced(p, run.RangeTable, isLoader); ok {
		out = append(out, Suspect{SuspectLoader, names, none, none})
	}
	if names, calls, times, ok := replaced(p, run.OSTable, trace.ReadCall); ok {
		out = append(out, Suspect{SuspectReadCall, names, calls, times})
	}
	apart := func(v [2]float64) bool { return math.Abs(v[1]-v[0]) >= suspectShare }
	times := func(v [2]float64) bool {
		return math.Min(v[0], v[1]) > 0 && math.Max(v[0]/v[1], v[1]/v[0]) >= suspectFactor
	}
	for _, x := range []struct {
		kind    SuspectKind
		values  [2]float64
		matters func([2]float64) bool
	}{{SuspectDirect, detail(p, run.IOLargeReadShare), apart}, {SuspectReaders, readersOf(p), times}, {SuspectSize, detail(p, run.IORequestSize), times}} {
		if x.matters(x.values) {
			out = append(out, Suspect{x.kind, [2]string{}, x.values, none})
		}
	}
	return out
}

// isLoader reports whether a range is PyTorch's own around getting a batch, which tells loaders
// with and without worker processes apart.
func isLoader(name string) bool { return strings.HasPrefix(name, "enumerate(DataLoader)") }

// replaced returns the name of some kind that each side uses most in a table, with calls and seconds a step and rank,
// if the two differ and neither side uses the other's name to speak of. A name that a full table left out is not known
// to be gone.
func replaced(p *Causes, table run.Table, kind func(string) bool) (names [2]string, calls, times [2]float64, ok bool) {
	base, cand := statsOfBoth(p, table)
	both := [2]map[string]StatSide{base, cand}
	for i, side := range both {
		if len(side) >= run.MaxStats || verdict.Stepless(p.Judged.Lined) {
			return names, calls, times, false
		}
		name, all := "", 0.0
		for _, n := range sides.SortedKeys(side) {
			if kind(n) {
				if all += side[n].Calls; name == "" || side[n].Calls > side[name].Calls {
					name = n
				}
			}
		}
		if !(all > 0) || side[name].Calls < mostlyOne*all {
			return names, calls, times, false
		}
		names[i], calls[i], times[i] = name, side[name].Calls, side[name].Time
	}
	const few = 1 - mostlyOne
	ok = names[0] != names[1] && base[names[1]].Calls <= few*calls[1] && cand[names[0]].Calls <= few*calls[0]
	return names, calls, times, ok
}
