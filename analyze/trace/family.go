package trace

import "regexp"

// FamilyRule puts kernels whose canonical name matches into a family.
type FamilyRule struct {
	Family string
	Name   *regexp.Regexp
}

// families is the one table of kernel families. The first rule that matches
// counts, so that narrow ones stand before wide ones: a normalization written
// with reductions is a normalization.
var families = []FamilyRule{
	{"attention", regexp.MustCompile(`(?i)flash_(?:fwd|bwd)|fmha|flash_?attn|flash_?attention|attention|sdpa|paged_attn|_attn_`)},
	{"optimizer", regexp.MustCompile(`(?i)multi_tensor|fused_?(?:adam|sgd|lamb|adagrad)|adam|_lamb|\bsgd\b|optim`)},
	{"normalization", regexp.MustCompile(`(?i)batch_?norm|layer_?norm|group_?norm|rms_?norm|instance_?norm|\bbn_(?:fw|bw)|_bn_|cunn_?batch|cuda_?compute_?grad_?gamma|cucompute|norm_kernel|rowwisemoments|gammabeta`)},
	{"convolution", regexp.MustCompile(`(?i)conv|fprop|dgrad|wgrad|winograd|im2col|col2im|implicit_gemm|cudnn.*(?:nhwc|nchw).*engine`)},
	{"GEMM", regexp.MustCompile(`(?i)gemm|gemv|splitk|cutlass|cublas|\bcijk_|xmma|_mma_|nvjet|matmul|\bmm_|_s\d+816|wgmma|grouped_mm|dot_kernel`)},
	{"memory movement", regexp.MustCompile(`(?i)copy|\bcat|transpose|permute|gather|scatter|index|embedding|pad|fill|memset|memcpy|nchwtonhwc|nhwctonchw|im2row|roll|unfold|stack|slice|convert|cast`)},
	{"reduction", regexp.MustCompile(`(?i)reduce|softmax|\bsum|argm(?:ax|in)|topk|scan|cumsum|norm|nll_?loss|cross_?entropy|cub::|thrust|sort`)},
	{"elementwise", regexp.MustCompile(`(?i)elementwise|pointwise|relu|gelu|silu|dropout|sigmoid|tanh|\badd\b|\bmul\b|triton_poi|unrolled|axpy|distribution|random|bias`)},
}

// Families are the names of all families, in the order in which they are shown.
// Graphs are replays of unknown content.
var Families = []string{"GEMM", "attention", "convolution", "normalization", "elementwise", "reduction", "optimizer", "memory movement", "graph", "other"}

// Family is the family of a compute kernel by its canonical name: by own rules
// first, then by the table; "other" if nothing matches.
func Family(kernel string, own []FamilyRule) string {
	for _, rules := range [][]FamilyRule{own, families} {
		for _, r := range rules {
			if r.Name.MatchString(kernel) {
				return r.Family
			}
		}
	}
	return "other"
}
