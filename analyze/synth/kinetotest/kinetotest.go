// Package kinetotest writes PyTorch traces of any size for tests and benchmarks, whose content is not a story.
package kinetotest

import (
	"bufio"
	"fmt"
	"io"
)

// Write writes a PyTorch trace of a rank of about size bytes, in the layout of today's
// profiler: for every kernel launch two operators with shapes, a Python
// function with its stack, the runtime call, the two ends of a flow and the
// kernel. It returns the number of kernels.
func Write(w io.Writer, size, rank int) (kernels int, err error) {
	b := bufio.NewWriter(w)
	n := 0
	out := func(format string, args ...any) {
		k, _ := fmt.Fprintf(b, format, args...)
		n += k
	}
	out("\n{\n  \"schemaVersion\": 1,\n  \"deviceProperties\": [\n    {\n      \"id\": 0, \"name\": \"NVIDIA H100 80GB HBM3\", \"totalGlobalMem\": 85029158912\n    }\n  ],\n")
	out("  \"distributedInfo\": {\"backend\": \"nccl\", \"rank\": %d, \"world_size\": 16},\n  \"displayTimeUnit\": \"ms\",\n  \"baseTimeNanoseconds\": 1735632360000000000,\n  \"traceEvents\": [", rank)
	for ; n < size; kernels++ {
		at := int64(4203669603018756) + int64(kernels)*41_313 // ns
		writeLaunch(out, kernels, at)
		if kernels%2000 == 0 {
			out("\n  {\n    \"ph\": \"X\", \"cat\": \"user_annotation\", \"name\": \"ProfilerStep#%d\", \"pid\": 4711, \"tid\": 4711,\n    \"ts\": %s, \"dur\": %s,\n    \"args\": {\n      \"External id\": %d, \"Ev Idx\": 7\n    }\n  },",
				kernels/2000, micros(at), micros(2000*41_313), kernels)
		}
	}
	out("\n  {\n    \"name\": \"Record Window End\", \"ph\": \"i\", \"s\": \"g\",\n    \"pid\": \"\", \"tid\": \"\", \"ts\": 4203669613175.703\n  }\n  ],\n  \"traceName\": \"trace.json\"\n}")
	return kernels, b.Flush()
}

func micros(ns int64) string { return fmt.Sprintf("%d.%03d", ns/1000, ns%1000) }

var kernelNames = []string{
	"void at::native::vectorized_elementwise_kernel<4, at::native::CUDAFunctor_add<c10::BFloat16>, at::detail::Array<char*, 3> >(int, at::native::CUDAFunctor_add<c10::BFloat16>, at::detail::Array<char*, 3>)",
	"sm90_xmma_gemm_bf16bf16_bf16f32_f32_tn_n_tilesize128x128x64_warpgroupsize1x1x1_execute_segment_k_off_kernel__5x_cublas",
	"void flash_fwd_kernel<Flash_fwd_kernel_traits<128, 128, 64, 4, false, false, cutlass::bfloat16_t, Flash_kernel_traits<128, 128, 64, 4, cutlass::bfloat16_t> >, false, true>(Flash_fwd_params)",
	"void at::native::(anonymous namespace)::vectorized_layer_norm_kernel<float, float>(int, float, float const*, float const*, float const*, float*, float*, float*)",
}

func writeLaunch(out func(string, ...any), i int, at int64) {
	id := 100_000 + i
	for k, op := range []string{"aten::linear", "aten::addmm"} {
		out("\n  {\n    \"ph\": \"X\", \"cat\": \"cpu_op\", \"name\": \"%s\", \"pid\": 4711, \"tid\": 4711,\n    \"ts\": %s, \"dur\": %s,\n    \"args\": {\n      \"External id\": %d,\"Record function id\": 0, \"Concrete Inputs\": [\"\", \"\", \"\"], \"Input type\": [\"float\", \"float\", \"float\"], \"Input Dims\": [[64, 1024], [4096, 1024], [4096]], \"Sequence number\": %d, \"Fwd thread id\": 0, \"Ev Idx\": %d\n    }\n  },",
			op, micros(at+int64(k)*900), micros(31_007), id, i, 2*i+k)
	}
	out("\n  {\n    \"ph\": \"X\", \"cat\": \"python_function\", \"name\": \"torch/nn/modules/linear.py(125): forward\", \"pid\": 4711, \"tid\": 4711,\n    \"ts\": %s, \"dur\": %s,\n    \"args\": {\n      \"Python parent id\": %d, \"Python id\": %d, \"Ev Idx\": %d\n    }\n  },", micros(at-700), micros(35_001), i, i+1, i)
	out("\n  {\n    \"ph\": \"X\", \"cat\": \"cuda_runtime\", \"name\": \"cudaLaunchKernel\", \"pid\": 4711, \"tid\": 4711,\n    \"ts\": %s, \"dur\": %s,\n    \"args\": {\n      \"External id\": %d, \"cbid\": 211, \"correlation\": %d\n    }\n  },", micros(at+5_000), micros(6_113), id, id)
	for _, end := range []string{`"s"`, `"f"`} {
		out("\n  {\n    \"ph\": %s, \"id\": %d, \"pid\": 4711, \"tid\": 4711, \"ts\": %s,\n    \"cat\": \"ac2g\", \"name\": \"ac2g\", \"bp\": \"e\"\n  },", end, id, micros(at+5_000))
	}
	out("\n  {\n    \"ph\": \"X\", \"cat\": \"kernel\", \"name\": \"%s\", \"pid\": 0, \"tid\": 7,\n    \"ts\": %s, \"dur\": %s,\n    \"args\": {\n      \"External id\": %d, \"queued\": 0, \"device\": 0, \"context\": 1, \"stream\": 7, \"correlation\": %d, \"registers per thread\": 96, \"shared memory\": 41760, \"blocks per SM\": 0.969697, \"warps per SM\": 3.878788, \"grid\": [128, 1, 1], \"block\": [128, 1, 1], \"est. achieved occupancy %%\": 6\n    }\n  },",
		kernelNames[i%len(kernelNames)], micros(at+20_000), micros(21_472), id, id)
}
