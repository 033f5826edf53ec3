package words

import (
	"fmt"
	"strings"

	"perfdiff/analyze/run"
	"perfdiff/diff/history"
	"perfdiff/diff/verdict"
	"perfdiff/render/number"
)

// MainHeadline says in one sentence what main did: "Main is 3.5 % slower since 2026-11-09: 29.1 to 30.1 ms a step."
func MainHeadline(j *history.Job, m *history.Metric) string {
	now := m.Now()
	if now == nil {
		return number.Capital(LevelNow(j, m)) + "."
	}
	value := LevelValue(m, now.Value)
	if m.Metric.Name == run.StepTime {
		value += " a step"
	}
	if n := len(m.Changes); n > 0 && len(m.Levels) > 1 {
		before, last := &m.Levels[len(m.Levels)-2], dayOrRun(j, m.Changes[n-1].At)
		since := " since " + last
		if n > 1 {
			before, since = &m.Levels[0], fmt.Sprintf(" than at first, after %s of level, the last on %s", number.Counted(n, "change"), last)
		}
		size := now.Value - before.Value
		if m.Relative {
			size /= before.Value
		}
		_, unit, _ := strings.Cut(LevelValue(m, now.Value), number.Space)
		return mainIs(m) + sizeSaid(m, size) + since + ": " + strings.TrimSuffix(LevelValue(m, before.Value), number.Space+unit) + " to " + value + "."
	}
	if c := m.Creep; c != nil {
		return mainIs(m) + sizeSaid(m, c.Size) + " than " + ago(j, m) + " ago, in no single step: " + value + " now."
	}
	runs, _ := j.CountedOn(m, now)
	return mainIs(m) + "on one level as far as " + number.Counted(runs, "run") + " can tell: " + value + "."
}

// MainsHeadline says of several jobs how many changed for the worse last, so that somebody should look.
func MainsHeadline(all []history.Job, metric string) string {
	var worse []string
	for k := range all {
		m := all[k].MetricNamed(metric)
		if m == nil || len(m.Changes) == 0 {
			continue
		}
		if c := &m.Changes[len(m.Changes)-1]; c.Told && c.Accepted == nil {
			worse = append(worse, all[k].Name)
		}
	}
	text := number.Counted(len(all), "job") + "; "
	if len(worse) == 0 {
		return text + "none has a newest change for the worse that nobody accepted."
	}
	return text + "the last change was for the worse in " + number.Some(worse, verdict.MostNamed) + ", and nobody accepted it."
}

// MainStory tells the only change of main's level, and what people decided about it; "" where there are several, or
// none.
func MainStory(j *history.Job, m *history.Metric) string {
	if len(m.Changes) != 1 {
		return ""
	}
	c := &m.Changes[0]
	text := "It went " + [2]string{"down", "up"}[at(c.Size > 0)] + " once, " + WhereChanged(j, c) + oneDay(j, m, c)
	if moved := MovedParts(c); moved != "" && c.Moved[0].Name != m.Metric.Name {
		text += ": " + moved
	}
	switch a := Accepted(c.Accepted); {
	case a != "":
		text += ". It was " + a
	case c.Worse:
		text += ". Nobody has accepted it"
	}
	return text + "."
}

// MainScatter says what runs of a job differ by, and how many say so; "" where that is not known.
func MainScatter(j *history.Job, m *history.Metric) string {
	d, l := Scatter(m), m.Now()
	if d == "" || l == nil {
		return ""
	}
	runs, hosts := j.CountedOn(m, l)
	text := "Runs of this job differ by " + d + " (standard deviation). The newest level has " + number.Counted(runs, "run")
	if hosts > 0 {
		text += " on " + number.Counted(hosts, "host")
	}
	return text + "."
}

// mainIs begins a sentence about a metric of main.
func mainIs(m *history.Metric) string {
	if m.Metric.Name == run.StepTime {
		return "Main is "
	}
	return number.Capital(MetricText(m.Metric.Name)) + " of main is "
}

// sizeSaid says a size of a metric's changes in words: "3.5 % slower".
func sizeSaid(m *history.Metric, size float64) string {
	more := [2]string{"lower", "higher"}
	if m.Metric.Name == run.StepTime {
		more = [2]string{"faster", "slower"}
	}
	text := strings.TrimPrefix(strings.TrimPrefix(Sized(m, size), "+"), number.Minus)
	return text + " " + more[at(size > 0)]
}

// dayOrRun says when a run was, by its commit where that is not known.
func dayOrRun(j *history.Job, i int) string {
	if t := j.Run(i).Time(); t != 0 {
		return Day(t)
	}
	return RunAt(j, i)
}
