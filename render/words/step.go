package words

import "perfdiff/diff/cause"

// missingStep says where a step is missing.
var missingStep = map[cause.Missing]string{
	cause.MissingInBase: "not in the baseline",
	cause.MissingInCand: "not in the candidate",
	cause.MissingInRuns: "not in every run",
}

// StepLeft says why a step is left out; "" where it is not.
func StepLeft(l *cause.Omission) string {
	switch {
	case l.Missing != "":
		return missingStep[l.Missing]
	case l.Base == l.Cand:
		return l.Base
	case l.Base == "":
		return l.Cand + " (candidate)"
	case l.Cand == "":
		return l.Base + " (baseline)"
	}
	return l.Base + " (baseline), " + l.Cand + " (candidate)"
}
