package cause

import (
	"slices"
	"testing"
)

// TestPatternOf: a pattern finds a kernel in both spellings, and where its words can tell it from others not these.
func TestPatternOf(t *testing.T) {
	const relu = "at::native::vectorized_elementwise_kernel<4, at::native::ReluFunctor<float>, std::array<char*, 2>>"
	const half = "at::native::vectorized_elementwise_kernel<4, at::native::ReluFunctor<c10::Half>, std::array<char*, 2>>"
	const fill = "at::native::vectorized_elementwise_kernel<4, at::native::FillFunctor<float>, std::array<char*, 1>>"
	for _, tt := range []struct {
		name  string
		all   []string
		want  string
		found int
	}{
		{"sgemm_128x64", []string{"sgemm_128x64", "dgemm"}, `\bsgemm_128x64`, 1},
		{"cudnn::bn<float, 2>", []string{"cudnn::bn<float, 2>", "bn2<float>", "cubn<float>"}, `\bbn<`, 1},
		{relu, []string{relu, half, fill}, `\bvectorized_elementwise_kernel<.*\bReluFunctor.*\bfloat`, 1},
		{half, []string{relu, half, fill}, `\bvectorized_elementwise_kernel<.*\bReluFunctor.*\bc10`, 1},
		{fill, []string{relu, half, fill}, `\bvectorized_elementwise_kernel<.*\bFillFunctor`, 1},
		{"f<4>", []string{"f<4>", "f<2>"}, `\bf<`, 2}, // numbers are spelled in several ways
		{"kernel_0xN", []string{"kernel_0xN"}, `\bkernel_`, 1},
		{"nvkernel_solve_F1L#1of2", []string{"nvkernel_solve_F1L#1of2", "nvkernel_solve_F1L#2of2"}, `\bnvkernel_solve_F1L`, 2},
	} {
		got, found := patternOf(tt.name, tt.all)
		if got != tt.want || len(found) != tt.found || !slices.Contains(found, tt.name) {
			t.Errorf("%s: got %s, which finds %q; want %s and %d", tt.name, got, found, tt.want, tt.found)
		}
	}
}
