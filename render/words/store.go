package words

import (
	"fmt"
	"strings"

	"perfdiff/diff"
	"perfdiff/diff/sides"
	"perfdiff/diff/verdict"
	"perfdiff/render/number"
)

// Store returns lines about the store that a candidate was compared with, each with its label; nil where two sides
// were given.
func Store(h *diff.StoreFindings) (out [][2]string) {
	if h == nil {
		return nil
	}
	if h.NoMatch != nil {
		out = append(out, [2]string{"store", "no run of it is like the candidate; it is compared with those " +
			"that most runs are like (" + Unlike(h.NoMatch) + ")"})
	}
	if left := LeftOut(h.Trend.Runs); h.NoMatch == nil && len(left) > 0 {
		out = append(out, [2]string{"store", number.Counted(h.Runs, "run") + "; left out: " + strings.Join(left, "; ")})
	}
	if h.Anchor != nil {
		out = append(out, [2]string{"anchor", anchor(h.Anchor)})
	}
	return append(out, [2]string{"trend", trend(h.Trend)})
}

// Unlike returns why no run of a store is like the candidate, a clause; "" where some are.
func Unlike(runs []verdict.PastRun) string { return strings.Join(LeftOut(runs), "; ") }

// InStore names the candidate's runs in a store that holds them.
func InStore(s *diff.Store) string { return number.Some(s.CandidateRuns, verdict.MostNamed) }

// anchor returns the comparison with an older level in a line.
func anchor(a *diff.AnchorComparison) string {
	out := AnchorAt(&a.At)
	if from := From(&a.Side); from != "" {
		out += ", " + from
	}
	if c := &a.Step; c.Key == sides.StepTime && verdict.WasJudged(c) {
		return fmt.Sprintf("%s: step time %s, %s: %s", out, changeOf(c, c.Estimate), number.Setting(1-a.Alpha)+" interval "+intervalOf(c), MetricOutcome(c))
	}
	return out + ": " + Headline(&a.Headline)
}

// AnchorAt says what an anchor is: "the level of 20 runs ago".
func AnchorAt(at *diff.AnchorAt) string {
	switch {
	case at.Tag != "":
		return at.Tag
	case at.First > 0:
		return "the first " + number.Counted(at.First, "run") + " of the store"
	}
	return "the level of " + number.Counted(at.Ago, "run") + " ago"
}

// trend returns a trend in a line: "one level over 12 runs".
func trend(t *verdict.Trend) string {
	n := number.Counted(len(t.Points), "run")
	switch {
	case len(t.Points) == 0:
		return "no run of the store has a step time"
	case len(t.Levels) == 0:
		return fmt.Sprintf("%s so far; levels are told from %d on", n, t.Least)
	case len(t.Levels) == 1:
		return "one level over " + n
	}
	var parts []string
	for _, l := range t.Levels[1:] {
		p := &t.Points[l.From]
		at := p.Name
		if o := Origin(p.From); o != "" {
			at = o
		}
		parts = append(parts, Shift(&t.Metric, l.Change)+" from "+at+" on")
	}
	if more := len(parts) - verdict.MostNamed; more > 0 {
		parts = append([]string{fmt.Sprintf("%d changes before", more)}, parts[more:]...)
	}
	return fmt.Sprintf("%s; the level changed: %s", n, strings.Join(parts, ", "))
}
