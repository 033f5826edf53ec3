package trace

import (
	"math/rand/v2"
	"regexp"
	"slices"
	"testing"
)

// occurrences is what CanonicalRange takes out, as a pattern.
var occurrences = regexp.MustCompile(`,? (?:op_id|seq) = \d+`)

func TestCanonicalRangeIsItsPattern(t *testing.T) {
	for _, name := range []string{
		"", "step 12", "aten::mm, op_id = 123", "aten::mm, op_id = 123, seq = 4", "a op_id = 1 = 2", "op_id = 1", " seq = 12",
		"a, seq = 3, sizes = [[1, 2]], op_id = 7", "a, op_id = ", "a, op_id = x, seq = 9", "x = 1, seq = 2", "a op_id op_id = 1 = 2",
		"loss = 3", "ä, op_id = 5ö",
	} {
		if got, want := CanonicalRange(name), occurrences.ReplaceAllString(name, ""); got != want {
			t.Errorf("CanonicalRange(%q): got %q, want %q", name, got, want)
		}
	}
}

func FuzzCanonicalRange(f *testing.F) {
	f.Add("aten::mm, op_id = 123, seq = 4")
	f.Fuzz(func(t *testing.T, name string) {
		if got, want := CanonicalRange(name), occurrences.ReplaceAllString(name, ""); got != want {
			t.Errorf("CanonicalRange(%q): got %q, want %q", name, got, want)
		}
	})
}

func TestSortGivesOneOrder(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	var want []Span
	for i := range 5000 {
		start := int64(i / 3 * 10)
		want = append(want, Span{Start: start, End: start + 5 + int64(i%2), Name: NameID(i % 5), Launch: int64(i % 7), Stream: int32(i % 3)})
	}
	slices.SortFunc(want, compareSpans)
	for _, swaps := range []int{0, 3, 100_000} { // nearly sorted, and not at all
		got := &Trace{Device: slices.Clone(want)}
		for range swaps {
			i, j := random.IntN(len(want)), random.IntN(len(want))
			got.Device[i], got.Device[j] = got.Device[j], got.Device[i]
		}
		if got.Sort(); !slices.Equal(got.Device, want) {
			t.Errorf("%d swaps: order differs", swaps)
		}
	}
}

func TestOrdinary(t *testing.T) {
	for name, want := range map[string]string{
		"step 12": "step N", "ProfilerStep#7": "ProfilerStep#N", "iteration:3": "iteration:N", "layer.4": "layer.4", "forward": "forward", "12": "12", "": "", "conv2d": "conv2d",
	} {
		if got := Ordinary(name); got != want {
			t.Errorf("Ordinary(%q): got %q, want %q", name, got, want)
		}
	}
}
