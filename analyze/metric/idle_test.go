package metric

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"perfdiff/analyze/run"
	"perfdiff/analyze/trace"
)

// TestIdle: what package idle finds becomes the causes of idle time, what gaps wait for, and
// the wait for input, which are absent where the capture would not show them.
func TestIdle(t *testing.T) {
	const us = 1000
	step := trace.Step{Number: 7, Start: 0, End: 2000 * us, HostStart: 0, HostEnd: 2000 * us}
	for _, tt := range []struct {
		name   string
		launch int64  // of the kernel behind a gap of 1,000 us, from its start; -1 not known
		input  bool   // a range around fetching a batch over the first 400 us of the gap
		want   string // us, by metric and part, of what is not 0
		zero   string // what is 0
	}{
		{"nothing recorded", -1, false, "gap_bound_time unknown 1000, idle_time 1000, idle_time unknown 1000", ""},
		{"a late launch", 990 * us, false, "gap_bound_time launch 1000, idle_time 1000, idle_time launching 10, idle_time unknown 990",
			"gap_bound_time dependency, gap_bound_time input, gap_bound_time unknown, idle_time allocator, idle_time dependency, idle_time synchronizing"},
		{"input without calls", -1, true, "gap_bound_time unknown 1000, idle_time 1000, idle_time input 400, idle_time unknown 600, input_wait_time 400", "idle_time host"},
	} {
		tr := &trace.Trace{Names: trace.NewNames(), Recorded: trace.HasDevice}
		launch := trace.NoTime
		if tt.launch >= 0 {
			launch, tr.Recorded = 500*us+tt.launch, tr.Recorded|trace.HasLaunches
		}
		gemm := tr.Names.ID("gemm")
		tr.Device = []trace.Span{
			{Start: 0, End: 500 * us, Name: gemm, Kind: trace.Kernel, Class: trace.Compute, Launch: trace.NoTime},
			{Start: 1500 * us, End: 2000 * us, Name: gemm, Kind: trace.Kernel, Class: trace.Compute, Launch: launch},
		}
		if tt.input {
			tr.Ranges = []trace.Range{{Start: 500 * us, End: 900 * us, Name: tr.Names.ID("next batch"), Thread: 1}}
		}
		var got, zero []string
		r := Prepare(tr, 1)
		for _, s := range r.Measure([]trace.Step{step}) {
			if s.Metric != run.IdleTime && s.Metric != run.GapBoundTime && s.Metric != run.InputWaitTime {
				continue
			}
			name := strings.TrimSpace(s.Metric + " " + s.Part)
			if s.Values[0] == 0 {
				zero = append(zero, name)
			} else {
				got = append(got, fmt.Sprintf("%s %.0f", name, math.Round(s.Values[0]*1e6)))
			}
		}
		if got, zero := sorted(got), sorted(zero); got != tt.want || zero != tt.zero {
			t.Errorf("%s: got %s, and 0 of %s\nwant %s, and 0 of %s", tt.name, got, zero, tt.want, tt.zero)
		}
		if len(r.Longest) != 1 || r.Longest[0].Length != 1000*us || r.Longest[0].After != "gemm" || r.Gaps.Total != 1000*us {
			t.Errorf("%s: got gaps %+v, in all %d ns", tt.name, r.Longest, r.Gaps.Total)
		}
	}
}

func sorted(list []string) string {
	slices.Sort(list)
	return strings.Join(list, ", ")
}
