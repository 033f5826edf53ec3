package kernelname

import (
	"regexp"
	"strings"
	"testing"
)

// FuzzWithoutCounters: what is done by hand is what the expressions say.
func FuzzWithoutCounters(f *testing.F) {
	for _, name := range []string{
		"triton_poi_12", "triton_poi_1_2", "triton_poi__1", "triton_poi_fused_add_3_4", "triton_12", "triton_format_1",
		"triton_softmax_", "triton_mm_7a",
		"fusion_3", "fusion", "loop_add_fusion_2", "gemm_fusion_dot_1", "gemm_fusion",
		"copy_fusion_1", "wrapped_add_12", "wrapped_12", "triton_poi_fused_\n_1",
		"nvfuser_reduction_f0_c1_r0_g2", "add_kernel_8d4b99fa_0d1d2d3de", "add_kernel_0d1d2d3de",
		"triton_red_fused_deadbeef1", "triton_red_fused_12345678", "triton_per_deadbeef1_0d1",
		"_deadbeef12", "triton__0d1d2de", "x_01d", "x_0e1", "triton_fused_kernel_123_0000000000", "triton_poi_1__",
		"triton_poi_é_1", "_0c", "0d1", "triton_poi_0",
	} {
		f.Add(name)
	}
	hash := regexp.MustCompile(`_[0-9a-f]{8,64}$`)
	f.Fuzz(func(t *testing.T, whole string) {
		if strings.ContainsAny(whole, "<:") || !strings.ContainsAny(whole, "0123456789") {
			return
		}
		name := specialized.ReplaceAllString(whole, "")
		if len(name) < len(whole) || strings.HasPrefix(name, "triton_") {
			if h := hash.FindString(name); strings.ContainsAny(h, "0123456789") && strings.ContainsAny(h, "abcdef") {
				name = strings.TrimSuffix(name, h)
			}
		}
		if m := counted.FindStringSubmatch(name); m != nil {
			name = m[1]
		} else if m := fuser.FindStringSubmatch(name); m != nil {
			name = m[1]
		}
		if got := withoutCounters(whole); got != name {
			t.Errorf("%q: got %q, want %q", whole, got, name)
		}
	})
}
