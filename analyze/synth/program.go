package synth

import (
	"slices"
	"time"
)

// kernel is a compute kernel of the simulated network.
type kernel struct {
	label string // in stories
	name  string // demangled, as profilers record it
	short string
	phase phase
	share float64 // of its phase's time; the shares of a phase add up to 1
	grid  int
	block int
}

// occupancy returns what the PyTorch profiler would estimate, in percent, on a GPU with 132 SMs. With 64 registers a
// thread, 1,024 of the 2,048 threads of each SM can run.
func (k *kernel) occupancy() int {
	blocks := min(float64(1024/k.block), float64(k.grid)/132)
	return int(float64(100*blocks*float64(k.block)/2048) + 0.5)
}

// phase is a part of the step.
type phase int

const (
	forward phase = iota
	backward
	optimizer
	inference // the only phase of an engine's step; it has no range of its own
	phases
)

var phaseNames = [phases]string{"forward", "backward", "Optimizer.step#AdamW.step", ""}

// kernels are the kernels of a convolutional network in mixed precision, in the order in which a layer launches them.
var kernels = []kernel{
	{"conv_fprop", "sm90_xmma_fprop_implicit_gemm_bf16bf16_bf16f32_f32_nhwckrsc_nhwc_tilesize128x128x64_warpgroupsize1x1x1_g1_execute_segment_k_off_kernel__5x_cudnn",
		"sm90_xmma_fprop_implicit_gemm_bf16bf16_bf16f32_f32_nhwckrsc_nhwc_tilesize128x128x64_warpgroupsize1x1x1_g1_execute_segment_k_off_kernel__5x_cudnn", forward, 0.62, 1056, 384},
	{"batch_norm", "void cudnn::bn_fw_tr_1C11_kernel_NCHW<float, float, 512, true, 1, true>(cudnnTensorStruct, const float *, cudnnTensorStruct, float *, const float *, const float *, float, float)",
		"bn_fw_tr_1C11_kernel_NCHW", forward, 0.26, 256, 512},
	{"relu", "void at::native::vectorized_elementwise_kernel<(int)4, at::native::ReluFunctor<float>, std::array<char *, (unsigned long)2>>(int, at::native::ReluFunctor<float>, std::array<char *, (unsigned long)2>)",
		"vectorized_elementwise_kernel", forward, 0.12, 9216, 128},
	{"relu_backward", "void at::native::vectorized_elementwise_kernel<(int)4, at::native::ThresholdBackwardFunctor<float>, std::array<char *, (unsigned long)3>>(int, at::native::ThresholdBackwardFunctor<float>, std::array<char *, (unsigned long)3>)",
		"vectorized_elementwise_kernel", backward, 0.09, 9216, 128},
	{"batch_norm_backward", "void cudnn::bn_bw_1C11_kernel_new<float, float, float2, 512, true, 1>(float, float, float, float, cudnnTensorStruct, const float *, cudnnTensorStruct, const float *, float *)",
		"bn_bw_1C11_kernel_new", backward, 0.19, 256, 512},
	{"conv_dgrad", "sm90_xmma_dgrad_implicit_gemm_bf16bf16_bf16f32_f32_nhwckrsc_nhwc_tilesize128x128x64_warpgroupsize1x1x1_g1_execute_kernel__5x_cudnn",
		"sm90_xmma_dgrad_implicit_gemm_bf16bf16_bf16f32_f32_nhwckrsc_nhwc_tilesize128x128x64_warpgroupsize1x1x1_g1_execute_kernel__5x_cudnn", backward, 0.38, 1056, 384},
	{"conv_wgrad", "sm90_xmma_wgrad_implicit_gemm_indexed_bf16bf16_bf16f32_f32_nhwckrsc_nhwc_tilesize128x128x64_warpgroupsize1x1x1_g1_execute_kernel__5x_cudnn",
		"sm90_xmma_wgrad_implicit_gemm_indexed_bf16bf16_bf16f32_f32_nhwckrsc_nhwc_tilesize128x128x64_warpgroupsize1x1x1_g1_execute_kernel__5x_cudnn", backward, 0.34, 528, 384},
	{"adamw", "void at::native::(anonymous namespace)::multi_tensor_apply_kernel<at::native::(anonymous namespace)::TensorListMetadata<(int)4>, at::native::(anonymous namespace)::FusedAdamMathFunctor<float, (int)4>, float *>(T1, T2, T3)",
		"multi_tensor_apply_kernel", optimizer, 1, 320, 512},
	{"attention", "void flash::flash_fwd_splitkv_kernel<Flash_fwd_kernel_traits<128, 64, 128, 4, false, false, cutlass::bfloat16_t>, true, false, false, false, true, true, false>(flash::Flash_fwd_params)",
		"flash_fwd_splitkv_kernel", inference, 0.3, 264, 128},
	{"linear", "nvjet_tst_128x64_64x8_2x1_v_bz_TNT", "nvjet_tst_128x64_64x8_2x1_v_bz_TNT", inference, 0.6, 132, 384},
	{"norm", "void vllm::fused_add_rms_norm_kernel<c10::BFloat16, 8>(c10::BFloat16 *, long, c10::BFloat16 *, const c10::BFloat16 *, float, int, int)",
		"fused_add_rms_norm_kernel", inference, 0.1, 32, 1024},
}

// replacements are the kernels that run where a job replaces a kernel: a library's fused kernel
// falls back to the framework's own, or another engine of the library is chosen.
var replacements = map[string]*kernel{
	"batch_norm_backward": {"", "void at::native::batch_norm_backward_cuda_kernel<float, float, float, int>(at::GenericPackedTensorAccessor<float, 3>, float *, int)",
		"batch_norm_backward_cuda_kernel", backward, 0, 512, 256},
	"conv_fprop": {"", "void implicit_convolve_sgemm<float, float, 1024, 5, 5, 3, 3, 3, 1, false, true, true>(int, int, int, const float *, int, float *)",
		"implicit_convolve_sgemm", forward, 0, 1024, 256},
	"conv_dgrad": {"", "void dgrad_engine<float, 512, 6, 5, 3, 3, 3, false>(int, int, int, const float *, int, const float *, int, float *)",
		"dgrad_engine", backward, 0, 1024, 256},
	"conv_wgrad": {"", "void wgrad_alg0_engine<float, 128, 5, 5, 3, 3, 3, false, 512>(int, int, int, const float *, int, float *)",
		"wgrad_alg0_engine", backward, 0, 1024, 256},
}

// optimizerLaunches is how many launches the optimizer's kernel takes.
const optimizerLaunches = 4

// ncclKernel is the name of the collective's kernel.
const ncclKernel = "ncclDevKernel_AllReduce_Sum_f32_RING_LL(ncclDevKernelArgsStorage<(unsigned long)4096>)"

// pairKernel is the name of the kernel that sends a message from one rank to another.
const pairKernel = "ncclDevKernel_SendRecv(ncclDevKernelArgsStorage<(unsigned long)4096>)"

// action is one thing that a step does on every rank.
type action struct {
	do      verb
	phase   phase
	kernels []launch // one kernel, or the nodes of a graph
}

type verb int

const (
	begin    verb = iota // of a phase
	end                  // of a phase
	run                  // a kernel
	replay               // a graph
	reduce               // gradients of some layers
	share                // what ranks that share a layer computed of it
	mix                  // tokens go to the ranks of their experts, and come back
	pass                 // all micro-batches of a step through the stages of a pipeline
	norm                 // of all gradients
	allocate             // device memory
	route                // work of the host, before more can be launched
)

// launch is a kernel with the time that it takes.
type launch struct {
	*kernel
	duration float64 // ns
}

// program returns the actions of a step, between copying its input and waiting for the device.
func (j *job) program() []action {
	var p []action
	totals := [inference]time.Duration{j.Forward, j.Backward, j.Optimizer}
	if j.Serving.Batch > 0 {
		return j.engineProgram()
	}
	from := forward
	if j.Pipeline.Stages > 1 {
		p = append(p, action{do: pass})
		for range j.AllReduce.Count {
			p = append(p, action{do: reduce})
		}
		p, from = append(p, action{do: norm}), optimizer
	}
	for ph := from; ph < inference; ph++ {
		p = append(p, action{do: begin, phase: ph})
		rounds := j.Layers
		if ph == optimizer {
			rounds = optimizerLaunches
		}
		for i := range rounds {
			for _, k := range j.layerKernels(ph, float64(totals[ph])/float64(rounds)) {
				p = append(p, action{do: run, kernels: []launch{k}})
			}
			if j.Allocate > 0 && ph == forward && i == rounds/2 {
				p = append(p, action{do: allocate})
			}
			if j.Route > 0 && ph == forward && i == rounds/2 {
				p = append(p, action{do: route})
			}
			if n := j.Tensor.Count; j.Tensor.Ranks > 1 && ph != optimizer && (i+1)*n/rounds > i*n/rounds {
				p = append(p, action{do: share})
			}
			if n := j.Experts.Count; j.Experts.Ranks > 1 && ph != optimizer && (i+1)*n/rounds > i*n/rounds {
				p = append(p, action{do: mix})
			}
			if n := j.AllReduce.Count; ph == backward && (i+1)*n/rounds > i*n/rounds {
				p = append(p, action{do: reduce})
			}
		}
		p = append(p, action{do: end, phase: ph})
	}
	if j.Graphs {
		p = inGraphs(p)
	}
	return p
}

// engineProgram returns a step of an inference engine: the forward pass of all layers, with an exchange of the ranks'
// shares of a tensor after the last layer of each share.
func (j *job) engineProgram() []action {
	var p []action
	for i := range j.Layers {
		for _, k := range j.layerKernels(inference, float64(j.Forward)/float64(j.Layers)) {
			p = append(p, action{do: run, kernels: []launch{k}})
		}
		if n := j.AllReduce.Count; (i+1)*n/j.Layers > i*n/j.Layers {
			p = append(p, action{do: reduce})
		}
	}
	if j.Graphs {
		p = inGraphs(p)
	}
	return p
}

// layerKernels returns the kernels of one layer, or of one part of the optimizer. They take total ns together, before
// factors on single kernels.
func (j *job) layerKernels(ph phase, total float64) []launch {
	var out []launch
	for i := range kernels {
		k := &kernels[i]
		if k.phase != ph {
			continue
		}
		factor := 1.0
		if f, ok := j.Kernels[k.label]; ok {
			factor = f
		}
		share := k.share
		if slices.Contains(j.Replace, k.label) {
			k = replacements[k.label]
		}
		out = append(out, launch{k, total * share * factor})
	}
	return out
}

// inGraphs puts kernels that follow each other into one graph.
func inGraphs(p []action) []action {
	var out []action
	for _, a := range p {
		if last := len(out) - 1; a.do == run && last >= 0 && out[last].do == replay {
			out[last].kernels = append(out[last].kernels, a.kernels...)
			continue
		}
		if a.do == run {
			a.do = replay
		}
		out = append(out, a)
	}
	return out
}
