package render

import (
	"math"
	"slices"

	"perfdiff/analyze/run"
	"perfdiff/render/table"
)

func (t *Tables) gaps() table.Table {
	columns := table.ParseColumns(`side text: baseline or candidate
		rank integer: number of the rank; -1: not known
		step integer: number of the step
		at_s float s: start, from the start of the step
		length_s float s: length
		after text: what ran before it
		before text: what ends it
		waited_for text: what the device waited for: launch, input, dependency, unknown
		operator text: where the host is longest in its other work: operator of the framework
		function text: the same: function outside of operators
		module text: the same: module
		place_s float s: how long it is there`)
	causes := t.gapCauses()
	for _, cause := range causes {
		columns = append(columns, table.Column{Name: "cause_" + cause + "_s", Kind: table.Float, Unit: "s", Doc: "of length_s: from this cause; empty: not seen in this gap"})
	}
	return tableOf("gaps", "one of the longest gaps of one side, the longest first", columns, func(row *tableRow) error {
		for side, name := range sideNames {
			for i := range t.r.Longest[side] {
				g := &t.r.Longest[side][i]
				row.text(name)
				row.integer(int64(g.Rank), g.Step)
				row.seconds(g.At, g.Length)
				row.text(g.After, g.Before, g.WaitedFor)
				row.place(g.Places)
				for _, cause := range causes {
					row.cause(g.Causes, cause)
				}
				if err := row.end(); err != nil {
					return err
				}
			}
		}
		return nil
	})
}

// place adds where the host was longest, empty cells where that is not known.
func (r *tableRow) place(all []run.HostPlace) {
	if len(all) == 0 {
		r.text("", "", "")
		r.number(math.NaN())
		return
	}
	r.text(all[0].Operator, all[0].Function, all[0].Module)
	r.seconds(all[0].Time)
}

// cause adds how much of a gap is due to a cause.
func (r *tableRow) cause(all []run.Cause, name string) {
	if at := slices.IndexFunc(all, func(c run.Cause) bool { return c.Name == name }); at >= 0 {
		r.seconds(all[at].Time)
		return
	}
	r.number(math.NaN())
}

// gapCauses returns the causes of idle time, and others that gaps have.
func (t *Tables) gapCauses() []string {
	names := slices.Clone(run.IdleCauses)
	var more []string
	for _, list := range t.r.Longest {
		for i := range list {
			for _, c := range list[i].Causes {
				if !slices.Contains(names, c.Name) && !slices.Contains(more, c.Name) {
					more = append(more, c.Name)
				}
			}
		}
	}
	slices.Sort(more)
	return append(names, more...)
}

func (t *Tables) gapLengths() table.Table {
	columns := t.perColumns(`side text: baseline or candidate
		from_s float s: shortest length
		to_s float s: longest length
		count float: gaps a step and rank`)
	return tableOf("gap_lengths", "one bin of the histogram of the lengths of gaps, on one side", columns, func(row *tableRow) error {
		for side, name := range sideNames {
			for i := range t.r.Gaps {
				g := &t.r.Gaps[i]
				row.text(name)
				row.number(g.From, g.To, [2]float64{g.Base, g.Cand}[side])
				if err := row.end(); err != nil {
					return err
				}
			}
		}
		return nil
	})
}
