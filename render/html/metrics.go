package html

import (
	"cmp"
	"math"
	"slices"
	"strings"

	"perfdiff/analyze/run"
	"perfdiff/analyze/source/remedy"
	"perfdiff/diff"
	"perfdiff/diff/cause"
	"perfdiff/diff/verdict"
	"perfdiff/render/number"
	"perfdiff/render/words"
)

// metricSection returns the table of main metrics: both sides, change, interval, verdict
// and the reason for it.
func (s *sheet) metricSection() section {
	sec := section{ID: "metrics", Nav: "Main metrics", Title: "Which measures changed?", Reading: s.metricsReading()}
	t := s.metricTable("Main metrics")
	if t.ID = "mtab"; printsResults(s.r) {
		t.Heads = slices.Insert(t.Heads, 3, head{Text: "Runs", Left: true, Wide: true})
	}
	why := table{Label: "Why each verdict", Heads: []head{{Text: "Metric", Left: true}, {Text: "Why", Left: true}}}
	for i := range s.r.Metrics {
		c := &s.r.Metrics[i]
		if printsResults(s.r) {
			t.Rows[i].Cells = slices.Insert(t.Rows[i].Cells, 3, cell{Bars: runMarks(s.r, c), Wide: true, Left: true})
		}
		why.Rows = append(why.Rows, row{Cells: []cell{headCell(metricCalled(c)), {Text: whyText(c), Class: "wrapc", Left: true}}})
	}
	if len(t.Rows) == 0 {
		sec.Blocks = []block{{Empty: lacks(remedy.Kernels)}}
		return sec
	}
	note := number.Capital(words.TableNote(s.r)) + "; ~: less than runs of one job differ by; same: equal within the size beside it."
	if printsResults(s.r) {
		note += " Of what runs print each mark is a run, of the baseline above and of the candidate below."
	}
	sec.Blocks = []block{{Table: &t, Values: &why, Note: note + " The intervals of those that gate hold together (Holm's rule)."}}
	return sec
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

// metricsReading counts the main metrics by what became of them.
func (s *sheet) metricsReading() string {
	counts := map[string]int{}
	for i := range s.r.Metrics {
		c := &s.r.Metrics[i]
		text, _ := s.verdictOf(c)
		counts[cmp.Or(strings.TrimLeft(text, "\u25b4\u25be"+number.Space), words.RowOf(c).Change)]++
	}
	var parts []string
	for _, of := range [][2]string{{"improved", "improved"}, {"regressed", "regressed"}, {words.Same, "the same"}, {words.NoSign, "without a sign of a change"},
		{"inconclusive", "inconclusive"}, {words.NotJudged, "not judged"}, {"not recorded", "not recorded"}} {
		if n := counts[of[0]]; n > 0 {
			parts = append(parts, number.Count(n)+" "+of[1])
		}
	}
	return number.Counted(len(s.r.Metrics), "metric") + ": " + strings.Join(parts, ", ") + "."
}

// metricTable returns the table of main metrics. What the same steps changed by has a column where a row needs it.
func (s *sheet) metricTable(label string) table {
	t := table{Label: label, Heads: []head{{Text: "Metric", Left: true}, {Text: "Baseline"}, {Text: "Candidate"}, {Text: "Change"},
		{Text: number.Setting(1-s.r.Policy.Alpha) + " interval"}, {Text: "Verdict", Left: true}}}
	apart := false
	for i := range s.r.Metrics {
		row := words.RowOf(&s.r.Metrics[i])
		t.Rows, apart = append(t.Rows, s.metricRow(&s.r.Metrics[i], &row)), apart || row.Steps != ""
	}
	if !apart {
		return t
	}
	t.Heads = slices.Insert(t.Heads, 4, head{Text: number.Capital(words.SameSteps)})
	for i := range t.Rows {
		row := words.RowOf(&s.r.Metrics[i])
		t.Rows[i].Cells = slices.Insert(t.Rows[i].Cells, 4, cell{Text: row.Steps, Small: row.Why})
	}
	return t
}

func (s *sheet) metricRow(c *verdict.Comparison, o *words.Row) row {
	name := cell{Text: metricCalled(c), Title: c.Metric.Doc, Head: true, Left: true, Small: words.Source(c)}
	if c.Gating {
		name.Title += " It can fail the gate."
	}
	if note := words.Note(c); note != "" {
		name.Small = strings.Trim(name.Small+"; "+note, "; ")
	}
	judgedAs, class := s.verdictOf(c)
	of := cellOfClass(judgedAs, class, metricOfColour(c))
	of.Left = true
	return row{Cells: append(append([]cell{name}, valueCells(s, c, o)...), textCell(o.Interval, ""), of)}
}

// valueCells returns baseline, candidate and change of a comparison.
func valueCells(s *sheet, c *verdict.Comparison, o *words.Row) []cell {
	change := textCell(o.Change, "")
	if o.Signed {
		change = s.changeCell(o.Change, c, o.Delta)
	}
	return []cell{textCell(o.Base, ""), textCell(o.Cand, ""), change}
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

// whyText returns the reason for a verdict, and why mean and median part.
func whyText(c *verdict.Comparison) string {
	text := words.Why(c)
	if leans := words.NotYet(c); leans != "" {
		text = asSentence(leans) + " " + text
	}
	return text + words.MeanSince(c)
}

func valueText(s number.Scale, v float64) string {
	if math.IsNaN(v) {
		return number.None
	}
	return s.With(v)
}

// verdictOf returns the verdict as a word, and its colour; "" where the change says it.
func (s *sheet) verdictOf(c *verdict.Comparison) (text, class string) {
	text = words.RowVerdict(c)
	if c.Outcome() != verdict.Outcome(c.Verdict) || text == "" {
		return text, ""
	}
	if class = c.Verdict.Class().String(); class != "" {
		text = directionSign(c.Estimate) + text
	}
	return text, class
}

// directionSign returns an arrow up or down, so that colour is not the only sign of direction.
func directionSign(estimate float64) string {
	if estimate > 0 {
		return "\u25b4" + number.Space
	}
	return "\u25be" + number.Space
}

// metricName returns a metric's name for people: "Exposed comm time" for "exposed_comm_time".
func metricName(name, part string) string {
	if p := (cause.StepPart{Key: run.Key{Metric: name, Part: part}}); name == run.IdleTime && part != "" || name == run.InputWaitTime {
		return words.StepPart(p)
	}
	text := number.Capital(strings.ReplaceAll(name, "_", " "))
	text = strings.NewReplacer("Flops", "FLOPs", "flops", "FLOPs", "Io ", "I/O ", "Gpu ", "GPU ", "Net ", "Network ", "Exposed memory", "Exposed copies",
		"Exposed wait time", "Exposed waiting for late ranks", "Exposed transfer time", "Exposed transfer").Replace(text)
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
