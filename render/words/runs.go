package words

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"

	"perfdiff/diff/verdict"
	"perfdiff/render/number"
)

// runsDiffer says that the runs of a side differ by more than the two sides do, which are their
// steps, with a space in front; "" where they do not.
func runsDiffer(c *verdict.Comparison, steps [][]float64) string {
	if len(steps) != 2 {
		return ""
	}
	return " Runs of one side differ by " + deviation(c, c.Spread) + ", more than the two sides do: " + runSteps("baseline", steps[0]) +
		", " + runSteps("candidate", steps[1]) + "."
}

// ownHosts says how hosts that each side has for its own are left out, with a space in front; ""
// where they are none.
func ownHosts(c *verdict.Comparison) string {
	if !(c.Hosts > 0) {
		return ""
	}
	return " Runs of both sides on the same hosts, in turns, would leave out what hosts differ by."
}

// runSteps returns the median steps of runs of a side: "baseline runs take 100, 120 and 140 ms".
func runSteps(side string, steps []float64) string {
	if len(steps) == 1 {
		return "the " + side + " run takes " + seconds(steps[0])
	}
	return side + " runs take " + listSteps(steps, 0)
}

// listSteps writes several times in one unit, which suits the largest of them and beside: "100, 120 and 140 ms"; if
// there are many, the least and the most.
func listSteps(steps []float64, beside float64) string {
	if len(steps) == 0 {
		return "none"
	}
	sc := number.ScaleOf("s", max(beside, slices.Max(steps)))
	last := len(steps) - 1
	switch {
	case last == 0:
		return sc.With(steps[0])
	case last >= mostRuns:
		return "between " + sc.Format(slices.Min(steps)) + " and " + sc.With(slices.Max(steps))
	}
	var texts []string
	for _, v := range steps[:last] {
		texts = append(texts, sc.Format(v))
	}
	return strings.Join(texts, ", ") + " and " + sc.With(steps[last])
}

// mostRuns is how many runs are listed one by one; of more the least and the most say enough.
const mostRuns = 8

// oddRuns names the runs that stand apart from all others of their side, where they ran, and the part of the step;
// each with a space in front.
func oddRuns(odd []verdict.OddRun) (text string) {
	for i := range odd {
		o := &odd[i]
		name := o.Run
		if !strings.HasPrefix(name, "run") {
			name = "run " + name
		}
		text += fmt.Sprintf(" The %s's %s stands alone: its median step takes %s against %s", o.Side, name,
			seconds(o.Step), listSteps(o.Others, o.Step))
		if len(o.Hosts) > 0 {
			text += "; it ran on " + strings.Join(o.Hosts, ", ")
		}
		if o.Part.Name != "" {
			by := math.Abs(o.By)
			text += "; " + number.Lower(cmp.Or(o.Part.Subject, o.Part.Name)) + " takes " + seconds(by) + " " + longerOrLess(o.By) + " in it"
		}
		text += "."
	}
	return text
}
