package words

import "perfdiff/diff"

// halves are what is compared with what in a set.
var halves = map[diff.Halves]string{
	diff.Itself:    "against itself",
	diff.Reordered: "against a copy in another order",
	diff.OddEven:   "odd steps against even steps",
	diff.FirstLast: "first half against second half",
}

// SelfTest says what was compared with what.
func SelfTest(t *diff.SelfTest) string { return halves[t.Of] }

// SeenIn says what showed a change that was put into a set; "" if nothing did.
func SeenIn(x *diff.Injected) string {
	if x.ByKernels {
		return "the table of kernels"
	}
	return x.By
}
