package kernelname

import (
	"testing"
)

func TestCommunicationOf(t *testing.T) {
	tests := []struct{ kernel, library, collective string }{
		{"ncclDevKernel_AllReduce_Sum_f32_RING_LL(ncclDevKernelArgsStorage<4096ul>)", "NCCL/RCCL", "AllReduce"},
		{"nccl:AllReduce f32", "NCCL/RCCL", "AllReduce"},
		{"ncclDevKernel_Generic_4(ncclDevKernelArgsStorage<4096ul>)", "NCCL/RCCL", "Generic"},
		{"_Z39ncclDevKernel_AllReduce_Sum_f32_RING_LL24ncclDevKernelArgsStorageILm4096EE", "NCCL/RCCL", "AllReduce"},
		{"mscclKernel_Sum_half_Simple_false", "NCCL/RCCL", "Generic"},
		{"pcclKernel_twoShotAllReduceKernel", "PCCL", "AllReduce"},
		{"void mscclpp::collective::allreduceAllPairs<(mscclpp::ReduceOp)0, __half>(__half*, __half*)", "MSCCL++", "AllReduce"},

		{"void (anonymous namespace)::multimem_all_reduce_kernel<c10::BFloat16, 16>(c10::BFloat16*, unsigned long, unsigned int**)", "PyTorch symmetric memory", "AllReduce"},
		{"void <unnamed>::multimem_all_reduce_kernel<c10::BFloat16, (int)16>(T1 *, unsigned long)", "PyTorch symmetric memory", "AllReduce"},
		{"(anonymous namespace)::two_shot_all_reduce_kernel_inplace<c10::BFloat16, 16, 2>", "PyTorch symmetric memory", "AllReduce"},
		{"void (anonymous namespace)::one_shot_all_reduce_kernel<c10::BFloat16, 16, 8>(c10::BFloat16**)", "PyTorch symmetric memory", "AllReduce"},
		{"_ZN38_GLOBAL__N__4a4a3d3c_11_SymmMem_cu_4a226one_shot_all_reduce_kernelIfLi16ELi8EEEvPPT_S2_", "PyTorch symmetric memory", "AllReduce"},
		{"multimem_all_gather_kernel", "PyTorch symmetric memory", "AllGather"},
		{"void (anonymous namespace)::multimem_one_shot_reduce_kernel<float, 16>(float*)", "PyTorch symmetric memory", "Reduce"},
		{"c10d::symmetric_memory::barrier_kernel(unsigned int**, int, int, int, unsigned long)", "PyTorch symmetric memory", "Barrier"},
		{"_gemm_one_shot_all_reduce_kernel", OwnLibrary, "fused AllReduce"},
		{"two_shot_all_reduce_bias_rms_norm_kernel", OwnLibrary, "fused AllReduce"},

		{"void deep_ep::internode::dispatch<false, 4>(int4*)", "DeepEP", "Dispatch"},
		{"void deep_ep::internode::combine<4, __nv_bfloat16>(int4*)", "DeepEP", "Combine"},
		{"void deep_ep::internode::notify_dispatch<false, 4>(int const*, int*)", "DeepEP", "Notify"},
		{"void deep_ep::intranode::cached_notify_combine<8>(void**, int*, int)", "DeepEP", "Notify"},
		{"void deep_ep::internode_ll::dispatch<true, false, 7168>(void*)", "DeepEP", "Dispatch"},
		{"void dpsk::ep::internode::dispatch<4, 20>(int4*)", "DeepEP", "Dispatch"},
		{"void dpsk::ep::internode::combine_ll<3, 7168>(void*)", "DeepEP", "Combine"},
		{"void primus_turbo::deep_ep::intranode::cached_notify_dispatch<8>(int const*)", "DeepEP", "Notify"},
		{"_ZN7deep_ep9internode8dispatchILb0ELi4EEEvP4int4", "DeepEP", "Dispatch"},
		{"EpDispatchIntraNodeKernel_bf16", "MORI", "Dispatch"},
		{"void mori::moe::EpCombineInterNodeKernel<hip_bfloat16>(mori::moe::EpDispatchCombineArgs<hip_bfloat16>)", "MORI", "Combine"},

		{"void barrier_on_stream_kernel_threadgroup<(threadgroup_t)1>(int, int)", "NVSHMEM", "Barrier"},
		{"_Z36barrier_on_stream_kernel_threadgroupIL13threadgroup_t1EEvii", "NVSHMEM", "Barrier"},
		{"void alltoall_on_stream_kernel<float>(int, float*, float const*, unsigned long)", "NVSHMEM", "AllToAll"},
		{"nvshmemi_proxy_quiet_entrypoint", "NVSHMEM", "Barrier"},
		{"c10d::nvshmem_extension::allToAllV(void*, void*, long*, unsigned long, int)", "NVSHMEM", "AllToAll"},

		{"void flashinfer::trtllm_allreduce_fusion::allreduce_fusion_kernel_oneshot_lamport<(flashinfer::trtllm_allreduce_fusion::AllReduceFusionPattern)1, __nv_bfloat16, 8, false, false>(flashinfer::trtllm_allreduce_fusion::AllReduceFusionParams<__nv_bfloat16>)",
			"FlashInfer", "fused AllReduce"},
		{"void flashinfer::trtllm_allreduce_fusion::allreduce_fusion_kernel_oneshot_lamport<(flashinfer::trtllm_allreduce_fusion::AllReduceFusionPattern)0, __nv_bfloat16, 8, false, false>(void)",
			"FlashInfer", "AllReduce"},
		{"void flashinfer::trtllm_mnnvl_allreduce::twoshotAllreduceKernel<(unsigned char)4, __nv_bfloat16, true, float4>(void)", "FlashInfer", "AllReduce"},
		{"void flashinfer::trtllm_mnnvl_allreduce::rmsNormLamport<__nv_bfloat16>(void)", "FlashInfer", "fused AllReduce"},
		{"void tensorrt_llm::kernels::twoShotAllReduceKernel<__half, 8, false>(tensorrt_llm::kernels::AllReduceParams)", "TensorRT-LLM", "AllReduce"},
		{"oneShotAllReduceKernel", "TensorRT-LLM", "AllReduce"},
		{"tensorrt_llm::kernels::reduce_fusion::lamport_style_one_shot_all_reduce_norm_kernel<4, __half, 8>", "TensorRT-LLM", "fused AllReduce"},
		{"ar_fusion::moe::moefinalize_allreduce_fusion_kernel_oneshot_lamport<bf16,8,false,true>", "TensorRT-LLM", "fused AllReduce"},
		{"void tensorrt_llm::kernels::moe_comm::moeA2ADispatchKernel<8, false>(int const*)", "TensorRT-LLM", "Dispatch"},

		{"void vllm::cross_device_reduce_1stage<__half, 8>(vllm::RankData*)", "vLLM custom all-reduce", "AllReduce"},
		{"void sglang::cross_device_reduce_2stage<__nv_bfloat16, 4>(sglang::RankData*)", "SGLang custom all-reduce", "AllReduce"},
		{"void (anonymous namespace)::all_reduce_one_shot_push_kernel<__half, 4u, true>((anonymous namespace)::AllReducePushData)", "SGLang custom all-reduce", "AllReduce"},
		{"quickreduce::allreduce_prototype_twoshot<AllReduceTwoshot<__half, CodecQ4<__half,4>, true>, __half>", "QuickReduce", "AllReduce"},
		{"_ZN5aiter26cross_device_reduce_2stageIDF16bLi8ELb0EEEvPNS_8RankDataES2_NS_11RankSignalsEPNS_6SignalEPT_ii", "aiter", "AllReduce"},
		{"_ZN5aiter33reduce_scatter_cross_device_storeIDF16bLi8EEEvPNS_8RankDataENS_11RankSignalsE", "aiter", "ReduceScatter"},
		{"void aiter::allgather_lastdim<std::bfloat16_t, 4>(aiter::RankData*)", "aiter", "AllGather"},
		{"_ZN5aiter30allreduce_fusion_kernel_1stageIDF16bLi8EEEvPNS_8RankDataE", "aiter", "fused AllReduce"},
		{"void userbuffers_fp16_sum_inplace_gpu_rr_rs_oop<8>(int, int)", "userbuffers", "ReduceScatter"},
		{"void userbuffers_fp16_sum_inplace_gpu_rw_ag<8>(int, int)", "userbuffers", "AllGather"},
		{"userbuffers_fp16_sum_inplace_gpu_mc_rmsnorm", "userbuffers", "fused AllReduce"},
		{"kuserbuffers_pushsend(int*, int*, int4*, int4*, int)", "userbuffers", "SendRecv"},

		// What only looks like communication.
		{"void at::native::reduce_kernel<512, 1, at::native::ReduceOp<float>>(float)", "", ""},
		{"void at::native::vectorized_gather_kernel<16, long>(char*, char*, long*, int)", "", ""},
		{"all_gather_offsets_elementwise", "", ""},
		{"void at::native::(anonymous namespace)::cross_entropy_forward<float>(float*)", "", ""},
		{"dispatch_indices_elementwise_kernel", "", ""},
		{"_combined_routing_compute", "", ""},
		{"reduce_segments", "", ""},
		{"triton_poi_fused_add_all_reduce_4", "", ""},
		{"void deep_ep::layout::get_dispatch_layout<256, 4, 8>(long const*)", "", ""},
		{"void aiter::local_device_load_rmsnorm<__hip_bfloat16, 512, 4>(aiter::RankSignals)", "", ""},
		{"void at::native::elementwise_kernel<128, 2, at::native::ncclSum>(int)", "", ""},
		{"void cub::DeviceReduceByKeyKernel<cub::DispatchReduceByKey<long*, long*>>(long*)", "", ""},
		{"void flashinfer::BatchDecodeWithPagedKVCacheKernel<true>(int)", "", ""},
		{"void flashinfer::norm::RMSNormKernel<8, __half>(__half*)", "", ""},
		{"void vllm::rms_norm_kernel<c10::Half>(c10::Half*)", "", ""},
		{"void tensorrt_llm::kernels::moe_comm::moeA2ASanitizeExpertIdsKernel(int*)", "", ""},
		{"my_nccl_free_kernel(int)", "", ""},
		{"_ZN2at6native13reduce_kernelILi512ELi1EEEvT_", "", ""},
		{"_Z", "", ""}, {"_ZN9999999x", "", ""}, {"_ZN5ab", "", ""}, {"void ", "", ""}, {"<", "", ""}, {"", "", ""},
	}
	for _, tt := range tests {
		got, comm := CommunicationOf(tt.kernel)
		if got.Library != tt.library || got.Collective != tt.collective || comm != (tt.library != "") {
			t.Errorf("CommunicationOf(%q):\n got %q of %q, %v\nwant %q of %q", tt.kernel, got.Collective, got.Library, comm, tt.collective, tt.library)
		}
		if again, _ := CommunicationOf(CanonicalKernel(tt.kernel)); again.Library != got.Library {
			t.Errorf("canonical name of %q: got library %q, want %q", tt.kernel, again.Library, got.Library)
		}
	}
}
