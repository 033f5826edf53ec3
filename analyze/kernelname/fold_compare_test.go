package kernelname

import (
	"bytes"
	"testing"
)

// TestIsWithoutNumbers: to compare is to fold and to look whether it is the same, for all short
// names of a few characters, alone and behind what is compared eight bytes at a time.
func TestIsWithoutNumbers(t *testing.T) {
	names := []string{""}
	for from := 0; len(names[from]) < 4; from++ {
		for _, c := range []string{"a", "1", "0", "_", "\xc3"} {
			names = append(names, names[from]+c)
		}
	}
	for _, before := range []string{"", "conv12 ", "of words", "1 and 20"} {
		for _, of := range names {
			folded, _ := WithoutNumbers(nil, before+of)
			for _, name := range names {
				name = before + name
				own, _ := WithoutNumbers(nil, name)
				if got, want := IsWithoutNumbers(folded, name), bytes.Equal(folded, own); got != want {
					t.Fatalf("%q against %q: got %v, want %v", name, folded, got, want)
				}
			}
		}
	}
}
