package kernelname

import "testing"

func TestCollective(t *testing.T) {
	tests := []struct {
		kernel string
		want   string
		comm   bool
	}{
		{"ncclAllReduceRingLLKernel_sum_f32(ncclColl)", "AllReduce", true},
		{"ncclKernel_AllReduce_RING_LL_Sum_float(ncclWorkElem)", "AllReduce", true},
		{"ncclKernel_SendRecv_RING_SIMPLE_Sum_int8_t(ncclDevComm*, unsigned long, ncclWork*)", "SendRecv", true},
		{"ncclDevKernel_AllGather_RING_LL(ncclDevKernelArgsStorage<4096ul>)", "AllGather", true},
		{"ncclDevKernel_ReduceScatter_Sum_bf16_RING_LL(ncclDevKernelArgsStorage<4096ul>)", "ReduceScatter", true},
		{"ncclDevKernel_Generic_4(ncclDevKernelArgsStorage<4096ul>)", "Generic", true},
		{"ncclSymkDevKernel_AllGather_LL", "AllGather", true},
		{"ncclDevKernel_Broadcast_RING_LL", "Broadcast", true},
		{"void vllm::cross_device_reduce_1stage<__half, 8>(vllm::RankData*)", "AllReduce", true},
		{"void deep_ep::intranode::dispatch<8, 768>(int4*)", "Dispatch", true},
		{"mscclKernel_Sum_half_Simple_false", "Generic", true},
		{"void at::native::reduce_kernel<512, 1, at::native::ReduceOp<float>>(float)", "", false},
		{"void hipLaunchSomething(int)", "", false},
		{"my_nccl_free_kernel(int)", "", false},
		{"", "", false},
	}
	for _, tt := range tests {
		if got, comm := Collective(tt.kernel); got != tt.want || comm != tt.comm {
			t.Errorf("Collective(%q): got %q, %v, want %q, %v", tt.kernel, got, comm, tt.want, tt.comm)
		}
	}
	for spelled, want := range map[string]string{
		"all_reduce": "AllReduce", "allreduce": "AllReduce", "_reduce_scatter_base": "ReduceScatter",
		"all_to_allv": "AllToAll", "_allgather_base": "AllGather", "broadcast": "Broadcast", "reduce": "Reduce", "wait": "Generic",
	} {
		if got := CollectiveName(spelled); got != want {
			t.Errorf("CollectiveName(%q): got %q, want %q", spelled, got, want)
		}
	}
}

func TestCanonicalRange(t *testing.T) {
	if got, want := CanonicalRange("aten::mm, op_id = 123"), "aten::mm"; got != want {
		t.Errorf("CanonicalRange: got %q, want %q", got, want)
	}
}
