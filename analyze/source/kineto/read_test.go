package kineto

import (
	"context"
	"fmt"
	"math"
	"path/filepath"
	"strings"
	"testing"

	"perfdiff/analyze/trace"
)

// readText reads a trace given as text.
func readText(text string) ([]*trace.Trace, error) {
	return read(trace.NewInput(context.Background(), "t.json", strings.NewReader(text), int64(len(text)), nil))
}

func mustRead(t *testing.T, text string) []*trace.Trace {
	t.Helper()
	ts, err := readText(text)
	if err != nil {
		t.Fatal(err)
	}
	return ts
}

// describe writes a trace in a line per thing.
func describe(ts []*trace.Trace) string {
	var b strings.Builder
	for _, t := range ts {
		fmt.Fprintf(&b, "pid %d device %d rank %d/%d epoch %d capture %d-%d\n", t.Identity.Process, t.Identity.Device,
			t.Identity.Rank, t.Identity.WorldSize, t.Epoch, t.Capture.Start, t.Capture.End)
		for _, s := range t.Device {
			m := t.Messages.Of(&s)
			fmt.Fprintf(&b, "  %d-%d launch %d kind %d class %d %q %s stream %d copy %s bytes %d\n", s.Start, s.End, s.Launch,
				s.Kind, s.Class, t.Names.Text(s.Name), t.Names.Text(m.Coll), s.Stream, s.Copy, s.Bytes()+m.Bytes)
		}
		for _, r := range t.Ranges {
			fmt.Fprintf(&b, "  range %d-%d %q thread %d\n", r.Start, r.End, t.Names.Text(r.Name), r.Thread)
		}
		for _, a := range t.API {
			fmt.Fprintf(&b, "  call %d-%d %q thread %d\n", a.Start, a.End(), t.Names.Text(t.Names.Caller(a).Name), t.Names.Caller(a).Thread)
		}
		for _, a := range t.Gloo {
			fmt.Fprintf(&b, "  gloo %d-%d %q thread %d\n", a.Start, a.End(), t.Names.Text(t.Names.Caller(a).Name), t.Names.Caller(a).Thread)
		}
		for _, s := range t.Syncs {
			fmt.Fprintf(&b, "  sync %d-%d stream %d type %d\n", s.Start, s.End, s.Stream, s.Type)
		}
	}
	return strings.ReplaceAll(b.String(), fmt.Sprint(trace.NoTime), "none")
}

var dialects = []struct{ name, text, want string }{
	{"2021", `{"schemaVersion":1,"traceEvents":[
{"ph":"X","cat":"Operator","name":"aten::add","pid":9,"tid":"9","ts":1000,"dur":5},
{"ph":"X","cat":"Operator","name":"ProfilerStep#5","pid":9,"tid":"9","ts":1000,"dur":50},
{"ph":"X","cat":"Runtime","name":"cudaMemcpyAsync","pid":9,"tid":"9","ts":1001,"dur":2,"args":{"correlation":4,"external id":1}},
{"ph":"X","cat":"Memcpy","name":"Memcpy HtoD (Pageable -> Device)","pid":0,"tid":"stream 7","ts":1003,"dur":2,"args":{"device":0,"correlation":4,"bytes":64}},
{"ph":"X","cat":"Memset","name":"Memset (Device)","pid":0,"tid":"stream 7","ts":1006,"dur":1,"args":{"device":0,"stream":7,"correlation":5,"bytes":8}},
{"ph":"s","id":4,"pid":9,"tid":"9","ts":1001,"cat":"async","name":"launch"},
{"ph":"X","cat":"Trace","ts":990,"dur":100,"pid":"Traces","tid":"PyTorch Profiler","name":"PyTorch Profiler (0)"}]}`,
		`pid 9 device 0 rank -1/0 epoch none capture 990000-1090000
  1003000-1005000 launch 1001000 kind 2 class 3 "Memcpy HtoD (Pageable -> Device)"  stream 7 copy h2d bytes 64
  1006000-1007000 launch none kind 3 class 3 "Memset (Device)"  stream 7 copy other bytes 8
  range 1000000-1050000 "ProfilerStep#5" thread 9
  call 1001000-1003000 "cudaMemcpyAsync" thread 9
`},
	{"2024, base and rank after the events", `{"traceEvents":[
{"ph":"X","cat":"user_annotation","name":"ProfilerStep#1","pid":9,"tid":9,"ts":10.001,"dur":50},
{"ph":"X","cat":"cpu_op","name":"ProfilerStep#1","pid":9,"tid":9,"ts":10.001,"dur":50},
{"ph":"X","cat":"gpu_user_annotation","name":"ProfilerStep#1","pid":1,"tid":7,"ts":10.001,"dur":50},
{"ph":"X","cat":"cuda_driver","name":"cuLaunchKernelEx","pid":9,"tid":10,"ts":11.5,"dur":1.25,"args":{"correlation":77}},
{"ph":"X","cat":"kernel","name":"ncclDevKernel_Generic(x)","pid":1,"tid":20,"ts":13.0004,"dur":2.0009,"args":{"device":1,"stream":20,"correlation":77,"Collective name":"_allgather_base","In msg nelems":4,"Out msg nelems":32,"dtype":"c10::BFloat16"}},
{"ph":"X","cat":"kernel","name":"ncclDevKernel_SendRecv(x)","pid":1,"tid":20,"ts":16,"dur":1,"args":{"device":1,"stream":20,"correlation":78,"Collective name":"all_to_allv","In msg nelems":4,"Out msg nelems":32,"dtype":"Float8_e4m3fn"}},
{"ph":"X","cat":"cuda_sync","name":"Stream Wait Event","pid":1,"tid":20,"ts":15,"dur":1,"args":{"stream":20,"device":1}}],
"distributedInfo":{"backend":"nccl","pg_config":[{"rank":1}],"rank":5,"world_size":8},"baseTimeNanoseconds":1735632360000000000}`,
		`pid 9 device 1 rank 5/8 epoch 1735632360000000000 capture 10001-60001
  13000-15000 launch 11500 kind 1 class 2 "ncclDevKernel_Generic(x)" AllGather stream 20 copy other bytes 64
  16000-17000 launch none kind 1 class 2 "ncclDevKernel_SendRecv(x)" AllToAll stream 20 copy other bytes 4
  range 10001-60001 "ProfilerStep#1" thread 9
  call 11500-12750 "cuLaunchKernelEx" thread 10
  sync 15000-16000 stream 20 type 2
`},
	{"bare array without end, ROCm, strings for numbers", `[
{"cat":"cuda_runtime","args":{"correlation":"117"},"name":"hipMemcpyWithStream","pid":"5","tid":"thread 6","ts":"1712195495505582.988","dur":"1e1","ph":"X"},
{"cat":"gpu_memcpy","args":{"stream":0,"device":2,"correlation":117,"kind":"DtoH"},"name":"CopyDeviceToHost","pid":2,"tid":0,"ts":1712195495505600.000,"dur":3,"ph":"X"},`,
		`pid 5 device 2 rank -1/0 epoch 0 capture 1712195495505582988-1712195495505603000
  1712195495505600000-1712195495505603000 launch 1712195495505582988 kind 2 class 3 "CopyDeviceToHost"  stream 0 copy d2h bytes 0
  call 1712195495505582988-1712195495505592988 "hipMemcpyWithStream" thread 6
`},
	{"two processes, same correlation", `[
{"ph":"X","cat":"cuda_runtime","name":"l","pid":1,"tid":1,"ts":1,"dur":1,"args":{"correlation":3}},
{"ph":"X","cat":"cuda_runtime","name":"l","pid":2,"tid":2,"ts":10,"dur":1,"args":{"correlation":3}},
{"ph":"X","cat":"kernel","name":"k","pid":0,"tid":7,"ts":2,"dur":1,"args":{"device":0,"stream":7,"correlation":3}},
{"ph":"X","cat":"kernel","name":"k","pid":1,"tid":7,"ts":12,"dur":1,"args":{"device":1,"stream":7,"correlation":3}},
{"ph":"X","cat":"kernel","name":"k","pid":1,"tid":7,"ts":0.5,"dur":0,"args":{"device":1,"stream":7,"correlation":9}}]`,
		`pid 1 device 0 rank -1/0 epoch none capture 500-13000
  2000-3000 launch 1000 kind 1 class 1 "k"  stream 7 copy other bytes 0
  call 1000-2000 "l" thread 1
pid 2 device 1 rank -1/0 epoch none capture 500-13000
  500-500 launch none kind 1 class 1 "k"  stream 7 copy other bytes 0
  12000-13000 launch 10000 kind 1 class 1 "k"  stream 7 copy other bytes 0
  call 10000-11000 "l" thread 2
`},
	{"without Kineto", `[{"name": "ProfilerStep#2", "ph": "X", "ts": 123, "dur": 500, "tid": 1, "pid": "CPU functions", "args": {}}, ` +
		`{"name": "enumerate(DataLoader)#_SingleProcessDataLoaderIter.__next__", "ph": "X", "ts": 124, "dur": 60, "tid": 1, "pid": "CPU functions", "args": {}}, ` +
		`{"name": "forward", "ph": "X", "ts": 190, "dur": 90, "tid": 1, "pid": "CPU functions", "args": {}}, ` +
		`{"name": "aten::mm", "ph": "X", "ts": 200.25, "dur": 40, "tid": 1, "pid": "CPU functions", "args": {}}, ` +
		`{"name": "aten::mm", "ph": "s", "ts": 200, "tid": 1, "pid": "CPU functions", "id": 0, "cat": "cpu_to_cuda", "args": {}}, ` +
		`{"name": "gloo:all_reduce", "ph": "X", "ts": 300, "dur": 100, "tid": 3, "pid": "CPU functions", "args": {}}, ` +
		`{"name": "aten::add_", "ph": "X", "ts": 600, "dur": 48, "tid": " node_id:1, thread_id:4 ", "pid": "CPU functions", "args": {}}]`,
		`pid 0 device -1 rank -1/0 epoch none capture 123000-648000
  range 123000-623000 "ProfilerStep#2" thread 1
  range 124000-184000 "enumerate(DataLoader)#_SingleProcessDataLoaderIter.__next__" thread 1
  range 190000-280000 "forward" thread 1
  range 300000-400000 "gloo:all_reduce" thread 3
  gloo 300000-400000 "gloo:all_reduce" thread 3
`},
	{"tolerated: NaN, trailing commas, control characters, bad escapes, byte order mark", "\xef\xbb\xbf{\"x\":NaN,\"traceEvents\":[\n" +
		"{\"ph\":\"X\",\"cat\":\"user_annotation\",\"name\":\"a\tb\\q\",\"pid\":1,\"tid\":1,\"ts\":1,\"dur\":1,\"args\":{\"v\":-Infinity,\"w\":NaN,},},\n" +
		"{\"ph\":\"X\",\"cat\":\"user_annotation\",\"name\":\"f, op_id = 12\",\"pid\":1,\"tid\":1,\"ts\":1,\"dur\":NaN},]}",
		`pid 1 device -1 rank -1/0 epoch none capture 1000-2000
  range 1000-2000 "a\tb\\q" thread 1
  range 1000-1000 "f" thread 1
`},
}

func TestDialects(t *testing.T) {
	for _, d := range dialects {
		t.Run(d.name, func(t *testing.T) {
			if got := describe(mustRead(t, d.text)); got != d.want {
				t.Errorf("got\n%swant\n%s", got, d.want)
			}
		})
	}
}

var knownFiles = []struct {
	path                     string
	rank, device             int
	kernels, copies, sets    int
	collectives              string
	ranges                   string // prefix=count
	recorded                 trace.Recorded
	first                    int64 // start of the first device span
	gpu                      string
	launchedAll, hasWarnings bool
}{
	{path: "resnet50-workers-0/worker0.1623143089861.pt.trace.json.gz", rank: -1, device: 0, kernels: 8772, copies: 12, sets: 312,
		ranges: "ProfilerStep#=6 enumerate(DataLoader)#=6 Optimizer.step#=6 Optimizer.zero_grad#=6", gpu: "Tesla V100-DGXS-32GB", launchedAll: true},
	{path: "dlrm-8ranks/worker7_step_12.1694128201553.pt.trace.json.gz", rank: 7, device: 7, kernels: 246, copies: 16,
		collectives: "AllReduce=3 AllToAll=5", ranges: "ProfilerStep#=1", gpu: "Tesla V100-SXM2-32GB", launchedAll: true},
	{path: "dialects/ns-resolution.json.gz", rank: 0, device: 0, kernels: 4350, copies: 1600, sets: 145,
		ranges: "ProfilerStep#=5 Optimizer.step#=5", gpu: "Tesla V100-SXM2-32GB", launchedAll: true},
	{path: "dialects/nccl-args.json.gz", rank: 0, device: 0, kernels: 2700, copies: 960, sets: 114,
		collectives: "AllReduce=15 Broadcast=6", ranges: "ProfilerStep#=3", gpu: "NVIDIA A100-PG509-200", launchedAll: true},
	{path: "dialects/amd-mi250.json.gz", rank: -1, device: 2, kernels: 14, copies: 2,
		ranges: "ProfilerStep#=2", gpu: "AMD Radeon Graphics", launchedAll: true},
	{path: "dialects/cpu-only-rank34.json.gz", rank: 34, device: -1, ranges: "gloo:=10", hasWarnings: true, launchedAll: true},
	{path: "dialects/rank-unavailable.json.gz", rank: -1, device: -1, ranges: "ProfilerStep#1009=1", hasWarnings: true, launchedAll: true},
	{path: "two-of-128-ranks/sampled_rank-1.json.gz", rank: 1, device: 1, kernels: 1104, copies: 40, sets: 10,
		collectives: "AllToAll=4 SendRecv=6", ranges: "ProfilerStep#=2", launchedAll: true},
}

func TestKnownAnswers(t *testing.T) {
	for _, k := range knownFiles {
		t.Run(filepath.Base(k.path), func(t *testing.T) {
			ts, err := Read(context.Background(), realFiles(t, k.path)[0], nil)
			if err != nil || len(ts) != 1 {
				t.Fatalf("got %d traces and error %v, want 1", len(ts), err)
			}
			x := ts[0]
			if x.Identity.Rank != k.rank || x.Identity.Device != k.device {
				t.Errorf("got rank %d device %d, want %d and %d", x.Identity.Rank, x.Identity.Device, k.rank, k.device)
			}
			count := map[trace.Kind]int{}
			coll := map[string]int{}
			for _, s := range x.Device {
				count[s.Kind]++
				coll[x.Names.Text(x.Messages.Coll(&s))]++
				if k.launchedAll && s.Launch == trace.NoTime {
					t.Fatalf("%q at %d has no launch", x.Names.Text(s.Name), s.Start)
				}
			}
			if count[trace.Kernel] != k.kernels || count[trace.Memcpy] != k.copies || count[trace.Memset] != k.sets {
				t.Errorf("got %v, want %d kernels, %d copies, %d sets", count, k.kernels, k.copies, k.sets)
			}
			expectCounts(t, k.collectives, func(name string) int { return coll[name] })
			expectCounts(t, k.ranges, func(prefix string) int {
				n := 0
				for _, r := range x.Ranges {
					if strings.HasPrefix(x.Names.Text(r.Name), prefix) {
						n++
					}
				}
				return n
			})
			if got := fact(x, trace.FactGPU); got != k.gpu {
				t.Errorf("got GPU %q, want %q", got, k.gpu)
			}
			if (len(x.Warnings) > 0) != k.hasWarnings {
				t.Errorf("got warnings %v", x.Warnings)
			}
		})
	}
}

func expectCounts(t *testing.T, list string, count func(string) int) {
	t.Helper()
	for _, item := range strings.Fields(list) {
		i := strings.LastIndexByte(item, '=')
		if got := fmt.Sprint(count(item[:i])); got != item[i+1:] {
			t.Errorf("%s: got %s, want %s", item[:i], got, item[i+1:])
		}
	}
}

func fact(t *trace.Trace, key string) string {
	for _, f := range t.Facts {
		if f.Key == key {
			return f.Value
		}
	}
	return ""
}

// TestResnetTimes checks sums against the known story: 98.6 ms of kernels and
// 69.3 ms of DataLoader a step.
func TestResnetTimes(t *testing.T) {
	ts, err := Read(context.Background(), realFiles(t, "resnet50-workers-0/worker0.1623143089861*")[0], nil)
	if err != nil {
		t.Fatal(err)
	}
	var kernels, input int64
	for _, s := range ts[0].Device {
		if s.Kind == trace.Kernel {
			kernels += s.End - s.Start
		}
	}
	for _, r := range ts[0].Ranges {
		if strings.Contains(ts[0].Names.Text(r.Name), "DataLoader") {
			input += r.End - r.Start
		}
	}
	for _, x := range []struct {
		what      string
		got, want float64
	}{{"kernels", float64(kernels) / 6e6, 98.6}, {"DataLoader", float64(input) / 6e6, 69.3}} {
		if math.Abs(x.got/x.want-1) > .01 {
			t.Errorf("%s: got %.2f ms a step, want %.2f", x.what, x.got, x.want)
		}
	}
}
