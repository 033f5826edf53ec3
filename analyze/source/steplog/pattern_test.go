package steplog

import "testing"

// TestPatterns: expressions that are compiled when a log is read are sound before there is one.
func TestPatterns(t *testing.T) {
	all := []*pattern{clockText, notTraining, bar, notSteps, isSteps, epoch, digits, unixTime,
		columnName, escapes, unitWords, stepTimeName, perStep, notATime, isEvaluation,
		numberText, ofThousand, ofDecimals, timeUnit, rateUnit, otherUnit, isName, countOf, endsOfNames, rateName, rateWord, rateTail,
		camelTo, flops, aside, ofOther, isStamp, timeName, unitTail, stepPart, valueOf, precision, isOn, gpuModel, isValidated, trained, saysNumber, meanName, isWritten, isDate, ofEval, isBeside,
		otherLoop}
	all = append(all, stepNumbers...)
	for _, r := range recognisers {
		all = append(append(all, r.steps...), r.time)
	}
	for _, p := range all {
		if p.MatchString("\x00") { // no line of a log
			t.Errorf("%q matches anything", p.text)
		}
	}
}
