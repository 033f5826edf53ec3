package diff

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"

	"perfdiff/diff/number"
)

// mostOf is the share of a change from which one thing is its cause.
const mostOf = 0.6

// clockLike is up to which share a change of all kernels can be one of the clock.
const clockLike = 0.3

// computeWhy says what made compute change: a share that all kernels have in
// common, a kernel in another's place, one kernel, or one family.
func (p *pair) computeWhy(r *Report, c *Comparison) (why, advice string) {
	if base, cand := replays(r); base != cand {
		side, other := "candidate", "baseline"
		if base {
			side, other = other, side
		}
		return "the " + side + " replays CUDA graphs, of which kernels were not recorded one by one as in the " + other, graphAdvice
	}
	if s := r.KernelShift; !math.IsNaN(s) && math.Abs(s) >= leastChange && s*c.Delta > 0 && math.Abs(s*c.Base) >= mostOf*math.Abs(c.Delta) {
		return p.sharedWhy(r, c, s)
	}
	parts, sum := p.computeParts(r, c), 0.0
	var words []string
	for i, x := range parts {
		if i == mostParts || i > 0 && !x.sure {
			break
		}
		words, sum = append(words, x.words), sum+x.delta
		if math.Abs(sum) >= mostOf*math.Abs(c.Delta) {
			return strings.Join(words, "; ") + besides(r, c), parts[0].advice
		}
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

// mostParts is how many kernels a sentence names.
const mostParts = 3

// computePart is what one kernel, or one in another's place, has in a change of compute.
type computePart struct {
	delta         float64
	words, advice string
	sure          bool // beyond what kernels differ by
}

// computeParts are those that go with the change, the largest first.
func (p *pair) computeParts(r *Report, c *Comparison) (parts []computePart) {
	gone, came := p.replaced(r)
	if came != nil {
		sc := number.ScaleOf("s", math.Max(came.CandTime, gone.BaseTime))
		parts = append(parts, computePart{came.CandTime - gone.BaseTime,
			fmt.Sprintf("%s runs in place of %s: %s a step, in the baseline %s", shortKernel(came.Name), shortKernel(gone.Name), sc.With(came.CandTime), sc.With(gone.BaseTime)),
			"Find out why the other kernel was chosen: a library version, a shape, a layout, a fused path that is off.", true})
	}
	for i := range r.Kernels {
		if k := &r.Kernels[i]; k.Class == "compute" && k.Others == 0 && (came == nil || k != gone && k != came) {
			parts = append(parts, computePart{k.Delta, kernelWords(k), "See Kernels for its calls, grid and block on both sides.", k.Beyond})
		}
	}
	parts = slices.DeleteFunc(parts, func(x computePart) bool { return !(x.delta*c.Delta > 0) })
	slices.SortStableFunc(parts, func(a, b computePart) int { return cmp.Compare(math.Abs(b.delta), math.Abs(a.delta)) })
	return parts
}

const graphAdvice = "Record with --cuda-graph-trace=node to compare kernel by kernel; until then only times are comparable."

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
		return fmt.Sprintf("all kernels run about %s %s often, each call as long as before", size, moreOrLess(shift)),
			"Look at what multiplies the work of a step: layers, micro-batches, recomputation."
	}
	why = fmt.Sprintf("all kernels take about %s %s", size, map[bool]string{true: "longer", false: "less"}[shift > 0])
	if math.Abs(shift) > clockLike {
		return why, "Look at what all kernels share: the size of the batch, the shapes, the data type, the device."
	}
	if group := p.sharedBy(shift); group != "" {
		return fmt.Sprintf("on %s all kernels take %s, as with another clock, and on the others as long as before", group, map[bool]string{true: "longer", false: "less"}[shift > 0]),
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

// besides adds the change that all kernels share beside the one that is named.
func besides(r *Report, c *Comparison) string {
	if s := r.KernelShift; math.Abs(s) >= leastChange {
		sc := number.ScaleOf("s", c.Base)
		return fmt.Sprintf("; besides, all kernels take about %s %s, as with another clock (%s)", number.Share(math.Abs(s)), map[bool]string{true: "longer", false: "less"}[s > 0], sc.SignedWith(s*c.Base))
	}
	return ""
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
		return text + fmt.Sprintf(" in %s calls, in the baseline %s", number.Times(k.CandCalls), number.Times(k.BaseCalls))
	}
	each := number.ScaleOf("s", math.Max(k.BaseTime/k.BaseCalls, k.CandTime/k.CandCalls))
	text += fmt.Sprintf(": %s calls of %s each, in the baseline %s", number.Times(k.CandCalls), each.With(k.CandTime/k.CandCalls), each.With(k.BaseTime/k.BaseCalls))
	if k.Launched != "" {
		text += " (" + k.Launched + ")"
	}
	return text
}

// replaced is the kernel that vanished with the most time and the one that is new
// in its place: of the same family, called as often, and the only one like that or
// launched with the same grid. nil where there is none.
func (p *pair) replaced(r *Report) (gone, came *Kernel) {
	for i := range r.Kernels {
		k := &r.Kernels[i]
		if k.Class == "compute" && k.Others == 0 && k.BaseCalls > 0 && k.CandCalls == 0 && (gone == nil || k.BaseTime > gone.BaseTime) {
			gone = k
		}
	}
	if gone == nil {
		return nil, nil
	}
	var like []*Kernel
	for i := range r.Kernels {
		k := &r.Kernels[i]
		if k.Class == "compute" && k.Others == 0 && k.BaseCalls == 0 && math.Abs(k.CandCalls-gone.BaseCalls) <= 0.1*gone.BaseCalls && k.Family == gone.Family {
			like = append(like, k)
		}
	}
	if len(like) > 1 {
		like = slices.DeleteFunc(like, func(k *Kernel) bool { return gone.BaseShape == "" || !sameGrid(k.CandShape, gone.BaseShape) })
	}
	if len(like) != 1 {
		return gone, nil
	}
	return gone, like[0]
}

// sameGrid reports whether two launches have as many blocks of the same size.
func sameGrid(a, b string) bool {
	grid := func(s string) string { text, _, _ := strings.Cut(s, ","); return text }
	return grid(a) == grid(b)
}

// shortKernel is what people say of a kernel: its own name without return type,
// namespaces, template and parameters.
func shortKernel(name string) string {
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
