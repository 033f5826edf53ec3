package main

import (
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"perfdiff/analyze/synth"
)

// bubbleLines is what a report says of a pipeline: how many micro-batches and stages on either side,
// the schedule, and the finding.
func bubbleLines(d *Document) string {
	var out []string
	if p := d.Pipeline; p == nil {
		out = append(out, "no pipeline")
	} else {
		for _, x := range []Pipeline{p.Baseline, p.Candidate} {
			out = append(out, fmt.Sprintf("%d through %d x%d %s", x.MicroBatches, x.Stages, x.Chunks, x.Schedule))
		}
	}
	for _, f := range d.Findings {
		if f.Kind == "pipeline-bubble" {
			out = append(out, "found")
		}
	}
	for _, m := range d.Metrics {
		if m.Metric == "pipeline_bubble" && (math.IsNaN(float64(m.Median.Baseline)) || math.IsNaN(float64(m.Median.Candidate))) {
			out = append(out, "not recorded")
		}
	}
	return strings.Join(out, ", ")
}

// TestBubbleAdversary: what is said of pipelines that are recorded in part, and of jobs that only
// look like one.
func TestBubbleAdversary(t *testing.T) {
	const (
		whole = "8 through 4 x1 1F1B, 4 through 4 x1 1F1B, found"
		alike = "8 through 4 x1 1F1B, 8 through 4 x1 1F1B"
		stage = "pipeline: {stages: 4"
		fewer = "pipeline: {micro_batches: 4}"
	)
	for _, tt := range []struct {
		name           string
		edit           []string
		nsight, kineto string
	}{
		{"as it is", nil, whole, whole},
		{"no ranges of micro-batches", []string{stage, stage + ", unnamed: true"}, whole, whole},
		{"two stages", []string{"stages: 4", "stages: 2"}, "8 through 2 x1 1F1B, 4 through 2 x1 1F1B, found", "8 through 2 x1 1F1B, 4 through 2 x1 1F1B, found"},
		{"all forward first", []string{stage, stage + ", order: all-forward"}, "8 through 4 x1 GPipe, 4 through 4 x1 GPipe, found", "8 through 4 x1 GPipe, 4 through 4 x1 GPipe, found"},
		{"forward only", []string{stage, stage + ", order: forward-only"}, "8 through 4 x1 forward only, 4 through 4 x1 forward only, found", "8 through 4 x1 forward only, 4 through 4 x1 forward only, found"},
		{"another order with as many micro-batches", []string{"candidate:\n  pipeline: {micro_batches: 4}", "candidate:\n  pipeline: {order: all-forward}"},
			"8 through 4 x1 1F1B, 8 through 4 x1 GPipe", "8 through 4 x1 1F1B, 8 through 4 x1 GPipe"},
		{"a slow stage", []string{fewer, "slow: {4: 1.3, 5: 1.3}"}, alike + ", found", alike + ", found"},
		{"input wait, which says it better", []string{fewer, "input: {from: 8ms}"}, alike, alike},
		{"slow links, likewise", []string{fewer, "pipeline: {transfer: 6ms}"}, alike, alike},
		{"neighbours exchange edges, and nobody says what groups are for", []string{stage, stage + ", order: neighbours"}, "no pipeline", "no pipeline"},
		{"gradients are accumulated without a pipeline", []string{"stages: 4", "stages: 0"}, "no pipeline", "no pipeline"},
	} {
		for format, want := range map[synth.Format]string{synth.Nsight: tt.nsight, synth.Kineto: tt.kineto} {
			dir, _ := writeEdited(t, "pipeline-bubble", format, strings.NewReplacer(tt.edit...))
			d := groupsDocument(t, filepath.Join(dir, "baseline"), filepath.Join(dir, "candidate"))
			if got := bubbleLines(d); got != want {
				t.Errorf("%s, %v: got %q, want %q", tt.name, format, got, want)
				for _, f := range d.Findings {
					t.Log(f.Text)
				}
			}
		}
	}
}

// TestBubbleOfSomeStages: without the ranks of a stage its neighbours' bubble is not known. The
// number of micro-batches is, where ranges have numbers and captures list the ranks of groups.
func TestBubbleOfSomeStages(t *testing.T) {
	for _, tt := range []struct {
		format  synth.Format
		missing string
		want    string
	}{
		{synth.Nsight, "both", "no pipeline"},
		{synth.Kineto, "both", "8 through 4 x1 1F1B, 4 through 4 x1 1F1B"},
		{synth.Nsight, "candidate", "8 through 4 x1 1F1B, 0 through 0 x0 , not recorded"},
		{synth.Kineto, "candidate", "8 through 4 x1 1F1B, 4 through 4 x1 1F1B, not recorded"},
	} {
		dir := writeStory(t, "pipeline-bubble", tt.format)
		sides := []string{"candidate"}
		if tt.missing == "both" {
			sides = append(sides, "baseline")
		}
		for _, side := range sides {
			files, err := filepath.Glob(filepath.Join(dir, side, "*"))
			if err != nil || len(files) != 8 {
				t.Fatalf("got %d files: %v", len(files), err)
			}
			for _, file := range files[2:4] { // of the second stage
				if err := os.Remove(file); err != nil {
					t.Fatal(err)
				}
			}
		}
		d := groupsDocument(t, filepath.Join(dir, "baseline"), filepath.Join(dir, "candidate"))
		if got := bubbleLines(d); got != tt.want {
			t.Errorf("%v, %s: got %q, want %q", tt.format, tt.missing, got, tt.want)
			for _, f := range d.Findings {
				t.Log(f.Text)
			}
		}
	}
}

// TestSlowStage: where one stage of a pipeline computes for longer, the finding names it, and none
// says that another rank is slow in each step.
func TestSlowStage(t *testing.T) {
	dir, truth := writeEdited(t, "pipeline-bubble", synth.Nsight, strings.NewReplacer("pipeline: {micro_batches: 4}", "slow: {4: 1.3, 5: 1.3}"))
	d := groupsDocument(t, filepath.Join(dir, "baseline"), filepath.Join(dir, "candidate"))
	mean := func(runs []synth.Run) float64 { // over steps and ranks, in ms
		sum, n := 0.0, 0
		for _, r := range runs[0].Ranks {
			for i := 1; i < len(r.Steps)-1; i++ {
				sum, n = sum+float64(r.Steps[i].Bubble.Time)/1e6, n+1
			}
		}
		return sum / float64(n)
	}
	want := mean(truth.Candidate) - mean(truth.Baseline)
	f := d.Findings[0]
	if got := 1e3 * float64(f.Delta); f.Kind != "pipeline-bubble" || math.Abs(got-want) > 0.05*want || fmt.Sprint(f.Ranks) != "[4 5]" ||
		!strings.Contains(f.Text, "stage 2 (ranks 4-5) computes for") {
		t.Errorf("got %.2f ms, ranks %v: %s, want %.2f ms and stage 2", got, f.Ranks, f.Text, want)
	}
	for _, f := range d.Findings {
		if f.Kind == "straggler" || f.Kind == "late-ranks" {
			t.Errorf("got %s: %s", f.Kind, f.Text)
		}
	}
}
