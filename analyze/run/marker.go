package run

import (
	"fmt"
	"strings"
)

// The kinds of markers, in the order in which steps are looked for: what the user
// names, the profiler's own, the engine's, ranges, launches, the optimizer.
const (
	MarkAskedRange  = "asked range"
	MarkAskedKernel = "asked kernel"
	MarkProfiler    = "profiler step"
	MarkEngine      = "engine step"
	MarkNumbered    = "numbered range"
	MarkRange       = "range"
	MarkLaunch      = "launch"
	MarkOptimizer   = "optimizer"
	MarkLogged      = "logged step" // of a log, which holds nothing else
	MarkResult      = "result"      // of what a run printed of itself as a whole, which is its one step
	MarkCapture     = "capture"     // the whole of a capture, which launches the same kernels in all files
)

// Marker says by what steps are found, in the same words for every capture that has it: two captures measure the same
// unit of work only if their markers are equal. The zero value is none.
type Marker struct {
	Kind string `report:"kind"` // one of the kinds above; "": none
	// Name is that of a range, its numbers folded to N; the canonical one of a kernel;
	// the expression that was asked for; "" where the kind says all.
	Name string `report:"name"`
	// Every: of so many launches of a kernel the first begins a step; of ranges that count
	// steps, how far apart their numbers are where those between were not marked; 0 of
	// other kinds, and of ranges around every step. Of times that a log says: of how many
	// steps each is the mean.
	Every int `report:"every"`
}

// String returns the marker as people read it: `range "step N"`, "ProfilerStep#N".
func (m Marker) String() string {
	switch m.Kind {
	case MarkAskedRange:
		return fmt.Sprintf("range matching %q", m.Name) + m.apart()
	case MarkAskedKernel:
		return fmt.Sprintf("kernel matching %q", m.Name)
	case MarkProfiler:
		return "ProfilerStep#N" + m.apart()
	case MarkEngine:
		return "engine steps"
	case MarkNumbered, MarkRange:
		return fmt.Sprintf("range %q", m.Name) + m.apart()
	case MarkLaunch:
		if m.Every > 1 {
			return fmt.Sprintf("one in %d launches of %q", m.Every, m.Name)
		}
		return fmt.Sprintf("launch of %q", m.Name)
	case MarkOptimizer:
		return "Optimizer.step"
	case MarkResult:
		return "results"
	case MarkCapture:
		return "each capture is one pass"
	case MarkLogged:
		return fmt.Sprintf("log of %q", m.Name) + m.meanOf()
	}
	return "none"
}

// apart says how far apart the numbers of a marker's ranges are, where not every step has one.
func (m Marker) apart() string {
	if m.Every <= 1 {
		return ""
	}
	return fmt.Sprintf(" with numbers %d apart", m.Every)
}

// meanOf says over how many steps a log gives the mean.
func (m Marker) meanOf() string {
	if m.Every <= 1 {
		return ""
	}
	return fmt.Sprintf(", each the mean of %d steps", m.Every)
}

// DropUnmarked is why a step is left out that holds another number of the program's steps than
// most.
const DropUnmarked = "steps next to it were not marked: it spans another number of them"

// DropOther is why medians leave out a step that launches another number of kernels than most.
const DropOther = "another kind of step: in the mean, and not in the median"

// Why engine steps do not enter a comparison, which decides it.
const (
	DropUnlike = "no step of like load is left in every run"
	DropNoLoad = "nothing says what the engine did in it"
)

// HostEdges is added to the marker in a receipt if the edges of its steps are the host's.
const HostEdges = ", host edges: launches were not recorded"

// OwnEnds is added to what steps were found by where each step ends with its own work: the
// profiler was off from there to the next one, and the time between them belongs to no step.
const OwnEnds = ", own ends: the profiler was off in between"

// PassHint begins the hint of captures that are one pass each, of which a side has too few to be judged.
const PassHint = "each capture is one pass: equal kernel launches in all "

// CallsHint is the hint of captures that have calls of collectives alone.
const CallsHint = "a log of collectives has no steps, and what is compared is its calls"

// OnDevice reports whether the marker is device work: it has no number of its own.
func (m Marker) OnDevice() bool { return m.Kind == MarkLaunch || m.Kind == MarkAskedKernel }

// Flag returns the marker as an argument of the program, ready for a shell: names are taken literally as well as as
// expressions. "" if it cannot be named.
func (m Marker) Flag() string {
	name := m.Name
	switch m.Kind {
	case "", MarkEngine, MarkLogged, MarkResult, MarkCapture:
		return ""
	case MarkLaunch:
		if m.Every > 1 {
			return ""
		}
	case MarkProfiler:
		name = "ProfilerStep#N"
	case MarkOptimizer:
		name = "^Optimizer.step"
	}
	flag := "--step-range "
	if m.OnDevice() {
		flag = "--step-kernel "
	}
	return flag + "'" + strings.ReplaceAll(name, "'", `'\''`) + "'"
}

// Candidate is something in a capture that may mark steps.
type Candidate struct {
	Marker
	Count  int
	Period int64   // ns: median from the start of one to that of the next; 0 of a single one
	Spread float64 // of the periods: (p90 - p10) / median
	// Covered is the share of the device's activity, or of the ranges' time where there
	// is none, from the first one to the end of the last.
	Covered float64
	Work    int  // kernels and graph replays launched from one to the next, median
	Usable  bool // it would be taken without being named
	// Within says why a launch that repeats is only a part of a step; "" it may be one.
	Within string
}

// MaxCandidates is how many candidates a receipt keeps.
const MaxCandidates = 12
