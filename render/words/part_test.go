package words

import (
	"testing"

	"perfdiff/analyze/run"
	"perfdiff/diff/cause"
	"perfdiff/diff/verdict"
)

func TestStepPart(t *testing.T) {
	of := func(metric, part string) cause.StepPart {
		return cause.StepPart{Key: run.Key{Metric: metric, Part: part}}
	}
	unseen := func(metric string) cause.StepPart {
		p := of(metric, "")
		p.Unseen = true
		return p
	}
	for _, tt := range []struct {
		in   cause.StepPart
		want string
	}{
		{cause.StepPart{}, ""},
		{cause.StepPart{Key: verdict.BusyTime}, "Busy"},
		{of(run.ComputeTime, ""), "Compute"},
		{unseen(run.ComputeTime), "Compute or unknown"},
		{of(run.ComputeTime, "GEMM"), "GEMM"},
		{unseen(run.ExposedCommTime), "Exposed communication outside of replays"},
		{of(run.InputWaitTime, ""), "Waiting for input (host)"},
		{of(run.IdleTime, ""), "Idle"},
		{of(run.IdleTime, "dependency"), "Launched work starts late"},
		{of(run.IdleTime, "made up"), "Made up"},
	} {
		if got := StepPart(tt.in); got != tt.want {
			t.Errorf("%+v: got %q, want %q", tt.in, got, tt.want)
		}
	}
	for _, because := range run.IdleCauses {
		if partNames[because] == "" {
			t.Errorf("%s has no words", because)
		}
	}
}
