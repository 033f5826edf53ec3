package words

import (
	"slices"

	"perfdiff/diff/sides"
)

// Source is what both sides of a metric were measured from: "file access events", or each
// where they differ; "" of a metric that has one source alone.
func Source(of [2][]string) string {
	names := sides.Distinct(slices.Concat(of[0], of[1]))
	switch {
	case len(names) == 0:
		return ""
	case len(names) == 1:
		return names[0]
	case len(of[0]) == 0 || len(of[1]) == 0 || slices.Equal(of[0], of[1]):
		return names[0] + " and others"
	}
	return "baseline: " + of[0][0] + "; candidate: " + of[1][0]
}
