// Package flop says what operators compute, by the shapes of their arguments, and what
// devices can compute at most.
//
// An addition and a multiplication are one operation each. The counts are those of PyTorch's
// torch/utils/flop_counter.py:
//
//	matrices of m x k and k x n        2 m n k
//	convolution, forward               2 N C_out (C_in / groups) x elements of the filter x elements of the output
//	convolution, backward              the same for each gradient that is computed: of the input, and of the filter
//	attention, forward                 2 b h s_q s_k d for the scores, and 2 b h s_q s_k d_v for what they weigh
//	attention, backward                five products of that size: flash attention computes the scores again
//
// Unlike there, attention with a causal mask counts half where the recording says that it has
// one (Dao, FlashAttention-2, section 4.1): a kernel leaves out what lies above the diagonal.
// What fused kernels, custom operators and elementwise work compute is not counted.
package flop
