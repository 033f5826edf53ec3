package kineto

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"perfdiff/analyze/trace"
)

// TestNothingPrivate checks that no member of the header beyond the allow-list
// leaves the reader: this file names a user, a job and a host.
func TestNothingPrivate(t *testing.T) {
	ts, err := Read(context.Background(), realFiles(t, "dialects/ns-resolution.json.gz")[0], nil)
	if err != nil {
		t.Fatal(err)
	}
	want := []trace.Fact{{Key: trace.FactBackend, Value: "nccl"}, {Key: trace.FactGPU, Value: "Tesla V100-SXM2-32GB"},
		{Key: trace.FactGPUMemory, Value: "34079637504"}, {Key: trace.FactGPUSMs, Value: "80"}, {Key: trace.FactNCCL, Value: "2.17.1"},
		{Key: trace.FactProfiler, Value: "PyTorch profiler"}, {Key: trace.FactRecorded, Value: trace.NoOptions}, {Key: trace.FactSchema, Value: "1"}}
	if !slices.Equal(ts[0].Facts, want) || ts[0].Identity.Host != "" {
		t.Errorf("got %v and host %q, want %v", ts[0].Facts, ts[0].Identity.Host, want)
	}
}

func TestVersions(t *testing.T) {
	ts := mustRead(t, `{"cuda_runtime_version":12040,"cuda_driver_version":"12.6","torch_version":"2.5.1+cu124","hip_driver_version":"/home/u/x","traceEvents":[{"ph":"X","cat":"cpu_op","name":"a","ts":1}]}`)
	for key, want := range map[string]string{trace.FactCUDA: "12.4", trace.FactDriverCUDA: "12.6", trace.FactDriver: "", trace.FactFramework: "PyTorch 2.5.1+cu124"} {
		if got := fact(ts[0], key); got != want {
			t.Errorf("%s: got %q, want %q", key, got, want)
		}
	}
}

// TestOptions: an option of PyTorch's profiler that is not in its header was off, and what another
// program wrote says nothing of them.
func TestOptions(t *testing.T) {
	const events = `"traceEvents":[{"ph":"X","cat":"cpu_op","name":"a","ts":1}]}`
	for header, want := range map[string]string{
		`"deviceProperties":[],`: trace.NoOptions,
		`"with_stack":0,`:        trace.NoOptions,
		`"deviceProperties":[],"with_stack":1,"profile_memory":1,"record_shapes":0,`: "profile_memory, with_stack",
		`"schemaVersion":1,"displayTimeUnit":"ms",`:                                  "",
		``: "",
	} {
		if got := fact(mustRead(t, "{"+header+events)[0], trace.FactRecorded); got != want {
			t.Errorf("%s: got %q, want %q", header, got, want)
		}
	}
	python := `{"ph":"X","cat":"user_annotation","name":"r","pid":1,"tid":1,"ts":1,"dur":600},{"ph":"X","cat":"python_function","name":"train.py(12): step","pid":1,"tid":1,"ts":1,"dur":500},`
	if got := fact(mustRead(t, `{"deviceProperties":[],`+strings.Replace(events, "[", "["+python, 1))[0], trace.FactRecorded); got != "with_stack" {
		t.Errorf("with functions of Python: got %q", got)
	}
}

// TestUnread: work of a device of a kind that is not read is counted and named.
func TestUnread(t *testing.T) {
	event := func(cat string) string {
		return `{"ph":"X","cat":"` + cat + `","name":"k","pid":0,"tid":7,"ts":2,"dur":1},`
	}
	of := func(cats ...string) string {
		text := ""
		for _, cat := range cats {
			text += event(cat)
		}
		return fmt.Sprint(mustRead(t, `{"deviceProperties":[],"traceEvents":[`+text+`{"ph":"X","cat":"cpu_op","name":"a","ts":1}]}`)[0].Warnings)
	}
	if got, want := of("mtia_ccp_events", "hpu_op", "mtia_ccp_events"), "3 events of a device are of a kind that is not read (mtia_ccp_events, hpu_op)"; !strings.Contains(got, want) || strings.Contains(got, "no device work") {
		t.Errorf("got %s, want %s", got, want)
	}
	if got := of("mtia_runtime", "overhead", "gpu_user_annotation", "mtia_/home/u"); !strings.Contains(got, "no device work") || strings.Contains(got, "not read") {
		t.Errorf("of the host: got %s", got)
	}
}

// TestROCmVersions: versions of ROCm and of RCCL have names of their own.
func TestROCmVersions(t *testing.T) {
	ts := mustRead(t, `{"distributedInfo":{"backend":"nccl","rank":0,"world_size":8,"nccl_version":"2.26.6"},"hip_runtime_version":70051831,"hip_driver_version":70051831,`+
		`"traceEvents":[{"ph":"X","cat":"cpu_op","name":"a","ts":1}]}`)
	for key, want := range map[string]string{trace.FactROCm: "7.0.51831", trace.FactRCCL: "2.26.6", trace.FactCUDA: "", trace.FactNCCL: "", trace.FactDriver: ""} {
		if got := fact(ts[0], key); got != want {
			t.Errorf("%s: got %q, want %q", key, got, want)
		}
	}
}

// TestWindow reads through a window that hardly holds an event.
func TestWindow(t *testing.T) {
	var b bytes.Buffer
	kernels := writeTrace(&b, 200_000)
	want, _ := expected(b.Bytes())
	for _, size := range []int{1500, 1777, 4096, 65536} {
		got, d := scanned(b.Bytes(), size)
		if !slices.Equal(got, want) || d.breaks > 0 || !d.ended || d.head.base == 0 {
			t.Errorf("window %d: got %d events and %d breaks, want %d of %d kernels", size, len(got), d.breaks, len(want), kernels)
		}
	}
}

func TestProgressAndCancel(t *testing.T) {
	path := filepath.Join(t.TempDir(), "a.json")
	f, _ := os.Create(path)
	writeTrace(f, 3<<20)
	f.Close()
	for _, path := range []string{path, gzipFile(t, path)} {
		info, _ := os.Stat(path)
		var sum int64
		if _, err := Read(context.Background(), path, &trace.Options{Progress: func(n int64) { sum += n }}); err != nil || sum != info.Size() {
			t.Errorf("got %d bytes of progress and %v, want %d", sum, err, info.Size())
		}
		ctx, cancel := context.WithCancel(context.Background())
		if _, err := Read(ctx, path, &trace.Options{Progress: func(int64) { cancel() }}); !errors.Is(err, context.Canceled) {
			t.Errorf("cancelled: got %v", err)
		}
	}
}

func TestSniff(t *testing.T) {
	var doc bytes.Buffer
	writeTrace(&doc, 20_000)
	path := filepath.Join(t.TempDir(), "a")
	os.WriteFile(path, doc.Bytes(), 0o600)
	zipped, _ := os.ReadFile(gzipFile(t, path))
	for _, x := range []struct {
		name, head string
		want       bool
	}{
		{"head of a trace", doc.String()[:4096], true},
		{"head of a gzipped trace", string(zipped[:1024]), true},
		{"events first", `{"traceEvents": [`, true},
		{"header cut in the first value", `{"schemaVersion": 1, "INFO": ["a`, true},
		{"other header first", `{"record_shapes": 1, "distributedInfo": {"backend": "nccl"`, true},
		{"array of events", ` [ {"name": "a", "ph": "X", "ts": 1`, true},
		{"without Kineto", `[{"name": "aten::zeros", "ph": "X", "ts": 88, "dur": 19, "tid": 1, "pid": "CPU functions", "args": {}}, {"na`, true},
		{"another tool's schemaVersion", `{"schemaVersion": 2, "layers": []}`, false},
		{"saved summary", `{"schema_version": 1, "runs": [{"traceEvents": []}]}`, false},
		{"array of objects", `[{"name": "a"}]`, false},
		{"array of numbers", `[1, 2]`, false},
		{"text", `hello`, false},
		{"nothing", ``, false},
		{"SQLite", "SQLite format 3\x00", false},
		{"gzip magic only", "\x1f\x8b\x08", false},
	} {
		if got := Sniff([]byte(x.head)); got != x.want {
			t.Errorf("%s: got %v, want %v", x.name, got, x.want)
		}
	}
}
