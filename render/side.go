package render

import (
	"fmt"
	"slices"
	"strings"

	"perfdiff/analyze/run"
	"perfdiff/diff"
	"perfdiff/diff/policy"
	"perfdiff/diff/sides"
	"perfdiff/diff/verdict"
	"perfdiff/render/number"
	"perfdiff/render/words"
)

// The names of the sides, as tables and warnings use them.
const (
	baseline  = "baseline"
	candidate = "candidate"
)

// ranksText says which ranks of a side were captured: "ranks 0-15 of 16".
func ranksText(s *diff.Side) string {
	text := "rank "
	switch {
	case len(s.Ranks) == 0:
		return "no ranks"
	case slices.Contains(s.Ranks, -1):
		return "rank numbers not known"
	case len(s.Ranks) > 1:
		text = "ranks "
	}
	text += sides.Ranges(s.Ranks)
	if s.World > 0 {
		text += " of " + number.Count(s.World)
	}
	return text
}

// missingRanksText names the ranks that were not captured: "rank 3 missing"; "" if none.
func missingRanksText(s *diff.Side) string {
	switch len(s.Missing) {
	case 0:
		return ""
	case 1:
		return fmt.Sprintf("rank %d missing", s.Missing[0])
	}
	return number.Counted(len(s.Missing), "rank") + " missing: " + sides.Ranges(s.Missing)
}

// linesOfSides returns lines about both sides, each with its label; one line if both are the same.
func linesOfSides(base, cand string) [][2]string {
	if base == cand {
		return [][2]string{{"both", base}}
	}
	return [][2]string{{baseline, base}, {candidate, cand}}
}

// stepsText returns the receipt of a side's steps, without the marker.
func stepsText(s *diff.StepReceipt) string {
	switch {
	case s.Found == 0 && s.KeptBy[1] > 0:
		return fmt.Sprintf("no steps found on most ranks, up to %s kept on others", number.Count(s.KeptBy[1]))
	case s.Found == 0:
		return "no steps found"
	}
	kept, used := number.Count(s.Kept), number.Count(s.Used)
	if s.KeptBy[0] < s.KeptBy[1] {
		kept = number.Count(s.KeptBy[0]) + " to " + number.Count(s.KeptBy[1])
	}
	if s.Fewest > 0 && s.Fewest < s.Used {
		used = number.Count(s.Fewest) + " to " + used
	}
	parts := []string{fmt.Sprintf("%s found, %s kept, %s used", number.Count(s.Found), kept, used)}
	parts = append(parts, droppedStepsText(s)...)
	return strings.Join(parts, "; ")
}

// droppedStepsText says which steps were left out and why, a line each.
func droppedStepsText(s *diff.StepReceipt) (out []string) {
	if left := droppedText(s.Dropped); left != "" {
		out = append(out, left)
	}
	if s.WarmUp > 0 {
		out = append(out, number.Counted(s.WarmUp, "more step")+" left out as warm-up")
	}
	return out
}

// droppedText says which steps were left out and why; "" if none were.
func droppedText(list []run.Drop) string {
	if len(list) == 0 {
		return ""
	}
	var drops []string
	for _, d := range list {
		steps := map[bool]string{true: "step ", false: "steps "}[len(d.Steps) == 1] + sides.Ranges(d.Steps)
		drops = append(drops, strings.TrimSpace(steps+" ("+shortSentence(d.Reason)+")"))
	}
	return "left out " + strings.Join(drops, ", ")
}

// markerText returns the marker by which a side's steps were found; "" if there is none.
func markerText(s *diff.StepReceipt) string {
	if s.Marker == "none" {
		return ""
	}
	return shortName(s.Marker)
}

// secondAnchorText says what a second anchor shows about the steps; "" if there is none.
func secondAnchorText(s *diff.StepReceipt) string {
	if s.Second == "none" {
		return ""
	}
	return shortSentence(s.Second)
}

// warningText returns a warning as a line.
func warningText(w *diff.Warning) string { return shortSentence(words.WarningLine(w)) }

// suspectDifferences returns the differences between the sides that may explain the change without
// the code, or that make the sides incomparable.
func suspectDifferences(r *diff.Report) []verdict.Difference {
	var out []verdict.Difference
	for _, d := range r.Differences {
		if d.Class != policy.ClassHarmless {
			out = append(out, d)
		}
	}
	return out
}

// orNone returns s, or a dash if s is empty.
func orNone(s string) string {
	if s == "" {
		return number.None
	}
	return s
}
