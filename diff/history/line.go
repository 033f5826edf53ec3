package history

import (
	"math"
	"slices"
	"strings"
	"time"

	"perfdiff/analyze/run"
	"perfdiff/analyze/trace"
	"perfdiff/diff/policy"
	"perfdiff/diff/series"
	"perfdiff/diff/sides"
	"perfdiff/diff/verdict"
)

// Line is main's history of a job with what holds a candidate to it.
type Line struct {
	Job
	past   *verdict.Past // the runs that are followed
	index  []int         // of these in Job.Runs
	follow map[string]*followed
	policy policy.Policy
	now    time.Time
	fits   func(*sides.Run) bool
}

// followed is one metric over the runs.
type followed struct {
	*series.Series
	scale
	at []int // of its points, in Job.Runs
}

// Saved is what a store says of the runs of a set.
type Saved struct {
	Number, At int64
	Branch     string
	Gone       bool // its commit is not on main any more
}

// Input is what a history is made of.
type Input struct {
	Past   *verdict.Past // the runs that are like the job, in the order of saving; nil: none
	Runs   []verdict.PastRun
	Sets   []*run.Set
	Saved  func(set *run.Set) Saved
	Events []Event // that count
	Policy policy.Policy
	Only   []string              // metrics that are followed; nil: all
	Fits   func(*sides.Run) bool // it may stand in a baseline; nil: all may
	Now    time.Time             // by which events expire; zero: none does, and nobody asks how long ago the newest run was saved
}

// Of follows all main metrics over the runs of a job.
func Of(in Input) *Line {
	if in.Past != nil {
		in.Policy = in.Policy.WithResults(in.Past.Side.Set.Metrics, in.Past.Side.Set.OfResults())
	}
	l := &Line{past: in.Past, follow: map[string]*followed{}, policy: in.Policy, now: in.Now, fits: in.Fits}
	l.Events = in.Events
	l.takeRuns(&in)
	if in.Past == nil {
		return l
	}
	step := firstOf(in.Past.Values(run.StepTime))
	for _, m := range l.metrics() {
		if in.Only == nil || slices.Contains(in.Only, m.Name) {
			l.add(m, step)
		}
	}
	l.settle()
	return l
}

// takeRuns lists all runs in the order of saving, and finds those that are followed among them.
func (l *Line) takeRuns(in *Input) {
	at := map[string]int{}
	for _, r := range in.Runs {
		at[r.Name] = len(l.Runs)
		l.Runs = append(l.Runs, Run{Name: r.Name, Began: r.Began, Why: r.Why})
	}
	for _, set := range in.Sets {
		saved := Saved{}
		if in.Saved != nil {
			saved = in.Saved(set)
		}
		for i := range set.Runs {
			if j, ok := at[verdict.NameOf(set, &set.Runs[i])]; ok {
				l.Runs[j].describe(set, &set.Runs[i], saved)
			}
		}
	}
	if !in.Now.IsZero() && len(l.Runs) > 0 {
		if last := l.Runs[len(l.Runs)-1].Saved; last > 0 {
			l.Quiet = max(0, in.Now.Sub(time.Unix(0, last)))
		}
	}
	for _, r := range in.Past.Runs() {
		l.index = append(l.index, at[r.Name])
	}
}

// describe says where a run comes from.
func (r *Run) describe(set *run.Set, of *run.Run, saved Saved) {
	r.Number, r.Saved, r.Branch, r.Gone, r.From = saved.Number, saved.At, saved.Branch, saved.Gone, of.Origin
	s := sides.NewSide(set.Label, &run.Set{Label: set.Label, Metrics: set.Metrics, Files: set.Files, Runs: []run.Run{*of}})
	r.Hosts = hostsOf(of)
	fact := func(key string) string {
		return strings.Join(s.DistinctValues(func(k *sides.Rank) string { return k.Fact(key) }), ", ")
	}
	r.GPU, r.Driver = fact(trace.FactGPU), fact(trace.FactDriver)
}

// metrics lists what is followed: the step time and its mean, then what gates, then the other main metrics.
func (l *Line) metrics() (out []run.Metric) {
	have := map[string]run.Metric{
		run.StepTimeMean: policy.MeanMetric, run.Drift: policy.DriftMetric, run.Tail: policy.TailMetric, run.Imbalance: policy.ImbalanceMetric,
	}
	var names []string
	for _, m := range l.past.Side.Set.Metrics {
		m = l.policy.Of(m)
		if have[m.Name] = m; m.Main && m.Better != run.Neither {
			names = append(names, m.Name)
		}
	}
	for _, name := range slices.Concat([]string{run.StepTime, run.StepTimeMean}, l.policy.Gates(), names) {
		if m, ok := have[name]; ok {
			out = append(out, m)
			delete(have, name)
		}
	}
	return out
}

// add follows one metric; those without a value in any run are left out.
func (l *Line) add(m run.Metric, step float64) {
	values := l.past.Values(m.Name)
	out := Metric{Metric: m, Gating: m.Name == run.StepTimeMean || slices.Contains(l.policy.Gates(), m.Name), Values: make([]float64, len(l.Runs))}
	for i := range out.Values {
		out.Values[i] = math.NaN()
	}
	f := &followed{scale: scaleOf(&m, values, step, l.policy)}
	var points []series.Point
	within := withinOf(l.past, m.Name)
	for i, v := range values {
		at := l.index[i]
		if out.Values[at] = v; math.IsNaN(v) {
			continue
		}
		f.at = append(f.at, at)
		points = append(points, l.point(at, f.put(v), within[i]))
	}
	if len(points) == 0 {
		return
	}
	f.Series = series.Follow(points, f.rule)
	l.follow[m.Name] = f
	out.Relative = f.scale.logs
	l.Metrics = append(l.Metrics, out)
}

// point is a run as a series takes it.
func (l *Line) point(at int, v, within float64) series.Point {
	r := &l.Runs[at]
	odd := slices.ContainsFunc(l.Events, func(e Event) bool { return e.Kind == Exclude && l.holds(&e) && r.From.Is(e.Commit) })
	return series.Point{Value: v, Host: strings.Join(r.Hosts, ","), Commit: r.From.Commit, Odd: odd, Within: within}
}

// settle fills in what the series say, in the order of the runs.
func (l *Line) settle() {
	for i := range l.Metrics {
		m := &l.Metrics[i]
		f := l.follow[m.Metric.Name]
		noise := f.Noise()
		m.SD, m.Lag1 = f.spread(noise.SD), noise.Together
		for _, lv := range f.Levels() {
			lo, hi := f.back(lv.Value-2*noise.SD), f.back(lv.Value+2*noise.SD)
			m.Levels = append(m.Levels, Level{From: f.run(lv.From), To: f.run(lv.To-1) + 1, Value: f.back(lv.Value), Lo: min(lo, hi), Hi: max(lo, hi)})
		}
		for _, c := range f.Changes() {
			m.Changes = append(m.Changes, l.change(m, f, c))
		}
		m.Creep = l.creep(m, f)
	}
	if f := l.follow[run.StepTime]; f != nil {
		for _, i := range f.Odd() {
			if r := &l.Runs[f.at[i]]; !r.Why.Is() {
				r.Why = verdict.LeftOut{Kind: verdict.ApartFromAll, Size: f.offLevel(i)}
			}
		}
	}
}

// run returns the index in Job.Runs of a point.
func (f *followed) run(point int) int { return f.at[point] }

// spread returns a deviation on the scale as a share of the level, or in the metric's unit.
func (f *followed) spread(sd float64) float64 {
	if f.logs {
		return sd
	}
	return sd * f.unit
}

// offLevel returns by how much a point lies off the level that it stands in.
func (f *followed) offLevel(i int) float64 {
	for _, lv := range f.Levels() {
		if i >= lv.From && i < lv.To {
			return f.size(f.Points()[i].Value - lv.Value)
		}
	}
	return math.NaN()
}

// hostsOf returns the hosts of a run, each once, in order; nil unknown.
func hostsOf(r *run.Run) (out []string) {
	for i := range r.Ranks {
		if h := r.Ranks[i].Host; h != "" && !slices.Contains(out, h) {
			out = append(out, h)
		}
	}
	slices.Sort(out)
	return out
}
