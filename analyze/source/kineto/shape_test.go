package kineto

import (
	"compress/gzip"
	"encoding/json"
	"os"
	"testing"

	"perfdiff/analyze/trace"
)

// TestOccupancy holds the estimate made for exports, which do not record it, to
// what the PyTorch profiler worked out for every kernel of the real traces, with
// CUDA's own calculator.
func TestOccupancy(t *testing.T) {
	kernels := 0
	for _, file := range append(realFiles(t, "resnet50-workers-*/*.gz"), realFiles(t, "dialects/*.gz")...) {
		var doc struct {
			DeviceProperties []struct {
				NumSms, ComputeMajor, RegsPerMultiprocessor, SharedMemPerMultiprocessor, MaxThreadsPerMultiprocessor int64
			}
			TraceEvents []struct {
				Cat  string
				Args map[string]any
			}
		}
		f, err := os.Open(file)
		if err != nil {
			t.Fatal(err)
		}
		z, err := gzip.NewReader(f)
		if err != nil {
			t.Fatal(err)
		}
		json.NewDecoder(z).Decode(&doc) // a file that ends early keeps what came before
		f.Close()
		if len(doc.DeviceProperties) == 0 {
			continue
		}
		g := doc.DeviceProperties[0]
		sm := trace.SM{Count: g.NumSms, Warps: g.MaxThreadsPerMultiprocessor / 32, Blocks: 32, Registers: g.RegsPerMultiprocessor, Shared: g.SharedMemPerMultiprocessor, Major: g.ComputeMajor}
		for _, e := range doc.TraceEvents {
			want, ok := e.Args["est. achieved occupancy %"].(float64)
			if !ok || want == 0 { // the profiler's own for more shared memory than it allowed itself
				continue
			}
			kernels++
			triple := func(key string) (d [3]int32) {
				list, _ := e.Args[key].([]any)
				for i := range list {
					d[i] = int32(list[i].(float64))
				}
				return d
			}
			s := trace.Shape{Grid: triple("grid"), Block: triple("block"), Registers: int32(e.Args["registers per thread"].(float64)), Shared: int64(e.Args["shared memory"].(float64))}
			if got := sm.Occupancy(s); got != int32(want) {
				t.Fatalf("%s: %v on %+v: got %d, want %v", file, s, sm, got, want)
			}
		}
	}
	t.Logf("%d kernels", kernels)
	if kernels < 10_000 {
		t.Errorf("compared %d kernels", kernels)
	}
}
