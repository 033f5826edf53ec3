package words

import (
	"math"
	"strings"
	"testing"

	"perfdiff/analyze/run"
	"perfdiff/diff"
	"perfdiff/diff/cause"
	"perfdiff/diff/policy"
	"perfdiff/diff/verdict"
	"perfdiff/render/number"
)

// none is what a finding does not have.
var none = math.NaN()

// of is a finding with its values, change and unit, without an interval.
func of(kind policy.Kind, metric string, base, cand, delta float64, unit string) cause.Finding {
	return cause.Finding{
		Kind: kind, Metric: metric, Base: base, Cand: cand, Delta: delta, Unit: unit,
		Estimate: none, Lo: none, Hi: none, EachSpike: none,
	}
}

// within is a finding with an interval.
func within(f cause.Finding, estimate, lo, hi float64) cause.Finding {
	f.Estimate, f.Lo, f.Hi = estimate, lo, hi
	return f
}

func TestFinding(t *testing.T) {
	main := func(name, subject string) verdict.Comparison {
		return verdict.Comparison{Key: run.Key{Metric: name}, Metric: run.Metric{Name: name, Unit: "s", Traits: run.Traits{Subject: subject}}}
	}
	r := &diff.Report{Metrics: []verdict.Comparison{
		main(run.InputWaitTime, "Input wait"), main(run.ComputeTime, "Compute"), main(run.IOReadThroughput, "Read throughput"),
		main(run.IdleTime, "Idle time"), main(run.Overlap, "Overlap of communication"),
	}}
	r.Metrics[0].Base, r.Metrics[0].Cand = 0.02, 0.03
	r.Metrics[1].Includes, r.Metrics[2].Sources = "unknown", [2][]string{{"file access events"}, {"file access events"}}
	explained := within(of(policy.KindIdle, run.IdleTime, 0.0529, 0.0184, -0.0345, "s"), none, -0.04, -0.03)
	explained.Clauses = []cause.Clause{{Kind: cause.ClauseLaunchesLate, Delta: 1}, {Kind: cause.ClauseIdleCauses}, {Kind: cause.ClauseSpikePart, Part: cause.StepPart{Key: run.Key{Metric: run.ComputeTime}}}}
	explained.Reasons = []cause.Reason{{Metric: run.IdleTime, Part: "host", Base: 0.04, Cand: 0.01, Places: []string{"a", "b"}}}
	input := of(policy.KindInputWait, run.IdleTime, 0.01, 0.015, 0.005, "s")
	input.Part = "input"
	jitter := within(of(policy.KindJitter, run.Dispersion, 0.02, 0.01, -0.01, "ratio"), -0.011, -0.012, -0.008)
	gap := of(policy.KindGapBefore, run.GapBefore, 4e-4, 3e-4, -1e-4, "s")
	gap.Part, gap.Class = "AllReduce", verdict.ClassRemains
	warm := of(policy.KindWarmUp, run.StepTime, 0, 11, 11, "1")
	warm.WarmUp = &cause.WarmUpCosts{Base: 0, Cand: 1.2}
	mixed := of(policy.KindLoadMix, run.StepTime, none, none, none, "")
	mixed.Mix = []cause.MixChange{{Kind: cause.MixShare, Class: "decode", Base: 0.4, Cand: 0.6}}
	called := of(policy.KindCall, "ranges", 0.002, 0.003, 0.001, "s")
	called.Call = &cause.Call{Table: run.RangeTable, Name: "a", Base: cause.StatSide{Count: 7, Median: 0.002}, Cand: cause.StatSide{Count: 8, Median: 0.003}}
	other := of(policy.KindOtherKernel, run.KernelTime, 0, 0.25, 0.25, "ratio")
	other.Side, other.Call = "candidate", &cause.Call{Table: run.KernelTable, Name: "void gemm<float>(int)"}
	for _, tt := range []struct {
		f    cause.Finding
		want string
	}{
		{explained, "−34|ms|−40 to −30 ms|" +
			"Idle time fell from 53 to 18 ms per step: launches come after the device is done, while the host does other work " +
			"(from 40 to 10 ms), first of all in a and b; most of it is compute."},
		{of(policy.KindCompute, run.ComputeTime, 5e-5, 9e-5, 4e-5, "s"),
			"+40|µs||Compute or unknown work rose from 50 to 90 µs per step."},
		{input, "+5.0|ms||Waiting for input rose from 10.0 to 15.0 ms per step."},
		{within(of(policy.KindOverlap, run.Overlap, 0.2, 0.9, 0.7, "ratio"), 0.68, 0.6, 0.76),
			"+70|points|+60 to +76 points of the median|Overlap of communication rose from 20 to 90 %."},
		{jitter, "−1.0|points|−1.2 to −0.8 points of the median|Steps differ less from one to the next: " +
			"by 1.00 % of a step in the median instead of 2.00 %."},
		{of(policy.KindReadThroughput, run.IOReadThroughput, 6e8, 1.9e9, 1.3e9, "B/s"),
			"+1.3|GB/s||Read throughput rose from 0.6 to 1.9 GB/s, measured from file access events."},
		{gap, "300|µs||A gap of 300 µs before AllReduce remains in the candidate."},
		{warm, "+11|steps||The warm-up takes 11 steps in the candidate and 0 steps in the baseline, " +
			"which costs 1\u2009200 ms and 0 ms once; these steps are left out of the comparison."},
		{of(policy.KindKernelShift, run.KernelTime, none, none, -0.2, "ratio"),
			"−20.0|%||All kernels take about 20.0 % less per call, as a different clock, batch size or data type would cause."},
		{mixed, "|||The mix of engine steps changed: decode steps are 40.0 % of the baseline's and 60.0 % of the candidate's."},
		{of(policy.KindOneSide, run.InputWaitTime, none, 0.004, none, "s"), "4.00|ms||Input wait is 20.0 ms per step in the baseline, " +
			"not recorded in the candidate: it is not judged."},
		{called, "+50.0|%||The range a takes longer per call: 2.00 and 3.00 ms, the median of 7 and 8 calls."},
		{other, "25|%||The candidate runs gemm, 25.0 % of its kernel time, which the baseline does not."},
		{of("made up", "x", 1, 2, 1, "1"), "+1|||"},
	} {
		f := Of(r, &tt.f)
		got := strings.ReplaceAll(f.Number+"|"+f.NumberIn+"|"+f.Interval+"|"+f.Text, number.Space, " ")
		if got != tt.want {
			t.Errorf("%s:\n got %q\nwant %q", tt.f.Kind, got, tt.want)
		}
	}
}
