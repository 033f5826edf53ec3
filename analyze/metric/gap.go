package metric

import (
	"math"
	"slices"

	"perfdiff/analyze/interval"
	"perfdiff/analyze/order"
	"perfdiff/analyze/run"
	"perfdiff/analyze/trace"
)

// minGap is the shortest stretch that counts as a gap, in ns: kernels that follow each other
// on a stream start up to a microsecond apart. Shorter stretches are part of idle_time all the
// same. Chosen, not measured: it is the finest that page and histogram tell apart.
const minGap = 1000 // ns

// maxShortGap is the length, in ns, up to which a gap is taken for the cost of a launch.
const maxShortGap = 100_000 // ns

// quantileFormula says how a quantile of the gaps is chosen, for the formulas of metrics.
const quantileFormula = "the ⌈q·n⌉th of the n gaps of at least 1 us, in order of length (nearest rank)"

// gapMetrics measure the stretches of a step in which no stream of the device does anything
// (NVIDIA's gpu_gaps rule).
func gapMetrics() []Metric {
	of := func(name, unit, doc, formula string, value func(*Step) (float64, bool)) Metric {
		return Metric{
			Metric: run.Metric{Name: name, Unit: unit, Better: run.Lower, Doc: doc, Remedy: needsDevice,
				Traits: run.Traits{Section: run.SectionGaps, Formula: formula}},
			Requires: trace.HasDevice,
			MadeOf:   deviceWork,
			Measure: func(s *Step, emit Emit) {
				if v, ok := value(s); ok {
					emit("", v)
				}
			},
		}
	}
	quantile := func(i int) func(*Step) (float64, bool) {
		return func(s *Step) (float64, bool) { return seconds(s.gapQuantiles[i]), len(s.gapLengths) > 0 }
	}
	return []Metric{
		of(run.GapCount, "1", "Number of gaps of at least 1 us.",
			"stretches of the step without anything on any stream; Nsight Systems: the rule gpu_gaps",
			func(s *Step) (float64, bool) { return float64(len(s.gapLengths)), true }),
		of(run.GapTime, "s", "Total of the gaps of at least 1 us.", "idle_time less gaps under 1 us", func(s *Step) (float64, bool) {
			var sum int64
			for _, v := range s.gapLengths {
				sum += v
			}
			return seconds(sum), true
		}).derivedFrom(run.ByFactor, run.IdleTime, ""),
		of(run.ShortGapTime, "s", "Total of the gaps of 1 to 100 us: what launching costs where nothing waits.",
			"sum of the gaps from 1 us to under 100 us", func(s *Step) (float64, bool) {
				var sum int64
				for _, v := range s.gapLengths {
					if v < maxShortGap {
						sum += v
					}
				}
				return seconds(sum), true
			}),
		of(run.GapP50, "s", "Length that half of the gaps of a step do not exceed.", quantileFormula, quantile(0)),
		of(run.GapP90, "s", "Length that 90 % of the gaps of a step do not exceed.", quantileFormula, quantile(1)),
		of(run.GapP99, "s", "Length that 99 % of the gaps of a step do not exceed.", quantileFormula, quantile(2)),
		{
			Metric: run.Metric{Name: run.GapBefore, Unit: "s", Better: run.Lower, Part: "collective",
				Doc: "Median gap that ends with the start of a collective; 0 where the device was busy.", Remedy: needsDevice,
				Traits: run.Traits{Section: run.SectionCollectives, InFindings: true,
					Formula: "median over its kernels of the length of the gap that ends where they begin"}},
			Requires: trace.HasDevice,
			MadeOf:   deviceWork | trace.Kinds,
			Measure:  gapBefore,
			Absent:   math.NaN(),
		},
		{
			Metric: run.Metric{Name: run.TimeToCollective, Unit: "s", Part: "collective",
				Doc: "From the start of a step to its first collective of a kind.", Remedy: needsDevice,
				Traits: run.Traits{Section: run.SectionCollectives, TablesOnly: true,
					Formula: "begin of the first of its kernels that start in the step \u2212 begin of the step"}},
			Requires: trace.HasDevice,
			MadeOf:   deviceWork | trace.Kinds,
			Measure:  timeToCollective,
			Absent:   math.NaN(),
		},
	}
}

// gapQuantiles returns the lengths that half, 90 % and 99 % of the gaps do not exceed. Each search continues among the
// gaps that the one before left above its quantile.
func gapQuantiles(gaps []int64) (out [3]int64) {
	if len(gaps) <= maxSortedGaps { // so few are in order in the time that looking for one takes
		slices.Sort(gaps)
	}
	if len(gaps) >= minBinnedGaps {
		return binnedQuantiles(gaps)
	}
	from := 0
	for i := range quantiles {
		if len(gaps) == 0 {
			break
		}
		at := order.NearestRank(len(gaps), quantiles[i])
		if len(gaps) <= maxSortedGaps {
			out[i] = gaps[at]
			continue
		}
		out[i] = order.Select(gaps[from:], at-from)
		from = at
	}
	return out
}

// quantiles are the quantiles of a step's gaps that are measured.
var quantiles = [...]float64{.5, .9, .99}

const maxSortedGaps = 32

// gapLengths returns the lengths of the gaps that count, in ns, in the memory of room if that is large enough. New
// memory is not cleared, as in interval.Set.Room.
func gapLengths(room []int64, gaps interval.Set) []int64 {
	out := room[:0]
	if cap(out) < len(gaps) {
		out = make([]int64, 0, len(gaps))
	}
	for _, g := range gaps {
		if n := g.End - g.Start; n >= minGap {
			out = append(out, n)
		}
	}
	return out
}

func gapBefore(s *Step, emit Emit) {
	sums, g := s.workSums(), s.Gaps
	for _, sp := range s.comms {
		for len(g) > 0 && g[0].End < sp.Start {
			g = g[1:]
		}
		length := int64(0)
		if len(g) > 0 && g[0].End == sp.Start {
			length = g[0].End - g[0].Start
		}
		c := sums.collective(s.Trace.Messages.Coll(sp))
		c.before = append(c.before, seconds(length))
	}
	for i := range sums.collectives {
		c := &sums.collectives[i]
		emit(s.Trace.Names.Text(c.name), order.Median(c.before))
		c.before = c.before[:0]
	}
}

func timeToCollective(s *Step, emit Emit) {
	var seen []trace.NameID
	for _, sp := range s.comms {
		if id := s.Trace.Messages.Coll(sp); !slices.Contains(seen, id) {
			seen = append(seen, id)
			emit(s.Trace.Names.Text(id), seconds(sp.Start-s.Window.Step.Start))
		}
	}
}
