package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"perfdiff/analyze/synth"
	"perfdiff/analyze/trace"
	"perfdiff/golden"
)

// document runs the whole program and returns its report as JSON.
func document(t *testing.T, want int, args ...string) Document {
	t.Helper()
	out := filepath.Join(t.TempDir(), "r.json")
	var stdout, stderr bytes.Buffer
	if got := run(context.Background(), append(args, "-q", "-o", out), &stdout, &stderr); got != want {
		t.Errorf("%s: exit %d, want %d: %s", strings.Join(args[2:], " "), got, want, stderr.String())
	}
	text, err := os.ReadFile(out)
	if err != nil {
		t.Fatal(err, stderr.String())
	}
	var doc Document
	if err := json.Unmarshal(text, &doc); err != nil {
		t.Fatal(err)
	}
	return doc
}

// changed are the findings that something became better or worse.
func changed(doc Document) (texts []string) {
	for _, f := range doc.Findings {
		if f.Class == "better" || f.Class == "worse" {
			texts = append(texts, f.Text)
		}
	}
	return texts
}

func stepTimeOf(t *testing.T, doc Document) Comparison {
	t.Helper()
	for _, c := range doc.Metrics {
		if c.Metric == "step_time" {
			return c
		}
	}
	t.Fatal("no step time")
	return Comparison{}
}

// TestServingData: a real engine step is one step, whatever layers and graphs it is made
// of, and its load is what its name says.
func TestServingData(t *testing.T) {
	for file, want := range map[string]struct {
		load trace.Load
		time float64 // s
	}{
		"vllm-eager-b200":         {trace.Load{Class: trace.Prefill, Batch: 1, Tokens: 888}, 0.0848},
		"vllm-piecewise-mi300":    {trace.Load{Class: trace.Mixed, Batch: 46, Tokens: 8192, Context: 8430 + 34489}, 0.156},
		"vllm-decode-graph-mi300": {trace.Load{Class: trace.Decode, Batch: 32, Tokens: 32, Context: 55086}, 0.0107},
	} {
		r := load(t, golden.Real(t, "kineto/serving/"+file+".json.gz")).Runs[0].Ranks[0]
		if len(r.Steps) != 1 || r.Steps[0].Load != want.load || r.Receipts[0].Marker != `range "execute_…_context_…_generation_…"` {
			t.Errorf("%s: got %s, %+v, want one step of load %+v", file, r.Receipts[0].Marker, r.Steps, want.load)
			continue
		}
		if got := float64(r.Steps[0].End-r.Steps[0].Start) * 1e-9; !near(got, want.time) {
			t.Errorf("%s: got a step of %v s, want %v", file, got, want.time)
		}
	}
}

// TestServingPairs: copies of a real file, and files of other work, are not judged.
func TestServingPairs(t *testing.T) {
	const prefill, mixed, decode = "vllm-eager-b200", "vllm-piecewise-mi300", "vllm-decode-graph-mi300"
	for _, tt := range []struct{ base, cand, reason, says string }{
		{prefill, prefill, "too_few_steps", ""},
		{decode, decode, "too_few_steps", ""},
		{mixed, decode, "loads_differ", "Baseline: 1× mixed of 8\u2009192 tokens with 42\u2009919 tokens of context. Candidate: 1× decode of 32 requests with 55\u2009086 tokens of context."},
		{decode, prefill, "loads_differ", "Baseline: 1× decode of 32 requests with 55\u2009086 tokens of context. Candidate: 1× prefill of 888 tokens."},
	} {
		dir := t.TempDir()
		for side, file := range map[string]string{"base": tt.base, "cand": tt.cand} {
			text, err := os.ReadFile(golden.Real(t, "kineto/serving/"+file+".json.gz"))
			if err != nil {
				t.Fatal(err)
			}
			if err := os.MkdirAll(filepath.Join(dir, side), 0o777); err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(filepath.Join(dir, side, "of-"+side+".json.gz"), text, 0o666); err != nil {
				t.Fatal(err)
			}
		}
		doc := document(t, statusNotJudged, filepath.Join(dir, "base"), filepath.Join(dir, "cand"))
		if doc.Verdict.Reason != tt.reason || !strings.Contains(doc.Verdict.Say, tt.says) || len(changed(doc)) > 0 {
			t.Errorf("%s and %s: got %s, %s, findings %q, want %s and %q", tt.base, tt.cand, doc.Verdict.Reason, doc.Verdict.Say, changed(doc), tt.reason, tt.says)
		}
	}
}

// contexts edits the story serving-decode: its kernels are the same on both sides, and
// requests have contexts of so many tokens.
func contexts(base, cand string) []string {
	return []string{"spread: 0.2", "spread: 0.2, context: " + base, "  kernels: {attention: 1.4}", "  serving: {context: " + cand + "}"}
}

// TestServingStories: what an engine's kernel costs is found within the loads, and a
// changed mix of prompts and answers is no verdict, in both formats.
func TestServingStories(t *testing.T) {
	const mixedOnly = "  serving: {prefill: 0.2}"
	tests := []struct {
		name, story string
		edit        []string
		exit        int
		estimate    float64 // of the step time; NaN: none that matters
		mix         bool    // the change of the mix is said
	}{
		{"a slower kernel", "serving-decode", nil, statusRegressed, 0.113, false},
		{"a faster kernel", "serving-decode", []string{"attention: 1.4", "attention: 0.6"}, statusOK, -0.113, false},
		{"a little more context", "serving-decode", contexts("1000", "1030"), statusOK, math.NaN(), false},
		{"more context in half of the steps", "serving-decode", contexts("200", "230"), statusOK, math.NaN(), true},
		{"a slower kernel and the same context", "serving-decode", []string{"spread: 0.2", "spread: 0.2, context: 500"}, statusRegressed, 0.1, false},
		{"another mix", "serving-mixed", nil, statusOK, math.NaN(), true},
		{"a very different mix", "serving-mixed", []string{"prefill: 0.4", "prefill: 0.1", "prefill: 0.2", "prefill: 0.7"}, statusOK, math.NaN(), true},
		{"the same mix", "serving-mixed", []string{"prefill: 0.2", "prefill: 0.4"}, statusOK, math.NaN(), false},
		// Of the steps that are compared about a quarter read prompts.
		{"another mix and slower decoding", "serving-mixed", []string{mixedOnly, "  serving: {prefill: 0.2, decode: 1.15}"}, statusRegressed, 0.105, true},
		{"another mix and faster decoding", "serving-mixed", []string{mixedOnly, "  serving: {prefill: 0.2, decode: 0.85}"}, statusOK, -0.11, true},
	}
	for _, tt := range tests {
		for _, format := range []synth.Format{synth.Nsight, synth.Kineto} {
			t.Run(fmt.Sprintf("%s/%d", tt.name, format), func(t *testing.T) {
				t.Parallel()
				dir, _ := writeEdited(t, tt.story, format, strings.NewReplacer(tt.edit...))
				doc := document(t, tt.exit, filepath.Join(dir, "baseline"), filepath.Join(dir, "candidate"))
				step := stepTimeOf(t, doc)
				got := float64(step.Change.Estimate)
				switch {
				case math.IsNaN(tt.estimate):
					if found := changed(doc); len(found) > 0 || math.Abs(got) > 0.01 {
						t.Errorf("got a change of %v and findings %q, want none", got, found)
					}
				case math.Abs(got-tt.estimate) > 0.02:
					t.Errorf("got a change of %v, want about %v", got, tt.estimate)
				}
				mix := false
				for _, f := range doc.Findings {
					mix = mix || strings.HasPrefix(f.Text, "The mix of engine steps changed") && f.Class == "look"
				}
				if mix != tt.mix {
					t.Errorf("got a changed mix %v, want %v", mix, tt.mix)
				}
				if len(doc.Loads) == 0 {
					t.Error("no loads in the report")
				}
			})
		}
	}
}

// TestServingGroups: each class shows what became of it, and nothing of the other.
func TestServingGroups(t *testing.T) {
	dir, _ := writeEdited(t, "serving-mixed", synth.Kineto, strings.NewReplacer("  serving: {prefill: 0.2}", "  serving: {prefill: 0.2, decode: 1.15}"))
	doc := document(t, statusRegressed, filepath.Join(dir, "baseline"), filepath.Join(dir, "candidate"))
	want := map[string]float64{"prefill": 0, "decode": 0.145}
	for _, g := range doc.Loads {
		b, c := g.Sides.Baseline, g.Sides.Candidate
		if math.Abs(float64(g.Change)-want[g.Class]) > 0.02 || b.Compared != c.Compared || b.Compared > min(b.Steps, c.Steps) || b.Compared == 0 {
			t.Errorf("%s: got change %v, %d of %d and %d of %d compared, want change %v", g.Name, g.Change, b.Compared, b.Steps, c.Compared, c.Steps, want[g.Class])
		}
		if math.Abs(float64(b.Size)/float64(c.Size)-1) > 0.05 {
			t.Errorf("%s: sizes %v and %v are compared", g.Name, b.Size, c.Size)
		}
	}
	if len(doc.Loads) != 3 {
		t.Errorf("got %d groups, want 3", len(doc.Loads))
	}
}

// TestServingAdversary: an unchanged engine whose recordings differ in what is no change
// of speed is never called faster or slower.
func TestServingAdversary(t *testing.T) {
	same := []string{"  kernels: {attention: 1.4}", "  kernels: {attention: 1}"}
	tests := []struct {
		name string
		edit []string // of serving-decode
		exit int
	}{
		{"nothing", same, statusOK},
		{"names of another engine", []string{"  kernels: {attention: 1.4}", "  serving: {names: sglang}"}, statusOK},
		{"larger batches", []string{"  kernels: {attention: 1.4}", "  serving: {batch: 64}", "spread: 0.2", "spread: 0"}, statusNotJudged},
		{"slightly larger batches", []string{"  kernels: {attention: 1.4}", "  serving: {batch: 34}", "spread: 0.2", "spread: 0"}, statusNotJudged},
		{"four times the context", contexts("1000", "4000"), statusNotJudged},
		{"some more context", contexts("1000", "1100"), statusNotJudged},
		{"prompts instead of answers", []string{"  kernels: {attention: 1.4}", "  serving: {prefill: 1}"}, statusNotJudged},
		{"no markers on one side", []string{"  kernels: {attention: 1.4}", "  markers: false"}, statusNotJudged},
		{"three steps", append([]string{"steps: 60", "steps: 3"}, same...), statusNotJudged},
		{"one of the ranks", []string{"  kernels: {attention: 1.4}", "  missing: [1]"}, statusNotJudged},
		{"several runs", append([]string{"ranks: 2", "ranks: 2\nruns: 3"}, same...), statusOK},
	}
	for _, tt := range tests {
		for _, format := range []synth.Format{synth.Nsight, synth.Kineto} {
			t.Run(fmt.Sprintf("%s/%d", tt.name, format), func(t *testing.T) {
				t.Parallel()
				dir, _ := writeEdited(t, "serving-decode", format, strings.NewReplacer(tt.edit...))
				for _, order := range [][2]string{{"baseline", "candidate"}, {"candidate", "baseline"}} {
					doc := document(t, tt.exit, filepath.Join(dir, order[0]), filepath.Join(dir, order[1]))
					if found := changed(doc); len(found) > 0 {
						t.Errorf("%s first: got findings %q, want none", order[0], found)
					}
				}
			})
		}
	}
}

// TestServingForce: --force compares other loads all the same, and says so.
func TestServingForce(t *testing.T) {
	dir, _ := writeEdited(t, "serving-decode", synth.Nsight, strings.NewReplacer("  kernels: {attention: 1.4}", "  serving: {prefill: 1}"))
	doc := document(t, statusOK, filepath.Join(dir, "baseline"), filepath.Join(dir, "candidate"), "--force", "--warn-only")
	said := false
	for _, w := range doc.Warnings {
		said = said || strings.Contains(w.Text, "--force: no engine step of one side is like one of the other")
	}
	if !doc.Verdict.Judged || !said {
		t.Errorf("got judged %v, warnings %+v", doc.Verdict.Judged, doc.Warnings)
	}
}

// TestServingOutputs: every output for people shows the groups.
func TestServingOutputs(t *testing.T) {
	dir, out := writeStory(t, "serving-mixed", synth.Nsight), t.TempDir()
	stdout, _ := mustRun(t, statusOK, filepath.Join(dir, "baseline"), filepath.Join(dir, "candidate"),
		"--table", "-o", filepath.Join(out, "r.md"), "-o", filepath.Join(out, "r.html"))
	texts := map[string]string{"terminal": stdout}
	for _, ext := range []string{"md", "html"} {
		text, err := os.ReadFile(filepath.Join(out, "r."+ext))
		if err != nil {
			t.Fatal(err)
		}
		texts[ext] = string(text)
	}
	for where, text := range texts {
		if plain := strings.ToLower(strings.ReplaceAll(text, "\u202f", " ")); !strings.Contains(plain, "decode, 17 to 32 requests") {
			t.Errorf("%s: the group of decode steps is not in it", where)
		}
	}
}
