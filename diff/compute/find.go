package compute

import "perfdiff/analyze/kernelname"

// Find returns the index of the kernel with the canonical name of a kernel in a timeline, -1 if it was not replayed.
// If it was replayed with several sizes, it is the one whose change takes most time. A recording may hold only names
// of functions (ncu --print-kernel-base function); such a name stands for all kernels of that function.
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
