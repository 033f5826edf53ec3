package trace

import (
	"regexp"
	"testing"
)

// TestFamily holds the table to names from real captures.
func TestFamily(t *testing.T) {
	for name, want := range map[string]string{
		"ampere_bf16_s16816gemm_bf16_128x128_ldg8_f2f_stages_32x5_tn":                    "GEMM",
		"nvjet_hsh_128x256_64x4_1x2_h_bz_coopA_TNT":                                      "GEMM",
		"Cijk_Ailk_Bljk_HHS_BH_MT128x128x32":                                             "GEMM",
		"void cutlass::Kernel2<cutlass_80_tensorop_s16816gemm>":                          "GEMM",
		"pytorch_flash::flash_fwd_kernel":                                                "attention",
		"fmha_cutlassF_bf16_aligned_64x64_rf_sm80":                                       "attention",
		"sm90_xmma_fprop_implicit_gemm_bf16bf16_bf16f32_f32_nhwckrsc_nhwc":               "convolution",
		"cudnn::winograd_nonfused::winogradForwardData4x4":                               "convolution",
		"cudnn::bn_bw_1C11_kernel_new":                                                   "normalization",
		"at::native::(anonymous namespace)::vectorized_layer_norm_kernel":                "normalization",
		"at::native::(anonymous namespace)::multi_tensor_apply_kernel":                   "optimizer",
		"at::native::vectorized_elementwise_kernel<4, at::native::CUDAFunctor_add":       "elementwise",
		"triton_poi_fused_add_0":                                                         "elementwise",
		"at::native::reduce_kernel<512, 1, at::native::ReduceOp>":                        "reduction",
		"(anonymous namespace)::softmax_warp_forward":                                    "reduction",
		"at::native::(anonymous namespace)::CatArrayBatchedCopy":                         "memory movement",
		"at::native::unrolled_elementwise_kernel<at::native::direct_copy_kernel_cuda::x": "memory movement",
		"my_secret_kernel": "other",
	} {
		if got := Family(name, nil); got != want {
			t.Errorf("%s: got %s, want %s", name, got, want)
		}
	}
	own := []FamilyRule{{"mine", regexp.MustCompile("secret")}}
	if got := Family("my_secret_kernel", own); got != "mine" {
		t.Errorf("own rule: got %s", got)
	}
}
