package words

import (
	"slices"
	"strings"

	"perfdiff/analyze/run"
	"perfdiff/diff"
	"perfdiff/diff/verdict"
	"perfdiff/render/number"
)

// SeveralAnswer is what every output says first of several candidates.
type SeveralAnswer struct {
	Tag      string // "1 OF 3 FASTER"; it denies no row
	Headline string // what became of all of them
	Lead     int    // the candidate that the tag is about
	Of       []Answer
	Next     string // "" nothing
	Gate     string // what the gate comes to, and for which of them
}

// SeveralOf returns the answer about several candidates.
func SeveralOf(s *diff.Several) SeveralAnswer {
	a := SeveralAnswer{Lead: leader(s)}
	var worst []string
	for _, r := range s.Candidates {
		if a.Of = append(a.Of, AnswerOf(r)); r.Gate.State == s.State {
			worst = append(worst, Called(r, 1))
		}
	}
	n, first, alike := len(a.Of), s.Candidates[a.Lead], 0
	a.Tag = a.Of[a.Lead].Tag
	for i := range a.Of {
		if a.Of[i].Tag == a.Tag {
			alike++
		}
	}
	if alike < n {
		a.Tag = number.Count(alike) + " OF " + number.Count(n) + " " + a.Tag
	}
	close := asFast(s, a.Lead)
	a.Headline = severalHeadline(s, a.Lead, close)
	if a.Gate = gateResults[s.State]; len(worst) < n {
		a.Gate = strings.TrimSuffix(a.Gate, ".") + ": that is the worst of them, " + number.Some(worst, verdict.MostNamed) + "."
	}
	next := a.Of[a.Lead].Next
	if improved(first) || next == "" {
		next = strings.TrimSpace(a.Of[a.Lead].Advice + strings.Replace(" "+next, " Nothing for the merge.", "", 1))
	}
	if a.Next = Called(first, 1) + ": " + next; len(close) > 0 {
		a.Next = "Compare " + Called(first, 1) + " with " + Called(s.Candidates[close[0]], 1) + " by themselves: their intervals overlap, so that this does not tell which is faster."
	}
	return a
}

// leader returns the candidate that the first line is about: the first that improved, else the first of the worst.
func leader(s *diff.Several) int {
	i := slices.IndexFunc(s.Candidates, improved)
	if i < 0 {
		i = slices.IndexFunc(s.Candidates, func(r *diff.Report) bool { return r.Gate.State == s.State })
	}
	return max(0, i)
}

func improved(r *diff.Report) bool { return r.Judged && r.Verdict == verdict.Improved }

// asFast returns the candidates that may have as short a step as the one in the lead, which improved, since their
// intervals overlap as the table shows them; nil where it did not improve, or has no step.
func asFast(s *diff.Several, lead int) (out []int) {
	first := verdict.MetricOf(s.Candidates[lead].Metrics, run.StepTime)
	if first == nil || !improved(s.Candidates[lead]) {
		return nil
	}
	for i, r := range s.Candidates {
		if c := verdict.MetricOf(r.Metrics, run.StepTime); i != lead && r.Judged && c != nil && c.Lo <= first.Hi {
			out = append(out, i)
		}
	}
	return out
}

// severalHeadline says what became of candidates: "Of two candidates c1 is fastest: steps take 85 ms less (−52 %); c2
// cannot be compared: the jobs differ in size."
func severalHeadline(s *diff.Several, lead int, close []int) string {
	first, of := s.Candidates[lead], number.Word(len(s.Candidates))+" candidates "
	better := [2]string{"better", "best"}
	if first.Headline.Of.OfSteps() {
		better = [2]string{"faster", "fastest"}
	}
	if !slices.ContainsFunc(s.Candidates, func(r *diff.Report) bool { return r != first && r.Judged }) {
		better[1] = better[0] // than the baseline: nothing else is compared
	}
	none := "None of "
	if len(s.Candidates) == 2 {
		none = "Neither of "
	}
	text := none + of + "is seen to be " + better[0] + ": " + became(first)
	switch {
	case improved(first) && len(close) > 0:
		text = "Of " + of + became(first)
	case improved(first):
		text = "Of " + of + Called(first, 1) + " is " + better[1] + ": " + strings.Replace(changed(first), "takes", "steps take", 1)
	}
	left := 0
	for i, r := range s.Candidates {
		if i == lead {
			continue
		}
		switch left++; {
		case left > verdict.MostNamed:
		case slices.Contains(close, i):
			text += "; " + Called(r, 1) + " may be as fast"
		default:
			text += "; " + became(r)
		}
	}
	if more := left - verdict.MostNamed; more > 0 {
		text += "; " + number.Word(more) + " more below"
	}
	return text + "."
}

// allOf names all of so many: "both", "all three".
func allOf(n int) string {
	if n == 2 {
		return "both"
	}
	return "all " + number.Word(n)
}

// became says what became of a candidate, by its name.
func became(r *diff.Report) string {
	name := Called(r, 1)
	switch r.Outcome() {
	case verdict.OutcomeRegressed, verdict.OutcomeImproved:
		if text := changed(r); strings.HasPrefix(text, "takes") {
			return name + " " + text
		}
	case verdict.OutcomeUnchanged:
		return name + " takes as long as before"
	case verdict.OutcomePassed:
		return name + " shows no " + lookedFor(&r.Headline.Of)
	case verdict.OutcomeNotComparable:
		return name + " cannot be compared: " + inShort(r)
	case verdict.OutcomeNotJudged:
		return name + " could not be judged: " + inShort(r)
	}
	return name + ": " + inShort(r)
}

// changed says by how much a candidate changed that regressed or improved: "takes 85 ms less (−52 %)".
func changed(r *diff.Report) string {
	if h := &r.Headline; h.Of.OfSteps() && h.Mean == nil {
		return "takes " + stepChange(h)
	}
	return inShort(r)
}

// inShort returns the first sentence of a headline, to stand within one.
func inShort(r *diff.Report) string {
	text, _, _ := strings.Cut(strings.TrimPrefix(Headline(&r.Headline), "No verdict: "), ". ")
	return number.Lower(strings.TrimSuffix(text, "."))
}

// SeveralBasis says how candidates were compared, and what their order means.
func SeveralBasis(s *diff.Several) string {
	return "Each is compared with the baseline, and not with another one. " +
		"The verdicts on gating metrics, and their intervals, hold for " + allOf(len(s.Candidates)) +
		" together (Holm's rule). They stand in order of the estimate: two whose intervals overlap may stand the other way round."
}
