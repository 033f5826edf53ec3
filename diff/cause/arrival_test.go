package cause_test

import (
	"math"
	"strings"
	"testing"

	"perfdiff/analyze/run"
	"perfdiff/diff"
	"perfdiff/diff/cause"
	"perfdiff/diff/difftest"
	"perfdiff/diff/policy"
	"perfdiff/diff/verdict"
)

func TestArrivals(t *testing.T) {
	part := func(metric string, base, cand float64) verdict.Comparison {
		return verdict.Comparison{Key: run.Key{Metric: metric}, Metric: run.Metric{Name: metric, Unit: "s"}, Base: base, Cand: cand, BaseMean: base, CandMean: cand,
			Delta: cand - base, Estimate: cand - base, Verdict: verdict.Regressed, Lo: cand - base, Hi: cand - base}
	}
	shown := func(c verdict.Comparison) verdict.Comparison { c.Verdict = verdict.Unchanged; return c }
	for _, tt := range []struct {
		name  string
		parts []verdict.Comparison
		want  string
	}{
		{"together", []verdict.Comparison{part("exposed_wait_time", .010, .001), part("exposed_transfer_time", .009, .009), part("comm_transfer_time", .009, .009)}, "ranks arrive closer together (waiting fell from 10.0 to 1.0 ms); the transfer itself shows no sign of a change (9.00 and 9.00 ms)"},
		{"apart", []verdict.Comparison{part("exposed_wait_time", .001, .010), part("exposed_transfer_time", .009, .0091), part("comm_transfer_time", .009, .0091)}, "ranks arrive further apart (waiting rose from 1.0 to 10.0 ms); the transfer itself shows no sign of a change (9.00 and 9.10 ms)"},
		{"pushed out of the overlap", []verdict.Comparison{part("exposed_wait_time", .001, .010), part("exposed_transfer_time", .0015, .003), part("comm_transfer_time", .003, .003)}, "ranks arrive further apart (waiting rose from 1.0 to 10.0 ms); the transfer itself shows no sign of a change (3.00 and 3.00 ms)"},
		{"both, the transfer only exposed", []verdict.Comparison{part("exposed_wait_time", .001, .005), part("exposed_transfer_time", .0015, .0035), part("comm_transfer_time", .006, .006)}, "waiting for late ranks rose from 1.0 to 5.0 ms; the transfer itself shows no sign of a change (6.00 and 6.00 ms), of which from 1.5 to 3.5 ms is exposed"},
		{"network", []verdict.Comparison{part("exposed_wait_time", .001, .001), part("exposed_transfer_time", .002, .009), part("comm_transfer_time", .002, .009)}, "the transfer itself rose from 2.0 to 9.0 ms; waiting for late ranks shows no sign of a change (1.00 and 1.00 ms)"},
		{"overlap", []verdict.Comparison{part("exposed_wait_time", .001, .001), part("exposed_transfer_time", .002, .009), part("comm_transfer_time", .009, .009)}, "compute hides less of the transfer, which itself shows no sign of a change (9.00 and 9.00 ms); what is exposed of it rose from 2.0 to 9.0 ms"},
		{"both", []verdict.Comparison{part("exposed_wait_time", .001, .005), part("exposed_transfer_time", .002, .006), part("comm_transfer_time", .002, .006)}, "waiting for late ranks rose from 1.0 to 5.0 ms, the transfer itself rose from 2.0 to 6.0 ms"},
		{"shown to be unchanged", []verdict.Comparison{part("exposed_wait_time", .010, .001), part("exposed_transfer_time", .009, .009), shown(part("comm_transfer_time", .009, .009))},
			"ranks arrive closer together (waiting fell from 10.0 to 1.0 ms); the transfer itself takes as long as before (9.00 ms)"},
		{"not separable", []verdict.Comparison{part("exposed_wait_time", math.NaN(), .005), part("exposed_transfer_time", .002, .006)}, ""},
		{"not recorded", nil, ""},
	} {
		r := &diff.Report{Parts: tt.parts}
		why, _ := cause.Arrivals(&cause.Causes{Judged: &verdict.Judged{Parts: tt.parts}}, nil)
		if got := because(r, why); !strings.HasPrefix(got, tt.want) || (got == "") != (tt.want == "") {
			t.Errorf("%s: got %q want %q", tt.name, got, tt.want)
		}
	}
}

// TestUnseparable: ranks that were not captured are named where the
// cause would stand.
func TestUnseparable(t *testing.T) {
	r := &diff.Report{}
	if why, _ := cause.Inseparable(difftest.NewPair(&run.Set{}, &run.Set{}, policy.DefaultPolicy())); why != nil {
		t.Errorf("got %v", why)
	}
	for _, tt := range []struct {
		why    []run.Inseparable
		want   string
		advice cause.AdviceKind
	}{
		{[]run.Inseparable{{Why: run.RanksMissing, Captured: 7, World: 8}}, "7 of 8 ranks were captured, and waits for ranks that were not captured look like transfer", cause.AdviceCaptureAll},
		{[]run.Inseparable{{Why: run.Unmatched, Kernels: 5}, {Why: run.DoneEarly, Kernels: 2}},
			"5 kernels could not be matched over the ranks; in 2 kernels of a Broadcast, a Reduce or another exchange in which a rank can be done early", cause.AdviceSetClocks},
		{[]run.Inseparable{{Why: run.PeersUnknown, Kernels: 5}}, "point-to-point: not separable, since the peers of 5 kernels are not known", cause.AdviceNone},
		{[]run.Inseparable{{Why: run.NodeSummaries}}, "the run was put together from summaries of its nodes, which hold no single collectives", cause.AdviceJoin},
		{nil, "as an earlier version says", cause.AdviceNone},
	} {
		cand := &run.Set{Runs: []run.Run{{Ranks: make([]run.Rank, 1), Clocks: run.Clocks{Inseparable: "as an earlier version says", Reasons: tt.why}}}}
		why, advice := cause.Inseparable(difftest.NewPair(&run.Set{}, cand, policy.DefaultPolicy()))
		if got := because(r, why); got != "waiting for late ranks cannot be told from transfer, since "+tt.want || advice.Kind != tt.advice {
			t.Errorf("got %q, %v", got, advice)
		}
	}
}
