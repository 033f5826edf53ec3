package kernelname

import (
	"regexp"
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

func TestOrdinary(t *testing.T) {
	for name, want := range map[string]string{
		"step 12": "step N", "ProfilerStep#7": "ProfilerStep#N", "iteration:3": "iteration:N", "layer.4": "layer.4", "forward": "forward", "12": "12", "": "", "conv2d": "conv2d",
	} {
		if got := Ordinary(name); got != want {
			t.Errorf("Ordinary(%q): got %q, want %q", name, got, want)
		}
	}
}
