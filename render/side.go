package render

import (
	"fmt"
	"slices"
	"strings"

	"perfdiff/diff"
	"perfdiff/diff/number"
)

// The names of the sides, as tables and warnings use them.
const (
	baseline  = "baseline"
	candidate = "candidate"
)

// ranksOf says which ranks of a side were captured: "ranks 0-15 of 16".
func ranksOf(s *diff.Side) string {
	text := "rank "
	switch {
	case len(s.Ranks) == 0:
		return "no ranks"
	case slices.Contains(s.Ranks, -1):
		return "rank numbers not known"
	case len(s.Ranks) > 1:
		text = "ranks "
	}
	text += number.Ranges(s.Ranks)
	if s.World > 0 {
		text += " of " + number.Count(s.World)
	}
	return text
}

// missingRanks is what ranksOf lacks: "rank 3 missing", or nothing.
func missingRanks(s *diff.Side) string {
	switch len(s.Missing) {
	case 0:
		return ""
	case 1:
		return fmt.Sprintf("rank %d missing", s.Missing[0])
	}
	return number.Counted(len(s.Missing), "rank") + " missing: " + number.Ranges(s.Missing)
}

// sideLines are the lines about both sides: what they have in common is said
// once.
func sideLines(base, cand string) [][2]string {
	if base == cand {
		return [][2]string{{"both", base}}
	}
	return [][2]string{{baseline, base}, {candidate, cand}}
}

// stepsOf is the receipt of a side's steps without its marker.
func stepsOf(s *diff.StepReceipt) string {
	if s.Found == 0 {
		return "no steps found"
	}
	parts := []string{fmt.Sprintf("%s found, %s kept, %s used", number.Count(s.Found), number.Count(s.Kept), number.Count(s.Used))}
	parts = append(parts, leftOut(s)...)
	return strings.Join(parts, "; ")
}

// leftOut says which steps were left out and why.
func leftOut(s *diff.StepReceipt) []string {
	var drops, out []string
	for _, d := range s.Dropped {
		drops = append(drops, strings.TrimSpace(map[bool]string{true: "step ", false: "steps "}[len(d.Steps) == 1]+number.Ranges(d.Steps)+" ("+sentence(d.Reason)+")"))
	}
	if len(drops) > 0 {
		out = append(out, "left out "+strings.Join(drops, ", "))
	}
	if s.WarmUp > 0 {
		out = append(out, number.Counted(s.WarmUp, "more step")+" left out as warm-up")
	}
	return out
}

// markerOf is what the steps of a side were found by; "" if by nothing.
func markerOf(s *diff.StepReceipt) string {
	if s.Marker == "none" {
		return ""
	}
	return name(s.Marker)
}

// secondOf is what a second anchor says of the steps; "" if nothing.
func secondOf(s *diff.StepReceipt) string {
	if s.Second == "none" {
		return ""
	}
	return sentence(s.Second)
}

// warningText is a warning as a line: which side, which file, what.
func warningText(w *diff.Warning) string {
	var parts []string
	if w.Side != "" {
		parts = append(parts, w.Side)
	}
	if w.File != "" {
		parts = append(parts, name(w.File))
	}
	parts = append(parts, sentence(w.Text))
	text := strings.Join(parts, ": ")
	if w.Count > 1 {
		text += " (" + number.Count(w.Count) + " times)"
	}
	return text
}

// suspects are the differences that may explain the change without the code,
// or forbid a verdict.
func suspects(r *diff.Report) []diff.Difference {
	var out []diff.Difference
	for _, d := range r.Differences {
		if d.Class != diff.ClassHarmless {
			out = append(out, d)
		}
	}
	return out
}

// orNone is s, and a dash where there is nothing.
func orNone(s string) string {
	if s == "" {
		return number.None
	}
	return s
}
