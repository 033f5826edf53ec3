package metric

import (
	"slices"
	"sync"

	"perfdiff/analyze/run"
)

// All lists every metric in the order in which people read them. It is one list for all
// callers, which do not change it.
func All() []Metric { return all() }

var all func() []Metric

// init sets all, which functions of metrics ask for and which no initial value can be for
// that reason.
func init() { all = sync.OnceValue(listed) }

func listed() []Metric {
	return slices.Concat(
		timeMetrics(),
		overlapMetrics(),
		inputMetrics(),
		ioMetrics(),
		gapMetrics(),
		idleMetrics(),
		collectiveMetrics(),
		waitMetrics(),
		bandwidthMetrics(),
		mpiMetrics(),
		glooMetrics(),
		memcpyMetrics(),
		counterMetrics(),
		kernelMetrics(),
		[]Metric{computeSkew()},
	)
}

// Descriptions describe every metric, in the order of All and for users of each profiler.
// It is one list for all callers, which do not change it.
func Descriptions() []run.Metric { return descriptions() }

var descriptions = sync.OnceValue(func() (out []run.Metric) {
	for _, m := range All() {
		out = append(out, Described(m.Metric))
	}
	return out
})

// AddTraits gives the metrics of a saved summary the traits that no summary holds. One that
// this perfdiff does not know keeps none: it is detail of no section.
func AddTraits(saved []run.Metric) {
	for i := range saved {
		if at, known := placeByName()[saved[i].Name]; known {
			saved[i].Traits = All()[at].Traits
		}
	}
}

// Derivation is what the values of a metric are made of; nothing of one that is not known.
func Derivation(name string) run.Derivation {
	at, known := placeByName()[name]
	if !known {
		return run.Derivation{}
	}
	return All()[at].Derivation
}

// placeByName are where metrics stand in All, by name.
var placeByName = sync.OnceValue(func() map[string]int {
	place := make(map[string]int)
	for i, m := range All() {
		place[m.Name] = i
	}
	return place
})
