package main

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"perfdiff/analyze/synth"
)

// copyParts copies parts into a new directory.
func copyParts(t *testing.T, from string) string {
	t.Helper()
	to := filepath.Join(t.TempDir(), "parts")
	if err := os.CopyFS(to, os.DirFS(from)); err != nil {
		t.Fatal(err)
	}
	return to
}

// TestMergeRefuses: what is missing, damaged, there twice, foreign or of another attempt is refused by
// name, with what mends it, and nothing is written.
func TestMergeRefuses(t *testing.T) {
	dir := writeStory(t, "aa", synth.Nsight)
	set, other := filepath.Join(dir, "baseline"), filepath.Join(dir, "candidate")
	good := measureShards(t, set, 4)
	part := func(n string) string { return "shard-00000" + n + "-of-000004.part" }
	plan := filepath.Join(t.TempDir(), "plan.json")
	mustRun(t, statusOK, "plan", set, "--shards", "4", "-q", "-o", plan)
	planned, ofCandidate, two, longer := measureShards(t, set, 4, "--plan", plan), measureShards(t, other, 4), measureShards(t, set, 2), measureShards(t, set, 4, "--skip-first", "3")
	put := func(parts, name, from string) {
		t.Helper()
		data, err := os.ReadFile(from)
		if err == nil {
			err = os.WriteFile(filepath.Join(parts, name), data, 0o644)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	remove := func(path string) {
		t.Helper()
		if err := os.Remove(path); err != nil {
			t.Fatal(err)
		}
	}
	for _, tt := range []struct {
		name   string
		spoil  func(parts string)
		status int
		want   []string
	}{
		{"missing", func(p string) { remove(filepath.Join(p, part("1"))); remove(filepath.Join(p, part("3"))) }, statusNotJudged,
			[]string{"2 of 4 shards: 1, 3: ranks 1, 3 by the names", "--shard I/4 -o DIR for I in 1 3", "--allow-missing"}},
		{"cut", func(p string) {
			if err := os.Truncate(filepath.Join(p, part("2")), 5000); err != nil {
				t.Fatal(err)
			}
		}, statusNotJudged, []string{part("2") + ": is damaged", "--shard 2/4 -o DIR, with the same --plan"}},
		{"empty part", func(p string) {
			if err := os.Truncate(filepath.Join(p, part("2")), 0); err != nil {
				t.Fatal(err)
			}
		}, statusNotJudged, []string{part("2") + ": is damaged", "--shard 2/4 -o DIR"}},
		{"cut in its first line", func(p string) {
			if err := os.Truncate(filepath.Join(p, part("2")), 5); err != nil {
				t.Fatal(err)
			}
		}, statusNotJudged, []string{part("2") + ": is damaged", "--shard 2/4 -o DIR"}},
		{"two faults", func(p string) {
			for _, n := range []string{"1", "2"} {
				if err := os.Truncate(filepath.Join(p, part(n)), 5000); err != nil {
					t.Fatal(err)
				}
			}
		}, statusNotJudged, []string{"perfdiff: error: parts are missing: DIR/" + part("1") + ": is damaged",
			"perfdiff: error: parts are missing: DIR/" + part("2") + ": is damaged"}},
		{"a bit", func(p string) {
			data, _ := os.ReadFile(filepath.Join(p, part("0")))
			data[len(data)/2] ^= 1
			if err := os.WriteFile(filepath.Join(p, part("0")), data, 0o644); err != nil {
				t.Fatal(err)
			}
		}, statusNotJudged, []string{part("0") + ": is damaged", "--shard 0/4"}},
		{"foreign", func(p string) { put(p, "notes.part", filepath.Join(set, "report.0.sqlite")) }, statusCorrupt,
			[]string{"notes.part: cannot be merged: is no part that perfdiff summarize --shard writes"}},
		{"later version", func(p string) {
			if err := os.WriteFile(filepath.Join(p, part("1")), []byte("perfdiff part 99\n{}\n"), 0o644); err != nil {
				t.Fatal(err)
			}
		}, statusCorrupt, []string{part("1"), `is a part of version "99"`, "with one perfdiff"}},
		{"two plans", func(p string) { put(p, part("3"), filepath.Join(planned, part("3"))) }, statusCorrupt,
			[]string{part("0") + " and " + part("3") + " are of two plans"}},
		{"two sets", func(p string) { put(p, part("3"), filepath.Join(ofCandidate, part("3"))) }, statusCorrupt,
			[]string{"is of run set baseline and " + part("3") + " of candidate"}},
		{"two numbers of shards", func(p string) {
			put(p, "shard-000000-of-000002.part", filepath.Join(two, "shard-000000-of-000002.part"))
		}, statusCorrupt,
			[]string{"shard-000000-of-000002.part", "is of 2 shards and", "of 4 (move"}},
		{"other options", func(p string) { put(p, part("3"), filepath.Join(longer, part("3"))) }, statusCorrupt,
			[]string{"were measured with different options"}},
		{"no parts", func(p string) { os.RemoveAll(p); os.Mkdir(p, 0o755) }, statusNotJudged, []string{"holds no parts"}},
		{"only what is being written", func(p string) {
			os.RemoveAll(p)
			os.Mkdir(p, 0o755)
			put(p, ".tmp.host.1.part", filepath.Join(good, part("1")))
		}, statusNotJudged, []string{"holds no parts"}},
		{"no directory", func(p string) { os.RemoveAll(p) }, statusError, []string{"no such file"}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			parts, out := copyParts(t, good), filepath.Join(t.TempDir(), "run.perfdiff")
			tt.spoil(parts)
			_, stderr := mustRun(t, tt.status, "merge", parts, "-q", "-o", out)
			for _, want := range tt.want {
				if want = strings.ReplaceAll(want, "DIR", parts); !strings.Contains(stderr, want) {
					t.Errorf("got %s\nwant %q", stderr, want)
				}
			}
			if _, err := os.Stat(out); err == nil {
				t.Error("a summary was written")
			}
		})
	}
	whole := wholeSummary(t, set)
	parts := copyParts(t, good)
	put(parts, "again.part", filepath.Join(good, part("2")))
	put(parts, ".tmp.node7.4711.0123456789abcdef", filepath.Join(good, part("2")))
	put(parts, "slurm-12_3.out", plan)
	mergesTo(t, whole, parts) // one part under two names, and what is none
	other = copyParts(t, good)
	_, stderr := mustRun(t, statusOK, "merge", good, other, "-q", "-o", filepath.Join(t.TempDir(), "run.perfdiff"))
	for _, dir := range []string{good, other} { // two directories of parts: names alone do not tell which
		if !strings.Contains(stderr, filepath.Join(dir, part("0"))) {
			t.Errorf("got %s want %s", stderr, filepath.Join(dir, part("0")))
		}
	}
}

// TestMergeAllowMissing: what was merged without some parts says so in the report, and fails a gate
// where too much is missing.
func TestMergeAllowMissing(t *testing.T) {
	dir := writeStory(t, "aa", synth.Nsight)
	parts, out := measureShards(t, filepath.Join(dir, "candidate"), 4), t.TempDir()
	run, text := filepath.Join(out, "run.perfdiff"), filepath.Join(out, "report.txt")
	for i, n := range []string{"1", "3"} {
		if err := os.Remove(filepath.Join(parts, "shard-00000"+n+"-of-000004.part")); err != nil {
			t.Fatal(err)
		}
		_, stderr := mustRun(t, statusOK, "merge", parts, "-q", "--allow-missing", "-o", run)
		if !strings.Contains(stderr, "report."+n+".sqlite: left out: was not measured: the part of shard "+n+" of 4 is missing") {
			t.Errorf("got %s", stderr)
		}
		want := []int{statusOK, statusNotJudged}[i] // a quarter of a side may be missing, more may not
		mustRun(t, want, filepath.Join(dir, "baseline"), run, "-q", "-o", text)
		report, err := os.ReadFile(text)
		if err != nil || !bytes.Contains(report, []byte("report."+n+".sqlite")) || !bytes.Contains(report, []byte("is missing")) {
			t.Errorf("the report does not say that rank %s was not measured (%v):\n%s", n, err, report)
		}
	}
	mustRun(t, statusNotJudged, "merge", parts, "-q", "-o", run)
}

// TestMergeAllowDamaged: with --allow-missing, a damaged part counts as one that is missing.
func TestMergeAllowDamaged(t *testing.T) {
	dir := writeStory(t, "aa", synth.Nsight)
	good := measureShards(t, filepath.Join(dir, "candidate"), 4)
	const name = "shard-000002-of-000004.part"
	for _, size := range []int64{0, 5, 5000} {
		parts, out := copyParts(t, good), filepath.Join(t.TempDir(), "run.perfdiff")
		if err := os.Truncate(filepath.Join(parts, name), size); err != nil {
			t.Fatal(err)
		}
		_, stderr := mustRun(t, statusOK, "merge", parts, "-q", "--allow-missing", "-o", out)
		for _, want := range []string{name + ": is damaged", "it counts as missing", "report.2.sqlite: left out: was not measured"} {
			if !strings.Contains(stderr, want) {
				t.Errorf("%d bytes: got %s want %q", size, stderr, want)
			}
		}
	}
}

// TestShardAgain: a part that is there is left as it is, a file that was written later is measured
// again, and two attempts leave the same bytes.
func TestShardAgain(t *testing.T) {
	dir := writeStory(t, "aa", synth.Nsight)
	set := filepath.Join(dir, "baseline")
	parts := measureShards(t, set, 2)
	path := filepath.Join(parts, "shard-000001-of-000002.part")
	first, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	again := func(want string) {
		t.Helper()
		out, _ := mustRun(t, statusOK, "summarize", set, "--shard", "1/2", "-o", parts)
		data, err := os.ReadFile(path)
		if !strings.HasPrefix(out, want+" ") || err != nil || !bytes.Equal(data, first) {
			t.Errorf("got %q, error %v, the same bytes: %v; want %q", out, err, bytes.Equal(data, first), want)
		}
	}
	again("found")
	if err := os.Truncate(path, 100); err != nil {
		t.Fatal(err)
	}
	again("wrote")
	later := time.Now().Add(time.Hour)
	if err := os.Chtimes(filepath.Join(set, "report.1.sqlite"), later, later); err != nil {
		t.Fatal(err)
	}
	again("wrote")
	if left, _ := filepath.Glob(filepath.Join(parts, ".tmp*")); len(left) > 0 {
		t.Errorf("%q are left", left)
	}
}

// TestShardUsage: what a shard cannot be asked is refused before a profile is read.
func TestShardUsage(t *testing.T) {
	dir := writeStory(t, "aa", synth.Nsight)
	set, parts := filepath.Join(dir, "baseline"), filepath.Join(t.TempDir(), "parts")
	file, plan := filepath.Join(t.TempDir(), "file"), filepath.Join(t.TempDir(), "plan.json")
	if err := os.WriteFile(file, nil, 0o644); err != nil {
		t.Fatal(err)
	}
	mustRun(t, statusOK, "plan", set, "--shards", "2", "-q", "-o", plan)
	for _, tt := range []struct {
		args []string
		want string
	}{
		{[]string{"--shard", "4/4", "-o", parts}, "shards count from 0"},
		{[]string{"--shard", "0/9", "-o", parts}, "9 shards for 4 files"},
		{[]string{"--plan", plan, "-o", parts}, "--shard is missing"},
		{[]string{"--shard", "", "-o", parts}, "--shard is empty, as of a variable that is not set"},
		{[]string{"--shard", "local", "--plan", plan, "-o", parts}, "leave one of them out"},
		{[]string{"--shard", "0/2", "--ranks", "0", "-o", parts}, "--ranks: is about the whole run set"},
		{[]string{"--shard", "0/2", "--label", "x", "-o", parts}, "give it to perfdiff merge"},
		{[]string{"--shard", "0/2", "-o", file}, "is a file: name a directory"},
		{[]string{"--shard", "0/2", "-o", filepath.Join(set, "parts")}, "lies in the run set"},
		{[]string{"--shard", "0/2", "--plan", file, "-o", parts}, "is no plan"},
	} {
		if _, stderr := mustRun(t, statusError, append([]string{"summarize", set}, tt.args...)...); !strings.Contains(stderr, tt.want) {
			t.Errorf("%v: got %s want %q", tt.args, stderr, tt.want)
		}
	}
	if _, err := os.Stat(parts); err == nil {
		t.Error("a part was written")
	}
	if err := os.WriteFile(filepath.Join(set, "report.9.sqlite"), []byte("x"), 0o644); err != nil {
		t.Fatal(err)
	}
	if _, stderr := mustRun(t, statusError, "summarize", set, "--shard", "0/2", "--plan", plan, "-o", parts); !strings.Contains(stderr, "report.9.sqlite: is not in the plan") {
		t.Errorf("got %s", stderr)
	}
}

// TestShardPlanLate: a file of the plan that is not seen yet keeps its own shard waiting and no other; a set of which
// nothing is there is another one.
func TestShardPlanLate(t *testing.T) {
	set, parts := filepath.Join(writeStory(t, "aa", synth.Nsight), "baseline"), filepath.Join(t.TempDir(), "parts")
	plan := filepath.Join(t.TempDir(), "plan.json")
	mustRun(t, statusOK, "plan", set, "-q", "--shards", "4", "-o", plan)
	rename(t, filepath.Join(set, "report.1.sqlite"), filepath.Join(t.TempDir(), "x"))
	again := 0
	for n := range 4 {
		_, stderr, status := runSeveral("summarize", set, "-q", "--shard", fmt.Sprintf("%d/4", n), "--plan", plan, "-o", parts)
		if again += map[int]int{statusAgain: 1}[status]; status != statusOK && status != statusAgain {
			t.Errorf("shard %d: got exit %d, %s", n, status, stderr)
		}
	}
	if again != 1 {
		t.Errorf("got %d shards that wait for the file, want 1", again)
	}
}

// TestShardElsewhere: where the machine lacks what reads a profile, or may not read it, nobody knows
// that it is damaged, and a part without it would be taken for whole.
func TestShardElsewhere(t *testing.T) {
	set, parts := filepath.Join(writeStory(t, "aa", synth.Nsight), "baseline"), filepath.Join(t.TempDir(), "parts")
	rename(t, filepath.Join(set, "report.1.sqlite"), filepath.Join(set, "report.1.nsys-rep"))
	t.Setenv("PATH", "")
	mustRun(t, statusOK, "summarize", set, "-q", "--shard", "0/4", "-o", parts)
	_, stderr := mustRun(t, statusError, "summarize", set, "-q", "--shard", "1/4", "-o", parts)
	if !strings.Contains(stderr, "nsys is not on PATH") || !strings.Contains(stderr, "nothing was written") {
		t.Errorf("got %s", stderr)
	}
	if n := countFiles(t, parts); n != 1 {
		t.Errorf("got %d parts, want 1", n)
	}
}

// TestShardStatus: a profile that is not what it should be is left out of the part and exits 65; one
// that may be read later, here one that is not there yet, exits 75 and leaves no part.
func TestShardStatus(t *testing.T) {
	dir := writeStory(t, "aa", synth.Nsight)
	set, parts := filepath.Join(dir, "baseline"), filepath.Join(t.TempDir(), "parts")
	if err := os.WriteFile(filepath.Join(set, "report.4.sqlite"), []byte("SQLite format 3\x00 and no more"), 0o644); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(filepath.Join(dir, "later"), filepath.Join(set, "report.5.sqlite")); err != nil {
		t.Fatal(err)
	}
	shard := func(n string, want int, flags ...string) (stderr string) {
		_, stderr = mustRun(t, want, append([]string{"summarize", set, "-q", "--shard", n + "/6", "-o", parts}, flags...)...)
		return stderr
	}
	for _, n := range []string{"0", "1", "2", "3"} {
		shard(n, statusOK)
	}
	if stderr := shard("4", statusCorrupt); !strings.Contains(stderr, "report.4.sqlite: ") || !strings.Contains(stderr, "left out, as the part says") {
		t.Errorf("got %s", stderr)
	}
	shard("4", statusCorrupt, "--strict")
	if stderr := shard("5", statusAgain); !strings.Contains(stderr, "report.5.sqlite: ") || !strings.Contains(stderr, "start this shard again: nothing was written") {
		t.Errorf("got %s", stderr)
	}
	if n := countFiles(t, parts); n != 5 {
		t.Errorf("got %d parts, want 5", n)
	}
	_, stderr := mustRun(t, statusError, "summarize", filepath.Join(dir, "nowhere"), "-q", "--shard", "0/2", "-o", parts)
	if !strings.Contains(stderr, "no such file") {
		t.Errorf("got %s", stderr)
	}
}
