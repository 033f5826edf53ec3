package words

import (
	"math"
	"strings"

	"perfdiff/diff/compute"
	"perfdiff/diff/verdict"
	"perfdiff/render/number"
)

// ReplayHeadline returns the answer in one sentence.
func ReplayHeadline(r *compute.Report) string {
	if text := voids[r.Void]; text != "" {
		return text
	}
	of := map[verdict.Verdict]int{}
	judged := 0
	for i := range r.Kernels {
		if replayJudged(&r.Kernels[i]) {
			judged++
			of[r.Kernels[i].Time.Verdict]++
		}
	}
	left := ""
	if n := len(r.Kernels) - judged; n > 0 {
		left = " " + number.Capital(number.Word(n)) + " not judged."
	}
	if r.Incomplete {
		left += " A part of what was recorded could not be read."
	}
	switch kernels := number.Counted(len(r.Kernels), "kernel"); {
	case judged == 0:
		return "Measured, not judged: " + kernels + " on both sides, " + replayWhyNone(r) + "." + strings.TrimPrefix(left, " "+number.Capital(number.Word(len(r.Kernels)))+" not judged.")
	case of[verdict.Regressed]+of[verdict.Improved] == 0:
		return replayUndecided(r, of[verdict.Inconclusive], judged) + left
	default:
		return replayMoved(r, of, judged) + left
	}
}

// replayMoved says of how many kernels a time changed, and names the one whose change is of most time.
func replayMoved(r *compute.Report, of map[verdict.Verdict]int, judged int) string {
	slower, faster := of[verdict.Regressed], of[verdict.Improved]
	var parts []string
	if slower > 0 {
		parts = append(parts, number.Word(slower)+[2]string{" is slower", " are slower"}[at(slower > 1)])
	}
	if faster > 0 {
		parts = append(parts, number.Word(faster)+[2]string{" is faster", " are faster"}[at(faster > 1)])
	}
	text := "Of " + number.Counted(judged, "kernel") + " judged " + strings.Join(parts, ", ") + ": "
	for i := range r.Kernels {
		k := &r.Kernels[i]
		if t := replayTime(k); t != nil && (k.Time.Verdict == verdict.Regressed || slower == 0 && k.Time.Verdict == verdict.Improved) {
			sc := number.ScaleOf("s", math.Max(t.Base.Median, t.Cand.Median))
			return text + Distinct([]string{k.Name}, inFindings)[0] + " takes " + sc.With(t.Cand.Median) + " instead of " + sc.With(t.Base.Median) + " (" + ReplayPercent(k) + ")."
		}
	}
	return strings.TrimSuffix(text, ": ") + "."
}

// ReplayTag is the answer in a word or two, about these recordings.
func ReplayTag(r *compute.Report) string {
	is, leans := map[verdict.Verdict]bool{}, false
	for i := range r.Kernels {
		is[r.Kernels[i].Time.Verdict] = is[r.Kernels[i].Time.Verdict] || replayJudged(&r.Kernels[i])
		leans = leans || r.Kernels[i].Time.Slower(r.Threshold)
	}
	switch {
	case r.State == compute.NotJudged && leans && r.Void == "":
		return "LOOKS SLOWER"
	case r.State == compute.NotJudged:
		return "NOT JUDGED"
	case is[verdict.Regressed]:
		return "SLOWER"
	case is[verdict.Improved]:
		return "FASTER"
	}
	return "PASSED"
}

func replayJudged(k *compute.Kernel) bool { return k.Time.Judged() }

// replayUndecided writes the headline where no time is said to have changed: what is open, and from which size on a
// slowdown would have been found in every judged kernel.
func replayUndecided(r *compute.Report, inconclusive, judged int) string {
	slower, shown := 0, 0.0
	for i := range r.Kernels {
		if t := &r.Kernels[i].Time; t.Judged() {
			shown = math.Max(shown, t.Shown)
			if t.Slower(r.Threshold) {
				slower++
			}
		}
	}
	kernels := number.Counted(judged, "kernel") + " judged"
	if inconclusive > 0 {
		kernels += ", " + number.Word(inconclusive) + " " + verdict.Inconclusive.String()
	}
	text := "No change of a time was found: " + kernels + "."
	if slower > 0 {
		text = "Cannot tell yet: " + number.Word(slower) + " slower" + notYet + " (" + kernels + "). Record more launches, or several files on each side."
	}
	return text + " These recordings would have shown a kernel that is " + number.Share(shown) +
		" or more slower (" + number.Setting(verdict.Power) + ")."
}

// replayWhyNone returns why none of the kernels has a verdict.
func replayWhyNone(r *compute.Report) string {
	why := map[compute.Reason]bool{}
	for i := range r.Kernels {
		why[r.Kernels[i].Time.Reason] = true
	}
	switch {
	case why[compute.FewLaunches]:
		return "with fewer than " + number.Word(compute.MinLaunches) + " launches per side each"
	case why[compute.OtherClock]:
		return "whose SM clocks differ"
	}
	return "without their duration"
}
