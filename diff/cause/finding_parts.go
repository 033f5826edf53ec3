package cause

import (
	"cmp"
	"math"
	"slices"
	"sort"
	"strings"
)

// mostParts is how many kernels a sentence names.
const mostParts = 3

// advice returns what to do about the change.
func (x *KernelPart) advice() Advice {
	if x.Kind == KernelOne {
		return Advice{Kind: AdviceKernel}
	}
	return Advice{Kind: AdviceOtherKernel}
}

// partOfOne returns one kernel's own change.
func partOfOne(k *Kernel, sure bool) KernelPart {
	return KernelPart{Kind: KernelOne, Kernel: k, Base: k.BaseTime, Cand: k.CandTime, Delta: k.Delta, sure: sure}
}

// instead returns the change made by kernels that came in place of those that are gone.
func instead(kind string, gone, came []*Kernel) KernelPart {
	x := KernelPart{Kind: kind, sure: true}
	for _, k := range gone {
		x.Gone, x.Base = append(x.Gone, k.Name), x.Base+k.BaseTime
	}
	for _, k := range came {
		x.Came, x.Cand = append(x.Came, k.Name), x.Cand+k.CandTime
	}
	x.Delta = x.Cand - x.Base
	return x
}

// computeParts returns the parts of all kernels in a change of compute, the largest first. A kernel that only one side
// runs does not count alone: what runs in its place on the other side is taken off, kernel by kernel where it is plain
// which one that is, and else together.
func computeParts(p *Causes) (parts []KernelPart) {
	pairs, gone, came := replacements(p)
	for _, x := range pairs {
		parts = append(parts, instead(KernelReplaced, []*Kernel{x.gone}, []*Kernel{x.came}))
	}
	if len(gone) > 0 && len(came) > 0 {
		parts = append(parts, instead(KernelOthers, gone, came))
		gone, came = nil, nil
	}
	for _, k := range slices.Concat(gone, came) {
		parts = append(parts, partOfOne(k, true))
	}
	for i := range p.Kernels {
		if k := &p.Kernels[i]; k.Class == "compute" && k.Others == 0 && k.BaseCalls > 0 && k.CandCalls > 0 {
			parts = append(parts, partOfOne(k, k.BeyondNoise))
		}
	}
	sort.SliceStable(parts, func(i, j int) bool {
		a, b := &parts[i], &parts[j]
		return cmp.Compare(math.Abs(b.Delta), math.Abs(a.Delta)) < 0
	})
	return parts
}

// replacement is a kernel that vanished and the one that is new in its place.
type replacement struct{ gone, came *Kernel }

// replacements pair kernels that only one side runs: of the same family, called as
// often, and the only one like that or launched with the same grid. What is left is in
// gone and came.
func replacements(r *Causes) (pairs []replacement, gone, came []*Kernel) {
	for i := range r.Kernels {
		switch k := &r.Kernels[i]; {
		case k.Class != "compute" || k.Others > 0:
		case k.BaseCalls > 0 && k.CandCalls == 0:
			gone = append(gone, k)
		case k.BaseCalls == 0 && k.CandCalls > 0:
			came = append(came, k)
		}
	}
	like := func(g, c *Kernel) bool {
		return c.Family == g.Family && math.Abs(c.CandCalls-g.BaseCalls) <= 0.1*g.BaseCalls
	}
	only := func(of []*Kernel, is func(*Kernel) bool) (found *Kernel) {
		for _, k := range of {
			if is(k) {
				if found != nil {
					return nil
				}
				found = k
			}
		}
		return found
	}
	for _, grids := range []bool{false, true} { // by grid where families alone do not tell
		for _, g := range slices.Clone(gone) {
			alike := func(g, c *Kernel) bool {
				return like(g, c) && (!grids || g.BaseShape != "" && sameGrid(c.CandShape, g.BaseShape))
			}
			c := only(came, func(c *Kernel) bool { return alike(g, c) })
			if c == nil || only(gone, func(other *Kernel) bool { return alike(other, c) }) != g {
				continue
			}
			pairs = append(pairs, replacement{g, c})
			gone, came = slices.DeleteFunc(gone, func(k *Kernel) bool { return k == g }), slices.DeleteFunc(came, func(k *Kernel) bool { return k == c })
		}
	}
	return pairs, gone, came
}

// sameGrid reports whether two launches have as many blocks of the same size.
func sameGrid(a, b string) bool {
	grid := func(s string) string { text, _, _ := strings.Cut(s, ","); return text }
	return grid(a) == grid(b)
}
