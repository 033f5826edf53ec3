package synth

import "fmt"

// operatorSizes holds the sizes of the arguments of a job's operators, as PyTorch's profiler records them when it is
// asked to. Without a channel or a width no sizes are recorded.
type operatorSizes struct {
	Images   int64 `yaml:"images"`   // of a batch
	Channels int64 `yaml:"channels"` // into and out of each convolution, which is of 3 x 3
	Pixels   int64 `yaml:"pixels"`   // of an image, in each direction
	Width    int64 `yaml:"width"`    // of an engine's layers
	Heads    int64 `yaml:"heads"`    // of its attention, of headWidth each
	Context  int64 `yaml:"context"`  // tokens that attention reads for each one that is made
}

const headWidth = 128

func (s *operatorSizes) bounds() []allowedRange {
	return []allowedRange{
		{"sizes.images", float64(s.Images), 0, 1 << 16}, {"sizes.channels", float64(s.Channels), 0, 1 << 16}, {"sizes.pixels", float64(s.Pixels), 0, 1 << 16},
		{"sizes.width", float64(s.Width), 0, 1 << 16}, {"sizes.heads", float64(s.Heads), 0, 1 << 12}, {"sizes.context", float64(s.Context), 0, 1 << 20},
	}
}

// operator is the call around the launch of a kernel.
type operator struct {
	outer, name string // outer calls it, and has the same work
	dims        string
	values      string // of arguments that are no tensors; "" not recorded
	flops       float64
}

// operatorOf returns the operator that launches a kernel in a step with a load; false for one that is not counted.
func (s *operatorSizes) operatorOf(k *kernel, load Load) (o operator, ok bool) {
	n, c, p := s.Images, s.Channels, s.Pixels
	image, filter := fmt.Sprintf("[%d, %d, %d, %d]", n, c, p, p), fmt.Sprintf("[%d, %d, 3, 3]", c, c)
	one := operator{flops: float64(18 * n * c * c * p * p)}
	backward := func(mask string) (operator, bool) {
		one.name, one.dims = "aten::convolution_backward", fmt.Sprintf("[%s, %s, %s, [], [], [], [], [], [], [], []]", image, image, filter)
		one.values = `["", "", "", "", "[1, 1]", "[1, 1]", "[1, 1]", "False", "[0, 0]", "1", "` + mask + `"]`
		return one, c > 0
	}
	switch k.label {
	case "conv_fprop":
		one.outer, one.name, one.dims = "aten::conv2d", "aten::cudnn_convolution", fmt.Sprintf("[%s, %s, [], [], [], [], [], [], []]", image, filter)
		one.values = `["", "", "[1, 1]", "[1, 1]", "[1, 1]", "1", "False", "False", "True"]`
		return one, c > 0
	case "conv_dgrad":
		return backward("[True, False, False]")
	case "conv_wgrad":
		return backward("[False, True, False]")
	case "linear":
		return s.linear(load), s.Width > 0
	case "attention":
		return s.attention(load), s.Width > 0
	}
	return operator{}, false
}

// linear returns a layer of width x width over the tokens of a step.
func (s *operatorSizes) linear(load Load) operator {
	t, w := load.Tokens, s.Width
	return operator{outer: "aten::linear", name: "aten::mm", dims: fmt.Sprintf("[[%d, %d], [%d, %d]]", t, w, w, w),
		flops: float64(2 * t * w * w)}
}

// attention returns the attention operator for the tokens of a step over the context.
func (s *operatorSizes) attention(load Load) operator {
	q := fmt.Sprintf("[1, %d, %d, %d]", s.Heads, load.Tokens, headWidth)
	kv := fmt.Sprintf("[1, %d, %d, %d]", s.Heads, s.Context, headWidth)
	return operator{name: "aten::_scaled_dot_product_flash_attention", dims: fmt.Sprintf("[%s, %s, %s, [], [], []]", q, kv, kv), values: `["", "", "", "0.", "False", "False"]`,
		flops: float64(4 * s.Heads * load.Tokens * s.Context * headWidth)}
}

// countOperator adds the work of the operator that launched a kernel.
func (s *Step) countOperator(sizes *operatorSizes, k *kernel) {
	if o, ok := sizes.operatorOf(k, s.Load); ok {
		s.FLOPs += o.flops
	}
}

// operators writes the operators around the calls that launch kernels.
func (p *profile) operators(t *eventWriter) {
	at := map[int64]call{}
	for _, c := range p.calls {
		at[c.correlation] = c
	}
	for _, w := range p.work {
		if w.class != compute {
			continue
		}
		o, ok := p.sizes.operatorOf(w.kernel, p.loads[min(w.step, len(p.loads)-1)])
		c, launched := at[w.correlation]
		if !ok || !launched {
			continue
		}
		if o.outer != "" {
			t.sized(o.outer, o.dims, "", c.start-1000, c.end+1000)
		}
		t.sized(o.name, o.dims, o.values, c.start-500, c.end+500)
	}
}

// sized writes an operator with the sizes of its arguments, all of 16 bits.
func (t *eventWriter) sized(name, dims, values string, start, end int64) {
	t.beginComplete("cpu_op", name, t.pid, t.pid, start, end)
	t.appendf(`, "args": {"External id": 1`)
	if values != "" {
		t.appendf(`, "Concrete Inputs": %s`, values)
	}
	t.appendf(`, "Input type": ["c10::BFloat16", "c10::BFloat16", "c10::BFloat16"], "Input Dims": %s}`, dims)
	t.endEvent()
}
