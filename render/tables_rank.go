package render

import (
	"math"
	"slices"
	"strings"
	"time"

	"perfdiff/analyze/run"
	"perfdiff/diff"
	"perfdiff/diff/cause"
	"perfdiff/render/table"
	"perfdiff/render/words"
)

// eachRank goes through the ranks of both sides, run by run.
func (t *Tables) eachRank(yield func(side, name string, rank int64, s *diff.RankSide) error) error {
	for side := range t.r.Runs {
		for i := range t.r.Runs[side] {
			r := &t.r.Runs[side][i]
			for _, rank := range r.Ranks {
				if err := yield(sideNames[side], r.Name, int64(rank.Rank), rank.RankSide); err != nil {
					return err
				}
			}
		}
	}
	return nil
}

const sideRunAndRank = `side text: baseline or candidate
	run text: name of the run
	rank integer: number of the rank; -1: not known
`

func (t *Tables) rankTable() table.Table {
	columns := table.ParseColumns(sideRunAndRank + `enters boolean: it takes part in the comparison; false: the other side has no such rank
		rank_from text: where the number of the rank comes from
		host text: host
		gpu text: model of the device
		device integer: ordinal of the device as the process saw it; -1: no device work
		steps integer: steps found
		steps_kept integer: of these
		mean_step_s float s: mean over used steps; the means behind it add up to it
		mean_compute_s float s: mean compute
		mean_exposed_comm_s float s: mean exposed communication
		mean_exposed_memory_s float s: mean exposed memory work
		mean_idle_s float s: mean idle time
		step_time_min_s float s: minimum of step_time over used steps
		step_time_p25_s float s: first quartile of it
		step_time_median_s float s: median of it
		step_time_p75_s float s: third quartile of it
		step_time_max_s float s: maximum of it`)
	return tableOf("ranks", "one rank of one run of one side", columns, func(row *tableRow) error {
		return t.eachRank(func(side, name string, rank int64, s *diff.RankSide) error {
			row.text(side, name)
			row.integer(rank)
			row.bool(s.Enters)
			row.text(s.From, s.Host, s.GPU)
			row.integer(int64(s.Device), int64(len(s.Steps)), keptSteps(s))
			b := &s.Breakdown
			row.number(b.Step, b.Compute, b.ExposedComm, b.ExposedMemory, b.Idle)
			row.number(s.Box[:]...)
			return row.end()
		})
	})
}

func keptSteps(s *diff.RankSide) (n int64) {
	for i := range s.Omissions {
		if words.StepLeft(&s.Omissions[i]) == "" {
			n++
		}
	}
	return n
}

func (t *Tables) steps() table.Table {
	columns := table.ParseColumns(sideRunAndRank + `step integer: number of the step
		left_out text: why the step is left out; empty: it is kept`)
	columns = append(columns, t.metricColumns(t.keys)...)
	return tableOf("steps", "one step of one rank of one run of one side, with a column for each metric and each of its parts", columns, func(row *tableRow) error {
		values := make([][]float64, len(t.keys))
		return t.eachRank(func(side, name string, rank int64, s *diff.RankSide) error {
			for k, key := range t.keys {
				values[k] = s.Values[key]
			}
			for i, step := range s.Steps {
				row.text(side, name)
				row.integer(rank, step)
				row.text(words.StepLeft(&s.Omissions[i]))
				for _, list := range values {
					if i < len(list) {
						row.number(list[i])
					} else {
						row.number(math.NaN())
					}
				}
				if err := row.end(); err != nil {
					return err
				}
			}
			return nil
		})
	})
}

// metricColumns returns columns of metrics and their parts, by key.
func (t *Tables) metricColumns(keys []string) (columns []table.Column) {
	described := map[string]*run.Metric{}
	for i := range t.r.Descriptions {
		described[t.r.Descriptions[i].Name] = &t.r.Descriptions[i]
	}
	for _, key := range keys {
		metric, part, _ := strings.Cut(key, "/")
		m := described[metric]
		if m == nil {
			m = &run.Metric{Name: metric}
		}
		columns = append(columns, table.Column{Name: metricColumnName(m, part), Kind: table.Float, Unit: unitOf(m), Doc: m.Doc, Metric: metric, Part: part})
	}
	return columns
}

// testedSuffix ends the names of columns of numbers that tests compare.
const testedSuffix = "_tested"

func (t *Tables) runs() table.Table {
	columns := table.ParseColumns(`side text: baseline or candidate
		run text: name of the run
		commit text: of the code that ran; empty: not known
		began text: when it was captured, UTC; empty: not known
		ranks integer: ranks that it has
		steps_used integer: steps that enter`)
	for _, c := range t.metricColumns(t.keys) {
		c.Doc += " Of a run: over the steps that enter the median of what ranks take in the median."
		columns = append(columns, c)
	}
	tested := t.testedMetrics()
	for _, metric := range tested {
		columns = append(columns, table.Column{Name: metric + testedSuffix, Kind: table.Float, Metric: metric,
			Doc: "what the test compares of the run, on the scale of the test: its logarithm where log_scale of the metric is true, less the mean curve of both sides where steps are paired"})
	}
	return tableOf("runs", "one run of one side, which is the unit of the test", columns, func(row *tableRow) error {
		for side, name := range sideNames {
			for i := range t.r.Runs[side] {
				r := &t.r.Runs[side][i]
				row.text(name, r.Name, r.Commit, utcText(r.Began))
				row.integer(int64(len(r.Ranks)), int64(r.Used))
				for _, key := range t.keys {
					row.number(valueAt(r.Values, key))
				}
				for _, metric := range tested {
					row.number(valueAt(r.Tested, metric))
				}
				if err := row.end(); err != nil {
					return err
				}
			}
		}
		return nil
	})
}

// testedMetrics returns the metrics for which some run has a tested number, in the order of their descriptions.
func (t *Tables) testedMetrics() (out []string) {
	for _, m := range t.r.Descriptions {
		for side := range t.r.Runs {
			has := func(r diff.RunRow) bool { return !math.IsNaN(valueAt(r.Tested, m.Name)) }
			if !slices.Contains(out, m.Name) && slices.ContainsFunc(t.r.Runs[side], has) {
				out = append(out, m.Name)
			}
		}
	}
	return out
}

// valueAt returns a value, NaN where there is none.
func valueAt(values map[string]float64, key string) float64 {
	if v, ok := values[key]; ok {
		return v
	}
	return math.NaN()
}

// utcText returns a time of day in UTC ns, "" of 0.
func utcText(ns int64) string {
	if ns == 0 {
		return ""
	}
	return time.Unix(0, ns).UTC().Format("2006-01-02T15:04:05Z")
}

// unitOf returns the unit of a metric, "" of a count.
func unitOf(m *run.Metric) string {
	if m.Unit == "1" {
		return ""
	}
	return m.Unit
}

// unitSuffixes end the names of columns, by unit. The schema tells a unit without one.
var unitSuffixes = map[string]string{
	"s": "_s", "B": "_bytes", "B/s": "_bytes_per_s", "FLOP": "_flop", "FLOP/s": "_flop_per_s", "Hz": "_hz", "W": "_watts", "°C": "_celsius", "ratio": "_ratio",
}

// metricColumnName returns the metric, its unit, and the part as it is called: "comm_time_s/AllReduce".
func metricColumnName(m *run.Metric, part string) string {
	name := m.Name + unitSuffixes[m.Unit]
	if part != "" {
		name += "/" + part
	}
	return name
}

func (t *Tables) stepTimes() table.Table {
	columns := table.ParseColumns(`side text: baseline or candidate
		step integer: number of the step
		left_out text: why the step is left out; empty: it is used
		ranks integer: that have the step
		step_time_median_s float s: median over ranks and runs; empty: the side has no such step
		step_time_min_s float s: minimum over them
		step_time_max_s float s: maximum over them`)
	return tableOf("step_times", "one step number of one side, over its ranks", columns, func(row *tableRow) error {
		for side, name := range sideNames {
			for i := range t.r.Steps {
				p := &t.r.Steps[i]
				s := [2]*cause.StepSide{&p.Base, &p.Cand}[side]
				row.text(name)
				row.integer(p.Number)
				row.text(words.StepLeft(&p.Omission))
				row.integer(int64(s.Ranks))
				row.number(s.Median, s.Min, s.Max)
				if err := row.end(); err != nil {
					return err
				}
			}
		}
		return nil
	})
}

func (t *Tables) collectives() table.Table {
	columns := table.ParseColumns(sideRunAndRank + `collective text: kind of the collective
		count integer: calls in kept steps
		mean_s float s: mean length of a call
		standard_deviation_s float s: standard deviation of the lengths
		min_s float s: shortest call
		p05_s float s: 5 % of calls are at most as long
		p25_s float s: 25 %
		median_s float s: half of them
		p75_s float s: 75 %
		p95_s float s: 95 %
		p99_s float s: 99 %
		max_s float s: longest call`)
	return tableOf("collectives", "the calls of one collective on one rank of one run of one side", columns, func(row *tableRow) error {
		return t.eachRank(func(side, name string, rank int64, s *diff.RankSide) error {
			for i := range s.Calls {
				c := &s.Calls[i]
				row.text(side, name)
				row.integer(rank)
				row.text(c.Name)
				row.integer(c.Count)
				row.lengths(c)
				if err := row.end(); err != nil {
					return err
				}
			}
			return nil
		})
	})
}

// lengths adds the mean length of calls, their deviation and their quantiles.
func (r *tableRow) lengths(c *run.Calls) {
	n := float64(c.Count)
	r.number(float64(c.Total)*1e-9/n, math.Sqrt(c.Squares/math.Max(1, n-1)))
	for _, ns := range []int64{c.Min, c.Quantile(.05), c.Quartiles[0], c.Median, c.Quartiles[1], c.Quantile(.95), c.Quantile(.99), c.Max} {
		r.number(float64(ns) * 1e-9)
	}
}

func (t *Tables) rankWaits() table.Table {
	columns := table.ParseColumns(`side text: baseline or candidate
		rank integer: the rank; empty: a host
		host text: its host
		last_share_ratio float ratio: share of collectives at which it arrives last
		caused_wait_s float s: time a step that all others together wait for it
		longer_compute_s float s: time a step by which it computes longer than the median rank
		longer_input_s float s: by which it waits longer for input
		longer_host_s float s: by which its host takes longer`)
	return tableOf("rank_waits", "one rank, or one host of several, and how long others wait for it in collectives", columns, func(row *tableRow) error {
		for side, name := range sideNames {
			for at, list := range [][]cause.RankWait{t.r.RankWaits[side], t.r.HostWaits[side]} {
				for i := range list {
					w := &list[i]
					row.text(name)
					if row.integer(int64(w.Rank)); at == 1 {
						row.cells[len(row.cells)-1] = table.Cell{}
					}
					row.text(w.Host)
					row.number(w.LastShare, w.CausedWait)
					for _, of := range []string{"compute", "input", "host"} {
						row.number(valueAt(w.LongerBy, of))
					}
					if err := row.end(); err != nil {
						return err
					}
				}
			}
		}
		return nil
	})
}
