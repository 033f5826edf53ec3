package render

import (
	"fmt"
	"io"
	"math"
	"strings"
	"time"

	"perfdiff/diff/verdict"
	"perfdiff/render/number"
	"perfdiff/render/words"
)

// Noise writes as text how much repeats of one job differ.
func Noise(w io.Writer, r *verdict.NoiseReport) error {
	t := &text{width: maxSentence}
	t.policy(&r.Policy)
	fmt.Fprintf(t, "%s of one job", number.Counted(r.Used, "run"))
	t.WriteString(unusedRunsText(r.Runs) + "\n\n")
	if r.Used < r.MinRuns {
		t.line("", 0, fmt.Sprintf("Nothing was learned: noise is learned from %d on, and there %s of one configuration. Give more repeats of the job: run sets, or their summaries (perfdiff summarize).",
			r.MinRuns, isOrAre(r.Used, "run")))
		_, err := io.WriteString(w, t.String())
		return err
	}
	cells := [][]string{{"metric", "level", "runs differ by", "1v1 shows", "3v3", "5v5", "over time"}}
	for _, m := range r.Metrics {
		amount := func(v float64) string { return amountText(m.Relative, m.Metric.Unit, v) }
		cells = append(cells, []string{m.Metric.Name, valueText(number.ScaleOf(m.Metric.Unit, m.Level), m.Level), amount(m.Spread),
			amount(m.Detectable[0]), amount(m.Detectable[1]), amount(m.Detectable[2]), driftText(&m)})
	}
	t.columns(cells)
	t.WriteString("\nruns differ by: standard deviation between runs. 1v1, 3v3, 5v5: the smallest change that so many runs per side\nshow in 80 % of cases with these runs as history, of a gating metric among all of them.\n")
	if !r.ByTime {
		t.WriteString("Not all runs say when they began: they are in order of name.\n")
	}
	_, err := io.WriteString(w, t.String())
	return err
}

func driftText(m *verdict.Noise) string {
	switch {
	case math.IsNaN(m.Spread):
		return number.None
	case m.Changed != "":
		return "changed by " + signedAmountText(m.Relative, m.Metric.Unit, m.By) + " from " + shortName(m.Changed) + " on"
	case !math.IsNaN(m.Trend):
		return "drifts, " + signedAmountText(m.Relative, m.Metric.Unit, m.Trend) + " in all"
	}
	return "one level"
}

// amountText writes an amount: a fraction in percent or points, any other value in its unit.
func amountText(relative bool, unit string, v float64) string {
	switch {
	case math.IsNaN(v):
		return number.None
	case relative:
		return number.With(100*v, "%")
	case unit == "ratio":
		return number.With(100*v, words.Points)
	}
	return number.ScaleOf(unit, v).With(v)
}

func signedAmountText(relative bool, unit string, v float64) string {
	if s := amountText(relative, unit, v); v > 0 {
		return "+" + s
	} else {
		return s
	}
}

// isOrAre writes "is 1 run" and "are 3 runs".
func isOrAre(n int, what string) string {
	if n == 1 {
		return "is " + number.Counted(n, what)
	}
	return "are " + number.Counted(n, what)
}

// unusedRunsText names the runs that were left out, each with its reason.
func unusedRunsText(runs []verdict.PastRun) string {
	var b strings.Builder
	for _, r := range runs {
		if r.Why.Is() {
			fmt.Fprintf(&b, "\n  %s left out: %s", shortName(r.Name), shortSentence(words.WhyLeftOut(&r.Why)))
		}
	}
	return b.String()
}

// columns writes rows of cells in columns: text at the left, numbers at the right.
func (t *text) columns(rows [][]string) {
	t.lay(rows, "l"+strings.Repeat("r", len(rows[0])-2)+"l", 0, 2, nil)
}

// Trend writes a metric over past runs: as text, or as a page.
func Trend(w io.Writer, tr *verdict.Trend, f Format) error {
	t := &text{width: maxSentence}
	fmt.Fprintf(t, "%s over %s", tr.Metric.Name, number.Counted(len(tr.Points), "run"))
	t.WriteString(unusedRunsText(tr.Runs) + "\n\n")
	largest := 0.0
	for _, p := range tr.Points {
		largest = math.Max(largest, math.Abs(p.Value))
	}
	sc := number.ScaleOf(tr.Metric.Unit, largest)
	level, cells := 0, [][]string{{"run", "began (UTC)", tr.Metric.Name, "", ""}}
	for i, p := range tr.Points {
		mark := ""
		if level+1 < len(tr.Levels) && tr.Levels[level+1].From == i {
			level++
			mark = "level changed by " + words.Shift(&tr.Metric, tr.Levels[level].Change)
		}
		if tr.Held != nil && tr.Held.Point == i {
			mark = strings.TrimPrefix(mark+"; the anchor", "; ")
		}
		bar := ""
		if largest > 0 {
			bar = strings.Repeat("▇", int(math.Round(24*max(p.Value, 0)/largest)))
		}
		run := shortName(p.Name)
		if from := words.Origin(p.From); from != "" {
			run += ", " + shortName(from)
		}
		cells = append(cells, []string{run, dateText(p.Began), sc.With(p.Value), padTo(bar, 24, false), mark})
	}
	t.columns(cells)
	switch {
	case len(tr.Points) == 0:
		t.WriteString("Nothing to show: no run that is used has a value.\n")
	case len(tr.Points) < tr.Least:
		fmt.Fprintf(t, "\nNothing is said about levels: that takes %d runs, and there %s.\n", tr.Least, isOrAre(len(tr.Points), "run"))
	case len(tr.Levels) == 1:
		t.WriteString("\nOne level: no change stands out of the noise.\n")
	default:
		fmt.Fprintf(t, "\n%s of level (binary segmentation, error 1 %%).\n", number.Counted(len(tr.Levels)-1, "change"))
	}
	if !tr.Ordered && len(tr.Points) > 0 {
		t.WriteString("Not all runs say when they began: they are in order of name.\n")
	}
	_, err := io.WriteString(w, t.String())
	return err
}

// dateText returns a time, in UTC ns, to the minute.
func dateText(ns int64) string {
	if ns == 0 {
		return number.None
	}
	return time.Unix(0, ns).UTC().Format("2006-01-02 15:04")
}
