package main

import (
	"bytes"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"perfdiff/analyze/synth"
	"perfdiff/testdata"
)

// measureShards measures a run set in so many shards, and returns the directory of their parts.
func measureShards(t *testing.T, set string, shards int, flags ...string) string {
	t.Helper()
	parts := filepath.Join(t.TempDir(), "parts")
	for i := range shards {
		args := append([]string{"summarize", set, "-q", "--shard", fmt.Sprintf("%d/%d", i, shards), "-o", parts}, flags...)
		mustRun(t, statusOK, args...)
	}
	return parts
}

// mergesTo merges parts and compares the summary with the file want, byte by byte.
func mergesTo(t *testing.T, want, parts string, flags ...string) (merged string) {
	t.Helper()
	merged = filepath.Join(t.TempDir(), "merged.perfdiff")
	mustRun(t, statusOK, append([]string{"merge", parts, "-q", "-o", merged}, flags...)...)
	a, err := os.ReadFile(want)
	if err != nil {
		t.Fatal(err)
	}
	if b, err := os.ReadFile(merged); err != nil || !bytes.Equal(a, b) {
		t.Errorf("%s: the merged summary is not that of one machine, %d and %d bytes (%v)", parts, len(b), len(a), err)
	}
	return merged
}

// wholeSummary is the summary that one machine writes of a run set.
func wholeSummary(t *testing.T, set string, flags ...string) string {
	t.Helper()
	file := filepath.Join(t.TempDir(), "whole.perfdiff")
	mustRun(t, statusOK, append([]string{"summarize", set, "-q", "-o", file}, flags...)...)
	return file
}

// TestMergedStories: of every story, the parts of several shards merged are the summary of the whole,
// byte by byte, also where files cannot be read.
func TestMergedStories(t *testing.T) {
	for _, name := range testdata.Names() {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			dir := writeStory(t, name, synth.Nsight)
			for _, side := range []string{"baseline", "candidate"} {
				set, parts, shards := filepath.Join(dir, side), filepath.Join(t.TempDir(), "parts"), 3
				if files := countFiles(t, set); files < shards {
					shards = files
				}
				for i := range shards {
					var out, errs bytes.Buffer
					got := run(t.Context(), []string{"summarize", set, "-q", "--shard", fmt.Sprintf("%d/%d", i, shards), "-o", parts}, &out, &errs)
					if cut := strings.Contains(errs.String(), ": truncated: "); got != statusOK && !(cut && got == statusCorrupt) {
						t.Fatalf("exit %d: %s", got, &errs)
					}
				}
				mergesTo(t, wholeSummary(t, set), parts)
			}
		})
	}
}

// countFiles counts the files below a directory.
func countFiles(t *testing.T, dir string) (n int) {
	t.Helper()
	err := filepath.WalkDir(dir, func(_ string, d fs.DirEntry, err error) error {
		if err == nil && !d.IsDir() {
			n++
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return n
}

// TestMergedNodes: 64 ranks on 8 nodes, divided as launchers say, by a plan, and by each machine for
// itself, make the same reports as one machine that sees all profiles.
func TestMergedNodes(t *testing.T) {
	dir, _ := writeEdited(t, "nodes-in-directories", synth.Nsight, strings.NewReplacer("nodes: 2", "nodes: 8", "ranks: 8", "ranks: 64", "steps: 24", "steps: 14"))
	base, cand := filepath.Join(dir, "baseline"), filepath.Join(dir, "candidate")
	want := [2]string{wholeSummary(t, base), wholeSummary(t, cand)}
	started := func(env map[string]string, set, parts string, flags ...string) {
		t.Helper()
		for name, value := range env {
			t.Setenv(name, value)
		}
		mustRun(t, statusOK, append([]string{"summarize", set, "-q", "--shard", "auto", "-o", parts}, flags...)...)
		for name := range env {
			os.Unsetenv(name)
		}
	}
	ompi, array := filepath.Join(t.TempDir(), "parts"), filepath.Join(t.TempDir(), "parts")
	plan := filepath.Join(t.TempDir(), "plan.json")
	mustRun(t, statusOK, "plan", cand, "--shards", "5", "-q", "-o", plan)
	for i := range 8 {
		started(map[string]string{"OMPI_COMM_WORLD_RANK": fmt.Sprint(i), "OMPI_COMM_WORLD_SIZE": "8"}, base, ompi)
	}
	for _, i := range []int{4, 2, 0, 3, 1} { // as they end, and started again as --array=3,5 is
		started(map[string]string{"SLURM_ARRAY_TASK_ID": fmt.Sprint(i), "SLURM_ARRAY_TASK_COUNT": "2", "SLURM_ARRAY_TASK_MIN": "0",
			"SLURM_ARRAY_TASK_MAX": "4", "SLURM_ARRAY_TASK_STEP": "1"}, cand, array, "--plan", plan)
	}
	merged := [2]string{mergesTo(t, want[0], ompi), mergesTo(t, want[1], array)}
	reports := t.TempDir()
	for i, sides := range [][]string{{base, cand}, merged[:]} {
		mustRun(t, statusOK, append(sides, "-q", "--warn-only", "-o", filepath.Join(reports, fmt.Sprintf("%d.html", i)), "-o", filepath.Join(reports, fmt.Sprintf("%d.json", i)))...)
	}
	for _, ext := range []string{".html", ".json"} {
		a, _ := os.ReadFile(filepath.Join(reports, "0"+ext))
		if b, err := os.ReadFile(filepath.Join(reports, "1"+ext)); err != nil || !bytes.Equal(a, b) {
			t.Errorf("%s of merged parts differs from that of the profiles (%v)", ext, err)
		}
	}
}

// TestMergedLocal: each machine measures what lies on its own disk, under one path; merged, that is
// the run set of all files in one directory. Machines that all see one directory leave one part.
func TestMergedLocal(t *testing.T) {
	dir, _ := writeEdited(t, "nodes-in-directories", synth.Nsight, strings.NewReplacer("nodes: 2", "nodes: 4", "ranks: 8", "ranks: 16", "layout: nodes", "layout: ''"))
	all, parts := filepath.Join(dir, "candidate"), filepath.Join(t.TempDir(), "parts")
	for node := range 4 {
		disk := filepath.Join(t.TempDir(), "candidate")
		if err := os.Mkdir(disk, 0o755); err != nil {
			t.Fatal(err)
		}
		for rank := 4 * node; rank < 4*node+4; rank++ {
			name := fmt.Sprintf("report.%d.sqlite", rank)
			if err := os.Link(filepath.Join(all, name), filepath.Join(disk, name)); err != nil {
				t.Fatal(err)
			}
		}
		mustRun(t, statusOK, "summarize", disk, "-q", "--shard", "local", "-o", parts)
	}
	want := wholeSummary(t, all)
	mergesTo(t, want, parts)

	same := filepath.Join(t.TempDir(), "parts")
	for range 2 {
		mustRun(t, statusOK, "summarize", all, "-q", "--shard", "local", "-o", same)
	}
	if n := countFiles(t, same); n != 1 {
		t.Errorf("two machines that see the same files left %d parts, want 1", n)
	}
	mergesTo(t, want, same)
	mustRun(t, statusOK, "summarize", all, "-q", "--shard", "local", "-o", parts) // and one that saw all
	_, stderr := mustRun(t, statusOK, "merge", parts, "-q", "-o", filepath.Join(t.TempDir(), "x.perfdiff"))
	if !strings.Contains(stderr, "profiles that are in the parts of several machines, with one content: 16;") || !strings.Contains(stderr, "--shard auto") {
		t.Errorf("got %q", stderr)
	}
}
