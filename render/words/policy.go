package words

import (
	"fmt"
	"strconv"
	"strings"

	"perfdiff/analyze/run"
	"perfdiff/diff/policy"
	"perfdiff/render/number"
)

// PolicyLine says how a policy differs from the default, and who set it: "policy: perfdiff.yaml (step_time tolerance 5
// %, alpha 0.01)"; "" for the default. It stands in the first lines of every output: who reads a verdict must see what
// bent it.
func PolicyLine(p *policy.Policy) string {
	var other []string
	for _, d := range p.Departures() {
		other = append(other, departure(&d))
	}
	if len(other) == 0 {
		return ""
	}
	from := "not the default"
	if len(p.From) > 0 {
		from = strings.Join(p.From, " and ")
	}
	return "policy: " + from + " (" + strings.Join(other, ", ") + ")"
}

// departures begin the text about a departure from the default, by kind; names or a size follow if the kind has some.
var departures = map[policy.DepartureKind]string{
	policy.StepDoesNotGate:  "step_time does not gate",
	policy.OtherGating:      "gating",
	policy.RegressionPasses: "a regression does not fail",
	policy.OtherFailures:    "fails on",
	policy.MayBeMissing:     "may be missing:",
	policy.CausesFail:       "single causes fail",
	policy.OnlyWarns:        "what fails only warns",
	policy.AsksForRuns:      "asks for more runs",
	policy.ComparesAll:      "what is not comparable is judged",
	policy.OtherFloor:       "noise floor",
	policy.OtherFewFloor:    "noise floor with few steps",
	policy.OtherHostFloor:   "noise floor without GPU work",
	policy.MustBeEqual:      "must be equal:",
	policy.StrictlyKernels:  "kernels judged strictly",
	policy.ComparesPerWork:  "steps of another amount of work are judged for the same",
}

// departure puts one departure from the default into words.
func departure(d *policy.Departure) string {
	switch d.Kind {
	case policy.Waives:
		return waives(d.Waiver)
	case policy.OtherThreshold:
		return strings.TrimLeft(strings.Join(d.Names, " ")+" tolerance ", " ") + thresholdOf(d)
	case policy.OtherFloor, policy.OtherFewFloor, policy.OtherHostFloor:
		return departures[d.Kind] + " " + number.Setting(d.Value)
	case policy.MetricOnlyWarns:
		return d.Names[0] + " only warns"
	case policy.OtherAlpha:
		return "alpha " + strconv.FormatFloat(d.Value, 'g', -1, 64)
	case policy.OtherEqual:
		return "changes within " + number.Setting(d.Value) + " count as none"
	case policy.LeavesOutKernels:
		return "kernels left out: " + some(d.Names)
	case policy.SaidBeside:
		return d.Names[0]
	}
	return strings.TrimRight(departures[d.Kind]+" "+strings.Join(d.Names, " "), " ")
}

// thresholdOf writes the size of a threshold: a share, or a number of events.
func thresholdOf(d *policy.Departure) string {
	if len(d.Names) > 0 && d.Names[0] == run.Tail {
		return number.Times(d.Value) + inSteps
	}
	return number.Setting(d.Value)
}

// inSteps is the unit in which events are counted.
const inSteps = " in 100 steps"

// waives says what is waived, until when, and by whom and why.
func waives(w *policy.Waiver) string {
	of := w.Metric + " waived " + waiverSize(w)
	if w.Kind != "" {
		of = "findings of the kind " + string(w.Kind) + " waived"
	}
	return fmt.Sprintf("%s until %s: %s, %s", of, quoted(w.Expires), quoted(w.Owner), quoted(w.Reason))
}

// Waiver returns a waiver in brackets: "upgrade (me, up to 7 %, until 2026-12-31)".
func Waiver(w *policy.Waiver) string {
	by := w.Owner
	if w.Kind == "" {
		by += ", " + waiverSize(w)
	}
	return fmt.Sprintf("%s (%s, until %s)", w.Reason, by, w.Expires)
}

// waiverSize says how much a waiver lets through: "up to 7 %".
func waiverSize(w *policy.Waiver) string {
	if w.Metric == run.Tail {
		return "up to " + number.Times(w.UpTo) + inSteps
	}
	return "up to " + number.Setting(w.UpTo)
}

// longestWord bounds what is quoted of a policy, in characters: a long reason must not push
// the rest out of sight.
const longestWord = 60

// quoted cuts a policy's text to fit on a line.
func quoted(s string) string {
	if r := []rune(s); len(r) > longestWord {
		return string(r[:longestWord-1]) + "…"
	}
	return s
}

// some returns the first of a list and how many more there are.
func some(list []string) string {
	if len(list) == 1 {
		return quoted(list[0])
	}
	return fmt.Sprintf("%s and %d more", quoted(list[0]), len(list)-1)
}
