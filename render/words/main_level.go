package words

import (
	"cmp"
	"math"
	"strconv"
	"strings"
	"time"

	"perfdiff/analyze/run"
	"perfdiff/diff/history"
	"perfdiff/diff/verdict"
	"perfdiff/render/number"
)

// MetricText returns the name of a metric as it stands in a sentence: "step time".
func MetricText(name string) string { return strings.ReplaceAll(name, "_", " ") }

// LevelNow says what is true of a metric on main: "step time 183.2 ms since 9e1f2c (41 runs, 6 hosts); runs differ by
// 1.1 %".
func LevelNow(j *history.Job, m *history.Metric) string {
	name, l := MetricText(m.Metric.Name), m.Now()
	if l == nil {
		return name + ": no level yet (" + number.Counted(countOf(j, m), "run") + ")"
	}
	text := name + " " + LevelValue(m, l.Value)
	if l.From > 0 {
		text += " since " + RunAt(j, l.From)
	}
	runs, hosts := j.CountedOn(m, l)
	of := number.Counted(runs, "run")
	if hosts > 0 {
		of += ", " + number.Counted(hosts, "host")
	}
	text += " (" + of + ")"
	if d := Scatter(m); d != "" {
		text += "; runs differ by " + d
	}
	return text
}

func countOf(j *history.Job, m *history.Metric) (n int) {
	for i := range j.Runs {
		if j.Counts(m, i) {
			n++
		}
	}
	return n
}

// Scatter returns what runs of one level differ by; "" where that is not known.
func Scatter(m *history.Metric) string {
	if math.IsNaN(m.SD) || m.SD <= 0 {
		return ""
	}
	return strings.TrimPrefix(Sized(m, m.SD), "+")
}

// LevelValue writes a value of a metric with its unit and four digits: levels that are one part in a hundred apart
// differ in two of them.
func LevelValue(m *history.Metric, v float64) string {
	sc := number.ScaleOf(m.Metric.Unit, v)
	text := sc.Format(v)
	if x := math.Abs(v * sc.Factor); x >= 0.9995 && x < 999.95 {
		digits := 3 - int(math.Floor(math.Log10(x*1.00005)))
		text = strings.Replace(strconv.FormatFloat(v*sc.Factor, 'f', digits, 64), "-", number.Minus, 1)
	}
	if sc.Name == "" {
		return text
	}
	return text + number.Space + sc.Name
}

// Sized writes a size of a metric's changes with its sign: "+5.0 %", in points for a share, else in its unit.
func Sized(m *history.Metric, v float64) string {
	switch {
	case m.Relative:
		return number.PercentFor(v, 0, 0).Signed(v) + number.Space + "%"
	case m.Metric.Unit == "ratio":
		return number.SignedWith(100*v, Points)
	}
	return number.ScaleOf(m.Metric.Unit, math.Abs(v)).SignedWith(v)
}

// RunAt names a run by its commit, else by its label or name.
func RunAt(j *history.Job, i int) string {
	r := j.Run(i)
	return cmp.Or(r.From.Short(), r.From.Label, r.Name)
}

// LevelChange says a change of level: "+5.0 % between 44ab01 and 9e1f2c (3 commits), accepted by ana: reason".
func LevelChange(j *history.Job, m *history.Metric, c *history.Change) string {
	text := Sized(m, c.Size) + " " + WhereChanged(j, c)
	if t := j.Run(c.At).Time(); t != 0 {
		text += ", " + Day(t) + oneDay(j, m, c)
	}
	if a := Accepted(c.Accepted); a != "" {
		text += ", " + a
	}
	return text
}

// oneDay says that all runs of a change's level, the newest, are of one day: a slow day of a cluster looks like a change;
// "" of others.
func oneDay(j *history.Job, m *history.Metric, c *history.Change) string {
	day := j.Run(c.At).Time()
	if l := m.Now(); day == 0 || l == nil || l.From != c.At {
		return ""
	}
	for i := c.At; i < len(j.Runs); i++ {
		if j.Counts(m, i) && Day(j.Runs[i].Time()) != Day(day) {
			return ""
		}
	}
	return ", seen on one day so far"
}

// WhereChanged says from which commits a change came: "between 44ab01 and 9e1f2c (3 commits)".
func WhereChanged(j *history.Job, c *history.Change) string {
	before, after := c.Between()
	after = min(after, len(j.Runs)-1)
	switch {
	case before < 0 && c.Gradual:
		return "gradually, until " + RunAt(j, after)
	case before < 0:
		return "from " + RunAt(j, after) + " on"
	}
	text := "between " + RunAt(j, before) + " and " + RunAt(j, after)
	switch {
	case c.Gradual:
		text = "gradually " + text
	case c.Commits > 0:
		text += " (" + number.Counted(c.Commits, "commit") + ")"
	}
	return text
}

// Accepted says who accepted a change and why; "" where nobody did.
func Accepted(e *history.Event) string {
	if e == nil {
		return ""
	}
	text := "accepted"
	if e.By != "" {
		text += " by " + e.By
	}
	if e.Until > 0 {
		text += " until " + Day(e.Until)
	}
	if e.Reason != "" {
		text += ": " + e.Reason
	}
	return text
}

// MovedParts says which parts of the step changed with a level: "compute 80.0 to 84.1 ms"; "" where none are known.
func MovedParts(c *history.Change) string {
	var parts []string
	for _, p := range c.Moved[:min(len(c.Moved), verdict.MostNamed)] {
		sc := number.ScaleOf("s", math.Max(p.Before, p.After))
		parts = append(parts, MetricText(p.Name)+" "+sc.Format(p.Before)+" to "+sc.With(p.After))
	}
	return strings.Join(parts, ", ")
}

// Crept says what came in no single step: "over 16 weeks +9.3 %: +5.0 % accepted, +4.1 % in no single step"; "" where
// nothing did.
func Crept(j *history.Job, m *history.Metric) string {
	c := m.Creep
	if c == nil {
		return ""
	}
	since := ago(j, m)
	rest := Sized(m, c.Size) + " in no single step"
	if math.Abs(c.Reached) > math.Abs(c.Size) && Sized(m, c.Reached) != Sized(m, c.Size) {
		rest += " (" + Sized(m, c.Reached) + " in the newest five runs)"
	}
	if c.Told == 0 {
		return "over " + since + " " + rest
	}
	told := " in steps"
	if m.AllAccepted(c.From) {
		told = " accepted"
	}
	return "over " + since + " " + Sized(m, m.Drifted()) + ": " + Sized(m, c.Told) + told + ", " + rest
}

// ago says since when a metric creeps: "16 weeks".
func ago(j *history.Job, m *history.Metric) string {
	if weeks := int(math.Round(j.Age(m.Creep.From).Hours() / (24 * 7))); weeks > 0 {
		return number.Counted(weeks, "week")
	}
	return number.Counted(m.Creep.Ago, "run")
}

// RunLeft says why a run does not count, or is marked: "2026-10-26 c0ffee1, node7: its step time …".
func RunLeft(j *history.Job, i int) string {
	if why := &j.Runs[i].Why; why.Is() {
		return runOn(j, i) + ": " + WhyLeftOut(why)
	}
	return runOn(j, i) + ": not on main any more"
}

// runOn names a run with its day and its hosts.
func runOn(j *history.Job, i int) string {
	r, text := &j.Runs[i], RunAt(j, i)
	if t := r.Time(); t != 0 {
		text = Day(t) + " " + text
	}
	if len(r.Hosts) > 0 {
		text += ", " + number.Some(r.Hosts, verdict.MostNamed)
	}
	return text
}

// NotRepeated says of a run that is far off its level that nobody ran its commit again, and as long as that may tell
// something, what to do; "" of others.
func NotRepeated(j *history.Job, i int) string {
	m := j.MetricNamed(run.StepTime)
	if m == nil || !j.NotRepeated(m, i) {
		return ""
	}
	l := m.LevelAt(i)
	by := m.Values[i] - l.Value
	if m.Relative {
		by /= l.Value
	}
	text := runOn(j, i) + ": step time " + Sized(m, by) + " off its level, "
	if len(j.Runs)-1-i > repeatWithin {
		return text + "and never repeated; one run moves no level"
	}
	commit := j.Runs[i].From.Short()
	return text + "in its only run: run " + commit + " again and save that run, or leave it out with --exclude " + commit
}

// repeatWithin is for how many later runs of main a repeat of an odd run is asked for. Chosen, not measured: by then the
// later runs say where main stands.
const repeatWithin = 8

// Decision says what somebody decided about main.
func Decision(e *history.Event) string {
	text := Day(e.At) + " " + e.Kind
	for _, part := range []string{MetricText(e.Metric), run.Origin{Commit: e.Commit}.Short()} {
		if part != "" {
			text += " " + part
		}
	}
	if e.UpTo > 0 {
		text += " up to " + number.Setting(e.UpTo)
	}
	if e.By != "" {
		text += ", by " + e.By
	}
	if e.Reason != "" {
		text += ": " + e.Reason
	}
	if e.Until > 0 {
		text += " (until " + Day(e.Until) + ")"
	}
	return text
}

// Day returns the day of a time in UTC nanoseconds.
func Day(ns int64) string { return time.Unix(0, ns).UTC().Format(time.DateOnly) }

// quietFrom is how long no run may have been saved before that is said: after a long weekend. Chosen, not measured.
const quietFrom = 4 * 24 * time.Hour

// Quiet says for how long no run was saved: "No run for nine days."; "" where that is not long.
func Quiet(j *history.Job) string {
	if j.Quiet < quietFrom {
		return ""
	}
	return "No run for " + number.Word(int(j.Quiet/(24*time.Hour))) + " days."
}

// SparkSentence says below a picture of the newest runs what they show: "Main: step time 183.2 ms since 9e1f2c (41
// runs, 6 hosts); runs differ by 1.1 %. The last change was +5.0 % between …."
func SparkSentence(j *history.Job) string {
	m := j.MetricNamed("")
	if m == nil {
		return ""
	}
	text := "Main: " + LevelNow(j, m) + "."
	if n := len(m.Changes); n > 0 {
		text += " The last change was " + LevelChange(j, m, &m.Changes[n-1]) + "."
	}
	return strings.TrimSuffix(text+" "+Quiet(j), " ")
}
