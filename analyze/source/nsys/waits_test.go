package nsys

import (
	"slices"
	"testing"

	"perfdiff/analyze/synth/nsystest"
	"perfdiff/analyze/trace"
)

// TestStreamWaits: a wait is for the last record of its event before it, by the order of calls, on
// another stream and in the same process and context.
func TestStreamWaits(t *testing.T) {
	x := readSmall(t, nsystest.KernelRow, `DROP TABLE CUPTI_ACTIVITY_KIND_SYNCHRONIZATION;
		CREATE TABLE CUPTI_ACTIVITY_KIND_SYNCHRONIZATION (start, end, deviceId, contextId, streamId, correlationId, globalPid, syncType, eventId);
		CREATE TABLE CUPTI_ACTIVITY_KIND_CUDA_EVENT (deviceId, contextId, streamId, correlationId, globalPid, eventId);
		INSERT INTO CUPTI_ACTIVITY_KIND_RUNTIME VALUES (60, 61, $T, 10, 2), (70, 71, $T, 20, 2), (80, 81, $T, 22, 2), (90, 91, $T, 31, 2);
		INSERT INTO CUPTI_ACTIVITY_KIND_CUDA_EVENT VALUES (0, 1, 20, 20, $P, 5), (0, 1, 19, 10, $P, 5), (0, 1, 21, 22, $P, 5), (0, 1, 7, 31, $P, 6);
		INSERT INTO CUPTI_ACTIVITY_KIND_SYNCHRONIZATION VALUES
			(75, 76, 0, 1, 7, 21, $P, 2, 5), (85, 86, 0, 1, 7, 23, $P, 2, 5), (65, 66, 0, 1, 7, 10, $P, 2, 5),
			(95, 96, 0, 1, 7, 32, $P, 2, 6), (96, 97, 0, 1, 7, 33, $P, 4, 5), (97, 98, 0, 2, 7, 34, $P, 2, 5), (98, 99, 0, 1, 7, 35, $P, 2, 4294967295)`)
	want := []trace.StreamWait{{At: 75, Stream: 7, On: 20, Recorded: 70}, {At: 85, Stream: 7, On: 21, Recorded: 80}}
	if !slices.Equal(x.Waits, want) {
		t.Errorf("got %+v, want %+v", x.Waits, want)
	}
}
