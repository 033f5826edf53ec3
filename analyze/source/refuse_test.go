package source

import (
	"bytes"
	"compress/gzip"
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/klauspost/compress/zstd"

	"perfdiff/analyze/source/report"
	"perfdiff/analyze/trace"
)

const pointer = "version https://git-lfs.github.com/spec/v1\noid sha256:4cac\nsize 84977953\n"

// zst is text in zstd.
func zst(text string) string {
	w, _ := zstd.NewWriter(nil)
	return string(w.EncodeAll([]byte(text), nil))
}

// gz is text in gzip.
func gz(text string) string {
	var b bytes.Buffer
	z := gzip.NewWriter(&b)
	z.Write([]byte(text))
	z.Close()
	return b.String()
}

const (
	sqlite   = "SQLite format 3\x00" + "\x10\x00\x01\x01\x00\x40\x20\x20"
	statsCSV = "Time (%),Total Time (ns),Instances,Avg (ns),Med (ns),Min (ns),Max (ns),StdDev (ns),Name\n50.0,123,4,5,5,1,9,0.5,gemm\n"
	tarHead  = "rank0.json\x00"
)

// tar is the head of a tar archive.
func tar() string {
	b := make([]byte, 512)
	copy(b, tarHead)
	copy(b[257:], "ustar  ")
	return string(b)
}

// refusals are files that people point perfdiff at.
var refusals = []struct{ name, text, want string }{
	{"kern_sum.csv", statsCSV, "the output of nsys stats, which holds sums (export the report with: nsys export --type sqlite, not with nsys stats)"},
	{"stats.json", `[{"Time (%)": 50.0, "Total Time (ns)": 12, "Instances": 4}]`, "the output of nsys stats"},
	{"stats.txt", "\n ** CUDA API Summary (cuda_api_sum):\n\n Time (%)  Total Time (ns)  Num Calls\n --------  ------- \n", "the output of nsys stats"},
	{"trace.csv", "Start (ns),Duration (ns),CorrId,GrdX\n1,2,3,4\n", "the output of nsys stats"},
	{"rank_stats.parquet", "PAR1\x15\x04PAR1", "one table of a Parquet export"},
	{"all_stats.parquet", "\x00damaged", "a table of an nsys recipe's output, which holds sums (give the profiles themselves"},
	{"cuda_gpu_kern_sum.nsys-analysis", "{\"RecipeName\": \"cuda_gpu_kern_sum\"}", "a table of an nsys recipe's output"},
	{"OSRT_API.parquet", "PAR1\x15\x04", "one table of a Parquet export (give the directory with all of its tables"},
	{"a.nsys-rep", "QuadD\x00", "a report, not an export, and nsys is not on PATH (export it with: nsys export --type sqlite -o a.sqlite a.nsys-rep)"},
	{"a.qdrep", "QuadD\x00", "nsys export --type sqlite"},
	{"a.qdstrm", "QuadD\x00\x01", "an unfinished report (finish it with: QdstrmImporter"},
	{"a.ncu-rep", "NVR\x00", "Nsight Compute, which times kernels one by one"},
	{"ncu.csv", "==PROF== Connected to process 1\n\"ID\",\"Process ID\"\n", "the output of Nsight Compute"},
	{"ncu2.csv", `"ID","Process ID","Process Name","Host Name","Kernel Name"` + "\n", "the output of Nsight Compute"},
	{"trace.rpd", sqlite + "CREATE TABLE rocpd_api (id integer)", "an RPD trace (record with rocprofv3 or torch.profiler"},
	{"broken.rpd", "\x00\x01\x02", "an RPD trace (record with rocprofv3 or torch.profiler"},
	{"old.sqlite", sqlite + "CREATE TABLE StringTable (x); CREATE TABLE CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL (y)", "a profile of nvprof"},
	{"x.pftrace", "\x0a\x03\x08\x01\xff\x0a\x02\x08\x05\x0a\x01\xff", "a Perfetto trace"},
	{"x.perfetto-trace", "\x00", "a Perfetto trace"},
	{"unnamed", "\x0a\x04\x08\x01\x10\xff\x0a\x02\x08\x80\x0a\xff\x01", "a Perfetto trace"},
	{"worker0.pt.trace.json", `{"layers": []}`, "JSON without trace events (give a trace that torch.profiler exported"},
	{"config.json", "{\n  \"model\": 1\n}", "JSON without trace events"},
	{"list.json", "[{\"a\": 1}]", "JSON without trace events"},
	{"jax.trace.json.gz", gz(`{"displayTimeUnit":"ns","metadata":{"highres-ticks":true},"traceEvents":[{"ph":"X","pid":1,"tid":2,"ts":1.5,"dur":2,"name":"jit_step"}]}`), "a Chrome trace of another program"},
	{"x.h5", "\x89HDF\r\n\x1a\n\x00", "an HDF5 file (export the report with: nsys export --type sqlite, not --type hdf)"},
	{"x.arrow", "ARROW1\x00\x00", "an Arrow file"},
	{"x.arrows", "\xff\xff\xff\xff\x80\x01\x00\x00", "an Arrow file"},
	{"x.jsonl", "{\"Type\": 1}\n{\"Type\": 2}\n", "JSON lines"},
	{"x.json", "{\"data\": [1, 2]}\n{\"data\": [3]}\n", "JSON lines"},
	{"snapshot.pickle", "\x80\x04\x95\x01\x00\x00", "a Python pickle, as memory snapshots of PyTorch are"},
	{"x.etl", "\x00\x00\x01", "an event log of Windows"},
	{"x.zip", "PK\x03\x04\x14\x00", "a zip archive (unpack it first: unzip x.zip)"},
	{"x.json.zip", "PK\x03\x04\x14\x00", "a zip archive"},
	{"x.tar", tar(), "a tar archive (unpack it first: tar xf x.tar)"},
	{"x.tar.gz", gz(tar()), "a tar archive (unpack it first"},
	{"x.json.zst", "\x28\xb5\x2f\xfd\x04", "compressed with zstd (unpack it first: unzstd x.json.zst)"},
	{"x.json.xz", "\xfd7zXZ\x00\x00", "compressed with xz (unpack it first: unxz x.json.xz)"},
	{"x.json.bz2", "BZh91AY", "compressed with bzip2 (unpack it first: bunzip2 x.json.bz2)"},
	{"x.json.lz4", "\x04\x22\x4d\x18\x60", "compressed with lz4"},
	{"x.sqlite.gz", gz(sqlite + strings.Repeat("\x00", 100)), "a compressed SQLite export (unpack it first: gunzip x.sqlite.gz)"},
	{"x.sqlite.zst", zst(sqlite + strings.Repeat("\x00", 100)), "a compressed SQLite export (unpack it first: unzstd x.sqlite.zst)"},
	{"rank0.sqlite", pointer, "a Git LFS pointer (fetch the file that it stands for: git lfs pull)"},
	{"rank1.nsys-rep", pointer, "a Git LFS pointer"},
	{"trace.json", pointer, "a Git LFS pointer"},
	{"run.log.xz", "\xfd7zXZ\x00\x00", "compressed with xz (unpack it first: unxz run.log.xz)"},
	{"ms.csv", "Time (%),Total Time (ms),Instances,Name\n50.0,123,4,gemm\n", "the output of nsys stats"},
	{"old.txt", "CUDA Kernel Statistics:\n\n Time(%)  Total Time (ns)  Instances  Average\n -------  ------\n", "the output of nsys stats"},
	{"train.log", "[2026-01-01 10:00:00] step 1 loss 0.5\n", "a text file (give the profiles themselves"},
	{"README", "hello \xc3", "a text file"},
	{"report.html", "<!DOCTYPE html><html><head><title>perfdiff: regressed</title>", "a report of perfdiff (give the profiles that it was made from)"},
	{"steps.json", "{\"displayTimeUnit\": \"ns\", \"otherData\": {\"written_by\": \"perfdiff v1\"}, \"traceEvents\": [\n", "a trace that perfdiff wrote of a few steps (--perfetto) (give the profiles that it was made from)"},
	{"steps.json.gz", gz("{\"displayTimeUnit\": \"ns\", \"otherData\": {\"written_by\": \"perfdiff v1\"}, \"traceEvents\": []}"), "a trace that perfdiff wrote"},
	{"report.json", "{\n  \"schema_version\": \"1.0\",\n  \"tool\": \"perfdiff v1\",\n", "a report of perfdiff"},
	{"login.json", "\n<html><body>Sign in", "a web page (if it was downloaded, the server may have asked for a login"},
	{"x.csv", "\x00a,b\n", "a CSV table"},
	{"core", "\x7fELF\x02\x01\x00", "of no known format (give the profiles themselves"},
	{"x.json", "", "the file is empty"},
	{"nothing.json.gz", gz(""), "the file is empty"},
}

func TestRefusals(t *testing.T) {
	t.Setenv("PATH", "") // where nsys is not
	for _, tt := range refusals {
		path := filepath.Join(t.TempDir(), tt.name)
		if err := os.WriteFile(path, []byte(tt.text), 0o600); err != nil {
			t.Fatal(err)
		}
		_, _, err := Read(context.Background(), path, exporter, nil)
		if err == nil || !errors.Is(err, ErrUnknown) {
			t.Errorf("%s: got error %v, want %v", tt.name, err, ErrUnknown)
			continue
		}
		text := err.Error()
		if !strings.HasPrefix(text, tt.name+": not a profile that perfdiff reads: ") || !strings.Contains(text, tt.want) || !strings.HasSuffix(text, ")") {
			t.Errorf("%s: got %q, want %q and a remedy", tt.name, text, tt.want)
		}
	}
}

var exporter = report.New(report.Options{NoCache: true})

// TestChromeTrace: events of a category that the profiler does not write, of none,
// and of the process that its dialect without Kineto names, with none of its names.
func TestChromeTrace(t *testing.T) {
	path := filepath.Join(t.TempDir(), "chrome.json")
	for _, text := range []string{
		`{"traceEvents":[{"name":"Task","cat":"toplevel","ph":"X","ts":1,"dur":2,"pid":1,"tid":1}],"metadata":{}}`,
		`[{"name": "ProfilerStep#1", "ph": "X", "ts": 1, "dur": 2, "tid": 1, "pid": "CPU", "args": {}}]`,
		`[{"name": "main::run", "ph": "X", "ts": 1, "dur": 2, "tid": 1, "pid": "CPU functions", "args": {}}]`,
	} {
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		_, _, err := Read(context.Background(), path, exporter, nil)
		if want := "a Chrome trace of another program"; err == nil || !strings.HasPrefix(err.Error(), "chrome.json: not a ") || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: got error %v, want %q", text, err, want)
		}
	}
}

// TestNotRefused: what looks like something else and can be read, is read.
func TestNotRefused(t *testing.T) {
	for name, text := range map[string]string{
		"a.json":        `{"schemaVersion":1,"traceEvents":[{"ph":"X","cat":"cpu_op","name":"aten::add","ts":1,"dur":1,"pid":1,"tid":1}]}`,
		"b.csv":         `[{"ph":"X","cat":"kernel","name":"Time (%) Total Time (ns)","ts":1,"dur":1,"pid":0,"tid":7}]`,
		"c.zip":         `{"traceEvents":[{"ph":"X","cat":"user_annotation","name":"a","ts":1,"dur":1,"pid":0,"tid":7}]}`,
		"d.json":        `[{"name": "aten::mm", "ph": "X", "ts": 5, "dur": 1, "tid": 1, "pid": "CPU functions", "args": {}}]`,
		"e.json.zst":    zst(`{"traceEvents":[{"ph":"X","cat":"kernel","name":"k","ts":1,"dur":1,"pid":0,"tid":7}]}`),
		"rank_stats.gz": gz(`[{"ph":"X","cat":"kernel","name":"k","ts":1,"dur":1,"pid":0,"tid":7}]`),
	} {
		path := filepath.Join(t.TempDir(), name)
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		if traces, _, err := Read(context.Background(), path, exporter, nil); err != nil || len(traces) != 1 {
			t.Errorf("%s: got %d traces and error %v, want one", name, len(traces), err)
		}
	}
}

// TestKinds: each format is of a kind that people are told of, and remedies name them all.
func TestKinds(t *testing.T) {
	if want := "Nsight Systems exports, .sqlite or _pqtdir; rocprofv3 databases, .db; XLA profiles, .xplane.pb or .trace.json.gz; PyTorch profiler traces, .json or .json.gz; " +
		"logs of NCCL Inspector or nccl-tests; TensorBoard event files, tfevents; results of benchmarks, .json or .csv; or logs of step times, .log or .csv"; Kinds() != want {
		t.Errorf("got %q want %q", Kinds(), want)
	}
	for _, f := range Formats() {
		what, ends, _ := strings.Cut(f.Kind, ", ")
		first, _, _ := strings.Cut(ends, " or ")
		if !strings.Contains(giveProfiles, what+" ("+first+")") && f.Kind != "" && !f.IsLog && f.Results == nil {
			t.Errorf("%s: the remedy %q does not name it", f.Name, giveProfiles)
		}
	}
}

// FuzzIdentify looks at the head of any file under any name.
func FuzzIdentify(f *testing.F) {
	for _, r := range refusals {
		f.Add(r.name, []byte(r.text), false)
	}
	f.Fuzz(func(t *testing.T, name string, head []byte, zipped bool) {
		packed := trace.Unpacked
		if zipped {
			packed = trace.Gzip
		}
		if err := refuseForeign(name, head, packed); err != nil && !errors.Is(err, ErrOther) {
			t.Errorf("foreign: got %v", err)
		}
		if err := refuseUnknown(name, head, packed, ""); !errors.Is(err, ErrUnknown) || !strings.HasPrefix(err.Error(), name+": ") {
			t.Errorf("refusal: got %v", err)
		}
		for _, format := range Formats() {
			if format.Sniff != nil {
				format.Sniff(head)
			}
		}
	})
}

// FuzzRankOfName reads a rank out of any name.
func FuzzRankOfName(f *testing.F) {
	for _, name := range []string{"report.3.nsys-rep", "job_rank3_on_host.sqlite", "worker12.json.gz", "2024.5.sqlite", "trace-8-of-8.json", "rank0\x1b[2J\n.json"} {
		f.Add(name)
	}
	f.Fuzz(func(t *testing.T, name string) {
		got := RankOfName(name)
		if got.Rank < -1 || got.Rank > 9_999_999 || got.World > 0 && got.Rank >= got.World {
			t.Errorf("%q: got %+v", name, got)
		}
		RanksOfNames([]string{name, "report.0.sqlite", name + "1"}, []int{-1, -1, 1})
	})
}
