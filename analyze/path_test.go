package analyze

import (
	"context"
	"testing"

	"perfdiff/analyze/run"
	"perfdiff/golden"
)

// TestPathOfLateRanks: where a path comes to another rank, of which nothing is recorded before its
// first step, the rest is waiting for that rank, and not unexplained.
func TestPathOfLateRanks(t *testing.T) {
	set, err := Load(context.Background(), golden.Real(t, "kineto/dlrm-8ranks"), Options{})
	if err != nil {
		t.Fatal(err)
	}
	all, late, unknown := 0.0, 0.0, 0.0
	for _, r := range set.Runs[0].Ranks {
		for _, v := range r.Values(run.Key{Metric: run.StepTime}) {
			all += v
		}
		for _, v := range r.Values(run.Key{Metric: run.PathTime, Part: run.PathLate}) {
			late += v
		}
		for _, v := range r.Values(run.Key{Metric: run.PathTime, Part: run.PathUnknown}) {
			unknown += v
		}
	}
	if !(late > 0.15*all) || !(unknown < 0.02*all) {
		t.Errorf("of %.1f ms got %.1f ms of late ranks and %.1f ms not explained", 1e3*all, 1e3*late, 1e3*unknown)
	}
}
