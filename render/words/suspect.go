package words

import (
	"fmt"
	"math"

	"perfdiff/diff"
	"perfdiff/diff/cause"
	"perfdiff/diff/verdict"
	"perfdiff/render/number"
)

// SuspectHeading is the heading above Suspects.
const SuspectHeading = "What else changed between the sides"

// SuspectNote says what Suspects are worth.
func SuspectNote(r *diff.Report) string {
	if r.Judged && (r.Verdict == verdict.Improved || r.Verdict == verdict.Regressed) {
		return "This coincides with the change; that it is the cause is not shown."
	}
	return "This may cause a change, or hide one; neither is shown."
}

// Suspects returns sentences about what both sides do in another way, which may be why they take another
// time.
func Suspects(r *diff.Report) (out []string) {
	for i := range r.Suspects {
		out = append(out, Suspect(&r.Suspects[i]))
	}
	return out
}

func orNotSaid(s string) string {
	if s == "" {
		return "not said"
	}
	return s
}

// Suspect returns the sentence about one thing that both sides do in another way.
func Suspect(s *cause.Suspect) string {
	both := func(format string, of func(float64) string) string {
		return fmt.Sprintf(format, of(s.Values[1]), of(s.Values[0]))
	}
	switch s.Kind {
	case cause.SuspectLoader:
		return fmt.Sprintf("Batches come from %s instead of %s.", s.Names[1], s.Names[0])
	case cause.SuspectReadCall:
		return fmt.Sprintf("Files are read with %s (%s calls per step and rank, %s over its threads) instead of %s (%s calls, %s).",
			s.Names[1], number.Format(s.Values[1]), seconds(s.Times[1]), s.Names[0], number.Format(s.Values[0]), seconds(s.Times[0]))
	case cause.SuspectDirect:
		return both("%s of the bytes read come in large aligned requests instead of %s, which could be O_DIRECT.", number.Share)
	case cause.SuspectReaders:
		return both("%s of a rank read at once instead of %s.", threads)
	case cause.SuspectSize:
		sc := number.ScaleOf("B", math.Max(s.Values[0], s.Values[1]))
		return both("A read asks for %s instead of %s.", sc.With)
	}
	return ""
}
