package words

import (
	"cmp"
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
	if h.Main != nil && len(h.Main.Changes) > 0 {
		return out // which the first line says
	}
	for i := range h.Open {
		out = append(out, [2]string{"open", strings.TrimSuffix(mainChange(&h.Open[i]), ".")})
	}
	return out
}

// leftOutOf says why runs are left out, each reason with the first names.
func leftOutOf(runs []history.Run) []string {
	var past []verdict.PastRun
	for i := range runs {
		past = append(past, verdict.PastRun{Name: RunName(runs[i].Name, runs[i].From.Commit), Why: runs[i].Why})
	}
	return LeftOut(past)
}

// Unlike returns why no run of a store is like the candidate, a clause; "" where some are.
func Unlike(runs []verdict.PastRun) string { return strings.Join(LeftOut(runs), "; ") }

// InStore names the candidate's runs in a store that holds them.
func InStore(s *diff.Store) string { return number.Some(s.CandidateRuns, verdict.MostNamed) }

// mainTold is the headline of main where it fails, "Main is slower: step time +4.6 % between 44ab01 and 9e1f2c (1
// commit).", where a change was accepted, and where it is to be run again; "" otherwise.
func mainTold(h *diff.Headline) string {
	m := h.Main
	switch {
	case m == nil:
		return ""
	case len(m.Changes) > 0:
	case m.Accepted != nil:
		c := m.Accepted
		return "Main is as accepted: " + MetricText(c.Metric.Metric.Name) + " " + Sized(c.Metric, c.Change.Size) + " since " +
			RunAt(c.Job, c.Change.At) + " (" + Accepted(c.Change.Accepted) + ")."
	case m.Again:
		by := ""
		if h.Of.OfSteps() && h.Of.Estimate > 0 == m.Slower {
			by = sizeOf(&h.Of, h.Of.Estimate) + " "
		}
		return "This run of main is " + by + aboveOrBelow(m) + " its level: an odd run, or a change."
	default:
		return ""
	}
	var parts []string
	for i := range m.Changes {
		parts = append(parts, strings.TrimSuffix(mainChange(&m.Changes[i]), "."))
	}
	worse := "Main is slower: "
	if len(m.Changes) > 0 && m.Changes[0].Metric.Metric.OfResult {
		worse = "Main got worse: "
	}
	return worse + strings.Join(parts, "; ") + "."
}

func aboveOrBelow(m *diff.MainFindings) string {
	if m.Slower {
		return "above"
	}
	return "below"
}

// mainChange says what main became slower by: at once, or in no single step.
func mainChange(c *diff.MainChange) string {
	name := MetricText(c.Metric.Metric.Name)
	if c.Metric.Metric.OfResult {
		name = ResultWithin(c.Metric.Metric.Name)
	}
	if c.Change == nil {
		return name + " " + Crept(c.Job, c.Metric) + "."
	}
	text := name + " " + Sized(c.Metric, c.Change.Size) + " " + WhereChanged(c.Job, c.Change) + oneDay(c.Job, c.Metric, c.Change)
	if parts := MovedParts(c.Change); parts != "" {
		text += ", " + parts
	}
	return text + "."
}

// AcceptLine is the command by which people let what came with a commit stay.
func AcceptLine(store string, from run.Origin, m *history.Metric, size float64) string {
	return fmt.Sprintf("perfdiff gate --store %s --accept %s --metric %s%s --reason ... --by ...", store, from.Short(), m.Metric.Name, upTo(m, size))
}

// upTo is the size that people accept of a change or of creep: what is known of it now, and twice what runs differ by,
// since the level is not known better in its first runs.
func upTo(m *history.Metric, size float64) string {
	if !m.Relative {
		return ""
	}
	return fmt.Sprintf(" --up-to %.0f%%", math.Ceil(100*(math.Abs(size)+2*max(0, m.SD))))
}

// howToAccept is the command by which people let a change of main stay.
func howToAccept(c *diff.MainChange) string {
	size, commit := 0.0, ""
	if c.Change != nil {
		size, commit = c.Change.Size, c.Job.Run(c.Change.At).From.Commit
	} else {
		size, commit = c.Creep.Size, c.Job.Run(len(c.Job.Runs)-1).From.Commit
	}
	if commit == "" {
		return "If it is to stay: name commits with --commit when runs are saved, and accept one."
	}
	stays := "If it is to stay"
	if c.Change == nil {
		stays = "If what has crept until now is to stay"
	}
	return stays + ": " + AcceptLine(cmp.Or(c.Job.Store, "STORE"), run.Origin{Commit: commit}, c.Metric, size)
}
