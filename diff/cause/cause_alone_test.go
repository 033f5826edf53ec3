package cause_test

import (
	"strings"
	"testing"

	"perfdiff/analyze/run"
	"perfdiff/diff"
	"perfdiff/diff/difftest"
	"perfdiff/diff/policy"
	"perfdiff/diff/verdict"
)

// withCollectives is a side whose steps take as long whatever its collectives do, most of
// which compute hides; factors are on the transfers of three kinds and on its kernels.
func withCollectives(seed float64, gather, reduce, scatter, clock float64) *run.Set {
	series := map[run.Key]func(int, int) float64{}
	for i, x := range []struct {
		name   string
		factor float64
	}{{"AllGather", gather}, {"AllReduce", reduce}, {"ReduceScatter", scatter}} {
		series[run.Key{Metric: "comm_transfer_time", Part: x.name}] = difftest.Steady(0.01*x.factor, seed+float64(i))
	}
	for i := range 6 {
		name := string(rune('a'+i)) + "_kernel"
		series[run.Key{Metric: "kernel_time", Part: name}] = difftest.Steady(0.011*clock, seed+float64(i)/7)
		series[run.Key{Metric: "kernel_launches", Part: name}] = difftest.Constant(3)
	}
	series[run.Key{Metric: "compute_time"}] = difftest.Steady(0.07*clock, seed)
	series[run.Key{Metric: "idle_time", Part: "launching"}] = difftest.Steady(0.001, seed+1)
	return difftest.SetOf("x", difftest.Job{Ranks: difftest.UpTo(4), First: 1, Steps: 60, Step: difftest.Steady(0.03+0.07*clock, seed), Series: series})
}

// TestCollectiveAlone: a collective whose transfer changed beyond what runs differ by, and
// by 2 % of the step, is a finding by itself, for the eye, with what the others did beside
// it; by policy one that takes longer fails. None is where all are within it.
func TestCollectiveAlone(t *testing.T) {
	for _, tt := range []struct {
		name                    string
		gather, reduce, scatter float64
		want                    string
		gates                   diff.GateState
	}{
		{"one slower", 1.5, 1, 1, "look: A collective changed beyond what runs differ by: the transfer of AllGather rose from 10.", diff.GateFailed},
		{"one faster", 1, 0.6, 1, "look: A collective changed beyond what runs differ by: the transfer of AllReduce fell from 10.", diff.GatePassed},
		{"within the noise", 1.1, 0.95, 1, "", diff.GatePassed}, {"the same", 1, 1, 1, "", diff.GatePassed},
	} {
		base, cand := withCollectives(0, 1, 1, 1, 1), withCollectives(3, tt.gather, tt.reduce, tt.scatter, 1)
		r := difftest.Compare(base, cand)
		got, evidence := "", ""
		for _, f := range r.Findings {
			if f.Kind == policy.KindCollectiveAlone {
				got, evidence = got+f.Class.String()+": "+difftest.Plain(difftest.TextOf(r, &f)), difftest.Plain(difftest.Shown(r, &f).Evidence)
			}
		}
		if !strings.HasPrefix(got, tt.want) || (got == "") != (tt.want == "") || got != "" && !strings.Contains(evidence, "ReduceScatter changed by ") {
			t.Errorf("%s: got %q, %q, want %q", tt.name, got, evidence, tt.want)
		}
		if r.Gate.State != diff.GatePassed || r.Verdict != verdict.Inconclusive && r.Verdict != verdict.Unchanged {
			t.Errorf("%s: the default gates: %s, %s", tt.name, r.Gate.State, r.Verdict)
		}
		policy := policy.DefaultPolicy()
		policy.GateCauses = true
		if r = diff.Compare(base, cand, policy, diff.Options{}); r.Gate.State != tt.gates || (len(r.Causes) > 0) != (tt.gates == diff.GateFailed) {
			t.Errorf("%s: gate_causes gives %s, %+v; want %s", tt.name, r.Gate.State, r.Causes, tt.gates)
		}
	}
}

// TestAllAlike: where all kernels moved together by what runs may differ by, the verdict is
// none, nothing gates, and it is said why nobody can tell.
func TestAllAlike(t *testing.T) {
	policy := policy.DefaultPolicy()
	policy.GateCauses = true
	r := diff.Compare(withCollectives(0, 1, 1, 1, 1), withCollectives(3, 1, 1, 1, 1.06), policy, diff.Options{})
	const want = "All kernels take about 5.99 % longer, as another GPU clock or another amount of work would cause: "
	if got := difftest.Plain(difftest.BasisOf(r)); r.Verdict != verdict.Inconclusive || r.Gate.State != diff.GatePassed || !strings.Contains(got, want) || !strings.Contains(got, "what moves all alike cannot be told from what runs differ by") {
		t.Errorf("got %s, %s, causes %+v: %s", r.Verdict, r.Gate.State, r.Causes, got)
	}
	r = diff.Compare(withCollectives(0, 1, 1, 1, 1), withCollectives(3, 1, 1, 1, 1), policy, diff.Options{})
	if strings.Contains(difftest.BasisOf(r), "alike") {
		t.Errorf("nothing moved: %s", difftest.BasisOf(r))
	}
}
