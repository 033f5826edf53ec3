package synth_test

import (
	"context"
	"math"
	"strings"
	"testing"

	"perfdiff/analyze"
	"perfdiff/analyze/pipeline"
	"perfdiff/analyze/run"
	"perfdiff/analyze/step"
	"perfdiff/analyze/synth"
	"perfdiff/testdata"
)

// TestBubble: what the stages of a pipeline idle and wait for is what the simulated schedule makes
// of it, to 1 %, in every format. How many micro-batches there are is known with and without ranges.
func TestBubble(t *testing.T) {
	text, err := testdata.Story("pipeline-bubble")
	if err != nil {
		t.Fatal(err)
	}
	for name, edit := range map[string]string{"named": "", "unnamed": ", unnamed: true"} {
		for _, format := range []synth.Format{synth.Nsight, synth.Kineto} {
			story, err := synth.Parse("pipeline-bubble", []byte(strings.Replace(string(text), "stages: 4", "stages: 4"+edit, 1)))
			if err != nil {
				t.Fatal(err)
			}
			dir := t.TempDir()
			truth, err := story.Write(context.Background(), dir, format)
			if err != nil {
				t.Fatal(err)
			}
			for _, side := range []struct {
				name    string
				runs    []synth.Run
				batches int
			}{{"baseline", truth.Baseline, 8}, {"candidate", truth.Candidate, 4}} {
				set, err := analyze.Load(context.Background(), dir+"/"+side.name, analyze.Options{Step: step.Options{SkipFirst: -1}})
				if err != nil {
					t.Fatal(err)
				}
				for _, g := range set.Runs[0].Groups {
					want := run.Pipeline{MicroBatches: side.batches, Chunks: 1, Schedule: pipeline.InTurns}
					if len(g.Ranks) == 4 && (g.Pipeline == nil || *g.Pipeline != want) {
						t.Errorf("%s, %s, %v, ranks %v: got %+v, want %+v", name, side.name, format, g.Ranks, g.Pipeline, want)
					}
				}
				for i := range side.runs[0].Ranks {
					compareBubble(t, &set.Runs[0].Ranks[i], side.runs[0].Ranks[i].Steps, pipeline.Ideal(4, side.batches, 1))
				}
			}
		}
	}
}

// compareBubble compares the bubble of a rank, its share and its phases with the truth.
func compareBubble(t *testing.T, r *run.Rank, steps []synth.Step, ideal float64) {
	t.Helper()
	at := func(metric, part string, i int) float64 {
		if v := r.Values(run.Key{Metric: metric, Part: part}); v != nil {
			return v[i]
		}
		return math.NaN()
	}
	for i, s := range steps {
		all := seconds(s.Bubble.Time)
		for _, x := range []struct {
			metric, part    string
			want, tolerance float64
		}{
			{run.PipelineBubble, "", all, 0.01 * all},
			{run.PipelineBubble, "warm-up", seconds(s.Bubble.WarmUp), 0.01 * all},
			{run.PipelineBubble, "steady", seconds(s.Bubble.Time - s.Bubble.WarmUp - s.Bubble.Drain), 0.02 * all},
			{run.PipelineBubble, "drain", seconds(s.Bubble.Drain), 0.02 * all},
			{run.PipelineBubbleShare, "", all / seconds(s.Time), 0.01 * all / seconds(s.Time)},
			{run.PipelineIdealBubble, "", ideal, 0},
		} {
			if got := at(x.metric, x.part, i); !(math.Abs(got-x.want) <= x.tolerance) {
				t.Fatalf("rank %d, step %d: %s %s: got %v, want %v", r.Rank, s.Number, x.metric, x.part, got, x.want)
			}
		}
	}
}
