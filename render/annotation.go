package render

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"perfdiff/diff"
	"perfdiff/diff/verdict"
	"perfdiff/render/words"
)

// maxAnnotations is how many warnings are annotated: GitHub shows ten annotations of a kind for
// each step.
const maxAnnotations = 8

// Annotations writes the verdict and the warnings as workflow commands of GitHub Actions, which shows them with the
// run.
func Annotations(w io.Writer, r *diff.Report) error { return annotate(w, r, "perfdiff: ") }

// AnnotationsOfSeveral writes the annotations of each candidate, with its name.
func AnnotationsOfSeveral(w io.Writer, s *diff.Several) error {
	for _, r := range s.Candidates {
		if err := annotate(w, r, "perfdiff: "+shortName(words.Called(r, 1))+": "); err != nil {
			return err
		}
	}
	return nil
}

// annotate writes the annotations of a report, with a text in front of their titles.
func annotate(w io.Writer, r *diff.Report, of string) error {
	var b strings.Builder
	command := func(kind, title, text string) {
		fmt.Fprintf(&b, "::%s title=%s::%s\n", kind, commandProperty(title), commandMessage(shortSentence(text)))
	}
	kind := "notice"
	switch {
	case r.Gate.State == diff.GateFailed, r.Gate.State == diff.GateNotJudged:
		kind = "error"
	case !r.NeedsNoLook():
		kind = "warning"
	}
	a := words.AnswerOf(r)
	command(kind, of+words.Outcome(r), a.Headline+" "+strings.Join([]string{a.Story, a.Advice, a.Notes, words.GateLine(r)}, " "))
	if p := words.PolicyLine(&r.Policy); p != "" { // not within the verdict's, which is cut where it is long
		fmt.Fprintf(&b, "::notice title=perfdiff::%s\n", commandMessage(cleanLine(p)))
	}
	worse := kind // of a metric that regressed: an error only where it fails the gate
	if r.Gate.State != diff.GateFailed {
		worse = "warning"
	}
	for i := range r.Metrics {
		switch c := &r.Metrics[i]; {
		case c.Verdict != verdict.Regressed || c.Reason != verdict.ReasonDecided:
		case c.Gating:
			command(worse, of+c.Key.Metric+" regressed", words.Why(c))
		case c.Waiver != nil:
			command("warning", of+c.Key.Metric+" regressed, waived", words.Waiver(c.Waiver))
		}
	}
	list := slices.DeleteFunc(slices.Clone(r.Warnings), func(w diff.Warning) bool { return w.Aside })
	for i := range list {
		warning := &list[i]
		if i == maxAnnotations {
			command("warning", "perfdiff", fmt.Sprintf("%d more warnings are in the report", len(r.Warnings)-i))
			break
		}
		text := words.Warning(warning)
		if warning.File != "" {
			text = warning.File + ": " + text
		}
		command("warning", strings.TrimSpace(of+warning.Side), text)
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// commandMessage and commandProperty escape cleaned texts for workflow commands, so that a text
// cannot begin a command of its own.
func commandMessage(s string) string {
	return strings.NewReplacer("##[", "## [", "%", "%25", "\r", "%0D", "\n", "%0A").Replace(spaces.Replace(s))
}

func commandProperty(s string) string {
	return strings.NewReplacer(":", "%3A", ",", "%2C").Replace(commandMessage(shortSentence(s)))
}
