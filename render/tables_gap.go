package render

import (
	"slices"

	"perfdiff/analyze/run"
	"perfdiff/render/table"
)

func (t *Tables) gaps() table.Table {
	columns := table.ParseColumns(sideAndRank + `step integer: number of the step
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
			list := ofSide(side, &t.doc.Longest)
			for i := range list {
				g, place := &list[i], Place{Time: noNumber}
				if len(g.Places) > 0 {
					place = g.Places[0]
				}
				row.text(name)
				row.integer(int64(g.Rank), g.Step)
				row.number(g.At, g.Length)
				row.text(g.After, g.Before, g.WaitedFor, place.Operator, place.Function, place.Module)
				row.number(place.Time)
				for _, cause := range causes {
					v, ok := g.Causes[cause]
					if !ok {
						v = noNumber
					}
					row.number(v)
				}
				if err := row.end(); err != nil {
					return err
				}
			}
		}
		return nil
	})
}

// gapCauses are the causes of idle time, and others that gaps have.
func (t *Tables) gapCauses() []string {
	names := slices.Clone(run.IdleCauses)
	var more []string
	for side := range sideNames {
		list := ofSide(side, &t.doc.Longest)
		for i := range list {
			for name := range list[i].Causes {
				if !slices.Contains(names, name) && !slices.Contains(more, name) {
					more = append(more, name)
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
			for i := range t.doc.Gaps {
				g := &t.doc.Gaps[i]
				row.text(name)
				row.number(g.From, g.To, ofSide(side, &g.Count))
				if err := row.end(); err != nil {
					return err
				}
			}
		}
		return nil
	})
}
