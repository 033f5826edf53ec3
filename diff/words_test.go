package diff_test

import (
	"perfdiff/diff"
	"perfdiff/render/words"
)

// The tests of findings read them as people do.
func init() {
	diff.Shown = func(r *diff.Report, f *diff.Finding) (number, unit, text string) {
		said := words.Of(r, f)
		return said.Number, said.NumberIn, said.Text
	}
}
