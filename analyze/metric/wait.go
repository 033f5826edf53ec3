package metric

import (
	"maps"
	"math"
	"slices"

	"perfdiff/analyze/collective"
	"perfdiff/analyze/interval"
	"perfdiff/analyze/run"
	"perfdiff/analyze/trace"
)

// needsRanks is what wait and transfer need.
const needsRanks = "communication kernels of all ranks of the job"

// waitMetrics are measured over the ranks of a run, after each was measured by
// itself: see Waits.
func waitMetrics() []Metric {
	of := func(name, doc, part string) Metric {
		return Metric{Metric: run.Metric{Name: name, Unit: "s", Better: run.Lower, Joint: true, Part: part, Doc: doc, Needs: needsRanks}, Requires: trace.HasDevice}
	}
	last := Metric{Metric: run.Metric{Name: "last_arrivals", Unit: "1", Better: run.Neither, Joint: true, Doc: "Collectives of the step at which this rank arrives last.", Needs: needsRanks}, Requires: trace.HasDevice}
	return []Metric{
		last,
		of("comm_wait_time", "Time in which communication kernels wait for the last rank to arrive: their durations less the shortest of all ranks.", "collective"),
		of("comm_transfer_time", "Time of communication kernels once all ranks have arrived: the shortest duration of all ranks.", "collective"),
		{Metric: run.Metric{Name: "transfer_bandwidth", Unit: "B/s", Better: run.Neither, Joint: true, Part: "size class",
			Doc: "Bus bandwidth of the transfer alone, by size of the message: bytes times the collective's factor (AllReduce 2(n-1)/n) over the time after the last rank has arrived.", Needs: needsRanks + "; " + needsMessages},
			Requires: trace.HasDevice, Absent: math.NaN()},
		of("exposed_wait_time", "Exposed communication in which only waiting goes on.", ""),
		of("exposed_transfer_time", "Exposed communication in which data is transferred.", ""),
		of("arrival_skew", "How much later the last rank arrives at a collective than the first, the mean over the step's collectives.", ""),
	}
}

// Communication is what is kept of a capture's communication until all ranks of
// its run were measured.
type Communication struct {
	Spans   []collective.Span
	Exposed []interval.Set // by step: communication without compute
	// Measured says which steps have a device window.
	Measured []bool
}

// Communication collects the communication kernels of the steps and where they
// are exposed.
func (r *Rank) Communication(steps []trace.Step) Communication {
	var out Communication
	if len(r.Comm) == 0 {
		return out
	}
	out.Exposed, out.Measured = make([]interval.Set, len(steps)), make([]bool, len(steps))
	t := r.Trace
	for i, st := range steps {
		if st.Start == trace.NoTime || st.End == trace.NoTime || st.End <= st.Start {
			continue
		}
		out.Measured[i] = true
		for _, sp := range startingIn(t.Device, st.Start, st.End) {
			if sp.Class != trace.Comm {
				continue
			}
			x := t.Messages.Of(&sp)
			utc := int64(0)
			if t.Epoch != trace.NoTime {
				utc = t.Epoch + sp.End
			}
			out.Spans = append(out.Spans, collective.Span{Step: i, Start: sp.Start, End: sp.End, UTC: utc,
				Kind: t.Names.Text(sp.Coll), Comm: t.Names.Text(x.Comm), Seq: x.Seq, Ranks: int(x.Ranks), Bytes: x.Bytes})
		}
		out.Exposed[i] = interval.Subtract(nil, r.Comm.Clip(nil, st.Start, st.End), r.Compute.Clip(nil, st.Start, st.End))
	}
	return out
}

// Append adds what a later capture of the same rank recorded, whose first step
// has index n.
func (c Communication) Append(next Communication, n int) Communication {
	for len(c.Exposed) < n {
		c.Exposed, c.Measured = append(c.Exposed, nil), append(c.Measured, false)
	}
	for _, s := range next.Spans {
		s.Step += n
		c.Spans = append(c.Spans, s)
	}
	c.Exposed, c.Measured = append(c.Exposed, next.Exposed...), append(c.Measured, next.Measured...)
	return c
}

// Waits adds wait and transfer to the ranks of a run: comms belongs to ranks. A
// step in which a kernel of a rank could not be matched with all others has
// none.
// How the clocks of the run's hosts agree is returned.
func Waits(ranks []run.Rank, comms []Communication) run.Clocks {
	all := make([]collective.Rank, len(ranks))
	world, hosts := 0, make([]string, len(ranks))
	for i := range ranks {
		hosts[i] = ranks[i].Host
		for _, s := range ranks[i].Steps {
			all[i].Numbers = append(all[i].Numbers, s.Number)
		}
		all[i].Spans = comms[i].Spans
		world = max(world, ranks[i].WorldSize)
	}
	splits, found := collective.Match(all, hosts, world)
	for i := range ranks {
		addWaits(&ranks[i], comms[i], splits[i])
		ranks[i].Waits = waitsFor(ranks, i, comms[i], splits[i])
	}
	out := run.Clocks{Residual: found.Residual, Used: found.Used, Matched: found.Matched, Kernels: found.Kernels}
	for _, h := range found.Hosts {
		out.Hosts = append(out.Hosts, run.HostClock(h))
	}
	return out
}

// stepSplit is what the communication of a step of a rank splits into, in ns.
type stepSplit struct {
	wait, transfer map[string]int64
	skew, kernels  int64
	bus, busTime   map[string]float64 // bytes times factor, and s of transfer, by size class
	last           int64              // kernels at which this rank arrived last
	unknown        bool
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

// waitsFor is for which ranks a rank waits, over its kept steps.
func waitsFor(ranks []run.Rank, i int, c Communication, splits []collective.Split) []run.Wait {
	of := map[int]int64{}
	for k, s := range c.Spans {
		if s.Step < len(ranks[i].Steps) && ranks[i].Steps[s.Step].Dropped == "" && splits[k].Wait > 0 {
			of[ranks[splits[k].Last].Rank] += splits[k].Wait
		}
	}
	var out []run.Wait
	for _, rank := range slices.Sorted(maps.Keys(of)) {
		out = append(out, run.Wait{For: rank, Time: of[rank]})
	}
	return out
}

// addWaits adds the series of one rank.
func addWaits(r *run.Rank, c Communication, splits []collective.Split) {
	steps := make([]stepSplit, len(r.Steps))
	// Transfers of the whole rank: a collective can run past the edge of its step.
	var transfers, unknown interval.Set
	any := false
	for i, s := range c.Spans {
		x := &steps[s.Step]
		if splits[i].Wait == collective.Unknown {
			x.unknown = true
			unknown = unknown.Add(s.Start, s.End)
			continue
		}
		x.add(s, splits[i])
		transfers = transfers.Add(s.Start+splits[i].Wait, s.End)
		any = true
	}
	if !any {
		return
	}
	series := collector{n: len(r.Steps)}
	for i := range steps {
		if i >= len(c.Exposed) || !c.Measured[i] || steps[i].unknown {
			continue
		}
		exposed := c.Exposed[i]
		lo, hi := int64(0), int64(0)
		if n := len(exposed); n > 0 {
			lo, hi = exposed[0].Start, exposed[n-1].End
		}
		if interval.Overlap(exposed, unknown.Clip(nil, lo, hi)) > 0 {
			continue
		}
		transfer := interval.Overlap(exposed, transfers.Clip(nil, lo, hi))
		series.put("exposed_transfer_time", "", i, seconds(transfer))
		series.put("exposed_wait_time", "", i, seconds(exposed.Total()-transfer))
		steps[i].put(&series, i)
	}
	added := make([]run.Series, 0, len(series.values))
	for key, at := range series.keys {
		added = append(added, run.Series{Key: key, Values: series.values[at]})
	}
	sortSeries(added, waitMetrics())
	r.Series = append(r.Series, added...)
}

// add counts a kernel that was matched.
func (x *stepSplit) add(s collective.Span, split collective.Split) {
	if x.wait == nil {
		x.wait, x.transfer = map[string]int64{}, map[string]int64{}
	}
	transfer := s.End - s.Start - split.Wait
	x.wait[s.Kind] += split.Wait
	x.transfer[s.Kind] += transfer
	if f := trace.BusFactor(s.Kind, int32(s.Ranks)); f > 0 && s.Bytes > 0 {
		if x.bus == nil {
			x.bus, x.busTime = map[string]float64{}, map[string]float64{}
		}
		class := s.Kind + " " + sizeClass(s.Bytes)
		x.bus[class] += float64(float64(s.Bytes) * f)
		x.busTime[class] += seconds(transfer)
	}
	x.skew += split.Skew
	x.kernels++
	if split.Wait == 0 {
		x.last++
	}
}

// put adds the values of step i; a step without a collective neither waits nor
// transfers.
func (x *stepSplit) put(series *collector, i int) {
	sum := func(metric string, of map[string]int64) {
		total := int64(0)
		for kind, ns := range of {
			series.put(metric, kind, i, seconds(ns))
			total += ns
		}
		series.put(metric, "", i, seconds(total))
	}
	sum("comm_wait_time", x.wait)
	sum("comm_transfer_time", x.transfer)
	series.put("last_arrivals", "", i, float64(x.last))
	if x.kernels == 0 {
		return
	}
	for class, bus := range x.bus {
		if x.busTime[class] > 0 {
			series.put("transfer_bandwidth", class, i, bus/x.busTime[class])
		}
	}
	series.put("arrival_skew", "", i, seconds(x.skew)/float64(x.kernels))
}
