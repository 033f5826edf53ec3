package words

import (
	"fmt"
	"strings"

	"perfdiff/diff/verdict"
)

// Note says what the number of a comparison is about, as a clause; "" nothing needs to be said.
func Note(c *verdict.Comparison) string {
	var out []string
	for _, l := range c.Note.Levels {
		name := l.Side
		if l.Run != "" {
			name += ", run " + l.Run
		}
		out = append(out, fmt.Sprintf("another level from step %d on in the %s", l.Step, name))
	}
	if len(out) > 0 {
		return strings.Join(out, "; ")
	}
	for i := range c.Note.Slowest {
		out = append(out, slowest(&c.Note.Slowest[i])+" in the "+[]string{baseline, candidate}[i])
	}
	if len(out) == 0 {
		return ""
	}
	return "slowest: " + strings.Join(out, ", ")
}

// slowest names the rank that computes longest, and in how many runs where not in all: "rank 3
// (2 of 3 runs)".
func slowest(s *verdict.Slowest) string {
	if s.Times == s.Of {
		return fmt.Sprintf("rank %d", s.Rank)
	}
	return fmt.Sprintf("rank %d (%d of %d runs)", s.Rank, s.Times, s.Of)
}
