package verdict

import (
	"math"
	"slices"

	"perfdiff/analyze/order"
	"perfdiff/analyze/run"
	"perfdiff/diff/sides"
	"perfdiff/diff/stat"
)

// Compare judges one series.
func (p *Trial) Compare(key run.Key, metric run.Metric) Comparison {
	base, cand := p.Base.Measure(key), p.Cand.Measure(key)
	c := Comparison{
		Key: key, Metric: metric,
		Sources: [2][]string{base.Sources, cand.Sources},
		Reads:   p.readsOf(metric.Name),
		Base:    p.TypicalStep(base), Cand: p.TypicalStep(cand), BaseMean: base.Mean, CandMean: cand.Mean,
		Estimate: math.NaN(), Lo: math.NaN(), Hi: math.NaN(), Relative: metric.Unit != "ratio",
		Threshold: p.Policy.Threshold, Detectable: math.NaN(), Detectable80: math.NaN(),
		WithinLo: math.NaN(), WithinHi: math.NaN(), Tipping: math.NaN(), Spread: math.NaN(), FirstStep: math.NaN(), LastStep: math.NaN(),
		P:    math.NaN(),
		Runs: [2]int{len(base.Rows), len(cand.Rows)}, Ranks: [2]int{order.LowerMedian(slices.Clone(base.Ranks)), order.LowerMedian(slices.Clone(cand.Ranks))},
	}
	c.Delta = c.Cand - c.Base
	if p.NotCompared.HoldsUnknown(key.Metric) && key.Part == "" {
		c.Includes = "unknown"
	}
	for i, s := range []struct {
		of *sides.Side
		sides.Measured
	}{{p.Base, base}, {p.Cand, cand}} {
		if len(s.Rows) == 0 {
			c.NotRecorded[i] = p.Needs(s.of, metric)
		}
	}
	if c.NotRecorded != [2]Need{} {
		return p.finish(c, &proof{untested: ReasonNotRecorded})
	}
	rowsB, rowsC, steps := answered(p.Lined, base.Rows, cand.Rows)
	c.StepsUsed = steps
	if metric.OfResult {
		return p.compareResult(c, rowsB, rowsC)
	}
	p.setMeanApart(&c, base, cand)
	if steps < p.Plan.LeastSteps() {
		return p.finish(c, &proof{untested: ReasonTooFewSteps})
	}
	c.StepsUsed *= p.StepsALine()
	kinds := sides.AnsweredKinds(slices.Concat(base.Rows, cand.Rows), p.LoadGroupOfSteps())
	if kinds != nil {
		c.Base, c.Cand = stat.Levels(rowsB, rowsC, kinds)
		c.Delta = c.Cand - c.Base
	}
	x := proof{passes: p.Plan.OnePass}
	p.test(&c, &x, rowsB, rowsC, kinds)
	p.setEstimateApart(&c)
	other := inputFromOther(p.Lined, &c)
	context := other || p.inputUnsure(&c) || sourcesDiffer(base.Sources, cand.Sources) || base.Proxy || cand.Proxy || p.RanksDiffer && metric.Joint
	x.barred = p.bar(&c, context)
	c.OtherCause = context || x.barred != "" && x.barred != ReasonNotJudged
	return p.finish(c, &x)
}

// ofReads are the metrics of bytes read and written, from whatever source.
var ofReads = []string{run.IOReadThroughput, run.IOWriteThroughput, run.IOReadBytes, run.IOReadBurstRate, run.IOReadTimeShare}

// readsOf returns where to take a metric of bytes read and written from; nil for any other metric.
func (p *Terms) readsOf(metric string) *sides.Reads {
	if !slices.Contains(ofReads, metric) {
		return nil
	}
	return &p.Reads
}

// sourcesDiffer reports whether a metric was measured from different things.
func sourcesDiffer(base, cand []string) bool {
	return len(base) > 0 && len(cand) > 0 && !slices.Equal(base, cand)
}

// answered leaves out the steps that a metric cannot answer: for every run
// where steps are paired, for the run itself where they are not. steps is the
// number left, the fewest of any run.
func answered(p *sides.Lined, base, cand [][]float64) (b, c [][]float64, steps int) {
	out, steps := AnsweredBy(slices.Concat(base, cand), p.Plan.Paired)
	return out[:len(base)], out[len(base):], steps
}

// AnsweredBy leaves out the steps that curves do not answer: for all curves where steps are paired, for each by itself
// where they are not. steps is the number left, the fewest of any.
func AnsweredBy(all [][]float64, paired bool) (out [][]float64, steps int) {
	keep := func(row, j int) bool { return !math.IsNaN(all[row][j]) }
	if paired {
		keep = func(_, j int) bool {
			return !slices.ContainsFunc(all, func(x []float64) bool { return math.IsNaN(x[j]) })
		}
	}
	out, steps = make([][]float64, len(all)), math.MaxInt
	for i := range all {
		for j, v := range all[i] {
			if keep(i, j) {
				out[i] = append(out[i], v)
			}
		}
		steps = min(steps, len(out[i]))
	}
	return out, steps
}
