package words

import (
	"fmt"
	"slices"

	"perfdiff/diff/cause"
)

// routed says how much late ranks get in all-to-alls.
func routed(c *cause.Clause) string {
	subject, what := "it gets", "what the median rank does in all-to-alls"
	if len(c.Ranks) > 1 {
		subject = "they get"
	}
	if slices.Contains(c.Names, cause.Tokens) {
		what = "the tokens of the median rank"
	}
	return fmt.Sprintf("; %s %.1f times %s, in the baseline %.1f times", subject, c.Cand, what, c.Base)
}
