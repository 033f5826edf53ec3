package kernelname

import (
	"maps"
	"runtime"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"
)

func TestFoldings(t *testing.T) {
	for _, f := range Foldings() {
		got := CanonicalKernel(f.Before)
		if f.Of == "range" {
			got = Ordinary(CanonicalRange(f.Before))
		}
		if got != f.After {
			t.Errorf("%s: %q: got %q, want %q", f.Name, f.Before, got, f.After)
		}
	}
}

// sameKernels are kernels in the spellings of several profilers, versions and builds.
var sameKernels = []struct {
	want  string
	names []string
}{
	{"nccl:AllReduce f32", []string{"ncclDevKernel_AllReduce_Sum_f32_RING_LL(ncclDevKernelArgsStorage<4096ul>)", "ncclKernel_AllReduce_RING_LL_Sum_float(ncclWorkElem)",
		"ncclKernel_AllReduce_TREE_LL_Max_float(ncclDevComm*, unsigned long, ncclWork*)", "ncclAllReduceRingLLKernel_sum_f32(ncclColl)"}},
	{"nccl:AllReduce bf16", []string{"ncclDevKernel_AllReduce_Sum_bf16_RING_LL(ncclDevKernelArgsStorage<4096ul>)", "ncclKernel_AllReduce_RING_LL_Sum___nv_bfloat16(ncclDevComm*)",
		"ncclKernel_AllReduce_RING_LL_Sum_rccl_bfloat16(ncclWorkElem)"}},
	{"nccl:ReduceScatter f16", []string{"ncclDevKernel_ReduceScatter_Sum_f16_RING_LL(x)", "ncclKernel_ReduceScatter_RING_LL_Sum_half(x)"}},
	{"nccl:AllReduce", []string{"ncclDevKernel_AllReduce_Sum_u32_RING_LL(x)", "ncclKernel_AllReduce_RING_LL_Sum_int32_t(x)"}},
	{"nccl:Broadcast", []string{"ncclDevKernel_Broadcast_RING_LL(x)", "ncclKernel_Broadcast_RING_LL_Sum_int8_t(ncclDevComm*, unsigned long, ncclWork*)"}},
	{"nccl:SendRecv", []string{"ncclDevKernel_SendRecv(x)", "ncclKernel_SendRecv_RING_SIMPLE_Sum_int8_t(ncclDevComm*, unsigned long, ncclWork*)"}},
	{"nccl:Generic", []string{"ncclDevKernel_Generic_4(x)", "mscclKernel_Sum_half_Simple_false"}},
	{"at::native::vectorized_elementwise_kernel<4, at::native::CUDAFunctor_add<float>, std::array<char*, 3>>", []string{
		"void at::native::vectorized_elementwise_kernel<4, at::native::CUDAFunctor_add<float>, at::detail::Array<char*, 3> >(int, at::native::CUDAFunctor_add<float>, at::detail::Array<char*, 3>)",
		"void at::native::vectorized_elementwise_kernel<(int)4, at::native::CUDAFunctor_add<float>, std::array<char *, (unsigned long)3>>(int, T2, T3)",
		"void at::native::vectorized_elementwise_kernel<int=4, at::native::CUDAFunctor_add<float>, at::detail::Array<char*, unsigned long=3>>(int, float)",
		"void at::native::vectorized_elementwise_kernel<4, at::native::CUDAFunctor_add<float>, std::array<char*, 3ul>>(int, at::native::CUDAFunctor_add<float>, std::array<char*, 3ul>)"}},
	{"at::native::elementwise_kernel<128, 2, at::native::gpu_kernel_impl_nocast<at::native::(anonymous namespace)::where_kernel_impl::{lambda()#1}::operator()::{lambda()#7}::operator()::{lambda(bool, float, float)#1}>::{lambda(int)#1}>", []string{
		"void at::native::elementwise_kernel<(int)128, (int)2, void at::native::gpu_kernel_impl_nocast<at::native::<unnamed>::where_kernel_impl(at::TensorIterator &)::[lambda() (instance 1)]::operator ()() const::[lambda() (instance 7)]::operator ()() const::[lambda(bool, float, float) (instance 1)]>(at::TensorIteratorBase &, const T1 &)::[lambda(int) (instance 1)]>(int, T3)",
		"void at::native::elementwise_kernel<128, 2, at::native::gpu_kernel_impl_nocast<at::native::(anonymous namespace)::where_kernel_impl(at::TensorIterator&)::{lambda()#1}::operator()() const::{lambda()#7}::operator()() const::{lambda(bool, float, float)#1}>(at::TensorIteratorBase&, at::native::(anonymous namespace)::where_kernel_impl(at::TensorIterator&)::{lambda()#1}::operator()() const::{lambda()#7}::operator()() const::{lambda(bool, float, float)#1} const&)::{lambda(int)#1}>(int, at::native::f const&)"}},
	{"(anonymous namespace)::softmax_warp_forward<float, float, float, 6, false, false>", []string{
		"void (anonymous namespace)::softmax_warp_forward<float, float, float, 6, false, false>(float*, float const*, int, int, int, bool const*, int, bool)",
		"void <unnamed>::softmax_warp_forward<float, float, float, (int)6, (bool)0, (bool)0>(T2 *, const T1 *, int, int, int, const bool *, int, bool)",
		"void _GLOBAL__N__8e0d5b20_10_SoftMax_cu_9f978f63::softmax_warp_forward<float, float, float, 6, bool=0, bool=0>(float*, float const*)"}},
	{"vllm::fused_add_rms_norm_kernel<c10::BFloat16, 8>", []string{
		"std::enable_if<(T2>(int)0)&&vllm::_typeConvert<T1>::exists, void>::type vllm::fused_add_rms_norm_kernel<c10::BFloat16, (int)8>(T1 *, T1 *)",
		"std::enable_if<(8>0)&&vllm::_typeConvert<c10::BFloat16>::exists, void>::type vllm::fused_add_rms_norm_kernel<c10::BFloat16, 8>(c10::BFloat16*)"}},
	{"f<unsigned int, g<float*, decltype(nullptr)>, (cudnnDataType_t)0, -2, -2>", []string{
		"void f<unsigned int, g<float const*, decltype(nullptr)>, (cudnnDataType_t)0, (long)-2, -2l>(unsigned const int*) [clone .kd]",
		"void f<const unsigned int, g<const float *, decltype(nullptr)>,(cudnnDataType_t)0,-2, long long=-2>(T1)"}},
	{"f<void(*)(int), void>", []string{"void f<void (*)(int), void>(void (*)(int))", "f<void (*)(int),void>"}},
	{"operator()", []string{"operator()(int)", "operator ()(int) const", "operator()"}},
	{"cub::DeviceScanKernel<cub::DeviceScanPolicy<unsigned int, cuda::std::plus<void>>::Policy900, unsigned int*>", []string{
		"void cub::CUB_200301_860_NS::DeviceScanKernel<cub::CUB_200301_860_NS::DeviceScanPolicy<unsigned int, cuda::std::__4::plus<void>>::Policy900, unsigned int *>(T2)",
		"void cub::_V_300100_SM_800_900::DeviceScanKernel<cub::_V_300100_SM_800_900::DeviceScanPolicy<unsigned int, cuda::std::plus<void>>::Policy900, unsigned int*>(unsigned int*)"}},
	{"triton_poi_fused_add", []string{"triton_poi_fused_add_12", "triton_poi_fused_add_13", "triton_poi_fused_add_0_ca70313c", "triton_poi_fused_add_0d1d2d3de"}},
	{"triton_poi_fused_max_pool2d_with_indices", []string{"triton_poi_fused_max_pool2d_with_indices_5"}},
	{"triton_", []string{"triton__0d1d2d3d4d56d7d89d1011d1213d1415d1617d1819d2021d2223d", "triton_"}},
	{"_attn_fwd", []string{"_attn_fwd_0d1d2d34d5d6de7de8de9c10de", "_attn_fwd"}},
	{"loop_add_fusion", []string{"loop_add_fusion_4", "loop_add_fusion"}},
	{"fusion", []string{"fusion_123", "fusion_7_1"}},
	{"nvfuser_pointwise", []string{"nvfuser_pointwise_f0_c1_r0_g0", "nvfuser_pointwise_f12_c1_r0_g3"}},
	{"nvkernel_solve_F1L#", []string{"nvkernel_solve_F1L204_2", "nvkernel_solve_F1L210_4", "nvkernel_solve_F1L#"}},
	{"__omp_offloading_main_l#", []string{"__omp_offloading_10302_2d86c1c_main_l19", "__omp_offloading_802_9_main_l20_1", "__omp_offloading_fd00_ab12_main_l7_debug__", "__omp_offloading_802_9_main_l20.kd"}},
	{"_Z4normv_#_gpu", []string{"_Z4normv_61_gpu", "_Z4normv_67_gpu"}},
	{"norm_#_gpu__red", []string{"norm_61_gpu__red", "norm_67_gpu__red"}},
	{"vecadd_$ck_L#", []string{"vecadd_$ck_L24_1", "vecadd_$ck_L30_1"}},
	{"kernel_0xN_x", []string{"kernel_0x7f3a5c001b40_x", "kernel_0x55d0c0de_x"}},
}

func TestCanonicalKernel(t *testing.T) {
	for _, k := range sameKernels {
		for _, name := range k.names {
			if got := CanonicalKernel(name); got != k.want {
				t.Errorf("%s:\n got %s\nwant %s", name, got, k.want)
			}
		}
	}
}

// TestKernelsToldApart: what tells two kernels apart stays.
func TestKernelsToldApart(t *testing.T) {
	for _, name := range []string{
		"", "volta_sgemm_128x64_nn", "volta_sgemm_128x64_nt", "gemm<float, 128, 64>", "gemm<__half, 128, 64>", "gemm<float, 128, 128>", "g<(A)0>", "g<(A)1>",
		"at::native::vectorized_elementwise_kernel<2, f>", "f::{lambda(float)#1}", "f::{lambda(float)#2}", "multi_tensor_apply_2", "flash_fwd_64", "triton_rope_128", "fusion_gemm_128x64_2",
		"sm90_xmma_gemm_f16f16f32_1", "kernel_f16f16f32", "mask_0x1F", "Cijk_Ailk_Bljk_HHS_BH_MT128x128x32", "a name with spaces",
		"conv3_gpu", "main._omp_fn.0", "gpu_3", "__omp_offloading_main", "nvkernel_F1L2",
	} {
		if got := CanonicalKernel(name); got != name {
			t.Errorf("%s: got %s", name, got)
		}
	}
}

// TestLines: what the line alone tells apart in a capture is numbered by line, and the rest is as in any other.
func TestLines(t *testing.T) {
	got := Lines(slices.Values([]string{"__omp_offloading_1_2_main_l100", "__omp_offloading_1_2_main_l19", "__omp_offloading_1_2_f_l19",
		"nvkernel_f_F1L204_2", "nvkernel_f_F2L204_2", "saxpy_9_gpu", "saxpy_10_gpu", "gemm_1", "gemm_2"}))
	want := map[string]string{"__omp_offloading_1_2_main_l19": "__omp_offloading_main_l#1of2", "__omp_offloading_1_2_main_l100": "__omp_offloading_main_l#2of2",
		"saxpy_9_gpu": "saxpy_#1of2_gpu", "saxpy_10_gpu": "saxpy_#2of2_gpu"}
	if !maps.Equal(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
	for _, name := range want {
		if got := CanonicalKernel(name); got != name {
			t.Errorf("%s: got %s, when asked again", name, got)
		}
	}
}

// hostileParts are what names are made of, again and again.
var hostileParts = []string{"(", "<", ")<", "f()::", "(int)", "void ", "const ", "_GLOBAL__N_", "11_GLOBAL__N_", "_0d1d", "([<", "operator()", "0x1234", "a, ", "triton_poi_1_", "(instance 1"}

// TestCanonicalKernelIsLinear: a name is up to 16 KB of anything, and one twice as long
// takes twice as much from the heap at most, but for what grows in steps.
func TestCanonicalKernelIsLinear(t *testing.T) {
	taken := func(name string) uint64 {
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		Family(fold(name), nil)
		runtime.ReadMemStats(&after)
		return after.TotalAlloc - before.TotalAlloc
	}
	for _, part := range hostileParts {
		for _, front := range []string{"", "_Z"} {
			name := func(n int) string {
				return front + "triton_" + strings.Repeat(part, n/len(part)) + strings.Repeat(")", 100)
			}
			taken(name(16 << 10)) // what is made once is made here
			one, two := taken(name(16<<10)), taken(name(32<<10))
			if two > 5*one/2+1<<20 {
				t.Errorf("%s%q repeated: got %d bytes for 16 KB and %d for 32 KB", front, part, one, two)
			}
		}
	}
}

func FuzzCanonicalKernel(f *testing.F) {
	for _, k := range sameKernels {
		for _, name := range k.names {
			f.Add(name)
		}
	}
	f.Fuzz(func(t *testing.T, name string) {
		if got := CanonicalKernel(name); utf8.ValidString(name) && !utf8.ValidString(got) {
			t.Errorf("%q: got %q", name, got)
		}
		Family(name, nil)
	})
}
