package history

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"time"

	"perfdiff/analyze/run"
)

// Now returns the level on which the newest run stands; nil where none is told of.
func (m *Metric) Now() *Level {
	if len(m.Levels) == 0 {
		return nil
	}
	return &m.Levels[len(m.Levels)-1]
}

// Reference returns the level that a picture's scale of percentages begins at, the first; NaN where there is none.
func (m *Metric) Reference() float64 {
	if len(m.Levels) == 0 {
		return math.NaN()
	}
	return m.Levels[0].Value
}

// ChangeAt returns the change to the level that begins with a run; nil where none does.
func (m *Metric) ChangeAt(at int) *Change {
	for i := range m.Changes {
		if m.Changes[i].At == at {
			return &m.Changes[i]
		}
	}
	return nil
}

// LevelAt returns the level of a run; nil where it has none.
func (m *Metric) LevelAt(at int) *Level {
	for i := range m.Levels {
		if l := &m.Levels[i]; l.From <= at && at < l.To {
			return l
		}
	}
	return nil
}

// Counts reports whether a run counts for a metric.
func (j *Job) Counts(m *Metric, i int) bool {
	return !j.Runs[i].Why.Is() && i < len(m.Values) && !math.IsNaN(m.Values[i])
}

// CountedOn returns how many runs of a level count, and on how many hosts they ran; 0 hosts: not known.
func (j *Job) CountedOn(m *Metric, l *Level) (runs, hosts int) {
	seen := map[string]bool{}
	for i := l.From; i < min(l.To, len(j.Runs)); i++ {
		if j.Counts(m, i) {
			runs++
			for _, h := range j.Runs[i].Hosts {
				seen[h] = true
			}
		}
	}
	return runs, len(seen)
}

// farOff is how many deviations a run lies off its level that is odd unless a repeat of its commit lies there too. From
// diff/series, Repeat.
const farOff = 4

// NotRepeated reports whether a run is so far off its level, counts for a metric, and is the only one of its commit.
func (j *Job) NotRepeated(m *Metric, i int) bool {
	l, r := m.LevelAt(i), &j.Runs[i]
	if l == nil || r.From.Commit == "" || !j.Counts(m, i) || !(m.SD > 0) {
		return false
	}
	off := math.Abs(m.Values[i] - l.Value)
	if m.Relative {
		off /= l.Value
	}
	if off < farOff*m.SD || slices.ContainsFunc(j.Events, func(e Event) bool { return e.Kind == Exclude && r.From.Is(e.Commit) }) {
		return false
	}
	of := 0
	for k := range j.Runs {
		if j.Runs[k].From.Commit == r.From.Commit {
			of++
		}
	}
	return of == 1
}

// MetricNamed returns a metric of the job; nil where it has none of the name. The name "" is the first one.
func (j *Job) MetricNamed(name string) *Metric {
	for i := range j.Metrics {
		if name == "" || j.Metrics[i].Metric.Name == name {
			return &j.Metrics[i]
		}
	}
	return nil
}

// Run returns a run by its index; the zero run where there is none.
func (j *Job) Run(i int) *Run {
	if i < 0 || i >= len(j.Runs) {
		return &Run{}
	}
	return &j.Runs[i]
}

// Still reports whether the newest level is worse than that before a change, by half of it or more: a change that was
// mended is open no more.
func (m *Metric) Still(c *Change) bool {
	for i := 0; i+1 < len(m.Levels); i++ {
		if m.Levels[i+1].From == c.At {
			before, after, now := m.Levels[i].Value, m.Levels[i+1].Value, m.Now().Value
			return (now-before)*(after-before) >= (after-before)*(after-before)/2
		}
	}
	return true
}

// Edges names the runs on both sides of every change: the last ones before it and the first ones after it.
func (j *Job) Edges() (names []string) {
	for i := range j.Metrics {
		for _, c := range j.Metrics[i].Changes {
			for at := max(0, c.First-1); at <= min(c.Last, len(j.Runs)-1); at++ {
				name, _, _ := strings.Cut(j.Runs[at].Name, "/") // a set of several runs is one file
				names = append(names, name)
			}
		}
	}
	return names
}

// Between returns the last run before a change and the first that surely has it; -1 where there is none.
func (c *Change) Between() (before, after int) { return c.First - 1, max(c.First, c.Last) }

// Drifted returns what a metric differs by from so many runs ago, with what was told of. Shares of levels multiply.
func (m *Metric) Drifted() float64 {
	if m.Creep == nil {
		return 0
	}
	if m.Relative {
		return float64((1+m.Creep.Told)*(1+m.Creep.Size)) - 1
	}
	return m.Creep.Told + m.Creep.Size
}

// AllAccepted reports whether every change of the worse since a run was accepted, and there was one.
func (m *Metric) AllAccepted(since int) bool {
	some := false
	for i := range m.Changes {
		if c := &m.Changes[i]; c.At > since && c.Worse {
			if some = c.Accepted != nil; !some {
				return false
			}
		}
	}
	return some
}

// Age returns how long before the newest run another was saved, by times of saving or else of capture; 0 where that is
// not known.
func (j *Job) Age(i int) time.Duration {
	last := j.Run(len(j.Runs) - 1)
	if a, b := j.Run(i).Saved, last.Saved; a > 0 && b > a {
		return time.Duration(b - a)
	}
	if a, b := j.Run(i).Began, last.Began; a > 0 && b > a {
		return time.Duration(b - a)
	}
	return 0
}

// Time returns when a run was saved, else when its capture began, in UTC nanoseconds; 0 where neither is known.
func (r *Run) Time() int64 {
	if r.Saved > 0 {
		return r.Saved
	}
	return r.Began
}

// Anonymize puts numbers in place of the names of jobs, runs and hosts, one for each name over all jobs, and takes out
// what else people wrote or may be told by: branches, labels, links, names and reasons of who decided. Commits stay.
func Anonymize(jobs []Job) {
	hosts := map[string]string{}
	for k := range jobs {
		j := &jobs[k]
		if j.Name != "" {
			j.Name = fmt.Sprintf("job-%d", k+1)
		}
		names := map[string]string{}
		for i := range j.Runs {
			r := &j.Runs[i]
			names[r.Name] = fmt.Sprintf("run-%d", i+1)
			r.Hosts = slices.Clone(r.Hosts)
			for n, h := range r.Hosts {
				if hosts[h] == "" {
					hosts[h] = fmt.Sprintf("host-%d", len(hosts)+1)
				}
				r.Hosts[n] = hosts[h]
			}
			r.Name, r.Branch, r.From = names[r.Name], "", run.Origin{Commit: r.From.Commit}
		}
		for i := range j.Runs { // reasons name runs, hosts and files
			w := &j.Runs[i].Why
			w.Other, w.Said, w.Hint = names[w.Other], unsaid(w.Said), ""
			w.Then, w.Now = numbered(w.Then, hosts), numbered(w.Now, hosts)
		}
		for i := range j.Events {
			j.Events[i].anonymize()
		}
		for i := range j.Metrics {
			for c := range j.Metrics[i].Changes {
				if e := j.Metrics[i].Changes[c].Accepted; e != nil {
					own := *e
					own.anonymize()
					j.Metrics[i].Changes[c].Accepted = &own
				}
			}
		}
	}
}

func (e *Event) anonymize() { e.By, e.Reason = "", "" }

// unsaid stands in for what a reader of files said, which may name them.
func unsaid(said string) string {
	if said == "" {
		return ""
	}
	return "its file could not be read"
}

func numbered(list []string, names map[string]string) []string {
	out := slices.Clone(list)
	for i, s := range out {
		if names[s] != "" {
			out[i] = names[s]
		}
	}
	return out
}
