package metric

import "slices"

// All lists every metric in the order in which people read them.
func All() []Metric {
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
