package diff

import (
	"fmt"
	"math"
	"regexp"
	"slices"
	"strings"

	"perfdiff/diff/number"
)

// mostOf is the share of a change from which one thing is its cause. Chosen, not
// measured: TestPlanted holds which cause it gives on the stories.
const mostOf = 0.6

// clockLike is up to which share a change of all kernels can be one of the clock. Chosen,
// not measured: no profiles of devices at two clocks were at hand; the story clock-drop
// is one of 6 %.
const clockLike = 0.3

// computeWhy says what made compute change: a share that all kernels have in
// common, a kernel in another's place, one kernel, or one family.
func (p *pair) computeWhy(r *Report, c *Comparison) (why, advice string) {
	if s := r.KernelShift; !math.IsNaN(s) && math.Abs(s) >= leastChange && s*c.Delta > 0 && math.Abs(s*c.Base) >= mostOf*math.Abs(c.Delta) {
		return p.sharedWhy(r, c, s)
	}
	parts := p.computeParts(r)
	parts = slices.DeleteFunc(parts, func(x computePart) bool { return !(x.delta*c.Delta > 0) })
	var words []string
	sum, named := 0.0, 0.0
	for i, x := range parts {
		enough := math.Abs(sum) >= mostOf*math.Abs(c.Delta)
		if i == mostParts || i > 0 && !x.sure || enough && math.Abs(x.delta) < besideOf*math.Abs(c.Delta) {
			break
		}
		words, sum, named = append(words, x.words), sum+x.delta, named+x.base
	}
	if math.Abs(sum) >= mostOf*math.Abs(c.Delta) {
		return strings.Join(words, "; ") + besides(r, c, named), parts[0].advice
	}
	for _, part := range r.Waterfall.Parts {
		for _, f := range part.Within {
			if math.Abs(f.Delta) >= mostOf*math.Abs(c.Delta) && f.Delta*c.Delta > 0 {
				sc := number.ScaleOf("s", math.Max(f.Base, f.Cand))
				return fmt.Sprintf("kernels of the family %s, from %s to %s", f.Name, sc.Format(f.Base), sc.With(f.Cand)), "See Kernels for the single ones."
			}
		}
	}
	return "", ""
}

// graphAdvice is what to record to see into replays. PyTorch's profiler always does.
func (p Profilers) graphAdvice() string {
	const node, alike = "Record both sides with --cuda-graph-trace=node to compare kinds of work and single kernels.", "Record both sides with or both without graphs to compare kinds of work and single kernels."
	return p.Either(node, alike, node)
}

// sharedWhy says what a change of all kernels is: more of the same calls, or longer
// ones, which a clock makes as well as a shape.
func (p *pair) sharedWhy(r *Report, c *Comparison, shift float64) (why, advice string) {
	slower, calls := 0.0, 0.0
	for _, k := range r.Kernels {
		if k.Class == "compute" {
			slower, calls = slower+k.Slower, calls+k.Calls
		}
	}
	size := number.Share(math.Abs(shift))
	if math.Abs(slower) < math.Abs(calls) {
		return fmt.Sprintf("all kernels run about %s %s often, each call about as long as before", size, moreOrLess(shift)),
			"Look at what multiplies the work of a step: layers, micro-batches, recomputation."
	}
	why = allTake(shift)
	if math.Abs(math.Log1p(shift)) > math.Log1p(clockLike) {
		return why, "Look at what all kernels share: the size of the batch, the shapes, the data type, the device."
	}
	if group := p.sharedBy(shift); group != "" {
		return fmt.Sprintf("on %s all kernels take %s, as with another clock, and on the others about as long as before", group, longerOrLess(shift)),
			"Compare clocks, power limits and temperatures of these devices with the others' first."
	}
	return why + ", as with another clock", "Compare clocks, power limits and temperatures of the devices first, then the size of the batch: one kernel's code is not the cause."
}

// sharedBy names the ranks on which compute changed, where on others it did not; "" where
// all of them share the change.
func (p *pair) sharedBy(shift float64) string {
	key := phases[0].key // compute
	base, cand := p.base.means(key), p.cand.means(key)
	change, most := map[int]float64{}, 0.0
	for _, n := range sortedKeys(base) {
		if base[n] > 0 && cand[n] > 0 {
			change[n] = (cand[n]/base[n] - 1) * math.Copysign(1, shift)
			most = math.Max(most, change[n])
		}
	}
	var moved []int
	for _, n := range sortedKeys(change) {
		switch {
		case change[n] >= likeMost*most:
			moved = append(moved, n)
		case math.Abs(change[n]) >= leastChange: // it does not take as long as before
			return ""
		}
	}
	switch len(moved) {
	case 0, len(change):
		return ""
	case 1:
		return fmt.Sprintf("rank %d", moved[0])
	}
	return "ranks " + number.Ranges(moved)
}

func moreOrLess(v float64) string {
	if v > 0 {
		return "more"
	}
	return "less"
}

// besides adds the change that all kernels share beside the ones that are named, which
// take so long in the baseline.
func besides(r *Report, c *Comparison, named float64) string {
	if s := r.KernelShift; math.Abs(s) >= leastChange {
		sc := number.ScaleOf("s", c.Base)
		return "; besides, " + allTake(s) + ", as with another clock (" + sc.SignedWith(s*math.Max(0, c.Base-named)) + ")"
	}
	return ""
}

// allTake words a change that all kernels share, a ratio less 1.
func allTake(shift float64) string {
	return fmt.Sprintf("all kernels take about %s %s", number.Share(math.Abs(shift)), longerOrLess(shift))
}

func rose(v float64) string {
	if v < 0 {
		return "fell"
	}
	return "rose"
}

func longerOrLess(v float64) string {
	if v > 0 {
		return "longer"
	}
	return "less"
}

// kernelWords say how one kernel changed.
func kernelWords(k *Kernel) string {
	sc := number.ScaleOf("s", math.Max(k.BaseTime, k.CandTime))
	text := fmt.Sprintf("%s, from %s to %s", shortKernel(k.Name), sc.Format(k.BaseTime), sc.With(k.CandTime))
	switch {
	case k.BaseCalls == 0:
		return text + ", which the baseline does not run"
	case k.CandCalls == 0:
		return text + ", which the candidate does not run"
	case math.Abs(k.Calls) > math.Abs(k.Slower):
		return text + fmt.Sprintf(" in %s, in the baseline %s", callsText(k.CandCalls), number.Times(k.BaseCalls))
	}
	each := number.ScaleOf("s", math.Max(k.BaseTime/k.BaseCalls, k.CandTime/k.CandCalls))
	text += fmt.Sprintf(": %s of %s each, in the baseline %s", callsText(k.CandCalls), each.With(k.CandTime/k.CandCalls), each.With(k.BaseTime/k.BaseCalls))
	if k.Launched != "" {
		text += " (" + k.Launched + ")"
	}
	return text
}

func callsText(v float64) string {
	if v == 1 {
		return "1 call"
	}
	return number.Times(v) + " calls"
}

// functor is what PyTorch's kernels for single elements are given, which alone tells
// them apart.
var functor = regexp.MustCompile(`\b(\w+Functor\w*)`)

// shortKernel is what people say of a kernel: its own name without return type,
// namespaces, template and parameters.
func shortKernel(name string) string {
	if i := strings.Index(name, "elementwise_kernel<"); i >= 0 {
		if f := functor.FindString(name[i:]); f != "" {
			return shortKernel(name[:i]+"elementwise_kernel") + "<" + f + ">"
		}
	}
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
	name = strings.TrimPrefix(name, "void ")
	if len(name) > 48 {
		name = name[:29] + "\u2026" + name[len(name)-18:]
	}
	return name
}
