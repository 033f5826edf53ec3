package diff

import (
	"cmp"
	"slices"

	"perfdiff/analyze/run"
	"perfdiff/diff/history"
	"perfdiff/diff/policy"
	"perfdiff/diff/series"
	"perfdiff/diff/sides"
	"perfdiff/diff/verdict"
)

// StoreFindings says what a candidate was compared with: the level on which main stands.
type StoreFindings struct {
	Runs    int               `report:"runs"`     // of the store that are like the candidate
	NoMatch []verdict.PastRun `report:"no_match"` // the runs with why none is; nil: some are
	All     []history.Run     `report:"all"`      // of the store
	Level   *history.Level    `report:"level"`    // of the step time; nil: there is none
	Noise   float64           `report:"noise"`    // what runs of one level differ by in the step time, a deviation as a share
	Recent  []StorePoint      `report:"recent"`   // the step time of the newest runs
	Open    []MainChange      `report:"open"`     // what main became slower by and nobody accepted: changes of its level, and creep
	Main    *MainFindings     `report:"main"`     // what main itself is told; nil: the candidate is a pull request's

	Job *history.Job `report:"-"` // all of it
}

// StorePoint is a run of a store.
type StorePoint struct {
	Name  string     `report:"name"`
	Value float64    `report:"step"` // s
	From  run.Origin `report:"origin"`
}

// MainChange is what main became slower by.
type MainChange struct {
	Job    *history.Job    `report:"-"`
	Metric *history.Metric `report:"metric,said"`
	Change *history.Change `report:"change"` // of its level; nil of creep
	Creep  *history.Creep  `report:"creep"`
	After  run.Origin      `report:"after"` // the last run that was as before
	From   run.Origin      `report:"from"`  // the first that may not be
	Until  run.Origin      `report:"until"` // the last of which it may have come with
}

// MainFindings is what main itself is told by its newest run.
type MainFindings struct {
	Again    bool         `report:"run_again"` // the newest commit is to be run again: its run is off
	Off      float64      `report:"off"`       // by so many deviations
	Runs     int          `report:"runs"`      // of the newest commit
	Slower   bool         `report:"slower"`    // it is off for the worse
	Newest   run.Origin   `report:"newest"`
	Changes  []MainChange `report:"changes"`  // that are told of now
	Accepted *MainChange  `report:"accepted"` // one that would be and that somebody accepted; nil: none
}

// recentRuns is how many runs a report shows of a store.
const recentRuns = 20

// CompareStore compares a candidate with the level on which main stands. The error of the step time is half of the
// policy's: a gate asks every day.
func CompareStore(cand *run.Set, store *Store, policy policy.Policy, opt Options) *Report {
	level := policy
	level.Alpha, level.Shared = policy.Alpha/2, policy.Alpha
	if len(cand.Runs) >= verdict.EnoughRuns {
		level.Escalate = false // main's runs are there: more of the candidate's is all that can be asked for
	}
	rulings := store.Line.Rulings(cand, series.Gate{Alpha: level.Alpha / 2, Escalate: level.Escalate})
	found := store.findings()
	base := store.Base
	if store.with != nil {
		var told *history.Change
		if found.Main, told = store.tellMain(rulings); told != nil {
			base = cmp.Or(store.with.Before(told, base.Label, verdict.MaxLevelRuns), base)
		}
	}
	opt.History, opt.far, opt.store = store.entries[max(0, len(store.entries)-learnedRuns):], store.far(), found
	opt.Level = verdict.OnMain(base, store.Line.PastRuns(base), rulings)
	r := Compare(base, cand, level, opt)
	r.Policy.Escalate, r.Base.Digest = policy.Escalate, "" // it is many summaries, of which each has its own
	return r
}

// tellMain returns what main is told by its newest run, with the change of the step time among it, and puts that in the
// place of what one run says: main fails by a change of its level and not by one run.
func (out *Store) tellMain(rulings map[run.Key]*verdict.Ruling) (*MainFindings, *history.Change) {
	now := out.with.Now()
	m := &MainFindings{Again: now.Repeat.Again, Off: now.Repeat.Off, Runs: now.Repeat.Runs, Newest: out.with.Job.Runs[len(out.with.Job.Runs)-1].From}
	if r := rulings[sides.StepTime]; r != nil {
		m.Slower = r.Estimate > 0
	}
	for _, r := range rulings {
		r.Asks, r.Fails, r.MainAgain, r.Why = m.Again, false, false, verdict.ReasonNeedsRuns
	}
	var told *history.Change
	for _, c := range now.Changes {
		if c.Metric.Metric.OfResult && rulings[run.Key{Metric: c.Metric.Metric.Name}] != nil {
			rulings[run.Key{Metric: c.Metric.Metric.Name}] = out.with.Told(c.Metric, c.Change)
		}
		key, step := run.Key{Metric: c.Metric.Metric.Name}, c.Metric.Metric.Name == run.StepTime
		if step || key.Metric == run.StepTimeMean {
			if rulings[key] != nil {
				rulings[key] = out.with.Told(c.Metric, c.Change)
			}
			if told != nil {
				continue // the median and the mean are two measures of one change
			}
			told = c.Change
		}
		m.Changes = append(m.Changes, mainChange(&out.with.Job, c.Metric, c.Change))
	}
	if len(now.Accepted) > 0 {
		let := mainChange(&out.with.Job, now.Accepted[0].Metric, now.Accepted[0].Change)
		m.Accepted = &let
	}
	for _, c := range now.Creep {
		if c.Metric.Metric.Name != run.StepTimeMean || now.Creep[0].Metric == c.Metric {
			m.Changes = append(m.Changes, MainChange{Job: &out.with.Job, Metric: c.Metric, Creep: c.Creep, After: out.with.Job.Runs[c.Creep.From].From})
		}
	}
	return m, told
}

// mainChange says between which runs a change of main's level came.
func mainChange(job *history.Job, m *history.Metric, c *history.Change) MainChange {
	out := MainChange{Job: job, Metric: m, Change: c, From: job.Runs[c.First].From, Until: job.Runs[c.Last].From}
	if c.First > 0 {
		out.After = job.Runs[c.First-1].From
	}
	return out
}

// findings says what the store holds.
func (out *Store) findings() *StoreFindings {
	job := &cmp.Or(out.with, out.Line).Job
	f := &StoreFindings{NoMatch: out.NoMatch, All: job.Runs, Job: job}
	for i := range job.Runs {
		if !job.Runs[i].Why.Is() {
			f.Runs++
		}
	}
	if m := job.MetricNamed(run.StepTime); m != nil {
		f.Level, f.Noise = m.Now(), m.SD
		for i := len(job.Runs) - 1; i >= 0 && len(f.Recent) < recentRuns; i-- {
			if r := &job.Runs[i]; !r.Why.Is() {
				f.Recent = append(f.Recent, StorePoint{r.Name, m.Values[i], r.From})
			}
		}
		slices.Reverse(f.Recent)
	}
	for i := range job.Metrics {
		m := &job.Metrics[i]
		if !m.Gating || m.Metric.Name == run.StepTimeMean && len(f.Open) > 0 {
			continue // the median and the mean are two measures of one step
		}
		f.Open = append(f.Open, openOf(job, m)...)
	}
	return f
}

// openOf lists what a metric became worse by and nobody accepted.
func openOf(job *history.Job, m *history.Metric) (out []MainChange) {
	for i := range m.Changes {
		c := &m.Changes[i]
		if c.Told && c.Accepted == nil && m.Still(c) {
			out = append(out, mainChange(job, m, c))
		}
	}
	if m.Creep != nil {
		out = append(out, MainChange{Job: job, Metric: m, Creep: m.Creep, After: job.Runs[m.Creep.From].From})
	}
	return out
}

// far lists the newest runs that were found odd and left out.
func (out *Store) far() (far []verdict.LevelWarning) {
	runs := out.Line.Runs
	for _, r := range runs[max(0, len(runs)-recentRuns):] {
		if r.Why.Kind == verdict.ApartFromAll {
			far = append(far, verdict.LevelWarning{Run: r.Name, Why: r.Why})
		}
	}
	return far
}

// mainAgain returns what is worse than main's level while main's newest run alone says that main may be so too; nil:
// nothing is.
func (r *Report) mainAgain() *verdict.Comparison {
	of := func(c *verdict.Comparison) bool { return c != nil && c.Main != nil && c.Main.MainAgain }
	step := verdict.MetricOf(r.Metrics, sides.StepTime.Metric)
	if of(step) || of(verdict.MetricOf(r.Parts, run.StepTimeMean)) {
		return step
	}
	for i := range r.Metrics {
		if c := &r.Metrics[i]; c.Metric.OfResult && of(c) {
			return c
		}
	}
	return nil
}

// toldMain returns what main itself is told; nil of a pull request's candidate, and where no store is.
func (r *Report) toldMain() *MainFindings {
	if r.StoreFindings == nil {
		return nil
	}
	return r.StoreFindings.Main
}

// causes lists what main fails by: each change and each creep.
func (m *MainFindings) causes() (out []GateCause) {
	for i := range m.Changes {
		c := GateCause{Kind: CauseMainChanged, Shift: &m.Changes[i]}
		if c.Shift.Change == nil {
			c.Kind = CauseMainCrept
		}
		out = append(out, c)
	}
	return out
}
