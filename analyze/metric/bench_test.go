//go:build unix

package metric

import (
	"context"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"syscall"
	"testing"
	"time"

	"perfdiff/analyze/source/nsys"
	"perfdiff/analyze/step"
	"perfdiff/analyze/synth/nsystest"
)

// recordsOfTheirOwn are the metrics of records that most files do not have: groups and messages of
// communication, memory, counters, file accesses.
func recordsOfTheirOwn() (names []string) {
	for _, m := range slices.Concat(dimensionMetrics(), bandwidthMetrics(), glooMetrics(), memoryMetrics(), counterMetrics(), ioMetrics()) {
		names = append(names, m.Name)
	}
	return names
}

// BenchmarkWithoutRecords is what such metrics cost a file that has none of these records: the
// processor time of reading and measuring it, over that without asking for them.
func BenchmarkWithoutRecords(b *testing.B) {
	n := nsystest.Rows{Kernels: 200_000, Calls: 300_000, OS: 100_000, Ranges: 30_000}
	if os.Getenv("PERFDIFF_BENCH_FULL") == "1" {
		n = nsystest.Rows{Kernels: 2_000_000, Calls: 3_000_000, OS: 1_000_000, Ranges: 300_000}
	}
	path := filepath.Join(b.TempDir(), "a.sqlite")
	if err := nsystest.LargeExport(context.Background(), path, n); err != nil {
		b.Fatal(err)
	}
	own := recordsOfTheirOwn()
	all := func(Metric) bool { return false }
	none := func(m Metric) bool { return slices.Contains(own, m.Name) }
	const rounds = 9 // in turn, and the least of each: other work on the machine only adds
	with, without := time.Hour, time.Hour
	for b.Loop() {
		for range rounds {
			with, without = min(with, timeToMeasure(b, path, all)), min(without, timeToMeasure(b, path, none))
		}
	}
	b.ReportMetric(float64(with)/float64(without), "of-without")
}

// timeToMeasure reads a file and measures it but for some metrics, and returns the processor time.
func timeToMeasure(b *testing.B, path string, leaveOut func(Metric) bool) time.Duration {
	b.Helper()
	runtime.GC() // of what the round before left
	before := processorTime(b)
	traces, err := nsys.Read(context.Background(), path, nil)
	if err != nil || len(traces) != 1 {
		b.Fatal(len(traces), err)
	}
	steps := step.Find(traces[0], step.Options{SkipFirst: -1})
	r := Prepare(traces[0], steps.Thread)
	m := newMeasurer(r, steps.Steps, len(r.Trace.Device))
	m.metrics = slices.DeleteFunc(slices.Clone(m.metrics), leaveOut)
	m.measureDevice()
	if len(m.series()) < 20 {
		b.Fatal("next to nothing was measured")
	}
	return processorTime(b) - before
}

func processorTime(b *testing.B) time.Duration {
	b.Helper()
	var used syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &used); err != nil {
		b.Fatal(err)
	}
	return time.Duration(used.Utime.Nano() + used.Stime.Nano())
}
