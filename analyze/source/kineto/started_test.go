package kineto

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"

	"perfdiff/analyze/trace"
)

// startedEvents are an all-to-all and an all-gather as PyTorch 2.0 records them: an operator, the
// range within it, the launch within that, and the kernel.
const startedEvents = `[
{"ph":"X","cat":"cpu_op","name":"c10d::alltoall_base_","pid":9,"tid":9,"ts":100,"dur":50,"args":{"Input Dims": [[2, 3], [10], [], []], "Input type": ["int", "int", "", "Scalar"]}},
{"ph":"X","cat":"user_annotation","name":"nccl:all_to_all","pid":9,"tid":9,"ts":110,"dur":30,"args":{"Input Dims": [[10]], "Input type": ["int"]}},
{"ph":"X","cat":"cuda_runtime","name":"cudaLaunchKernel","pid":9,"tid":9,"ts":120,"dur":5,"args":{"correlation": 1}},
{"ph":"X","cat":"kernel","name":"ncclKernel_SendRecv_RING_SIMPLE_Sum_int8_t(ncclDevComm*)","pid":0,"tid":84,"ts":300,"dur":9,"args":{"device": 0, "stream": 84, "correlation": 1}},
{"ph":"X","cat":"cpu_op","name":"c10d::_allgather_base_","pid":9,"tid":9,"ts":200,"dur":50,"args":{"Input Dims": [[8, 4], [4], []], "Input type": ["c10::BFloat16", "c10::BFloat16", ""]}},
{"ph":"X","cat":"cpu_op","name":"nccl:_all_gather_base","pid":9,"tid":9,"ts":210,"dur":30,"args":{"Input Dims": [[4]], "Input type": ["c10::BFloat16"]}},
{"ph":"X","cat":"cuda_runtime","name":"cudaLaunchKernel","pid":9,"tid":9,"ts":220,"dur":5,"args":{"correlation": 2}},
{"ph":"X","cat":"kernel","name":"ncclKernel_AllGather_RING_LL_Sum_int8_t(ncclDevComm*)","pid":0,"tid":84,"ts":400,"dur":9,"args":{"device": 0, "stream": 84, "correlation": 2}}
]`

// messagesIn are the messages of the communication kernels of a trace, in order.
func messagesIn(x *trace.Trace) (got []string) {
	for i := range x.Device {
		if s := &x.Device[i]; s.Class == trace.Comm {
			m := x.Messages.Of(s)
			got = append(got, fmt.Sprintf("%s %d %d %s", x.Names.Text(m.Coll), m.Bytes, m.Received, x.Names.Text(m.Type)))
		}
	}
	return got
}

// TestStarted: kernels that say nothing of their message have it from the host that launched
// them, and have none where it speaks of another collective, of several kernels, or of no size.
func TestStarted(t *testing.T) {
	gathered := "AllGather 64 0 BFloat16"
	for _, tt := range []struct {
		name, old, new string
		want           []string
	}{
		{"as recorded", "", "", []string{"AllToAll 40 24 Int", gathered}},
		{"no operator", "c10d::alltoall_base_", "my_op", []string{"AllToAll 40 0 Int", gathered}},
		{"no range", "nccl:all_to_all", "my range", []string{"AllToAll 40 24 Int", gathered}},
		{"another thread", `"pid":9,"tid":9,"ts":120`, `"pid":9,"tid":8,"ts":120`, []string{"SendRecv 0 0 ", gathered}},
		{"another process", `"pid":9,"tid":9,"ts":120`, `"pid":8,"tid":9,"ts":120`, []string{"SendRecv 0 0 "}},
		{"launched behind", `"ts":120,"dur":5`, `"ts":150,"dur":5`, []string{"SendRecv 0 0 ", gathered}},
		{"sizes differ", `[[10]]`, `[[11]]`, []string{"AllToAll 0 0 ", gathered}},
		{"types differ", `["int"]`, `["float"]`, []string{"AllToAll 0 0 ", gathered}},
		{"type not known", `["int"]`, `["int3"]`, []string{"AllToAll 40 24 Int", gathered}},
		{"a list of tensors", `[[2, 3], [10], [], []]`, `[[[2, 3]], [[10]], [], []]`, []string{"AllToAll 40 0 Int", gathered}},
		{"what comes out is not known", `[[8, 4], [4], []]`, `[[], [4], []]`, []string{"AllToAll 40 24 Int", "AllGather 0 0 "}},
		{"too large to be", `[[10]]`, `[[1000000000, 1000000000]]`, []string{"AllToAll 40 24 Int", gathered}},
		{"no sizes", `"Input Dims"`, `"No Dims"`, []string{"AllToAll 0 0 ", "AllGather 0 0 "}},
		{"other collectives", "nccl:all_to_all", "nccl:all_reduce", []string{"SendRecv 0 0 ", gathered}},
		{"collectives differ", "c10d::alltoall_base_", "c10d::allreduce_", []string{"SendRecv 0 0 ", gathered}},
		{"the kernel says another", "ncclKernel_SendRecv", "ncclKernel_AllReduce", []string{"AllReduce 0 0 ", gathered}},
		{"the name does not say", "ncclKernel_SendRecv", "ncclDevKernel_Generic", []string{"AllToAll 40 24 Int", gathered}},
		{"the kernel knows", `"correlation": 2}}` + "\n]",
			`"correlation": 2, "Collective name": "_allgather_base", "In msg nelems": 5, "Out msg nelems": 50, "dtype": "Byte"}}` + "\n]",
			[]string{"AllToAll 40 24 Int", "AllGather 50 0 Byte"}},
		{"the kernel knows the type", `"correlation": 2}}` + "\n]", `"correlation": 2, "dtype": "Byte"}}` + "\n]",
			[]string{"AllToAll 40 24 Int", "AllGather 0 0 Byte"}},
		{"two kernels in one", `"ts":220,"dur":5`, `"ts":125,"dur":5`, []string{"AllToAll 0 0 ", "AllGather 0 0 "}},
		{"a cut list", `[[10]], "Input type": ["int"]`, `[[10], [10]], "Input type": ["int"]`, []string{"AllToAll 40 24 Int", gathered}},
	} {
		text := startedEvents
		if tt.old != "" {
			if text = strings.ReplaceAll(text, tt.old, tt.new); text == startedEvents {
				t.Fatalf("%s: nothing was changed", tt.name)
			}
		}
		if got := messagesIn(mustRead(t, text)[0]); !slices.Equal(got, tt.want) {
			t.Errorf("%s: got %q, want %q", tt.name, got, tt.want)
		}
	}
}

// TestStartedOfRealRanks: what the ranks put into each all-to-all is what comes out of it.
func TestStartedOfRealRanks(t *testing.T) {
	var sent, received, all [5]int64
	for _, path := range realFiles(t, "dlrm-8ranks/*") {
		ts, err := Read(context.Background(), path, nil)
		if err != nil {
			t.Fatal(err)
		}
		n := 0
		for i := range ts[0].Device {
			s := &ts[0].Device[i]
			if m := ts[0].Messages.Of(s); ts[0].Names.Text(m.Coll) == "AllToAll" && n < len(sent) {
				sent[n], received[n], all[n] = sent[n]+m.Bytes, received[n]+m.Received, all[n]+1
				n++
			}
		}
	}
	// 6,144 floats, 24 long, 384 int, 3,392 int and 6,144 floats of each of 8 ranks
	if want := [5]int64{8 * 24576, 8 * 192, 8 * 1536, 8 * 13568, 8 * 24576}; sent != want || received != want {
		t.Errorf("got %d bytes sent and %d received in %d kernels, want %d of both", sent, received, all, want)
	}
}
