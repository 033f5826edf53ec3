package render

import (
	"bytes"
	"math"
	"strings"
	"testing"

	"perfdiff/analyze/run"
	"perfdiff/analyze/trace"
	"perfdiff/diff"
	"perfdiff/diff/cause"
	"perfdiff/diff/policy"
	"perfdiff/diff/verdict"
)

var nan = math.NaN()

var (
	seconds = run.Metric{Unit: "s", Better: run.Lower, Main: true}
	ratio   = run.Metric{Unit: "ratio", Better: run.Higher, Main: true}
	rate    = run.Metric{Unit: "B/s", Better: run.Higher, Main: true}
)

// judged is a comparison with a verdict; a time changes relatively, a ratio
// does not.
func judged(m run.Metric, name string, base, cand, estimate, lo, hi float64, v verdict.Verdict) verdict.Comparison {
	m.Name, m.Subject = name, map[string]string{run.StepTime: "Step time", run.ExposedCommTime: "Exposed communication", run.IdleTime: "Idle time"}[name]
	return verdict.Comparison{
		Key: run.Key{Metric: name}, Metric: m, Base: base, Cand: cand, BaseMean: base, CandMean: cand, Delta: cand - base,
		Estimate: estimate, Lo: lo, Hi: hi, Relative: m.Unit != "ratio", Verdict: v, Reason: verdict.ReasonDecided,
		Runs: [2]int{1, 1}, Ranks: [2]int{16, 16}, StepsUsed: 18,
	}
}

// unrecorded is a metric that neither or one side recorded.
func unrecorded(m run.Metric, name string, base, cand float64, needs ...string) verdict.Comparison {
	c := judged(m, name, base, cand, nan, nan, nan, verdict.Inconclusive)
	c.Reason, c.Delta = verdict.ReasonNotRecorded, nan
	for i, what := range needs {
		if what != "" {
			c.NotRecorded[i] = verdict.Need{Kind: verdict.NeedRecord, What: what}
		}
	}
	return c
}

func side(label string) diff.Side {
	return diff.Side{
		Label: label, Runs: []string{label}, Ranks: upTo(16), World: 16, Hosts: []string{"n1", "n2"},
		GPUs: []string{"NVIDIA A100-SXM4-40GB"}, RanksFrom: []string{"file name"},
		Steps: diff.StepReceipt{
			Marker: `range "step N"`, Found: 19, Kept: 17, Used: 17, Second: "agrees: 3 AllReduce per step",
			Dropped: []run.Drop{
				{Steps: []int64{11}, Reason: "first step: the profiler starts in it"},
				{Steps: []int64{29}, Reason: "last step: nothing in the capture ends it"},
			},
		},
	}
}

func upTo(n int) []int {
	out := make([]int, n)
	for i := range out {
		out[i] = i
	}
	return out
}

// improved is a usual report.
func improved() *diff.Report {
	r := &diff.Report{
		SchemaVersion: diff.SchemaVersion, Tool: "perfdiff 1.2.3",
		Policy:  policy.DefaultPolicy(),
		Verdict: verdict.Improved, Reason: verdict.ReasonDecided, Judged: true,
		Base: side("baseline"), Cand: side("candidate"),
		Metrics: []verdict.Comparison{
			judged(seconds, "step_time", 0.1602, 0.079, -0.502, -0.52, -0.48, verdict.Improved),
			judged(seconds, "host_step_time", 0.1605, 0.0788, -0.501, -0.519, -0.479, verdict.Improved),
			judged(seconds, "compute_time", 0.0601, 0.06, -0.001, -0.012, 0.011, verdict.Unchanged),
			judged(seconds, "comm_time", 0.0583, 0.00915, -0.84, -0.86, -0.82, verdict.Improved),
			judged(seconds, "exposed_comm_time", 0.0472, 0.00064, -0.986, -0.99, -0.98, verdict.Improved),
			judged(seconds, "exposed_memory_time", 0, 0, 0, 0, 0, verdict.Unchanged),
			judged(seconds, "idle_time", 0.0529, 0.0184, -0.65, -0.67, -0.62, verdict.Improved),
			judged(ratio, "busy_share", 0.67, 0.767, 0.0972, 0.081, 0.113, verdict.Improved),
			judged(ratio, "overlap", 0.191, 0.93, 0.739, 0.712, 0.766, verdict.Improved),
			unrecorded(seconds, "input_wait_time", nan, 0.004, "a range around fetching a batch", ""),
			judged(rate, "io_read_throughput", 6e8, 1.9e9, 2.17, 1.9, 2.44, verdict.Improved),
			judged(seconds, "compute_skew", 0.0011, 0.00108, -0.018, -0.09, 0.054, verdict.Inconclusive),
		},
		Findings: []cause.Finding{
			{Kind: policy.KindCommunication, Metric: "exposed_comm_time", Base: 0.0472, Cand: 0.00064, Delta: -0.0466, Estimate: nan, Lo: nan, Hi: nan, Unit: "s", Class: verdict.ClassBetter, Section: "collectives", Effect: -0.0466},
			{Kind: policy.KindIdle, Metric: "idle_time", Base: 0.0529, Cand: 0.0184, Delta: -0.0345, Estimate: nan, Lo: nan, Hi: nan, Unit: "s", Class: verdict.ClassBetter, Section: "gaps", Effect: -0.0345},
			{Kind: policy.KindComputeUnchanged, Metric: "compute_time", Base: 0.0601, Cand: 0.06, Delta: -0.0001, Estimate: nan, Lo: nan, Hi: nan, Unit: "s", Class: verdict.ClassUnchanged, Section: "kernels"},
			{Kind: policy.KindGapBefore, Metric: "gap_before", Part: "AllReduce", Base: 0.001, Cand: 0.001, Delta: 0, Estimate: nan, Lo: nan, Hi: nan, Unit: "s", Class: verdict.ClassRemains, Section: "gaps"},
		},
		Steps: []cause.StepPoint{{Number: 12, Base: cause.StepSide{Median: 0.1, Min: 0.09, Max: 0.11, Ranks: 16, PerRun: []float64{0.1}}, Cand: cause.StepSide{Median: nan, Min: nan, Max: nan}}},
		Differences: []verdict.Difference{
			{Name: "driver", Base: "550.90.07", Cand: "550.127.05", Class: policy.ClassLook, Why: policy.OtherDriver},
			{Name: "hosts", Base: "n1, n2", Cand: "n3, n4", Class: policy.ClassHarmless, Why: policy.OtherNodes},
		},
		Warnings: []diff.Warning{
			{Side: "candidate", Warning: trace.Warning{File: "report.3.sqlite", Text: "12 kernels have no launch: some of the capture was lost (record with a larger buffer)"}, Count: 1},
		},
	}
	r.Base.Ranks, r.Base.Missing = r.Base.Ranks[:15], []int{15}
	return speaking(r)
}

// speaking is a report whose headline is that of its first metric.
func speaking(r *diff.Report) *diff.Report {
	r.Headline.Of = r.Metrics[0]
	of := &r.Headline.Of
	of.WithinLo, of.WithinHi, of.Tipping, of.FirstStep, of.LastStep = nan, nan, nan, nan, nan
	r.Headline.Of.Threshold, r.Headline.Of.Floor, r.Headline.Of.StepsUsed = 0.02, 0.015, min(17, r.Metrics[0].StepsUsed)
	return r
}

// verdicts are reports that end in every way there is, by name.
func verdicts() map[string]*diff.Report {
	regressed := improved()
	regressed.Verdict = verdict.Regressed
	regressed.Metrics[0] = judged(seconds, "step_time", 0.1602, 0.1727, 0.078, 0.031, 0.127, verdict.Regressed)
	speaking(regressed)

	unchanged := improved()
	unchanged.Verdict, unchanged.Headline.Of.Verdict = verdict.Unchanged, verdict.Unchanged
	unchanged.SameFiles, unchanged.Findings = true, nil

	unclear := improved()
	unclear.Verdict, unclear.Reason = verdict.Inconclusive, verdict.ReasonNeedsRuns
	unclear.Headline.Of.Verdict, unclear.Headline.Of.Reason = unclear.Verdict, unclear.Reason

	sizes := improved()
	sizes.Verdict, sizes.Reason, sizes.Judged = verdict.Inconclusive, verdict.ReasonRankCount, false
	sizes.Findings = nil
	for i := range sizes.Metrics {
		sizes.Metrics[i].Verdict, sizes.Metrics[i].Reason = verdict.Inconclusive, verdict.ReasonRankCount
	}
	speaking(sizes)

	few := improved()
	few.Verdict, few.Reason, few.Judged = verdict.Inconclusive, verdict.ReasonTooFewSteps, false
	few.Findings = nil
	for i := range few.Metrics {
		c := &few.Metrics[i]
		if c.Reason != verdict.ReasonNotRecorded {
			c.Estimate, c.Lo, c.Hi, c.Verdict, c.Reason, c.StepsUsed = nan, nan, nan, verdict.Inconclusive, verdict.ReasonTooFewSteps, 1
		}
	}
	speaking(few)
	return map[string]*diff.Report{
		"improved": improved(), "regressed": regressed, "unchanged": unchanged, "inconclusive": unclear,
		"sizes differ": sizes, "too few": few, "no steps": noSteps(), "without steps": withoutSteps(),
	}
}

// noSteps is a report in which nothing was measured.
func noSteps() *diff.Report {
	hint := `no ranges were recorded: wrap each step in torch.cuda.nvtx.range("step N") and record with --trace=cuda,nvtx`
	r := &diff.Report{
		SchemaVersion: diff.SchemaVersion, Tool: "perfdiff 1.2.3", Policy: improved().Policy, Reason: verdict.ReasonNoSteps,
		Headline: diff.Headline{Of: verdict.Comparison{Reason: verdict.ReasonNoSteps}, Silent: []string{"baseline", "candidate"}}, Hints: []string{hint},
		Base: diff.Side{Label: "a.sqlite", Ranks: []int{-1}}, Cand: diff.Side{Label: "b.sqlite", Ranks: []int{-1}},
	}
	r.Base.Steps = diff.StepReceipt{Marker: "none", Second: "none", Hint: hint}
	r.Cand.Steps = r.Base.Steps
	return r
}

// withoutSteps is a report of captures whose calls are compared; names are hostile, as
// long as real ones, and alike at their ends.
func withoutSteps() *diff.Report {
	r := noSteps()
	r.Per = cause.PerSecond
	call := func(table run.Table, name string, base, cand float64, beyond bool) {
		c := cause.Call{Table: table, Name: name, Change: nan, Q: nan, BeyondNoise: beyond}
		for _, x := range []struct {
			*cause.StatSide
			each float64
		}{{&c.Base, base}, {&c.Cand, cand}} {
			if x.each > 0 {
				*x.StatSide = cause.StatSide{Count: 1200, Median: x.each, Mean: x.each, Time: 0.1, Calls: 12, Bytes: map[bool]float64{true: 2e9}[table == run.MemoryTable]}
			}
		}
		r.Calls = append(r.Calls, c)
	}
	call(run.KernelTable, "void ns::gemm<float, 128>", 100e-6, 125e-6, true)
	call(run.KernelTable, "void ns::gemm<float, 256>", 5e-6, 0, false)
	call(run.CollectiveTable, "AllReduce", 1.6e-3, 1.5e-3, false)
	call(run.MemoryTable, "copy h2d", 2e-3, 2e-3, false)
	call(run.RangeTable, "find_centers | <b>\u202e\x1b[31m"+strings.Repeat("wide \u4e16", 20), 67.7e-3, 11.5e-3, true)
	r.Capture = []verdict.Comparison{
		{Key: run.Key{Metric: "extent_busy_share"}, Metric: run.Metric{Name: "extent_busy_share", Unit: "ratio", Main: true}, Base: 0.9, Cand: 0.7, BaseMean: 0.9, CandMean: 0.7, Delta: -0.2, Estimate: nan, Reason: verdict.ReasonNoSteps},
		{Key: run.Key{Metric: "gap_rate"}, Metric: run.Metric{Name: "gap_rate", Unit: "1/s"}, Base: nan, Cand: 700, BaseMean: nan, CandMean: 700, Delta: nan, Estimate: nan, Reason: verdict.ReasonNotRecorded},
	}
	return r
}

// write is what Write writes.
func write(t testing.TB, r *diff.Report, f Format, opt Options) string {
	t.Helper()
	var b bytes.Buffer
	if err := Write(&b, r, f, opt); err != nil {
		t.Fatalf("%v: %v", f, err)
	}
	return b.String()
}
