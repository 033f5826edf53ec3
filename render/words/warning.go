package words

import (
	"fmt"
	"strings"

	"perfdiff/diff"
	"perfdiff/diff/sides"
	"perfdiff/diff/verdict"
	"perfdiff/render/number"
)

// Warning writes a warning, without its side and file.
func Warning(w *diff.Warning) string {
	switch w.Kind {
	case diff.WarnUnpaired:
		return unpaired(&w.Unpaired) + ": steps are not compared one by one, and where step times change over a run nothing is decided, " +
			"since the sides may stand at other places of one trend (record the same steps on both sides)"
	case diff.WarnPastOut:
		return number.Counted(len(w.Runs), "past run") + " left out: " + number.Some(w.Runs, verdict.MostNamed) + ": " + WhyLeftOut(&w.Past)
	case diff.WarnElsewhere:
		return otherPlace(w.Elsewhere) + ": runs are taken to differ by " + number.Setting(w.Size) +
			" at least (save runs of where it runs now into the history)"
	case diff.WarnLevel:
		return levelWarning(w.Level)
	case diff.WarnUnsettled:
		return "the step times keep falling and do not settle within the run: no verdict (record more steps, or use --skip-first)"
	case diff.WarnFewSteps:
		return fmt.Sprintf("%s: runs are taken to differ by %s (record at least %d steps after the warm-up)",
			number.Lower(stepsHeld(w.Steps, &verdict.ReasonContext{Paired: true})), number.Setting(w.Size), sides.GoodSteps)
	case diff.WarnNoSteps:
		return "run " + w.Runs[0] + " is left out: none of its steps is kept"
	case diff.WarnLost:
		return lost(w.Lost)
	case diff.WarnDoubt:
		return doubt(w.Doubt) + " (" + doubtHint(w.Doubt) + ")"
	case diff.WarnCopies:
		return countOnce(w.Copies)
	case diff.WarnForced:
		if w.Forced == nil {
			return "compared only because of --force: " + unequal(w.Unequal)
		}
		return "compared only because of --force: " + forced(w.Forced)
	case diff.WarnSilent:
		return silent(w.Silent)
	}
	return w.Text
}

// WarningLine writes a warning with its side and file in front, and how many files say so.
func WarningLine(w *diff.Warning) string {
	text := ""
	for _, of := range []string{w.Side, w.File} {
		if of != "" {
			text += of + ": "
		}
	}
	text += Warning(w)
	if w.Count > 1 {
		text += " (" + number.Count(w.Count) + " times)"
	}
	return text
}

// FirstToKnow is what to know first before quoting an answer: its terms, or the first warning about what was measured;
// "" nothing.
func FirstToKnow(r *diff.Report, a *Answer) string {
	if a.Notes != "" {
		return a.Notes
	}
	for i := range r.Warnings {
		if w := &r.Warnings[i]; !w.Aside {
			return number.Capital(WarningLine(w))
		}
	}
	return ""
}

// lost says which gating metrics are not judged.
func lost(l *verdict.LostGate) string {
	if l.Recorded == [2]bool{true, true} {
		return l.Names[0] + " gates by the policy, and it is not judged: " + unjudged(l.Why, l.Sources)
	}
	who := map[[2]bool]string{
		{true, false}: "only the baseline holds", {false, true}: "only the candidate holds", {}: "neither side holds",
	}[l.Recorded]
	return who + " " + strings.Join(l.Names, ", ") + ": what gates is not judged there (the rows say what to record)"
}
