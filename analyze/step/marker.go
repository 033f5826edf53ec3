package step

import (
	"cmp"
	"iter"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"

	"perfdiff/analyze/kernelname"
	"perfdiff/analyze/run"
	"perfdiff/analyze/trace"
)

var (
	profilerStep = kernelname.ProfilerStep
	numberedStep = kernelname.NumberedStep
	calledStep   = regexp.MustCompile(`(?i)(?:^|[^a-z])(?:steps?|iter|iteration|iters)[\s#:_=\[(/-]*\d+\D*$`)
	warmUp       = regexp.MustCompile(`(?i)warm[\s_-]?up`)
	notTraining  = regexp.MustCompile(`(?i)warm[\s_-]?up|eval|valid|test`)
	stepNumber   = regexp.MustCompile(`(?i)(?:^|[^a-z])(?:(?:steps?|iter|iteration|iters|it)\s*=?|(?:mini)?batch)[\s#:_\[(/-]*(\d+)`)
	optimizer    = regexp.MustCompile(`(?i)^Optimizer\.step\b`)
	neverStep    = regexp.MustCompile(`(?i)^(?:aten::|nccl|cublas|cudnn|c10|autograd::|Optimizer\.|enumerate\(DataLoader\)|MPI_|gloo:|epoch|record_param_comms|dataloader|## Call CompiledFxGraph|Torch-Compiled Region|CompiledFunction|## )`)
)

// What a pattern must fulfil to be taken for steps without the user naming it. Chosen, not measured: real profiles and
// the stories hold what follows (TestGoldenData, TestMarkers).
const (
	// occurrences
	minRepeats  = 3
	minCoverage = 0.5 // of the time with device activity, from the first range to the last
	minDuty     = 0.3 // of the time from the first range to the last, inside of the ranges
)

// findMarks finds the marks that opt asks for: of the range or kernel that the user names, else of the marker that was
// chosen for all captures, else of the best marker. all gives the device work of t.
func findMarks(t *trace.Trace, opt Options, all deviceWork) markerMarks {
	switch {
	case opt.Range != nil:
		by := run.Marker{Kind: run.MarkAskedRange, Name: opt.Range.String()}
		marks := userMeans(opt.Range, FoldName, func(means func(string) bool) []mark {
			return rangeMarks(t, t.Names.Ask(means), stepNumberPattern(opt.Range))
		})
		return withStride(t, markerMarks{marker: by, marks: marks}, all)
	case opt.Kernel != nil:
		by := run.Marker{Kind: run.MarkAskedKernel, Name: opt.Kernel.String()}
		printed := func(name string) string {
			id, _ := t.Names.Find(name)
			return t.Names.Canonical(id)
		}
		return markerMarks{marker: by, marks: userMeans(opt.Kernel, printed, func(means func(string) bool) []mark {
			return kernelMarks(t, means)
		})}
	}
	launched := sync.OnceValue(func() *launches { return newLaunches(t) })
	for f := range usableMarkers(t, launched, all) {
		if opt.Marker == (run.Marker{}) || f.marker == opt.Marker {
			return f
		}
	}
	if opt.Marker.Kind == run.MarkLaunch {
		uneven := unevenLaunches(launched())
		if at := slices.IndexFunc(uneven, func(f markerMarks) bool { return f.marker == opt.Marker }); at >= 0 {
			return uneven[at]
		}
	}
	return markerMarks{}
}

// userMeans returns the marks of the names that the user's expression means: names equal to it, as they are or as they
// are printed, so that a printed flag finds what was listed and not what a longer name encloses; if there are none,
// names that it matches.
func userMeans(expr *regexp.Regexp, printed func(string) string, marksOf func(means func(string) bool) []mark) []mark {
	text := expr.String()
	if marks := marksOf(func(name string) bool { return name == text || printed(name) == text }); len(marks) > 0 {
		return marks
	}
	return marksOf(expr.MatchString)
}

// usableMarkers yields the markers that may be taken without being named, the best first.
// launched returns the launches of t; it is called last, since gathering them takes long.
func usableMarkers(t *trace.Trace, launched func() *launches, all deviceWork) iter.Seq[markerMarks] {
	return func(yield func(markerMarks) bool) {
		for f := range usableRanges(t, all) {
			if !yield(f) {
				return
			}
		}
		for _, f := range repeatingLaunches(launched()) {
			if !yield(f) {
				return
			}
		}
		if m := rangeMarks(t, t.Names.AskAlike(optimizer.MatchString), nil); len(m) >= minRepeats {
			yield(markerMarks{marker: run.Marker{Kind: run.MarkOptimizer}, marks: m})
		}
	}
}

// usableRanges yields the usable markers that are ranges. It needs no list of the device's work in t, only the start
// of the first and of the last span; for more it asks all.
func usableRanges(t *trace.Trace, all deviceWork) iter.Seq[markerMarks] {
	return func(yield func(markerMarks) bool) {
		if m := rangeMarks(t, t.Names.AskAlike(profilerStep.MatchString), profilerStep); len(m) > 0 &&
			!yield(withStride(t, markerMarks{marker: run.Marker{Kind: run.MarkProfiler}, marks: m}, all)) {
			return
		}
		numbered := func(t *trace.Trace) []markerMarks { return numberedRanges(t, all) }
		for _, of := range []func(*trace.Trace) []markerMarks{engineSteps, numbered, repeatingRanges} {
			for _, f := range of(t) {
				if !yield(f) {
					return
				}
			}
		}
	}
}

// stepNumberPattern returns the expression that finds the step's number in names that the user's expression matches:
// the user's own group, else a number after a word for step. Any other number may be a load or a size that happens to
// rise.
func stepNumberPattern(expr *regexp.Regexp) *regexp.Regexp {
	if expr.NumSubexp() > 0 {
		return expr
	}
	return stepNumber
}

// rangeMarks makes marks of the ranges whose name is a step's, on the thread that has most of
// them, without those inside another one. numberOf finds the step's number in a name; where it
// is nil, or the numbers do not rise, marks are numbered from 0.
func rangeMarks(t *trace.Trace, isStep func(trace.NameID) bool, numberOf *regexp.Regexp) []mark {
	byThread := map[int32][]trace.Range{}
	for i := range t.Ranges {
		if r := &t.Ranges[i]; isStep(r.Name) {
			byThread[r.Thread] = append(byThread[r.Thread], *r)
		}
	}
	return numberMarks(t, outermost(longestList(byThread)), numberOf)
}

// longestList returns the longest of the lists; if several are equally long, that of the lowest thread.
func longestList(byThread map[int32][]trace.Range) []trace.Range {
	var best []trace.Range
	var owner int32
	for thread, rs := range byThread {
		if len(rs) > len(best) || len(rs) == len(best) && thread < owner {
			best, owner = rs, thread
		}
	}
	return best
}

// outermost drops the ranges that lie inside an earlier one; rs is in order of start. One that begins before the
// earlier one ends and goes on after it is not nested: a program may close the range of a step in the middle of the
// next.
func outermost(rs []trace.Range) []trace.Range {
	var out []trace.Range
	for _, r := range rs {
		if n := len(out); n == 0 || r.Start >= out[n-1].End || r.End > out[n-1].End && r.Start > out[n-1].Start {
			out = append(out, r)
		}
	}
	return out
}

// numberMarks makes marks of ranges, numbered by their names.
func numberMarks(t *trace.Trace, rs []trace.Range, numberOf *regexp.Regexp) []mark {
	marks := make([]mark, len(rs))
	ascending, fell := numberOf != nil, false
	for i, r := range rs {
		marks[i] = mark{number: int64(i), start: r.Start, end: r.End, device: trace.NoTime, thread: r.Thread}
		if !ascending {
			continue
		}
		n, ok := stepNumberIn(t.Names.Text(r.Name), numberOf)
		fell = ok && i > 0 && n <= marks[i-1].number
		ascending = ok && !fell
		marks[i].number = n
	}
	if !ascending {
		for i := range marks {
			marks[i].number, marks[i].renumbered = int64(i), fell
		}
	}
	return marks
}

// stepNumberIn returns the number that an expression finds in a name.
func stepNumberIn(name string, re *regexp.Regexp) (int64, bool) {
	if re == numberedStep {
		found := numberedStepIn(name)
		return found.number, found.ok
	}
	return findNumber(name, re)
}

// nameNumber is the number in a name, if ok.
type nameNumber struct {
	number int64
	ok     bool
}

// numberedStepIn finds the number in the name of a numbered step, and remembers it by name.
var numberedStepIn = kernelname.Remember(func(name string) nameNumber {
	n, ok := findNumber(name, numberedStep)
	return nameNumber{n, ok}
})

func findNumber(name string, re *regexp.Regexp) (int64, bool) {
	m := re.FindStringSubmatch(name)
	if m == nil {
		return 0, false
	}
	n, err := strconv.ParseInt(m[len(m)-1], 10, 64)
	return n, err == nil
}

// rangeFamily is the ranges of one folded name on one thread.
type rangeFamily struct {
	name        string
	thread      int32
	ranges      []trace.Range // in order, without those inside another one
	shareInside float64       // of the time from the first to the last range, inside of them
	timeInside  int64         // ns inside the ranges
}

// rangeFamilies groups ranges by thread and by the name that fold makes of theirs, in order of
// name and thread. A range is left out if may refuses its name or fold returns "".
func rangeFamilies(t *trace.Trace, may func(name string) bool, fold func(name string) string) []rangeFamily {
	type key struct {
		name   string
		thread int32
	}
	folded, known, asked := make([]string, t.Names.Len()), make([]bool, t.Names.Len()), t.Names.AskAlike(may)
	groups := map[key][]trace.Range{}
	for _, r := range t.Ranges {
		if !known[r.Name] {
			known[r.Name] = true
			if asked(r.Name) {
				folded[r.Name] = fold(t.Names.Text(r.Name))
			}
		}
		if name := folded[r.Name]; name != "" {
			groups[key{name, r.Thread}] = append(groups[key{name, r.Thread}], r)
		}
	}
	var all []rangeFamily
	for k, rs := range groups {
		rs = outermost(rs)
		f := rangeFamily{name: k.name, thread: k.thread, ranges: rs, shareInside: coverage(rs)}
		for _, r := range rs {
			f.timeInside += r.End - r.Start
		}
		all = append(all, f)
	}
	slices.SortFunc(all, func(a, b rangeFamily) int {
		return cmp.Or(strings.Compare(a.name, b.name), cmp.Compare(a.thread, b.thread))
	})
	return all
}

// numberedRanges returns the families of ranges with a number after a word for step. Those called step or iteration
// come first; then the one with most time inside, so that a range comes before what is nested in it. If several
// threads have the family, the one with most ranges counts.
func numberedRanges(t *trace.Trace, work deviceWork) []markerMarks {
	all := rangeFamilies(t, func(name string) bool {
		return kernelname.HoldsAny(name, "step", "it", "batch") && mayBeNumberedStep(name)
	}, numberedFamilyName)
	words := func(f rangeFamily) int {
		if calledStep.MatchString(t.Names.Text(f.ranges[0].Name)) {
			return 0
		}
		return 1
	}
	slices.SortStableFunc(all, func(a, b rangeFamily) int {
		return cmp.Or(cmp.Compare(words(a), words(b)), cmp.Compare(b.timeInside, a.timeInside), cmp.Compare(len(a.ranges), len(b.ranges)))
	})
	var out []markerMarks
	for i, f := range all {
		if !slices.ContainsFunc(all, func(g rangeFamily) bool { return g.name == f.name && len(g.ranges) > len(f.ranges) }) &&
			!slices.ContainsFunc(all[:i], func(g rangeFamily) bool { return g.name == f.name && len(g.ranges) == len(f.ranges) }) {
			out = append(out, withStride(t, markerMarks{marker: run.Marker{Kind: run.MarkNumbered, Name: f.name}, marks: numberMarks(t, f.ranges, numberedStep)}, work))
		}
	}
	return out
}

// mayBeNumberedStep reports whether ranges of this name may be numbered steps.
var mayBeNumberedStep = kernelname.Remember(func(name string) bool {
	return numberedStep.MatchString(name) && !notTraining.MatchString(name) && !neverStep.MatchString(name)
})

// numberedFamilyName is the folded name of a numbered range, "" for a name that a compiler
// gave.
var numberedFamilyName = kernelname.Remember(func(name string) string {
	if holdsHash(name) {
		return ""
	}
	return FoldName(name)
})

// repeatingRanges returns the families of ranges that repeat and cover most of the capture. The one with fewer and
// longer ranges comes first, because it is the outer one; among equals the one that covers more. Names are not folded:
// names that differ in their number count layers as often as steps.
func repeatingRanges(t *trace.Trace) []markerMarks {
	all := rangeFamilies(t, func(name string) bool { return !neverStep.MatchString(name) }, nameWithoutHash)
	all = slices.DeleteFunc(all, func(f rangeFamily) bool {
		return len(f.ranges) < minRepeats || f.shareInside < minDuty || !spansDevice(t, f.ranges) || warmUp.MatchString(f.name)
	})
	slices.SortStableFunc(all, func(a, b rangeFamily) int {
		return cmp.Or(cmp.Compare(len(a.ranges), len(b.ranges)), cmp.Compare(b.shareInside, a.shareInside))
	})
	var out []markerMarks
	var around *wholes
	for _, f := range all {
		if !stepName.MatchString(f.name) {
			if around == nil {
				around = newWholes(t)
			}
			if around.holding(startsOf(f.ranges)) != "" {
				continue
			}
		}
		by := run.Marker{Kind: run.MarkRange, Name: f.name}
		if !slices.ContainsFunc(out, func(have markerMarks) bool { return have.marker == by }) {
			out = append(out, markerMarks{marker: by, marks: numberMarks(t, f.ranges, nil)})
		}
	}
	return out
}

// startsOf returns when ranges start.
func startsOf(rs []trace.Range) []int64 {
	out := make([]int64, len(rs))
	for i, r := range rs {
		out[i] = r.Start
	}
	return out
}

// nameWithoutHash returns the name itself, "" if it holds a hash.
func nameWithoutHash(name string) string {
	if holdsHash(name) {
		return ""
	}
	return name
}

// coverage returns the share of the time from the first range to the last that lies inside a range.
func coverage(rs []trace.Range) float64 {
	if len(rs) == 0 {
		return 0
	}
	var in int64
	for _, r := range rs {
		in += r.End - r.Start
	}
	return float64(in) / float64(max(1, rs[len(rs)-1].End-rs[0].Start))
}

// spansDevice reports whether the ranges run over at least half of the time in which the device
// was active: three short ranges at the start are no steps.
func spansDevice(t *trace.Trace, rs []trace.Range) bool {
	if len(t.Device) == 0 {
		return true
	}
	active := t.Device[len(t.Device)-1].Start - t.Device[0].Start
	return float64(rs[len(rs)-1].End-rs[0].Start) >= minCoverage*float64(active)
}
