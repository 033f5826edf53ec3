package words

import (
	"fmt"

	"perfdiff/diff/verdict"
	"perfdiff/render/number"
)

// record says which runs would decide: "two more runs per side should decide."
func record(c *verdict.Comparison) string {
	more := c.RunsNeeded - min(c.Runs[0], c.Runs[1])
	switch {
	case c.Main != nil:
		return "More runs of this commit should decide."
	case c.RunsNeeded >= verdict.MaxRuns:
		return "A difference this small would need " + number.Counted(verdict.MaxRuns, "run") + " per side or more."
	case c.Runs[0] != c.Runs[1]:
		return number.Capital(number.Word(c.RunsNeeded)) + " runs per side should decide" + ifRuns(c) + "."
	case more == 1:
		return "One more run per side should decide" + ifRuns(c) + "."
	}
	return number.Capital(number.Word(more)) + " more runs per side should decide" + ifRuns(c) + "."
}

// lookedFor names what a comparison would have found.
func lookedFor(c *verdict.Comparison) string {
	if c.OfSteps() {
		return "slowdown"
	}
	return "change of " + inSentence(c) + " for the worse"
}

// shows says which change for the worse pairs like this one find, where they found none.
func shows(c *verdict.Comparison) string {
	return fmt.Sprintf("No %s seen; one of %s or more would have been found in %s of five cases%s.",
		lookedFor(c), sizeOf(c, c.Detectable80), number.Word(int(5*verdict.Power)), ifRuns(c))
}
