package words

import (
	"math"
	"strings"
	"testing"

	"perfdiff/analyze/run"
	"perfdiff/diff"
	"perfdiff/diff/number"
)

// none is what a finding does not have.
var none = math.NaN()

func TestFinding(t *testing.T) {
	r := &diff.Report{Metrics: []diff.Comparison{
		{Key: run.Key{Metric: run.InputWaitTime}, Base: 0.02, Cand: 0.03}, {Key: run.Key{Metric: run.ComputeTime}, Holds: "unknown"},
		{Key: run.Key{Metric: run.IOReadThroughput}, Source: "file access events"},
	}}
	for _, tt := range []struct {
		f    diff.Finding
		want string
	}{
		{diff.Finding{Kind: diff.KindIdle, Metric: run.IdleTime, Base: 0.0529, Cand: 0.0184, Delta: -0.0345, Estimate: none, Lo: -0.04, Hi: -0.03, Unit: "s",
			Clauses: []string{": launches", "; the step fell by less"}},
			"−34.5|ms|−40.0 to −30.0 ms|Idle time fell from 52.9 to 18.4 ms a step: launches; the step fell by less."},
		{diff.Finding{Kind: diff.KindCompute, Metric: run.ComputeTime, Base: 5e-5, Cand: 9e-5, Delta: 4e-5, Estimate: none, Lo: none, Hi: none, Unit: "s"},
			"+40.0|µs||Compute or unknown work rose from 50.0 to 90.0 µs a step."},
		{diff.Finding{Kind: diff.KindInputWait, Metric: run.InputWaitTime, Base: 0.01, Cand: 0.015, Delta: 0.005, Estimate: none, Lo: none, Hi: none, Unit: "s", Mean: true},
			"+5.00|ms||Input wait that leaves the device idle rose from 10.0 to 15.0 ms a step in the mean (on the host the median rose from 20.0 to 30.0 ms)."},
		{diff.Finding{Kind: diff.KindOverlap, Metric: run.Overlap, Base: 0.2, Cand: 0.9, Delta: 0.7, Estimate: 0.68, Lo: 0.6, Hi: 0.76, Unit: "ratio"},
			"+70.0|points|+60 to +76 points|Overlap of communication rose from 20.0 to 90.0 %."},
		{diff.Finding{Kind: diff.KindJitter, Metric: run.Dispersion, Base: 0.02, Cand: 0.01, Delta: -0.01, Estimate: -0.5, Lo: -0.6, Hi: -0.4, Relative: true, Unit: "ratio"},
			"−1.00|points|−60 to −40 %|Steps differ less from one to the next: by 1.00 % of a step in the median, in the baseline by 2.00 %."},
		{diff.Finding{Kind: diff.KindReadThroughput, Metric: run.IOReadThroughput, Base: 6e8, Cand: 1.9e9, Delta: 1.3e9, Estimate: none, Lo: none, Hi: none, Unit: "B/s"},
			"+1.30|GB/s||Read throughput rose from 0.60 to 1.90 GB/s, measured from file access events."},
		{diff.Finding{Kind: diff.KindGapBefore, Part: "AllReduce", Class: "remains", Base: 4e-4, Cand: 3e-4, Delta: -1e-4, Estimate: none, Lo: none, Hi: none, Unit: "s"},
			"300|µs||A gap of 300 µs before AllReduce remains in the candidate."},
		{diff.Finding{Kind: diff.KindWarmUp, Base: 0, Cand: 11, Delta: 11, Estimate: none, Lo: none, Hi: none, Unit: "1", Text: "The warm-up takes 11 steps."},
			"+11.0|steps||The warm-up takes 11 steps."},
		{diff.Finding{Kind: diff.KindKernelShift, Base: none, Cand: none, Delta: -0.2, Estimate: none, Lo: none, Hi: none, Unit: "ratio"},
			"−20.0|%||All kernels take about 20.0 % less a call, as with another clock, size of the batch or data type."},
		{diff.Finding{Kind: diff.KindLoadMix, Base: none, Cand: none, Delta: none, Estimate: none, Lo: none, Hi: none, Text: "The mix changed."}, "|||The mix changed."},
		{diff.Finding{Kind: diff.KindOneSide, Base: none, Cand: 0.004, Delta: none, Estimate: none, Lo: none, Hi: none, Unit: "s"}, "4.00|ms||"},
	} {
		f := Of(r, &tt.f)
		got := strings.ReplaceAll(f.Number+"|"+f.NumberIn+"|"+f.Interval+"|"+f.Text, number.Space, " ")
		if got != tt.want {
			t.Errorf("%s:\n got %q\nwant %q", tt.f.Kind, got, tt.want)
		}
	}
}
