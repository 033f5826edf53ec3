package trace

import (
	"regexp"
	"strings"
)

// FamilyRule puts kernels whose canonical name matches into a family.
type FamilyRule struct {
	Family string
	Name   *regexp.Regexp
}

// families is the one table of kernel families: a kernel belongs to the first one of
// which its name, in lower case, holds a word. Narrow families stand before wide
// ones: a normalization written with reductions is a normalization. Words and no
// expressions, since every name of every rank is looked up.
var families = []struct {
	name  string
	words []string
}{
	{"attention", []string{"flash_fwd", "flash_bwd", "fmha", "flash_attn", "flashattn", "flashattention", "attention", "sdpa", "paged_attn", "_attn_"}},
	{"optimizer", []string{"multi_tensor", "adam", "_lamb", "lamb_", "adagrad", "optim", "sgd"}},
	{"normalization", []string{"batch_norm", "batchnorm", "layer_norm", "layernorm", "group_norm", "groupnorm", "rms_norm", "rmsnorm", "instance_norm", "instancenorm",
		"bn_fw", "bn_bw", "_bn_", "cunn_batch", "gradgammabeta", "cucomputepartgradgamma", "norm_kernel", "rowwisemoments", "gammabeta", "cucompute"}},
	{"convolution", []string{"conv", "fprop", "dgrad", "wgrad", "winograd", "im2col", "col2im", "implicit_gemm"}},
	{"GEMM", []string{"gemm", "gemv", "splitk", "cutlass", "cublas", "cijk_", "xmma", "_mma_", "nvjet", "matmul", "s16816", "wgmma", "grouped_mm", "dot_kernel"}},
	{"memory movement", []string{"copy", "catarray", "transpose", "permute", "gather", "scatter", "index", "embedding", "padding", "_pad_", "fill", "memset", "memcpy",
		"nchwtonhwc", "nhwctonchw", "im2row", "roll", "unfold", "slice", "convert", "cast"}},
	{"reduction", []string{"reduce", "softmax", "argmax", "argmin", "topk", "scan", "cumsum", "norm", "nll_loss", "nllloss", "cross_entropy", "cub::", "thrust", "sort"}},
	{"elementwise", []string{"elementwise", "pointwise", "relu", "gelu", "silu", "dropout", "sigmoid", "tanh", "triton_poi", "unrolled", "axpy", "distribution", "random", "bias", "functor_add", "addfunctor", "mulfunctor"}},
}

// Families are the names of all families, in the order in which they are shown.
// Graphs are replays of unknown content.
var Families = []string{"GEMM", "attention", "convolution", "normalization", "elementwise", "reduction", "optimizer", "memory movement", "graph", "other"}

// Family is the family of a compute kernel by its canonical name: by own rules
// first, then by the table; "other" if nothing matches.
func Family(kernel string, own []FamilyRule) string {
	for _, r := range own {
		if r.Name.MatchString(kernel) {
			return r.Family
		}
	}
	lower := strings.ToLower(kernel)
	for i := range families {
		for _, w := range families[i].words {
			if strings.Contains(lower, w) {
				return families[i].name
			}
		}
	}
	return "other"
}
