package metric

import (
	"cmp"
	"math"
	"slices"

	"perfdiff/analyze/collective"
	"perfdiff/analyze/group"
	"perfdiff/analyze/interval"
	"perfdiff/analyze/pipeline"
	"perfdiff/analyze/run"
	"perfdiff/analyze/trace"
)

// needsPipeline is what must be recorded of a pipeline.
const needsPipeline = "a job with pipeline parallelism, with peers and sizes of its messages: for Nsight Systems export with --include-json true, for PyTorch use 2.4 or newer"

// bubbleFormula says what counts as bubble.
const bubbleFormula = "idle time ∪ exposed communication in which only waiting for other stages goes on: " +
	"in point-to-point calls, and in collectives over several stages"

// pipelineMetrics are what the stages of a pipeline idle and wait for each other.
func pipelineMetrics() []Metric {
	of := func(name, unit, subject, doc, formula string) Metric {
		return Metric{Metric: run.Metric{Name: name, Unit: unit, Better: run.Lower, Joint: true, Doc: doc, Needs: needsPipeline,
			Traits: run.Traits{Subject: subject, Section: run.SectionCollectives, AcrossDevices: true, Depth: run.DepthKinds, Formula: formula}},
			Requires: trace.HasDevice, MadeOf: deviceWork | kindOfWork, Absent: math.NaN(), When: InRun, With: run.CommWaitTime}
	}
	bubble := of(run.PipelineBubble, "s", "The pipeline bubble",
		"Time of the step in which the device of a pipeline's stage neither computes nor transfers: it idles, for whatever reason, or waits for another stage with no compute beside it. "+
			"warm-up: until the stage has its first gradient; drain: from its last forward message on; steady: between.", bubbleFormula)
	bubble.Part, bubble.Main, bubble.WhereRecorded, bubble.PartOfStep, bubble.Finding = "phase", true, true, true, "pipeline-bubble"
	share := of(run.PipelineBubbleShare, "ratio", "The pipeline bubble's share of the step", "Share of the step that is pipeline bubble.", "pipeline_bubble / step_time")
	ideal := of(run.PipelineIdealBubble, "ratio", "The ideal pipeline bubble",
		"Share of a step in which each stage would idle if all stages took equally long and messages no time. Nothing is recorded where the number of micro-batches is in doubt.",
		"(p − 1) / (v·m + p − 1) with p stages, m micro-batches, v parts of the model on each stage; Narayanan et al. 2021, section 2.2")
	batches := of(run.PipelineMicroBatches, "1", "The number of micro-batches",
		"Micro-batches of a step: from numbered ranges around their forward passes, else from messages to the next stage where these leave no doubt.", "count")
	ideal.Better, batches.Better = run.Neither, run.Neither
	return []Metric{bubble, share, ideal, batches}
}

// The parts of run.PipelineBubble.
const (
	phaseWarmUp = "warm-up"
	phaseSteady = "steady"
	phaseDrain  = "drain"
)

// pairStep is what is kept of a step with point-to-point calls for what a pipeline idles. Of the
// idle time only sums are kept: a large rank has hundreds of thousands of gaps.
type pairStep struct {
	idle    int64       // ns, in all
	until   []idleUntil // for each start and end of such a call, in order
	before  int64       // ns of compute before the step's first such call was done
	batches []pipeline.Batch
}

// idleUntil is how long the device idled in the step before a moment, in ns.
type idleUntil struct{ at, idle int64 }

// sumIdle sums up the gaps of a step, which has these communication kernels.
func (x *pairStep) sumIdle(gaps interval.Set, spans []collective.Span) {
	for i := range spans {
		if isPair(&spans[i]) {
			x.until = append(x.until, idleUntil{at: spans[i].Start}, idleUntil{at: spans[i].End})
		}
	}
	slices.SortFunc(x.until, func(a, b idleUntil) int { return cmp.Compare(a.at, b.at) })
	x.until = slices.Clip(slices.Compact(x.until))
	i := 0
	for _, g := range gaps {
		for ; i < len(x.until) && x.until[i].at < g.End; i++ {
			x.until[i].idle = x.idle + max(0, x.until[i].at-g.Start)
		}
		x.idle += g.End - g.Start
	}
	for ; i < len(x.until); i++ {
		x.until[i].idle = x.idle
	}
}

// idleBefore is the idle time before a start or an end of one of the calls.
func (x *pairStep) idleBefore(at int64) int64 {
	i, _ := slices.BinarySearchFunc(x.until, at, func(u idleUntil, at int64) int { return cmp.Compare(u.at, at) })
	if i == len(x.until) {
		return x.idle
	}
	return x.until[i].idle
}

// isPair reports whether a kernel exchanges data with single ranks.
func isPair(s *collective.Span) bool { return s.PointToPoint() }

// keepPairs keeps what a step with point-to-point calls shows beside them.
func (x *commCollector) keepPairs(i int, s *Step, spans []collective.Span) {
	first := slices.IndexFunc(spans, func(c collective.Span) bool { return isPair(&c) })
	if first < 0 {
		return
	}
	if x.out.Pairs == nil {
		x.out.Pairs = map[int]pairStep{}
	}
	st := s.Window.Step
	kept := pairStep{
		before:  s.Compute.Clip(nil, st.Start, min(st.End, spans[first].End)).Total(),
		batches: x.batchesOf(st),
	}
	kept.sumIdle(s.Gaps, spans)
	x.out.Pairs[i] = kept
}

// batchesOf are the micro-batches whose forward passes have a range in a step.
func (x *commCollector) batchesOf(st trace.Step) (out []pipeline.Batch) {
	if st.HostStart == trace.NoTime || st.HostEnd == trace.NoTime || st.HostEnd <= st.HostStart {
		return nil
	}
	for _, r := range startingIn(x.rank.Trace.Ranges, st.HostStart, st.HostEnd, rangeStart) {
		if x.namesBatch(r.Name) {
			out = append(out, x.batches[r.Name])
		}
	}
	return out
}

// namesBatch reports whether a range's name is that of a micro-batch, which is then known. Each
// name is asked once: a capture can have one of its own for every range.
func (x *commCollector) namesBatch(id trace.NameID) bool {
	const no, yes = 1, 2
	if int(id) >= len(x.isBatch) {
		x.isBatch = append(x.isBatch, make([]uint8, max(x.rank.Trace.Names.Len(), int(id)+1)-len(x.isBatch))...)
	}
	if x.isBatch[id] == 0 {
		x.isBatch[id] = no
		if b, is := pipeline.BatchOf(x.rank.Trace.Names.Text(id)); is {
			if x.batches == nil {
				x.batches = map[trace.NameID]pipeline.Batch{}
			}
			x.isBatch[id], x.batches[id] = yes, b
		}
	}
	return x.isBatch[id] == yes
}

// beginsLater is the most that a rank computes before it has received, as a share of what the first
// one of a pipeline computes before it sends. Chosen, not measured: a later stage can do nothing
// before, but for what each step begins with.
const beginsLater = 0.5

// findTurns notes in which groups single ranks receive what they then compute. That is measured
// within each rank, and not by clocks of hosts.
func (g *groups) findTurns(ranks []run.Rank, comms []Communication) {
	at := map[int]int{}
	for i := range ranks {
		at[ranks[i].Rank] = i
	}
	for _, x := range g.gathered {
		inTurn, first := len(x.Ranks) > 1, 0.0
		for stage, rank := range x.Ranks {
			i, captured := at[rank]
			if !captured {
				inTurn = false
				break
			}
			before := comms[i].meanBefore()
			if stage == 0 {
				first = before
			}
			inTurn = inTurn && first > 0 && (stage == 0 || before <= beginsLater*first)
		}
		for _, u := range x.structures {
			u.InTurn = u.Pairs && inTurn
		}
	}
}

// meanBefore is the mean over steps of what a rank computes before its first point-to-point call
// was done, in ns; NaN without any.
func (c *Communication) meanBefore() float64 {
	sum := int64(0)
	for _, p := range c.Pairs {
		sum += p.before
	}
	return float64(sum) / float64(len(c.Pairs))
}

// stages are the pipelines of a run, and where its ranks are in them.
type stages struct {
	ranks  []run.Rank
	comms  []Communication
	splits [][]collective.Split
	*groups
	of    []*stagedGroup // by index of rank; nil: it is in no pipeline, or in several
	at    []int          // likewise: the stage
	place map[int]int    // by rank of the job: its index
}

// stagedGroup is a group of ranks, each of which is a stage of a pipeline.
type stagedGroup struct {
	*gatheredGroup
	members  []int                  // indices of its ranks by stage; -1 not captured
	shortest map[stageMessage]int64 // ns, of messages whose two ends were captured
	calls    []map[int64][]pipeline.Call
}

// stageMessage is a message between two stages by their numbers.
type stageMessage struct {
	low, high int
	bytes     int64
}

// putPipelines adds the series of pipelines to the ranks of a run, and what is known of their
// schedules to their groups.
func (g *groups) putPipelines(ranks []run.Rank, comms []Communication, splits [][]collective.Split) {
	x := &stages{ranks: ranks, comms: comms, splits: splits, groups: g, place: map[int]int{}}
	for i := range ranks {
		x.place[ranks[i].Rank] = i
	}
	for _, s := range x.find() {
		s.timeMessages(x)
		counts := s.countBatches(x)
		for stage, i := range s.members {
			if i >= 0 && x.of[i] == s {
				x.put(i, stage, counts)
			}
		}
		s.keep(g, counts)
	}
}

// find are the groups that are pipelines and whose ranks exchange something with their neighbours.
func (x *stages) find() (out []*stagedGroup) {
	x.of, x.at = make([]*stagedGroup, len(x.ranks)), make([]int, len(x.ranks))
	several := map[int]bool{}
	for _, g := range x.gathered {
		if g.Dimension != string(group.Pipeline) || !slices.ContainsFunc(g.structures, func(u *structure) bool { return u.Pairs }) {
			continue
		}
		s := &stagedGroup{gatheredGroup: g, members: make([]int, len(g.Ranks))}
		for stage, rank := range g.Ranks {
			i, captured := x.place[rank]
			if s.members[stage] = -1; captured {
				s.members[stage] = i
				several[i] = several[i] || x.of[i] != nil
				x.of[i], x.at[i] = s, stage
			}
		}
		out = append(out, s)
	}
	for i := range several {
		if several[i] {
			x.of[i] = nil
		}
	}
	return out
}

// peer is the stage that a point-to-point call of a stage's rank goes to or comes from; -1 unknown.
func (s *stagedGroup) peer(c *collective.Span, split collective.Split) int {
	if at := int(c.Peer) - 1; at >= 0 && at < len(s.members) {
		return at
	}
	if split.Peer == collective.Nobody {
		return -1
	}
	return slices.Index(s.members, int(split.Peer))
}

// has reports whether a call is one of the group's own.
func (s *stagedGroup) has(c *collective.Span) bool {
	return isPair(c) && slices.Contains(s.comms, c.Comm)
}

// timeMessages finds how long messages of each size take between two stages at least, on either of
// their ranks, and what calls each stage makes in each step.
func (s *stagedGroup) timeMessages(x *stages) {
	s.shortest, s.calls = map[stageMessage]int64{}, make([]map[int64][]pipeline.Call, len(s.members))
	for stage, i := range s.members {
		s.calls[stage] = map[int64][]pipeline.Call{}
		if i < 0 {
			continue
		}
		for k := range x.comms[i].Spans {
			c := &x.comms[i].Spans[k]
			if !s.has(c) {
				continue
			}
			peer, number := s.peer(c, x.splits[i][k]), x.ranks[i].Steps[c.Step].Number
			call := pipeline.Call{Start: c.Start, End: c.End, Sends: c.Sends, Bytes: c.Bytes}
			switch {
			case peer < 0 || c.Sends == c.Receives: // both at once is one kernel for two messages
			case c.Sends:
				call.Way = pipeline.WayOf(stage, peer, len(s.members))
			default:
				call.Way = pipeline.WayOf(peer, stage, len(s.members))
			}
			s.calls[stage][number] = append(s.calls[stage][number], call)
			if call.Way != pipeline.Unknown && s.members[peer] >= 0 {
				at := stageMessage{min(stage, peer), max(stage, peer), c.Bytes}
				if least, known := s.shortest[at]; !known || c.End-c.Start < least {
					s.shortest[at] = c.End - c.Start
				}
			}
		}
	}
}

// waitOf is how much of a point-to-point call is waiting: what goes beyond the transfer, which ends
// with the call. Where clocks do not tell when the other rank came, the transfer is the shortest
// call with as many bytes between the two ranks, on either of them. collective.Unknown: the
// other's calls were not captured, or the kernel exchanges several messages.
func (s *stagedGroup) waitOf(stage int, c *collective.Span, split collective.Split) int64 {
	if split.Wait != collective.Unknown {
		return split.Wait
	}
	peer := s.peer(c, split)
	if least, known := s.shortest[stageMessage{min(stage, peer), max(stage, peer), c.Bytes}]; peer >= 0 && known && c.Bytes > 0 && c.Sends != c.Receives {
		return c.End - c.Start - least
	}
	return collective.Unknown
}

// spans reports whether a communicator holds ranks of several stages.
func (x *stages) spans(s *stagedGroup, comm string) bool {
	g := x.byComm[comm]
	if g == nil {
		return false
	}
	stage := -1
	for _, rank := range g.Ranks {
		i, captured := x.place[rank]
		if !captured || x.of[i] == nil {
			continue
		}
		if stage >= 0 && x.at[i] != stage {
			return true
		}
		stage = x.at[i]
	}
	return false
}

// stageTimes is what a rank of a stage does in communication: waits only for other stages, moves
// data or waits for others, or what of both is not known.
type stageTimes struct{ waits, moves, unknown interval.Set }

func (x *stages) timesOf(i int) (t stageTimes) {
	s, stage := x.of[i], x.at[i]
	across := map[string]bool{}
	for k := range x.comms[i].Spans {
		c := &x.comms[i].Spans[k]
		wait := int64(0)
		if s.has(c) {
			wait = s.waitOf(stage, c, x.splits[i][k])
		} else if !isPair(c) {
			is, known := across[c.Comm]
			if !known {
				is = x.spans(s, c.Comm)
				across[c.Comm] = is
			}
			if is {
				wait = x.splits[i][k].Wait
			}
		}
		if wait == collective.Unknown {
			t.unknown = t.unknown.Add(c.Start, c.End)
			continue
		}
		if wait > 0 {
			t.waits = t.waits.Add(c.Start, c.Start+wait)
		}
		t.moves = t.moves.Add(c.Start+wait, c.End)
	}
	t.waits = interval.Subtract(nil, t.waits, t.moves)
	return t
}

// put adds the series of the rank with an index, which is a stage.
func (x *stages) put(i, stage int, counts map[int64]batchCount) {
	r, c := &x.ranks[i], &x.comms[i]
	t, s := x.timesOf(i), x.of[i]
	series := seriesBuilder{n: len(r.Steps)}
	var exposed interval.Set
	for k := range r.Steps {
		st := &r.Steps[k]
		pairs, found := c.Pairs[k]
		if !found || !st.HasWindow() || k >= len(c.Exposed) || !c.Measured[k] || c.Hidden[k] {
			continue
		}
		if n := counts[st.Number]; n.batches > 0 {
			series.put(run.PipelineMicroBatches, "", k, float64(n.batches))
			if n.chunks > 0 {
				series.put(run.PipelineIdealBubble, "", k, pipeline.Ideal(len(s.members), n.batches, n.chunks))
			}
		}
		exposed = c.Exposed[k].Unpack(exposed[:0])
		if interval.Overlap(exposed, t.unknown.Clip(nil, st.Start, st.End)) > 0 {
			continue
		}
		waiting := interval.Intersect(nil, exposed, t.waits.Clip(nil, st.Start, st.End))
		putBubble(&series, k, st, &pairs, waiting, s.calls[stage][st.Number])
	}
	added := make([]run.Series, 0, len(series.values))
	for at, key := range series.keys {
		added = append(added, run.Series{Key: key.Key, Values: series.values[at]})
	}
	sortSeries(added)
	r.Series = append(r.Series, added...)
}

// putBubble puts the bubble of step k, its share, and its phases where these are known. No device
// idles while it waits in a call, so that the two add up.
func putBubble(series *seriesBuilder, k int, st *trace.Step, pairs *pairStep, waiting interval.Set, calls []pipeline.Call) {
	all := pairs.idle + waiting.Total()
	series.put(run.PipelineBubble, "", k, seconds(all))
	series.put(run.PipelineBubbleShare, "", k, float64(all)/float64(st.End-st.Start))
	full, drains, known := pipeline.Phases(calls)
	if !known {
		return
	}
	warmUp := pairs.idleBefore(full) + waiting.Clip(nil, st.Start, full).Total()
	drain := pairs.idle - pairs.idleBefore(drains) + waiting.Clip(nil, drains, st.End).Total()
	series.put(run.PipelineBubble, phaseWarmUp, k, seconds(warmUp))
	series.put(run.PipelineBubble, phaseSteady, k, seconds(all-warmUp-drain))
	series.put(run.PipelineBubble, phaseDrain, k, seconds(drain))
}

// batchCount is how many micro-batches a step has, and how many parts of the model each stage; 0
// unknown.
type batchCount struct {
	batches, chunks int
	schedule        string
	kept            bool // the step is kept on a rank
}

// countBatches counts the micro-batches of each step, by its number: as ranges say, if those of all
// ranks agree with each other and with the messages; else as messages say.
func (s *stagedGroup) countBatches(x *stages) map[int64]batchCount {
	out := map[int64]batchCount{}
	for _, i := range s.members {
		if i < 0 {
			continue
		}
		for k := range x.ranks[i].Steps {
			st := &x.ranks[i].Steps[k]
			if _, found := x.comms[i].Pairs[k]; !found {
				continue
			}
			n, done := out[st.Number]
			if !done {
				n = s.batchesOf(x, st.Number)
			}
			n.kept = n.kept || st.Dropped == ""
			out[st.Number] = n
		}
	}
	return out
}

// named is how many micro-batches ranges of a step say it has, and in how many parts of the model
// on each stage; 0 where none do, or not all the same.
func (s *stagedGroup) named(x *stages, number int64) (batches, parts int) {
	for _, i := range s.members {
		if i < 0 {
			continue
		}
		k := slices.IndexFunc(x.ranks[i].Steps, func(st trace.Step) bool { return st.Number == number })
		if k < 0 {
			continue
		}
		pairs, found := x.comms[i].Pairs[k]
		n, of, known := pipeline.CountBatches(pairs.batches)
		if !found || !known {
			continue
		}
		if batches > 0 && (n != batches || of != parts) {
			return 0, 0
		}
		batches, parts = n, of
	}
	return batches, parts
}

func (s *stagedGroup) batchesOf(x *stages, number int64) (n batchCount) {
	calls := make([][]pipeline.Call, len(s.calls))
	for stage := range s.calls {
		calls[stage] = s.calls[stage][number]
	}
	interleaved := pipeline.Interleaved(calls)
	named, parts := s.named(x, number)
	repeats := 0
	if !interleaved {
		repeats = pipeline.Repeats(calls)
	}
	switch {
	case named > 0 && repeats > 0 && named != repeats:
		return n // one of the two counts something else
	case named > 0 && interleaved:
		if n.batches, n.chunks = named, parts; parts == 0 {
			n.chunks = chunksOf(calls[0], named)
		}
	case named > 0:
		n.batches, n.chunks = named, max(1, parts)
	case repeats > 0:
		n.batches, n.chunks = repeats, 1
	}
	n.schedule = pipeline.ScheduleOf(calls[len(calls)-1], n.batches, n.chunks)
	return n
}

// chunksOf is how many parts of the model the first stage sends micro-batches on from; 0 unknown.
func chunksOf(first []pipeline.Call, batches int) int {
	sent := 0
	for i := range first {
		if first[i].Way == pipeline.Forward && first[i].Sends {
			sent++
		}
	}
	if sent%batches != 0 {
		return 0
	}
	return sent / batches
}

// keep notes in the group what all of its kept steps have in common, as far as it is known of them.
func (s *stagedGroup) keep(g *groups, counts map[int64]batchCount) {
	var batches, chunks common[int]
	var schedule common[string]
	for _, n := range counts {
		if n.kept {
			batches.add(n.batches)
			chunks.add(n.chunks)
			schedule.add(n.schedule)
		}
	}
	g.list[slices.Index(g.gathered, s.gatheredGroup)].Pipeline = &run.Pipeline{MicroBatches: batches.value, Chunks: chunks.value, Schedule: schedule.value}
}

// common is the one value of several, where there is no other; the zero value is one that is not
// known, and agrees with all.
type common[T comparable] struct {
	value   T
	several bool
}

func (c *common[T]) add(v T) {
	var unknown T
	switch {
	case v == unknown || c.several || v == c.value:
	case c.value == unknown:
		c.value = v
	default:
		c.value, c.several = unknown, true
	}
}
