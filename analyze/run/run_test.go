package run

import (
	"math"
	"reflect"
	"slices"
	"testing"

	"perfdiff/analyze/trace"
)

func TestHistogram(t *testing.T) {
	for ns, want := range map[int64]int{-5: 0, 0: 0, 999: 0, 1000: 0, 1300: 1, 10_000: 10, 1_000_000: 30, math.MaxInt64: HistogramBins - 1} {
		if got := Bin(ns); got != want {
			t.Errorf("Bin(%d): got %d, want %d", ns, got, want)
		}
	}
	for i := range HistogramBins { // a bin holds its own lower edge, but for rounding
		if got := Bin(int64(math.Ceil(Edge(i)*1e9)) + 1); got != i {
			t.Errorf("bin of the lower edge of %d: got %d", i, got)
		}
	}
}

func TestRank(t *testing.T) {
	r := Rank{
		Steps:  []trace.Step{{Number: 1, Dropped: "first"}, {Number: 2}, {Number: 3}},
		Series: []Series{{Key: Key{"kernel_time", "gemm"}, Values: []float64{1, 2, 3}}},
	}
	if got, want := r.Kept(), []int{1, 2}; !slices.Equal(got, want) {
		t.Errorf("Kept: got %v, want %v", got, want)
	}
	if got := r.Values(Key{"kernel_time", "gemm"}); len(got) != 3 {
		t.Errorf("Values: got %v", got)
	}
	if got := r.Values(Key{Metric: "kernel_time"}); got != nil {
		t.Errorf("Values of what was not recorded: got %v, want nil", got)
	}
}

func TestSpanCountPlus(t *testing.T) {
	a := SpanCount{Kernels: 3, First: 10, Last: 20, KernelTime: 5}
	b := SpanCount{Kernels: 4, First: 30, Last: 40, CopyTime: 7}
	if got, want := a.Plus(b), (SpanCount{Kernels: 7, First: 10, Last: 40, KernelTime: 5, CopyTime: 7}); got != want {
		t.Errorf("got %+v, want %+v", got, want)
	}
}

// TestLongestGaps: the longest of both lists, the longest first, and of equal ones the
// earlier.
func TestLongestGaps(t *testing.T) {
	gap := func(length, step, at int64) Gap { return Gap{Length: length, Step: step, At: at} }
	a := []Gap{gap(90, 1, 0), gap(50, 4, 7), gap(10, 1, 0)}
	b := []Gap{gap(70, 2, 0), gap(50, 4, 3), gap(50, 3, 9), gap(5, 0, 0)}
	want := []Gap{a[0], b[0], b[2], b[1], a[1]}
	for _, got := range [][]Gap{LongestGaps(a, b), LongestGaps(b, a)} {
		if !reflect.DeepEqual(got, want) {
			t.Errorf("got %v, want %v", got, want)
		}
	}
	if got := LongestGaps(nil, a); !reflect.DeepEqual(got, a) {
		t.Errorf("of three: got %v, want them all", got)
	}
}
