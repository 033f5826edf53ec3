package words

import (
	"fmt"

	"perfdiff/diff"
)

// halves says how a set is compared with itself.
var halves = map[diff.Halves]string{
	diff.Itself:    "against itself",
	diff.Reordered: "against a copy in another order",
	diff.OddEven:   "odd steps against even steps",
	diff.FirstLast: "first half against second half",
}

// SelfTest says which parts of a set were compared.
func SelfTest(t *diff.SelfTest) string { return halves[t.Of] }

// Found says what a self-test found although nothing changed; "" if it found nothing.
func Found(t *diff.SelfTest) string {
	c := t.Found
	if c == nil {
		return ""
	}
	return fmt.Sprintf("%s %s: %s (%s)", c.Key.Metric, c.Verdict, changeOf(c, c.Estimate), intervalOf(c))
}

// SeenIn says where a change that was put into a set shows; "" if nowhere.
func SeenIn(x *diff.Injected) string {
	if x.ByKernels {
		return "the table of kernels"
	}
	return x.By
}
