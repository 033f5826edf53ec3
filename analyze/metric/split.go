package metric

import (
	"perfdiff/analyze/collective"
	"perfdiff/analyze/run"
	"perfdiff/analyze/trace"
)

// stepSplit is what the communication of a step of a rank splits into, in ns.
type stepSplit struct {
	wait, transfer map[string]int64
	skew, kernels  int64
	bus, busTime   map[string]float64 // bytes times factor, and s of transfer, by size class
	last           int64              // kernels at which this rank arrived last
	uneven         map[string]meanOf  // of the messages of all-to-alls
	open           map[string]bool    // collectives with a kernel that could not be split
}

// meanOf is a mean in the making.
type meanOf struct {
	sum float64
	n   int
}

// sizeClass is the class of a message: links reach their bandwidth with large ones
// only.
func sizeClass(bytes int64) string {
	switch {
	case bytes < 64<<10:
		return "under 64 KiB"
	case bytes < 1<<20:
		return "64 KiB to 1 MiB"
	case bytes < 16<<20:
		return "1 to 16 MiB"
	case bytes < 256<<20:
		return "16 to 256 MiB"
	}
	return "256 MiB and more"
}

// add counts a kernel that was split.
func (x *stepSplit) add(s *collective.Span, split collective.Split, last bool) {
	if x.wait == nil {
		x.wait, x.transfer = map[string]int64{}, map[string]int64{}
	}
	transfer := s.End - s.Start - split.Wait
	x.wait[s.Kind] += split.Wait
	x.transfer[s.Kind] += transfer
	if f := trace.BusFactor(s.Kind, s.Ranks); f > 0 && s.Bytes > 0 {
		if x.bus == nil {
			x.bus, x.busTime = map[string]float64{}, map[string]float64{}
		}
		class := s.Kind + " " + sizeClass(s.Bytes)
		x.bus[class] += float64(float64(s.Bytes) * f)
		x.busTime[class] += seconds(transfer)
	}
	x.skew += split.Skew
	x.kernels++
	if last {
		x.last++
	}
}

// leave counts a kernel that was not split.
func (x *stepSplit) leave(s *collective.Span) {
	if x.open == nil {
		x.open = map[string]bool{}
	}
	x.open[s.Kind] = true
}

// addSize counts how even the messages of an all-to-all are.
func (x *stepSplit) addSize(s *collective.Span, split collective.Split) {
	if split.Uneven < 0 {
		return
	}
	if x.uneven == nil {
		x.uneven = map[string]meanOf{}
	}
	m := x.uneven[s.Kind]
	x.uneven[s.Kind] = meanOf{m.sum + float64(split.Uneven), m.n + 1}
}

// put adds the values of step i; a step without a collective neither waits nor
// transfers. A collective of which a kernel could not be split has no value, and the
// totals then neither, but for point-to-point kernels, which are in no total: a step that
// holds nothing else has none. Nor are there totals where a graph replay may hide more.
func (x *stepSplit) put(series *collector, i int, hidden bool) {
	whole, known := !hidden, x.kernels > 0 || len(x.open) == 0
	for kind := range x.open {
		whole = whole && kind == sendRecv
	}
	sum := func(metric string, of map[string]int64) {
		total := int64(0)
		for kind, ns := range of {
			if !x.open[kind] {
				series.put(metric, kind, i, seconds(ns))
				total += ns
			}
		}
		if whole && known {
			series.put(metric, "", i, seconds(total))
		}
	}
	sum(run.CommWaitTime, x.wait)
	sum(run.CommTransferTime, x.transfer)
	for kind, m := range x.uneven {
		series.put(run.MessageImbalance, kind, i, m.sum/float64(m.n))
	}
	if known {
		series.put(run.LastArrivals, "", i, float64(x.last))
	}
	if x.kernels == 0 {
		return
	}
	for class, bus := range x.bus {
		if x.busTime[class] > 0 {
			series.put(run.TransferBandwidth, class, i, bus/x.busTime[class])
		}
	}
	series.put(run.ArrivalSkew, "", i, seconds(x.skew)/float64(x.kernels))
}
