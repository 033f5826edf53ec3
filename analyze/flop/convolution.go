package flop

import (
	"cmp"
	"math"
	"slices"
	"strconv"
	"strings"

	"perfdiff/analyze/trace"
)

// convForm says which arguments of a convolution mean what. g is the gradient of its output, x its input and w its
// filter; a forward pass has no g. In the fields after these 0 means that there is no such argument.
type convForm struct {
	g, x, w                               int
	stride, padding, dilation, transposed int
	mask                                  int // which gradients are computed
	backward                              bool
}

// maxSpatial is how many sizes an image has at most.
const maxSpatial = 3

// convKey is what determines the output of a convolution besides its stride, padding and dilation.
type convKey struct {
	input, filter [2 + maxSpatial]float64
	transposed    bool
}

// convOutput are the sizes of the output that calls with one key were seen to have.
type convOutput struct {
	sizes   [maxSpatial]float64
	numbers trace.NumberType
	several bool
}

// Counter counts the calls of one capture. The sizes of a convolution's output follow from its stride and padding or,
// if these were not recorded, from the backward pass of one of the same sizes, which comes later: call Settle once all
// calls were counted.
type Counter struct {
	outputs map[convKey]convOutput
}

// Call is one call that was counted.
type Call struct {
	Work
	// Gradients are those that the call computes, as recorded: FLOPs are of one of them.
	Gradients Gradient
	Both      bool // it computes gradients, of input and filter where Gradients does not say
	open      *openConv
}

// openConv is a convolution whose output is not known yet.
type openConv struct {
	key convKey
}

// Count returns the work of one call of the operator; for a backward convolution, of one gradient.
func (c *Counter) Count(o *Operator, a *Args) Call {
	switch {
	case o.count != nil:
		return Call{Work: o.count(a)}
	case o.conv != nil:
		return c.convolution(o.conv, a)
	}
	return Call{Work: unknown}
}

// Settle completes the work of a call once all calls were counted.
func (c *Counter) Settle(x *Call) {
	if x.open == nil {
		return
	}
	if out, ok := c.outputs[x.open.key]; ok && !out.several {
		x.Work = x.open.key.work(out.sizes[:x.open.key.spatial()], cmp.Or(x.Type, out.numbers))
	}
}

// Times returns the work of so many gradients of a convolution.
func (w Work) Times(n int) Work {
	w.FLOPs *= float64(n)
	return Work{w.FLOPs, w.Bytes, w.Type}.believed()
}

func (c *Counter) convolution(f *convForm, a *Args) Call {
	call := Call{Work: unknown, Both: f.backward}
	call.Type = a.typeOf(f.x)
	in, filter := a.dims(f.x), a.dims(f.w)
	if len(in) < 3 || len(in) > 2+maxSpatial || len(filter) != len(in) {
		return call
	}
	key := convKey{transposed: f.transposed > 0 && a.isTrue(f.transposed)}
	copy(key.input[:], in)
	copy(key.filter[:], filter)
	if f.backward {
		out := a.dims(f.g)
		if len(out) != len(in) {
			return call
		}
		call.Gradients = gradientsOf(a.value(f.mask), f.mask > 0)
		c.learn(key, out[2:], call.Type)
		call.Work = key.work(out[2:], call.Type)
		return call
	}
	if out := f.output(a, in[2:], filter[2:], key.transposed); out != nil {
		call.Work = key.work(out, call.Type)
		return call
	}
	call.open = &openConv{key}
	return call
}

// learn notes the output of convolutions with a key, and the type of their numbers.
func (c *Counter) learn(key convKey, out []float64, numbers trace.NumberType) {
	if c.outputs == nil {
		c.outputs = make(map[convKey]convOutput)
	}
	var sizes [maxSpatial]float64
	copy(sizes[:], out)
	have, ok := c.outputs[key]
	if !ok && len(c.outputs) == maxOutputs {
		return
	}
	if ok && have.sizes != sizes {
		have.several = true
	}
	have.sizes, have.numbers = sizes, max(have.numbers, numbers) // in any order of calls
	c.outputs[key] = have
}

// maxOutputs bounds how many convolutions are remembered.
const maxOutputs = 1 << 14

func (k *convKey) spatial() int {
	n := 0
	for n < maxSpatial && k.filter[2+n] > 0 {
		n++
	}
	return n
}

// work returns the work of one pass: each element of the output (of the input, where it is transposed) takes one
// multiplication and addition for each element of the filter.
func (k *convKey) work(out []float64, t trace.NumberType) Work {
	n := len(out)
	over, filter := product(out), product(k.filter[:2+n])
	channels := k.filter[0]
	if k.transposed {
		over, channels = product(k.input[2:2+n]), k.filter[1] // of one group
	}
	w := Work{FLOPs: float64(2 * k.input[0] * over * filter), Type: t}
	elements := product(k.input[:2+n]) + filter + float64(k.input[0]*channels*product(out))
	if w.Bytes = float64(elements * t.Size()); t.Size() == 0 {
		w.Bytes = math.NaN()
	}
	return w.believed()
}

// output returns the sizes of the output by the recorded arguments, nil if these do not say them.
func (f *convForm) output(a *Args, in, filter []float64, transposed bool) []float64 {
	if transposed || f.transposed > 0 && a.value(f.transposed) == "" {
		if transposed {
			return in // which it is counted by
		}
		return nil
	}
	n := len(in)
	stride, padding, dilation := numbers(a.value(f.stride), n), numbers(a.value(f.padding), n), numbers(a.value(f.dilation), n)
	if stride == nil || padding == nil || dilation == nil {
		return nil
	}
	out := make([]float64, n)
	for i := range out {
		if stride[i] < 1 || dilation[i] < 1 {
			return nil
		}
		out[i] = math.Floor((in[i]+float64(2*padding[i])-float64(dilation[i]*(filter[i]-1))-1)/stride[i]) + 1
		if out[i] < 1 {
			return nil
		}
	}
	return out
}

// numbers returns the numbers in "[1, 1]"; one number stands for all n; nil for any other text.
func numbers(text string, n int) []float64 {
	text, ok := strings.CutPrefix(text, "[")
	text, closed := strings.CutSuffix(text, "]")
	if !ok || !closed {
		return nil
	}
	var out []float64
	for item := range strings.SplitSeq(text, ",") {
		v, err := strconv.Atoi(strings.TrimSpace(item))
		if err != nil || v < 0 || v > maxSize || len(out) == n {
			return nil
		}
		out = append(out, float64(v))
	}
	if len(out) == 1 {
		out = slices.Repeat(out, n)
	}
	if len(out) != n {
		return nil
	}
	return out
}

// maxSize is the largest stride, padding or dilation that is believed.
const maxSize = 1 << 31

// gradientsOf reads "[True, True, False]": of the input, of the filter, of the bias.
func gradientsOf(mask string, has bool) (g Gradient) {
	parts := strings.Split(strings.Trim(mask, "[]"), ",")
	if !has || len(parts) != 3 {
		return 0
	}
	for i, of := range []Gradient{OfInput, OfFilter} {
		if v := strings.TrimSpace(parts[i]); v == "True" || v == "true" || v == "1" {
			g |= of
		}
	}
	return g
}
