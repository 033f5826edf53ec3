package metric

import (
	"slices"

	"perfdiff/analyze/order"
	"perfdiff/analyze/run"
	"perfdiff/analyze/source/remedy"
	"perfdiff/analyze/trace"
)

var needsBytes = remedy.Of(remedy.ReadBytes)

// ioMetrics measure what is read and written. Storage counters are of the whole
// node, file accesses of the rank; a capture that holds both gives the values of both.
func ioMetrics() []Metric {
	return append([]Metric{
		byBytes(run.Metric{Name: run.IOReadThroughput, Unit: "B/s", Better: run.Higher, Main: true,
			Doc:    "Bytes read in the step over its duration: by this rank, or by all nodes where the source is the nodes'.",
			Traits: run.Traits{Subject: "Read throughput", Section: run.SectionIO, Finding: "read-throughput", FindingOrder: 1, Formula: "io_read_bytes / step_time"}},
			func(s *Step, f *flow) (float64, bool) { return f.bytes / seconds(s.Time), s.Time > 0 }, trace.OpRead),
		byBytes(run.Metric{Name: run.IOWriteThroughput, Unit: "B/s", Better: run.Higher,
			Doc:    "Bytes written in the step over its duration: by this rank, or by all nodes where the source is the nodes'.",
			Traits: run.Traits{Section: run.SectionIO, Formula: "bytes written / step_time"}},
			func(s *Step, f *flow) (float64, bool) { return f.bytes / seconds(s.Time), s.Time > 0 }, trace.OpWrite),
		byBytes(run.Metric{Name: run.IOReadBytes, Unit: "B", Better: run.Neither,
			Doc: "Bytes read in the step: by this rank, or by all nodes where the source is the nodes'.",
			Traits: run.Traits{Section: run.SectionIO,
				Formula:    "sum over reads or samples, one that crosses an edge of the step by the share of its time inside",
				Derivation: run.Derivation{By: run.ByProduct, Of: run.IOReadThroughput, With: run.StepTime}}},
			func(_ *Step, f *flow) (float64, bool) { return f.bytes, true }, trace.OpRead),
		byBytes(run.Metric{Name: run.IOReadBurstRate, Unit: "B/s", Better: run.Higher,
			Doc: "Bytes read over the time in which reading goes on: by this rank, or by all nodes, each while it reads, where the source is the nodes'.",
			Traits: run.Traits{Subject: "The rate of reads while they go on", Section: run.SectionIO, InFindings: true, Finding: "read-bursts",
				Formula: "bytes / length of the union of reads; of counters over the samples with at least half the rate at which the middle byte of the step was read"}},
			func(_ *Step, f *flow) (float64, bool) { return f.burst / seconds(f.time), f.time > 0 }, trace.OpRead),
		byBytes(run.Metric{Name: run.IOReadTimeShare, Unit: "ratio", Better: run.Neither,
			Doc:    "Share of the step in which reading goes on, as io_read_burst_rate has it.",
			Traits: run.Traits{Subject: "The share of time with reads", Section: run.SectionIO, Formula: "time of reading / step_time"}},
			func(s *Step, f *flow) (float64, bool) { return seconds(f.time) / seconds(s.Time), s.Time > 0 }, trace.OpRead),
		rankReads(),
	}, requestMetrics()...)
}

// rankReads returns the read throughput of the rank itself, which storage counters of its node cannot tell.
func rankReads() Metric {
	return Metric{
		Metric: run.Metric{Name: run.IORankReadThroughput, Unit: "B/s", Better: run.Higher, Remedy: remedy.Of(remedy.FileAccesses),
			Doc:    "Bytes that the rank itself read in the step over its duration.",
			Traits: run.Traits{Subject: "The read throughput of a rank", Section: run.SectionIO, Formula: "bytes of its file accesses / step_time"}},
		Requires: trace.HasFileBytes,
		MadeOf:   trace.FileAccesses,
		Measure: func(s *Step, emit Emit) {
			if s.Time > 0 {
				emit("", s.accessed(trace.OpRead).bytes/seconds(s.Time))
			}
		},
	}
}

// byBytes returns a metric of the bytes read or written in a step, from either source.
func byBytes(m run.Metric, value func(*Step, *flow) (float64, bool), op trace.Op) Metric {
	m.Remedy = needsBytes
	of := func(name string, requires trace.Recorded, madeOf trace.Content, in func(*Step, trace.Op) *flow) Source {
		return Source{name, requires, madeOf, func(s *Step, emit Emit) {
			if v, ok := value(s, in(s, op)); ok {
				emit("", v)
			}
		}}
	}
	return Metric{Metric: m, MadeOf: trace.FileAccesses, Sources: []Source{
		of(run.SourceStorage, trace.HasStorage, 0, (*Step).sampled),
		of(run.SourceFiles, trace.HasFileBytes, trace.FileAccesses, (*Step).accessed),
	}}
}

// requestMetrics measure single reads.
func requestMetrics() []Metric {
	of := func(name, unit, doc, formula string, better run.Better, value func(requests) float64) Metric {
		return Metric{
			Metric: run.Metric{Name: name, Unit: unit, Better: better, Doc: doc, Remedy: remedy.Of(remedy.FileAccesses),
				Traits: run.Traits{Section: run.SectionIO, Formula: formula}},
			Requires: trace.HasFileBytes,
			MadeOf:   trace.FileAccesses,
			Measure: func(s *Step, emit Emit) {
				if r := s.requests(); len(r.times) > 0 {
					emit("", value(r))
				}
			},
		}
	}
	return []Metric{
		of(run.IORequestSize, "B", "Mean size of the reads that start in the step.", "bytes / reads, of those that moved any", run.Neither,
			func(r requests) float64 { return r.bytes / float64(len(r.times)) }),
		of(run.IOReadLatency, "s", "Median duration of the reads that start in the step.", "median over the reads that moved any bytes", run.Lower,
			func(r requests) float64 { return order.Median(r.times) }),
		of(run.IOReadLatencyP99, "s", "Duration that 99 % of the reads that start in the step do not exceed.",
			"the ⌈0.99·n⌉th of the n reads that moved any bytes, in order of duration (nearest rank)", run.Lower,
			func(r requests) float64 { return r.times[order.NearestRank(len(r.times), 0.99)] }),
		of(run.IOParallelReaders, "1", "Threads that read at once, on average over the time in which any does.",
			"sum over threads of the time in which they read / length of the union of reads", run.Neither,
			func(r requests) float64 { return r.readers }),
		of(run.IOLargeReadShare, "ratio", "Share of the bytes read that come in aligned requests of at least 128 KiB, multiples of 4 KiB, as direct reads are.",
			"bytes of large aligned reads / bytes of all; open(2), O_DIRECT", run.Neither,
			func(r requests) float64 { return r.large / r.bytes }),
	}
}

// requests are the reads of a step that moved any bytes.
type requests struct {
	times        []float64 // s, of those that start in it
	bytes, large float64   // of these
	readers      float64   // threads at once, of those that touch it
}

// largeRead is the least size in bytes of a large read; the size of an aligned read is a multiple of aligned.
const (
	largeRead = 128 << 10
	aligned   = 4 << 10
)

// requests returns the requests of the step, computed once.
func (s *Step) requests() requests {
	if s.reads.requests != nil {
		return *s.reads.requests
	}
	r := &requests{times: s.reads.times[:0], readers: s.accessed(trace.OpRead).readers}
	list := s.Rank.touching(s.Step.Start, s.Step.End)
	for i := range list {
		a := &list[i]
		if a.Op != trace.OpRead || a.Bytes == 0 || a.Start < s.Step.Start {
			continue
		}
		if s.Step.Dropped == "" {
			s.Rank.read(a)
		}
		r.times = append(r.times, seconds(a.End-a.Start))
		r.bytes += float64(a.Bytes)
		if a.Bytes >= largeRead && a.Bytes%aligned == 0 {
			r.large += float64(a.Bytes)
		}
	}
	slices.Sort(r.times)
	s.reads.requests, s.reads.times = r, r.times
	return *r
}

// read keeps the size and the duration of a read of a kept step.
func (r *Rank) read(a *trace.FileAccess) {
	if r.Reads == nil {
		r.Reads = new(run.Reads)
	}
	r.Reads.Sizes.Add(a.Bytes)
	r.Reads.Times.Add(max(0, a.End-a.Start))
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

// longestAccess returns the length of the longest file access, in ns; a call that blocks
// longer than ten seconds is cut there.
func longestAccess(all []trace.FileAccess) int64 {
	longest := int64(0)
	for i := range all {
		longest = max(longest, all[i].End-all[i].Start)
	}
	return min(longest, 10e9)
}
