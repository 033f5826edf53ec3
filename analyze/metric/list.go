package metric

import (
	"slices"
	"sync"
)

// All lists every metric in the order in which people read them. It is one list for all
// callers, which do not change it.
func All() []Metric { return all() }

var all = sync.OnceValue(func() []Metric {
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
})

// places are where metrics stand in All, by name.
var places = sync.OnceValue(func() map[string]int {
	place := make(map[string]int)
	for i, m := range All() {
		place[m.Name] = i
	}
	return place
})
