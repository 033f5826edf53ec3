package render

import (
	"strings"

	"perfdiff/diff/cause"
	"perfdiff/render/table"
)

// perColumns returns columns whose times and counts are per step or, where there are no steps to compare, per second.
func (t *Tables) perColumns(text string) []table.Column {
	if t.r.Per == cause.PerSecond {
		text = strings.ReplaceAll(text, "a step", "a second")
	}
	return table.ParseColumns(text)
}

func (t *Tables) kernels() table.Table {
	columns := t.perColumns(`side text: baseline or candidate
		kernel text: canonical name
		class text: compute or communication
		family text: of a compute kernel
		others integer: above 0: the row sums up so many kernels that have no row
		time_s float s: time a step and rank
		calls float: launches a step and rank
		launch text: grid, block, registers and shared memory of most launches
		flop_per_call float FLOP: work of a call
		delta_s float s: candidate less baseline, a step and rank; this and what follows is of both sides, and the same in their rows
		by_calls_s float s: of delta_s: from more or fewer launches
		by_slower_s float s: of delta_s: from slower or faster launches
		change_ratio float ratio: change beside what most kernels share; empty: not tested
		q float: share of false claims when all kernels of at most this are called changed
		beyond_noise boolean: the change is beyond noise
		baseline_share_ratio float ratio: share of the kernel time of the baseline`)
	return tableOf("kernels", "one kernel on one side; what compares both stands in the rows of both", columns, func(row *tableRow) error {
		for side, name := range sideNames {
			for i := range t.r.Kernels {
				k := &t.r.Kernels[i]
				row.text(name, k.Name, k.Class, k.Family)
				row.integer(int64(k.Others))
				row.number([2]float64{k.BaseTime, k.CandTime}[side], [2]float64{k.BaseCalls, k.CandCalls}[side])
				row.text([2]string{k.BaseShape, k.CandShape}[side])
				row.number([2]float64{k.BaseFLOPs, k.CandFLOPs}[side], k.Delta, k.Calls, k.Slower, k.Change, k.Q)
				row.bool(k.BeyondNoise)
				row.number(k.Share)
				if err := row.end(); err != nil {
					return err
				}
			}
		}
		return nil
	})
}

const statColumns = `
	count integer: all calls
	calls float: calls a step and rank
	time_s float s: time a step and rank
	total_s float s: time of all calls
	share_ratio float ratio: share of the time of the table
	mean_s float s: mean call
	median_s float s: median of the medians of ranks
	min_s float s: shortest call
	max_s float s: longest call
	standard_deviation_s float s: standard deviation of calls
	bytes float B: bytes a step and rank`

// stat adds the cells of statColumns.
func (r *tableRow) stat(s *cause.StatSide) {
	r.integer(s.Count)
	r.number(s.Calls, s.Time, s.Total, s.Share, s.Mean, s.Median, s.Min, s.Max, s.Deviation, s.Bytes)
}

func (t *Tables) summaries() table.Table {
	columns := t.perColumns(`side text: baseline or candidate
		table text: kernels, collectives, memory operations, CUDA API, OS runtime, ranges, operators, ranges on the device
		name text: name` + statColumns)
	return tableOf("summaries", "one name of a table that nsys stats makes, on one side, over kept steps", columns, func(row *tableRow) error {
		for side, name := range sideNames {
			for i := range t.r.Summaries {
				for k := range t.r.Summaries[i].Rows {
					x := &t.r.Summaries[i].Rows[k]
					row.text(name, string(t.r.Summaries[i].Table), x.Name)
					row.stat([2]*cause.StatSide{&x.Base, &x.Cand}[side])
					if err := row.end(); err != nil {
						return err
					}
				}
			}
		}
		return nil
	})
}

// calls returns single calls where no step can be compared.
func (t *Tables) calls() table.Table {
	columns := t.perColumns(`side text: baseline or candidate
		table text: kernels, collectives, memory operations, ranges, operators
		name text: name
		change_ratio float ratio: change of the median call, of both sides, the same in their rows; empty: not tested
		q float: share of false claims when all of at most this are called changed
		beyond_noise boolean: the change is beyond what calls and runs differ by` + statColumns)
	return tableOf("calls", "the calls of one name on one side; without rows where steps are compared", columns, func(row *tableRow) error {
		for side, name := range sideNames {
			for i := range t.r.Calls {
				x := &t.r.Calls[i]
				row.text(name, string(x.Table), x.Name)
				row.number(x.Change, x.Q)
				row.bool(x.BeyondNoise)
				row.stat([2]*cause.StatSide{&x.Base, &x.Cand}[side])
				if err := row.end(); err != nil {
					return err
				}
			}
		}
		return nil
	})
}
