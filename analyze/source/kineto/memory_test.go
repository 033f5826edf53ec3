package kineto

import (
	"fmt"
	"testing"

	"perfdiff/analyze/trace"
)

// TestMemory: what instants of memory say of the device of a trace, in either dialect, and what
// they do not.
func TestMemory(t *testing.T) {
	const kernel = `{"ph": "X", "cat": "kernel", "name": "k", "pid": 0, "tid": 7, "ts": 1, "dur": 1, "args": {"device": 0, "stream": 7, "correlation": 5}},
		{"ph": "X", "cat": "cuda_runtime", "name": "cudaLaunchKernel", "pid": 9, "tid": 9, "ts": 0.5, "dur": 1, "args": {"correlation": 5}}`
	const event = `,{"ph": "i", "cat": "cpu_instant_event", "s": "t", "name": "[memory]", "pid": 9, "tid": 9, "ts": %d, "args": {"Total Reserved": %d, "Total Allocated": %d, "Bytes": %d, "Device Id": %d, "Device Type": %d}}`
	const old = `,{"ph": "i", "s": "t", "name": "[memory]", "pid": 9, "tid": 9, "ts": %d, "args": {"Device Type": 1, "Device Id": 0, "Bytes": %d}}`
	say := func(at, reserved, allocated, bytes, device, kind int) string {
		return fmt.Sprintf(event, at, reserved, allocated, bytes, device, kind)
	}
	for name, x := range map[string]struct {
		events, want string
		lost         bool
	}{
		"totals":          {say(3, 200, 150, -50, 0, 1) + say(2, 200, 200, 50, 0, 1), memorySource.Totals + " [{2000 200 200 true} {3000 150 200 false}]", false},
		"the host's":      {say(2, 0, 7, 7, -1, 0), "", false},
		"another device":  {say(2, 10, 7, 7, 1, 1), "", false},
		"sums":            {fmt.Sprintf(old, 2, 30) + fmt.Sprintf(old, 3, -50) + fmt.Sprintf(old, 4, 5), memorySource.Sums + " [{2000 50 0 true} {3000 0 0 false} {4000 5 0 true}]", false},
		"both":            {say(2, 9, 7, 7, 0, 1) + fmt.Sprintf(old, 3, 30), "", true},
		"no size":         {`,{"ph": "i", "name": "[memory]", "pid": 9, "tid": 9, "ts": 2, "args": {"Device Type": 1, "Device Id": 0}}` + say(2, 9, 7, 7, 0, 1), "", true},
		"another instant": {`,{"ph": "i", "name": "Record Window End", "pid": 9, "tid": 9, "ts": 2, "args": {"Device Type": 1, "Device Id": 0, "Bytes": 3}}`, "", false},
		"an event":        {`,{"ph": "X", "cat": "cpu_instant_event", "name": "[memory]", "pid": 9, "tid": 9, "ts": 2, "dur": 1, "args": {"Device Type": 1, "Device Id": 0, "Bytes": 3}}`, "", false},
	} {
		all, err := readText(`{"schemaVersion": 1, "traceEvents": [` + kernel + x.events + `]}`)
		if err != nil {
			t.Fatal(err)
		}
		one, got := all[0], ""
		if m := one.Memory; m != nil {
			got = fmt.Sprint(m.Source, " ", m.Changes)
		}
		if lost := one.Incomplete()&trace.MemoryUse != 0; got != x.want || lost != x.lost || one.Recorded.Has(trace.HasMemory) != (x.want != "") {
			t.Errorf("%s: got %q, lost %v; want %q, %v", name, got, lost, x.want, x.lost)
		}
	}
}
