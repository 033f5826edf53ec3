package words

import (
	"math"
	"strings"
	"testing"

	"perfdiff/analyze/run"
	"perfdiff/diff/verdict"
)

// TestRowOf: a row has two values and their difference; no number where there is no sign of a change; and what the
// same steps changed by where that is another number.
func TestRowOf(t *testing.T) {
	of := func(base, cand, median, estimate, lo, hi float64, v verdict.Verdict, reason string) *verdict.Comparison {
		return &verdict.Comparison{Metric: run.Metric{Unit: "s"}, Base: base, Cand: base + median, BaseMean: base, CandMean: cand, Delta: median,
			Estimate: estimate, Lo: lo, Hi: hi, Verdict: v, Reason: reason}
	}
	nan := math.NaN()
	for _, c := range []struct {
		of   *verdict.Comparison
		want string
	}{
		{of(0.0291, 0.0341, 5e-3, 5e-3, 3.4e-3, 6.9e-3, verdict.Regressed, verdict.ReasonDecided), "29.1 ms|34.1 ms|+5.0 ms||+3.4 to +6.9 ms|regressed"},
		{of(0.0290, 0.0291, 1e-4, 1e-4, -1.4e-3, 1.6e-3, verdict.Inconclusive, verdict.ReasonNoise), "29.0 ms|29.1 ms|~||−1.4 to +1.6 ms|"},
		{of(5e-4, 5.1e-4, 1e-5, 1e-5, -5e-4, 4e-4, verdict.Unchanged, verdict.ReasonDecided), "0.50 ms|0.51 ms|same||within 0.50 ms|"},
		{of(5e-4, 5.7e-3, 0, 0, -7e-4, 7e-4, verdict.Unchanged, verdict.ReasonDecided), "0.5 ms|5.7 ms|+5.2 ms|0 ms, median, not mean|−0.7 to +0.7 ms|median unchanged"},
		{of(0.0261, 0.0326, -3e-3, -3e-3, -4e-3, -2e-3, verdict.Improved, verdict.ReasonDecided), "26.1 ms|32.6 ms|+6.5 ms|−3.0 ms, median, not mean|−4.0 to −2.0 ms|median improved"},
		{of(0.0261, nan, nan, nan, nan, nan, verdict.Inconclusive, verdict.ReasonNotRecorded), "26.10 ms|–|–||–|not recorded"},
	} {
		o := RowOf(c.of)
		got := strings.Join([]string{o.Base, o.Cand, o.Change, strings.Trim(o.Steps+", "+o.Why, ", "), o.Interval, RowVerdict(c.of)}, "|")
		if got = strings.ReplaceAll(got, "\u202f", " "); got != c.want {
			t.Errorf("got %s, want %s", got, c.want)
		}
	}
}

// TestKernelNames: of one list no two kernels have one text.
func TestKernelNames(t *testing.T) {
	got := strings.Join(KernelNames([]string{"void a::gemm<1>(int)", "void a::gemm<2>(int)", "b::relu<3>()"}, 30), " | ")
	if want := "void a::gemm<1>(int) | void a::gemm<2>(int) | relu"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}
