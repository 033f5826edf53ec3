package render

import (
	"math"
	"strings"
	"time"

	"perfdiff/diff/history"
	"perfdiff/render/table"
	"perfdiff/render/words"
)

// Tables returns the jobs as flat tables: job, run, metric, metric_value, level, change and event.
func (h *Jobs) Tables() []table.Table {
	return []table.Table{h.jobTable(), h.runTable(), h.metricTable(), h.valueTable(), h.levelTable(), h.changeTable(),
		h.decisionTable()}
}

// each calls row for each metric of each job.
func (h *Jobs) each(row func(j *history.Job, m *history.Metric) error) error {
	for k := range h.All {
		for i := range h.All[k].Metrics {
			if err := row(&h.All[k], &h.All[k].Metrics[i]); err != nil {
				return err
			}
		}
	}
	return nil
}

const runColumns = `job text: name of the job; empty where there is one
	run text: name of the run in the store
	number integer: of saving, from 1 on
	saved text: when it was saved, UTC
	began text: when its capture began, UTC
	commit text: of the code that ran
	label text: what the run is called
	link text: where more is said of it
	branch text: on which it ran
	hosts text: on which it ran, with spaces between them
	gpu text: model
	driver text: its version
	left_out text: why it does not count; empty: it does
	gone boolean: whether its commit is not on main any more
	`

const metricColumns = `metric text: name of the metric
	unit text: of the metric
	better text: lower, higher or neither
	gating boolean: whether it fails a gate
	`

func (r *tableRow) run(j *history.Job, i int) {
	x := &j.Runs[i]
	r.text(j.Name, x.Name)
	r.integer(x.Number)
	r.text(timeText(x.Saved), timeText(x.Began), x.From.Commit, x.From.Label, x.From.Link, x.Branch,
		strings.Join(x.Hosts, " "), x.GPU, x.Driver, words.WhyLeftOut(&x.Why))
	r.bool(x.Gone)
}

func (r *tableRow) metric(m *history.Metric) {
	r.text(m.Metric.Name, m.Metric.Unit, betterWord(m.Metric.Better))
	r.bool(m.Gating)
}

// rows has a row for each run and metric, with the level on which the run stands and the change with which that began.
func (h *Jobs) rows() table.Table {
	columns := table.ParseColumns(runColumns + metricColumns + `value float @unit: of the run; empty: it has none
		level float @unit: level on which the run stands
		level_lo float @unit: two standard deviations of a run below it
		level_hi float @unit: above it
		change float: where a level begins with this run, by how much it changed: a share of the level before where relative, else in the metric's unit
		relative boolean: whether changes are shares of the level before
		change_worse boolean: whether that is for the worse
		change_accepted text: who accepted it, and why`)
	return tableOf("history", "a run and a metric", columns, func(row *tableRow) error {
		return h.each(func(j *history.Job, m *history.Metric) error {
			for i := range j.Runs {
				row.run(j, i)
				row.metric(m)
				row.number(valueOf(m, i))
				row.levelAt(m.LevelAt(i))
				c := m.ChangeAt(i)
				if c == nil {
					c = &history.Change{Size: math.NaN()}
				}
				row.number(c.Size)
				row.bool(m.Relative)
				row.worse(c)
				row.text(words.Accepted(c.Accepted))
				if err := row.end(); err != nil {
					return err
				}
			}
			return nil
		})
	})
}

func valueOf(m *history.Metric, i int) float64 {
	if i < len(m.Values) {
		return m.Values[i]
	}
	return math.NaN()
}

func (r *tableRow) levelAt(l *history.Level) {
	if l == nil {
		r.number(math.NaN(), math.NaN(), math.NaN())
		return
	}
	r.number(l.Value, l.Lo, l.Hi)
}

// worse adds whether a change is for the worse, an empty cell where there is none.
func (r *tableRow) worse(c *history.Change) {
	if math.IsNaN(c.Size) {
		r.cells = append(r.cells, table.Cell{})
		return
	}
	r.bool(c.Worse)
}

func (h *Jobs) jobTable() table.Table {
	columns := table.ParseColumns(`job text: name of the job; empty where there is one
		runs integer: how many are kept
		quiet_s float s: since the newest run was saved; empty: not known`)
	return tableOf("job", "a job", columns, func(row *tableRow) error {
		for k := range h.All {
			j := &h.All[k]
			row.text(j.Name)
			row.integer(int64(len(j.Runs)))
			quiet := math.NaN()
			if j.Quiet > 0 {
				quiet = j.Quiet.Seconds()
			}
			row.number(quiet)
			if err := row.end(); err != nil {
				return err
			}
		}
		return nil
	})
}

func (h *Jobs) runTable() table.Table {
	return tableOf("run", "a run of main, in the order of saving", table.ParseColumns(runColumns),
		func(row *tableRow) error {
			for k := range h.All {
				for i := range h.All[k].Runs {
					row.run(&h.All[k], i)
					if err := row.end(); err != nil {
						return err
					}
				}
			}
			return nil
		})
}

func (h *Jobs) metricTable() table.Table {
	columns := table.ParseColumns("job text: name of the job\n" + metricColumns + `relative boolean: whether noise and changes are shares of the level
		noise float: what runs of one level differ by, a standard deviation
		correlation float: of neighbouring runs
		creep float: what it drifted by in no single step; empty: none is told of
		creep_runs_ago integer: from the level of so many runs ago`)
	return tableOf("metric", "a metric of a job", columns, func(row *tableRow) error {
		return h.each(func(j *history.Job, m *history.Metric) error {
			row.text(j.Name)
			row.metric(m)
			row.bool(m.Relative)
			row.number(m.SD, m.Lag1)
			if m.Creep == nil {
				row.cells = append(row.cells, table.Cell{}, table.Cell{})
			} else {
				row.number(m.Creep.Size)
				row.integer(int64(m.Creep.Ago))
			}
			return row.end()
		})
	})
}

func (h *Jobs) valueTable() table.Table {
	columns := table.ParseColumns(`job text: name of the job
		run text: name of the run in the store
		number integer: of saving
		metric text: name of the metric
		value float: in the metric's unit
		counts boolean: whether levels are made of it`)
	return tableOf("metric_value", "a value of a metric of a run", columns, func(row *tableRow) error {
		return h.each(func(j *history.Job, m *history.Metric) error {
			for i := range j.Runs {
				if math.IsNaN(valueOf(m, i)) {
					continue
				}
				row.text(j.Name, j.Runs[i].Name)
				row.integer(j.Runs[i].Number)
				row.text(m.Metric.Name)
				row.number(m.Values[i])
				row.bool(j.Counts(m, i))
				if err := row.end(); err != nil {
					return err
				}
			}
			return nil
		})
	})
}

func (h *Jobs) levelTable() table.Table {
	columns := table.ParseColumns(`job text: name of the job
		metric text: name of the metric
		first_run text: the first on the level
		last_run text: the last on it
		runs integer: of them that count
		value float: in the metric's unit
		lo float: two standard deviations of a run below it
		hi float: above it`)
	return tableOf("level", "a stretch of runs without a change", columns, func(row *tableRow) error {
		return h.each(func(j *history.Job, m *history.Metric) error {
			for i := range m.Levels {
				l := &m.Levels[i]
				row.text(j.Name, m.Metric.Name, j.Runs[l.From].Name, j.Runs[l.To-1].Name)
				runs, _ := j.CountedOn(m, l)
				row.integer(int64(runs))
				row.number(l.Value, l.Lo, l.Hi)
				if err := row.end(); err != nil {
					return err
				}
			}
			return nil
		})
	})
}

func (h *Jobs) changeTable() table.Table {
	columns := table.ParseColumns(`job text: name of the job
		metric text: name of the metric
		run text: the first of the new level
		after_run text: the change came behind this run, with 95 %
		until_run text: and with this one at the latest
		after_commit text: of after_run
		until_commit text: of until_run
		commits integer: that lie between; 0: not known
		seen_run text: the run at which it was told
		size float: a share of the level before where relative, else in the metric's unit
		relative boolean: which of them it is
		worse boolean: whether it is for the worse
		gradual boolean: whether it came over several runs
		accepted_by text: who accepted it
		accepted_reason text: and why
		moved text: parts of the step that changed with it`)
	return tableOf("change", "a change of level", columns, func(row *tableRow) error {
		return h.each(func(j *history.Job, m *history.Metric) error {
			for i := range m.Changes {
				c := &m.Changes[i]
				before, after := c.Between()
				a, b := runOrNone(j, before), runOrNone(j, after)
				row.text(j.Name, m.Metric.Name, j.Runs[c.At].Name, a.Name, b.Name, a.From.Commit, b.From.Commit)
				row.integer(int64(c.Commits))
				row.text(runOrNone(j, c.Seen).Name)
				row.number(c.Size)
				row.bool(m.Relative)
				row.bool(c.Worse)
				row.bool(c.Gradual)
				var e history.Event
				if c.Accepted != nil {
					e = *c.Accepted
				}
				row.text(e.By, e.Reason, words.MovedParts(c))
				if err := row.end(); err != nil {
					return err
				}
			}
			return nil
		})
	})
}

// runOrNone returns a run, an empty one where there is none.
func runOrNone(j *history.Job, i int) history.Run {
	if i < 0 || i >= len(j.Runs) {
		return history.Run{}
	}
	return j.Runs[i]
}

func (h *Jobs) decisionTable() table.Table {
	columns := table.ParseColumns(`job text: name of the job
		kind text: accept, exclude or note
		commit text: of which
		metric text: of which
		up_to float ratio: what is accepted; empty: nothing
		reason text: why
		by text: who
		at text: when, UTC
		until text: until when it holds, UTC; empty: for good`)
	return tableOf("event", "what people decided about runs of main", columns, func(row *tableRow) error {
		for k := range h.All {
			for i := range h.All[k].Events {
				e := &h.All[k].Events[i]
				row.text(h.All[k].Name, e.Kind, e.Commit, e.Metric)
				upTo := e.UpTo
				if upTo == 0 {
					upTo = math.NaN()
				}
				row.number(upTo)
				row.text(e.Reason, e.By, timeText(e.At), timeText(e.Until))
				if err := row.end(); err != nil {
					return err
				}
			}
		}
		return nil
	})
}

// timeText returns a time in UTC nanoseconds as in RFC 3339; "" where it is not known.
func timeText(ns int64) string {
	if ns == 0 {
		return ""
	}
	return time.Unix(0, ns).UTC().Format(time.RFC3339Nano)
}
