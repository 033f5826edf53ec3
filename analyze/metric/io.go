package metric

import (
	"slices"

	"perfdiff/analyze/interval"
	"perfdiff/analyze/run"
	"perfdiff/analyze/trace"
)

// Sources of bytes read and written, best first. The return values of OS calls
// are none: they are not recorded.
const (
	sourceStorage = "storage counters of the node"
	sourceFiles   = "file access events"
	sourceH2D     = "host-to-device copies, a proxy: what reached the device, not what was read"
)

const needsBytes = "storage counters (--storage-metrics), or file accesses: record with --trace=osrt --osrt-file-access=true"

// ioMetrics measure what is read and written: by storage counters, which are of the whole node,
// or by file accesses of the rank.
func ioMetrics() []Metric {
	return append([]Metric{
		{
			Metric: run.Metric{Name: run.IOReadThroughput, Unit: "B/s", Better: run.Higher, Main: true,
				Doc: "Bytes read in the step over its duration: by this rank, or by its node where the source is the node's.", Needs: needsBytes,
				Traits: run.Traits{Subject: "Read throughput", Section: run.SectionIO, Finding: "read-throughput", FindingOrder: 1, Formula: "io_read_bytes / step_time"}},
			MadeOf: trace.FileAccesses,
			Measure: func(s *Step, emit Emit) {
				if bytes, ok := bytesMoved(s, trace.OpRead); ok && s.Time > 0 {
					emit("", bytes/seconds(s.Time))
				}
			},
			Source: readSource,
		},
		{
			Metric: run.Metric{Name: run.IOWriteThroughput, Unit: "B/s", Better: run.Higher,
				Doc: "Bytes written in the step over its duration: by this rank, or by its node where the source is the node's.", Needs: needsBytes,
				Traits: run.Traits{Section: run.SectionIO, Formula: "bytes written / step_time"}},
			MadeOf: trace.FileAccesses,
			Measure: func(s *Step, emit Emit) {
				if bytes, ok := bytesMoved(s, trace.OpWrite); ok && s.Time > 0 {
					emit("", bytes/seconds(s.Time))
				}
			},
			Source: fileSource,
		},
		{
			Metric: run.Metric{Name: run.IOReadBytes, Unit: "B", Better: run.Neither,
				Doc: "Bytes read in the step: by this rank, or by its node where the source is the node's.", Needs: needsBytes,
				Traits: run.Traits{Section: run.SectionIO,
					Formula:    "sum over reads, one that crosses an edge of the step by the share of its time inside",
					Derivation: run.Derivation{By: run.ByProduct, Of: run.IOReadThroughput, With: run.StepTime}}},
			MadeOf: trace.FileAccesses,
			Measure: func(s *Step, emit Emit) {
				if bytes, _ := bytesMoved(s, trace.OpRead); fileSource(s.Rank) != "" {
					emit("", bytes)
				}
			},
			Source: fileSource,
		},
	}, requestMetrics()...)
}

// requestMetrics measure single reads.
func requestMetrics() []Metric {
	of := func(name, unit, doc, formula string, better run.Better, value func(requests) float64) Metric {
		return Metric{
			Metric: run.Metric{Name: name, Unit: unit, Better: better, Doc: doc, Needs: "file accesses: record with --trace=osrt --osrt-file-access=true",
				Traits: run.Traits{Section: run.SectionIO, Formula: formula}},
			Requires: trace.HasFileBytes,
			MadeOf:   trace.FileAccesses,
			Measure: func(s *Step, emit Emit) {
				if r := readsOf(s); len(r.times) > 0 {
					emit("", value(r))
				}
			},
		}
	}
	return []Metric{
		of(run.IORequestSize, "B", "Mean size of the reads that start in the step.", "bytes / reads, of those that moved any", run.Neither,
			func(r requests) float64 { return r.bytes / float64(len(r.times)) }),
		of(run.IOReadLatency, "s", "Median duration of the reads that start in the step.", "median over the reads that moved any bytes", run.Lower,
			func(r requests) float64 { return median(r.times) }),
		of(run.IOLargeReadShare, "ratio", "Share of the bytes read that come in aligned requests of at least 128 KiB, multiples of 4 KiB, as direct reads are.",
			"bytes of large aligned reads / bytes of all; open(2), O_DIRECT", run.Neither,
			func(r requests) float64 { return r.large / r.bytes }),
	}
}

// requests are the reads of a step that moved any bytes.
type requests struct {
	times        []float64 // s
	bytes, large float64
}

// largeRead is the least size in bytes of a large read; aligned is what its
// size is a multiple of.
const (
	largeRead = 128 << 10
	aligned   = 4 << 10
)

func readsOf(s *Step) (r requests) {
	list := s.Rank.touching(s.Step.Start, s.Step.End)
	for i := range list {
		a := &list[i]
		if a.Op != trace.OpRead || a.Bytes == 0 || a.Start < s.Step.Start {
			continue
		}
		r.times = append(r.times, seconds(a.End-a.Start))
		r.bytes += float64(a.Bytes)
		if a.Bytes >= largeRead && a.Bytes%aligned == 0 {
			r.large += float64(a.Bytes)
		}
	}
	return r
}

// fileSource says where the bytes of files are known from; "" if they are not.
func fileSource(r *Rank) string {
	switch {
	case r.Trace.Recorded.Has(trace.HasStorage):
		return sourceStorage
	case r.Trace.Recorded.Has(trace.HasFileBytes):
		return sourceFiles
	}
	return ""
}

func readSource(r *Rank) string {
	if source := fileSource(r); source != "" || !r.toDevice {
		return source
	}
	return sourceH2D
}

// bytesMoved is the sum of bytes read or written in the step. What crosses an edge of it counts
// by the share of its time inside.
func bytesMoved(s *Step, op trace.Op) (bytes float64, ok bool) {
	lo, hi := s.Step.Start, s.Step.End
	switch source := fileSource(s.Rank); {
	case source == sourceStorage:
		kind := map[trace.Op]trace.CounterKind{trace.OpRead: trace.StorageRead, trace.OpWrite: trace.StorageWrite}[op]
		return counterSum(s.Trace.Counters, kind, lo, hi), true
	case source == sourceFiles:
		list := s.Rank.touching(lo, hi)
		for i := range list { // copying one costs more than all else here
			if a := &list[i]; a.Op == op {
				bytes += float64(interval.Share(a.Start, a.End, lo, hi) * float64(a.Bytes))
			}
		}
		return bytes, true
	case op == trace.OpRead && s.Rank.toDevice:
		for _, sp := range s.copied {
			if sp.Copy.String() == "h2d" {
				bytes += float64(sp.Bytes)
			}
		}
		return bytes, true
	}
	return 0, false
}

// touching returns the accesses that can reach into [lo, hi). They are in order of
// start, and none lasts longer than the rank's longest.
func (r *Rank) touching(lo, hi int64) []trace.FileAccess {
	byStart := func(a trace.FileAccess, t int64) int {
		if a.Start < t {
			return -1
		}
		return 1
	}
	all := r.Trace.Access
	i, _ := slices.BinarySearchFunc(all, lo-r.longestAccess, byStart)
	j, _ := slices.BinarySearchFunc(all, hi, byStart)
	return all[i:j]
}

// longestAccess is the length of the longest file access, in ns; a call that blocks
// longer than ten seconds is cut there.
func longestAccess(all []trace.FileAccess) int64 {
	longest := int64(0)
	for i := range all {
		longest = max(longest, all[i].End-all[i].Start)
	}
	return min(longest, 10e9)
}
