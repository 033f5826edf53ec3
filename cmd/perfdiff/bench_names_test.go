package main

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"perfdiff/analyze/synth/nsystest"
)

// namedKernels are how many kernels a file of distinct names has: one each.
const namedKernels = 1_500_000

// BenchmarkNames is one file in which each kernel has a name of its own, as programs write
// that number what they compile: processor time for the file.
func BenchmarkNames(b *testing.B) {
	exe := program(b)
	for _, format := range []struct {
		name  string
		write func(tb testing.TB, path string, kernels int)
	}{{"nsight.sqlite", namedExport}, {"pytorch.json", namedTrace}} {
		b.Run(format.name, func(b *testing.B) {
			path := filepath.Join(b.TempDir(), "rank0-"+format.name)
			format.write(b, path, fraction(namedKernels))
			out := filepath.Join(b.TempDir(), "a.perfdiff")
			var cpu, peak float64
			for b.Loop() {
				one := cost(b, watched, exe, "summarize", path, "-o", out)
				cpu, peak = cpu+one.cpu.Seconds(), max(peak, one.peakMB)
			}
			info, err := os.Stat(path)
			if err != nil {
				b.Fatal(err)
			}
			b.ReportMetric(cpu/float64(b.N), "cpu-s/file")
			b.ReportMetric(peak, "peak-MB")
			b.ReportMetric(float64(info.Size())/1e6, "file-MB")
		})
	}
}

// namedExport writes an Nsight Systems export.
func namedExport(tb testing.TB, path string, kernels int) {
	tb.Helper()
	if err := nsystest.LargeExport(context.Background(), path, nsystest.Rows{Kernels: kernels, Calls: kernels}); err != nil {
		tb.Fatal(err)
	}
	for _, statement := range []string{
		"INSERT INTO StringIds SELECT 10000 + rowid, 'void jit::Kernel_' || rowid || '<float, ' ||" +
			" rowid || '>(Params)'" +
			" FROM CUPTI_ACTIVITY_KIND_KERNEL",
		"UPDATE CUPTI_ACTIVITY_KIND_KERNEL SET demangledName = 10000 + rowid, shortName = 10000 + rowid",
	} {
		mutateFile(tb, path, statement)
	}
}

// namedTrace writes a trace of the PyTorch profiler.
func namedTrace(tb testing.TB, path string, kernels int) {
	tb.Helper()
	f, err := os.Create(path)
	if err != nil {
		tb.Fatal(err)
	}
	w := bufio.NewWriter(f)
	const each = 20 // us, from a kernel to the next
	fmt.Fprint(w, `{"distributedInfo":{"rank":0,"world_size":1},"traceEvents":[`)
	for i := range kernels {
		if length := max(1, kernels/nsystest.LargeSteps); i%length == 0 {
			const step = `{"ph":"X","cat":"user_annotation","name":"ProfilerStep#%d",` +
				`"pid":1,"tid":1,"ts":%d,"dur":%d},` + "\n"
			fmt.Fprintf(w, step, i/length, i*each, length*each)
		}
		const kernel = `{"ph":"X","cat":"kernel","name":"triton_fused_kernel_%d_%x","pid":0,"tid":7,` +
			`"ts":%d.%03d,"dur":%d,"args":{"device":0,"stream":7}},` + "\n"
		fmt.Fprintf(w, kernel, i, i*i, i*each, i%1000, 5+i%7)
	}
	fmt.Fprint(w, `{"ph":"i","name":"end","ts":1,"pid":0,"tid":0}]}`)
	if err := errors.Join(w.Flush(), f.Close()); err != nil {
		tb.Fatal(err)
	}
}
