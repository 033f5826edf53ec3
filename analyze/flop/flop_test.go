package flop

import (
	"math"
	"testing"

	"perfdiff/analyze/trace"
)

// call makes arguments of sizes, all of one type.
func call(typ trace.NumberType, dims ...[]float64) *Args {
	a := &Args{Dims: dims}
	for range dims {
		a.Types = append(a.Types, typ)
	}
	return a
}

func (a *Args) with(values ...string) *Args { a.Values = values; return a }

type sizes = []float64

// TestCount holds the counts to numbers worked out by hand.
func TestCount(t *testing.T) {
	const nan = -1
	half := trace.Float16
	for _, tt := range []struct {
		op           string
		args         *Args
		flops, bytes float64
	}{
		{"aten::mm", call(half, sizes{32, 64}, sizes{64, 128}), 2 * 32 * 64 * 128, 2 * (32*64 + 64*128 + 32*128)},
		{"aten::mm", call(trace.Float64, sizes{3, 5}, sizes{5, 7}), 2 * 3 * 5 * 7, 8 * (15 + 35 + 21)},
		{"aten::mm", call(trace.UnknownType, sizes{3, 5}, sizes{5, 7}), 2 * 3 * 5 * 7, nan},
		{"aten::mm", call(half, sizes{32, 64}, sizes{63, 128}), nan, nan},
		{"aten::mm", call(half, sizes{32, 64}), nan, nan},
		{"aten::mm", call(half, sizes{0, 64}, sizes{64, 128}), nan, nan},
		{"aten::mm", call(half, sizes{1 << 30, 1 << 30}, sizes{1 << 30, 1}), nan, nan},
		{"aten::addmm", call(half, sizes{128}, sizes{32, 64}, sizes{64, 128}, nil, nil), 2 * 32 * 64 * 128, 2 * (32*64 + 64*128 + 32*128)},
		{"aten::bmm", call(half, sizes{4, 8, 16}, sizes{4, 16, 32}), 2 * 4 * 8 * 16 * 32, 2 * 4 * (8*16 + 16*32 + 8*32)},
		{"aten::bmm", call(half, sizes{4, 8, 16}, sizes{5, 16, 32}), nan, nan},
		{"aten::baddbmm", call(half, sizes{4, 8, 32}, sizes{4, 8, 16}, sizes{4, 16, 32}), 2 * 4 * 8 * 16 * 32, 2 * 4 * (8*16 + 16*32 + 8*32)},
		{"aten::linear", call(half, sizes{2, 10, 64}, sizes{128, 64}, sizes{128}), 2 * 20 * 64 * 128, 2 * (20*64 + 64*128 + 20*128)},
		{"aten::matmul", call(half, sizes{2, 3, 8, 16}, sizes{3, 16, 4}), 2 * 6 * 8 * 16 * 4, 2 * (6*8*16 + 3*16*4 + 6*8*4)},
		{"aten::matmul", call(half, sizes{2, 3, 8, 16}, sizes{2, 16, 4}), nan, nan},
		{"aten::matmul", call(half, sizes{16}, sizes{16}), 2 * 16, 2 * 33},
		{"aten::mv", call(half, sizes{8, 16}, sizes{16}), 2 * 8 * 16, 2 * (128 + 16 + 8)},
		{"aten::_scaled_mm", call(trace.Float8, sizes{32, 64}, sizes{64, 128}), 2 * 32 * 64 * 128, 32*64 + 64*128 + 32*128},
		{"aten::_grouped_mm", call(half, sizes{100, 64}, sizes{8, 64, 32}, sizes{8}), 2 * 100 * 64 * 32, 2 * (6400 + 8*64*32 + 3200)},
		{"aten::_grouped_mm", call(half, sizes{64, 100}, sizes{100, 32}, sizes{8}), 2 * 64 * 100 * 32, 2 * (6400 + 3200 + 64*32)},

		// the first convolution of ResNet-50: 118,013,952 multiplications an image
		{"aten::convolution", call(half, sizes{2, 3, 224, 224}, sizes{64, 3, 7, 7}).with("", "", "", "[2, 2]", "[3, 3]", "[1, 1]", "False", "[0, 0]", "1"),
			2 * 2 * 118013952, 2 * (2*3*224*224 + 64*3*49 + 2*64*112*112)},
		{"aten::cudnn_convolution", call(half, sizes{2, 3, 224, 224}, sizes{64, 3, 7, 7}).with("", "", "[3, 3]", "[2, 2]", "[1, 1]", "1"), 2 * 2 * 118013952, 2 * (2*3*224*224 + 64*3*49 + 2*64*112*112)},
		{"aten::conv2d", call(half, sizes{1, 8, 16, 16}, sizes{8, 1, 3, 3}).with("", "", "", "[1]", "[1]", "[1]", "8"), 2 * 8 * 256 * 9, 2 * (8*256 + 72 + 8*256)},
		{"aten::conv2d", call(half, sizes{1, 8, 16, 16}, sizes{8, 1, 3, 3}).with("", "", "", "[1, 1]", "same", "[1, 1]"), nan, nan},
		{"aten::conv2d", call(half, sizes{1, 8, 16, 16}, sizes{8, 1, 3, 3}), nan, nan},
		{"aten::convolution", call(half, sizes{1, 8, 2, 2}, sizes{8, 8, 5, 5}).with("", "", "", "[1, 1]", "[0, 0]", "[1, 1]", "False"), nan, nan},
		{"aten::convolution", call(half, sizes{1, 8, 4, 4}, sizes{8, 6, 2, 2}).with("", "", "", "[2, 2]", "[0, 0]", "[1, 1]", "True"), 2 * 16 * 8 * 6 * 4, 2 * (128 + 192 + 96)},
		{"aten::convolution_backward", call(half, sizes{1, 8, 16, 16}, sizes{1, 4, 32, 32}, sizes{8, 4, 3, 3}), 2 * 256 * 8 * 4 * 9, 2 * (4096 + 288 + 2048)},

		{"aten::scaled_dot_product_attention", call(half, sizes{2, 8, 128, 64}, sizes{2, 8, 128, 64}, sizes{2, 8, 128, 64}), 4 * 2 * 8 * 128 * 128 * 64, 2 * 4 * 2 * 8 * 128 * 64},
		{"aten::scaled_dot_product_attention", call(half, sizes{2, 8, 128, 64}, sizes{2, 8, 128, 64}, sizes{2, 8, 128, 64}).with("", "", "", "", "0.", "True"), 2 * 2 * 8 * 128 * 128 * 64, 2 * 4 * 2 * 8 * 128 * 64},
		{"aten::_scaled_dot_product_flash_attention", call(half, sizes{2, 8, 1, 64}, sizes{2, 2, 128, 64}, sizes{2, 2, 128, 64}).with("", "", "", "0.", "True"), 4 * 2 * 8 * 128 * 64, 2 * (2*2*8*64 + 2*2*2*128*64)},
		{"aten::_scaled_dot_product_flash_attention_backward", call(half, sizes{2, 8, 128, 64}, sizes{2, 8, 128, 64}, sizes{2, 8, 128, 64}, sizes{2, 8, 128, 64}), 10 * 2 * 8 * 128 * 128 * 64, 2 * 8 * 2 * 8 * 128 * 64},
		{"flash_attn::_flash_attn_forward", call(half, sizes{2, 128, 8, 64}, sizes{2, 128, 8, 64}, sizes{2, 128, 8, 64}).with("", "", "", "0.", "", "True"), 2 * 2 * 8 * 128 * 128 * 64, 2 * 4 * 2 * 8 * 128 * 64},
		{"aten::scaled_dot_product_attention", call(half, sizes{2, 8, 128, 64}, sizes{2, 8, 128, 32}, sizes{2, 8, 128, 64}), nan, nan},
	} {
		var c Counter
		x := c.Count(Of(tt.op), tt.args)
		for _, n := range []struct {
			what      string
			got, want float64
		}{{"FLOPs", x.FLOPs, tt.flops}, {"bytes", x.Bytes, tt.bytes}} {
			if n.want == nan && !math.IsNaN(n.got) || n.want != nan && n.got != n.want {
				t.Errorf("%s of %v: got %v %s, want %v", tt.op, tt.args.Dims, n.got, n.what, n.want)
			}
		}
	}
}

// TestOutputOfBackward: without stride and padding a convolution is counted by the backward pass of
// one of its sizes, unless such passes differ.
func TestOutputOfBackward(t *testing.T) {
	in, filter := sizes{2, 4, 32, 32}, sizes{8, 4, 3, 3}
	var c Counter
	forward := c.Count(Of("aten::conv2d"), call(trace.UnknownType, in, filter))
	if got := settled(&c, &forward); got.FLOPs > 0 {
		t.Errorf("before any backward pass: got %v", got)
	}
	c.Count(Of("aten::cudnn_convolution_backward"), call(trace.Float16, in, sizes{2, 8, 16, 16}, filter))
	want := Work{2 * 2 * 256 * 8 * 4 * 9, 2 * (2*4*1024 + 288 + 2*8*256), trace.Float16}
	if got := settled(&c, &forward); got != want {
		t.Errorf("got %v, want %v", got, want)
	}
	again := c.Count(Of("aten::conv2d"), call(trace.Float16, in, filter))
	c.Count(Of("aten::cudnn_convolution_backward"), call(trace.Float16, in, sizes{2, 8, 32, 32}, filter))
	if got := settled(&c, &again); got.FLOPs > 0 {
		t.Errorf("with two outputs: got %v", got)
	}
}

func TestGradients(t *testing.T) {
	for mask, want := range map[string]Gradient{
		"[True, True, False]": OfInput | OfFilter, "[False, True, True]": OfFilter, "[true, false, false]": OfInput, "": 0, "[1]": 0,
	} {
		if got := gradientsOf(mask, true); got != want {
			t.Errorf("%q: got %v, want %v", mask, got, want)
		}
	}
}

// TestPeaks: peaks are of the order of their sheets, and no variant passes for another.
func TestPeaks(t *testing.T) {
	for name, p := range peaks {
		half := p.FLOPs[trace.Float16]
		if half < 60e12 || half > 3000e12 || p.Bandwidth < 0.2e12 || p.Bandwidth > 8e12 || p.FLOPs[trace.UnknownType] != 0 {
			t.Errorf("%s: got %v and %v B/s", name, p.FLOPs, p.Bandwidth)
		}
		for slow, fast := range map[trace.NumberType]trace.NumberType{trace.Float64: trace.Float16, trace.Float32: trace.Float16, trace.TensorFloat32: trace.Float16, trace.Float16: trace.Float8} {
			if p.FLOPs[fast] != 0 && p.FLOPs[slow] > p.FLOPs[fast] {
				t.Errorf("%s: %v at %v, %v at %v", name, slow, p.FLOPs[slow], fast, p.FLOPs[fast])
			}
		}
	}
	if got, _ := PeakOf("NVIDIA B200"); got.FLOPs[trace.TensorFloat32] != 1100e12 || got.Bandwidth != 7.7e12 || got.FLOPs[trace.Int8] != 4500e12 {
		t.Errorf("B200: got %v and %v B/s", got.FLOPs, got.Bandwidth)
	}
	if got, _ := PeakOf("AMD Instinct MI300X"); got.FLOPs[trace.Float64] != 163.4e12 || got.FLOPs[trace.Float32] != 163.4e12 || got.FLOPs[trace.Float8] != 2614.9e12 {
		t.Errorf("MI300X: got %v", got.FLOPs)
	}
	for name, known := range map[string]bool{
		"NVIDIA H100 80GB HBM3": true, "NVIDIA A100-SXM4-40GB": true, "A100-SXM4-40GB": true, "Tesla V100-SXM2-32GB": true, "AMD Instinct MI300X": true, "NVIDIA A10": true,
		"NVIDIA A10G": false, "Tesla V100-DGXS-32GB": false, "NVIDIA A100-SXM4-40GB MIG 1g.5gb": false, "AMD Radeon Graphics": false, "": false,
	} {
		if _, ok := PeakOf(name); ok != known {
			t.Errorf("%q: got %v, want %v", name, ok, known)
		}
	}
}

func settled(c *Counter, x *Call) Work { c.Settle(x); return x.Work }
