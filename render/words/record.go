package words

import (
	"perfdiff/diff/verdict"
	"perfdiff/render/number"
)

// record says which runs would decide: "two more runs per side should decide."
func record(c *verdict.Comparison) string {
	more := c.RunsNeeded - min(c.Runs[0], c.Runs[1])
	switch {
	case c.RunsNeeded >= verdict.MaxRuns:
		return "A difference this small would need " + number.Counted(verdict.MaxRuns, "run") + " per side or more."
	case c.Runs[0] != c.Runs[1]:
		return number.Capital(number.Word(c.RunsNeeded)) + " runs per side should decide" + ifRuns(c) + "."
	case more == 1:
		return "One more run per side should decide" + ifRuns(c) + "."
	}
	return number.Capital(number.Word(more)) + " more runs per side should decide" + ifRuns(c) + "."
}

// shows says what pairs like this one would have shown: "this set-up would have shown
// 7.3 % or more (80 %), if runs differ by 1.5 %".
func shows(c *verdict.Comparison) string {
	return "this set-up would have shown " + sizeOf(c, c.Detectable80) + " or more (" + number.Setting(verdict.Power) + ")" + ifRuns(c)
}
