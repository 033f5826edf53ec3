package main

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"perfdiff/analyze/shard"
	"perfdiff/analyze/synth"
)

// sizedSet is a directory with empty profiles of these sizes, in thousands of bytes.
func sizedSet(t *testing.T, sizes map[string]int) string {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "set")
	for name, size := range sizes {
		path := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, bytes.Repeat([]byte{' '}, size*1000), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

func TestPlan(t *testing.T) {
	dir := sizedSet(t, map[string]int{
		"node0/rank0.sqlite": 50, "node0/rank1.sqlite": 20, "node1/rank2.sqlite": 20, "node1/rank3.sqlite": 12,
		"node1/tables_pqtdir/CUPTI_ACTIVITY_KIND_KERNEL.parquet": 10, "node1/tables_pqtdir/StringIds.parquet": 1,
		"node1/.hidden.sqlite": 9, "node1/notes.md": 1,
	})
	out := filepath.Join(filepath.Dir(dir), "plan.json")
	stdout, stderr, status := runSeveral("plan", dir, "--shards", "2", "-o", out)
	if status != statusOK || stderr != "" {
		t.Fatalf("got status %d: %s", status, stderr)
	}
	for _, want := range []string{"2 shards of 5 files, 0.11 MB", "0       2     0.06 MB  node0/rank0.sqlite (0.05 MB)", "1       3     0.05 MB  node0/rank1.sqlite (0.02 MB)",
		"1.08 times the mean", "summarize " + dir + " --shard auto --plan " + out} {
		if !strings.Contains(plainSpaces(stdout), want) {
			t.Errorf("got %q, want %q in it", stdout, want)
		}
	}
	p, err := shard.ReadPlan(out)
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, f := range p.Files {
		got = append(got, fmt.Sprintf("%s %d %d", f.Path, f.Bytes, f.Shard))
	}
	want := "node0/rank0.sqlite 50000 0, node0/rank1.sqlite 20000 1, node1/rank2.sqlite 20000 1, node1/rank3.sqlite 12000 1, node1/tables_pqtdir 11000 0"
	if text := strings.Join(got, ", "); text != want {
		t.Errorf("got %s, want %s", text, want)
	}
	first, _ := os.ReadFile(out)
	runSeveral("plan", "--quiet", dir, "--shards", "2", "-o", out)
	if again, _ := os.ReadFile(out); !bytes.Equal(first, again) {
		t.Errorf("a second plan of the same files differs")
	}
}

// TestPlanCommand: what is printed is read by a shell as it was meant.
func TestPlanCommand(t *testing.T) {
	t.Chdir(filepath.Dir(sizedSet(t, map[string]int{"rank0.sqlite": 1})))
	if err := os.Rename("set", "my runs"); err != nil {
		t.Fatal(err)
	}
	stdout, _ := mustRun(t, statusOK, "plan", "my runs", "--shards", "1", "-o", "it's my plan.json")
	if want := `Each process: perfdiff summarize 'my runs' --shard auto --plan 'it'\''s my plan.json' -o parts/`; !strings.Contains(stdout, want) {
		t.Errorf("got %s, want %s", stdout, want)
	}
	t.Chdir("my runs")
	if stdout, _ = mustRun(t, statusOK, "plan", ".", "--shards", "1", "-o", "../p.json"); !strings.Contains(stdout, "summarize . --shard auto --plan ../p.json -o ../parts/\n") {
		t.Errorf("got %s", stdout)
	}
	if stdout, _ = mustRun(t, statusOK, "demo", "some data"); !strings.Contains(stdout, "perfdiff 'some data/baseline' 'some data/candidate' -o report.html") {
		t.Errorf("got %s", stdout)
	}
}

// TestPlanOfOneLargeFile holds that a file too large for any balance is named.
func TestPlanOfOneLargeFile(t *testing.T) {
	sizes := map[string]int{"rank0.sqlite": 1000}
	for i := range 40 {
		sizes[fmt.Sprintf("rank%d.sqlite", i+1)] = 10 + i
	}
	out := filepath.Join(t.TempDir(), "plan.json")
	stdout, _, _ := runSeveral("plan", sizedSet(t, sizes), "--shards", "36", "-o", out)
	for _, want := range []string{"16.5 times the mean", "one file, rank0.sqlite, that cannot be divided: 3 shards would be as fast", "and 4 more shards of"} {
		if !strings.Contains(plainSpaces(stdout), want) {
			t.Errorf("got %q, want %q in it", stdout, want)
		}
	}
}

func TestPlanRefuses(t *testing.T) {
	dir := sizedSet(t, map[string]int{"rank0.sqlite": 1, "rank1.sqlite": 1})
	out := filepath.Join(t.TempDir(), "plan.json")
	empty, link := t.TempDir(), filepath.Join(t.TempDir(), "link")
	if err := os.Symlink(dir, link); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		args []string
		want string
	}{
		{[]string{dir, "-o", out}, "--shards N is missing"},
		{[]string{dir, "--shards", "0", "-o", out}, "must be 1 to 999999"},
		{[]string{dir, "--shards", "3", "-o", out}, "3 shards for 2 files"},
		{[]string{dir, "--shards", "2"}, "-o FILE is missing"},
		{[]string{"--shards", "2", "-o", out}, "expected one RUNSET"},
		{[]string{dir, "--shards", "2", "-o", filepath.Join(dir, "plan.json")}, "lies in the run set"},
		{[]string{link, "--shards", "2", "-o", filepath.Join(dir, "plan.json")}, "lies in the run set"},
		{[]string{dir, "--shards", "2", "-o", filepath.Join(empty, "none", "plan.json")}, "make the folder first"},
		{[]string{empty, "--shards", "2", "-o", out}, "no profiles"},
		{[]string{filepath.Join(empty, "none"), "--shards", "2", "-o", out}, "no such file"},
	} {
		_, stderr, status := runSeveral(append([]string{"plan"}, c.args...)...)
		if status != statusError || !strings.Contains(stderr, c.want) {
			t.Errorf("%v: got status %d, %q, want %q", c.args, status, stderr, c.want)
		}
		if _, err := os.Stat(out); err == nil {
			t.Errorf("%v: a plan was written", c.args)
		}
	}
}

// TestPlanOfSummary holds that what was measured already is not divided.
func TestPlanOfSummary(t *testing.T) {
	dir := writeStory(t, "aa", synth.Nsight)
	saved := filepath.Join(t.TempDir(), "a.perfdiff")
	if _, stderr, status := runSeveral("summarize", "-q", filepath.Join(dir, "baseline"), "-o", saved); status != statusOK {
		t.Fatal(stderr)
	}
	_, stderr, status := runSeveral("plan", saved, "--shards", "1", "-o", filepath.Join(t.TempDir(), "plan.json"))
	if status != statusError || !strings.Contains(stderr, "is a saved summary") {
		t.Errorf("got status %d, %q", status, stderr)
	}
}
