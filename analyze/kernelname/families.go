package kernelname

// families is the one table of kernel families: a kernel belongs to the first row that matches. Narrow rows come
// before wide ones: a normalization written with reductions is a normalization. It uses words and not expressions,
// since every name of every rank is looked up. The names are those of PyTorch, cuDNN, cuBLAS, CUTLASS, Triton and
// Inductor, Transformer Engine, Apex, flash-attention, FBGEMM, bitsandbytes, vLLM, XLA and of ROCm's Tensile, MIOpen
// and Composable Kernel.
//
// Conversions between types count as memory movement, and so do embeddings and everything that works on indices; a
// softmax, a loss, a sort and a pooling count as reductions.
var families = []familyRule{
	// Inductor names a kernel after the operators around it; what is called
	// convolution, mm or attention there runs in a kernel of its own, unless it is a template.
	{family: "attention", head: []string{"_triton_tem_"}, args: []string{"attention"}},
	{family: "convolution", head: []string{"_triton_tem_"}, args: []string{"_convolution"}},
	{family: "GEMM", head: []string{"_triton_tem_", "_triton_mm_", "_triton_bmm_", "_triton_addmm_"}},
	{family: "optimizer", head: []string{"_triton_for_"}}, // one of torch._foreach_…
	{family: "normalization", head: []string{"_triton_poi_", "_triton_red_", "_triton_per_", "_triton_mix_"},
		args: []string{"batch_norm", "layer_norm", "group_norm", "instance_norm", "rms_norm"}},
	{family: "reduction", head: []string{"_triton_red_", "_triton_per_", "_triton_mix_", "_triton_spl_"}},
	{family: "memory movement", head: []string{"_triton_poi_fused_"}, only: moves},
	{family: "elementwise", head: []string{"_triton_poi_", "_triton_fused_"}},

	{family: "memory movement", head: []string{"reshape_and_cache", "concat_and_cache"}}, // of keys and values
	{family: "elementwise", head: []string{"rotary", "_rope_"}},
	{family: "attention", any: []string{"attention", "attn", "fmha", "flash_fwd", "flash_bwd", "_sdpa_", "_mha_", "flash_mla", "mla_decode",
		"with_kv_cache", "with_paged_kv_cache", "with_ragged_kv_cache"}},

	{family: "memory movement", head: []string{"multi_tensor"}, args: []string{"copy_functor"}}, // torch._foreach_copy_
	{family: "optimizer", head: []string{"multi_tensor", "_adam_", "_adamw_", "fused_adam", "_lamb_", "adagrad", "adafactor", "_sgd_", "fused_sgd", "rmsprop", "_lion_",
		"optimizer", "_optim_", "non_finite_check", "amp_update_scale"}},

	{family: "reduction", head: []string{"vector_norm", "matrix_norm"}},
	{family: "normalization", head: []string{"norm_", "batchnorm", "layernorm", "groupnorm", "rmsnorm", "instancenorm", "normalization", "_ln_fwd", "_ln_bwd",
		"_bn_fw", "_bn_bw", "gamma_beta", "rowwise_moments", "compute_internal_gradients", "fused_params", "_cu_compute_grad_input_", "welford_kernel",
		"nvfuser_inner_persistent", "nvfuser_outer_persistent", "nvfuser_inner_outer_persistent"}},

	{family: "GEMM", head: []string{"xmma_gemm", "wgrad_gemm", "gemm_wgrad"}},
	{family: "convolution", any: []string{"convolution", "convolve", "fprop", "dgrad", "wgrad", "winograd", "implicit_gemm"}},
	{family: "convolution", head: []string{"_conv_", "conv1d_", "conv2d_", "conv3d_", "depthwise",
		"scudnn_", "hcudnn_", "icudnn_", "884cudnn_", "1688cudnn_", "16816cudnn_", "_cask_cudnn", "_cutlass_cudnn", "_cutlass_5x_cudnn", "_cudnn_cnn_", "_cudnn_gemm_compute_",
		"im2col", "im2_col", "im2d2_col", "im3d2_col", "col2im", "col2_im", "vol2col", "col2vol", "fft2d_", "igemm_fwd", "igemm_bwd", "igemm_wrw"}},

	{family: "elementwise", head: []string{"axpy", "scal_kernel"}}, // of cuBLAS, but no products of matrices
	{family: "GEMM", any: []string{"gemm", "gemv", "cublas"}},
	{family: "GEMM", head: []string{"_cutlass_", "_cijk_", "nvjet", "xmma_", "_mma_", "wgmma", "splitk", "split_kreduce", "split_k_reduce", "matmul", "_mm_", "_bmm_", "_addmm_", "_baddbmm_",
		"grouped_mm", "s1688", "s16816", "s884", "dot_kernel", "rocblas", "_epilogue_impl_global_kernel_", "fused_moe_kernel", "marlin", "machete"}},

	{family: "reduction", head: []string{"topk", "top_k", "sort", "kth_value", "max_pool", "maxpool", "avg_pool", "avgpool", "average_pool", "pooling"}},
	{family: "elementwise", head: []string{"elementwise_kernel_with_index"}}, // torch.arange
	{family: "memory movement", head: []string{"copy", "cat_array", "_cat_", "concat", "transpose", "permut", "gather", "scatter", "_index", "indices", "embedding",
		"padding", "unpad", "_pad_", "_pad1d", "_pad2d", "_pad3d", "_fill", "memset", "memcpy", "nchw_to", "nhwc_to", "nchwto", "nhwcto", "nchw2nhwc", "nhwc2nchw",
		"_roll_", "_flip", "unfold", "_slice", "convert", "_cast_", "quantize", "_quant_", "qparam", "fp8rowwise", "upsample", "interpolat", "grid_sampl", "swizzle", "im2row",
		"repeat_interleave", "_compute_cuda_kernel_", "compute_grad_weight", "sum_and_scatter", "krn_partial", "split_with_sizes", "chunk_cat", "jagged", "_offsets_range", "sub_tensor_op"}},
	// One kernel does everything that works element by element; what it is given says what.
	{family: "memory movement", head: []string{"elementwise", "unrolled", "for_each", "thrust", "unary_kernel"},
		args: []string{"direct_copy", "copy_kernel", "copy_device", "fill_functor", "uninitialized_fill", "uninitialized_copy", "_hfp8_", "detail_identity"}},
	{family: "elementwise", head: []string{"thrust"}, args: []string{"transform", "for_each", "tabulate"}},
	{family: "elementwise", head: []string{"elementwise", "element_wise", "pointwise", "unrolled"}},
	{family: "reduction", head: []string{"reduc", "softmax", "soft_max", "argmax", "argmin", "_amax_", "_scan", "cumsum", "cumprod", "logsumexp", "nll_", "nllloss", "cross_entropy", "ctc_loss", "criterion",
		"histogram", "bincount", "_unique", "nonzero", "_cub_", "rocprim", "thrust", "_sum_", "_mean_", "_norm"}},
	{family: "elementwise", head: []string{"relu", "gelu", "silu", "swish", "swiglu", "geglu", "_glu_", "sigmoid", "tanh", "_act_", "activation", "dropout", "scale_packed", "distribution", "random", "curand",
		"philox", "bias", "residual", "triu_tril", "clamp", "threshold", "_add_", "_sub_", "_mul_", "_div_", "_exp_", "where", "lerp", "arange", "_unary", "_binary", "_fusion_"}},
}

// moves are the operators in Inductor's names that move and convert without calculating, and those that run in kernels
// of their own.
var moves = []string{"to", "copy", "clone", "contiguous", "cat", "stack", "split", "chunk", "unbind", "permute", "transpose", "t", "view", "reshape", "unsafe", "expand", "repeat", "as", "strided",
	"slice", "select", "narrow", "unsqueeze", "squeeze", "flip", "roll", "unfold", "index", "gather", "scatter", "embedding", "constant", "pad", "nd", "full", "fill", "zeros", "ones", "zero", "empty", "new", "like",
	"lift", "fresh", "detach", "alias", "convert", "element", "type", "scalar", "tensor", "convolution", "mm", "bmm", "addmm", "scaled", "dot", "product", "flash", "efficient", "attention", "backward"}
