package synth_test

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"reflect"

	"strings"
	"testing"

	"perfdiff/analyze"
	"perfdiff/analyze/run"
	"perfdiff/analyze/step"
	"perfdiff/analyze/synth"
	"perfdiff/analyze/synth/parquetdir"
	"perfdiff/testdata"
)

// write writes a story and returns its directory.
func write(t *testing.T, name string, format synth.Format) string {
	t.Helper()
	text, err := testdata.Story(name)
	if err != nil {
		t.Fatal(err)
	}
	story, err := synth.Parse(name, text)
	if err != nil {
		t.Fatal(err)
	}
	story.Tables = parquetdir.Write
	dir := t.TempDir()
	if _, err := story.Write(context.Background(), dir, format); err != nil {
		t.Fatal(err)
	}
	return dir
}

func load(t *testing.T, dir string) *run.Set {
	t.Helper()
	set, err := analyze.Load(context.Background(), dir, analyze.Options{Step: step.Options{SkipFirst: -1}})
	if err != nil {
		t.Fatal(err)
	}
	return set
}

// TestParquetIsSQLite: a rank measures the same in every value, fact, receipt
// and count, whichever of the two its export was written to.
func TestParquetIsSQLite(t *testing.T) {
	for _, name := range testdata.Names() {
		if name == "truncated" {
			continue // half a file holds no table, half a directory all but one
		}
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			a, b := load(t, write(t, name, synth.Nsight)+"/candidate"), load(t, write(t, name, synth.NsightParquet)+"/candidate")
			for i := range a.Runs {
				sameRanks(t, a.Runs[i].Ranks, b.Runs[i].Ranks)
			}
		})
	}
}

func sameRanks(t *testing.T, a, b []run.Rank) {
	t.Helper()
	if len(a) != len(b) {
		t.Fatalf("got %d ranks want %d", len(b), len(a))
	}
	for i := range a {
		for _, r := range []*run.Rank{&a[i], &b[i]} {
			r.Files = nil // named after the format
			for j := range r.Receipts {
				r.Receipts[j].File = ""
			}
		}
		if !reflect.DeepEqual(a[i].Whole, b[i].Whole) {
			t.Errorf("rank %d: the whole captures differ: got %+v, want %+v", a[i].Rank, b[i].Whole, a[i].Whole)
		}
		if !reflect.DeepEqual(a[i].Reads, b[i].Reads) {
			t.Errorf("rank %d: the single reads differ: got %+v, want %+v", a[i].Rank, b[i].Reads, a[i].Reads)
		}
		if !reflect.DeepEqual(a[i].MemoryPeak, b[i].MemoryPeak) {
			t.Errorf("rank %d: the peaks of memory differ: got %+v, want %+v", a[i].Rank, b[i].MemoryPeak, a[i].MemoryPeak)
		}
		if !reflect.DeepEqual(a[i].Launched, b[i].Launched) {
			t.Errorf("rank %d: where kernels are launched differs: got %+v, want %+v", a[i].Rank, b[i].Launched, a[i].Launched)
		}
		for _, r := range []*run.Rank{&a[i], &b[i]} { // what follows would compare pointers
			r.Whole, r.Reads, r.MemoryPeak, r.Launched = nil, nil, nil, nil
		}
		if x, y := fmt.Sprintf("%+v", a[i]), fmt.Sprintf("%+v", b[i]); x != y && !reflect.DeepEqual(a[i], b[i]) {
			t.Errorf("rank %d differs: got\n%.600s\nwant\n%.600s", a[i].Rank, y, x)
		}
	}
}

// TestParquetSets: a run set may hold both, and of two exports of one report
// one is read.
func TestParquetSets(t *testing.T) {
	sqlite, parquet := write(t, "aa", synth.Nsight)+"/baseline", write(t, "aa", synth.NsightParquet)+"/baseline"
	whole := load(t, sqlite)
	move := func(from, to string) {
		t.Helper()
		if err := os.Rename(from, to); err != nil {
			t.Fatal(err)
		}
	}
	move(filepath.Join(parquet, "report.0_pqtdir"), filepath.Join(sqlite, "report.0_pqtdir"))
	both := load(t, sqlite)
	if len(both.Runs) != 1 || len(both.Runs[0].Ranks) != len(whole.Runs[0].Ranks) || both.Digest != whole.Digest {
		t.Errorf("two exports of a report: got %d ranks, want %d", len(both.Runs[0].Ranks), len(whole.Runs[0].Ranks))
	}
	if err := os.Remove(filepath.Join(sqlite, "report.0.sqlite")); err != nil {
		t.Fatal(err)
	}
	mixed := load(t, sqlite)
	if f := mixed.Files[0]; len(mixed.Runs) != 1 || f.Name != "report.0_pqtdir" || f.Format != "nsys parquet" || f.Bytes == 0 || f.Digest == "" {
		t.Errorf("a mixed set: got %d runs, first file %+v", len(mixed.Runs), f)
	}
	sameRanks(t, whole.Runs[0].Ranks, mixed.Runs[0].Ranks)
	one := load(t, filepath.Join(parquet, "report.1_pqtdir"))
	if len(one.Runs) != 1 || len(one.Runs[0].Ranks) != 1 || one.Runs[0].Ranks[0].Rank != 1 {
		t.Errorf("one export given by itself: got %+v", one.Runs)
	}
	arrow := t.TempDir()
	if err := os.WriteFile(filepath.Join(arrow, "CUPTI_ACTIVITY_KIND_KERNEL.arrow"), []byte("ARROW1\x00\x00"), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := analyze.Load(context.Background(), arrow, analyze.Options{}); err == nil || !strings.Contains(err.Error(), "Arrow") {
		t.Errorf("a directory of Arrow files: got error %v", err)
	}
}
