package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"perfdiff/analyze/synth"
)

// onDisks puts the profiles of 8 ranks on two disks, under the names that name gives, and measures
// each disk by itself.
func onDisks(t *testing.T, profiles string, name func(rank int) string) (disks [2]string, parts string) {
	t.Helper()
	parts = filepath.Join(t.TempDir(), "parts")
	for node := range disks {
		disks[node] = filepath.Join(t.TempDir(), "candidate")
		if err := os.Mkdir(disks[node], 0o755); err != nil {
			t.Fatal(err)
		}
		for rank := 4 * node; rank < 4*node+4; rank++ {
			if err := os.Link(filepath.Join(profiles, fmt.Sprintf("report.%d.sqlite", rank)), filepath.Join(disks[node], name(rank))); err != nil {
				t.Fatal(err)
			}
		}
		mustRun(t, statusOK, "summarize", disks[node], "-q", "--shard", "local", "-o", parts)
	}
	return disks, parts
}

// TestMergedLocalNames: where machines have profiles of the same names, each machine's count as those
// of a directory of its own.
func TestMergedLocalNames(t *testing.T) {
	dir, _ := writeEdited(t, "nodes-in-directories", synth.Nsight, strings.NewReplacer("layout: nodes", "layout: ''"))
	disks, parts := onDisks(t, filepath.Join(dir, "candidate"), func(rank int) string { return fmt.Sprintf("report.%d.sqlite", rank%4) })
	names, _ := filepath.Glob(filepath.Join(parts, "*")) // in the order in which machines are numbered
	set := filepath.Join(t.TempDir(), "candidate")
	only := filepath.Join(t.TempDir(), "parts")
	mustRun(t, statusOK, "summarize", disks[0], "-q", "--shard", "local", "-o", only)
	if first, _ := filepath.Glob(filepath.Join(only, "*")); filepath.Base(first[0]) != filepath.Base(names[0]) {
		disks[0], disks[1] = disks[1], disks[0]
	}
	for i := range names {
		if err := os.CopyFS(filepath.Join(set, fmt.Sprintf("machine-%d", i+1)), os.DirFS(disks[i])); err != nil {
			t.Fatal(err)
		}
	}
	mergesTo(t, wholeSummary(t, set), parts)
}

// TestMergeLocalRefuses: a machine that is missing is told by the size of the job, and a rank that the
// disks of two machines hold, as of a job that was started again elsewhere, by the rank.
func TestMergeLocalRefuses(t *testing.T) {
	dir, _ := writeEdited(t, "nodes-in-directories", synth.Kineto, strings.NewReplacer("layout: nodes", "layout: ''"))
	all, before := filepath.Join(dir, "candidate"), filepath.Join(dir, "baseline")
	put := func(disk string, from string, names ...string) string {
		t.Helper()
		disk = filepath.Join(t.TempDir(), disk)
		if err := os.MkdirAll(disk, 0o755); err != nil {
			t.Fatal(err)
		}
		for _, name := range names {
			if err := os.Link(filepath.Join(from, name), filepath.Join(disk, name)); err != nil {
				t.Fatal(err)
			}
		}
		return disk
	}
	names := func(set string) (out []string) {
		files, err := os.ReadDir(set)
		if err != nil || len(files) != 8 {
			t.Fatal(err, len(files))
		}
		for _, f := range files {
			out = append(out, f.Name())
		}
		return out
	}
	parts, out := filepath.Join(t.TempDir(), "parts"), filepath.Join(t.TempDir(), "run.perfdiff")
	mustRun(t, statusOK, "summarize", put("candidate", all, names(all)[:5]...), "-q", "--shard", "local", "-o", parts)
	_, stderr := mustRun(t, statusNotJudged, "merge", parts, "-q", "-o", out)
	if !strings.Contains(stderr, "candidate: 3 of 8 ranks of the job are in no part: 5, 6, 7 (run perfdiff summarize RUNSET --shard local") {
		t.Errorf("got %s", stderr)
	}
	_, stderr = mustRun(t, statusOK, "merge", parts, "-q", "--allow-missing", "-o", out)
	if !strings.Contains(stderr, "3 of 8 ranks of the job are in no part: 5, 6, 7; they are left out") {
		t.Errorf("got %s", stderr)
	}
	text := filepath.Join(t.TempDir(), "report.txt")
	mustRun(t, statusRegressed, before, out, "-q", "-o", text)
	if report, err := os.ReadFile(text); err != nil || !strings.Contains(string(report), "3 ranks missing: 5-7") {
		t.Errorf("the report does not name the missing ranks (%v):\n%s", err, report)
	}
	mustRun(t, statusOK, "summarize", put("candidate", before, names(before)[4:]...), "-q", "--shard", "local", "-o", parts)
	_, stderr = mustRun(t, statusCorrupt, "merge", parts, "-q", "-o", out)
	if !strings.Contains(stderr, "rank 4 is in "+filepath.Join(parts, "shard-local-")) || !strings.Contains(stderr, "(move the part of the wrong attempt elsewhere)") {
		t.Errorf("got %s", stderr)
	}
}

// TestMergeMarkers: where the steps of two shards were found by different markers, none is guessed;
// once the user says what a step is, the result is that of one machine.
func TestMergeMarkers(t *testing.T) {
	dir := writeStory(t, "aa", synth.Nsight)
	set := filepath.Join(dir, "candidate")
	if err := alterFile(filepath.Join(set, "report.3.sqlite"), "DELETE FROM NVTX_EVENTS WHERE text LIKE 'step %'"); err != nil {
		t.Fatal(err)
	}
	parts, out := measureShards(t, set, 4), filepath.Join(t.TempDir(), "run.perfdiff")
	_, stderr := mustRun(t, statusCorrupt, "merge", parts, "-q", "-o", out)
	for _, want := range []string{"the steps of report.0.sqlite were found by range", "and those of report.3.sqlite by", "--step-range REGEX or --step-kernel REGEX"} {
		if !strings.Contains(stderr, want) {
			t.Errorf("got %s want %q", stderr, want)
		}
	}
	flags := []string{"--step-range", `^step (\d+)$`}
	mergesTo(t, wholeSummary(t, set, flags...), measureShards(t, set, 4, flags...))
}
