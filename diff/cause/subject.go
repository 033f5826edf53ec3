package cause

import (
	"cmp"
	"slices"

	"perfdiff/analyze/metric"
	"perfdiff/analyze/run"
	"perfdiff/diff/policy"
	"perfdiff/diff/verdict"
)

// What findings speak about and what late ranks do longer is said by the metrics themselves, in
// their Traits. They are taken from the list of metrics, and not from what the sets of a
// comparison hold: it is the same for both sides, and for summaries of earlier versions.

// subject is a metric that findings speak about, of another section than the metric's own
// where that is not "".
type subject struct {
	metric, section string
	kind            policy.Kind
}

// of returns s with the metric's own section if it has none.
func (s subject) of(c *verdict.Comparison) subject {
	return subject{s.metric, cmp.Or(s.section, c.Metric.Section), s.kind}
}

// partsOfStep are the parts of a step's time, in order of how much they explain where their sizes
// are equal, and supports what goes with a change of time without being one.
var partsOfStep, besideParts = subjects(true), subjects(false)

// subjects returns the metrics that have a place in the order of findings: the parts of the step, or all others.
func subjects(partOfStep bool) (out []subject) {
	chosen := slices.DeleteFunc(slices.Clone(metric.Descriptions()), func(m run.Metric) bool {
		return m.FindingOrder == 0 || m.PartOfStep != partOfStep
	})
	slices.SortFunc(chosen, func(a, b run.Metric) int { return cmp.Compare(a.FindingOrder, b.FindingOrder) })
	for _, m := range chosen {
		out = append(out, subjectOf(m.Name))
	}
	return out
}

// subjectOf returns a metric with the kind of the findings about it.
func subjectOf(name string) subject {
	for _, m := range metric.Descriptions() {
		if m.Name == name {
			return subject{metric: name, kind: policy.Kind(m.Finding)}
		}
	}
	return subject{metric: name}
}

// computeSkew is the lead of the rank that computes longest. It is not a part of the
// step: other ranks wait for it, in communication.
var computeSkew = subjectOf(run.ComputeSkew)

// The two parts of exposed communication, where they move against each other.
var exposedWait, exposedTransfer = subjectOf(run.ExposedWaitTime), subjectOf(run.ExposedTransferTime)

// onOneSideOnly lists the metrics that get a finding if only one side shows them: waits that cost time, so that a
// reader must not take a dash for zero.
var onOneSideOnly = func() (out []subject) {
	for _, m := range metric.Descriptions() {
		if m.OneSided {
			out = append(out, subject{metric: m.Name, kind: policy.KindOneSide})
		}
	}
	return out
}()

// lateWork lists the kinds of work with which a rank can be late, in the order of the list of metrics.
var lateWork = func() (out []run.Key) {
	for _, m := range metric.Descriptions() {
		for _, w := range m.RankWork {
			if w.Late {
				out = append(out, run.Key{Metric: m.Name, Part: w.Part})
			}
		}
	}
	return out
}()

// waitGroups holds the kinds of a rank's work that are blamed for waiting, by the name that a report calls them.
var waitGroups = func() map[string][]run.Key {
	out := map[string][]run.Key{}
	for _, m := range metric.Descriptions() {
		for _, w := range m.RankWork {
			if w.Group != "" {
				out[w.Group] = append(out[w.Group], run.Key{Metric: m.Name, Part: w.Part})
			}
		}
	}
	return out
}()

// computing is the work with which a rank is late that computes for longer.
var computing = run.Key{Metric: run.ComputeTime}
