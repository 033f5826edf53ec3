package cause

import (
	"math"
	"regexp"
	"slices"
	"strings"

	"perfdiff/analyze/run"
	"perfdiff/diff/sides"
	"perfdiff/diff/verdict"
)

// mostOf is the share of a change from which one thing is its cause. Chosen, not
// measured: TestPlanted holds which cause it gives on the stories.
const mostOf = 0.6

// clockLike is up to which share a change of all kernels can be one of the clock. Chosen,
// not measured: no profiles of devices at two clocks were at hand; the story clock-drop
// is one of 6 %.
const clockLike = 0.3

// ComputeWhy says what made compute change: a share that all kernels have in
// common, a kernel in another's place, one kernel, or one family.
func (p *Causes) ComputeWhy(c *verdict.Comparison) (why []Clause, advice Advice) {
	if s := p.KernelShift; !math.IsNaN(s) && math.Abs(s) >= LeastChange && s*c.Delta > 0 && math.Abs(s*c.Base) >= mostOf*math.Abs(c.Delta) {
		return sharedWhy(p, c, s)
	}
	parts := computeParts(p)
	parts = slices.DeleteFunc(parts, func(x KernelPart) bool { return !(x.Delta*c.Delta > 0) })
	kernels := ClauseKernels.clause()
	sum, named := 0.0, 0.0
	for i, x := range parts {
		enough := math.Abs(sum) >= mostOf*math.Abs(c.Delta)
		if i == mostParts || i > 0 && !x.sure || enough && math.Abs(x.Delta) < besideOf*math.Abs(c.Delta) {
			break
		}
		kernels.Kernels, sum, named = append(kernels.Kernels, x), sum+x.Delta, named+x.Base
	}
	if math.Abs(sum) >= mostOf*math.Abs(c.Delta) {
		return append([]Clause{kernels}, besides(p, c, named)...), parts[0].advice()
	}
	for _, part := range p.Waterfall.Parts {
		for _, f := range part.Within {
			if f.Metric != run.ComputeTime {
				break // communication by dimension
			}
			if math.Abs(f.Delta) >= mostOf*math.Abs(c.Delta) && f.Delta*c.Delta > 0 {
				family := ClauseFamily.fromTo(f.Base, f.Cand)
				family.Names = []string{f.Part}
				return []Clause{family}, Advice{Kind: AdviceFamily}
			}
		}
	}
	return nil, Advice{}
}

// sharedWhy explains a change of all kernels: more calls of the same length, or longer calls, with more work or
// without; both a clock and another shape make calls longer.
func sharedWhy(p *Causes, c *verdict.Comparison, shift float64) (why []Clause, advice Advice) {
	slower, calls := 0.0, 0.0
	for _, k := range p.Kernels {
		if k.Class == "compute" {
			slower, calls = slower+k.Slower, calls+k.Calls
		}
	}
	if math.Abs(slower) < math.Abs(calls) {
		return []Clause{ClauseMoreOften.by(shift)}, Advice{Kind: AdviceMoreWork}
	}
	if p.Work.takes(shift) {
		return []Clause{ClauseWithWork.by(shift)}, Advice{Kind: AdviceOtherWork}
	}
	if math.Abs(math.Log1p(shift)) > math.Log1p(clockLike) || otherLaunches(p) {
		return []Clause{ClauseAllTake.by(shift)}, Advice{Kind: AdviceShared}
	}
	if some := p.SharedBy(shift); some != nil {
		of, advice := ClauseClockOf.by(shift), Advice{Kind: AdviceClocksOf}
		if c, ok := verdict.ClocksOf(p.Lined, some); ok {
			if of.Base, of.Cand = c.Base, c.Cand; !c.Differ() {
				advice.Kind = AdviceShared
			}
		}
		of.Ranks = some
		return []Clause{of}, advice
	}
	return clockWhy(p, shift)
}

// otherLaunches reports whether most compute time is in kernels that are launched differently, as with another batch
// size: then what they share does not point to a clock.
func otherLaunches(p *Causes) bool {
	all, other := 0.0, 0.0
	for i := range p.Kernels {
		if k := &p.Kernels[i]; k.Class == classCompute {
			if all += k.BaseTime; k.LaunchChange != "" {
				other += k.BaseTime
			}
		}
	}
	return all > 0 && other >= mostOf*all
}

// clockWhy says whether the sampled clock explains a change of all kernels. Without samples it may be the clock.
func clockWhy(p *Causes, shift float64) (why []Clause, advice Advice) {
	c, ok := verdict.Clocks(p.Lined, p.Parts)
	switch {
	case !ok:
		return []Clause{ClauseClock.by(shift)}, Advice{Kind: AdviceClocks}
	case !c.Differ():
		same := ClauseClockSame.fromTo(c.Base, c.Cand)
		same.Share = shift
		return []Clause{same}, Advice{Kind: AdviceShared}
	}
	moved := ClauseClockMoved.fromTo(c.Base, c.Cand)
	moved.Share = shift
	if moved.Delta*shift > 0 {
		return []Clause{moved}, Advice{Kind: AdviceShared} // a faster clock makes nothing longer
	}
	return []Clause{moved}, Advice{Kind: AdviceClocks}
}

// SharedBy returns the ranks on which compute changed if it did not change on others; nil where all of them share the
// change.
func (p *Causes) SharedBy(shift float64) []int {
	base, cand := means(p.Base, computing), means(p.Cand, computing)
	change, most := map[int]float64{}, 0.0
	for _, n := range sides.SortedKeys(base) {
		if base[n] > 0 && cand[n] > 0 {
			change[n] = (cand[n]/base[n] - 1) * math.Copysign(1, shift)
			most = math.Max(most, change[n])
		}
	}
	var moved []int
	for _, n := range sides.SortedKeys(change) {
		switch {
		case change[n] >= likeMost*most:
			moved = append(moved, n)
		case math.Abs(change[n]) >= LeastChange: // it does not take as long as before
			return nil
		}
	}
	if len(moved) == len(change) {
		return nil
	}
	return moved
}

// besides adds a clause on the change that all kernels share apart from those that are named, which take so long in
// the baseline.
func besides(r *Causes, c *verdict.Comparison, named float64) []Clause {
	s := r.KernelShift
	if !(math.Abs(s) >= LeastChange) {
		return nil
	}
	out := ClauseBesides.by(s * math.Max(0, c.Base-named))
	out.Share, out.Base = s, c.Base
	return []Clause{out}
}

// functor finds the argument that alone tells PyTorch's elementwise kernels apart.
var functor = regexp.MustCompile(`\b(\w+Functor\w*)`)

// KernelLabel shortens a kernel's name to what people call it: no return type, namespaces, template or parameters.
func KernelLabel(name string) string {
	if i := strings.Index(name, "elementwise_kernel<"); i >= 0 {
		if f := functor.FindString(name[i:]); f != "" {
			return KernelLabel(name[:i]+"elementwise_kernel") + "<" + f + ">"
		}
	}
	if name = functionOf(name); len(name) > 48 {
		name = name[:29] + "\u2026" + name[len(name)-18:]
	}
	return name
}

// functionOf returns the name of a kernel's function: no return type, namespaces, template or parameters.
func functionOf(name string) string {
	if i := strings.IndexAny(name, "<("); i > 0 && !strings.HasPrefix(name[i:], "(anonymous") {
		name = name[:i]
	}
	name = strings.ReplaceAll(name, "(anonymous namespace)::", "")
	if i := strings.IndexAny(name, "<("); i > 0 {
		name = name[:i]
	}
	if i := strings.LastIndex(name, "::"); i >= 0 && i+2 < len(name) {
		name = name[i+2:]
	}
	return strings.TrimPrefix(name, "void ")
}
