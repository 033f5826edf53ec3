package main

import (
	"compress/gzip"
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"testing"
	"time"

	"perfdiff/analyze"
	measured "perfdiff/analyze/run"
	"perfdiff/analyze/synth/nsystest"
	"perfdiff/analyze/synth/parquetdir"
	"perfdiff/analyze/trace"
)

// TestPeakMemory: what --max-memory says bounds what the process takes of memory, within
// 1.3 times beside the program itself, whatever it reads. Inputs would take 3 times the
// limit, or are a few bytes that claim as much. Every format is either read within it or
// left out with the reason; those that take long to write are asked for with
// PERFDIFF_PEAK=full.
func TestPeakMemory(t *testing.T) {
	if testing.Short() || runtime.GOOS != "linux" {
		t.Skip("builds the program, writes inputs of hundreds of MB, and knows peak memory as Linux tells it")
	}
	const limit = 100_000_000
	exe := program(t)
	alone := peakAlone(t, exe)
	for _, tt := range []struct {
		name  string
		write func(t *testing.T, dir string)
		args  []string
		want  string // in what is said; "" nothing of memory
		slow  bool
	}{
		{"a trace", func(t *testing.T, dir string) { wide(t, filepath.Join(dir, "r0.json.gz"), 4000) }, nil,
			"more memory than is allowed", false},
		{"traces at once", func(t *testing.T, dir string) {
			for n := range 8 {
				wide(t, filepath.Join(dir, fmt.Sprintf("r%d.json.gz", n)), 350)
			}
		}, []string{"--jobs", "8"}, "", false},
		{"a plain trace", func(t *testing.T, dir string) { namedTrace(t, filepath.Join(dir, "r0.json"), 700_000) }, nil,
			"more memory than is allowed", true},
		{"an export", func(t *testing.T, dir string) {
			largeExport(t, filepath.Join(dir, "r0.sqlite"), 800_000)
		}, nil, "", false},
		{"exports at once", func(t *testing.T, dir string) {
			for n := range 4 {
				largeExport(t, filepath.Join(dir, fmt.Sprintf("r%d.sqlite", n)), 300_000)
			}
		}, []string{"--jobs", "4"}, "", true},
		{"a directory", func(t *testing.T, dir string) {
			database := filepath.Join(t.TempDir(), "r0.sqlite")
			largeExport(t, database, 800_000)
			if err := parquetdir.WriteRead(t.Context(), database, filepath.Join(dir, "r0")); err != nil {
				t.Fatal(err)
			}
		}, nil, "", true},
		{"a summary of ranks", func(t *testing.T, dir string) {
			save(t, dir, &measured.Set{Runs: []measured.Run{{Ranks: make([]measured.Rank, 50_000)}}})
		}, nil, "a.perfdiff: the summary cannot be inflated", false},
		{"summaries together", func(t *testing.T, dir string) { save(t, dir, noisy(400, 800)) }, nil,
			"a.perfdiff: needs more memory than is allowed", false},
		{"a summary of one label", func(t *testing.T, dir string) {
			save(t, dir, &measured.Set{Label: strings.Repeat("x", 200_000_000)})
		}, nil, "a.perfdiff: the summary cannot be inflated", false},
	} {
		if tt.slow && os.Getenv("PERFDIFF_PEAK") != "full" {
			continue
		}
		dir := t.TempDir()
		tt.write(t, dir)
		said, status, peak := peakOf(t, exe, append(tt.args, dir, dir, "-q", "--max-memory", "100M", "-o", filepath.Join(t.TempDir(), "r.json"))...)
		if most := alone + limit*13/10; peak > most {
			t.Errorf("%s: got %d MB of memory, want at most %d", tt.name, peak/1e6, most/1e6)
		}
		if tt.want != "" && (status != statusError || !strings.Contains(said, tt.want)) || tt.want == "" && strings.Contains(said, "memory") {
			t.Errorf("%s: got status %d and %s, want %q", tt.name, status, said, tt.want)
		}
	}
}

// largeRows are the rows of an export with so many kernels.
func largeRows(kernels int) nsystest.Rows {
	return nsystest.Rows{Kernels: kernels, Calls: kernels * 3 / 2, OS: kernels / 8, Ranges: kernels / 8}
}

// largeExport writes such an export.
func largeExport(t *testing.T, path string, kernels int) {
	t.Helper()
	if err := nsystest.LargeExport(context.Background(), path, largeRows(kernels)); err != nil {
		t.Fatal(err)
	}
}

// peakAlone is what the program takes itself. It ends so soon that it may not be asked in
// time on a busy machine: so it is run until it was, and some times more.
func peakAlone(t *testing.T, exe string) (peak int64) {
	t.Helper()
	for asked := 0; asked < 10; {
		if _, _, p := peakOf(t, exe, "--version"); p > 0 {
			peak, asked = max(peak, p), asked+1
		}
	}
	return peak
}

// peakOf runs a program and returns what it said, its status and the most memory that it
// had at a time, in bytes.
func peakOf(t testing.TB, exe string, args ...string) (said string, status int, peak int64) {
	t.Helper()
	var out strings.Builder
	cmd := exec.Command(exe, args...)
	cmd.Stdout, cmd.Stderr = &out, &out
	peak, err := watched(cmd)
	if cmd.ProcessState == nil {
		t.Fatal(err)
	}
	return out.String(), cmd.ProcessState.ExitCode(), peak
}

// watched runs a command and returns the most memory that it had at a time, in bytes.
// Linux says of a process that has ended what its parent had too, so that it is asked
// while it runs: for the most so far, and ever more seldom. Every 2 ms it took a fifth of a
// processor, which two workers lacked.
func watched(cmd *exec.Cmd) (peak int64, err error) {
	if err := cmd.Start(); err != nil {
		return 0, err
	}
	ended := make(chan struct{})
	var watch sync.WaitGroup
	watch.Go(func() {
		for wait := 2 * time.Millisecond; ; wait += wait / 50 {
			peak = max(peak, highWater(cmd.Process.Pid))
			select {
			case <-ended:
				return
			case <-time.After(wait):
			}
		}
	})
	err = cmd.Wait()
	close(ended)
	watch.Wait()
	return peak, err
}

// highWater is the line "VmHWM:  24689 kB" of a process, in bytes; 0 where it has ended.
func highWater(pid int) int64 {
	text, _ := os.ReadFile(fmt.Sprintf("/proc/%d/status", pid))
	var kB int64
	if _, rest, ok := strings.Cut(string(text), "VmHWM:"); ok {
		fmt.Sscan(rest, &kB)
	}
	return kB << 10
}

// wide writes a gzipped trace of so many thousand kernels, each of which takes 60 bytes
// while it is read.
func wide(t *testing.T, path string, thousands int) {
	t.Helper()
	f, err := os.Create(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	member := func(text string, times int) {
		var one strings.Builder
		z := gzip.NewWriter(&one)
		fmt.Fprint(z, text)
		z.Close()
		for range times {
			if _, err := f.WriteString(one.String()); err != nil {
				t.Fatal(err)
			}
		}
	}
	rank := strings.TrimSuffix(strings.TrimPrefix(filepath.Base(path), "r"), ".json.gz")
	member(`{"distributedInfo":{"rank":`+rank+`,"world_size":8},"traceEvents":[`, 1)
	member(strings.Repeat(`{"ph":"X","cat":"kernel","name":"k","ts":1,"dur":1},`, 1000), thousands)
	member(`{"ph":"X","cat":"kernel","name":"k","ts":9,"dur":1}]}`, 1)
}

// noisy is a set of so many ranks and steps with 20 series of numbers that nothing
// foretells.
func noisy(ranks, steps int) *measured.Set {
	set, state := &measured.Set{Runs: []measured.Run{{Name: "r"}}}, uint64(1)
	for n := range ranks {
		r := measured.Rank{Rank: n, Steps: make([]trace.Step, steps)}
		for s := range 20 {
			values := make([]float64, steps)
			for i := range values {
				state = state*6364136223846793005 + 1442695040888963407
				values[i] = float64(state >> 40)
			}
			r.Series = append(r.Series, measured.Series{Key: measured.Key{Metric: fmt.Sprint("m", s)}, Values: values})
		}
		set.Runs[0].Ranks = append(set.Runs[0].Ranks, r)
	}
	return set
}

// save writes a set as a summary.
func save(t *testing.T, dir string, set *measured.Set) {
	t.Helper()
	data, err := analyze.Summary(set)
	if err == nil {
		err = os.WriteFile(filepath.Join(dir, "a.perfdiff"), data, 0o644)
	}
	if err != nil {
		t.Fatal(err)
	}
}
