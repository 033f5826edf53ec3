package kernelname

import (
	"regexp"
	"slices"
	"testing"
)

// realKernels are names as profilers recorded them, with the family they belong to.
var realKernels = []struct{ family, name string }{
	{"GEMM", "ampere_bf16_s16816gemm_bf16_128x128_ldg8_f2f_stages_32x5_tn"},
	{"GEMM", "ampere_sgemm_32x32_sliced1x4_tn"},
	{"GEMM", "ampere_fp16_s16816gemm_fp16_64x64_sliced1x2_ldg8_f2f_stages_64x5_nn"},
	{"GEMM", "nvjet_hsh_128x256_64x4_1x2_h_bz_coopA_TNT"},
	{"GEMM", "nvjet_sm90_tst_64x8_64x16_4x1_v_bz_splitK_TNT"},
	{"GEMM", "Cijk_Ailk_Bljk_HHS_BH_MT128x128x32_MI16x16x16x1_SN_1LDSB0"},
	{"GEMM", "Cijk_Alik_Bljk_SB_Bias_AS_SAV_UserArgs_MT64x16x32_MI16x16x1_SN_LDSB0_AFC1_AFEM1_AFEM1_ASEM1_CLR1_CADS0"},
	{"GEMM", "void cutlass::Kernel2<cutlass_80_tensorop_bf16_s16816gemm_relu_bf16_128x256_32x3_tn_align8>(cutlass_80_tensorop_bf16_s16816gemm_relu_bf16_128x256_32x3_tn_align8::Params)"},
	{"GEMM", "void cutlass::Kernel2<cutlass_80_simt_sgemm_128x64_8x5_nt_align1>(T1::Params)"},
	{"GEMM", "_ZN7cutlass13device_kernelINS_4gemm6kernel13GemmUniversalINS1_17GroupProblemShapeEEEEvNT_6ParamsE"},
	{"GEMM", "sm80_xmma_gemm_f32f32_f32f32_f32_tn_n_tilesize64x256x8_stage3_warpsize1x4x1_ffma_aligna4_alignc4_execute_split_k_kernel__5x_cublas"},
	{"GEMM", "sm90_xmma_gemm_e4m3bf16_e4m3f32_f32_tn_n_tilesize64x64x128_warpgroupsize1x1x1_execute_segment_k_off_kernel__5x_cublas"},
	{"GEMM", "std::enable_if<!(false), void>::type internal::gemvx::kernel<int, int, float, float, float, float, false, true, true, false, 7, cublasGemvParams<cublasGemvTensorStridedBatched<float const>>>(int)"},
	{"GEMM", "void cublasLt::splitKreduce_kernel<32, 16, int, float, float, float, float, true, false, false>(cublasLt::cublasSplitKParams<float>, float const*)"},
	{"GEMM", "void cublasLt::epilogue::impl::globalKernel<8, 32, float, __half, __half>(int, int, long)"},
	{"GEMM", "void dot_kernel<float, 128, 0, cublasDotParams<cublasGemvTensorStridedBatched<float const>, cublasGemvTensorStridedBatched<float>>>(int)"},
	{"GEMM", "triton_tem_fused__to_copy_addmm_gelu_t_view_9"},
	{"GEMM", "triton_tem_fused_bmm_7"},
	{"GEMM", "matmul_kernel_0d1d2d3de4de5de6de7c8de9c10de11c"},
	{"GEMM", "fused_moe_kernel"},
	{"GEMM", "void marlin_moe_wna16::Marlin<__nv_bfloat16, 1125899907892224l, 256, 1, 8, 8, false, 4, 8, false>(int4 const*)"},
	{"GEMM", "gemm_fusion_dot_42"},

	{"attention", "void pytorch_flash::flash_fwd_kernel<Flash_fwd_kernel_traits<64, 128, 128, 4, false, false, cutlass::bfloat16_t>, false, true>(pytorch_flash::Flash_fwd_params)"},
	{"attention", "void flash::flash_bwd_convert_dq_kernel<Flash_bwd_kernel_traits<64, 128, 128, 8>>(flash::Flash_bwd_params, int)"},
	{"attention", "void flash_bwd_dq_dk_dv_loop_seqk_parallel_kernel<Flash_bwd_kernel_traits<128, 64, 128>, true>(Flash_bwd_params)"},
	{"attention", "void cutlass::device_kernel<flash::enable_sm90_or_later<flash::FlashAttnFwdSm90<flash::CollectiveMainloopFwdSm90<2, cute::tuple<cute::C<1>>>>>>(T1::Params)"},
	{"attention", "fmha_cutlassF_bf16_aligned_64x64_rf_sm80(PyTorchMemEffAttention::AttentionKernel<cutlass::bfloat16_t>::Params)"},
	{"attention", "cudnn_generated_fort_native_sdpa_sm90_flash_fprop_wgmma_f16_knob_7_64x128x128_4x1x1_kernel0_0"},
	{"attention", "void flashinfer::BatchDecodeWithPagedKVCacheKernel<(flashinfer::PosEncodingMode)0, 2, 4, 8, 16, 1, 8>(T1)"},
	{"attention", "_attn_fwd_0d1d2d34d5d6de7de8de9c10de"},
	{"attention", "triton_tem_fused_flex_attention_backward_split_transpose_3"},

	{"convolution", "sm90_xmma_fprop_implicit_gemm_bf16bf16_bf16f32_f32_nhwckrsc_nhwc_tilesize128x128x64_stage4_warpgroupsize1x1x1_execute_kernel__5x_cudnn"},
	{"convolution", "volta_scudnn_128x64_relu_interior_nn_v1"},
	{"convolution", "volta_scudnn_128x128_stridedB_splitK_medium_nn_v1"},
	{"convolution", "volta_scudnn_128x64_stridedB_small_nn_v1"},
	{"convolution", "cudnn_infer_volta_scudnn_128x32_sliced1x4_ldg4_relu_exp_small_nhwc_tn_v1"},
	{"convolution", "volta_fp16_s884cudnn_fp16_128x128_ldg8_splitK_relu_f2f_exp_small_nhwc_tn_v1"},
	{"convolution", "void cudnn::winograd_nonfused::winogradForwardData4x4<float, float>(cudnn::winograd_nonfused::WinogradDataParams<float, float>)"},
	{"convolution", "void cutlass_cudnn_infer::Kernel<cutlass_tensorop_s1688dgrad_optimized_tf32_128x128_16x4_nhwc_unity_stride_align4>(cutlass_tensorop_s1688dgrad_optimized_tf32_128x128_16x4_nhwc_unity_stride_align4::Params)"},
	{"convolution", "_ZN19cutlass_cudnn_train6KernelINS_4conv6kernel23ImplicitGemmConvolutionINS1_11threadblock22ImplicitGemmMultistageINS_4gemm9GemmShapeILi128ELi128ELi32EEENS4_52Conv2dWgradOutputGradientTileAccessIteratorOptimizedINS_"},
	{"convolution", "void cask_cudnn_infer::computeOffsetsKernel<true, false>(cask_cudnn_infer::ComputeOffsetsParams)"},
	{"convolution", "void implicit_convolve_sgemm<float, float, 1024, 6, 7, 3, 3, 5, 1, false, true, true>(int, int, int, float const*)"},
	{"convolution", "void cudnn::cnn::wgrad_alg0_engine<float, 128, 6, 7, 3, 3, 5, false, 512>(int, int, int, float const*)"},
	{"convolution", "void at::native::(anonymous namespace)::conv_depthwise2d_forward_kernel<3, float, int>(at::GenericPackedTensorAccessor<float const, 4ul>)"},
	{"convolution", "void at::native::im2col_kernel<float>(long, float const*, long)"},
	{"convolution", "cudnn_generated_fort_native_sm80_convFwd_pointwise_pointwise_pointwise_knob_1"},
	{"convolution", "igemm_fwd_gtcx3_nhwc_fp16_bx0_ex0_bt128x128x32_wt32x32x8_ws1x1_wr2x2_ta1x8x2x1_1x4x1x64_tb1x8x2x1_1x4x1x64_gkgs"},
	{"convolution", "miopenSp3AsmConv_v30_3_1_gfx9_fp32_f2x3_stride1"},
	{"convolution", "causal_conv1d_fwd_kernel<Causal_conv1d_fwd_kernel_traits<128, 4, true, c10::BFloat16>>(ConvParamsBase)"},
	{"convolution", "triton_tem_fused__to_copy_convolution_repeat_unsqueeze_view_2"},

	{"normalization", "void cudnn::bn_bw_1C11_kernel_new<float, float, float2, 512, true, 1>(float, float, float, float, cudnnTensorStruct)"},
	{"normalization", "void cudnn::bn_fw_tr_1C11_singleread<float, 512, true, 1, 2, 0>(cudnn::bn_fw_tr_1C11_args<float>)"},
	{"normalization", "void at::native::(anonymous namespace)::vectorized_layer_norm_kernel<float, float>(int, float, float const*)"},
	{"normalization", "void at::native::(anonymous namespace)::GammaBetaBackwardCUDAKernel_32x32<float, float>(long, long, float const*)"},
	{"normalization", "void at::native::batch_norm_transform_input_kernel<float, float, float, true, int>(at::GenericPackedTensorAccessor<float, 3ul>)"},
	{"normalization", "void cuApplyRMSNorm<float, float, float>(float*, float*, float const*, int, int, float, float const*)"},
	{"normalization", "void cuComputePartGradGammaBeta<float, float, c10::BFloat16>(float const*)"},
	{"normalization", "void transformer_engine::normalization::ln_fwd_tuned_kernel<transformer_engine::normalization::Kernel_traits<float>>(transformer_engine::normalization::ForwardKernelParams)"},
	{"normalization", "void vllm::rms_norm_kernel<c10::BFloat16>(c10::BFloat16*, c10::BFloat16 const*)"},
	{"normalization", "std::enable_if<(T2>(int)0)&&vllm::_typeConvert<T1>::exists, void>::type vllm::fused_add_rms_norm_kernel<c10::BFloat16, (int)8>(T1 *)"},
	{"normalization", "void flashinfer::norm::RMSNormKernel<8u, __nv_bfloat16>(__nv_bfloat16*)"},
	{"normalization", "_layer_norm_fwd_1pass_kernel"},
	{"normalization", "triton_red_fused__fused_rms_norm__to_copy_add_mul_select_unsqueeze_1"},
	{"normalization", "triton_per_fused__native_batch_norm_legit_functional_relu_34"},
	{"normalization", "MIOpenBatchNormFwdTrainSpatial"},
	{"normalization", "nvfuser_inner_persistent_f3_c1_r0_g0"},

	{"optimizer", "void at::native::(anonymous namespace)::multi_tensor_apply_kernel<at::native::(anonymous namespace)::FusedOptimizerTensorListMetadata<4>, at::native::(anonymous namespace)::FusedAdamMathFunctor<float, 4, (at::native::ADAM_MODE)0, false>>(int)"},
	{"optimizer", "void multi_tensor_apply_kernel<TensorListMetadata<4>, AdamFunctor<float, float, int>, float, float>(long, int volatile*)"},
	{"optimizer", "void at::native::<unnamed>::multi_tensor_apply_kernel<at::native::<unnamed>::TensorListMetadata<(int)2>, at::native::<unnamed>::LpNormFunctor<float, (int)1>>(T1, T2, T3...)"},
	{"optimizer", "triton_for_fused_1"},
	{"optimizer", "void kOptimizerStatic8bit2StateBlockwise<__nv_bfloat16, 0, 256, 1>(__nv_bfloat16*)"},
	{"optimizer", "void split_embedding_backward_codegen_rowwise_adagrad_unweighted_kernel_cta_per_row_1<c10::Half, float, c10::Half, 2ul, 32>(int)"},
	{"optimizer", "at::native::amp_update_scale_cuda_kernel(float*, int*, float const*, double, double, int)"},

	{"elementwise", "void at::native::vectorized_elementwise_kernel<4, at::native::CUDAFunctor_add<float>, at::detail::Array<char*, 3>>(int, at::native::CUDAFunctor_add<float>, at::detail::Array<char*, 3>)"},
	{"elementwise", "void at::native::elementwise_kernel<(int)128, (int)2, void at::native::gpu_kernel_impl_nocast<at::native::AddFunctor<float>>(at::TensorIteratorBase &, const T1 &)::[lambda(int) (instance 1)]>(int, T3)"},
	{"elementwise", "void at::native::unrolled_elementwise_kernel<at::native::CUDAFunctor_add<double>, at::detail::Array<char*, 3>, TrivialOffsetCalculator<2, unsigned int>, TrivialOffsetCalculator<1, unsigned int>, at::native::memory::LoadWithCast<2>, at::native::memory::StoreWithCast<1>>(int)"},
	{"elementwise", "void at::native::(anonymous namespace)::fused_dropout_kernel_vec<float, float, unsigned int, 1, 4, bool>(at::cuda::detail::TensorInfo<float const, unsigned int>)"},
	{"elementwise", "void at::native::(anonymous namespace)::distribution_elementwise_grid_stride_kernel<float, 4, at::native::templates::cuda::normal_and_transform<float>::{lambda()#1}>(long)"},
	{"elementwise", "void (anonymous namespace)::elementwise_kernel_with_index<int, at::native::arange_cuda_out(c10::Scalar const&)::{lambda()#1}>(int)"},
	{"elementwise", "void vllm::act_and_mul_kernel<c10::BFloat16, &vllm::silu_kernel<c10::BFloat16>, true>(c10::BFloat16*)"},
	{"elementwise", "void vllm::rotary_embedding_kernel<c10::BFloat16, true>(long const*)"},
	{"elementwise", "triton_poi_fused_add_0"},
	{"elementwise", "triton_poi_fused__to_copy__unsafe_view_add_mul_native_dropout_backward_pow_tanh_tanh_backward_view_6"},
	{"elementwise", "triton_poi_fused_convolution_relu_3"},
	{"elementwise", "nvfuser_pointwise_f0_c1_r0_g0"},
	{"elementwise", "loop_add_fusion_4"},
	{"elementwise", "void cudnn::ops::scalePackedTensor_kernel<float, float>(long, float*, float)"},
	{"elementwise", "void axpy_kernel_val<float, cublasAxpyParamsVal<cublasGemvTensor<float const>, cublasGemvTensor<float>, float>>(int)"},

	{"reduction", "void at::native::reduce_kernel<512, 1, at::native::ReduceOp<float, at::native::NormTwoOps<float, float, float>, unsigned int, float, 4>>(at::native::ReduceOp<float>)"},
	{"reduction", "void (anonymous namespace)::softmax_warp_forward<float, float, float, 10, true, false>(float*, float const*, int, int, int, bool const*, int, bool)"},
	{"reduction", "void at::native::<unnamed>::cunn_SoftMaxForwardSmem<(int)4, float, float, float, at::native::<unnamed>::LogSoftMaxForwardEpilogue, long>(T4 *, const T2 *, T6)"},
	{"reduction", "void at::native::<unnamed>::nll_loss_forward_reduce_cuda_kernel_2d<float, float, long>(T1 *, T1 *)"},
	{"reduction", "void cunn_ClassNLLCriterion_updateOutput_kernel<float, float>(float*, float*)"},
	{"reduction", "void at::native::(anonymous namespace)::max_pool_forward_nchw<float, float>(int, float const*)"},
	{"reduction", "void at::native::sbtopk::gatherTopK<float, unsigned int, 2, false>(at::cuda::detail::TensorInfo<float const, unsigned int>)"},
	{"reduction", "void cub::CUB_200700_860_1200_NS::DeviceScanKernel<cub::CUB_200700_860_1200_NS::DeviceScanPolicy<unsigned int>>(int)"},
	{"reduction", "void at_cuda_detail::cub::DeviceRadixSortSingleTileKernel<at_cuda_detail::cub::DeviceRadixSortPolicy<long, at::cuda::cub::detail::OpaqueType<(int)8>, unsigned long long>::Policy900, (bool)0>(int)"},
	{"reduction", "triton_red_fused_linalg_vector_norm_0"},
	{"reduction", "triton_per_fused__softmax__to_copy_bitwise_and_cat_exp_14"},
	{"reduction", "liger_cross_entropy_kernel"},
	{"reduction", "input_reduce_fusion_1"},

	{"memory movement", "void at::native::(anonymous namespace)::CatArrayBatchedCopy_aligned16_contig<at::native::(anonymous namespace)::OpaqueType<4u>, unsigned int, 1, 128, 1>(char*)"},
	{"memory movement", "void at::native::unrolled_elementwise_kernel<at::native::direct_copy_kernel_cuda(at::TensorIteratorBase&)::{lambda()#2}::operator()() const::{lambda()#4}::operator()() const::{lambda(long)#1}, at::detail::Array<char*, 2>>(int)"},
	{"memory movement", "void at::native::vectorized_elementwise_kernel<4, at::native::FillFunctor<float>, std::array<char*, 1ul>>(int, at::native::FillFunctor<float>, std::array<char*, 1ul>)"},
	{"memory movement", "_ZN2at6native18elementwise_kernelILi128ELi4EZNS0_22gpu_kernel_impl_nocastIZZZNS0_23direct_copy_kernel_cudaERNS_18TensorIteratorBaseEENKUlvE1_clEvENKUlvE8_clEvEUlN3c104HalfEE_EEvS4_RKT_EUliE_EEviT1_"},
	{"memory movement", "void at::native::index_elementwise_kernel<128, 4, at::native::gpu_index_kernel<at::native::index_put_kernel_impl<at::native::OpaqueType<4>>(at::TensorIterator&)::{lambda(char*, char*, long)#1}>(at::TensorIteratorBase&)::{lambda(int)#1}>(int)"},
	{"memory movement", "void at::native::_scatter_gather_elementwise_kernel<128, 4, at::native::_cuda_scatter_gather_internal_kernel<true, float>::operator()<at::native::ReduceAdd>(at::TensorIterator&)::{lambda(int)#1}>(int)"},
	{"memory movement", "void cudnn::ops::nchwToNhwcKernel<float, float, float, false, true, (cudnnKernelDataType_t)0>(cudnn::ops::nchw2nhwc_params_t<float>)"},
	{"memory movement", "void split_embedding_codegen_forward_unweighted_kernel<c10::Half, c10::Half, float, false, long, 2ul, 32ul>(int)"},
	{"memory movement", "void fbgemm_gpu::permute_2D_data_kernel<false, int, int, decltype(nullptr)>(int, int, int)"},
	{"memory movement", "void convertToHalf<float>(float const*, __half*, int)"},
	{"memory movement", "void ConvertFp8<__nv_bfloat16>(int)"},
	{"memory movement", "void transformer_engine::(anonymous namespace)::cast_transpose_general_kernel<8ul, 8ul, float, __nv_bfloat16, __nv_fp8_e4m3>(int)"},
	{"memory movement", "void vllm::scaled_fp8_quant_kernel<c10::BFloat16>(c10::Float8_e4m3fn*)"},
	{"memory movement", "void vllm::reshape_and_cache_flash_kernel<__nv_bfloat16, __nv_bfloat16, (vllm::Fp8KVCacheDataType)0>(int)"},
	{"memory movement", "void kDequantizeBlockwise<__half, 512, 64, 8, 2>(float*)"},
	{"memory movement", "triton_poi_fused__to_copy_t_0"},
	{"memory movement", "triton_poi_fused_clone_transpose_view_5"},
	{"memory movement", "batched_transpose_32x32_dword"},
	{"memory movement", "__amd_rocclr_copyBuffer"},
	{"memory movement", "__amd_rocclr_fillBufferAligned"},
	{"memory movement", "SubTensorOpWithScalar1d"},

	{"other", "void clover::par_ranged1d_kernel<update_halo_kernel(int, int, int, int)::[lambda(int) (instance 1)]>(clover::Range1d, T1)"},
	{"other", "my_secret_kernel"},
	{"other", "lambda_optimized_broadcaster"},
	{"other", ""},
}

// TestFamily holds the table to names from real captures.
func TestFamily(t *testing.T) {
	for _, k := range realKernels {
		if got := Family(CanonicalKernel(k.name), nil); got != k.family {
			t.Errorf("%s: got %s, want %s (%s)", k.name, got, k.family, CanonicalKernel(k.name))
		}
		if again := CanonicalKernel(CanonicalKernel(k.name)); again != CanonicalKernel(k.name) {
			t.Errorf("%s: got %s, and from that %s", k.name, CanonicalKernel(k.name), again)
		}
	}
	own := []FamilyRule{{"mine", regexp.MustCompile("secret")}}
	if got := Family("my_secret_kernel", own); got != "mine" {
		t.Errorf("own rule: got %s", got)
	}
	for _, f := range families {
		if !slices.Contains(Families, f.family) {
			t.Errorf("%s is in the table and not among the families that are shown", f.family)
		}
		for _, w := range slices.Concat(f.head, f.args, f.any) {
			if len(w) < 3 {
				t.Errorf("%s: %q is too short to be looked for", f.family, w)
			}
		}
	}
}

func TestWords(t *testing.T) {
	for name, want := range map[string]string{
		"at::native::CUDAFunctor_add": "_at_native_cuda_functor_add_", "bn_fw_tr_1C11": "_bn_fw_tr_1_c11_", "nchwToNhwc": "_nchw_to_nhwc_",
		"MIOpenBatchNorm": "_mi_open_batch_norm_", "gpu_kernel_impl_nocast": "_gpu_kernel_impl_nocast_", "": "_", "__x__": "_x_",
	} {
		if got := string(words(nil, []byte(name))); got != want {
			t.Errorf("%s: got %s, want %s", name, got, want)
		}
	}
}

// BenchmarkCanonicalKernel works out the canonical names of kernels and their families,
// as is done once for each name.
func BenchmarkCanonicalKernel(b *testing.B) {
	for b.Loop() {
		for _, k := range realKernels {
			familyOf(fold(k.name))
		}
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(len(realKernels)), "ns/name")
}
