package compute

import "perfdiff/diff/verdict"

// state returns the result for a build. An undecided slowdown that would matter has not passed: its kernel may have
// regressed, and its launches are too few or differ too much to say. Letting it pass was rejected: two recordings with
// different noise would then be taken for two equal ones.
func (r *Report) state() State {
	judged, open := 0, false
	for i := range r.Kernels {
		t := &r.Kernels[i].Time
		if !t.Judged() {
			continue
		}
		judged++
		open = open || t.Slower(r.Threshold)
		if t.Verdict == verdict.Regressed {
			return Failed
		}
	}
	if judged == 0 || open || r.Incomplete {
		return NotJudged
	}
	return Passed
}

// Judged reports whether there were launches enough, recorded alike, for a verdict.
func (c *Change) Judged() bool {
	return c.Reason == Decided || c.Reason == WithinNoise || c.Reason == ManyCompared
}

// Slower reports whether an inconclusive time is longer by the threshold, a fraction, or more: it would be a
// regression if it were beyond chance.
func (c *Change) Slower(threshold float64) bool {
	return c.Judged() && c.Verdict == verdict.Inconclusive && c.Estimate >= threshold
}
