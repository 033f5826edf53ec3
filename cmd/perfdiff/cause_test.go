package main

import (
	"bytes"
	"context"
	"encoding/json"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"perfdiff/analyze/synth"
	"perfdiff/diff/stat"
	"perfdiff/testdata"
)

// planted is what the first finding of each story must say: words of the cause, and
// the number that the story put in, to 5 %. It may stand in the finding's number or
// in its text. What a story's text only leads to is in ofTruth.
var planted = map[string]struct {
	says   []string
	number float64 // ms, points, or %; 0: the words are all, or ofTruth has it
}{
	"aa":                        {},
	"allocator":                 {[]string{"Idle time rose", "frees and allocates device memory"}, 6},
	"blocking-communication":    {[]string{"Other host work left the critical path", "what bounds the step now is communication"}, 4 * 4.5},
	"checkpoint-spikes":         {[]string{"Every 8th step of the candidate", "other host work"}, 40},
	"clock-drop":                {[]string{"Compute rose", "all kernels take about"}, 6.04},
	"clock-of-one":              {[]string{"Rank 2 arrives last", "computes", "the clock of its device fell from"}, 25.0 * 0.25},
	"clock-skew-20ms":           {[]string{"Rank 2 arrives last", "computes"}, 5},
	"different-gpu":             {[]string{"differ in GPU", "A100"}, 0},
	"expert-imbalance":          {[]string{"Rank 3 is waited for most", "computes", "it gets 2.1 times the tokens of the median rank, in the baseline 1.0 times"}, (2.1 - (4-0.98)/3) * 4 * 1.5},
	"few-steps":                 {[]string{"Compute fell"}, 13.3},
	"fixed-window":              {[]string{"The clock ended both captures", "less work per second"}, 0},
	"graph-level-vs-node-level": {[]string{"The baseline replays graphs that were recorded as one row each"}, 0},
	"graphs":                    {[]string{"Compute or unknown work rose"}, 0.34 * 0.4 * 16},
	"graphs-vs-eager":           {[]string{"Idle time fell", "launches"}, 0},
	"host-bound":                {[]string{"Idle time rose", "launches come after the device is done", "what bounds the step now is other host work instead of compute"}, 0},
	"late-node":                 {[]string{"The ranks of node0002 arrive last", "compute"}, 3.6},
	"jitter":                    {[]string{"Steps differ more from one to the next"}, 0},
	"launch-bound":              {[]string{"Idle time rose", "launches come after the device is done"}, 0},
	"level-change":              {[]string{"From step 15 on the candidate's steps take", "on all ranks: compute of all kernels alike grew", "as another GPU clock or another amount of work would cause"}, 25 / 0.769},
	"level-change-input":        {[]string{"From step 17 on the candidate's steps take", "waiting for input (host) grew"}, 9.4},
	"level-change-link":         {[]string{"From step 20 on the candidate's steps take", "transfer grew"}, 6},
	"lost-overlap":              {[]string{"Exposed communication rose", "compute hides less"}, 4.5},
	"memory-leak":               {[]string{"Device memory grows from step to step"}, 50.331648},
	"memory-peak":               {[]string{"The peak of reserved memory rose"}, 1.610612736},
	"pageable-copies":           {[]string{"Copies to the device block the host", "from pageable memory", "3.10", "25.0"}, 50.331648/3.1 - 50.331648/25},
	"step-log":                  {[]string{"Compute rose", "as another GPU clock or another amount of work would cause"}, 0},
	"storage-counters":          {[]string{"Waiting for input fell"}, 21.6},
	"missing-rank":              {},
	"new-kernel":                {[]string{"Compute rose", "batch_norm_backward_cuda_kernel runs instead of bn_bw"}, 2 * 0.19 * 16},
	"no-steps":                  {[]string{"takes longer per call"}, 25},
	"o-direct":                  {[]string{"Waiting for input fell", "what bounds the step now is compute instead of waiting for input"}, 74.7},
	"ranges-without-gpu":        {[]string{"find_centers takes less per call: 67.7 and 11.5"}, 83},
	"rotating-straggler":        {[]string{"Another rank arrives last from step to step", "computes"}, 7.5},
	"serving-decode":            {[]string{"Compute rose", "flash_fwd_splitkv_kernel"}, 0.4 * 0.3 * 6},
	"serving-mixed":             {[]string{"The mix of engine steps changed", "decode steps are 59.3", "79.7"}, 0},
	"several-runs":              {[]string{"Compute rose"}, 0},
	"slow-allreduce":            {[]string{"Exposed communication rose", "the transfer itself rose"}, 3 * 4 * 1.2},
	"slow-kernel":               {[]string{"Compute rose", "dgrad"}, 0.3 * 0.38 * 24},
	"work-shrank":               {[]string{"Compute fell", "all kernels take about"}, 4.5}, // Nsight Systems records no sizes
	"tensor-parallel-slow":      {[]string{"Exposed communication rose", "the transfer itself rose", "most of it is tensor parallel"}, 16 * 0.3},
	"pipeline-bubble":           {[]string{"The pipeline bubble rose", "4 micro-batches instead of 8 pass through 4 stages (1F1B), which ideally leaves 27.3\u202f% and 42.9\u202f%"}, 0},
	"slow-network":              {[]string{"Exposed communication rose", "the transfer itself rose", "takes as long as before"}, 6},
	"slower-checkpoints":        {[]string{"The 4 slow steps that both sides have (every 10th", "save_checkpoint"}, 929},
	"straggler-rank3":           {[]string{"Rank 3 arrives last", "computes"}, 5},
	"truncated":                 {},
	"uneven-allreduce":          {[]string{"Calls of AllReduce differ more from each other"}, 0},
	"nodes-in-directories":      {[]string{"Rank 3 arrives last", "computes"}, 5},
}

// ofTruth is the planted size of stories where it follows from what the story's timeline
// adds up to: a change of the mean step, in ms or %.
var ofTruth = map[string]func(base, cand []synth.Run) float64{
	"graphs-vs-eager": idleChange,
	"host-bound":      idleChange,
	"pipeline-bubble": func(base, cand []synth.Run) float64 {
		bubble := func(s synth.Step) int64 { return s.Bubble.Time }
		return medianRun(cand, bubble) - medianRun(base, bubble)
	},
	"launch-bound": idleChange,
	"several-runs": func(base, cand []synth.Run) float64 {
		compute := func(s synth.Step) int64 { return s.Compute }
		return medianRun(cand, compute) - medianRun(base, compute)
	},
	"uneven-allreduce": func(base, cand []synth.Run) float64 { // the standard deviation of its calls
		return deviation(cand) - deviation(base)
	},
	"fixed-window": func(base, cand []synth.Run) float64 { // of steps a second
		period := func(s synth.Step) int64 { return s.Time }
		return 100 * (1 - medianRun(base, period)/medianRun(cand, period))
	},
}

// deviation is that of the only collective of a step, in ms, on the median rank; the first and
// the last step do not count.
func deviation(runs []synth.Run) float64 {
	var of []float64
	for _, rank := range runs[0].Ranks {
		sum, squares, n := 0.0, 0.0, 0.0
		for _, s := range rank.Steps[1 : len(rank.Steps)-1] {
			v := float64(s.Comm) / 1e6
			sum, squares, n = sum+v, squares+v*v, n+1
		}
		of = append(of, math.Sqrt((squares-sum*sum/n)/(n-1)))
	}
	return stat.Median(of)
}

// asSteps makes the steps of a story known that does not mark them.
var asSteps = strings.NewReplacer("markers: false", "markers: true", "window: 3s", "")

func idleChange(base, cand []synth.Run) float64 {
	idle := func(s synth.Step) int64 { return s.Idle }
	return math.Abs(medianRun(cand, idle) - medianRun(base, idle))
}

// medianRun is a part of the steps of a run, in ms: of one the mean, of several the
// median of their medians. The first and the last step do not count.
func medianRun(runs []synth.Run, part func(synth.Step) int64) float64 {
	var of []float64
	for _, run := range runs {
		var all []float64
		for _, rank := range run.Ranks {
			for _, s := range rank.Steps[1 : len(rank.Steps)-1] {
				all = append(all, float64(part(s))/1e6)
			}
		}
		if len(runs) == 1 {
			return mean(all)
		}
		of = append(of, stat.Median(all))
	}
	return stat.Median(of)
}

// TestPlanted: the first finding of each story is its planted cause with its size,
// and a story without a cause has no finding.
func TestPlanted(t *testing.T) {
	for _, name := range testdata.Names() {
		want, ok := planted[name]
		if !ok {
			t.Errorf("%s: the story's cause is not listed", name)
			continue
		}
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			dir := writeStory(t, name, synth.Nsight)
			found := findingsOf(t, filepath.Join(dir, "baseline"), filepath.Join(dir, "candidate"))
			switch {
			case want.says == nil && len(found) > 0:
				t.Errorf("got %q, want no finding", found[0].Text)
			case want.says == nil:
				return
			case len(found) == 0:
				t.Fatalf("no finding, want %q", want.says)
			}
			for _, f := range found { // what another finding tells is not told of the path again
				if f.Kind == "critical-path" && name != "blocking-communication" {
					t.Errorf("got %q beside %q", f.Text, found[0].Text)
				}
			}
			f := found[0]
			for _, s := range want.says {
				if !strings.Contains(f.Text, s) {
					t.Errorf("got %q, want %q in it", f.Text, s)
				}
			}
			if size := ofTruth[name]; size != nil {
				_, truth := writeEdited(t, name, synth.Nsight, asSteps)
				want.number = size(truth.Baseline, truth.Candidate)
			}
			if want.number != 0 && !holds(f.Number+" "+f.Text, want.number) {
				t.Errorf("got %s %s: %q, want %g to 5 %%", f.Number, f.NumberIn, f.Text, want.number)
			}
		})
	}
}

// findingsOf are the findings of a comparison; none of which nothing is judged either.
func findingsOf(t *testing.T, base, cand string) []Finding {
	t.Helper()
	out := filepath.Join(t.TempDir(), "r.json")
	var stdout, stderr bytes.Buffer
	run(context.Background(), []string{"-q", base, cand, "-o", out}, &stdout, &stderr)
	text, err := os.ReadFile(out)
	if err != nil {
		t.Fatal(err, stderr.String())
	}
	var doc Document
	if err := json.Unmarshal(text, &doc); err != nil {
		t.Fatal(err)
	}
	if len(doc.Findings) > 10 {
		t.Errorf("%d findings", len(doc.Findings))
	}
	return doc.Findings
}

// holds reports whether a text has a number within 5 % of want in size.
func holds(text string, want float64) bool {
	digits := strings.FieldsFunc(text, func(r rune) bool { return !(r >= '0' && r <= '9' || r == '.') })
	for _, d := range digits {
		if v, err := strconv.ParseFloat(strings.Trim(d, "."), 64); err == nil && math.Abs(v-want) <= 0.05*want {
			return true
		}
	}
	return false
}

// holdsAbout reports whether two numbers differ by 5 % at most.
func holdsAbout(a, b string) bool {
	v, err := strconv.ParseFloat(strings.Trim(b, "+\u2212%"), 64)
	return err == nil && (holds(a, v) || strings.Trim(a, "+\u2212%") == strings.Trim(b, "+\u2212%"))
}

// TestMirrored: the sides the other way round give the same findings with the other
// sign: what makes a step slower is what makes it faster when it goes.
func TestMirrored(t *testing.T) {
	for _, name := range []string{"allocator", "clock-drop", "late-node", "lost-overlap", "new-kernel", "o-direct", "pageable-copies", "rotating-straggler", "serving-decode", "slow-allreduce", "slow-kernel", "slow-network", "straggler-rank3", "checkpoint-spikes",
		"level-change", "level-change-input", "level-change-link", "slower-checkpoints"} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			dir := writeStory(t, name, synth.Nsight)
			findings := func(base, cand string) map[string]string {
				out := map[string]string{}
				for _, f := range findingsOf(t, filepath.Join(dir, base), filepath.Join(dir, cand)) {
					out[f.Metric] = f.Number + " " + f.NumberIn + " " + f.Class
				}
				return out
			}
			mirror := strings.NewReplacer("+", "\u2212", "\u2212", "+", "better", "worse", "worse", "better")
			there, back := findings("baseline", "candidate"), findings("candidate", "baseline")
			for metric, text := range there {
				// A change is a share of the side that it starts from, so that its size is about the same.
				got := strings.Fields(mirror.Replace(back[metric]))
				want := strings.Fields(text)
				if len(got) != len(want) || got[0][:1] != want[0][:1] || !slices.Equal(got[1:], want[1:]) || !holdsAbout(got[0], want[0]) {
					t.Errorf("%s: %q, the other way round %q", metric, text, back[metric])
				}
			}
			for metric, text := range back {
				if there[metric] == "" {
					t.Errorf("%s: only the other way round: %q", metric, text)
				}
			}
		})
	}
}
