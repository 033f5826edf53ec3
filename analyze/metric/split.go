package metric

import (
	"math"

	"perfdiff/analyze/collective"
	"perfdiff/analyze/run"
	"perfdiff/analyze/trace"
)

// stepSplit holds the parts of a rank's communication in one step, in ns.
type stepSplit struct {
	kinds            []kindSplit // in the order in which they first occur
	classes          []classSplit
	skew, kernels    int64
	last             int64                  // kernels at which this rank arrived last
	messageImbalance map[string]runningMean // of the messages of all-to-alls
	routed           int64                  // bytes, of all-to-alls
	partly           bool                   // it is not known of all of them
	unsplit          map[string]bool        // collectives with a kernel that could not be split
}

// kindSplit holds the waiting and the transfer of the kernels of one collective, in ns.
type kindSplit struct {
	kind           string
	wait, transfer int64
}

// classSplit holds what the messages of one size class sent: bytes times the bus factor, and the seconds of their
// transfer.
type classSplit struct {
	kind, class string
	bus, time   float64
}

// runningMean adds up values for their mean.
type runningMean struct {
	sum float64
	n   int
}

// sizeClasses are the classes of messages by their bytes, and below how many each one ends.
var sizeClasses = []struct {
	below int64
	name  string
}{{64 << 10, "under 64 KiB"}, {1 << 20, "64 KiB to 1 MiB"}, {16 << 20, "1 to 16 MiB"}, {256 << 20, "16 to 256 MiB"}, {math.MaxInt64, "256 MiB and more"}}

// sizeRank returns the place of a class of messages among all.
func sizeRank(class string) int {
	for i := range sizeClasses {
		if sizeClasses[i].name == class {
			return i
		}
	}
	return -1
}

// sizeClass returns the class of a message by its bytes: links reach their bandwidth only with large ones.
func sizeClass(bytes int64) string {
	for i := range sizeClasses {
		if bytes < sizeClasses[i].below {
			return sizeClasses[i].name
		}
	}
	return sizeClasses[len(sizeClasses)-1].name
}

// add counts a kernel that was split.
func (x *stepSplit) add(s *collective.Span, split collective.Split, last bool) {
	transfer := s.End - s.Start - split.Wait
	of := x.ofKind(s.Kind)
	of.wait, of.transfer = of.wait+split.Wait, of.transfer+transfer
	if bus := busBytes(s); bus > 0 {
		sent := x.ofClass(s.Kind, sizeClass(s.Bytes))
		sent.bus += bus
		sent.time += seconds(transfer)
	}
	x.skew += split.Skew
	x.kernels++
	if last {
		x.last++
	}
}

// busBytes returns how many bytes a link carries for a message, as nccl-tests counts it; 0 unknown.
func busBytes(s *collective.Span) float64 {
	f := trace.BusFactor(s.Kind, s.Ranks)
	if f <= 0 || s.Bytes <= 0 {
		return 0
	}
	return float64(float64(s.Bytes) * f)
}

// ofKind returns the sum of the kernels of a collective.
func (x *stepSplit) ofKind(kind string) *kindSplit {
	for i := range x.kinds {
		if x.kinds[i].kind == kind {
			return &x.kinds[i]
		}
	}
	x.kinds = append(x.kinds, kindSplit{kind: kind})
	return &x.kinds[len(x.kinds)-1]
}

// ofClass returns the sum of the kernels of a collective with messages of a class.
func (x *stepSplit) ofClass(kind, class string) *classSplit {
	for i := range x.classes {
		if c := &x.classes[i]; c.kind == kind && c.class == class {
			return c
		}
	}
	x.classes = append(x.classes, classSplit{kind: kind, class: class})
	return &x.classes[len(x.classes)-1]
}

// addUnsplit counts a kernel that could not be split.
func (x *stepSplit) addUnsplit(s *collective.Span) {
	if x.unsplit == nil {
		x.unsplit = map[string]bool{}
	}
	x.unsplit[s.Kind] = true
}

// addMessageImbalance counts how much the messages of an all-to-all differ over the ranks.
func (x *stepSplit) addMessageImbalance(s *collective.Span, split collective.Split) {
	if split.Uneven < 0 {
		return
	}
	if x.messageImbalance == nil {
		x.messageImbalance = map[string]runningMean{}
	}
	m := x.messageImbalance[s.Kind]
	x.messageImbalance[s.Kind] = runningMean{m.sum + float64(split.Uneven), m.n + 1}
}

// addRouted adds up what all-to-alls route to the rank.
func (x *stepSplit) addRouted(s *collective.Span, split collective.Split) {
	x.routed += split.Routed
	x.partly = x.partly || s.ToAll() && split.Routed == 0
}

// put writes the values of step i. A step without any collective waits and transfers for 0 s. A
// collective has no value if one of its kernels could not be split, and then neither have the
// totals. Point-to-point kernels are in no total; a step that has only these has no totals. Nor
// has a step in which the replay of a graph may hide more (hidden).
func (x *stepSplit) put(series *seriesBuilder, i int, hidden bool) {
	whole, known := !hidden, x.kernels > 0 || len(x.unsplit) == 0
	for kind := range x.unsplit {
		whole = whole && kind == sendRecv
	}
	sum := func(metric string, of func(*kindSplit) int64) {
		total := int64(0)
		for k := range x.kinds {
			if kind := &x.kinds[k]; !x.unsplit[kind.kind] {
				series.put(metric, kind.kind, i, seconds(of(kind)))
				total += of(kind)
			}
		}
		if whole && known {
			series.put(metric, "", i, seconds(total))
		}
	}
	sum(run.CommWaitTime, func(k *kindSplit) int64 { return k.wait })
	sum(run.CommTransferTime, func(k *kindSplit) int64 { return k.transfer })
	for kind, m := range x.messageImbalance {
		series.put(run.MessageImbalance, kind, i, m.sum/float64(m.n))
	}
	if x.routed > 0 && !x.partly {
		series.put(run.RoutedBytes, "", i, float64(x.routed))
	}
	if known {
		series.put(run.LastArrivals, "", i, float64(x.last))
	}
	if x.kernels == 0 {
		return
	}
	for _, c := range x.classes {
		if c.time > 0 {
			series.put(run.TransferBandwidth, c.kind+" "+c.class, i, c.bus/c.time)
		}
	}
	series.put(run.ArrivalSkew, "", i, seconds(x.skew)/float64(x.kernels))
}
