package diff

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"

	"perfdiff/diff/number"
)

// mostParts is how many kernels a sentence names.
const mostParts = 3

// computePart is what one kernel, or some in others' place, has in a change of compute.
type computePart struct {
	delta, base   float64 // s a step
	words, advice string
	sure          bool // beyond what kernels differ by
}

const (
	otherAdvice  = "Find out why the other kernel was chosen: a library version, a shape, a layout, a fused path that is off."
	kernelAdvice = "See Kernels for its calls, grid and block on both sides."
)

// computeParts are those of all kernels, the largest first. A kernel that only one side
// runs is never all of what it takes: what runs in its place on the other side counts
// against it, one by one where that is plain, and together where it is not.
func (p *pair) computeParts(r *Report) (parts []computePart) {
	pairs, gone, came := replacements(r)
	for _, x := range pairs {
		sc := number.ScaleOf("s", math.Max(x.came.CandTime, x.gone.BaseTime))
		parts = append(parts, computePart{x.came.CandTime - x.gone.BaseTime, x.gone.BaseTime,
			fmt.Sprintf("%s runs in place of %s: %s a step, in the baseline %s", shortKernel(x.came.Name), shortKernel(x.gone.Name), sc.With(x.came.CandTime), sc.With(x.gone.BaseTime)), otherAdvice, true})
	}
	if len(gone) > 0 && len(came) > 0 {
		was, is := 0.0, 0.0
		for _, k := range gone {
			was += k.BaseTime
		}
		for _, k := range came {
			is += k.CandTime
		}
		sc := number.ScaleOf("s", math.Max(was, is))
		parts = append(parts, computePart{is - was, was, fmt.Sprintf("%s that the baseline does not run, in place of %s that the candidate does not: %s a step, in the baseline %s",
			number.Counted(len(came), "kernel"), number.Counted(len(gone), "kernel"), sc.With(is), sc.With(was)), otherAdvice, true})
		gone, came = nil, nil
	}
	for _, k := range slices.Concat(gone, came) {
		parts = append(parts, computePart{k.Delta, k.BaseTime, kernelWords(k), kernelAdvice, true})
	}
	for i := range r.Kernels {
		if k := &r.Kernels[i]; k.Class == "compute" && k.Others == 0 && k.BaseCalls > 0 && k.CandCalls > 0 {
			parts = append(parts, computePart{k.Delta, k.BaseTime, kernelWords(k), kernelAdvice, k.Beyond})
		}
	}
	slices.SortStableFunc(parts, func(a, b computePart) int { return cmp.Compare(math.Abs(b.delta), math.Abs(a.delta)) })
	return parts
}

// replacement is a kernel that vanished and the one that is new in its place.
type replacement struct{ gone, came *Kernel }

// replacements pair kernels that only one side runs: of the same family, called as
// often, and the only one like that or launched with the same grid. What is left is in
// gone and came.
func replacements(r *Report) (pairs []replacement, gone, came []*Kernel) {
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
