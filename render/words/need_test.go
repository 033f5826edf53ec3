package words

import (
	"testing"

	"perfdiff/diff/sides"
	"perfdiff/diff/verdict"
)

func TestNeed(t *testing.T) {
	lost := func(why, in string, more int) verdict.Need {
		return verdict.Need{Kind: verdict.NeedLost, Lost: sides.Loss{Why: why, In: in, More: more}}
	}
	for _, tt := range []struct {
		in   verdict.Need
		want string
	}{
		{verdict.Need{}, ""},
		{verdict.Need{Kind: verdict.NeedRecord, What: "kernels"}, "kernels"},
		{verdict.Need{Kind: verdict.NeedDevices}, "a job on several devices: on one there is no communication"},
		{verdict.Need{Kind: verdict.NeedHeld}, "the captures do not hold it"},
		{lost("all kernels", "", 2), "all kernels"},
		{lost("all kernels", "a", 0), "all kernels, in a"},
		{lost("all kernels (export again)", "a", 1), "all kernels (export again), in a and in those of 1 more rank"},
		{lost("all kernels (export again)", "a", 2), "all kernels (export again), in a and in those of 2 more ranks"},
	} {
		if got := Need(tt.in); got != tt.want || tt.in.Is() != (tt.want != "") {
			t.Errorf("%+v: got %q, want %q", tt.in, got, tt.want)
		}
	}
}
