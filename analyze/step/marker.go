package step

import (
	"cmp"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"perfdiff/analyze/trace"
)

var (
	profilerStep = regexp.MustCompile(`^ProfilerStep\s*#\s*(\d+)$`)
	numbered     = regexp.MustCompile(`(?i)(?:^|[^a-z])(?:steps?|iter|iteration|iters|it|batch|minibatch)[\s#:_=\[(/-]*(\d+)\D*$`)
	warmUp       = regexp.MustCompile(`(?i)warm[\s_-]?up|eval|valid|test`)
	anyNumber    = regexp.MustCompile(`(\d+)\D*$`)
	optimizer    = regexp.MustCompile(`(?i)^Optimizer\.step\b`)
	notASteps    = regexp.MustCompile(`(?i)^(?:aten::|nccl|cublas|cudnn|c10|autograd::|Optimizer\.|enumerate\(DataLoader\)|MPI_|gloo:|epoch|record_param_comms|dataloader)`)
)

// Finding steps by themselves takes a pattern that repeats at least this often.
const (
	minRepeats       = 3
	minKernelRepeats = 20   // a kernel is weaker evidence than a range
	minCoverage      = 0.5  // of the device's activity, from the first range to the last
	minDuty          = 0.3  // of that time, inside the ranges
	minKernelSpan    = 0.8  // of the device's activity, from first to last launch
	maxPeriodSpread  = 0.25 // (p90 - p10) / median of a regular kernel's periods
	minSameWork      = 0.8  // of the periods, with the same number of launches in them
)

// findMarks returns the marks of the first marker that applies, and its name
// for people.
func findMarks(t *trace.Trace, opt Options) ([]mark, string) {
	switch {
	case opt.Range != nil:
		return rangeMarks(t, func(name string) bool { return opt.Range.MatchString(name) }, anyNumber),
			fmt.Sprintf("range matching %q", opt.Range)
	case opt.Kernel != nil:
		return kernelMarks(t, func(name string) bool { return opt.Kernel.MatchString(name) }),
			fmt.Sprintf("kernel matching %q", opt.Kernel)
	}
	if m := rangeMarks(t, profilerStep.MatchString, profilerStep); len(m) > 0 {
		return m, "ProfilerStep#N"
	}
	isStep := func(name string) bool { return numbered.MatchString(name) && !warmUp.MatchString(name) }
	if m := rangeMarks(t, isStep, numbered); len(m) > 0 {
		return m, fmt.Sprintf("range %q", pattern(t, m[0], numbered))
	}
	if m, name := repeatingRange(t); len(m) > 0 {
		return m, fmt.Sprintf("range %q", name)
	}
	if m, name := regularLaunch(t); len(m) > 0 {
		return m, "launch of " + name
	}
	if m := rangeMarks(t, optimizer.MatchString, nil); len(m) >= minRepeats {
		return m, "Optimizer.step"
	}
	return nil, "none"
}

// rangeMarks are the ranges whose name is a step's, on the thread that has
// most of them, outermost only. The number is read from the name by numberOf;
// where it is nil, or names do not count up, marks are numbered from 0.
func rangeMarks(t *trace.Trace, isStep func(string) bool, numberOf *regexp.Regexp) []mark {
	match := make([]int8, t.Names.Len()) // 0 not asked, 1 yes, -1 no
	byThread := map[int32][]trace.Range{}
	for _, r := range t.Ranges {
		if match[r.Name] == 0 {
			match[r.Name] = -1
			if isStep(t.Names.Text(r.Name)) {
				match[r.Name] = 1
			}
		}
		if match[r.Name] > 0 {
			byThread[r.Thread] = append(byThread[r.Thread], r)
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

func numberIn(name string, re *regexp.Regexp) (int64, bool) {
	m := re.FindStringSubmatch(name)
	if m == nil {
		return 0, false
	}
	n, err := strconv.ParseInt(m[len(m)-1], 10, 64)
	return n, err == nil
}

// pattern is the name of a numbered mark with N in place of its number.
func pattern(t *trace.Trace, m mark, re *regexp.Regexp) string {
	for _, r := range t.Ranges {
		name := t.Names.Text(r.Name)
		if r.Start == m.start && r.End == m.end {
			if at := re.FindStringSubmatchIndex(name); at != nil {
				return name[:at[2]] + "N" + name[at[3]:]
			}
		}
	}
	return "step N"
}

// repeatingRange is the range that repeats and covers most of the capture:
// of several, the one that covers most; of equals, the one with fewer and
// longer occurrences, which is the outer one.
func repeatingRange(t *trace.Trace) ([]mark, string) {
	type key struct {
		name   trace.NameID
		thread int32
	}
	groups := map[key][]trace.Range{}
	for _, r := range t.Ranges {
		if !notASteps.MatchString(t.Names.Text(r.Name)) {
			groups[key{r.Name, r.Thread}] = append(groups[key{r.Name, r.Thread}], r)
		}
	}
	type candidate struct {
		marks  []mark
		name   string
		share  float64
		thread int32
	}
	var all []candidate
	for k, rs := range groups {
		rs = outermost(rs)
		if share := coverage(rs); len(rs) >= minRepeats && share >= minDuty && spansDevice(t, rs) {
			all = append(all, candidate{number(t, rs, nil), t.Names.Text(k.name), share, k.thread})
		}
	}
	if len(all) == 0 {
		return nil, ""
	}
	best := slices.MinFunc(all, func(a, b candidate) int {
		return cmp.Or(cmp.Compare(len(a.marks), len(b.marks)), cmp.Compare(b.share, a.share), strings.Compare(a.name, b.name), cmp.Compare(a.thread, b.thread))
	})
	return best.marks, best.name
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
