// Package kernelname is the grammar of names: what the name of a kernel says of its
// function, its family and the library and collective that it belongs to, and how names of
// kernels, ranges and steps are folded, so that two builds of one program share them. It
// knows texts alone, no traces.
package kernelname
