package history

import (
	"math"
	"slices"
	"strings"

	"perfdiff/analyze/run"
	"perfdiff/diff/series"
	"perfdiff/diff/verdict"
)

// Rulings hold a candidate's runs to where main may stand, by the step time and by its mean, and by each number that runs
// print and that gates: of the error of g each has its share. Nil where the candidate or main has none.
func (l *Line) Rulings(cand *run.Set, g series.Gate) map[run.Key]*verdict.Ruling {
	if l.past == nil {
		return nil
	}
	of := l.past.RunsOf(cand)
	out := map[run.Key]*verdict.Ruling{}
	all := g
	for _, name := range slices.Concat([]string{run.StepTime, run.StepTimeMean}, l.policy.Results) {
		f := l.follow[name]
		if f == nil {
			continue
		}
		g = all.Of(l.shareOf(name))
		var x []series.Point
		within := withinOf(of, name)
		for i, v := range of.Values(name) {
			if !math.IsNaN(v) {
				host := strings.Join(hostsOf(of.Side.Runs[i].Source), ",")
				x = append(x, series.Point{Value: f.put(v), Host: host, Within: within[i]})
			}
		}
		if name == run.StepTimeMean { // the median has the rest of the error that both share
			g.Alpha *= verdict.MeanShare
		}
		d := f.Answer(x, g)
		if d.Answer != series.NoLevel {
			out[run.Key{Metric: name}] = l.ruling(f, x, d)
		}
	}
	return out
}

// shareOf returns the share of the error that a metric has: the mean of the step has that of its median.
func (l *Line) shareOf(name string) float64 {
	gates := l.policy.Gates()
	if l.follow[run.StepTime] == nil {
		gates = l.policy.Results
	}
	if name == run.StepTimeMean {
		name = run.StepTime
	}
	return verdict.ShareOf(gates, name)
}

// withinOf says how well the steps of each run tell a metric: of the mean step, which a few slow ones move; 0 of
// others.
func withinOf(h *verdict.Past, metric string) []float64 {
	if metric == run.StepTimeMean {
		return h.MeanErrors()
	}
	return make([]float64, len(h.Runs()))
}

// ruling puts a decision into the terms of a comparison.
func (l *Line) ruling(f *followed, x []series.Point, d series.Decision) *verdict.Ruling {
	level := d.Held.Starts[0]
	out := &verdict.Ruling{
		Level: f.back(level.Value), Value: f.back(level.Value + level.Estimate), Runs: level.Runs, SD: d.Held.SD,
		Asks: d.Answer == series.Again, Fails: d.Answer == series.Fail, MainAgain: d.Answer == series.MainAgain,
	}
	out.Estimate, out.SE, out.DF, out.Learned = float64(f.worse*level.Estimate), level.SE, level.DF, level.DF
	out.NA, out.NB = level.Runs, len(x)
	switch d.Why {
	case series.OneSlow:
		out.Why = verdict.ReasonOneRun
	case series.MainUnsure:
		out.Why = verdict.ReasonMainMoved
	case series.FirstUnsure:
		out.Why = verdict.ReasonNeedsRuns
	default:
		if out.Why = verdict.ReasonNeedsRuns; d.Alone == series.Slower && d.Why != series.Slower {
			out.Why = verdict.ReasonMainMoved
		}
	}
	for _, s := range d.Held.Starts[1:] {
		out.Starts = append(out.Starts, verdict.MainStart{Runs: s.Runs, Share: s.Weight, Size: f.size(s.Value - level.Value)})
	}
	return out
}

// Now is what main itself is told by its newest run.
type Now struct {
	Repeat   series.Repeat // of the step time, or of its mean where that is off
	Changes  []Told        // for the worse, that were first seen with the newest commit's runs, and nobody accepted
	Accepted []Told        // the same that somebody accepted
	Creep    []Crept       // that nobody accepted
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
		for j := l.toldBefore(m, newest); j < len(m.Changes); j++ {
			switch c := &m.Changes[j]; {
			case !c.Told || l.ofStep(m, c):
			case c.Accepted == nil:
				out.Changes = append(out.Changes, Told{m, c})
			default:
				out.Accepted = append(out.Accepted, Told{m, c})
			}
		}
		if m.Creep != nil {
			out.Creep = append(out.Creep, Crept{m, m.Creep})
		}
	}
	return out
}

// ofStep reports whether a change of the mean step is one of the median as well, which says it: both are measures of one
// step, and the level of the one may have begun with another run than that of the other.
func (l *Line) ofStep(m *Metric, c *Change) bool {
	step := l.MetricNamed(run.StepTime)
	return m.Metric.Name == run.StepTimeMean && step != nil && slices.ContainsFunc(step.Changes, func(of Change) bool {
		return of.First <= c.Last && c.First <= of.Last
	})
}

// toldBefore returns how many changes of a metric were told before a run.
func (l *Line) toldBefore(m *Metric, at int) int {
	f := l.follow[m.Metric.Name]
	n, _ := slices.BinarySearch(f.at, at)
	return f.SeenBy(n)
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
func (l *Line) Base(label string, most int) *run.Set { return l.newestBefore(label, most, len(l.Runs)) }

// Before returns those of the level that a change of the step time ended.
func (l *Line) Before(c *Change, label string, most int) *run.Set {
	return l.newestBefore(label, most, c.At)
}

func (l *Line) newestBefore(label string, most, end int) *run.Set {
	f := l.follow[run.StepTime]
	if f == nil {
		return nil
	}
	odd := f.Odd()
	var at []int
	for i := len(f.at) - 1; i >= 0 && len(at) < most; i-- {
		if f.at[i] >= end || slices.Contains(odd, i) || f.Points()[i].Odd {
			continue
		}
		if len(at) > 0 && f.levelOf(i) != f.levelOf(indexOf(f.at, at[0])) {
			break
		}
		at = append(at, f.at[i])
	}
	out := &run.Set{Label: label, Metrics: l.past.Side.Set.Metrics}
	for i, r := range l.past.Side.Runs {
		if slices.Contains(at, l.index[i]) && (l.fits == nil || l.fits(r)) {
			verdict.AddRun(out, *r.Source, l.past.Files[r.Name])
		}
	}
	if len(out.Runs) == 0 {
		return nil
	}
	return out
}

// levelOf returns the index of the level on which a point stands.
func (f *followed) levelOf(point int) int {
	return slices.IndexFunc(f.Levels(), func(l series.Level) bool { return point >= l.From && point < l.To })
}

func indexOf(sorted []int, v int) int {
	i, _ := slices.BinarySearch(sorted, v)
	return i
}

// Told returns what a change of main's level says in the place of one run: both levels, and how sure the change is.
func (l *Line) Told(m *Metric, c *Change) *verdict.Ruling {
	f := l.follow[m.Metric.Name]
	for _, of := range f.Changes() {
		if f.run(of.At) != c.At {
			continue
		}
		levels := f.Levels()
		after := levels[f.levelOf(of.At)]
		before := levels[f.levelOf(of.At)-1]
		size := after.Value - before.Value
		out := &verdict.Ruling{Level: f.back(before.Value), Value: f.back(after.Value), Runs: before.Runs, SD: f.Noise().SD, Fails: true}
		out.Estimate, out.SE, out.DF = float64(f.worse*size), math.Abs(size/of.Z), f.Noise().DF
		out.Learned, out.NA, out.NB = out.DF, before.Runs, after.Runs
		return out
	}
	return nil
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
