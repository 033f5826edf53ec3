package words

import (
	"testing"

	"perfdiff/diff/cause"
)

func TestStepLeft(t *testing.T) {
	for _, tt := range []struct {
		in   cause.Omission
		want string
	}{
		{cause.Omission{}, ""},
		{cause.Omission{Base: "cut", Cand: "cut"}, "cut"},
		{cause.Omission{Base: "cut"}, "cut (baseline)"},
		{cause.Omission{Cand: "late"}, "late (candidate)"},
		{cause.Omission{Base: "cut", Cand: "late"}, "cut (baseline), late (candidate)"},
		{cause.Omission{Missing: cause.MissingInBase}, "not in the baseline"},
		{cause.Omission{Missing: cause.MissingInCand}, "not in the candidate"},
		{cause.Omission{Missing: cause.MissingInRuns}, "not in every run"},
	} {
		if got := StepLeft(&tt.in); got != tt.want || tt.in.Omitted() != (tt.want != "") {
			t.Errorf("%+v: got %q, want %q; out %v", tt.in, got, tt.want, tt.in.Omitted())
		}
	}
}
