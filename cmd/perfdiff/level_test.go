package main

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"perfdiff/analyze/synth"
)

// levels are changes of level inside runs, and what is said of them first: the class and
// words of the finding about the drift, "" for none, in both formats.
var levels = map[string]struct {
	story, class string
	says         []string
}{
	"19 steps": {"steps: 20, seed: 3, candidate: {later: {step: 15, job: {clock: 0.769}}}", "worse",
		[]string{"From step 15 on the candidate's steps take 2", "compute of all kernels alike grew from 24", "the baseline's show no such change (28"}},
	"100 steps, a tenth": {"steps: 100, seed: 5, candidate: {later: {step: 70, job: {clock: 0.89}}}", "worse", []string{"From step 70 on the candidate's steps take 1", "all kernels alike"}},
	"one rank":           {"ranks: 4, steps: 30, seed: 4, candidate: {later: {step: 15, job: {slow: {2: 1.3}}}}", "worse", []string{"because of rank 2: compute of all kernels alike grew from 2", "to 32"}},
	"two ranks of four":  {"ranks: 4, steps: 30, seed: 4, candidate: {later: {step: 15, job: {slow: {2: 1.3, 3: 1.3}}}}", "worse", []string{"because of ranks 2-3: compute"}},
	"one kernel":         {"ranks: 2, steps: 30, seed: 6, candidate: {later: {step: 12, job: {kernels: {conv_dgrad: 1.6}}}}", "worse", []string{"From step 12 on", "on all ranks: compute grew", "most of it sm90_xmma_dgrad"}},
	"the allocator":      {"ranks: 2, steps: 30, seed: 7, candidate: {later: {step: 20, job: {allocate: 6ms}}}", "worse", []string{"From step 20 on", "allocating device memory grew from"}},
	"only before":        {"ranks: 2, steps: 30, seed: 8, baseline: {later: {step: 15, job: {clock: 0.769}}}", "better", []string{"From step 15 on the baseline's steps take 2", "; the candidate's show no such change (2"}},
	"on both sides":      {"ranks: 2, steps: 30, seed: 9, job: {later: {step: 15, job: {clock: 0.769}}}", "", nil},
	"more than before":   {"ranks: 2, steps: 30, seed: 10, baseline: {later: {step: 15, job: {clock: 0.9}}}, candidate: {later: {step: 18, job: {clock: 0.65}}}", "worse", []string{"From step 18 on the candidate's", "; the baseline's take", "longer from step 15 on"}},
	"in all of three":    {"ranks: 2, runs: 3, steps: 24, seed: 11, candidate: {later: {step: 15, job: {clock: 0.769}}}", "worse", []string{"From step 15 on", "(in 3 of 3 runs)"}},
	"it falls":           {"ranks: 2, steps: 30, seed: 12, candidate: {later: {step: 20, job: {clock: 1.3}}}", "look", []string{"From step 20 on the candidate's steps take", "less, 23", "compute of all kernels alike fell"}},
	"a line":             {"ranks: 2, steps: 40, seed: 13, candidate: {input: {from: 400us, to: 20ms}}", "look", []string{"Steps grow over the run in the candidate"}},
	"behind a warm-up":   {"ranks: 2, steps: 60, seed: 14, candidate: {clock: 0.5, later: {step: 4, job: {clock: 1}}}", "", nil},
}

func TestLevels(t *testing.T) {
	for name, tt := range levels {
		for i, format := range []synth.Format{synth.Nsight, synth.Kineto} {
			t.Run(fmt.Sprint(name, i), func(t *testing.T) {
				t.Parallel()
				dir := writeText(t, tt.story, format)
				got, class := "", ""
				for _, f := range findingsOf(t, filepath.Join(dir, "baseline"), filepath.Join(dir, "candidate")) {
					if f.Metric == "drift" {
						got, class = plainSpaces(f.Text), f.Class
					}
				}
				if class != tt.class {
					t.Errorf("got %s %q, want class %q", class, got, tt.class)
				}
				for _, want := range tt.says {
					if !strings.Contains(got, want) {
						t.Errorf("got %q, want %q in it", got, want)
					}
				}
			})
		}
	}
}

// plainSpaces is a text with spaces that break lines.
func plainSpaces(s string) string { return strings.ReplaceAll(s, "\u202f", " ") }

// writeText writes a story in flow style.
func writeText(t *testing.T, text string, format synth.Format) string {
	t.Helper()
	story, err := synth.Parse(t.Name(), []byte("{about: level, "+text+"}"))
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	if _, err := story.Write(context.Background(), dir, format); err != nil {
		t.Fatal(err)
	}
	return dir
}

// TestLevelGates: a change of level gates as a drift does: with a history, and then by its
// size, not by that of a line through the jump.
func TestLevelGates(t *testing.T) {
	dir := writeText(t, "ranks: 2, runs: 8, steps: 30, seed: 21, candidate: {later: {step: 20, job: {clock: 0.769}}}", synth.Kineto)
	past := t.TempDir()
	for i := range 7 {
		mustRun(t, statusOK, "summarize", filepath.Join(dir, "baseline", fmt.Sprint("run", i+1)), "-q", "-o", filepath.Join(past, fmt.Sprintf("%d.perfdiff", i)))
	}
	base, cand := filepath.Join(dir, "baseline/run8"), filepath.Join(dir, "candidate/run1")
	mustRun(t, statusNotJudged, base, cand, "--gate", "drift")
	out, _ := mustRun(t, statusRegressed, base, cand, "--history", past, "--gate", "drift")
	for _, want := range []string{"WORSE", "From step 20 on, steps take 7", "From step 20 on the candidate's steps take 2"} {
		if !strings.Contains(strings.Join(strings.Fields(out), " "), want) {
			t.Errorf("got %s want %q", out, want)
		}
	}
	mustRun(t, statusOK, cand, base, "--history", past, "--gate", "drift")
	mustRun(t, statusOK, filepath.Join(dir, "baseline/run1"), base, "--history", past, "--gate", "drift")
	// One run of three that throttles is worth a look, and nothing more.
	odd := t.TempDir()
	for i, run := range []string{"baseline/run1", "baseline/run2", "candidate/run3"} {
		copyRun(t, filepath.Join(dir, run), filepath.Join(odd, fmt.Sprint("run", i+1)))
	}
	even := t.TempDir()
	for i := range 3 {
		copyRun(t, filepath.Join(dir, fmt.Sprint("baseline/run", i+4)), filepath.Join(even, fmt.Sprint("run", i+1)))
	}
	found := false
	for _, f := range findingsOf(t, even, odd) {
		if f.Metric == "drift" {
			found = true
			if f.Class != "look" || !strings.Contains(f.Text, "(in 1 of 3 runs)") {
				t.Errorf("one of three: got %s %q", f.Class, f.Text)
			}
		}
	}
	if !found {
		t.Error("one of three: nothing is said")
	}
}

func copyRun(t *testing.T, from, to string) {
	t.Helper()
	if err := os.CopyFS(to, os.DirFS(from)); err != nil {
		t.Fatal(err)
	}
}

// TestSharedSpikes: slow steps of both sides at the same place are compared in what they
// take, and those that take as long are no finding.
func TestSharedSpikes(t *testing.T) {
	for name, tt := range map[string]struct{ story, class, says string }{
		"longer":        {"ranks: 2, steps: 42, seed: 31, baseline: {pause: {every: 10, time: 300ms}}, candidate: {pause: {every: 10, time: 900ms}}", "worse", "The 4 slow steps that both sides have (every 10th: 9, 19, 29, 39) take"},
		"shorter":       {"ranks: 2, steps: 42, seed: 31, baseline: {pause: {every: 10, time: 900ms}}, candidate: {pause: {every: 10, time: 300ms}}", "better", "The 4 slow steps that both sides have"},
		"two of them":   {"ranks: 2, steps: 50, seed: 32, baseline: {pause: {every: 20, time: 300ms}}, candidate: {pause: {every: 20, time: 900ms}}", "worse", "The 2 slow steps that both sides have (19, 39) take"},
		"one of them":   {"ranks: 2, steps: 50, seed: 33, baseline: {pause: {every: 30, time: 300ms}}, candidate: {pause: {every: 30, time: 900ms}}", "look", "The slow step that both sides have (29) takes"},
		"as long":       {"ranks: 2, steps: 42, seed: 34, job: {pause: {every: 10, time: 300ms}}", "", ""},
		"a tenth more":  {"ranks: 2, steps: 42, seed: 35, baseline: {pause: {every: 10, time: 300ms}}, candidate: {pause: {every: 10, time: 330ms}}", "look", "steps of the candidate take"},
		"more of three": {"ranks: 2, runs: 3, steps: 42, seed: 36, baseline: {pause: {every: 10, time: 300ms}}, candidate: {pause: {every: 10, time: 500ms}}", "worse", "slow steps that both sides have"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			dir := writeText(t, tt.story, synth.Kineto)
			got, class := "", ""
			for _, f := range findingsOf(t, filepath.Join(dir, "baseline"), filepath.Join(dir, "candidate")) {
				if f.Metric == "tail" {
					got, class = plainSpaces(f.Text), f.Class
				}
			}
			if class != tt.class || !strings.Contains(got, tt.says) {
				t.Errorf("got %s %q, want %s %q", class, got, tt.class, tt.says)
			}
		})
	}
}
