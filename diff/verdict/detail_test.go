package verdict_test

import (
	"math"
	"slices"
	"testing"

	"perfdiff/analyze/run"
	"perfdiff/diff"
	"perfdiff/diff/verdict"
)

// TestDetails: what differs is there with the part that does for the surest, in its order;
// what chance, other sources or less than what matters may have made is not.
func TestDetails(t *testing.T) {
	of := func(metric, part string, p, estimate float64) verdict.Comparison {
		return verdict.Comparison{Key: run.Key{Metric: metric, Part: part}, P: p, Estimate: estimate, Delta: estimate, Threshold: 0.02}
	}
	aside := of("other_source", "", 1e-9, 0.5)
	aside.OtherCause = true
	slight := of("slight", "", 1e-9, 0.5)
	slight.TooSlight = true
	against := of("median_against_estimate", "", 1e-9, 0.5)
	against.Delta = -1
	r := &diff.Report{Judged: true, Parts: []verdict.Comparison{
		of("parts", "a", 1e-3, 0.5), of("parts", "b", 1e-6, 0.3), of("parts", "c", 1e-6, -0.4),
		of("sure", "", 1e-9, -0.5), of("chance", "", 0.04, 0.5), of("small", "", 1e-9, 0.01), of("not_tested", "", math.NaN(), 0.5),
		aside, slight, against,
	}}
	got := func() (names []string) {
		for _, c := range r.Details() {
			names = append(names, c.Key.Metric+"/"+c.Part)
		}
		return names
	}
	for range 20 { // chance is one of many now
		r.Parts = append(r.Parts, of("noise", "", 0.5, 0.1))
	}
	if want := []string{"parts/c", "sure/"}; !slices.Equal(got(), want) {
		t.Errorf("got %v, want %v", got(), want)
	}
	r.Judged = false
	if len(got()) > 0 {
		t.Errorf("not judged: got %v", got())
	}
	r.Judged, r.SameFiles = true, true
	if len(got()) > 0 {
		t.Errorf("the same files: got %v", got())
	}
}
