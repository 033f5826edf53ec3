package run

import (
	"cmp"
	"slices"
	"strings"
)

// MaxKernelWork is how many kernels a rank keeps of its whole capture.
const MaxKernelWork = 64

// MergeKernelWork returns the work of two captures together, in order of name. If there are too many kernels, all that
// communicate stay: they are few, and show which libraries are in use.
func MergeKernelWork(a, b []KernelWork) []KernelWork {
	byName := map[string]KernelWork{}
	for _, w := range slices.Concat(a, b) {
		have := byName[w.Kernel]
		sum := w
		sum.Launches, sum.Time, sum.Shape = have.Launches+w.Launches, have.Time+w.Time, have.Shape
		if have.Launches > 0 {
			sum.Before = 0 // in whichever capture
		}
		sum.FLOPs, sum.Counted = have.FLOPs+w.FLOPs, have.Counted+w.Counted
		if !sum.Shape.Known() || w.Time > have.Time && w.Shape.Known() {
			sum.Shape = w.Shape // of several kernels of a name, that of the one with more time
		}
		byName[w.Kernel] = sum
	}
	var all []KernelWork
	for _, w := range byName {
		all = append(all, w)
	}
	slices.SortFunc(all, func(x, y KernelWork) int {
		if x, y := x.Library != "", y.Library != ""; x != y {
			return map[bool]int{true: -1, false: 1}[x]
		}
		return cmp.Or(cmp.Compare(y.Time, x.Time), strings.Compare(x.Kernel, y.Kernel))
	})
	all = all[:min(MaxKernelWork, len(all))]
	slices.SortFunc(all, func(x, y KernelWork) int { return strings.Compare(x.Kernel, y.Kernel) })
	return all
}
