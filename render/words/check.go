package words

import (
	"fmt"

	"perfdiff/diff"
)

// halves are what is compared with what in a set.
var halves = map[diff.Halves]string{
	diff.Itself:    "against itself",
	diff.Reordered: "against a copy in another order",
	diff.OddEven:   "odd steps against even steps",
	diff.FirstLast: "first half against second half",
}

// SelfTest says what was compared with what.
func SelfTest(t *diff.SelfTest) string { return halves[t.Of] }

// Found is what a self-test said in place of no change; "" it said that.
func Found(t *diff.SelfTest) string {
	c := t.Found
	if c == nil {
		return ""
	}
	return fmt.Sprintf("%s %s: %s (%s)", c.Key.Metric, c.Verdict, changeOf(c, c.Estimate), intervalOf(c))
}

// SeenIn says what showed a change that was put into a set; "" if nothing did.
func SeenIn(x *diff.Injected) string {
	if x.ByKernels {
		return "the table of kernels"
	}
	return x.By
}
