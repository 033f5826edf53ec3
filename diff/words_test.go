package diff_test

import (
	"perfdiff/diff"
	"perfdiff/render/words"
)

// The tests of findings read them as people do.
func init() {
	diff.Shown = func(f *diff.Finding) (number, unit string) {
		said := words.Of(f)
		return said.Number, said.NumberIn
	}
}
