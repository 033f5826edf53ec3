//go:build unix

package nsys

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"syscall"
	"testing"
	"time"

	"perfdiff/analyze/synth/nsystest"
)

// benchSize is a file that is read in a moment, or with PERFDIFF_BENCH_FULL=1
// one as a long run leaves it (about 390 MB).
func benchSize() nsystest.Rows {
	if os.Getenv("PERFDIFF_BENCH_FULL") == "1" {
		return nsystest.Rows{Kernels: 2_000_000, Calls: 3_000_000, OS: 1_000_000, Ranges: 300_000}
	}
	return nsystest.Rows{Kernels: 200_000, Calls: 300_000, OS: 100_000, Ranges: 30_000}
}

func writeBench(b *testing.B, path string, n nsystest.Rows) {
	b.Helper()
	if err := nsystest.LargeExport(context.Background(), path, n); err != nil {
		b.Fatal(err)
	}
}

// processorTime is the user and system time of this process or its children.
func processorTime(b *testing.B, who int) time.Duration {
	b.Helper()
	var u syscall.Rusage
	if err := syscall.Getrusage(who, &u); err != nil {
		b.Fatal(err)
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}

// BenchmarkRead reads a whole rank file and compares its processor time with
// what C SQLite needs to step through the same columns: x-sqlite3. The two take
// turns, so that a machine that changes its speed changes both.
func BenchmarkRead(b *testing.B) {
	path := filepath.Join(b.TempDir(), "rank.sqlite")
	n := benchSize()
	writeBench(b, path, n)
	program := buildStep(b)
	var own, peer time.Duration
	for b.Loop() {
		before := processorTime(b, syscall.RUSAGE_SELF)
		traces, err := Read(context.Background(), path, nil)
		if err != nil {
			b.Fatal(err)
		}
		if got := len(traces[0].Device); got != n.Kernels {
			b.Fatalf("spans: got %d want %d", got, n.Kernels)
		}
		own += processorTime(b, syscall.RUSAGE_SELF) - before
		b.StopTimer()
		peer += stepThrough(b, program, path)
		b.StartTimer()
	}
	b.ReportMetric(own.Seconds()/float64(b.N), "cpu-s/op")
	b.ReportMetric(peakMemory(b), "peak-MB")
	if peer > 0 {
		b.ReportMetric(peer.Seconds()/float64(b.N), "sqlite3-cpu-s")
		b.ReportMetric(own.Seconds()/peer.Seconds(), "x-sqlite3")
	}
}

// buildStep compiles the peer, testdata/step.c; "" where there is no compiler
// or no library.
func buildStep(b *testing.B) string {
	b.Helper()
	program := filepath.Join(b.TempDir(), "step")
	if out, err := exec.Command("cc", "-O2", "-o", program, "testdata/step.c", "-lsqlite3").CombinedOutput(); err != nil {
		b.Logf("no C SQLite to compare with: %v %s", err, out)
		return ""
	}
	return program
}

// stepThrough is the processor time of one run of C SQLite.
func stepThrough(b *testing.B, program, path string) time.Duration {
	b.Helper()
	if program == "" {
		return 0
	}
	before := processorTime(b, syscall.RUSAGE_CHILDREN)
	if out, err := exec.Command(program, path).CombinedOutput(); err != nil {
		b.Fatalf("step: %v: %s", err, out)
	}
	return processorTime(b, syscall.RUSAGE_CHILDREN) - before
}

// peakMemory is the highest resident size of this process so far, in MB, the
// writing of the file included.
func peakMemory(b *testing.B) float64 {
	b.Helper()
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		b.Fatal(err)
	}
	return float64(u.Maxrss) / 1024
}
