package xla

import (
	"bytes"
	"compress/gzip"
	"context"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"perfdiff/analyze/source/wire"
	"perfdiff/analyze/trace"
)

// proto writes messages of a protocol buffer.
type proto []byte

func (p proto) number(field int, n int64) proto {
	return binary.AppendUvarint(binary.AppendUvarint(p, uint64(field)<<3), uint64(n))
}

func (p proto) text(field int, s string) proto {
	return append(binary.AppendUvarint(binary.AppendUvarint(p, uint64(field)<<3|wire.Bytes), uint64(len(s))), s...)
}

func (p proto) message(field int, x proto) proto { return p.text(field, string(x)) }

// stat is a stat with a number, or a text where it has one.
func stat(id, number int64, text string) proto {
	p := proto(nil).number(1, id)
	if text != "" {
		return p.text(5, text)
	}
	return p.number(4, number)
}

// happened is an event by the number of its name, in ns behind the start of its line.
func happened(name, start, dur int64, stats ...proto) proto {
	p := proto(nil).number(1, name).number(2, start*1000).number(3, dur*1000)
	for _, s := range stats {
		p = p.message(4, s)
	}
	return p
}

// aLine is a line that begins at 100 ns.
func aLine(id int64, name string, events ...proto) proto {
	p := proto(nil).number(1, id).text(2, name).number(3, 100)
	for _, e := range events {
		p = p.message(4, e)
	}
	return p
}

// aPlane is a plane whose events and stats have these names, by number from 1.
func aPlane(name string, events, stats []string, lines ...proto) proto {
	p := proto(nil).number(1, 5).text(2, name)
	for _, l := range lines {
		p = p.message(3, l)
	}
	for field, names := range map[int][]string{4: events, 5: stats} {
		for i, n := range names {
			p = p.message(field, proto(nil).number(1, int64(i)+1).message(2, proto(nil).number(1, int64(i)+1).text(2, n)))
		}
	}
	return p
}

func space(planes ...proto) proto {
	var p proto
	for _, x := range planes {
		p = p.message(1, x)
	}
	return p.text(4, "node7")
}

var (
	hostNames = []string{"train", "cuLaunchKernel", "$loop.py:3 step", "data", "cuGraphLaunch (CudaGraph:12)", "train_step"}
	hostStats = []string{"step_num", "correlation_id", "device_id"}
	workNames = []string{"gemm", "MemcpyH2D", "ncclDevKernel_AllReduce_Sum_f32_RING_LL(ncclDevKernelArgsStorage<4096ul>)", "MemoryAlloc", "CudaGraph", "Memset", "fusion.1"}
	workStats = []string{"correlation_id", "kernel_details", "memcpy_details", "memalloc_details", "cuda_graph_exec_id", "Memset_details", "gpu_device_name", "memory_size"}
)

const details = "regs:48 static_shared:100 dynamic_shared:28 grid:4,2,1 block:256,1,1 occ_pct:37.5"

func aHost() proto {
	return aPlane("/host:CPU", hostNames, hostStats, aLine(4712, "python",
		happened(1, 0, 5000, stat(1, 4, "")), happened(3, 5, 10), happened(4, 20, 30),
		happened(2, 900, 100, stat(2, 11, ""), stat(3, 1, "")), happened(5, 1200, 100, stat(2, 12, "")),
		happened(6, 6000, 100, stat(1, 7, ""))))
}

func aDevice(ordinal int) proto {
	p := aPlane(fmt.Sprintf("/device:GPU:%d", ordinal), workNames, workStats,
		aLine(13, "Stream #13(MemcpyH2D,Compute)", happened(1, 1900, 500, stat(1, 11, ""), stat(2, 0, details)),
			happened(2, 2500, 100, stat(1, 99, ""), stat(3, 0, "kind_src:pinned kind_dst:device size:4096 dest:1 async:1")),
			happened(4, 2600, 1, stat(4, 0, "kind:device num_bytes:77")), happened(6, 2700, 10, stat(6, 0, "kind:device num_bytes:64 async:1"))),
		aLine(14, "Stream #14(Compute)", happened(3, 3000, 100), happened(5, 3200, 100, stat(1, 12, ""), stat(5, 3, ""))),
		aLine(1<<20, "XLA Ops", happened(7, 1900, 500)), aLine(1<<20+1, "Steps", happened(7, 1900, 5000)))
	return p.message(6, stat(7, 0, "NVIDIA H100")).message(6, stat(8, 80<<30, ""))
}

func aTask(began int64) proto {
	return aPlane("Task Environment", nil, []string{"profile_start_time"}).message(6, stat(1, began, ""))
}

func write(t *testing.T, name string, text []byte) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), name)
	if err := os.WriteFile(path, text, 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

// said are the spans, calls and ranges of a trace as text.
func said(x *trace.Trace) string {
	var all []string
	at := func(t int64) string {
		if t == trace.NoTime {
			return "-"
		}
		return fmt.Sprint(t)
	}
	for _, s := range x.Device {
		all = append(all, fmt.Sprintf("%d-%d %s stream %d kind %d class %d copy %s bytes %d launch %s", s.Start, s.End, x.Names.Text(s.Name)[:4], s.Stream, s.Kind, s.Class, s.Copy, s.Bytes(), at(s.Launch)))
	}
	for _, c := range x.API {
		all = append(all, fmt.Sprintf("%d-%d %s thread %d", c.Start, c.End(), x.Names.Text(x.Names.Caller(c).Name), x.Names.Caller(c).Thread))
	}
	for _, r := range x.Ranges {
		all = append(all, fmt.Sprintf("%d-%d %s thread %d", r.Start, r.End, x.Names.Text(r.Name), r.Thread))
	}
	return strings.Join(all, "\n")
}

const wantSaid = `2000-2500 gemm stream 13 kind 1 class 1 copy other bytes 0 launch 1000
2600-2700 Memc stream 13 kind 2 class 3 copy h2d bytes 4096 launch -
2800-2810 Mems stream 13 kind 3 class 3 copy other bytes 64 launch -
3100-3200 nccl stream 14 kind 1 class 2 copy other bytes 0 launch -
3300-3400 Cuda stream 14 kind 4 class 0 copy other bytes 0 launch 1300
1000-1100 cuLaunchKernel thread 4712
1300-1400 cuGraphLaunch thread 4712
100-5100 train step 4 thread 4712
120-150 data thread 4712
6100-6200 train_step 7 thread 4712`

func TestPlanes(t *testing.T) {
	path := write(t, "host.xplane.pb", space(aPlane("/host:metadata", nil, nil).text(6, "huge"), aHost(), aDevice(1), aTask(1_700_000_000_000_000_000)))
	told := int64(0)
	traces, err := ReadPlanes(context.Background(), path, &trace.Options{Progress: func(n int64) { told += n }})
	if err != nil || len(traces) != 1 {
		t.Fatalf("got %d traces and error %v, want one", len(traces), err)
	}
	x := traces[0]
	if got := said(x); got != wantSaid {
		t.Errorf("got\n%s\nwant\n%s", got, wantSaid)
	}
	if x.Epoch != 1_700_000_000_000_000_000 || x.Identity != (trace.Identity{Rank: -1, Host: "node7", Device: 1}) || x.Capture != (trace.Interval{Start: 100, End: 6200}) {
		t.Errorf("got epoch %d, identity %+v and capture %v", x.Epoch, x.Identity, x.Capture)
	}
	if want := trace.HasDevice | trace.HasLaunches | trace.HasRanges | trace.HasMemcpyBytes | trace.HasCopyKinds | trace.HasGraphs; x.Recorded != want {
		t.Errorf("recorded: got %b want %b", x.Recorded, want)
	}
	if got, want := fmt.Sprint(x.Facts), "[{gpu NVIDIA H100} {gpu_memory 85899345920} {profiler XLA profiler}]"; got != want {
		t.Errorf("facts: got %s want %s", got, want)
	}
	want := trace.Shape{Grid: [3]int32{4, 2, 1}, Block: [3]int32{256, 1, 1}, Registers: 48, Shared: 128, Occupancy: 38}
	if got := x.Shapes[x.Device[0].Name]; got != want {
		t.Errorf("shape: got %+v want %+v", got, want)
	}
	if info, _ := os.Stat(path); told != info.Size() {
		t.Errorf("progress: got %d bytes want %d", told, info.Size())
	}
}

// viewers is the trace for viewers of the same planes.
const viewers = `{"displayTimeUnit":"ns","metadata":{"highres-ticks":true},"traceEvents":[
{"ph":"M","pid":2,"name":"process_name","args":{"name":"/device:GPU:1"}},{"ph":"M","pid":2,"name":"process_sort_index","args":{"sort_index":2}},
{"ph":"M","pid":2,"tid":13,"name":"thread_name","args":{"name":"Stream #13(MemcpyH2D,Compute)"}},
{"ph":"M","pid":2,"tid":14,"name":"thread_name","args":{"name":"Stream #14(Compute)"}},{"ph":"M","pid":2,"tid":99,"name":"thread_name","args":{"name":"XLA Ops"}},
{"ph":"M","pid":701,"name":"process_name","args":{"name":"/host:CPU"}},{"ph":"M","pid":701,"tid":4712,"name":"thread_name","args":{"name":"python"}},
{"ph":"X","pid":701,"tid":4712,"ts":0.10000000000000001,"dur":5,"name":"train","args":{"step_num":"4"}},
{"ph":"X","pid":701,"tid":4712,"ts":0.105,"dur":0.01,"name":"$loop.py:3 step"},
{"ph":"X","pid":701,"tid":4712,"ts":0.12,"dur":0.029999999999999999,"name":"data"},
{"ph":"X","pid":701,"tid":4712,"ts":1,"dur":0.1,"name":"cuLaunchKernel","args":{"correlation_id":"11","device_id":"1"}},
{"ph":"X","pid":701,"tid":4712,"ts":1.3,"dur":0.1,"name":"cuGraphLaunch (CudaGraph:12)","args":{"correlation_id":"12"}},
{"ph":"X","pid":701,"tid":4712,"ts":6.1,"dur":0.1,"name":"train_step","args":{"step_num":7}},
{"ph":"X","pid":2,"tid":13,"ts":2,"dur":0.5,"name":"gemm","args":{"correlation_id":"11","kernel_details":"` + details + `","hlo_op":"fusion.1"}},
{"ph":"X","pid":2,"tid":13,"ts":2.6,"dur":0.1,"name":"MemcpyH2D","args":{"correlation_id":"99","memcpy_details":"kind_src:pinned size:4096 dest:1"}},
{"ph":"X","pid":2,"tid":13,"ts":2.7,"dur":0.1,"name":"MemoryAlloc","args":{"memalloc_details":"num_bytes:77"}},
{"ph":"X","pid":2,"tid":13,"ts":2.8,"dur":0.01,"name":"Memset","args":{"Memset_details":"num_bytes:64"}},
{"ph":"X","pid":2,"tid":14,"ts":3.1,"dur":0.1,"name":"ncclDevKernel_AllReduce_Sum_f32_RING_LL(ncclDevKernelArgsStorage<4096ul>)"},
{"ph":"X","pid":2,"tid":14,"ts":3.3,"dur":0.1,"name":"CudaGraph","args":{"correlation_id":"12","cuda_graph_exec_id":"3"}},
{"ph":"X","pid":2,"tid":99,"ts":2,"dur":0.5,"name":"fusion.1"},{"ph":"X","pid":3,"tid":1,"ts":2,"dur":0.5,"name":"of no plane"},{}]}`

func gz(text string) []byte {
	var b bytes.Buffer
	z := gzip.NewWriter(&b)
	z.Write([]byte(text))
	z.Close()
	return b.Bytes()
}

func TestTrace(t *testing.T) {
	for name, text := range map[string][]byte{"host.trace.json": []byte(viewers), "host.trace.json.gz": gz(viewers)} {
		traces, err := ReadTrace(context.Background(), write(t, name, text), nil)
		if err != nil || len(traces) != 1 {
			t.Fatalf("%s: got %d traces and error %v, want one", name, len(traces), err)
		}
		if got := said(traces[0]); got != wantSaid {
			t.Errorf("%s: got\n%s\nwant\n%s", name, got, wantSaid)
		}
		if x := traces[0]; x.Epoch != trace.NoTime || x.Identity.Device != 1 || x.Identity.Host != "" {
			t.Errorf("%s: got epoch %d and identity %+v", name, x.Epoch, x.Identity)
		}
	}
}

// TestArguments: members of an object are found as encoding/json finds them.
func TestArguments(t *testing.T) {
	for _, text := range []string{`{}`, `{"a":"b"}`, ` { "a" : "b" , "c":5,"d":-1.5e3 ,"e":null}`, `{"a\"b":"c\\","d":{"e":[1,"}",{"f":2}]},"g":"\u00e9,\"}"}`, `[]`, `"x"`, `7`, `{"a":[],"b":{}}`} {
		got := map[string]string{}
		eachArgument([]byte(text), func(key, value string) { got[key] = value })
		want, members := map[string]string{}, map[string]json.RawMessage{}
		json.Unmarshal([]byte(text), &members)
		for key, raw := range members {
			var s string
			if json.Unmarshal(raw, &s) != nil || string(raw) == "null" {
				s = string(raw)
			}
			want[key] = s
		}
		if !maps.Equal(got, want) {
			t.Errorf("%s: got %q want %q", text, got, want)
		}
	}
}

// TestDevices: each device of a process is a trace with the host's activity.
func TestDevices(t *testing.T) {
	traces, err := ReadPlanes(context.Background(), write(t, "a.xplane.pb", space(aDevice(3), aHost(), aDevice(0))), nil)
	if err != nil || len(traces) != 2 || traces[0].Identity.Device != 0 || traces[1].Identity.Device != 3 {
		t.Fatalf("got %d traces and error %v", len(traces), err)
	}
	for _, x := range traces {
		if said(x) != wantSaid {
			t.Errorf("device %d: got\n%s", x.Identity.Device, said(x))
		}
	}
}

// TestCollectives: what a kernel of communication does says the program's operation where the
// kernel's name does not.
func TestCollectives(t *testing.T) {
	for _, tt := range []struct{ kernel, operation, want string }{
		{"ncclDevKernel_Generic_1(ncclDevKernelArgsStorage<4096ul>)", "all-gather-start.3", "AllGather"},
		{"ncclDevKernel_SendRecv(ncclDevKernelArgsStorage<4096ul>)", "all-to-all.1", "AllToAll"},
		{"ncclDevKernel_SendRecv(ncclDevKernelArgsStorage<4096ul>)", "collective-permute.1", "SendRecv"},
		{"ncclDevKernel_AllReduce_Sum_f32_RING_LL(ncclDevKernelArgsStorage<4096ul>)", "fusion.2", "AllReduce"},
		{"ncclDevKernel_Generic_1(ncclDevKernelArgsStorage<4096ul>)", "fusion.2", "Generic"},
		{"gemm", "all-reduce.1", ""},
	} {
		text := space(aPlane("/device:GPU:0", []string{tt.kernel}, []string{"hlo_op"}, aLine(1, "Stream #1", happened(1, 1, 1, stat(1, 0, tt.operation)))))
		traces, err := ReadPlanes(context.Background(), write(t, "a.xplane.pb", text), nil)
		if err != nil {
			t.Fatal(err)
		}
		if got := traces[0].Names.Text(traces[0].Messages.Coll(&traces[0].Device[0])); got != tt.want {
			t.Errorf("%s of %s: got %q want %q", tt.kernel, tt.operation, got, tt.want)
		}
	}
}

// TestTogether: of a file that was put together of two processes each device's work is linked to
// the calls that are for it.
func TestTogether(t *testing.T) {
	host := func(device, start int64) proto {
		return aPlane("/host:CPU", hostNames, hostStats, aLine(10+device, "main", happened(2, start, 10, stat(2, 11, ""), stat(3, device, ""))))
	}
	work := func(device int) proto {
		return aPlane(fmt.Sprintf("/device:GPU:%d", device), workNames, workStats, aLine(1, "Stream #1", happened(1, 5000, 10, stat(1, 11, ""), stat(2, 0, details))))
	}
	traces, err := ReadPlanes(context.Background(), write(t, "a.xplane.pb", append(space(host(0, 100), work(0)), space(host(1, 200), work(1))...)), nil)
	if err != nil || len(traces) != 2 || traces[0].Device[0].Launch != 200 || traces[1].Device[0].Launch != 300 || len(traces[0].Warnings)+len(traces[1].Warnings) > 0 {
		t.Errorf("got %d traces and error %v: %+v", len(traces), err, traces)
	}
}

// TestSaid: what a file lacks is said, and what cannot be read is refused with a reason.
func TestSaid(t *testing.T) {
	many := func(launches, kernels int) proto {
		var calls, work []proto
		for i := range launches {
			calls = append(calls, happened(2, int64(i)*1000, 100, stat(2, int64(i)+1, "")))
		}
		for i := range kernels {
			work = append(work, happened(1, int64(i)*1000+200, 100, stat(1, int64(i*launches/kernels)+1, ""), stat(2, 0, details)))
		}
		return space(aPlane("/host:CPU", hostNames, hostStats, aLine(1, "main", calls...)), aPlane("/device:GPU:0", workNames, workStats, aLine(13, "Stream #13", work...)))
	}
	for _, tt := range []struct {
		name, want string
		lost       trace.Content
		text       proto
	}{
		{"whole", "", 0, many(50, 50)},
		{"half of the kernels", "lacks a kernel for each launch: 24 of 49 have none", trace.Kernels, many(50, 25)},
		{"no calls", "lacks the calls that launch, so that the edges of steps are the host's", 0, space(aPlane("/device:GPU:0", workNames, workStats, aLine(13, "Stream #13", happened(1, 5, 6))))},
		{"copies alone", "lacks kernels: the device copied and did nothing else", trace.Kernels | trace.Kinds, space(aPlane("/device:GPU:0", workNames, workStats, aLine(13, "Stream #13", happened(2, 5, 6))))},
		{"errors", "the profiler reports errors in it (1)", 0, many(50, 50).text(2, "dropped")},
		{"offsets that cannot be", "lacks times of kernels: 1 of 2 have none", trace.Kernels, space(aHost(), aPlane("/device:GPU:0", workNames, workStats, aLine(13, "Stream #13", happened(1, 5, 6), proto(nil).number(1, 1).number(2, -1<<63).number(3, 1))))},
		{"times that cannot be", "lacks times of kernels: 1 of 1 have none", trace.Kernels, space(aHost(), aPlane("/device:GPU:0", workNames, workStats, aLine(13, "Stream #13", happened(2, 5, 6), happened(1, 5, -6))))},
	} {
		traces, err := ReadPlanes(context.Background(), write(t, "a.xplane.pb", tt.text), nil)
		if err != nil {
			t.Errorf("%s: %v", tt.name, err)
			continue
		}
		var texts string
		for _, w := range traces[0].Warnings {
			texts += w.Text + "\n"
		}
		if !strings.Contains(texts, tt.want) || tt.want == "" && texts != "" {
			t.Errorf("%s: got %q want %q", tt.name, texts, tt.want)
		}
		if got := traces[0].Incomplete(); got&tt.lost != tt.lost {
			t.Errorf("%s: lost %b want %b", tt.name, got, tt.lost)
		}
	}
}

func TestRefused(t *testing.T) {
	whole := space(aHost(), aDevice(0))
	for _, tt := range []struct {
		name, want string
		text       []byte
	}{
		{"a.xplane.pb", "truncated: the last plane does not end", whole[:len(whole)/2]},
		{"a.xplane.pb", "damaged: plane \"/host:CPU\"", proto(nil).message(1, append(proto(nil).text(2, "/host:CPU"), 0xff))},
		{"a.xplane.pb", "truncated", append(proto{1<<3 | wire.Bytes}, bytes.Repeat([]byte{0xff}, 9)...)},
		{"a.xplane.pb", "a profile of TPUs", space(aPlane("/device:TPU:0", nil, nil))},
		{"a.xplane.pb", "it holds no work of a GPU and no ranges", space(aPlane("/host:CPU", nil, nil))},
		{"a.trace.json", "truncated: the trace does not end", []byte(viewers[:len(viewers)/2])},
		{"a.trace.json.gz", "truncated", gz(viewers)[:300]},
		{"a.trace.json", "cannot be read", []byte(strings.Replace(viewers, `"pid":701`, `"pid":"x"`, 1))},
		{"a.trace.json", "the text is no object", []byte(`[]`)},
		{"a.trace.json", "an event is longer than can be", []byte(`{"traceEvents":[{"name":"` + strings.Repeat("x", 3*maxEvent) + `"}]}`)},
		{"a.trace.json", "exceeded max depth", []byte(`{"traceEvents":[` + strings.Repeat("[", 20_000))},
	} {
		read := ReadTrace
		if strings.HasSuffix(tt.name, ".pb") {
			read = ReadPlanes
		}
		_, err := read(context.Background(), write(t, tt.name, tt.text), nil)
		if err == nil || !strings.HasPrefix(err.Error(), tt.name+": ") || !strings.Contains(err.Error(), tt.want) {
			t.Errorf("got %v want %q", err, tt.want)
		}
	}
}

// TestCapped: of a trace of as many events as one for viewers holds it is said that there may
// have been more.
func TestCapped(t *testing.T) {
	capOf[17] = true
	defer delete(capOf, 17)
	text := strings.Replace(viewers, `,{}]}`, strings.Repeat(`,{"ph":"X","pid":3,"tid":1,"ts":2,"dur":1,"name":"x"}`, 3)+`,{}]}`, 1)
	traces, err := ReadTrace(context.Background(), write(t, "a.trace.json", []byte(text)), nil)
	if err != nil || !strings.Contains(fmt.Sprint(traces[0].Warnings), "it holds the first 17 events") {
		t.Errorf("got error %v, %v", err, traces)
	}
}

// TestFlipped: every byte that is wrong gives an error or some trace.
func TestFlipped(t *testing.T) {
	whole := space(aHost(), aDevice(0), aTask(5))
	path := filepath.Join(t.TempDir(), "a.xplane.pb")
	for n := range whole {
		for _, by := range []byte{0x01, 0x80, 0xff} {
			damaged := append([]byte(nil), whole...)
			damaged[n] ^= by
			if err := os.WriteFile(path, damaged, 0o600); err != nil {
				t.Fatal(err)
			}
			ReadPlanes(context.Background(), path, nil)
		}
	}
}

func TestRoom(t *testing.T) {
	path := write(t, "a.xplane.pb", space(aPlane("/host:CPU", []string{strings.Repeat("x", 2<<20)}, nil)))
	ctx, cancel := context.WithCancelCause(context.Background())
	short := errors.New("short")
	_, err := ReadPlanes(ctx, path, &trace.Options{Room: func(int64) bool { cancel(short); return false }})
	if !errors.Is(err, short) {
		t.Errorf("got %v want %v", err, short)
	}
}

func TestSniff(t *testing.T) {
	for _, tt := range []struct {
		head          []byte
		planes, trace bool
	}{
		{space(aHost()), true, false},
		{space(aDevice(0))[:40], true, false},
		{space(aTask(1)), true, false},
		{proto(nil).message(1, proto(nil).number(8, 5).text(2, "x")), false, false}, // as Perfetto's packets
		{[]byte(viewers), false, true},
		{[]byte(`{"traceEvents":[{"ph":"X"}]}`), false, false},
		{nil, false, false},
	} {
		if got := SniffPlanes(tt.head); got != tt.planes {
			t.Errorf("%.20q: planes: got %v", tt.head, got)
		}
		if got := SniffTrace(tt.head); got != tt.trace {
			t.Errorf("%.20q: trace: got %v", tt.head, got)
		}
	}
}

// FuzzPlanes reads any bytes as planes.
func FuzzPlanes(f *testing.F) {
	f.Add([]byte(space(aHost(), aDevice(0), aTask(5))))
	f.Fuzz(func(t *testing.T, text []byte) {
		b := newBuilder("a", (*trace.Options)(nil).Fits)
		if b.readPlanes(context.Background(), bytes.NewReader(text), int64(len(text))) == nil {
			b.traces()
		}
	})
}

// FuzzTrace reads any text as a trace.
func FuzzTrace(f *testing.F) {
	f.Add([]byte(viewers))
	f.Fuzz(func(t *testing.T, text []byte) {
		b := newBuilder("a", (*trace.Options)(nil).Fits)
		if b.readTrace(context.Background(), bytes.NewReader(text), 0) == nil {
			b.traces()
		}
	})
}
