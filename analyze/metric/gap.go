package metric

import (
	"math"
	"slices"

	"perfdiff/analyze/interval"
	"perfdiff/analyze/run"
	"perfdiff/analyze/trace"
)

// shortestGap is what counts as a gap: kernels that follow each other on a
// stream are a launch latency of up to a microsecond apart. Shorter stretches
// are in idle_time all the same.
const shortestGap = 1000 // ns

// shortGap is up to where a gap is what launching costs.
const shortGap = 100_000 // ns

// gapMetrics measure the stretches with nothing on the device, over all its
// streams (NVIDIA's gpu_gaps rule), within a step.
func gapMetrics() []Metric {
	of := func(name, unit, doc string, value func([]int64) (float64, bool)) Metric {
		return Metric{
			Metric:   run.Metric{Name: name, Unit: unit, Better: run.Lower, Doc: doc, Needs: needsDevice},
			Requires: trace.HasDevice,
			Measure: func(s *Step, emit Emit) {
				if v, ok := value(s.gapLengths); ok {
					emit("", v)
				}
			},
		}
	}
	quantile := func(q float64) func([]int64) (float64, bool) {
		return func(gaps []int64) (float64, bool) {
			if len(gaps) == 0 {
				return 0, false
			}
			return seconds(trace.Select(gaps, int(math.Ceil(q*float64(len(gaps))))-1)), true
		}
	}
	return []Metric{
		of("gap_count", "1", "Number of gaps of at least 1 us.",
			func(g []int64) (float64, bool) { return float64(len(g)), true }),
		of("gap_time", "s", "Total of the gaps of at least 1 us.", func(g []int64) (float64, bool) {
			var sum int64
			for _, v := range g {
				sum += v
			}
			return seconds(sum), true
		}),
		of("short_gap_time", "s", "Total of the gaps of 1 to 100 us: what launching costs where nothing waits.", func(g []int64) (float64, bool) {
			var sum int64
			for _, v := range g {
				if v < shortGap {
					sum += v
				}
			}
			return seconds(sum), true
		}),
		of("gap_p50", "s", "Length that half of the gaps of a step do not exceed.", quantile(.5)),
		of("gap_p90", "s", "Length that 90 % of the gaps of a step do not exceed.", quantile(.9)),
		of("gap_p99", "s", "Length that 99 % of the gaps of a step do not exceed.", quantile(.99)),
		{
			Metric: run.Metric{Name: "gap_before", Unit: "s", Better: run.Lower, Part: "collective",
				Doc: "Median gap that ends with the start of a collective; 0 where the device was busy.", Needs: needsDevice},
			Requires: trace.HasDevice,
			Measure:  gapBefore,
			Absent:   math.NaN(),
		},
	}
}

// gapLengths are the lengths of the gaps that count, appended to out.
func gapLengths(out []int64, gaps interval.Set) []int64 {
	for _, g := range gaps {
		if n := g.End - g.Start; n >= shortestGap {
			out = append(out, n)
		}
	}
	return out
}

func gapBefore(s *Step, emit Emit) {
	sums, g := s.summed(), s.Gaps
	for i := range s.Device {
		sp := &s.Device[i]
		if sp.Class != trace.Comm {
			continue
		}
		for len(g) > 0 && g[0].End < sp.Start {
			g = g[1:]
		}
		length := int64(0)
		if len(g) > 0 && g[0].End == sp.Start {
			length = g[0].End - g[0].Start
		}
		c := sums.collective(sp.Coll)
		c.before = append(c.before, seconds(length))
	}
	for i := range sums.collectives {
		c := &sums.collectives[i]
		emit(s.Trace.Names.Text(c.name), median(c.before))
		c.before = c.before[:0]
	}
}

// median is the middle value, the mean of the two middle ones of an even
// number; it reorders v, which must not be empty.
func median(v []float64) float64 {
	slices.Sort(v)
	n := len(v)
	return (v[(n-1)/2] + v[n/2]) / 2
}
