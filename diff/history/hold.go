package history

import (
	"math"
	"slices"
	"strings"

	"perfdiff/analyze/run"
	"perfdiff/diff/series"
	"perfdiff/diff/verdict"
)

// Rulings hold a candidate's runs to where main may stand, by the step time and by its mean; nil where the candidate or
// main has no step time. The second result is what is said of the step time as a whole: the worse of both answers.
func (l *Line) Rulings(cand *run.Set, g series.Gate) (map[run.Key]*verdict.Ruling, series.Decision) {
	if l.past == nil {
		return nil, series.Decision{}
	}
	of := verdict.RunsOf(cand)
	out, worst := map[run.Key]*verdict.Ruling{}, series.Decision{}
	for _, name := range []string{run.StepTime, run.StepTimeMean} {
		f := l.follow[name]
		if f == nil {
			continue
		}
		var x []series.Point
		for i, v := range of.Values(name) {
			if !math.IsNaN(v) {
				x = append(x, series.Point{Value: f.put(v), Host: strings.Join(hostsOf(of.Side.Runs[i].Source), ",")})
			}
		}
		d := f.Answer(x, g)
		if d.Answer == series.NoLevel {
			continue
		}
		out[run.Key{Metric: name}] = l.ruling(f, x, d)
		if rank(d.Answer) > rank(worst.Answer) {
			worst = d
		}
	}
	return out, worst
}

// rank orders answers by how bad they are.
func rank(a series.Answer) int {
	return slices.Index([]series.Answer{series.NoLevel, series.Pass, series.MainAgain, series.Again, series.Fail}, a)
}

// ruling puts a decision into the terms of a comparison.
func (l *Line) ruling(f *followed, x []series.Point, d series.Decision) *verdict.Ruling {
	level := d.Held.Starts[0]
	out := &verdict.Ruling{
		Level: f.back(level.Value), Value: f.back(level.Value + level.Estimate), Runs: level.Runs, SD: d.Held.SD,
		Asks: d.Answer == series.Again, Fails: d.Answer == series.Fail, MainAgain: d.Answer == series.MainAgain,
	}
	out.Estimate, out.SE, out.DF, out.Learned = level.Estimate, level.SE, level.DF, level.DF
	out.NA, out.NB = level.Runs, len(x)
	switch d.Why {
	case series.OneSlow:
		out.Why = verdict.ReasonOneRun
	case series.MainUnsure:
		out.Why = verdict.ReasonMainMoved
	case series.FirstUnsure:
		out.Why = verdict.ReasonNeedsRuns
	default:
		if out.Why = verdict.ReasonMainMoved; len(d.Held.Starts) == 1 {
			out.Why = verdict.ReasonNoise
		}
	}
	for _, s := range d.Held.Starts[1:] {
		out.Starts = append(out.Starts, verdict.MainStart{Runs: s.Runs, Share: s.Weight, Size: f.size(s.Value - level.Value)})
	}
	return out
}

// Now is what main itself is told by its newest run.
type Now struct {
	Repeat  series.Repeat // of the step time, or of its mean where that is off
	Changes []Told        // that were first seen with the newest commit's runs, or are open: slower, and nobody accepted them
	Creep   []Crept       // that nobody accepted
}

// Told is a change of a metric.
type Told struct {
	Metric *Metric
	Change *Change
}

// Crept is the creep of a metric.
type Crept struct {
	Metric *Metric
	Creep  *Creep
}

// Now says what main is told by its newest run: to run its commit again, a change of level that is seen with it, or
// creep.
func (l *Line) Now() (out Now) {
	for _, name := range []string{run.StepTime, run.StepTimeMean} {
		if f := l.follow[name]; f != nil {
			if r := f.Series.Repeat(); r.Again || out.Repeat.Runs == 0 {
				out.Repeat = r
			}
		}
	}
	newest := l.newestCommit()
	for i := range l.Metrics {
		m := &l.Metrics[i]
		if !m.Gating {
			continue
		}
		for j := range m.Changes {
			c := &m.Changes[j]
			if c.Told && c.Seen >= newest && c.Accepted == nil {
				out.Changes = append(out.Changes, Told{m, c})
			}
		}
		if m.Creep != nil {
			out.Creep = append(out.Creep, Crept{m, m.Creep})
		}
	}
	return out
}

// newestCommit returns the first of the newest runs that are all of one commit.
func (l *Line) newestCommit() int {
	n := len(l.Runs) - 1
	for n > 0 && l.Runs[n].From.Commit != "" && l.Runs[n-1].From.Commit == l.Runs[n].From.Commit {
		n--
	}
	return n
}

// Base returns the newest runs of main's level, at most so many, as one set with a label; nil where there are none.
func (l *Line) Base(label string, most int) *run.Set {
	f := l.follow[run.StepTime]
	if f == nil {
		return nil
	}
	levels := f.Levels()
	odd := f.Odd()
	var at []int
	for i := len(f.at) - 1; i >= levels[len(levels)-1].From && len(at) < most; i-- {
		if !slices.Contains(odd, i) && !f.Points()[i].Odd {
			at = append(at, f.at[i])
		}
	}
	slices.Reverse(at)
	out := &run.Set{Label: label, Metrics: l.past.Side.Set.Metrics}
	for i, r := range l.past.Side.Runs {
		if slices.Contains(at, l.index[i]) {
			verdict.AddRun(out, *r.Source, l.past.Files[r.Name])
		}
	}
	return out
}

// PastRuns lists the runs of the history, with those of a baseline as what count.
func (l *Line) PastRuns(base *run.Set) (out []verdict.PastRun) {
	for i := range l.Runs {
		r := verdict.PastRun{Name: l.Runs[i].Name, Why: l.Runs[i].Why, Began: l.Runs[i].Began}
		if !r.Why.Is() && base != nil && !slices.ContainsFunc(base.Runs, func(b run.Run) bool { return b.Name == r.Name }) {
			r.Why = verdict.LeftOut{Kind: verdict.NewerCount, Have: len(base.Runs)}
		}
		out = append(out, r)
	}
	return out
}
