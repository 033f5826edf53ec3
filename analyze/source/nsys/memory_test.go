package nsys

import (
	"fmt"
	"testing"

	"perfdiff/analyze/synth/nsystest"
	"perfdiff/analyze/trace"
)

// TestMemory: what the driver gave is summed up, from the least on; the host's memory, other
// devices and other processes do not count.
func TestMemory(t *testing.T) {
	const table = `CREATE TABLE CUDA_GPU_MEMORY_USAGE_EVENTS (start INTEGER, globalPid INTEGER, deviceId INTEGER, contextId INTEGER, address INTEGER, pc INTEGER, bytes INTEGER, memKind INTEGER, memoryOperationType INTEGER);
		INSERT INTO CUDA_GPU_MEMORY_USAGE_EVENTS SELECT %s FROM CUPTI_ACTIVITY_KIND_KERNEL;`
	row := func(at, device, address, bytes, kind, op int) string {
		return fmt.Sprintf("INSERT INTO CUDA_GPU_MEMORY_USAGE_EVENTS SELECT %d, globalPid, deviceId + %d, 1, %d, 0, %d, %d, %d FROM CUPTI_ACTIVITY_KIND_KERNEL;", at, device, address, bytes, kind, op)
	}
	for name, x := range map[string]struct {
		rows, want string
		lost       bool
	}{
		"taken and freed":   {row(20, 0, 7, 100, 2, 0) + row(30, 0, 7, 0, 2, 1), "[{20 0 100 true} {30 0 0 false}]", false},
		"freed before":      {row(20, 0, 7, 100, 2, 1) + row(30, 0, 8, 40, 2, 0), "[{20 0 0 false} {30 0 40 true}]", false},
		"pinned on host":    {row(20, 0, 7, 100, 1, 0), "", false},
		"another device":    {row(20, 1, 7, 100, 2, 0), "", false},
		"of unknown size":   {row(20, 0, 7, 100, 2, 0) + row(30, 0, 9, 0, 2, 1), "", true},
		"unknown operation": {row(20, 0, 7, 100, 2, 5), "", false},
	} {
		one := read(t, nsystest.Export(t, nsystest.KernelRow, fmt.Sprintf(table, "0, 0, 0, 0, 0, 0, 0, 0, 9"), x.rows))[0]
		got := ""
		if one.Memory != nil {
			got = fmt.Sprint(one.Memory.Changes)
		}
		if lost := one.Incomplete()&trace.MemoryUse != 0; got != x.want || lost != x.lost {
			t.Errorf("%s: got %q, lost %v; want %q, %v", name, got, lost, x.want, x.lost)
		}
	}
}
