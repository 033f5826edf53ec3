package main

import (
	"context"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"syscall"
	"testing"
	"time"

	"perfdiff/analyze/synth"
)

// full reports whether benchmarks run at the sizes of the README.
func full() bool { return os.Getenv("PERFDIFF_BENCH_FULL") == "1" }

// program builds perfdiff and returns its path: benchmarks measure the whole
// program, as a process of its own.
func program(b *testing.B) string {
	b.Helper()
	path := filepath.Join(b.TempDir(), "perfdiff")
	if out, err := exec.Command("go", "build", "-o", path, ".").CombinedOutput(); err != nil {
		b.Fatalf("%v: %s", err, out)
	}
	return path
}

// peer compiles the program that steps through the same tables with C SQLite;
// "" where there is no compiler or no library.
func peer(b *testing.B) string {
	b.Helper()
	path := filepath.Join(b.TempDir(), "step")
	source := filepath.Join(root, "analyze/source/nsys/testdata/step.c")
	if out, err := exec.Command("cc", "-O2", "-o", path, source, "-lsqlite3").CombinedOutput(); err != nil {
		b.Logf("no C SQLite to compare with (Debian: libsqlite3-dev): %v %s", err, out)
		return ""
	}
	return path
}

// cost runs a program and returns its processor time and peak memory.
func cost(b *testing.B, name string, args ...string) (cpu time.Duration, peakMB float64) {
	b.Helper()
	cmd := exec.Command(name, args...)
	if out, err := cmd.CombinedOutput(); err != nil && cmd.ProcessState.ExitCode() > statusNotJudged {
		b.Fatalf("%s: %v: %s", name, err, out)
	}
	usage := cmd.ProcessState.SysUsage().(*syscall.Rusage)
	return cmd.ProcessState.UserTime() + cmd.ProcessState.SystemTime(), float64(usage.Maxrss) / 1024
}

// BenchmarkNsight is the whole program on one large rank file a side, read by
// one worker: processor time for each file over what C SQLite needs to step
// through the same four tables, and peak memory.
func BenchmarkNsight(b *testing.B) {
	rows := synth.Rows{Kernels: 200_000, Calls: 300_000, OS: 100_000, Ranges: 30_000}
	if full() {
		rows = synth.Rows{Kernels: 2_000_000, Calls: 3_000_000, OS: 1_000_000, Ranges: 300_000}
	}
	dir := b.TempDir()
	var sides []string
	for _, side := range []string{"a", "b"} {
		path := filepath.Join(dir, side+".sqlite")
		if err := synth.LargeExport(context.Background(), path, rows); err != nil {
			b.Fatal(err)
		}
		sides = append(sides, path)
	}
	exe, peer := program(b), peer(b)
	out := filepath.Join(dir, "report")
	var ours, theirs time.Duration
	var peak float64
	for b.Loop() {
		cpu, mb := cost(b, exe, append(sides, "--jobs", "1", "-q", "-o", out+".html", "-o", out+".json")...)
		ours, peak = ours+cpu, max(peak, mb)
		if peer != "" {
			cpu, _ := cost(b, peer, sides[0])
			theirs += cpu
		}
	}
	n := time.Duration(b.N)
	b.ReportMetric((ours / 2 / n).Seconds(), "cpu-s/file")
	b.ReportMetric(peak, "peak-MB")
	if theirs > 0 {
		b.ReportMetric(ours.Seconds()/2/theirs.Seconds(), "x-sqlite3")
	}
}

// BenchmarkKineto is the whole program on eight large traces a side: processor
// time and peak memory of all, and the time of Python's json.loads for one of
// them beside it.
func BenchmarkKineto(b *testing.B) {
	size := 4 << 20
	if full() {
		size = 124 << 20
	}
	dir := b.TempDir()
	for _, side := range []string{"baseline", "candidate"} {
		if err := os.Mkdir(filepath.Join(dir, side), 0o755); err != nil {
			b.Fatal(err)
		}
		for rank := range 8 {
			f, err := os.Create(filepath.Join(dir, side, fmt.Sprintf("worker%d.json", rank)))
			if err != nil {
				b.Fatal(err)
			}
			if _, err := synth.LargeTrace(io.Writer(f), size, rank); err != nil {
				b.Fatal(err)
			}
			if err := f.Close(); err != nil {
				b.Fatal(err)
			}
		}
	}
	exe := program(b)
	var ours, python time.Duration
	var peak float64
	for b.Loop() {
		cpu, mb := cost(b, exe, filepath.Join(dir, "baseline"), filepath.Join(dir, "candidate"), "-q", "-o", filepath.Join(dir, "report.html"), "-o", filepath.Join(dir, "report.json"))
		ours, peak = ours+cpu, max(peak, mb)
		if _, err := exec.LookPath("python3"); err == nil {
			cpu, _ := cost(b, "python3", "-c", "import json,sys;json.load(open(sys.argv[1]))", filepath.Join(dir, "baseline", "worker0.json"))
			python += cpu
		}
	}
	b.ReportMetric(ours.Seconds()/float64(b.N), "cpu-s/op")
	b.ReportMetric(peak, "peak-MB")
	if python > 0 {
		b.ReportMetric(ours.Seconds()/16/python.Seconds(), "x-json.loads")
	}
}

// BenchmarkMany shows how time grows with ranks: one comparison of n ranks.
func BenchmarkMany(b *testing.B) {
	exe := program(b)
	for _, ranks := range []int{8, 64} {
		b.Run(fmt.Sprintf("ranks=%d", ranks), func(b *testing.B) {
			dir := b.TempDir()
			text := fmt.Sprintf("about: a job of many ranks\nnodes: %d\nranks: %d\nsteps: 24\nseed: 3\njob: {layers: 4, forward: 8ms, backward: 16ms, optimizer: 1ms}\n", ranks/8, ranks)
			story, err := synth.Parse("many", []byte(text))
			if err != nil {
				b.Fatal(err)
			}
			if _, err := story.Write(context.Background(), dir, synth.Nsight); err != nil {
				b.Fatal(err)
			}
			for b.Loop() {
				cost(b, exe, filepath.Join(dir, "baseline"), filepath.Join(dir, "candidate"), "-q", "-o", filepath.Join(dir, "report.html"))
			}
		})
	}
}
