package steplog

import "testing"

// TestPatterns: expressions that are compiled when a log is read are sound before there is one.
func TestPatterns(t *testing.T) {
	all := []*pattern{anyStep, notTraining, throughput, bar, notSteps, isSteps, epoch, digits, dateTime, unixTime,
		columnName, escapes, rankMarks, unitWords, stepTimeName, perStep, notATime, isEvaluation}
	for _, r := range recognisers {
		all = append(append(all, r.steps...), r.time)
	}
	for _, p := range all {
		if p.MatchString("\x00") { // no line of a log
			t.Errorf("%q matches anything", p.text)
		}
	}
}
