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
	numbered     = kernelname.NumberedStep
	stepWord     = regexp.MustCompile(`(?i)(?:^|[^a-z])(?:steps?|iter|iteration|iters)[\s#:_=\[(/-]*\d+\D*$`)
	warmUp       = regexp.MustCompile(`(?i)warm[\s_-]?up`)
	notTraining  = regexp.MustCompile(`(?i)warm[\s_-]?up|eval|valid|test`)
	stepNumber   = regexp.MustCompile(`(?i)(?:^|[^a-z])(?:(?:steps?|iter|iteration|iters|it)\s*=?|(?:mini)?batch)[\s#:_\[(/-]*(\d+)`)
	optimizer    = regexp.MustCompile(`(?i)^Optimizer\.step\b`)
	notASteps    = regexp.MustCompile(`(?i)^(?:aten::|nccl|cublas|cudnn|c10|autograd::|Optimizer\.|enumerate\(DataLoader\)|MPI_|gloo:|epoch|record_param_comms|dataloader|## Call CompiledFxGraph|Torch-Compiled Region|CompiledFunction|## )`)
)

// Finding steps by themselves takes a pattern that repeats at least this often. Chosen,
// not measured: real profiles and the stories hold what comes of them (TestGoldenData,
// TestMarkers).
const (
	minRepeats  = 3
	minCoverage = 0.5 // of the device's activity, from the first range to the last
	minDuty     = 0.3 // of that time, inside the ranges
)

// found is a marker with its marks in one capture.
type found struct {
	by    run.Marker
	marks []mark
	label string // where it says more than by; "" else
	off   bool   // the profiler was off between the marks: steps end at their own ends
}

// findMarks returns the marks that opt asks for: of what the user names, else of the
// marker that was chosen for all captures, else of the best one. all is the work of t.
func findMarks(t *trace.Trace, opt Options, all work) found {
	switch {
	case opt.Range != nil:
		by := run.Marker{Kind: run.MarkAskedRange, Name: opt.Range.String()}
		return strided(t, found{by: by, marks: rangeMarks(t, t.Names.Ask(func(name string) bool { return named(opt.Range, name, FoldName(name)) }), numberBy(opt.Range))}, all)
	case opt.Kernel != nil:
		by := run.Marker{Kind: run.MarkAskedKernel, Name: opt.Kernel.String()}
		return found{by: by, marks: kernelMarks(t, func(name string) bool { return named(opt.Kernel, name, kernelname.CanonicalKernel(name)) })}
	}
	for f := range usable(t, sync.OnceValue(func() *launches { return newLaunches(t) }), all) {
		if opt.Marker == (run.Marker{}) || f.by == opt.Marker {
			return f
		}
	}
	return found{}
}

// named reports whether a user means a name: by an expression, or by the name as
// perfdiff prints it.
func named(expr *regexp.Regexp, name, printed string) bool {
	return expr.String() == printed || expr.String() == name || expr.MatchString(name)
}

// usable are the markers that may be taken without being named, the best first. launched
// gives the launches of t, which take long to gather and are asked for last.
func usable(t *trace.Trace, launched func() *launches, all work) iter.Seq[found] {
	return func(yield func(found) bool) {
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
			yield(found{by: run.Marker{Kind: run.MarkOptimizer}, marks: m})
		}
	}
}

// usableRanges are the best of them, which are ranges: of the device's work they look at
// nothing but when the first and the last begins, and at what all says.
func usableRanges(t *trace.Trace, all work) iter.Seq[found] {
	return func(yield func(found) bool) {
		if m := rangeMarks(t, t.Names.AskAlike(profilerStep.MatchString), profilerStep); len(m) > 0 &&
			!yield(strided(t, found{by: run.Marker{Kind: run.MarkProfiler}, marks: m}, all)) {
			return
		}
		numbered := func(t *trace.Trace) []found { return numberedRanges(t, all) }
		for _, of := range []func(*trace.Trace) []found{engineSteps, numbered, repeatingRanges} {
			for _, f := range of(t) {
				if !yield(f) {
					return
				}
			}
		}
	}
}

// numberBy is what reads the number of a step from names that a user's expression
// matches: its own group, else the words for steps. Any other number in a name may be a
// load or a size, which rises by chance.
func numberBy(expr *regexp.Regexp) *regexp.Regexp {
	if expr.NumSubexp() > 0 {
		return expr
	}
	return stepNumber
}

// rangeMarks are the ranges whose name is a step's, on the thread that has
// most of them, outermost only. The number is read from the name by numberOf;
// where it is nil, or names do not count up, marks are numbered from 0.
func rangeMarks(t *trace.Trace, isStep func(trace.NameID) bool, numberOf *regexp.Regexp) []mark {
	byThread := map[int32][]trace.Range{}
	for i := range t.Ranges {
		if r := &t.Ranges[i]; isStep(r.Name) {
			byThread[r.Thread] = append(byThread[r.Thread], *r)
		}
	}
	return number(t, outermost(mostly(byThread)), numberOf)
}

// mostly returns the longest of the lists, the lowest thread's among equals.
func mostly(byThread map[int32][]trace.Range) []trace.Range {
	var best []trace.Range
	var owner int32
	for thread, rs := range byThread {
		if len(rs) > len(best) || len(rs) == len(best) && thread < owner {
			best, owner = rs, thread
		}
	}
	return best
}

// outermost drops the ranges that begin inside an earlier one; rs is in order
// of start.
func outermost(rs []trace.Range) []trace.Range {
	var out []trace.Range
	for _, r := range rs {
		if n := len(out); n == 0 || r.Start >= out[n-1].End {
			out = append(out, r)
		}
	}
	return out
}

// number gives marks the numbers that their names hold.
func number(t *trace.Trace, rs []trace.Range, numberOf *regexp.Regexp) []mark {
	marks := make([]mark, len(rs))
	ascending := numberOf != nil
	for i, r := range rs {
		marks[i] = mark{number: int64(i), start: r.Start, end: r.End, device: trace.NoTime, thread: r.Thread}
		if !ascending {
			continue
		}
		n, ok := numberIn(t.Names.Text(r.Name), numberOf)
		ascending = ok && (i == 0 || n > marks[i-1].number)
		marks[i].number = n
	}
	if !ascending {
		for i := range marks {
			marks[i].number = int64(i)
		}
	}
	return marks
}

// numberIn is the number that an expression finds in a name.
func numberIn(name string, re *regexp.Regexp) (int64, bool) {
	if re == numbered {
		found := stepIn(name)
		return found.number, found.ok
	}
	return findNumber(name, re)
}

// numberFound is a number of a name, if it has one.
type numberFound struct {
	number int64
	ok     bool
}

// stepIn is the number in a name of a numbered step.
var stepIn = kernelname.Remember(func(name string) numberFound {
	n, ok := findNumber(name, numbered)
	return numberFound{n, ok}
})

func findNumber(name string, re *regexp.Regexp) (int64, bool) {
	m := re.FindStringSubmatch(name)
	if m == nil {
		return 0, false
	}
	n, err := strconv.ParseInt(m[len(m)-1], 10, 64)
	return n, err == nil
}

// family is the ranges of one folded name on one thread.
type family struct {
	name   string
	thread int32
	ranges []trace.Range // outermost, in order
	share  float64       // of the time from the first to the last, inside of them
	inside int64         // ns in them
}

// families groups ranges by thread and by what fold makes of their names, in order of
// name and thread. Names that may not be one's, whatever their numbers are, and those of
// which it makes nothing are left out.
func families(t *trace.Trace, may func(name string) bool, fold func(name string) string) []family {
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
	var all []family
	for k, rs := range groups {
		rs = outermost(rs)
		f := family{name: k.name, thread: k.thread, ranges: rs, share: coverage(rs)}
		for _, r := range rs {
			f.inside += r.End - r.Start
		}
		all = append(all, f)
	}
	slices.SortFunc(all, func(a, b family) int {
		return cmp.Or(strings.Compare(a.name, b.name), cmp.Compare(a.thread, b.thread))
	})
	return all
}

// numberedRanges are the ranges with a number behind a word for a step: those called
// step or iteration before others, then those in which most of the time is, so that
// what is nested in a step comes behind it. Of several threads the one with most counts.
func numberedRanges(t *trace.Trace, work work) []found {
	all := families(t, func(name string) bool {
		return kernelname.HoldsAny(name, "step", "it", "batch") && maySteps(name)
	}, numberedKind)
	words := func(f family) int {
		if stepWord.MatchString(t.Names.Text(f.ranges[0].Name)) {
			return 0
		}
		return 1
	}
	slices.SortStableFunc(all, func(a, b family) int {
		return cmp.Or(cmp.Compare(words(a), words(b)), cmp.Compare(b.inside, a.inside), cmp.Compare(len(a.ranges), len(b.ranges)))
	})
	var out []found
	for i, f := range all {
		if !slices.ContainsFunc(all, func(g family) bool { return g.name == f.name && len(g.ranges) > len(f.ranges) }) &&
			!slices.ContainsFunc(all[:i], func(g family) bool { return g.name == f.name && len(g.ranges) == len(f.ranges) }) {
			out = append(out, strided(t, found{by: run.Marker{Kind: run.MarkNumbered, Name: f.name}, marks: number(t, f.ranges, numbered)}, work))
		}
	}
	return out
}

// maySteps reports whether ranges called like that may be numbered steps.
var maySteps = kernelname.Remember(func(name string) bool {
	return numbered.MatchString(name) && !notTraining.MatchString(name) && !notASteps.MatchString(name)
})

// numberedKind is what the numbered ranges of a kind are called, "" where a compiler made
// the name.
var numberedKind = kernelname.Remember(func(name string) string {
	if hashed(name) {
		return ""
	}
	return FoldName(name)
})

// repeatingRanges are the ranges that repeat and cover most of the capture: first the
// one with fewer and longer occurrences, which is the outer one; of equals, the one that
// covers most. Names that differ in their numbers are others: they count layers as
// often as steps.
func repeatingRanges(t *trace.Trace) []found {
	all := families(t, func(name string) bool { return !notASteps.MatchString(name) }, unlessHashed)
	all = slices.DeleteFunc(all, func(f family) bool {
		return len(f.ranges) < minRepeats || f.share < minDuty || !spansDevice(t, f.ranges) || warmUp.MatchString(f.name)
	})
	slices.SortStableFunc(all, func(a, b family) int {
		return cmp.Or(cmp.Compare(len(a.ranges), len(b.ranges)), cmp.Compare(b.share, a.share))
	})
	var out []found
	for _, f := range all {
		by := run.Marker{Kind: run.MarkRange, Name: f.name}
		if !slices.ContainsFunc(out, func(have found) bool { return have.by == by }) {
			out = append(out, found{by: by, marks: number(t, f.ranges, nil)})
		}
	}
	return out
}

// unlessHashed is a name that no compiler made, "" of another.
func unlessHashed(name string) string {
	if hashed(name) {
		return ""
	}
	return name
}

// coverage is the share of the time from the first to the last range that is
// inside one of them.
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

// spansDevice reports whether ranges run over at least half of the time in
// which the device was active; three short ranges at the start are no steps.
func spansDevice(t *trace.Trace, rs []trace.Range) bool {
	if len(t.Device) == 0 {
		return true
	}
	active := t.Device[len(t.Device)-1].Start - t.Device[0].Start
	return float64(rs[len(rs)-1].End-rs[0].Start) >= minCoverage*float64(active)
}
