package main

import (
	"cmp"
	"compress/gzip"
	"context"
	"database/sql"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"perfdiff/analyze/synth"
	"perfdiff/analyze/synth/kinetotest"
	"perfdiff/analyze/synth/nsystest"
	"perfdiff/diff/stat"
)

// full reports whether benchmarks run at the sizes of the README.
func full() bool { return os.Getenv("PERFDIFF_BENCH_FULL") == "1" }

// program builds perfdiff and returns its path: benchmarks measure the whole
// program, as a process of its own, with the profile that users' builds have.
func program(b testing.TB) string {
	b.Helper()
	path := filepath.Join(b.TempDir(), "perfdiff")
	args := []string{"build", "-o", path, "."}
	if _, ok := b.(*testing.B); ok {
		args = slices.Insert(args, 1, "-pgo=auto")
	}
	if out, err := exec.Command("go", args...).CombinedOutput(); err != nil {
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

// runCost is what one run of a program took.
type runCost struct {
	cpu, kernel, wall time.Duration // kernel: the part of cpu that the kernel took
	peakMB            float64       // 0: unwatched
}

// cost runs a program by run, watched or unwatched.
func cost(b *testing.B, run func(*exec.Cmd) (int64, error), name string, args ...string) runCost {
	b.Helper()
	var out strings.Builder
	cmd := exec.Command(name, args...)
	cmd.Stdout, cmd.Stderr = &out, &out
	start := time.Now()
	peak, err := run(cmd)
	wall := time.Since(start)
	if err != nil && (cmd.ProcessState == nil || cmd.ProcessState.ExitCode() > statusNotJudged) {
		b.Fatalf("%s: %v: %s", name, err, out.String())
	}
	kernel := cmd.ProcessState.SystemTime()
	return runCost{cmd.ProcessState.UserTime() + kernel, kernel, wall, float64(peak) / 1e6}
}

// fraction is n, or for a quick look a tenth of it.
func fraction(n int) int {
	if full() {
		return n
	}
	return n / 10
}

// comparison is the cost of the whole program, from reading to the written HTML and JSON.
func comparison(b *testing.B, run func(*exec.Cmd) (int64, error), exe, base, cand string, args ...string) runCost {
	b.Helper()
	out := filepath.Join(b.TempDir(), "report")
	return cost(b, run, exe, append(args, base, cand, "-q", "-o", out+".html", "-o", out+".json")...)
}

// unwatched runs a program and returns no peak.
func unwatched(cmd *exec.Cmd) (peak int64, err error) { return 0, cmd.Run() }

// rows is a rank file of about 390 MB, or of a share of it.
func rows(share float64) nsystest.Rows {
	n := func(full int) int { return int(share * float64(fraction(full))) }
	return nsystest.Rows{Kernels: n(2_000_000), Calls: n(3_000_000), OS: n(1_000_000), Ranges: n(300_000)}
}

// exports writes one export for each side: all kernels of the candidate take a nanosecond
// more, since a run against itself, or against its own recording, is not compared.
func exports(b *testing.B, n nsystest.Rows) (base, cand string) {
	b.Helper()
	dir := b.TempDir()
	base, cand = filepath.Join(dir, "a.sqlite"), filepath.Join(dir, "b.sqlite")
	if err := nsystest.LargeExport(context.Background(), base, n); err != nil {
		b.Fatal(err)
	}
	if err := exec.Command("cp", base, cand).Run(); err != nil {
		b.Fatal(err)
	}
	mutateFile(b, cand, "UPDATE CUPTI_ACTIVITY_KIND_KERNEL SET end = end + 1")
	return base, cand
}

// mutateFile runs a statement on an export.
func mutateFile(b testing.TB, path, statement string) {
	b.Helper()
	db, err := sql.Open("sqlite", "file:"+path+"?_pragma=journal_mode(off)")
	if err != nil {
		b.Fatal(err)
	}
	defer db.Close()
	if _, err := db.Exec(statement); err != nil {
		b.Fatal(err)
	}
}

// kinds are the kinds of one rank file: as it lies in the file, and what its ranges are
// called.
var kinds = []struct {
	name                string
	interleaved, unique bool
}{{"seq-repeated", false, false}, {"seq-unique", false, true}, {"inter-repeated", true, false}, {"inter-unique", true, true}}

// readFile is the processor time of reading a file and nothing else.
func readFile(b *testing.B, path string) time.Duration {
	b.Helper()
	before := processorTime(b)
	f, err := os.Open(path)
	if err != nil {
		b.Fatal(err)
	}
	defer f.Close()
	buf := make([]byte, 1<<20)
	for {
		if _, err := f.Read(buf); err != nil {
			break
		}
	}
	return processorTime(b) - before
}

// BenchmarkNsight is one large rank file a side, read by one worker, of each kind:
// processor time for each file over what C SQLite needs merely to step through the
// same four tables and over plain reading, and peak memory, also of two workers and how
// many times faster they are; beside that, how many times as much two processes do at once
// that have nothing to do with each other, which is what the machine gives. All take turns.
func BenchmarkNsight(b *testing.B) {
	exe, peer := program(b), peer(b)
	for _, k := range kinds {
		b.Run(k.name, func(b *testing.B) {
			n := rows(1)
			n.Interleaved, n.Unique = k.interleaved, k.unique
			benchmarkNsight(b, exe, peer, n)
		})
	}
}

// turns is how often each kind of file is compared by one worker and by two, and stepped through; in
// every fourth of them two processes compare at once. From run to run, processor time differs by a
// tenth, whatever the program does.
const turns = 10

// timed is how often in a row each is timed in a turn.
const timed = 3

// benchmarkNsight reports medians over turns, since one in five or so is disturbed, and of ratios those
// within a turn: what a shared machine gives drifts by a tenth and more, and a ratio of medians of runs
// that lie apart has that in it. Each run is timed behind another with as many workers, which is not
// counted. A virtual machine gives memory that lies idle back to its host within a second or two, and the
// next program that uses it pays for each page: up to an eighth of a run, whatever the program does with
// it. Behind a run of one worker, two paid for half of theirs, and behind one run of their own often for a
// fifth: kernel time was 0.5 to 0.9 s in the first of two workers, 0.3 to 0.7 in the second, 0.25 from then on.
// Even then, for it does so every two seconds: by the kernel's own count 60 to 128 MB in three of eight runs
// of two workers, which then took 0.3 to 0.8 s more of kernel time. One worker has its peak from its first
// file on, and lost 0 to 6 MB. So workers are compared by the runs with the least kernel time of some in a row.
// The peak is that of the runs which are not counted: to ask for it takes up to 0.4 ms, some hundred times a
// run, which one worker leaves to the other processor and two workers lack.
func benchmarkNsight(b *testing.B, exe, peer string, n nsystest.Rows) {
	type turn struct {
		first                runCost // of one worker
		alone, both          runCost // of one worker and of two, with the least kernel time
		apart, plain, theirs time.Duration
	}
	var all, some []turn // some: also two processes at once
	base, cand := exports(b, n)
	behind := func(uncounted int, jobs string) (first, warmest runCost) {
		peak := 0.0
		for range uncounted {
			peak = max(peak, comparison(b, watched, exe, base, cand, "--jobs", jobs).peakMB)
		}
		var runs [timed]runCost
		for i := range runs {
			runs[i] = comparison(b, unwatched, exe, base, cand, "--jobs", jobs)
			runs[i].peakMB = peak
		}
		return runs[0], slices.MinFunc(runs[:], func(a, b runCost) int { return cmp.Compare(a.kernel, b.kernel) })
	}
	for b.Loop() {
		for i := range turns {
			var t turn
			t.plain = readFile(b, base)
			if peer != "" {
				t.theirs = cost(b, unwatched, peer, base).cpu
			}
			t.first, t.alone = behind(1, "1")
			_, t.both = behind(2, "2")
			if i%4 == 0 {
				atOnce(b, exe, base, cand)
				t.apart = atOnce(b, exe, base, cand)
				some = append(some, t)
			}
			all = append(all, t)
		}
	}
	report := func(unit string, turns []turn, summary func([]float64) float64, value func(turn) float64) {
		values := make([]float64, len(turns))
		for i, t := range turns {
			values[i] = value(t)
		}
		b.ReportMetric(summary(values), unit)
	}
	perFile := func(t turn) float64 { return t.first.cpu.Seconds() / 2 }
	report("cpu-s/file", all, stat.Median, perFile)
	report("peak-MB", all, slices.Max, func(t turn) float64 { return t.alone.peakMB })
	report("peak-MB-of-two", all, slices.Max, func(t turn) float64 { return t.both.peakMB })
	report("x-one-worker", all, stat.Median, func(t turn) float64 { return t.alone.wall.Seconds() / t.both.wall.Seconds() })
	report("x-one-process", some, stat.Median, func(t turn) float64 { return 2 * t.first.wall.Seconds() / t.apart.Seconds() })
	report("x-read", all, stat.Median, func(t turn) float64 { return perFile(t) / t.plain.Seconds() })
	if peer != "" {
		report("x-sqlite3", all, stat.Median, func(t turn) float64 { return perFile(t) / t.theirs.Seconds() })
	}
}

// atOnce is how long two processes take that compare at once, with one worker each.
func atOnce(b *testing.B, exe, base, cand string) time.Duration {
	b.Helper()
	dir, start := b.TempDir(), time.Now()
	var both [2]*exec.Cmd
	for i := range both {
		out := filepath.Join(dir, fmt.Sprint("report", i))
		both[i] = exec.Command(exe, "--jobs", "1", base, cand, "-q", "-o", out+".html", "-o", out+".json")
		if err := both[i].Start(); err != nil {
			b.Fatal(err)
		}
	}
	for _, cmd := range both {
		if err := cmd.Wait(); err != nil && cmd.ProcessState.ExitCode() > statusNotJudged {
			b.Fatal(err)
		}
	}
	return time.Since(start)
}

// BenchmarkEvents shows how processor time grows with events: ns for each
// kernel at 1, 2, 4 and 8 times as many.
func BenchmarkEvents(b *testing.B) {
	exe := program(b)
	for _, times := range []int{1, 2, 4, 8} {
		b.Run(fmt.Sprintf("x%d", times), func(b *testing.B) {
			n := rows(float64(times) / 8)
			base, cand := exports(b, n)
			var cpu time.Duration
			for b.Loop() {
				cpu += comparison(b, watched, exe, base, cand, "--jobs", "1").cpu
			}
			b.ReportMetric(float64(cpu.Nanoseconds())/float64(b.N)/2/float64(n.Kernels), "cpu-ns/kernel")
		})
	}
}

// traces writes traces of so many bytes, one a rank.
func traces(b testing.TB, dir string, ranks, bytes int, compress bool) {
	b.Helper()
	if err := os.MkdirAll(dir, 0o755); err != nil {
		b.Fatal(err)
	}
	for rank := range ranks {
		name := filepath.Join(dir, fmt.Sprintf("worker%d.json", rank))
		if compress {
			name += ".gz"
		}
		f, err := os.Create(name)
		if err != nil {
			b.Fatal(err)
		}
		var w io.WriteCloser = f
		if compress {
			w = gzip.NewWriter(f)
		}
		if _, err := kinetotest.Write(w, bytes, rank); err != nil {
			b.Fatal(err)
		}
		if err := errors.Join(w.Close(), ignoreClosed(f.Close())); err != nil {
			b.Fatal(err)
		}
	}
}

// otherBytes is what one side's traces are longer by: a run against itself is none.
const otherBytes = 4 << 10

// ignoreClosed is err, unless it says that the file was closed before.
func ignoreClosed(err error) error {
	if errors.Is(err, os.ErrClosed) {
		return nil
	}
	return err
}

// BenchmarkKineto is eight large traces a side, plain and compressed:
// processor time and peak memory of all, over what Python's json.loads takes
// for as many.
func BenchmarkKineto(b *testing.B) {
	exe := program(b)
	for _, compress := range []bool{false, true} {
		b.Run(map[bool]string{false: "json", true: "gzip"}[compress], func(b *testing.B) {
			dir := b.TempDir()
			base, cand := filepath.Join(dir, "baseline"), filepath.Join(dir, "candidate")
			traces(b, base, 8, fraction(124<<20), compress)
			traces(b, cand, 8, fraction(124<<20)+otherBytes, compress)
			var ours, python time.Duration
			var peak float64
			for b.Loop() {
				one := comparison(b, watched, exe, base, cand)
				ours, peak = ours+one.cpu, max(peak, one.peakMB)
				if _, err := exec.LookPath("python3"); err == nil && !compress {
					python += cost(b, unwatched, "python3", "-c", "import json,sys;json.load(open(sys.argv[1]))", filepath.Join(base, "worker0.json")).cpu
				}
			}
			b.ReportMetric(ours.Seconds()/float64(b.N), "cpu-s/op")
			b.ReportMetric(peak, "peak-MB")
			if python > 0 {
				b.ReportMetric(ours.Seconds()/16/python.Seconds(), "x-json.loads")
			}
		})
	}
}

// BenchmarkGzip is one compressed trace a side, one after the other: bytes of
// JSON a second.
func BenchmarkGzip(b *testing.B) {
	exe, dir := program(b), b.TempDir()
	base, cand := filepath.Join(dir, "baseline"), filepath.Join(dir, "candidate")
	bytes := fraction(512 << 20)
	traces(b, base, 1, bytes, true)
	traces(b, cand, 1, bytes+otherBytes, true)
	var wall time.Duration
	for b.Loop() {
		wall += comparison(b, watched, exe, base, cand, "--jobs", "1").wall
	}
	b.ReportMetric(2*float64(bytes)*float64(b.N)/1e6/wall.Seconds(), "MB/s-of-JSON")
}

// BenchmarkRanks shows how time and memory grow with ranks: of reading, comparing and
// writing page and JSON, and of reading and comparing alone.
func BenchmarkRanks(b *testing.B) {
	exe := program(b)
	for _, ranks := range []int{8, 64, 512} {
		b.Run(fmt.Sprint(ranks), func(b *testing.B) {
			dir := b.TempDir()
			text := fmt.Sprintf("about: a job of many ranks\nnodes: %d\nranks: %d\nsteps: 24\nseed: 3\njob: {layers: 4, forward: 8ms, backward: 16ms, optimizer: 1ms}\n", ranks/8, ranks)
			story, err := synth.Parse("many", []byte(text))
			if err != nil {
				b.Fatal(err)
			}
			if _, err := story.Write(context.Background(), dir, synth.Nsight); err != nil {
				b.Fatal(err)
			}
			base, cand := filepath.Join(dir, "baseline"), filepath.Join(dir, "candidate")
			var cpu, unwritten, waited time.Duration
			var peak float64
			for b.Loop() {
				one := comparison(b, watched, exe, base, cand)
				cpu, peak = cpu+one.cpu, max(peak, one.peakMB)
				alone := cost(b, watched, exe, base, cand, "-q")
				unwritten, waited = unwritten+alone.cpu, waited+alone.wall
			}
			each := 1000 / float64(b.N) / float64(2*ranks)
			b.ReportMetric(cpu.Seconds()*each, "cpu-ms/rank")
			b.ReportMetric(unwritten.Seconds()*each, "unwritten-cpu-ms/rank")
			b.ReportMetric(waited.Seconds()*each, "unwritten-ms/rank")
			b.ReportMetric(peak, "peak-MB")
		})
	}
}
