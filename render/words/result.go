package words

import (
	"slices"
	"strings"

	"perfdiff/diff"
	"perfdiff/diff/verdict"
	"perfdiff/render/number"
)

// What is said of numbers that runs print, which have names of their own: "median_ttft_ms, request_rate=4".

// resultUnits end names: what is said of a number says its unit.
var resultUnits = []string{"ms", "us", "ns", "s", "sec", "seconds"}

// shortWords are written in capitals.
var shortWords = []string{"ttft", "tpot", "itl", "e2el", "gpu", "cpu", "io"}

// ResultWithin returns what people call a number within a sentence: "median TTFT, request_rate=4"; a name that is no
// words joined by underlines as it is.
func ResultWithin(name string) string {
	base, load, _ := strings.Cut(name, ",")
	if strings.Trim(base, "abcdefghijklmnopqrstuvwxyz0123456789_") != "" || !strings.Contains(base, "_") {
		return name
	}
	list := strings.Split(base, "_")
	if last := len(list) - 1; slices.Contains(resultUnits, list[last]) {
		list = list[:last]
	}
	for i, word := range list {
		if slices.Contains(shortWords, word) {
			list[i] = strings.ToUpper(word)
		}
	}
	if text := strings.Join(list, " "); load != "" {
		return text + "," + load
	} else {
		return text
	}
}

// ResultName returns the same at the start of a sentence.
func ResultName(name string) string {
	if within := ResultWithin(name); within != name {
		return number.Capital(within)
	}
	return name
}

// ofResult is the headline of numbers that runs print; "" of a report that something else speaks for.
func ofResult(h *diff.Headline) string {
	c, o := &h.Of, h.Others
	if o == nil {
		return ""
	}
	beside := ""
	if o.Beside > 0 {
		beside = " " + number.Counted(o.Beside, "metric") + " regressed without gating."
	}
	unseen := []string{verdict.ReasonNoise, verdict.ReasonNeedsRuns, verdict.ReasonManyMetrics}
	switch {
	case c.Key.Metric == "":
		return "No verdict: nothing says of any of these numbers whether more is better or worse (say so in the policy, under metrics)."
	case c.Reason == verdict.ReasonNotRecorded:
		return "No verdict: the runs of both sides have no metric in common, and like is compared with like alone."
	case c.Reason == verdict.ReasonDecided && c.Verdict != verdict.Unchanged:
		text := decided(c)
		return text[:len(text)-1] + othersMoved(o, c.Verdict) + "." + beside
	case c.Reason == verdict.ReasonDecided && o.Judged > 0:
		return "None of the " + number.Counted(o.Judged+1, "metric") + " changed." + beside
	case c.Reason == verdict.ReasonDecided:
		return decided(c) + beside
	case c.Reason == verdict.ReasonNeedsRuns && c.Assumed():
		return "Cannot tell: one run per side does not say what runs differ by. " + ResultName(c.Key.Metric) + " is " + changeOf(c, c.Estimate) + " (" + medians(c) + "). " + record(c)
	case c.DoesLean(), c.Main != nil && c.Main.Asks, !slices.Contains(unseen, c.Reason):
		return ""
	case o.Judged > 0:
		return "No change seen in any of " + number.Counted(o.Judged+1, "metric") + "; least is known of " + inSentence(c) + ": " + leftOpen(h) + "." + beside
	}
	return "No change of " + inSentence(c) + " seen: " + leftOpen(h) + "." + beside
}

// othersMoved says what else changed: "; 3 other metrics regressed and 1 improved".
func othersMoved(o *diff.Others, led verdict.Verdict) string {
	first, second, n, m := "regressed", "improved", o.Regressed, o.Improved
	if led == verdict.Improved {
		first, second, n, m = second, first, m, n
	}
	switch {
	case n+m == 0:
		return ""
	case m == 0:
		return "; " + number.Counted(n, "other metric") + " " + first
	case n == 0:
		return "; " + number.Counted(m, "other metric") + " " + second
	}
	return "; " + number.Counted(n, "other metric") + " " + first + ", and " + number.Count(m) + " " + second
}
