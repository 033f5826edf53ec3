//go:build unix

package kineto

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"syscall"
	"testing"
	"time"
)

// BenchmarkRead reads a generated trace, plain and gzipped: 20 MB, or with
// PERFDIFF_BENCH_FULL=1 124 MB. "x-json.loads" is its CPU time (user and
// system, of all threads) over that of Python's json.loads on the same file.
func BenchmarkRead(b *testing.B) {
	size := 20 << 20
	if os.Getenv("PERFDIFF_BENCH_FULL") == "1" {
		size = 124 << 20
	}
	dir := b.TempDir()
	plain := filepath.Join(dir, "trace.json")
	f, err := os.Create(plain)
	if err != nil {
		b.Fatal(err)
	}
	want := writeTrace(f, size)
	if err := f.Close(); err != nil {
		b.Fatal(err)
	}
	zipped := gzipFile(b, plain)
	b.Run("plain", func(b *testing.B) { benchRead(b, plain, size, want, "open(sys.argv[1],'rb').read()") })
	b.Run("gzip", func(b *testing.B) { benchRead(b, zipped, size, want, "gzip.open(sys.argv[1]).read()") })
}

func benchRead(b *testing.B, path string, size, want int, pythonRead string) {
	b.SetBytes(int64(size))
	b.ReportAllocs()
	var before, after syscall.Rusage
	syscall.Getrusage(syscall.RUSAGE_SELF, &before)
	for b.Loop() {
		ts, err := Read(context.Background(), path, nil)
		if err != nil {
			b.Fatal(err)
		}
		if got := len(ts[0].Device); got != want {
			b.Fatalf("got %d kernels, want %d", got, want)
		}
	}
	syscall.Getrusage(syscall.RUSAGE_SELF, &after)
	b.StopTimer()
	own := (cpu(&after) - cpu(&before)) / time.Duration(b.N)
	b.ReportMetric(own.Seconds()*1e3, "cpu-ms/op")
	if python, ok := pythonCPU(path, pythonRead); ok {
		b.ReportMetric(own.Seconds()/python.Seconds(), "x-json.loads")
	}
}

func cpu(u *syscall.Rusage) time.Duration {
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}

// pythonCPU is the CPU time of the best of three json.loads of the file, less
// that of starting Python.
func pythonCPU(path, read string) (time.Duration, bool) {
	run := func(script string) (time.Duration, bool) {
		cmd := exec.Command("python3", "-c", "import sys,json,gzip\n"+script, path)
		if cmd.Run() != nil {
			return 0, false
		}
		return cmd.ProcessState.UserTime() + cmd.ProcessState.SystemTime(), true
	}
	best, found := time.Duration(0), false
	for range 3 {
		start, ok := run("pass")
		whole, ok2 := run("json.loads(" + read + ")")
		if ok && ok2 && (!found || whole-start < best) {
			best, found = whole-start, true
		}
	}
	return best, found && best > 0
}
