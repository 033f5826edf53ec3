package policy

import (
	"cmp"
	"slices"

	"perfdiff/analyze/metric"
	"perfdiff/analyze/run"
)

// DefaultGating returns the metrics whose regression fails a comparison if no policy names others. They are few, since
// each further one makes all of them less sensitive.
func DefaultGating() []string {
	gating := slices.DeleteFunc(Metrics(metric.Descriptions()), func(m run.Metric) bool { return m.GateOrder == 0 })
	slices.SortFunc(gating, func(a, b run.Metric) int { return cmp.Compare(a.GateOrder, b.GateOrder) })
	return namesOf(gating)
}

// Names reports whether the policy names a metric: in its own list of what gates, or in a rule.
func (p Policy) Names(metric string) bool {
	_, ruled := p.Rules[metric]
	return ruled || slices.Contains(p.Gating, metric) && !slices.Equal(p.Gating, DefaultGating())
}

// Gateable returns the metrics that can gate, measured ones and shapes of runs: the rows of the first table, in its
// order.
func Gateable(measured []run.Metric) (out []run.Metric) {
	for _, m := range measured {
		if m.Main {
			out = append(out, m)
		}
	}
	return append(out, DriftMetric, TailMetric, ImbalanceMetric)
}

// Metrics returns all metrics in the order in which people read them: the measured ones, and the shapes of runs. Those
// that can gate are Main.
func Metrics(measured []run.Metric) []run.Metric {
	out := append(slices.Clone(measured), DriftMetric, TailMetric, ImbalanceMetric)
	for _, m := range []run.Metric{DispersionMetric, MeanMetric} {
		m.Main = false
		out = append(out, m)
	}
	return out
}

// MaxGating bounds the gating list: with more, no change of usual size would be
// found in one run a side.
const MaxGating = 10

func shapeMetric(name, unit, doc, needs string, traits run.Traits) run.Metric {
	traits.OfRun = true
	return run.Metric{Name: name, Unit: unit, Better: run.Lower, Main: true, Doc: doc, Needs: needs, Traits: traits}
}

var (
	DriftMetric = shapeMetric(run.Drift, "ratio", "How much the step time rises from the first to the last step, as a share, by a robust line; of a run that changes its level at some step, from level to level.", "step times",
		run.Traits{Subject: "The drift of the step time", GateOrder: 6, Section: run.SectionSteps, DependsOnOrder: true, Depth: run.DepthStep,
			Formula: "exp(rise) − 1, of log step times over the run, by the line of Theil and Sen through medians of batches"})
	TailMetric = shapeMetric(run.Tail, "1", "Stretches of steps that take at least a quarter longer than their neighbours, in 100 steps; those that all runs have at the same step do not count.", "step times",
		run.Traits{Subject: "The number of slow steps", GateOrder: 7, Section: run.SectionSteps, DependsOnOrder: true, Depth: run.DepthStep,
			Formula: "100 · stretches / steps; in one, step times are above 1.25 times their running median of 11"})
	ImbalanceMetric = shapeMetric(run.Imbalance, "ratio", "How much more time the slowest rank computes than the median rank, over steps the median.", "compute_time of at least two ranks on both sides",
		run.Traits{Subject: "The imbalance of ranks", GateOrder: 8, Section: run.SectionBreakdown, Depth: run.DepthKinds,
			Formula: "largest over the ranks of exp(median over steps of log(compute_time / median over the ranks)) − 1"})
	DispersionMetric = shapeMetric(run.Dispersion, "ratio", "Median difference of neighbouring steps, as a share of the step time.", "step times",
		run.Traits{Subject: "The difference of neighbouring steps", Section: run.SectionSteps, DependsOnOrder: true, InFindings: true, Depth: run.DepthStep,
			Formula: "median of |log t(i+1) − log t(i)| over the steps"})
	MeanMetric = shapeMetric(run.StepTimeMean, "s", "Mean step time, which is what a job pays for: spikes count in full.", "step times",
		run.Traits{Subject: "The mean step time", Section: run.SectionSteps, InFindings: true, Depth: run.DepthStep,
			Formula: "mean over steps of the median over ranks"})
)

// namesOf returns the names of metrics.
func namesOf(metrics []run.Metric) []string {
	out := make([]string, len(metrics))
	for i := range metrics {
		out[i] = metrics[i].Name
	}
	return out
}
