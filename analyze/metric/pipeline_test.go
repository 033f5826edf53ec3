package metric

import (
	"testing"

	"perfdiff/analyze/collective"
	"perfdiff/analyze/interval"
	"perfdiff/analyze/pipeline"
	"perfdiff/analyze/run"
	"perfdiff/analyze/trace"
)

// TestWaitOfMessages: where clocks do not tell it, a call waits for what goes beyond the shortest one
// with as many bytes between the two stages.
func TestWaitOfMessages(t *testing.T) {
	alone := collective.Split{Wait: collective.Unknown, Peer: collective.Nobody}
	span := func(start, end int64, peer int32, bytes int64, sends bool) collective.Span {
		return collective.Span{Start: start, End: end, Kind: sendRecv, Comm: "p", Peer: peer, Bytes: bytes, Sends: sends, Receives: !sends}
	}
	x := &stages{
		ranks: []run.Rank{{Steps: []trace.Step{{Number: 4}}}, {Rank: 1, Steps: []trace.Step{{Number: 4}}}},
		comms: []Communication{
			{Spans: []collective.Span{span(0, 100, 2, 64, true), span(200, 230, 2, 64, true), span(300, 800, 2, 512, true)}},
			{Spans: []collective.Span{span(0, 140, 1, 64, false), span(200, 250, 1, 64, false), span(300, 310, 0, 64, false)}},
		},
		splits: [][]collective.Split{{alone, alone, alone}, {alone, alone, alone}},
	}
	s := &stagedGroup{gatheredGroup: &gatheredGroup{comms: []string{"p"}}, members: []int{0, 1}}
	s.timeMessages(x)
	for stage, want := range [][]int64{{70, 0, 0}, {110, 20, collective.Unknown}} {
		for k, ns := range want {
			if got := s.waitOf(stage, &x.comms[stage].Spans[k], alone); got != ns {
				t.Errorf("stage %d, call %d: got %d ns of waiting, want %d", stage, k, got, ns)
			}
		}
		if got := s.calls[stage][4]; len(got) != 3 || got[0].Way != pipeline.Forward {
			t.Errorf("stage %d: got %+v, want three calls, the first forward", stage, got)
		}
	}
	x.findCallers()
	if s.contradicts(x) {
		t.Error("messages between two ranks contradict nothing")
	}
	x.comms[1].Spans[1].Peer = 2 // what rank 1 calls rank 1
	if !s.contradicts(x) {
		t.Error("a rank that receives from itself is taken for a stage")
	}
	x.comms[1].Spans[1].Peer = 1
	if other := (&stagedGroup{gatheredGroup: s.gatheredGroup, members: []int{0, -1}}); !other.contradicts(x) {
		t.Error("calls of a group by a rank that is none of its members go unnoticed")
	}
	told := collective.Split{Wait: 5, Peer: collective.Nobody}
	if got := s.waitOf(0, &x.comms[0].Spans[0], told); got != 5 {
		t.Errorf("by clocks: got %d ns, want 5", got)
	}
}

// TestPhasesOfBubble: warm-up lies before the first gradient, drain behind the last forward message.
func TestPhasesOfBubble(t *testing.T) {
	st := trace.Step{Start: 0, End: 1000}
	spans := []collective.Span{
		{Start: 150, End: 200, Kind: sendRecv, Peer: 2, Sends: true}, {Start: 250, End: 300, Kind: sendRecv, Peer: 2},
		{Start: 600, End: 700, Kind: sendRecv, Peer: 2, Sends: true},
	}
	var calls []pipeline.Call
	for i, way := range []pipeline.Way{pipeline.Forward, pipeline.Backward, pipeline.Forward} {
		calls = append(calls, pipeline.Call{Start: spans[i].Start, End: spans[i].End, Way: way, Sends: spans[i].Sends})
	}
	var pairs pairStep
	pairs.sumIdle(interval.Set{{Start: 0, End: 90}, {Start: 400, End: 420}, {Start: 940, End: 990}}, spans)
	series := seriesBuilder{n: 1}
	putBubble(&series, 0, &st, &pairs, interval.Set{{Start: 190, End: 200}, {Start: 930, End: 940}}, calls)
	for at, key := range series.keys {
		want := map[run.Key]float64{{Metric: run.PipelineBubble}: 180e-9, {Metric: run.PipelineBubbleShare}: .18, {Metric: run.PipelineBubble, Part: phaseWarmUp}: 100e-9,
			{Metric: run.PipelineBubble, Part: phaseSteady}: 20e-9, {Metric: run.PipelineBubble, Part: phaseDrain}: 60e-9}[key.Key]
		if got := series.values[at][0]; !(got > .999*want && got < 1.001*want) {
			t.Errorf("%v: got %v, want %v", key.Key, got, want)
		}
	}
	if len(series.keys) != 5 {
		t.Errorf("got %v, want five series", series.keys)
	}
}

func TestChunksOf(t *testing.T) {
	first := make([]pipeline.Call, 8)
	for i := range first {
		first[i] = pipeline.Call{Way: pipeline.Forward, Sends: true}
	}
	for batches, want := range map[int]int{8: 1, 4: 2, 2: 4, 3: 0, 16: 0} {
		if got := chunksOf(first, batches); got != want {
			t.Errorf("%d micro-batches: got %d parts, want %d", batches, got, want)
		}
	}
}
