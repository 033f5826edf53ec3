package nsys

import (
	"fmt"
	"slices"
	"testing"

	"perfdiff/analyze/synth/nsystest"
	"perfdiff/analyze/trace"
)

const schedSchema = `CREATE TABLE SCHED_EVENTS (start, cpu, isSchedIn, globalTid);
	CREATE TABLE CUDA_UM_CPU_PAGE_FAULT_EVENTS (start, globalPid, address);
	CREATE TABLE CUDA_UM_GPU_PAGE_FAULT_EVENTS (start, end, globalPid, deviceId, address, numberOfPageFaults);`

// TestRunning: of threads that call CUDA it is known when they were on a processor, in any order of the rows and however
// often they are there; of others nothing is kept.
func TestRunning(t *testing.T) {
	x := readSmall(t, nsystest.KernelRow, schedSchema, `INSERT INTO SCHED_EVENTS VALUES (40, 3, 0, $T), (10, 3, 1, $T), (10, 3, 1, $T),
		(5, 3, 0, $T), (-30, 3, 1, $T), (60, 4, 2, $T), (80, 4, 0, $T), (80, 5, 1, $T), (85, 5, 0, $T), (90, 5, 1, $T), (NULL, 5, 0, $T), (95, 5, NULL, $T),
		(1, 0, 1, $T + 1), (9, 0, 0, $T + 1), (2, 0, 1, $U), (3, 0, 0, $U), (2, 0, 1, NULL)`)
	if got, want := fmt.Sprint(x.Running), "map[4242:[{10 40} {60 80} {80 85}]]"; got != want || !x.Recorded.Has(trace.HasRunning) {
		t.Errorf("got %s, recorded %v, want %s", got, x.Recorded.Has(trace.HasRunning), want)
	}
	if x := readSmall(t, nsystest.KernelRow, schedSchema); len(x.Running) > 0 || x.Recorded.Has(trace.HasRunning) || x.Recorded&(trace.HasHostFaults|trace.HasDeviceFaults) != 0 {
		t.Error("empty tables: got something recorded")
	}
}

// TestPageFaults: faults of the host, and those of the rank's own device.
func TestPageFaults(t *testing.T) {
	x := readSmall(t, nsystest.KernelRow, schedSchema, `INSERT INTO CUDA_UM_CPU_PAGE_FAULT_EVENTS VALUES (30, $P, 1), (20, $Q, 1);
		INSERT INTO CUDA_UM_GPU_PAGE_FAULT_EVENTS VALUES (50, 70, $P, 0, 1, 12), (10, 15, $P, 1, 1, 3), (10, 5, $P, 0, 1, 3), (8, 9, $P, 0, 1, 0)`)
	want := []trace.Fault{{Start: 30, End: 30, Count: 1, Device: -1}, {Start: 50, End: 70, Count: 12}}
	if !slices.Equal(x.Faults, want) || !x.Recorded.Has(trace.HasHostFaults|trace.HasDeviceFaults) {
		t.Errorf("got %v, want %v", x.Faults, want)
	}
}

// TestRealThreadStates: the real files that hold states of threads have them of those that launch.
func TestRealThreadStates(t *testing.T) {
	for file, want := range map[string]map[int32]int{
		"cloverleaf-a100-2024.5.sqlite":       {1701896: 536},
		"forward-backward-nvtx-2025.1.sqlite": {55072: 2556, 55120: 52},
		"saxpy-mpi-2022.2-full-schema.sqlite": {1230493: 1535},
	} {
		got := map[int32]int{}
		for thread, list := range read(t, realFile(t, file))[0].Running {
			got[thread] = len(list)
			if !slices.IsSortedFunc(list, func(a, b trace.Interval) int { return int(a.End - b.Start) }) {
				t.Errorf("%s: thread %d: its times overlap", file, thread)
			}
		}
		if fmt.Sprint(got) != fmt.Sprint(want) {
			t.Errorf("%s: got %v, want %v", file, got, want)
		}
	}
}
