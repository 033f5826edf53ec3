package words

import (
	"fmt"
	"math"
	"strings"

	"perfdiff/analyze/run"
	"perfdiff/diff"
	"perfdiff/diff/history"
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
	if left := leftOutOf(h.All); h.NoMatch == nil && len(left) > 0 {
		out = append(out, [2]string{"store", number.Counted(h.Runs, "run") + "; left out: " + strings.Join(left, "; ")})
	}
	if m := h.Job.MetricNamed(run.StepTime); m != nil {
		out = append(out, [2]string{"main", LevelNow(h.Job, m)})
	}
	if h.Main != nil {
		return out // which says by the gate's line what it is told
	}
	for i := range h.Open {
		c := &h.Open[i]
		text := mainCrept(c)
		if c.Change != nil {
			text = mainChanged(c)
		}
		out = append(out, [2]string{"open", number.Lower(strings.TrimSuffix(text, "."))})
	}
	return out
}

// leftOutOf says why runs are left out, each reason with the first names.
func leftOutOf(runs []history.Run) []string {
	var past []verdict.PastRun
	for i := range runs {
		past = append(past, verdict.PastRun{Name: runs[i].Name, Why: runs[i].Why})
	}
	return LeftOut(past)
}

// Unlike returns why no run of a store is like the candidate, a clause; "" where some are.
func Unlike(runs []verdict.PastRun) string { return strings.Join(LeftOut(runs), "; ") }

// InStore names the candidate's runs in a store that holds them.
func InStore(s *diff.Store) string { return number.Some(s.CandidateRuns, verdict.MostNamed) }

// mainChanged says what main became slower by at once: "Step time of main rose by 3.1 % between 44ab01 and 9e1f2c (3
// commits): compute 80.0 to 82.4 ms."
func mainChanged(c *diff.MainChange) string {
	text := number.Capital(MetricText(c.Metric.Metric.Name)) + " of main changed by " + Sized(c.Metric, c.Change.Size) + " " + WhereChanged(c.Job, c.Change)
	if parts := MovedParts(c.Change); parts != "" {
		text += ": " + parts
	}
	return text + "."
}

// mainCrept says what main became slower by in no single step.
func mainCrept(c *diff.MainChange) string {
	return number.Capital(MetricText(c.Metric.Metric.Name)) + " of main: " + Crept(c.Job, c.Metric) + "."
}

// howToAccept is the command by which people let a change of main stay.
func howToAccept(c *diff.MainChange) string {
	size, commit := 0.0, ""
	if c.Change != nil {
		size, commit = c.Change.Size, c.Job.Runs[c.Change.At].From.Commit
	} else {
		size, commit = c.Creep.Size, c.Job.Runs[len(c.Job.Runs)-1].From.Commit
	}
	if commit == "" {
		return "If it is to stay: name commits with --commit when runs are saved, and accept one."
	}
	upTo := ""
	if c.Metric.Relative {
		upTo = fmt.Sprintf(" --up-to %d%%", int(math.Ceil(100*math.Abs(size))))
	}
	return fmt.Sprintf("If it is to stay: perfdiff gate --store STORE --accept %s --metric %s%s --reason WHY --by NAME.",
		run.Origin{Commit: commit}.Short(), c.Metric.Metric.Name, upTo)
}
