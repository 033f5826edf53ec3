package metric

import (
	"slices"
	"sync"

	"perfdiff/analyze/run"
	"perfdiff/analyze/trace"
)

// All returns the list of all metrics, in the order in which people read them. Callers must not change it.
func All() []Metric { return all() }

var all func() []Metric

// init sets all, which functions of metrics ask for and which no initial value can be for
// that reason.
func init() { all = sync.OnceValue(listed) }

func listed() []Metric {
	out := slices.Concat(
		timeMetrics(),
		overlapMetrics(),
		inputMetrics(),
		ioMetrics(),
		gapMetrics(),
		idleMetrics(),
		faultMetrics(),
		collectiveMetrics(),
		waitMetrics(),
		dimensionMetrics(),
		pipelineMetrics(),
		pathMetrics(),
		bandwidthMetrics(),
		mpiMetrics(),
		glooMetrics(),
		memcpyMetrics(),
		memoryMetrics(),
		counterMetrics(),
		kernelMetrics(),
		flopsMetrics(),
		[]Metric{computeSkew()},
	)
	for i := range out {
		out[i].Metric = out[i].Needing(out[i].Remedy)
		out[i].MadeOfKernels = out[i].MadeOf&trace.Kernels != 0
	}
	return out
}

// Descriptions describes all metrics in the order of All. Callers must not change it.
func Descriptions() []run.Metric { return descriptions() }

var descriptions = sync.OnceValue(func() (out []run.Metric) {
	for _, m := range All() {
		out = append(out, m.Metric)
	}
	return out
})

// AddTraits adds to the metrics of a saved summary what no summary holds: their traits, and what they need in the
// words of each profiler. A metric that this perfdiff does not know gets none: it is shown as detail, in no section.
func AddTraits(saved []run.Metric) {
	for i := range saved {
		if at, known := placeByName()[saved[i].Name]; known {
			saved[i].Traits, saved[i].Remedy = All()[at].Traits, All()[at].Remedy
		}
	}
}

// Derivation returns how the values of a metric follow from others; the zero value if they do not,
// or if the metric is not known.
func Derivation(name string) run.Derivation {
	at, known := placeByName()[name]
	if !known {
		return run.Derivation{}
	}
	return All()[at].Derivation
}

// placeByName is the index of each metric in All.
var placeByName = sync.OnceValue(func() map[string]int {
	place := make(map[string]int)
	for i, m := range All() {
		place[m.Name] = i
	}
	return place
})
