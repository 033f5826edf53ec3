package nsys

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"perfdiff/analyze/synth/nsystest"
	"perfdiff/analyze/trace"
	"perfdiff/golden"
)

// realFile is the path of a real export.
func realFile(t *testing.T, name string) string {
	t.Helper()
	return golden.Real(t, "nsys/"+name)
}

func fact(t *trace.Trace, key string) string {
	for _, f := range t.Facts {
		if f.Key == key {
			return f.Value
		}
	}
	return ""
}

// census is what a trace holds: numbers of kernels, copies, sets, graphs,
// spans with a launch, ranges, calls, system calls, accesses, waits.
type census [10]int

func take(t *trace.Trace) (c census) {
	for _, s := range t.Device {
		c[s.Kind-trace.Kernel]++
		if s.Launch != trace.NoTime {
			c[4]++
		}
	}
	c[5], c[6], c[7], c[8], c[9] = len(t.Ranges), len(t.API), len(t.OS), len(t.Access), len(t.Syncs)
	return c
}

func TestReadRealFiles(t *testing.T) {
	const device = trace.HasDevice | trace.HasLaunches | trace.HasMemcpyBytes | trace.HasCopyKinds
	tests := []struct {
		file     string
		gpu      string
		schema   string
		recorded trace.Recorded
		ranks    []census
	}{
		{"cloverleaf-a100-2024.5.sqlite", "NVIDIA A100-SXM4-80GB", "3.13.2", device | trace.HasOS | trace.HasSyncs | trace.HasRunning,
			[]census{{1312, 279, 0, 0, 1591, 0, 3048, 1828, 0, 1312}}},
		{"saxpy-mpi-2022.2-full-schema.sqlite", "NVIDIA A100-SXM4-40GB", "2.9.1", device | trace.HasRanges | trace.HasMPI | trace.HasRunning,
			[]census{{5, 15, 0, 0, 20, 22, 95, 0, 0, 0}}},
		{"wsl2-2026.1-foreign-indexes.sqlite", "NVIDIA GeForce RTX 3080", "3.24.14", device | trace.HasSyncs,
			[]census{{2, 1, 0, 0, 3, 0, 9, 0, 0, 1}}},
		{"graphs-fileaccess-2025.5.sqlite", "NVIDIA GeForce RTX 3060", "3.24.0", device | trace.HasGraphs | trace.HasOS | trace.HasSyncs,
			[]census{{3, 1, 0, 2, 6, 0, 33, 654, 48, 2}}},
		{"h100-2ranks-one-file-2026.2.sqlite", "", "3.25.0", device | trace.HasRanges | trace.HasSyncs,
			[]census{{1721, 452, 11, 0, 1046, 8391, 2898, 0, 0, 122}, {1721, 452, 11, 0, 1046, 8391, 2898, 0, 0, 122}}},
		{"forward-backward-nvtx-2025.1.sqlite", "NVIDIA GeForce RTX 3070 Ti", "3.17.2", device | trace.HasRanges | trace.HasSyncs | trace.HasRunning,
			[]census{{17032, 272, 1510, 0, 18814, 31, 20436, 0, 0, 169}}},
		{"osrt-2024.6.sqlite", "NVIDIA A100-SXM4-80GB", "3.16.1", device | trace.HasOS | trace.HasSyncs,
			[]census{{2768, 114, 48, 0, 2930, 0, 3988, 32107, 0, 116}}},
	}
	for _, tt := range tests {
		t.Run(tt.file, func(t *testing.T) {
			traces, err := Read(context.Background(), realFile(t, tt.file), nil)
			if err != nil {
				t.Fatal(err)
			}
			if len(traces) != len(tt.ranks) {
				t.Fatalf("ranks: got %d want %d", len(traces), len(tt.ranks))
			}
			for i, x := range traces {
				if got := take(x); got != tt.ranks[i] {
					t.Errorf("rank %d: got %v want %v", i, got, tt.ranks[i])
				}
				if x.Recorded != tt.recorded {
					t.Errorf("recorded: got %b want %b", x.Recorded, tt.recorded)
				}
				if got := fact(x, trace.FactGPU); got != tt.gpu {
					t.Errorf("gpu: got %q want %q", got, tt.gpu)
				}
				if got := fact(x, trace.FactSchema); got != tt.schema {
					t.Errorf("schema: got %q want %q", got, tt.schema)
				}
				if len(x.Warnings) != 0 {
					t.Errorf("warnings: got %v want none", x.Warnings)
				}
			}
		})
	}
}

func TestReadRealRank(t *testing.T) {
	traces, err := Read(context.Background(), realFile(t, "saxpy-mpi-2022.2-full-schema.sqlite"), nil)
	if err != nil {
		t.Fatal(err)
	}
	x := traces[0]
	if id := x.Identity; id.Rank != 0 || id.RankFrom != "thread name MPI Rank 0" || id.Report != "saxpy-mpi-cuda_nsys_perlmutter0.nsys-rep" {
		t.Errorf("identity: got %+v want rank 0 from the thread's name", id)
	}
	mpi := 0
	for _, r := range x.Ranges {
		if x.Names.Text(r.Domain) == "MPI" {
			mpi++
		}
	}
	if mpi != 17 {
		t.Errorf("ranges in domain MPI: got %d want 17", mpi)
	}
}

func TestReadRealNames(t *testing.T) {
	traces, err := Read(context.Background(), realFile(t, "h100-2ranks-one-file-2026.2.sqlite"), nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, x := range traces {
		for i := range x.Names.Len() {
			if name := x.Names.Text(trace.NameID(i)); strings.Contains(name, "op_id") || strings.HasSuffix(name, "_v7000") {
				t.Fatalf("name %q: want it without op id and version", name)
			}
		}
	}
	if a, b := traces[0].Identity, traces[1].Identity; a.Device != 0 || b.Device != 1 || a.Process == b.Process || a.Rank != -1 {
		t.Errorf("identities: got %+v and %+v want devices 0 and 1 of two processes, rank unknown", a, b)
	}
}

func TestReadRefusesOtherDatabases(t *testing.T) {
	_, err := Read(context.Background(), realFile(t, "not-an-nsys-file.sqlite"), nil)
	want := "not-an-nsys-file.sqlite: not an Nsight Systems export: "
	if err == nil || !strings.HasPrefix(err.Error(), want) {
		t.Errorf("error: got %v want %s…", err, want)
	}
}

// schemaDir holds the definitions of real exports of many versions.
const schemaDir = "../../../../shared/reference/schemas"

func TestReadEverySchema(t *testing.T) {
	files, _ := filepath.Glob(filepath.Join(schemaDir, "*.sql"))
	if len(files) == 0 {
		t.Skip("real schemas are missing")
	}
	for _, file := range files {
		t.Run(filepath.Base(file), func(t *testing.T) {
			schema, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			testSchema(t, string(schema))
		})
	}
}

// testSchema reads an export without rows and one with a row in each table.
func testSchema(t *testing.T, schema string) {
	path := filepath.Join(t.TempDir(), "empty.sqlite")
	nsystest.WriteDatabase(t, path, schema)
	traces, err := Read(context.Background(), path, nil)
	if err != nil {
		t.Fatal(err)
	}
	if len(traces) != 1 || traces[0].Recorded != 0 || traces[0].Identity.Rank != -1 || len(traces[0].Warnings) != 1 {
		t.Errorf("without rows: got %d traces, recorded %b, %v want one, nothing, a warning", len(traces), traces[0].Recorded, traces[0].Warnings)
	}
	path = filepath.Join(t.TempDir(), "rows.sqlite")
	nsystest.WriteDatabase(t, path, schema)
	want := insertEverywhere(t, path)
	if traces, err = Read(context.Background(), path, nil); err != nil {
		t.Fatal(err)
	}
	if got := traces[0].Recorded; got != want {
		t.Errorf("with rows: recorded: got %b want %b", got, want)
	}
	for _, s := range traces[0].Device {
		if s.Kind == trace.Kernel && (s.Start != 100 || s.End != 200 || s.Launch != 50 || s.Stream != 7 || traces[0].Names.Text(s.Name) != "name") {
			t.Errorf("kernel: got %+v want [100, 200) on stream 7, launched at 50, called name", s)
		}
	}
}
