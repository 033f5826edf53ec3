package cause

import (
	"math"

	"perfdiff/analyze/run"
	"perfdiff/diff/sides"
	"perfdiff/diff/verdict"
)

// Pipeline is how the stages of a pipeline go through the micro-batches of a step on one side.
type Pipeline struct {
	Stages       int          // 0: the side has none, or several that are not alike
	MicroBatches int          // of a step; 0 unknown
	Chunks       int          // parts of the model on each stage; 0 unknown
	Schedule     string       // "1F1B", "GPipe", "interleaved", "forward only"; "" unknown
	Ideal        float64      // share of a step that is bubble if all stages take equally long; NaN unknown
	Share        float64      // share of a step that is bubble, the median; NaN not recorded
	Loads        []StageLoads // by stage; nil where Stages is 0
}

// StageLoads are what the ranks of a stage do in a mean step, in s. NaN: not recorded.
type StageLoads struct {
	Stage                 int
	Ranks                 int // that were measured
	Step, Bubble          float64
	WarmUp, Steady, Drain float64 // parts of Bubble
}

// Busy is what is left of the step without the bubble, in s.
func (l *StageLoads) Busy() float64 { return l.Step - l.Bubble }

// pipelines are those of both sides; nil where no side has any.
func (p *Causes) pipelines() *[2]Pipeline {
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

// pipelineOf is what the groups of a side's runs have in common.
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

// keepCommon keeps what another pipeline has in common with this one.
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

// stageLoads are the means over runs, used steps and the ranks of each stage.
func stageLoads(s *sides.Side, stages int, stageOf map[int]int) []StageLoads {
	keys := []run.Key{sides.StepTime, {Metric: run.PipelineBubble},
		{Metric: run.PipelineBubble, Part: "warm-up"}, {Metric: run.PipelineBubble, Part: "steady"}, {Metric: run.PipelineBubble, Part: "drain"}}
	out := make([]StageLoads, stages)
	sums, counts := make([][5]float64, stages), make([][5]float64, stages)
	ranks := make([]map[int]bool, stages)
	s.EachRank(func(k *sides.Rank) {
		stage, is := stageOf[k.Rank.Rank]
		if !is || k.ValuesOf(keys[1]) == nil {
			return
		}
		if ranks[stage] == nil {
			ranks[stage] = map[int]bool{}
		}
		ranks[stage][k.Rank.Rank] = true
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
	for stage := range out {
		l := &out[stage]
		l.Stage, l.Ranks = stage, len(ranks[stage])
		for i, to := range []*float64{&l.Step, &l.Bubble, &l.WarmUp, &l.Steady, &l.Drain} {
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

// bubbleFinding is about another time in which the stages of a pipeline idle or wait for each
// other. told: another schedule is why, so that it explains the waiting of all.
func (p *Causes) bubbleFinding() (out []Finding, told *verdict.Comparison) {
	c := verdict.MetricOf(p.Metrics, run.PipelineBubble)
	if c == nil || p.Pipeline == nil || c.NotRecorded[0].Is() || c.NotRecorded[1].Is() || !c.Changed() || !(math.Abs(c.Delta) >= p.Least()) {
		return nil, nil
	}
	f := p.about(subjectOf(run.PipelineBubble), c)
	f.Pipeline = p.Pipeline
	if f.addMean(c); f.Class == "worse" {
		f.Advice.Kind = AdviceStages
	}
	if !otherSchedule(p.Pipeline) {
		return []Finding{f}, nil
	}
	if f.Class == "worse" {
		f.Advice.Kind = AdviceSchedule
	}
	return []Finding{f}, c
}

// withinBubble reports whether a change is what another schedule of a pipeline makes of it: idle
// time and exposed communication are what a bubble is made of.
func withinBubble(bubble, c *verdict.Comparison) bool {
	return bubble != nil && bubble.Delta*c.Delta > 0 && math.Abs(c.Delta) <= mostlyTold*math.Abs(bubble.Delta)
}
