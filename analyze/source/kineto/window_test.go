package kineto

import (
	"bytes"
	"context"
	"errors"
	"os"
	"path/filepath"
	"slices"
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
		{Key: trace.FactGPUMemory, Value: "34079637504"}, {Key: trace.FactNCCL, Value: "2.17.1"},
		{Key: trace.FactProfiler, Value: "PyTorch profiler"}, {Key: trace.FactSchema, Value: "1"}}
	if !slices.Equal(ts[0].Facts, want) || ts[0].Identity.Host != "" {
		t.Errorf("got %v and host %q, want %v", ts[0].Facts, ts[0].Identity.Host, want)
	}
}

func TestVersions(t *testing.T) {
	ts := mustRead(t, `{"cuda_runtime_version":12040,"cuda_driver_version":"12.6","torch_version":"2.5.1+cu124","hip_driver_version":"/home/u/x","traceEvents":[{"ph":"X","cat":"cpu_op","name":"a","ts":1}]}`)
	for key, want := range map[string]string{trace.FactCUDA: "12.4", trace.FactDriver: "12.6", trace.FactFramework: "PyTorch 2.5.1+cu124"} {
		if got := fact(ts[0], key); got != want {
			t.Errorf("%s: got %q, want %q", key, got, want)
		}
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
