package kernelname

import (
	"regexp"
	"strings"
)

// commRule is one row of the table of communication kernels. A kernel belongs to the
// first row whose expression matches the name of its function: with its namespaces, and
// without return type, template arguments and parameters.
type commRule struct {
	library string
	name    *regexp.Regexp
	not     *regexp.Regexp // functions of the same library that only prepare, or nil
}

// oneOf returns the expression that matches wherever one of several does.
func oneOf(parts ...string) *regexp.Regexp { return regexp.MustCompile(strings.Join(parts, "|")) }

// commRules recognise the kernels that move data between ranks or wait for other ranks, by their library. Expressions
// are anchored at the start of the function or of a namespace: "my_nccl_free" and the elementwise kernels of a gather
// are compute, AMD's compute kernels begin with "hip", and what Inductor calls triton_…_all_reduce_… is the work
// around one. A comment at each rule says where the name was seen, or where its source defines it.
var commRules = []commRule{
	// NVIDIA nccl, contrib/nccl_ep: DeepEP's kernels on NCCL's device API. Before "nccl".
	{library: "NCCL EP", name: regexp.MustCompile(`^nccl_ep(?:::|_)`), not: local},
	// microsoft/mscclpp: src/ext/collectives (mscclpp::collective::allreduceAllPairs), apps/nccl
	// (allreduceAllPairs alone), src/ext/ep. Before "msccl".
	{library: "MSCCL++", name: oneOf(`^mscclpp(?:::|_|$)`, `^mscclpp[A-Z]`, `^allreduceAllPairs$`), not: local},
	// NVIDIA/nccl, src/device/generate.py, tags 2.7 to 2.30; ROCm/rccl, the same names and
	// mscclKernel_Sum_half_Simple_false; Meta's ncclx. "nccl:" is the canonical name, and
	// oneRankReduce is of a communicator of one rank.
	{library: "NCCL/RCCL", name: regexp.MustCompile(`^(?:(?i:nccl|rccl)|msccl|oneRankReduce)`)},
	// Other vendors' libraries with NCCL's names: HCCL, PCCL ("pcclKernel_twoShotAllReduceKernel").
	{library: "HCCL", name: regexp.MustCompile(`^(?i:hccl)`)},
	{library: "PCCL", name: regexp.MustCompile(`^pcclKernel`)},

	// deepseek-ai/DeepEP, csrc/kernels/{intranode,internode,internode_ll}.cu; "dpsk::ep" in
	// deepseek-ai/profile-data (dispatch_ll there is internode_ll::dispatch); also inside other
	// projects (primus_turbo::deep_ep), hybrid_ep in csrc/hybrid_ep.
	{library: "DeepEP", name: regexp.MustCompile(`(?:^|::)(?:deep_ep|dpsk::ep|hybrid_ep)::(?:\w+::)*` +
		`\w*(?:dispatch|combine|notify|barrier|device_sync|clean_low_latency_buffer)\w*$`), not: local},
	// ROCm/mori, src/ops/dispatch_combine: EpDispatchIntraNodeKernel, EpCombineInterNodeKernel_bf16.
	{library: "MORI", name: regexp.MustCompile(`^(?:mori::(?:\w+::)*)?Ep(?:Dispatch|Combine)\w*Kernel\w*$`)},

	// pytorch, torch/csrc/distributed/c10d/symm_mem/CUDASymmetricMemoryOps.cu, all in an unnamed
	// namespace; CUDASymmetricMemory.cu (barrier_kernel and signals); nvshmem_extension.cu.
	{library: "PyTorch symmetric memory", name: oneOf(
		`(?:^|::)_?multimem_(?:one_shot_)?(?:all_reduce|reduce|all_gather|reduce_scatter|all_to_all|broadcast)\w*$`,
		`^(?:one|two)_shot_all_reduce_kernel(?:_inplace)?$`,
		`^c10d::symmetric_memory::(?:barrier|put_signal|wait_signal)_kernel$`)},
	{library: "NVSHMEM", name: regexp.MustCompile(`^c10d::nvshmem_extension::\w+$`), not: local},
	// NVIDIA/nvshmem: src/host/stream/coll (barrier_on_stream_kernel_threadgroup,
	// alltoall_on_stream_kernel, rdxn_…, fcollect_…), src/host/stream/comm/quiet_on_stream.cu
	// (nvshmemi_proxy_quiet_entrypoint); ROCm/rocSHMEM.
	{library: "NVSHMEM", name: oneOf(`^nvshmem`,
		`^(?:barrier|sync|alltoall|broadcast|f?collect|rdxn|reduce|reducescatter)(?:_\w+)?_on_stream_kernel(?:_\w+)?$`)},
	{library: "rocSHMEM", name: regexp.MustCompile(`^(?:rocshmem|roc_shmem)`)},

	// flashinfer-ai/flashinfer, include/flashinfer/comm: trtllm_allreduce_fusion.cuh,
	// trtllm_moe_allreduce_fusion.cuh, trtllm_mnnvl_allreduce.cuh (rmsNormLamport gathers what
	// the two-shot kernel reduced), trtllm_allreduce.cuh.
	{library: "FlashInfer", name: oneOf(`^flashinfer::(?:\w+::)*\w*(?i:all_?reduce|all_?to_?all)\w*$`,
		`^flashinfer::trtllm_mnnvl_allreduce::(?i:rmsnorm)\w*$`), not: local},
	// ROCm/aiter, csrc/include/custom_all_reduce.cuh: cross_device_reduce_2stage,
	// reduce_scatter_cross_device_store, allgather_vec, allgather_lastdim, allreduce_fusion_kernel_1stage.
	// Its second step, local_device_load_rmsnorm, reads what lies on the device itself: compute.
	{library: "aiter", name: regexp.MustCompile(`^aiter::(?:cross_device_\w+|reduce_scatter\w*|allgather_\w+|allreduce_\w+)$`)},
	// Without a namespace: aiter's reduce_scatter_cross_device_store, as tools print it.
	{library: "aiter", name: regexp.MustCompile(`^reduce_scatter_cross_device_store$`)},
	// vllm-project/vllm, csrc/custom_all_reduce.cuh; sgl-project/sglang, sgl-kernel/csrc/allreduce.
	{library: "vLLM custom all-reduce", name: oneOf(`^vllm::cross_device_\w+$`, `^cross_device_(?:reduce|all_gather)\w*$`)},
	{library: "SGLang custom all-reduce", name: oneOf(`^(?:sglang|sgl_kernel)::(?:\w+::)*cross_device_\w+$`,
		`^all_reduce_(?:one|two)_shot\w*_kernel$`)},
	// vllm-project/vllm, csrc/quickreduce; sglang and aiter have the same: quickreduce::allreduce_prototype_twoshot.
	{library: "QuickReduce", name: regexp.MustCompile(`^(?:\w+::)*allreduce_prototype_(?:one|two)shot$`)},
	// NVIDIA/TensorRT-LLM, cpp/tensorrt_llm/kernels: customAllReduceKernels.cu (oneShotAllReduceKernel,
	// lamport_style_one_shot_all_reduce_norm_kernel), communicationKernels (lowPrecisionTwoShotAllReduceKernel,
	// allreduce_fusion_kernel_oneshot_lamport, moefinalize_…, moeAlltoAllKernels.cu: moeA2ADispatchKernel).
	{library: "TensorRT-LLM", name: oneOf(`^(?:\w+::)*\w*(?i:oneshot|twoshot)(?i:all_?reduce)\w*(?i:kernel)\w*$`,
		`^(?:\w+::)*(?:lamport_style_)?(?:one|two)_shot_all_reduce_norm_kernel$`,
		`^(?:\w+::)*(?:(?:moe\w+_)?allreduce_fusion_kernel_\w+|moeA2A(?:Dispatch|Combine)Kernel)$`)},
	// NVIDIA/TransformerEngine, transformer_engine/common/comm_gemm_overlap/userbuffers/userbuffers.cu:
	// userbuffers_fp16_sum_inplace_gpu_rr_rs_oop, kuserbuffers_pushrecv; TensorRT-LLM, kernels/userbuffers.
	{library: "userbuffers", name: regexp.MustCompile(`^(?:\w+::)*k?userbuffers_\w+$`)},

	// Kernels that users write with symmetric memory, as in meta-pytorch/kraken and helion:
	// _gemm_one_shot_all_reduce_kernel, two_shot_all_reduce_bias_rms_norm_kernel.
	{library: OwnLibrary,
		name: regexp.MustCompile(`^(?:\w+::)*_?(?:helion_)?(?:[a-z]+_)*(?:one|two)_shot_all_reduce(?:_\w+)?$`)},
}

// commWords are words, one of which occurs, in any case, in every name that a rule matches: a job can have a million
// compute kernels with different names, and asking every rule takes a hundred times as long.
var commWords = newWordSet("ccl", "allreduce", "onerankreduce", "deep_ep", "dpsk", "hybrid_ep", "dispatch",
	"combine", "multimem", "shot", "symmetric_memory", "shmem", "on_stream", "flashinfer", "aiter",
	"cross_device", "userbuffers")

// local are the functions of such libraries that work on one rank alone: DeepEP's
// layout::get_dispatch_layout, sorting and permuting.
var local = regexp.MustCompile(`(?i)layout|permute|sanitize|preprocess|convert|quantize_|expand_`)

// What a fused kernel's name says that it does besides. A name of PatternZero has the
// all-reduce alone.
var (
	fusedWords  = regexp.MustCompile(`(?i)fusion|fused|norm|gemm|matmul|_bias`)
	patternZero = regexp.MustCompile(`AllReduceFusionPattern(?:\)|E)0`)
)

// collectiveNames are the words for collectives in kernels' functions, in order: the first that is found counts.
var collectiveNames = []struct {
	name string
	of   *regexp.Regexp
}{
	{"Notify", regexp.MustCompile(`(?i)notify|exchangeSplit`)}, // of how much is sent, in front of a dispatch
	{"Dispatch", regexp.MustCompile(`(?i)dispatch`)},
	{"Combine", regexp.MustCompile(`(?i)combine`)},
	{"ReduceScatter", regexp.MustCompile(`(?i)reduce_?scatter|userbuffers_\w*_rs(?:_|$)`)},
	{"AllGather", regexp.MustCompile(`(?i)all_?gather|fcollect|^collect|userbuffers_\w*_ag(?:_|$)`)},
	{"AllToAll", regexp.MustCompile(`(?i)all_?to_?all`)},
	{"AllReduce", regexp.MustCompile(`(?i)all_?reduce|cross_device_reduce|rdxn|userbuffers_fp16_sum|rmsnorm`)},
	{"Broadcast", regexp.MustCompile(`(?i)broadcast`)},
	{"SendRecv", regexp.MustCompile(`(?i)send|recv|put_signal|wait_signal|_put|_get|rma`)},
	{"Barrier", regexp.MustCompile(`(?i)barrier|sync|quiet|clean_low_latency_buffer|kuserbuffers_inc`)},
	{"Reduce", regexp.MustCompile(`(?i)reduce`)},
}
