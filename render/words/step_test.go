package words

import (
	"testing"

	"perfdiff/diff/cause"
)

func TestStepLeft(t *testing.T) {
	for _, tt := range []struct {
		in   cause.StepLeft
		want string
	}{
		{cause.StepLeft{}, ""},
		{cause.StepLeft{Base: "cut", Cand: "cut"}, "cut"},
		{cause.StepLeft{Base: "cut"}, "cut (baseline)"},
		{cause.StepLeft{Cand: "late"}, "late (candidate)"},
		{cause.StepLeft{Base: "cut", Cand: "late"}, "cut (baseline), late (candidate)"},
		{cause.StepLeft{Missing: cause.MissingInBase}, "not in the baseline"},
		{cause.StepLeft{Missing: cause.MissingInCand}, "not in the candidate"},
		{cause.StepLeft{Missing: cause.MissingInRuns}, "not in every run"},
	} {
		if got := StepLeft(&tt.in); got != tt.want || tt.in.Out() != (tt.want != "") {
			t.Errorf("%+v: got %q, want %q; out %v", tt.in, got, tt.want, tt.in.Out())
		}
	}
}
