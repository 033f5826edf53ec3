package html

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"perfdiff/analyze/source/remedy"
	"perfdiff/diff"
	"perfdiff/diff/verdict"
	"perfdiff/render/number"
	"perfdiff/render/words"
)

// metricSection returns the table of main metrics: both sides, change, interval, verdict
// and the reason for it.
func (s *sheet) metricSection() section {
	sec := section{ID: "metrics", Nav: "Main metrics", Title: "Which measures changed?", Reading: s.metricsReading()}
	t := table{ID: "mtab", Label: "Main metrics", Heads: []head{{Text: "Metric", Left: true}, {Text: "Baseline"}, {Text: "Candidate"}, {Text: "Change"},
		{Text: number.Setting(1-s.r.Policy.Alpha) + " interval"}, {Text: "Verdict", Left: true}}}
	if printsResults(s.r) {
		t.Heads = slices.Insert(t.Heads, 3, head{Text: "Runs", Left: true, Wide: true})
	}
	why := table{Label: "Why each verdict", Heads: []head{{Text: "Metric", Left: true}, {Text: "Why", Left: true}}}
	for i := range s.r.Metrics {
		c := &s.r.Metrics[i]
		r := s.metricRow(c)
		if printsResults(s.r) {
			r.Cells = slices.Insert(r.Cells, 3, cell{Bars: runMarks(s.r, c), Wide: true, Left: true})
		}
		t.Rows = append(t.Rows, r)
		why.Rows = append(why.Rows, row{Cells: []cell{headCell(metricCalled(c)), {Text: whyText(c), Class: "wrapc", Left: true}}})
	}
	if len(t.Rows) == 0 {
		sec.Blocks = []block{{Empty: lacks(remedy.Kernels)}}
		return sec
	}
	sec.Blocks = []block{{Table: &t, Values: &why, Note: valuesNote(s.r) + " The change is estimated from " + unitsOfTest(s.r) + ", so that it can differ from the difference of two medians. Those that gate decide the verdict of the page, and their intervals hold for all of them together (Holm's rule); the others say where to look."}}
	return sec
}

func valuesNote(r *diff.Report) string {
	switch {
	case r.OfResults:
		return "Each value is the median over runs; a mark is a run, of the baseline above and of the candidate below."
	case printsResults(r):
		return "Each value is the median over steps of the median over ranks, and of what runs printed the median over runs, of which each is a mark."
	}
	return "Each value is the median over steps of the median over ranks."
}

func unitsOfTest(r *diff.Report) string {
	if r.OfResults {
		return "runs"
	}
	return "steps and runs"
}

// printsResults reports whether some of the metrics are what runs printed.
func printsResults(r *diff.Report) bool {
	return slices.ContainsFunc(r.Metrics, func(c verdict.Comparison) bool { return c.Metric.OfResult })
}

// markWide is how wide the mark of a run is, in % of the cell's drawing. Chosen, not measured: two pixels.
const markWide = 2.5

// runMarks draws a mark for each run of both sides at its value, from the least to the largest of them.
func runMarks(r *diff.Report, c *verdict.Comparison) (out []bar) {
	if !c.Metric.OfResult {
		return nil
	}
	lo, hi := math.Inf(1), math.Inf(-1)
	for side := range r.Runs {
		for i := range r.Runs[side] {
			if v, ok := r.Runs[side][i].Values[c.Key.Metric]; ok && !math.IsNaN(v) {
				lo, hi = math.Min(lo, v), math.Max(hi, v)
			}
		}
	}
	for side, class := range []string{"rb", "rc"} {
		for i := range r.Runs[side] {
			if v, ok := r.Runs[side][i].Values[c.Key.Metric]; ok && !math.IsNaN(v) {
				at := 0.5
				if hi > lo {
					at = (v - lo) / (hi - lo)
				}
				out = append(out, bar{class, float64(at * (100 - markWide)), markWide})
			}
		}
	}
	return out
}

func (s *sheet) metricsReading() string {
	var changed, same, unknown int
	for i := range s.r.Metrics {
		switch c := &s.r.Metrics[i]; {
		case c.Reason == verdict.ReasonNotRecorded:
			unknown++
		case c.Verdict == verdict.Improved || c.Verdict == verdict.Regressed:
			changed++
		case c.Verdict == verdict.Unchanged:
			same++
		}
	}
	n := len(s.r.Metrics)
	if !s.judged {
		return fmt.Sprintf("None of the %d main metrics is judged; %d %s recorded.", n, n-unknown, isAre(n-unknown))
	}
	text := fmt.Sprintf("%d of %d main metrics changed, %d %s unchanged.", changed, n, same, isAre(same))
	if unknown > 0 {
		text += fmt.Sprintf(" %s not recorded.", number.Capital(number.Word(unknown))+" "+map[bool]string{true: "was", false: "were"}[unknown == 1])
	}
	return text
}

func (s *sheet) metricRow(c *verdict.Comparison) row {
	values := number.ScaleOf(c.Metric.Unit, largestMagnitude(c.Base, c.Cand))
	judgedAs, class := s.verdictOf(c)
	change := cellOfClass(changeText(c), class, metricOfColour(c))
	name := cell{Text: metricCalled(c), Title: c.Metric.Doc, Head: true, Left: true, Small: words.Source(c)}
	if c.Gating {
		name.Small = strings.Trim("gates; "+words.Source(c), "; ")
	}
	if note := words.Note(c); note != "" {
		name.Small = strings.Trim(name.Small+"; "+note, "; ")
	}
	return row{Cells: []cell{
		name, textCell(valueText(values, c.Base), ""), textCell(valueText(values, c.Cand), ""), change, textCell(intervalText(c), ""),
		{Text: judgedAs, Class: class, Of: change.Of, Left: true},
	}}
}

// metricCalled returns a main metric as its row calls it.
func metricCalled(c *verdict.Comparison) string {
	if c.Metric.OfResult {
		return c.Metric.Name
	}
	what := metricName(c.Metric.Name, c.Part)
	if c.Includes == "" {
		return what
	}
	return strings.TrimSuffix(what, " time") + " or " + c.Includes + " time"
}

// whyText returns the reason for a verdict, with the notes on numbers that contradict each other.
func whyText(c *verdict.Comparison) string {
	text := words.Why(c)
	if leans := words.NotYet(c); leans != "" {
		text = asSentence(leans) + " " + text
	}
	for _, note := range words.Apart(c) {
		text += " " + note
	}
	return text
}

func valueText(s number.Scale, v float64) string {
	if math.IsNaN(v) {
		return number.None
	}
	return s.With(v)
}

// verdictOf returns the verdict as a word, and its colour.
func (s *sheet) verdictOf(c *verdict.Comparison) (text, class string) {
	text = words.MetricOutcome(c)
	if c.Outcome() != verdict.Outcome(c.Verdict) {
		return text, ""
	}
	switch c.Verdict {
	case verdict.Improved:
		return directionSign(c.Estimate) + "improved", "better"
	case verdict.Regressed:
		return directionSign(c.Estimate) + "regressed", "worse"
	case verdict.Unchanged:
		return "=\u202funchanged", ""
	}
	return "inconclusive", "hold"
}

// directionSign returns an arrow up or down, so that colour is not the only sign of direction.
func directionSign(estimate float64) string {
	if estimate > 0 {
		return "\u25b4" + number.Space
	}
	return "\u25be" + number.Space
}

// changeText returns the change with its unit.
func changeText(c *verdict.Comparison) string {
	text, _ := words.ChangeWithUnits(c.Change())
	return text
}

// intervalText returns the interval of the change with its unit.
func intervalText(c *verdict.Comparison) string {
	_, text := words.ChangeWithUnits(c.Change())
	return text
}

// metricName returns a metric's name for people: "Exposed comm time" for "exposed_comm_time".
func metricName(name, part string) string {
	text := number.Capital(strings.ReplaceAll(name, "_", " "))
	text = strings.NewReplacer("Flops", "FLOPs", "flops", "FLOPs", "Io ", "I/O ", "Gpu ", "GPU ", "Net ", "Network ", "Input wait time", "Input wait (host)").Replace(text)
	if part != "" {
		if strings.HasPrefix(name, "memcpy_") {
			part = copyPart.Replace(part)
		}
		text += ": " + part
	}
	return text
}

// copyPart says the ways of copies, as parts of metrics name them.
var copyPart = strings.NewReplacer("h2d pageable", "to the device, pageable", "d2h pageable", "from the device, pageable",
	"h2d", "to the device", "d2h", "from the device", "d2d", "within the device", "p2p", "between devices")
