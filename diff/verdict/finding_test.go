package verdict_test

import (
	"perfdiff/diff"
)

// ShownHistory is what render/words says of past runs, likewise.
var ShownHistory func(r *diff.Report) string
