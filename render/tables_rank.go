package render

import (
	"strings"

	"perfdiff/render/table"
)

// stepsTable is the table that has a column for each metric; metricColumn is the column that
// names the metric of a row in others.
const (
	stepsTable   = "steps"
	metricColumn = "metric"
)

// eachRank goes through the ranks of both sides, rank by rank.
func (t *Tables) eachRank(yield func(side string, rank int64, s *RankSide) error) error {
	return t.ranks(func(r *Rank) error {
		for side, s := range [2]*RankSide{r.Baseline, r.Candidate} {
			if s == nil {
				continue
			}
			if err := yield(sideNames[side], int64(r.Rank), s); err != nil {
				return err
			}
		}
		return nil
	})
}

const sideAndRank = `side text: baseline or candidate
	rank integer: number of the rank; -1: not known
`

func (t *Tables) rankTable() table.Table {
	columns := table.ParseColumns(sideAndRank + `rank_from text: where the number of the rank comes from
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
	return tableOf("ranks", "one rank of one side", columns, func(row *tableRow) error {
		return t.eachRank(func(side string, rank int64, s *RankSide) error {
			row.text(side)
			row.integer(rank)
			row.text(s.From, s.Host, s.GPU)
			row.integer(int64(s.Device), int64(len(s.Steps)), keptSteps(s))
			b := &s.Breakdown
			row.number(b.Step, b.Compute, b.ExposedComm, b.ExposedMemory, b.Idle)
			for i := range 5 {
				row.number(numberAt(s.Box, i))
			}
			return row.end()
		})
	})
}

// numberAt is an element, or none where the list is shorter.
func numberAt(list Numbers, i int) Number {
	if i < len(list) {
		return list[i]
	}
	return noNumber
}

func keptSteps(s *RankSide) (n int64) {
	for i := range s.Steps {
		if leftOutAt(s, i) == "" {
			n++
		}
	}
	return n
}

// leftOutAt is why a step of a rank is left out.
func leftOutAt(s *RankSide, i int) string {
	if i < len(s.Dropped) {
		return s.Dropped[i]
	}
	return ""
}

func (t *Tables) steps() table.Table {
	columns := table.ParseColumns(sideAndRank + `step integer: number of the step
		left_out text: why the step is left out; empty: it is kept`)
	described := map[string]*Metric{}
	for i := range t.doc.Descriptions {
		described[t.doc.Descriptions[i].Name] = &t.doc.Descriptions[i]
	}
	for _, key := range t.keys {
		metric, part, _ := strings.Cut(key, "/")
		m := described[metric]
		if m == nil {
			m = &Metric{Name: metric}
		}
		columns = append(columns, table.Column{Name: metricColumnName(m, part), Kind: table.Float, Unit: unitOf(m), Doc: m.Doc, Metric: metric, Part: part})
	}
	return tableOf(stepsTable, "one step of one rank of one side, with a column for each metric and each of its parts", columns, func(row *tableRow) error {
		values := make([]Numbers, len(t.keys))
		return t.eachRank(func(side string, rank int64, s *RankSide) error {
			for k, key := range t.keys {
				values[k] = s.Values[key]
			}
			for i, step := range s.Steps {
				row.text(side)
				row.integer(rank, step)
				row.text(leftOutAt(s, i))
				for _, list := range values {
					row.number(numberAt(list, i))
				}
				if err := row.end(); err != nil {
					return err
				}
			}
			return nil
		})
	})
}

// unitOf is the unit of a metric, "" of a count.
func unitOf(m *Metric) string {
	if m.Unit == "1" {
		return ""
	}
	return m.Unit
}

// unitSuffixes end the names of columns, by unit. A unit without one is told by the schema.
var unitSuffixes = map[string]string{
	"s": "_s", "B": "_bytes", "B/s": "_bytes_per_s", "FLOP": "_flop", "FLOP/s": "_flop_per_s", "Hz": "_hz", "W": "_watts", "°C": "_celsius", "ratio": "_ratio",
}

// metricColumnName is the metric, its unit, and the part as it is called: "comm_time_s/AllReduce".
func metricColumnName(m *Metric, part string) string {
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
			for i := range t.doc.Steps {
				p := &t.doc.Steps[i]
				s := [2]*StepTimes{&p.Baseline, &p.Candidate}[side]
				row.text(name)
				row.integer(p.Number)
				row.text(p.Dropped)
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
	columns := table.ParseColumns(sideAndRank + `collective text: kind of the collective
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
	return tableOf("collectives", "the calls of one collective on one rank of one side", columns, func(row *tableRow) error {
		return t.eachRank(func(side string, rank int64, s *RankSide) error {
			for i := range s.Calls {
				c := &s.Calls[i]
				row.text(side)
				row.integer(rank)
				row.text(c.Collective)
				row.integer(c.Count)
				row.number(c.Mean, c.StandardDeviation)
				for k := range 8 {
					row.number(numberAt(c.Quantiles, k))
				}
				if err := row.end(); err != nil {
					return err
				}
			}
			return nil
		})
	})
}
