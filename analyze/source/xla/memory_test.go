package xla

import (
	"context"
	"testing"

	"perfdiff/analyze/trace"
)

// TestMemory: what the allocator of a device says is in use is its memory, in order of time; pinned
// memory of the host is none of it, and marks are no ranges.
func TestMemory(t *testing.T) {
	mark := func(name, start, inUse int64, allocator string) proto {
		return happened(name, start, 0, stat(1, 0, allocator), stat(2, inUse, ""))
	}
	host := aPlane("/host:CPU", []string{"MemoryAllocation", "MemoryDeallocation", "train"}, []string{"allocator_name", "bytes_allocated"},
		aLine(4712, "python", happened(3, 0, 9000), mark(1, 300, 5000, "GPU_1_bfc"), mark(2, 700, 2000, "GPU_1_bfc"),
			mark(1, 100, 3000, "GPU_1_bfc"), mark(1, 400, 77, "gpu_host_bfc"), mark(1, 500, 99, "GPU_0_bfc")))
	traces, err := ReadPlanes(context.Background(), write(t, "a.xplane.pb", space(host, aDevice(1))), nil)
	if err != nil || len(traces) != 1 {
		t.Fatal(len(traces), err)
	}
	x := traces[0]
	want := []trace.MemoryChange{{At: 200, Allocated: 3000, Taken: true}, {At: 400, Allocated: 5000, Taken: true}, {At: 800, Allocated: 2000}}
	if x.Memory == nil || len(x.Memory.Changes) != len(want) || !x.Memory.Allocated || x.Memory.Reserved || !x.Recorded.Has(trace.HasMemory) {
		t.Fatalf("got %+v, recorded %b", x.Memory, x.Recorded)
	}
	for i, got := range x.Memory.Changes {
		if got != want[i] {
			t.Errorf("change %d: got %+v want %+v", i, got, want[i])
		}
	}
	if len(x.Ranges) != 1 {
		t.Errorf("got %d ranges, want the one of the program", len(x.Ranges))
	}
	traces, err = ReadPlanes(context.Background(), write(t, "b.xplane.pb", space(aHost(), aDevice(1))), nil)
	if err != nil || traces[0].Memory != nil || traces[0].Recorded.Has(trace.HasMemory) {
		t.Errorf("without marks: got %+v, %v", traces[0].Memory, err)
	}
}

// TestOddMarks: a mark that is not of a device's memory, or without a time or an amount, is none.
func TestOddMarks(t *testing.T) {
	var b builder
	for _, e := range []event{{allocator: "gpu_host_bfc", inUse: 7}, {allocator: "GPU_0_bfc", inUse: 7, timeless: true}, {allocator: "GPU_0_bfc", inUse: -7}} {
		b.addMemory(&e, true)
	}
	if len(b.memory) != 0 {
		t.Errorf("got %+v", b.memory)
	}
}

// TestMetadata: the name and the stats are fields of these numbers that hold bytes, and no other is.
func TestMetadata(t *testing.T) {
	name, stats := metadata(proto(nil).number(1, 9).text(metadataName, "gemm").text(3, "shown").number(metadataStats, 4).text(metadataStats, "a"))
	if name != "gemm" || len(stats) != 1 || string(stats[0]) != "a" {
		t.Errorf("got %q with stats %q", name, stats)
	}
}
