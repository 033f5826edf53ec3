package synth

import (
	"bytes"
	"compress/gzip"
	"context"
	"database/sql"
	"encoding/json"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"perfdiff/golden"
)

func open(t *testing.T, path string) *sql.DB {
	t.Helper()
	db, err := sql.Open("sqlite", "file:"+path+"?mode=ro&immutable=1")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { db.Close() })
	return db
}

func number(t *testing.T, db *sql.DB, query string) (n int64) {
	t.Helper()
	if err := db.QueryRow(query).Scan(&n); err != nil {
		t.Fatalf("%s: %v", query, err)
	}
	return n
}

func TestNsight(t *testing.T) {
	dir, truth := write(t, parse(t, "o-direct"), Nsight)
	db := open(t, dir+"/baseline/report.9.sqlite")
	kernels := 1 + 1 // launched behind the last step: a copy and a kernel
	for _, s := range truth.Baseline[0].Ranks[9].Steps {
		for _, k := range s.Kernels {
			kernels += k.Launches
		}
	}
	tests := []struct {
		query string
		want  int
	}{
		{"SELECT count(*) FROM CUPTI_ACTIVITY_KIND_KERNEL", kernels - 1},
		{"SELECT count(*) FROM CUPTI_ACTIVITY_KIND_MEMCPY WHERE copyKind = 1 AND bytes = 113246208", 20},
		{"SELECT count(*) FROM CUPTI_ACTIVITY_KIND_KERNEL k JOIN CUPTI_ACTIVITY_KIND_RUNTIME r USING (correlationId) " +
			"WHERE r.globalTid & ~0xFFFFFF = k.globalPid AND r.start < k.start", kernels - 1},
		{"SELECT count(*) FROM NVTX_EVENTS WHERE text GLOB 'step *' AND eventType = 59", 19},
		{"SELECT count(*) FROM NVTX_EVENTS n JOIN StringIds s ON n.textId = s.id WHERE s.value = 'ncclAllReduce' AND domainId = 1", 3 * 19},
		{"SELECT count(DISTINCT threadId) FROM OSRT_FILE_ACCESS_EVENTS WHERE eventType = 3", 1},
		{"SELECT sum(bytesProcessed) FROM OSRT_FILE_ACCESS_EVENTS", 20 * 286_000_000},
		{"SELECT count(*) FROM OSRT_API o JOIN StringIds s ON o.nameId = s.id WHERE s.value = 'read'", 20 * 35},
		{"SELECT count(*) FROM META_DATA_CAPTURE WHERE value = 'SLURM_PROCID=\"9\"'", 1},
		{"SELECT count(*) FROM TARGET_INFO_SYSTEM_ENV WHERE name = 'Hostname' AND value = 'node0002'", 1},
		{"SELECT min(deviceId) FROM CUPTI_ACTIVITY_KIND_KERNEL", 1},
		{"PRAGMA page_size", 4096},
	}
	for _, tt := range tests {
		if got := number(t, db, tt.query); got != int64(tt.want) {
			t.Errorf("%s: got %d, want %d", tt.query, got, tt.want)
		}
	}
	var ok string
	if err := db.QueryRow("PRAGMA integrity_check").Scan(&ok); err != nil || ok != "ok" {
		t.Errorf("integrity check: got %q, %v", ok, err)
	}
}

func TestGraphs(t *testing.T) {
	dir, truth := write(t, parse(t, "graphs"), Nsight)
	db := open(t, dir+"/baseline/report.0.sqlite")
	// A graph for forward and backward each and one for the optimizer; the
	// first of the step behind the last is there too.
	if got := number(t, db, "SELECT count(*) FROM CUPTI_ACTIVITY_KIND_GRAPH_TRACE"); got != 3*30+1 {
		t.Errorf("graph replays: got %d, want %d", got, 3*30+1)
	}
	if got := number(t, db, "SELECT count(*) FROM CUPTI_ACTIVITY_KIND_KERNEL"); got != 30 {
		t.Errorf("kernels beside the graphs: got %d, want the 30 collectives", got)
	}
	if s := truth.Baseline[0].Ranks[0].Steps[0]; s.Graphs != 3 || len(s.Kernels) != 1 {
		t.Errorf("truth: got %d graphs, %d kernels, want 3, 1", s.Graphs, len(s.Kernels))
	}
}

// TestOwnSchema holds the tables to those of real exports of the same versions.
func TestOwnSchema(t *testing.T) {
	for file, schema := range map[string]string{"osrt-2024.6.sqlite": "3.16.1", "graphs-fileaccess-2025.5.sqlite": "3.24.0"} {
		db := open(t, golden.Real(t, "nsys/"+file))
		for table := range tables {
			var real string
			if err := db.QueryRow("SELECT sql FROM sqlite_schema WHERE name = ?", table).Scan(&real); err != nil {
				continue // exports have only the tables that they need
			}
			if got, want := strings.Fields(ddl(table, schema)), strings.Fields(withoutComments(real)); !slices.Equal(got, want) {
				t.Errorf("%s, %s: got\n%s\nwant\n%s", schema, table, got, want)
			}
		}
	}
}

func withoutComments(ddl string) string {
	lines := strings.Split(ddl, "\n")
	for i, l := range lines {
		lines[i], _, _ = strings.Cut(l, "--")
	}
	return strings.Join(lines, "\n")
}

// event is what the tests look at.
type event struct {
	Ph, Cat, Name string
	Ts            json.Number
	Args          map[string]any
}

type kinetoFile struct {
	Base   int64              `json:"baseTimeNanoseconds"`
	Dist   struct{ Rank int } `json:"distributedInfo"`
	Events []event            `json:"traceEvents"`
}

func TestKineto(t *testing.T) {
	dir, truth := write(t, parse(t, "few-steps"), KinetoGzip)
	f, err := os.Open(filepath.Join(dir, "candidate", truth.Candidate[0].Ranks[3].File))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	z, err := gzip.NewReader(f)
	if err != nil {
		t.Fatal(err)
	}
	text, err := io.ReadAll(z)
	if err != nil {
		t.Fatal(err)
	}
	var doc kinetoFile
	d := json.NewDecoder(bytes.NewReader(text))
	if err := d.Decode(&doc); err != nil {
		t.Fatal(err)
	}
	counts := map[string]int{}
	for _, e := range doc.Events {
		counts[e.Cat]++
		if e.Name == loaderRange || strings.HasPrefix(e.Name, "ProfilerStep#") {
			counts[e.Name]++
		}
		if _, decimals, ok := strings.Cut(e.Ts.String(), "."); !ok || len(decimals) != 3 {
			t.Errorf("%s: time stamp %s, want three decimals", e.Name, e.Ts)
		}
		if e.Args["Collective name"] == "allreduce" {
			counts["allreduce"]++
		}
	}
	perStep := 4*3 + 4*4 + optimizerLaunches + 2 // layers, and two collectives
	for what, want := range map[string]int{
		"kernel": 5*perStep + 1, "gpu_memcpy": 6, "ProfilerStep#0": 1, "ProfilerStep#4": 1, loaderRange: 6, "allreduce": 10,
		"cuda_runtime": 5*perStep + 1 + 6 + 5,
	} {
		if counts[what] != want {
			t.Errorf("%s: got %d, want %d", what, counts[what], want)
		}
	}
	if doc.Dist.Rank != 3 || doc.Base < 1_694_128_200_000_000_000 {
		t.Errorf("got rank %d, base %d, want 3 and the run's time", doc.Dist.Rank, doc.Base)
	}
}

func TestTruncated(t *testing.T) {
	dir, truth := write(t, parse(t, "truncated"), Nsight)
	whole, err := os.Stat(dir + "/candidate/report.0.sqlite")
	if err != nil {
		t.Fatal(err)
	}
	cut, err := os.Stat(dir + "/candidate/report.1.sqlite")
	if err != nil {
		t.Fatal(err)
	}
	if share := float64(cut.Size()) / float64(whole.Size()); share < 0.4 || share > 0.6 {
		t.Errorf("the file that was cut has %.2f of another's size, want about half", share)
	}
	if !truth.Candidate[0].Ranks[1].Truncated || truth.Candidate[0].Ranks[0].Truncated {
		t.Errorf("the truth does not say which file was cut")
	}
}

func TestCancel(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	dir := t.TempDir()
	if _, err := parse(t, "aa").Write(ctx, dir, Nsight); err == nil {
		t.Errorf("writing under a cancelled context: got no error")
	}
	if _, files := digest(t, dir); len(files) > 0 {
		t.Errorf("files were left: %v", files)
	}
}
