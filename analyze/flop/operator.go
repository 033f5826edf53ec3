package flop

import (
	"math"

	"perfdiff/analyze/trace"
)

// Args holds the arguments of one call, as recorded. A list that is shorter than the others says nothing about the
// arguments after its end.
type Args struct {
	Dims   [][]float64        // of each argument: its sizes; nil for what is no tensor, or is not known
	Types  []trace.NumberType // of their numbers
	Values []string           // of arguments that are no tensors: "[1, 1]", "True"
}

// dims returns the sizes of argument i; nil if it is none with sizes.
func (a *Args) dims(i int) []float64 {
	if i < len(a.Dims) {
		return a.Dims[i]
	}
	return nil
}

// typeOf returns the type of the numbers of argument i.
func (a *Args) typeOf(i int) trace.NumberType {
	if i < len(a.Types) {
		return a.Types[i]
	}
	return trace.UnknownType
}

// value returns the text of argument i, "" if it was not recorded.
func (a *Args) value(i int) string {
	if i < len(a.Values) {
		return a.Values[i]
	}
	return ""
}

// isTrue reports whether argument i was recorded and is true.
func (a *Args) isTrue(i int) bool { v := a.value(i); return v == "True" || v == "true" || v == "1" }

// Work is what a call computes.
type Work struct {
	FLOPs float64 // NaN not known
	Bytes float64 // arguments and results, once each; NaN not known
	Type  trace.NumberType
}

// unknown is the work of a call whose arguments do not say it.
var unknown = Work{FLOPs: math.NaN(), Bytes: math.NaN()}

// Operator is one that multiplies matrices.
type Operator struct {
	count func(*Args) Work
	conv  *convForm // of a convolution; count is nil
	// Gradient is a part of the gradients of a convolution that has a call of its own inside the
	// call of both: it counts nothing itself.
	Gradient Gradient
}

// Gradient says which gradient of a convolution a call computes alone.
type Gradient uint8

// The gradients, as a set.
const (
	OfInput Gradient = 1 << iota
	OfFilter
)

// Of returns the operator of a name, nil if it counts nothing.
func Of(name string) *Operator { return operators[name] }

// Largest is from which number of operations or bytes on a count is not believed: a float64
// holds whole numbers up to here.
const Largest = 1 << 53

// believed returns w, or unknown work if its numbers are too large for a real call.
func (w Work) believed() Work {
	if !(w.FLOPs > 0 && w.FLOPs <= Largest) {
		return Work{FLOPs: math.NaN(), Bytes: math.NaN(), Type: w.Type}
	}
	if !(w.Bytes > 0 && w.Bytes <= Largest) {
		w.Bytes = math.NaN()
	}
	return w
}

// product returns the product of sizes, 1 without any.
func product(sizes []float64) float64 {
	p := 1.0
	for _, v := range sizes {
		p *= v
	}
	return p
}
