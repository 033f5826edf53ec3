package compute

import "perfdiff/analyze/kernelname"

// Find is the index of the kernel with the canonical name of one of a timeline, -1 if it was not replayed.
// Where it was with several sizes, it is that whose change is of the most time. A recording may hold
// names of functions alone (ncu --print-kernel-base function); such a name stands for all of them.
func (r *Report) Find(name string) int {
	for i := range r.Kernels {
		if r.Kernels[i].Name == name {
			return i
		}
	}
	function := kernelname.FunctionOf(name)
	for i := range r.Kernels {
		if r.Kernels[i].Name == function {
			return i
		}
	}
	return -1
}
