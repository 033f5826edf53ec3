package metric

import (
	"cmp"
	"maps"
	"math"
	"slices"

	"perfdiff/analyze/collective"
	"perfdiff/analyze/interval"
	"perfdiff/analyze/pipeline"
	"perfdiff/analyze/run"
	"perfdiff/analyze/source/remedy"
	"perfdiff/analyze/trace"
)

// needsRanks says what to record for wait and transfer.
var needsRanks = remedy.Same("communication kernels of all ranks of the job")

// waitMetrics returns the metrics of waiting, which are measured over the ranks of a run, once each was measured by
// itself.
func waitMetrics() []Metric {
	with := func(formula string) run.Traits {
		return run.Traits{Section: run.SectionCollectives, AcrossDevices: true, Formula: formula}
	}
	of := func(name, doc, part, formula string) Metric {
		return Metric{Metric: run.Metric{Name: name, Unit: "s", Better: run.Lower, Joint: true, Part: part, Doc: doc, Remedy: needsRanks,
			Traits: with(formula)},
			Requires: trace.HasDevice, MadeOf: kindOfWork, When: InRun, With: run.CommWaitTime}
	}
	last := of(run.LastArrivals, "Collectives of the step at which this rank arrives last, by more than three times the error of an arrival.", "",
		"count; clocks of hosts are aligned on the ends of collectives")
	last.Unit, last.Better = "1", run.Neither
	transfer := of(run.CommTransferTime, "Time of communication kernels once all ranks have arrived: the shortest duration of all ranks.", "collective",
		"sum over collectives of the shortest duration over the ranks")
	transfer.Noise = run.NoiseOfLinks
	exposedWait := of(run.ExposedWaitTime, "Exposed communication in which only waiting goes on.", "dimension", "exposed_comm_time − exposed_transfer_time")
	exposedWait.Subject, exposedWait.PartOfStep, exposedWait.InFindings, exposedWait.Finding = "Waiting for late ranks", true, true, "wait"
	exposedTransfer := of(run.ExposedTransferTime, "Exposed communication in which data is transferred.", "dimension", "exposed communication ∩ the transfers, which end where their kernels do")
	exposedTransfer.Subject, exposedTransfer.PartOfStep, exposedTransfer.InFindings, exposedTransfer.Finding = "Exposed transfer", true, true, "transfer"
	exposedTransfer.Noise = run.NoiseOfLinks
	wait := of(run.CommWaitTime, "Time in which communication kernels wait for the last rank to arrive: their durations less the shortest of all ranks.", "collective",
		"sum over collectives of duration − the shortest duration over the ranks; where a rank can be done early, 0 up to three times the error of an arrival")
	wait.With, wait.OfKernels = "", addAllWaits
	return []Metric{
		last,
		wait,
		transfer,
		{Metric: run.Metric{Name: run.TransferBandwidth, Unit: "B/s", Better: run.Neither, Joint: true, Part: "size class",
			Doc: "Bus bandwidth of the transfer alone, by size of the message: bytes times the collective's factor (AllReduce 2(n-1)/n) over the time after the last rank has arrived.", Remedy: needsRanks.Then(remedy.Same("; ")).Then(needsMessages),
			Traits: with("Σ bytes · factor / Σ transfer; nccl-tests, doc/PERFORMANCE.md: bus bandwidth")},
			Requires: trace.HasDevice, MadeOf: kindOfWork, Absent: math.NaN(), When: InRun, With: run.CommWaitTime},
		exposedWait,
		exposedTransfer,
		of(run.ArrivalSkew, "How much later the last rank arrives at a collective than the first, the mean over the step's collectives.", "",
			"mean of longest − shortest duration over the ranks"),
		{Metric: run.Metric{Name: run.MessageImbalance, Unit: "ratio", Better: run.Neither, Joint: true, Part: "collective",
			Doc: "Share by which the mean message of an all-to-all is smaller than the largest of all ranks, the mean over the step's. Uneven ones are split into waiting and transfer only where the clocks tell.", Remedy: needsRanks.Then(remedy.Same("; ")).Then(needsMessages),
			Traits: with("1 − mean bytes / largest bytes, over the ranks")},
			Requires: trace.HasDevice, MadeOf: kindOfWork, Absent: math.NaN(), When: InRun, With: run.CommWaitTime},
		{Metric: run.Metric{Name: run.RoutedBytes, Unit: "B", Better: run.Neither, Joint: true,
			Doc: "Bytes that the rank receives or sends in the all-to-alls of the step, in each of them what differs more over the ranks. Of tokens that are routed to experts these are the tokens for its own.", Remedy: needsRanks.Then(remedy.Same("; ")).Then(needsMessages),
			Traits: with("sum over all-to-alls, the rank's own part counted")},
			Requires: trace.HasDevice, MadeOf: kindOfWork, Absent: math.NaN(), When: InRun, With: run.CommWaitTime},
	}
}

// Communication holds a capture's communication until all ranks of its run were measured.
type Communication struct {
	Spans   []collective.Span
	Exposed []interval.Packed // by step: communication without compute
	// Measured says which steps have a device window, and Hidden in which of them a graph
	// replay hides kernels, communication maybe among them.
	Measured, Hidden []bool
	Groups           map[string]recordedGroup // by communicator, those of which more is recorded
	Pairs            map[int]pairStep         // by step, those with point-to-point calls
	paths            paths
	splits           []collective.Split // of Spans, once those of all ranks were matched
}

// Communication returns the communication of the steps, and where it is exposed, once the steps were measured.
func (r *Rank) Communication() Communication { return r.comm.done() }

// commCollector collects the communication of one step after the other, in any order.
type commCollector struct {
	rank  *Rank
	known bool // there is some, and the capture holds it whole
	out   Communication
	toAll allToAlls

	comms     map[messageGroup]string // what their communicators are called
	isBatch   []uint8                 // by name: whether it is one of batches; 0 not asked
	batches   map[trace.NameID]pipeline.Batch
	lastGroup messageGroup
	lastComm  string // of lastGroup

	room, exposed interval.Set // scratch
	packed        interval.Packed
}

func newCommCollector(r *Rank, steps int) *commCollector {
	x := &commCollector{rank: r, toAll: allToAlls{t: r.Trace}, known: r.anyComm && !r.lacks(kindOfWork)}
	if x.known {
		x.out = Communication{Spans: make([]collective.Span, 0, r.commSpans), Exposed: make([]interval.Packed, steps), Measured: make([]bool, steps), Hidden: make([]bool, steps)}
	}
	return x
}

// step takes the step with an index, and its communication kernels.
func (x *commCollector) step(i int, s *Step) {
	if !x.known {
		return
	}
	st, before := s.Window.Step, len(x.out.Spans)
	r, t := x.rank, x.rank.Trace
	x.out.Measured[i], x.out.Hidden[i] = true, len(r.Graphs.Touching(st.Start, st.End)) > 0
	for _, sp := range s.comms {
		m := t.Messages.Of(sp)
		utc := int64(0)
		if t.Epoch != trace.NoTime {
			utc = t.Epoch + sp.End
		}
		c := collective.Span{Step: i, Start: sp.Start, End: sp.End, UTC: utc,
			Kind: t.Names.Text(m.Coll), Comm: x.commOf(&m), Type: t.Names.Text(m.Type), Seq: m.Seq, Ranks: m.Ranks, Bytes: m.Bytes, Received: m.Received,
			Sends: m.Sends, Receives: m.Receives}
		c.Peer = x.peerOf(&m, c.Comm)
		if c.Kind == sendRecv && c.Peer == 0 && x.toAll.launched(sp) {
			c.Peer = collective.AllPeers
		}
		x.out.Spans = append(x.out.Spans, c)
	}
	comm := r.Comm.Within(&x.room, st.Start, st.End)
	hidden := r.Hidden.Touching(st.Start, st.End)
	x.exposed = interval.Subtract(x.exposed.Room(len(comm)+len(hidden)), comm, hidden)
	x.packed = interval.Pack(x.packed[:0], x.exposed)
	x.out.Exposed[i] = slices.Clone(x.packed)
	x.keepPairs(i, s, x.out.Spans[before:])
}

// done returns the communication of all steps, in their order.
func (x *commCollector) done() Communication {
	order := func(a, b collective.Span) int { return cmp.Compare(a.Step, b.Step) }
	if !slices.IsSortedFunc(x.out.Spans, order) { // steps came in order of time
		slices.SortStableFunc(x.out.Spans, order)
	}
	if x.rank.path != nil {
		x.out.paths = x.rank.path.out
	}
	return x.out
}

// wallClocksKnown reports whether the wall-clock time of all kernels is known.
func (c *Communication) wallClocksKnown() bool {
	return !slices.ContainsFunc(c.Spans, func(s collective.Span) bool { return s.UTC == 0 })
}

// Append adds what a later capture of the same rank recorded, whose first step has index n.
func (c Communication) Append(next Communication, n int) Communication {
	for len(c.Exposed) < n {
		c.Exposed, c.Measured, c.Hidden = append(c.Exposed, nil), append(c.Measured, false), append(c.Hidden, false)
	}
	if c.Groups == nil && len(next.Groups) > 0 {
		c.Groups = map[string]recordedGroup{}
	}
	maps.Copy(c.Groups, next.Groups)
	if c.Pairs == nil && len(next.Pairs) > 0 {
		c.Pairs = map[int]pairStep{}
	}
	for i, p := range next.Pairs {
		c.Pairs[i+n] = p
	}
	c.paths = c.paths.append(next.paths, n)
	for _, s := range next.Spans {
		s.Step += n
		c.Spans = append(c.Spans, s)
	}
	c.Exposed, c.Measured, c.Hidden = append(c.Exposed, next.Exposed...), append(c.Measured, next.Measured...), append(c.Hidden, next.Hidden...)
	return c
}

// addAllWaits adds wait and transfer to the ranks of a run; comms[i] is the communication of ranks[i]. A collective
// has no value in a step in which one of its kernels could not be matched with the kernels of all other ranks. It
// returns how the clocks of the run's hosts agree.
func addAllWaits(ranks []run.Rank, comms []Communication) (run.Clocks, run.Communication) {
	all := make([]collective.Rank, len(ranks))
	world, hosts := 0, make([]string, len(ranks))
	for i := range ranks {
		hosts[i], all[i].Rank = ranks[i].Host, ranks[i].Rank
		for _, s := range ranks[i].Steps {
			all[i].Numbers = append(all[i].Numbers, s.Number)
		}
		all[i].Spans = comms[i].Spans
		world = max(world, ranks[i].WorldSize)
	}
	splits, out := collective.Match(all, hosts, world)
	timed := !slices.ContainsFunc(comms, func(c Communication) bool { return !c.wallClocksKnown() })
	groups := findGroups(ranks, comms, splits)
	for i := range ranks {
		comms[i].splits = splits[i]
		addWaits(ranks, i, comms[i], splits[i], timed, groups.newByDimension(len(ranks[i].Steps)))
		ranks[i].Waits = waitsFor(ranks, i, comms[i], splits[i])
	}
	groups.putPipelines(ranks, comms, splits)
	addPaths(ranks, comms, splits, groups)
	setReasons(&out, inseparable(&out, len(ranks), world))
	partners := run.Communication{Groups: groups.list}
	if hasPointToPoint(comms) {
		partners.Pairs = groups.findPairs(ranks, comms, splits)
	}
	return out, partners
}

// waitsFor returns how long rank i waits for each other rank over its kept steps, where it is known
// which rank came last.
func waitsFor(ranks []run.Rank, i int, c Communication, splits []collective.Split) []run.Wait {
	of := map[int]int64{}
	for k, s := range c.Spans {
		if x := splits[k]; s.Step < len(ranks[i].Steps) && ranks[i].Steps[s.Step].Dropped == "" && x.Wait > 0 && x.Last != collective.Nobody {
			of[ranks[x.Last].Rank] += x.Wait
		}
	}
	var out []run.Wait
	for _, rank := range slices.Sorted(maps.Keys(of)) {
		out = append(out, run.Wait{For: rank, Time: of[rank]})
	}
	return out
}

// addWaits adds the series of rank i. Without the wall clocks of all ranks (timed) nobody is
// known to be last, which is no value and not 0.
func addWaits(ranks []run.Rank, i int, c Communication, splits []collective.Split, timed bool, by *byDimension) {
	r := &ranks[i]
	steps := make([]stepSplit, len(r.Steps))
	// Transfers of the whole rank: a collective can run past the edge of its step.
	var transfers, unknown interval.Set
	any := false
	for k := range c.Spans {
		s := &c.Spans[k]
		x := &steps[s.Step]
		x.addMessageImbalance(s, splits[k])
		x.addRouted(s, splits[k])
		by.add(s, splits[k])
		if splits[k].Wait == collective.Unknown {
			unknown = unknown.Add(s.Start, s.End)
			x.addUnsplit(s)
			continue
		}
		x.add(s, splits[k], int(splits[k].Last) == i)
		transfers = transfers.Add(s.Start+splits[k].Wait, s.End)
		any = true
	}
	if !any && by == nil {
		return
	}
	series := seriesBuilder{n: len(r.Steps)}
	var exposed interval.Set
	for i := range steps {
		if i < len(c.Exposed) && c.Measured[i] {
			if !any {
				by.put(&series, i)
				continue
			}
			if !c.Hidden[i] {
				exposed = c.Exposed[i].Unpack(exposed[:0])
				putExposed(&series, i, exposed, transfers, unknown, by)
				by.put(&series, i)
			}
			steps[i].put(&series, i, c.Hidden[i])
		}
	}
	added := make([]run.Series, 0, len(series.values))
	for at, key := range series.keys {
		if key.Metric != run.LastArrivals || timed {
			added = append(added, run.Series{Key: key.Key, Values: series.values[at]})
		}
	}
	sortSeries(added)
	r.Series = append(r.Series, added...)
}

// putExposed splits the exposed communication of step i into waiting and transfer, which add up
// to it. There is no value if a part of it could not be split.
func putExposed(series *seriesBuilder, i int, exposed, transfers, unknown interval.Set, by *byDimension) {
	lo, hi := int64(0), int64(0)
	if n := len(exposed); n > 0 {
		lo, hi = exposed[0].Start, exposed[n-1].End
	}
	if interval.Overlap(exposed, unknown.Clip(nil, lo, hi)) > 0 {
		return
	}
	transfer := interval.Overlap(exposed, transfers.Clip(nil, lo, hi))
	series.put(run.ExposedTransferTime, "", i, seconds(transfer))
	series.put(run.ExposedWaitTime, "", i, seconds(exposed.Total()-transfer))
	by.putExposed(series, i, exposed, transfers, lo, hi)
}
