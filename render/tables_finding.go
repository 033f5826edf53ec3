package render

import (
	"fmt"
	"math"
	"strings"

	"perfdiff/analyze/run"
	"perfdiff/diff/cause"
	"perfdiff/diff/verdict"
	"perfdiff/render/table"
	"perfdiff/render/words"
)

// betterWords say in which direction a metric is good.
var betterWords = map[run.Better]string{run.Lower: "lower", run.Higher: "higher", run.Neither: "neither"}

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
		equivalence float @relative: changes within it count as none
		floor float @relative: standard deviation between runs that the test used
		past_runs integer: that floor was learned from; 0: it was assumed
		log_scale boolean: runs are compared by logarithms, else as they are
		interval_error float: of the interval, two-sided: 0.05 makes one of 95 %
		p float: two-sided p-value of no change
		verdict text: regressed, improved, unchanged, inconclusive
		reason text: why, as a code
		gate boolean: takes part in the verdict on the whole
		baseline_runs integer: runs that entered
		candidate_runs integer: the same of the candidate
		steps_used integer: of each side`)
	return tableOf("metrics", "one metric, or one part of it, compared", columns, func(row *tableRow) error {
		for _, list := range [][]verdict.Comparison{t.r.Metrics, t.r.Parts, t.r.Capture} {
			for i := range list {
				c := &list[i]
				row.text(c.Key.Metric, c.Part, c.Metric.Unit, betterWords[c.Metric.Better])
				row.number(c.Base, c.Cand, c.BaseMean, c.CandMean, c.Delta)
				row.bool(c.Relative)
				row.number(c.Estimate, c.Lo, c.Hi, c.Threshold, c.Equivalence, c.Floor)
				row.integer(int64(c.History))
				row.bool(c.LogScale)
				row.number(errorOf(c), c.P)
				row.text(c.Verdict.String(), c.Reason)
				row.bool(c.Gating)
				row.integer(int64(c.Runs[0]), int64(c.Runs[1]), int64(c.StepsUsed))
				if err := row.end(); err != nil {
					return err
				}
			}
		}
		return nil
	})
}

// errorOf returns the error of an interval, NaN where there is none.
func errorOf(c *verdict.Comparison) float64 {
	if c.Error == 0 {
		return math.NaN()
	}
	return c.Error
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
		for _, f := range words.Findings(t.r) {
			row.text(string(f.Kind), f.Class.String(), f.Metric, f.Part, f.Unit, listText(f.Ranks), listText(f.Steps))
			row.number(f.Base, f.Cand, f.Delta)
			row.bool(f.Relative)
			row.number(f.Estimate, f.Lo, f.Hi, f.Effect)
			row.text(f.Number, f.NumberIn, f.Interval, f.Text, f.Evidence, f.Advice, f.Section)
			if err := row.end(); err != nil {
				return err
			}
		}
		return nil
	})
}

// listText returns a list of numbers in one cell.
func listText(list any) string { return strings.Trim(fmt.Sprint(list), "[]") }

func (t *Tables) parts() table.Table {
	columns := table.ParseColumns(`part text: of the mean step
		kind text: what it is a part of: compute, exposed communication, ...
		within text: the part that it is a part of; empty: of the step
		baseline_s float s: mean over runs, ranks and steps; those that are within no other add up to the step
		candidate_s float s: the same of the candidate
		delta_s float s: candidate less baseline
		low_s float s: lower end of the interval of delta
		high_s float s: upper end of the interval of delta
		below_noise boolean: too small beside what runs differ by to have an interval`)
	return tableOf("parts", "one part of the mean step, and what that is made of", columns, func(row *tableRow) error {
		add := func(p *cause.PartChange, within string) error {
			row.text(words.StepPart(p.StepPart), p.Kind, within)
			row.number(p.Base, p.Cand, p.Delta, p.Lo, p.Hi)
			row.bool(p.BelowNoise)
			return row.end()
		}
		for i := range t.r.Waterfall.Parts {
			p := &t.r.Waterfall.Parts[i]
			if err := add(&p.PartChange, ""); err != nil {
				return err
			}
			for k := range p.Within {
				if err := add(&p.Within[k], words.StepPart(p.StepPart)); err != nil {
					return err
				}
			}
		}
		return nil
	})
}
