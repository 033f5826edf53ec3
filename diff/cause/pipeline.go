package cause

import (
	"math"
	"slices"
	"strconv"

	"perfdiff/analyze/run"
	"perfdiff/diff/policy"
	"perfdiff/diff/sides"
	"perfdiff/diff/verdict"
)

// Pipeline is how the stages of a pipeline go through the micro-batches of a step on one side.
type Pipeline struct {
	Stages       int          `report:"stages"`        // 0: the side has none, or several that are not alike
	MicroBatches int          `report:"micro_batches"` // of a step; 0 unknown
	Chunks       int          `report:"chunks"`        // parts of the model on each stage; 0 unknown
	Schedule     string       `report:"schedule"`      // "1F1B", "GPipe", "interleaved", "forward only"; "" unknown
	Ideal        float64      `report:"ideal"`         // share of a step that is bubble if all stages take equally long; NaN unknown
	Share        float64      `report:"share"`         // share of a step that is bubble, the median; NaN not recorded
	Loads        []StageLoads `report:"loads"`         // by stage; nil where none was measured
}

// StageLoads holds what the ranks of a stage do in a mean step, in s. NaN: not recorded.
type StageLoads struct {
	Stage   int     `report:"stage"`
	Ranks   []int   `report:"ranks"` // that were measured, in order
	Step    float64 `report:"step"`
	Compute float64 `report:"compute"`
	Bubble  float64 `report:"bubble"`
	WarmUp  float64 `report:"warm_up"` // parts of Bubble
	Steady  float64 `report:"steady"`
	Drain   float64 `report:"drain"`
}

// Busy returns the step without the bubble, in s.
func (l *StageLoads) Busy() float64 { return l.Step - l.Bubble }

// pipelines returns the pipelines of both sides; nil where no side has any.
func pipelines(p *Causes) *[2]Pipeline {
	out := [2]Pipeline{pipelineOf(p.Base), pipelineOf(p.Cand)}
	if out[0].Stages == 0 && out[1].Stages == 0 {
		return nil
	}
	nan := math.NaN()
	for i := range out {
		out[i].Ideal, out[i].Share = nan, nan
	}
	if c := p.Part(run.Key{Metric: run.PipelineIdealBubble}); c != nil {
		out[0].Ideal, out[1].Ideal = c.Base, c.Cand
	}
	if c := p.Part(run.Key{Metric: run.PipelineBubbleShare}); c != nil {
		out[0].Share, out[1].Share = c.Base, c.Cand
	}
	return &out
}

// pipelineOf returns the pipeline that the groups of a side's runs agree on.
func pipelineOf(s *sides.Side) (out Pipeline) {
	stageOf := map[int]int{} // by rank
	first := true
	for _, r := range s.Runs {
		for i := range r.Source.Groups {
			g := &r.Source.Groups[i]
			if g.Pipeline == nil {
				continue
			}
			x := Pipeline{Stages: len(g.Ranks), MicroBatches: g.Pipeline.MicroBatches, Chunks: g.Pipeline.Chunks, Schedule: g.Pipeline.Schedule}
			if first {
				out, first = x, false
			}
			out.keepCommon(&x)
			for stage, rank := range g.Ranks {
				stageOf[rank] = stage
			}
		}
	}
	if out.Stages > 0 {
		out.Loads = stageLoads(s, out.Stages, stageOf)
	}
	return out
}

// keepCommon keeps what this pipeline shares with another one.
func (x *Pipeline) keepCommon(other *Pipeline) {
	if x.Stages != other.Stages {
		x.Stages = 0
	}
	if x.MicroBatches != other.MicroBatches {
		x.MicroBatches = 0
	}
	if x.Chunks != other.Chunks {
		x.Chunks = 0
	}
	if x.Schedule != other.Schedule {
		x.Schedule = ""
	}
}

// stageLoads returns the means over runs, used steps and the ranks of each stage; nil where no rank was
// measured.
func stageLoads(s *sides.Side, stages int, stageOf map[int]int) []StageLoads {
	keys := []run.Key{sides.StepTime, computing, {Metric: run.PipelineBubble},
		{Metric: run.PipelineBubble, Part: "warm-up"}, {Metric: run.PipelineBubble, Part: "steady"}, {Metric: run.PipelineBubble, Part: "drain"}}
	out := make([]StageLoads, stages)
	sums, counts := make([][6]float64, stages), make([][6]float64, stages)
	s.EachRank(func(k *sides.Rank) {
		stage, is := stageOf[k.Rank.Rank]
		if !is || k.ValuesOf(keys[2]) == nil {
			return
		}
		if rank := k.Rank.Rank; !slices.Contains(out[stage].Ranks, rank) {
			out[stage].Ranks = append(out[stage].Ranks, rank)
		}
		for i, key := range keys {
			values := k.ValuesOf(key)
			for j := range k.UsedIndex {
				if v := k.ValueOf(values, j); !math.IsNaN(v) {
					sums[stage][i] += v
					counts[stage][i]++
				}
			}
		}
	})
	if !slices.ContainsFunc(out, func(l StageLoads) bool { return len(l.Ranks) > 0 }) {
		return nil
	}
	for stage := range out {
		l := &out[stage]
		l.Stage = stage
		slices.Sort(l.Ranks)
		for i, to := range []*float64{&l.Step, &l.Compute, &l.Bubble, &l.WarmUp, &l.Steady, &l.Drain} {
			if *to = math.NaN(); counts[stage][i] > 0 {
				*to = sums[stage][i] / counts[stage][i]
			}
		}
	}
	return out
}

// otherSchedule reports whether the sides go through a step in another way, as far as that is
// known of both: in another number of micro-batches or stages, or in another order.
func otherSchedule(x *[2]Pipeline) bool {
	if x == nil || x[0].Stages == 0 || x[1].Stages == 0 {
		return false
	}
	b, c := &x[0], &x[1]
	differ := func(a, b int) bool { return a > 0 && b > 0 && a != b }
	return b.Stages != c.Stages || differ(b.MicroBatches, c.MicroBatches) || differ(b.Chunks, c.Chunks) ||
		b.Schedule != "" && c.Schedule != "" && b.Schedule != c.Schedule
}

// bubbleFinding reports that the stages of a pipeline idle or wait for each other for another time, unless another
// part of the step explains it: it needs another schedule, or a stage that computes for another time. told is then the
// change that explains the waiting of all. If the schedule is not known it explains nothing. late holds the findings
// about late ranks.
func bubbleFinding(p *Causes, late []Finding) (out []Finding, told *verdict.Comparison) {
	c := verdict.MetricOf(p.Metrics, run.PipelineBubble)
	if c == nil || p.Pipeline == nil || c.NotRecorded[0].Is() || c.NotRecorded[1].Is() || !c.Changed() || !(math.Abs(c.Delta) >= p.Least()) {
		return nil, nil
	}
	f := changeFinding(p, subjectOf(run.PipelineBubble), c)
	f.Pipeline = p.Pipeline
	if f.addMean(c); f.Class == verdict.ClassWorse {
		f.Advice.Kind = AdviceSchedule
	}
	if otherSchedule(p.Pipeline) {
		return []Finding{f}, c
	}
	if slices.ContainsFunc(late, func(f Finding) bool { return f.Kind == policy.KindStraggler }) {
		return nil, nil
	}
	if f.Class == verdict.ClassWorse {
		f.Advice.Kind = AdviceStages
	}
	if slow := slowStage(p, f.Delta); slow != nil {
		f.Ranks = slow.Ranks
		f.add(*slow)
		return []Finding{f}, c
	}
	if p.Pipeline[0].MicroBatches > 0 && p.Pipeline[1].MicroBatches > 0 {
		return nil, nil
	}
	return []Finding{f}, nil
}

// slowStage returns a clause on the one stage that computes for longer, or no longer does, where the bubble changed by
// delta: the other stages of its pipeline wait for it. nil: there is none.
func slowStage(p *Causes, delta float64) *Clause {
	b, c := p.Pipeline[0].Loads, p.Pipeline[1].Loads
	if len(b) == 0 || len(b) != len(c) {
		return nil
	}
	sign := math.Copysign(1, delta)
	most, next, at := math.Inf(-1), math.Inf(-1), -1
	for i := range b {
		switch more := sign * (c[i].Compute - b[i].Compute); {
		case math.IsNaN(more):
			return nil
		case more > most:
			most, next, at = more, most, i
		case more > next:
			next = more
		}
	}
	slower := c
	if delta < 0 {
		slower = b
	}
	slowest := !slices.ContainsFunc(slower, func(l StageLoads) bool { return l.Compute > slower[at].Compute })
	if !slowest || !(most >= p.Least()) || !(next <= most/2) || !(most >= math.Abs(delta)/2) {
		return nil
	}
	out := ClauseSlowStage.fromTo(b[at].Compute, c[at].Compute)
	out.Names, out.Ranks = []string{strconv.Itoa(at)}, c[at].Ranks
	return &out
}

// withinBubble reports whether another schedule of a pipeline explains a change: a bubble consists of idle time and
// exposed communication.
func withinBubble(bubble, c *verdict.Comparison) bool {
	return bubble != nil && bubble.Delta*c.Delta > 0 && math.Abs(c.Delta) <= mostlyTold*math.Abs(bubble.Delta)
}
