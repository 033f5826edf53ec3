package history

import (
	"cmp"
	"math"
	"slices"
	"time"

	"perfdiff/analyze/run"
	"perfdiff/diff/series"
	"perfdiff/diff/stat"
)

// The kinds of events.
const (
	Accept  = "accept"
	Exclude = "exclude"
	Note    = "note"
)

// change says where a change came, and what moved with it.
func (l *Line) change(m *Metric, f *followed, c series.Change) Change {
	out := Change{
		At: f.run(c.At), First: f.run(c.First), Last: f.run(c.Last), Seen: f.run(c.Seen),
		Size: f.size(f.changed(c)), Gradual: c.Gradual, Worse: c.Size > 0, Told: c.Size >= f.rule.Least && !c.Gradual,
	}
	if c.Gradual {
		return out
	}
	commits := map[string]bool{}
	for i := out.First; i <= out.Last; i++ {
		if r := &l.Runs[i]; r.From.Commit != "" {
			commits[r.From.Commit] = true
		}
	}
	out.Commits = len(commits)
	out.Accepted = l.accepted(m, &out)
	before, after := f.Ends(c)
	out.Moved = l.moved(out.At, len(before), len(after))
	return out
}

// changed returns the difference of the levels on both sides of a change, as they are now.
func (f *followed) changed(c series.Change) float64 {
	levels := f.Levels()
	at := f.levelOf(c.At)
	return levels[at].Value - levels[at-1].Value
}

// accepted returns the event by which people let a change stay: about a commit of its range, of this metric or of all,
// and as large as it is at least.
func (l *Line) accepted(m *Metric, c *Change) *Event {
	for i := range l.Events {
		e := &l.Events[i]
		if !l.accepts(e, m) {
			continue
		}
		at := slices.IndexFunc(l.Runs[c.First:c.Last+1], func(r Run) bool { return r.From.Is(e.Commit) })
		if at >= 0 && (e.UpTo == 0 || m.share(c) <= e.UpTo) {
			return e
		}
	}
	return nil
}

// share returns the size of a change as a share of the level before it.
func (m *Metric) share(c *Change) float64 {
	if m.Relative {
		return math.Abs(c.Size)
	}
	for i := range m.Levels[1:] {
		if m.Levels[i+1].From == c.At && m.Levels[i].Value != 0 {
			return math.Abs(c.Size / m.Levels[i].Value)
		}
	}
	return math.Inf(1)
}

// moved lists the parts of the step whose mean changed by a quarter of what the step did or more, over so many runs
// before and after. Chosen, not measured: more than four are none.
func (l *Line) moved(at, before, after int) (out []Moved) {
	mean := func(values []float64) float64 {
		return stat.Mean(slices.DeleteFunc(slices.Clone(values), math.IsNaN))
	}
	var step float64
	for i := range l.Metrics {
		m := &l.Metrics[i]
		a, b := mean(m.Values[max(0, at-before):at]), mean(m.Values[at:min(len(m.Values), at+after)])
		switch {
		case math.IsNaN(a) || math.IsNaN(b):
		case i == 0:
			step = b - a
		case m.Metric.PartOfStep && math.Abs(b-a) >= math.Abs(step)/4 && (b-a)*step > 0:
			out = append(out, Moved{m.Metric.Name, a, b})
		}
	}
	slices.SortStableFunc(out, func(a, b Moved) int {
		return cmp.Compare(math.Abs(b.After-b.Before), math.Abs(a.After-a.Before))
	})
	return out
}

// creep says what the metric drifted by in no single step, without what people accepted.
func (l *Line) creep(m *Metric, f *followed) *Creep {
	c := f.Crept(l.drifts(m, f))
	if c == nil {
		return nil
	}
	reached := c.Size + f.newest(reachedRuns) - f.newest(creepRuns)
	return &Creep{Ago: c.Ago, From: f.run(c.From), Size: f.size(c.Size), Told: f.size(c.Told), Reached: f.size(reached)}
}

// creepRuns is how many of the newest runs the size of creep is of. From diff/series, Crept. reachedRuns are those that
// say what it has reached since. Chosen, not measured: one may be odd.
const (
	creepRuns   = 20
	reachedRuns = 5
)

// newest returns the mean of the newest runs, at most so many, without those that are odd.
func (f *followed) newest(most int) float64 {
	var values []float64
	odd, points := f.Odd(), f.Points()
	for i := len(points) - 1; i >= 0 && len(values) < most; i-- {
		if !points[i].Odd && !slices.Contains(odd, i) {
			values = append(values, points[i].Value)
		}
	}
	return stat.Mean(values)
}

// drifts returns the drift that people accepted: what there was of it at the run whose commit an event names, and that
// is no change of level.
func (l *Line) drifts(m *Metric, f *followed) (out []series.Drift) {
	for i := range l.Events {
		e := &l.Events[i]
		if !l.accepts(e, m) {
			continue
		}
		points := f.Points()
		for i := len(points) - 1; i >= 0; i-- {
			if !l.Runs[f.run(i)].From.Is(e.Commit) {
				continue
			}
			then := series.Follow(points[:i+1], f.rule)
			if c := then.Crept(out); c != nil && (e.UpTo == 0 || c.Size <= e.UpTo) {
				out = append(out, c.Accept)
			}
			break
		}
	}
	return out
}

// accepts reports whether an event lets changes of a metric stay.
func (l *Line) accepts(e *Event, m *Metric) bool {
	return e.Kind == Accept && l.holds(e) && (e.Metric == "" || e.Metric == m.Metric.Name || stepAndMean(e.Metric, m.Metric.Name))
}

// holds reports whether an event has not expired.
func (l *Line) holds(e *Event) bool {
	expired, _ := e.Expired(l.now)
	return !expired
}

// stepAndMean reports whether both are the step time, of which the median and the mean are two measures.
func stepAndMean(a, b string) bool {
	both := []string{run.StepTime, run.StepTimeMean}
	return slices.Contains(both, a) && slices.Contains(both, b)
}

// Expired reports whether an event does not count any more, and ends within two weeks if it still does.
func (e *Event) Expired(now time.Time) (expired, soon bool) {
	if e.Until == 0 {
		return false, false
	}
	left := time.Unix(0, e.Until).Sub(now)
	return left <= 0, left > 0 && left <= warnBefore
}

// warnBefore is how long before an event expires that is said. By definition: two weeks are a sprint.
const warnBefore = 14 * 24 * time.Hour
