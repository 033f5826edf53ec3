package metric

import (
	"math"
	"slices"

	"perfdiff/analyze/collective"
	"perfdiff/analyze/group"
	"perfdiff/analyze/interval"
	"perfdiff/analyze/pipeline"
	"perfdiff/analyze/run"
	"perfdiff/analyze/source/remedy"
	"perfdiff/analyze/trace"
)

// needsPipeline says what to record for a pipeline.
var needsPipeline = remedy.Of(remedy.Pipeline)

// bubbleFormula says what counts as bubble.
const bubbleFormula = "idle time ∪ exposed communication in which only waiting for other stages goes on: " +
	"in point-to-point calls, and in collectives over several stages"

// pipelineMetrics returns the metrics of how long the stages of a pipeline idle and wait for each other.
func pipelineMetrics() []Metric {
	of := func(name, unit, subject, doc, formula string) Metric {
		return Metric{Metric: run.Metric{Name: name, Unit: unit, Better: run.Lower, Joint: true, Doc: doc, Remedy: needsPipeline,
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

// meanBefore returns how long a rank computes before its first point-to-point call was done, the mean over steps in
// ns; NaN without any.
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

	callers map[string][]int // indices of the ranks with point-to-point calls, by communicator
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

// putPipelines adds the series of pipelines to the ranks of a run, and what is known about their schedules to their
// groups.
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

// find returns the groups that are pipelines and whose ranks exchange something with their neighbours.
func (x *stages) find() (out []*stagedGroup) {
	x.of, x.at = make([]*stagedGroup, len(x.ranks)), make([]int, len(x.ranks))
	several := map[int]bool{}
	x.findCallers()
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
		if !s.contradicts(x) {
			out = append(out, s)
		}
	}
	for i := range several {
		if several[i] {
			x.of[i] = nil
		}
	}
	return out
}

// peer returns the stage that a point-to-point call of a stage's rank goes to or comes from; -1 unknown.
func (s *stagedGroup) peer(c *collective.Span, split collective.Split) int {
	if at := int(c.Peer) - 1; at >= 0 && at < len(s.members) {
		return at
	}
	if split.Peer == collective.Nobody {
		return -1
	}
	return slices.Index(s.members, int(split.Peer))
}

// contradicts reports whether a rank exchanges something with itself, or makes calls of the group without being a
// member: then the number of a rank, or of its peers, is wrong, and so is its stage.
func (s *stagedGroup) contradicts(x *stages) bool {
	for _, comm := range s.comms {
		if slices.ContainsFunc(x.callers[comm], func(i int) bool { return !slices.Contains(s.members, i) }) {
			return true
		}
	}
	for stage, i := range s.members {
		if i < 0 {
			continue
		}
		for k := range x.comms[i].Spans {
			if c := &x.comms[i].Spans[k]; s.has(c) && s.peer(c, x.splits[i][k]) == stage {
				return true
			}
		}
	}
	return false
}

// findCallers notes which ranks make point-to-point calls of each communicator.
func (x *stages) findCallers() {
	x.callers = map[string][]int{}
	for i := range x.comms {
		for k := range x.comms[i].Spans {
			c := &x.comms[i].Spans[k]
			if !isPair(c) {
				continue
			}
			if of := x.callers[c.Comm]; len(of) == 0 || of[len(of)-1] != i {
				x.callers[c.Comm] = append(of, i)
			}
		}
	}
}

// has reports whether a call is one of the group's own.
func (s *stagedGroup) has(c *collective.Span) bool {
	return isPair(c) && slices.Contains(s.comms, c.Comm)
}

// timeMessages finds the shortest time that messages of each size take between two stages, on either of their ranks,
// and the calls of each stage in each step.
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

// waitOf returns how much of a point-to-point call is waiting: what goes beyond the transfer, which ends with the
// call. If clocks do not tell when the other rank came, the transfer is the shortest call with as many bytes between
// the two ranks, on either of them. collective.Unknown: the other's calls were not captured, or the kernel exchanges
// several messages.
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

// stageTimes splits the communication of a stage's rank: it only waits for other stages, it moves data or waits for
// others, or it is not known which.
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
