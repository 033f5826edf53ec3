package history

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"

	"perfdiff/analyze/run"
	"perfdiff/diff/series"
	"perfdiff/diff/verdict"
)

// Plan says what a gate with an error finds by a metric, with so many runs of main a week, 0 unknown; nil where main has
// no level.
func (l *Line) Plan(metric string, alpha, perWeek float64) *series.Plan {
	f := l.follow[metric]
	if f == nil || len(f.Levels()) == 0 {
		return nil
	}
	p := series.PlanOf(f.Noise(), f.rule, alpha, perWeek)
	return &p
}

// Bisection looks for the commit with which a metric became worse.
type Bisection struct {
	*series.Bisection
	metric string
	f      *followed
	past   *verdict.Past
}

// Bisect begins to look among n commits: the first behind the run good of main, and the last that of the run bad.
func (l *Line) Bisect(metric string, good, bad, n int) (*Bisection, error) {
	f := l.follow[metric]
	if f == nil {
		return nil, fmt.Errorf("--metric %s: main has no level of it", metric)
	}
	before, after := f.beside(good, bad)
	if len(before) == 0 || len(after) == 0 {
		return nil, errors.New("no run that counts is at both ends: name a range whose ends have runs of main")
	}
	return &Bisection{series.Bisect(n, before, after, f.Noise(), f.rule), metric, f, l.past}, nil
}

// beside returns the runs that count at both ends of a range, without what their hosts differ by: those of the level
// before, and those from its last run on.
func (f *followed) beside(good, bad int) (before, after []float64) {
	points, without, odd := f.Points(), f.Without(), f.Odd()
	level, last := -1, -1
	for i := range points {
		if at := f.at[i]; !points[i].Odd && !slices.Contains(odd, i) {
			y := points[i].Value - without[i]
			switch k := f.levelOf(i); {
			case at <= good && k != level:
				level, before = k, []float64{y}
			case at <= good:
				before = append(before, y)
			case at >= bad && (last < 0 || k == last) && len(after) < series.AfterRuns:
				last, after = k, append(after, y)
			}
		}
	}
	return before[max(0, len(before)-series.BeforeRuns):], after
}

// Take observes the runs of a set that is of a commit, from 1 on, and says how many there are.
func (b *Bisection) Take(commit int, set *run.Set) (n int) {
	of := b.past.RunsOf(set)
	for i, v := range of.Values(b.metric) {
		if math.IsNaN(v) {
			continue
		}
		y := b.f.Cleaned(series.Point{Value: b.f.put(v), Host: strings.Join(hostsOf(of.Side.Runs[i].Source), ",")})
		b.Observe(commit, y)
		n++
	}
	return n
}

// OfMain takes the run of main with an index of Job.Runs.
func (b *Bisection) OfMain(commit, at int) {
	i, ok := slices.BinarySearch(b.f.at, at)
	if ok && !b.f.Points()[i].Odd && !slices.Contains(b.f.Odd(), i) {
		b.Know(commit, b.f.Points()[i].Value-b.f.Without()[i])
	}
}

// Size returns by how much the runs from a commit on differ from those before it.
func (b *Bisection) Size(commit int) float64 { return b.f.size(b.Difference(commit)) }

// How a bisection ended, see series.Step.
const (
	NotYet  = series.NotYet
	NoneDid = series.NoneDid
)
