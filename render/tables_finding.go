package render

import (
	"fmt"
	"math"
	"strings"

	"perfdiff/render/table"
)

// noNumber is a value that is not known.
var noNumber = Number(math.NaN())

func (t *Tables) metrics() table.Table {
	columns := table.ParseColumns(`metric text: name, as perfdiff help metrics explains it
		part text: empty: the metric itself
		unit text: of the numbers: s, B, B/s, FLOP, FLOP/s, Hz, 1 (a count), ratio
		better text: lower, higher or neither
		baseline_median float @unit: over steps of the median over ranks
		candidate_median float @unit: the same of the candidate
		baseline_mean float @unit: over steps of the mean over ranks
		candidate_mean float @unit: the same of the candidate
		delta float @unit: candidate less baseline, of the medians
		relative boolean: estimate, low, high and threshold are fractions of the baseline, else in the unit
		estimate float @relative: the change as it was tested; empty: it was not
		low float @relative: lower end of its interval
		high float @relative: upper end of its interval
		threshold float @relative: smallest change that matters
		p float: two-sided p-value of no change
		verdict text: regressed, improved, unchanged, inconclusive
		reason text: why, as a code
		gate boolean: takes part in the verdict on the whole
		baseline_runs integer: runs that entered
		candidate_runs integer: the same of the candidate
		steps_used integer: of each side`)
	return tableOf("metrics", "one metric, or one part of it, compared", columns, func(row *tableRow) error {
		for _, list := range [][]Comparison{t.doc.Metrics, t.doc.Parts, t.doc.Capture} {
			for i := range list {
				c := &list[i]
				row.text(c.Metric, c.Part, c.Unit, c.Better)
				row.number(c.Median.Baseline, c.Median.Candidate, c.Mean.Baseline, c.Mean.Candidate, c.Delta)
				row.bool(c.Change.Relative)
				row.number(c.Change.Estimate, c.Change.Low, c.Change.High, c.Change.Threshold, c.Change.P)
				row.text(c.Verdict, c.Reason)
				row.bool(c.Gate)
				row.integer(int64(c.Runs.Baseline), int64(c.Runs.Candidate), int64(c.StepsUsed))
				if err := row.end(); err != nil {
					return err
				}
			}
		}
		return nil
	})
}

func (t *Tables) findings() table.Table {
	columns := t.perColumns(`kind text: straggler, spike, ...
		class text: better, worse, unchanged, stayed, remains or look
		metric text: where it is measured
		part text: empty: the metric itself
		unit text: of the numbers; empty: it has none
		ranks text: that it is about, with spaces between; empty: all, or not known which
		steps text: that it is about, with spaces between; empty: all that are compared
		baseline float @unit: value, in the unit
		candidate float @unit: value, in the unit
		delta float @unit: the change that it is about, in the unit
		relative boolean: estimate, low and high are fractions of the baseline, else in the unit
		estimate float @relative: the change as it was tested, where low and high are an interval of that
		low float @relative: lower end of the interval
		high float @relative: upper end of the interval
		effect_s float s: by which findings are ordered, a step
		number text: the number as people read it
		number_unit text: unit of number
		interval text: interval of number, with its unit
		text text: the sentence
		evidence text: the ranks, steps and spans that it stands on
		advice text: what to do, or to record, next
		section text: of the page that shows it`)
	return tableOf("findings", "one finding, the largest effect first", columns, func(row *tableRow) error {
		for i := range t.doc.Findings {
			f := &t.doc.Findings[i]
			row.text(f.Kind, f.Class, f.Metric, f.Part, f.Unit, listText(f.Ranks), listText(f.Steps))
			row.number(f.Value.Baseline, f.Value.Candidate, f.Delta)
			row.bool(f.Relative)
			row.number(f.Estimate, f.Low, f.High, f.Effect)
			row.text(f.Number, f.NumberIn, f.Interval, f.Text, f.Evidence, f.Advice, f.Section)
			if err := row.end(); err != nil {
				return err
			}
		}
		return nil
	})
}

// listText is a list of numbers in one cell.
func listText(list any) string { return strings.Trim(fmt.Sprint(list), "[]") }
