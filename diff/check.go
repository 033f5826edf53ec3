package diff

import (
	"math"
	"slices"

	"perfdiff/analyze/run"
	"perfdiff/diff/policy"
	"perfdiff/diff/sides"
	"perfdiff/diff/verdict"
)

// CheckReport is the result of comparing one run set with itself, which must show no change, and with itself after a
// known change was put into the data, which it should show.
type CheckReport struct {
	Tests    []SelfTest
	Injected []Injected
	Policy   policy.Policy
	Judged   bool      // false: there are too few steps for any of it
	Why      *Headline // why nothing is judged, where it is not the steps; nil: it is
	// Whole: the changes were put into a copy of all steps, because half of them
	// would be too few, and not into the even ones.
	Whole bool
}

// Halves says which parts of a set are compared with each other.
type Halves string

// The comparisons that must show no change.
const (
	Itself    Halves = "itself"
	Reordered Halves = "reordered" // a copy in another order
	OddEven   Halves = "odd-even"  // steps
	FirstLast Halves = "first-last"
)

// SelfTest is one comparison that must show no change.
type SelfTest struct {
	Of    Halves
	OK    bool
	Found *verdict.Comparison // the metric that was said to change; nil: none was
}

// Injected is one known change and whether it would have been caught.
type Injected struct {
	What       string  // "every step", "rank 3", "kernel gemm", "AllReduce"
	Size       float64 // of the change of it, a fraction
	OfStep     float64 // what that makes of the step time, a fraction
	Caught     bool    // a gating metric regressed
	By         string  // the metric that showed it; "" none
	ByKernels  bool    // the table of kernels showed it, and no metric
	Detectable float64 // smallest change of the step time that pairs like this one show in 80 % of cases, a fraction
}

// OK reports whether every comparison that must show no change shows none.
func (r *CheckReport) OK() bool {
	return !slices.ContainsFunc(r.Tests, func(t SelfTest) bool { return !t.OK })
}

// Check compares a run set with itself, with a copy in another order, and its steps with each other: the odd with the
// even ones, and the first with the second half. Then it puts changes of several sizes (fractions) into the even steps
// and compares the odd ones with them, so that the noise within the run is included. The set is not changed.
func Check(set *run.Set, policy policy.Policy, opt Options, sizes []float64) *CheckReport {
	whole := anonymous(set)
	out := &CheckReport{Policy: policy}
	compare := func(a, b *run.Set) *Report { return Compare(a, b, policy, opt) }
	itself := compare(whole, anonymous(set))
	out.Judged = itself.Judged
	if !out.Judged {
		if itself.Reason == verdict.ReasonUnclear {
			out.Why = &itself.Headline
		}
		return out
	}
	out.test(Itself, itself)
	out.test(Reordered, compare(whole, reordered(anonymous(set))))
	odd, even := half(whole, func(i, _ int) bool { return i%2 == 0 }), half(whole, func(i, _ int) bool { return i%2 == 1 })
	out.test(OddEven, compare(odd, even))
	first, second := half(whole, func(i, n int) bool { return i < n/2 }), half(whole, func(i, n int) bool { return i >= n/2 })
	out.test(FirstLast, compare(first, second))
	if out.Whole = fewestKept(sides.NewSide("", odd)) < sides.EnoughSteps; out.Whole {
		odd, even = whole, whole
	}
	for _, size := range sizes {
		for _, c := range changes(even) {
			out.inject(c, size, odd, compare)
		}
	}
	return out
}

func (out *CheckReport) test(of Halves, r *Report) {
	t := SelfTest{Of: of, OK: true}
	for i := range r.Metrics {
		if c := &r.Metrics[i]; c.Gating && (c.Verdict == verdict.Regressed || c.Verdict == verdict.Improved) {
			t.OK, t.Found = false, c
			break
		}
	}
	out.Tests = append(out.Tests, t)
}

func (out *CheckReport) inject(c injection, size float64, odd *run.Set, compare func(a, b *run.Set) *Report) {
	r := compare(odd, c.apply(size))
	line := Injected{What: c.what, Size: size, Caught: r.Judged && len(r.regressions()) > 0, Detectable: math.NaN()}
	for _, m := range r.Metrics {
		if m.Key == sides.StepTime {
			line.Detectable = m.Detectable80
		}
		if line.By == "" && m.Gating && m.Verdict == verdict.Regressed {
			line.By = m.Key.Metric
		}
	}
	for _, k := range r.Kernels {
		if line.By == "" && k.BeyondNoise && k.Change > 0 && k.Name == c.kernel {
			line.ByKernels = true
		}
	}
	line.OfStep = c.ofStep * size
	out.Injected = append(out.Injected, line)
}

// fewestKept returns how many steps the run with the fewest has.
func fewestKept(s *sides.Side) int {
	n := math.MaxInt
	for _, r := range s.Runs {
		n = min(n, len(r.Kept))
	}
	return n
}

// anonymous returns a copy of a set without the names of its files and the time of its recording, so that they cannot
// show what it is.
func anonymous(set *run.Set) *run.Set {
	out := *set
	out.Digest, out.Files, out.Warnings = "", nil, nil
	out.Runs = slices.Clone(set.Runs)
	for i := range out.Runs {
		out.Runs[i].Ranks = slices.Clone(out.Runs[i].Ranks)
		for j := range out.Runs[i].Ranks {
			r := &out.Runs[i].Ranks[j]
			r.Began = 0 // or it would be one recording
			r.Series, r.Steps = slices.Clone(r.Series), slices.Clone(r.Steps)
			for k := range r.Series {
				r.Series[k].Values = slices.Clone(r.Series[k].Values)
			}
		}
	}
	return &out
}

// reordered turns the order of runs, ranks, series and steps around.
func reordered(set *run.Set) *run.Set {
	slices.Reverse(set.Runs)
	for i := range set.Runs {
		slices.Reverse(set.Runs[i].Ranks)
	}
	for r := range set.EachRank() {
		slices.Reverse(r.Series)
		slices.Reverse(r.Steps)
		for k := range r.Series {
			slices.Reverse(r.Series[k].Values)
		}
	}
	return set
}

// half keeps some of the kept steps of each rank and numbers them anew, so that
// two halves pair; keep is told the place of a step and how many there are.
func half(set *run.Set, keep func(i, n int) bool) *run.Set {
	out := anonymous(set)
	for i := range out.Runs {
		for j := range out.Runs[i].Ranks {
			r := &out.Runs[i].Ranks[j]
			kept := r.Kept()
			kept = kept[:len(kept)/2*2]
			var at []int
			for n, k := range kept {
				if keep(n, len(kept)) {
					at = append(at, k)
				}
			}
			steps := r.Steps
			r.Steps = nil
			for n, k := range at {
				s := steps[k]
				s.Number = int64(n)
				r.Steps = append(r.Steps, s)
			}
			for k := range r.Series {
				values := r.Series[k].Values
				if len(values) == 0 {
					continue
				}
				r.Series[k].Values = make([]float64, len(at))
				for n, from := range at {
					r.Series[k].Values[n] = values[from]
				}
			}
		}
	}
	return out
}
