package diff

import (
	"math"
	"slices"

	"perfdiff/analyze/run"
)

// noSteps is the gate where a side has no step to compare, or none of the same unit.
func (p *Judged) noSteps() Comparison {
	nan, reason := math.NaN(), ReasonNoSteps
	if p.unit != "" {
		reason = ReasonOtherSteps
	} else if p.loadsDiffer() {
		reason = ReasonLoad
	}
	return Comparison{
		Key: stepTime, Metric: run.Metric{Traits: stepMetric.Traits}, Gate: true, Reason: reason, Relative: true,
		Base: nan, Cand: nan, BaseMean: nan, CandMean: nan, Delta: nan,
		Estimate: nan, Lo: nan, Hi: nan, Detectable: nan, Shown: nan, WithinLo: nan, WithinHi: nan, Tipping: nan, FirstStep: nan, LastStep: nan, P: nan,
	}
}

// mergedMetrics are the metrics of both sides in the order of the baseline's
// list, then those that only the candidate has.
func mergedMetrics(base, cand []run.Metric) []run.Metric {
	out := slices.Clone(base)
	for _, m := range cand {
		if !slices.ContainsFunc(out, func(have run.Metric) bool { return have.Name == m.Name }) {
			out = append(out, m)
		}
	}
	return out
}

// stepMetric is the step time of sides whose summaries do not describe it.
var stepMetric = run.Metric{Name: stepTime.Metric, Unit: "s", Better: run.Lower, Main: true,
	Traits: run.Traits{Subject: "Step time", Section: run.SectionSteps, Depth: run.DepthStep}}

// Kernels have a table of their own.
const (
	kernelTime     = run.KernelTime
	kernelLaunches = run.KernelLaunches
)

// keys are the series of a metric on either side: itself, then its parts in
// order of name. A main metric is there even if no side recorded it.
func (p *Judged) keys(m run.Metric) []run.Key {
	if m.Name == kernelTime || m.Name == kernelLaunches {
		return nil
	}
	found := map[string]bool{}
	if m.Main {
		found[""] = true
	}
	for _, s := range []*side{p.base, p.cand} {
		var last *seriesIndex
		s.each(func(k *oneRank) {
			if k.series == last {
				return
			}
			last = k.series
			for i := range k.Series { // those that were forgotten too
				if k.Series[i].Metric == m.Name {
					found[k.Series[i].Part] = true
				}
			}
		})
	}
	var keys []run.Key
	for _, part := range sortedKeys(found) {
		keys = append(keys, run.Key{Metric: m.Name, Part: part})
	}
	return keys
}

// sameFiles reports whether both sides were read from the same content.
func sameFiles(base, cand *run.Set) bool {
	if base.Digest != "" && base.Digest == cand.Digest {
		return true
	}
	b, c := digests(base), digests(cand)
	return len(b) > 0 && slices.Equal(b, c)
}

// digests are the digests of the files that were read, in order.
func digests(s *run.Set) []string {
	var out []string
	for _, f := range s.Files {
		if f.Digest != "" && f.Err == "" {
			out = append(out, f.Digest)
		}
	}
	slices.Sort(out)
	return slices.Compact(out)
}
