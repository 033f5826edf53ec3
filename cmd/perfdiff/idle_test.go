package main

import (
	"bytes"
	"context"
	"encoding/json"
	"math"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"perfdiff/analyze/synth"
	"perfdiff/golden"
)

// documentOf is the report of two run sets as data.
func documentOf(t *testing.T, base, cand string) (doc Document) {
	t.Helper()
	out := filepath.Join(t.TempDir(), "r.json")
	var stdout, stderr strings.Builder
	run(context.Background(), []string{"-q", base, cand, "-o", out}, &stdout, &stderr)
	text, err := os.ReadFile(out)
	if err != nil {
		t.Fatal(err, stderr.String())
	}
	if err := json.Unmarshal(text, &doc); err != nil {
		t.Fatal(err)
	}
	return doc
}

// TestHostOperators: what the host does in operators and Python functions is the cause of
// idle time that they take, and the report says where that is, in the words of PyTorch's
// profiler; an Nsight export of the same says what it knows, in those of Nsight.
func TestHostOperators(t *testing.T) {
	edit := strings.NewReplacer("candidate:\n  launch: 420us", "  route: 150us\ncandidate:\n  route: 6ms")
	for format, want := range map[synth.Format][]string{
		synth.Kineto: {"most of it in aten::nonzero of module Router", "with_stack=True"},
		synth.Nsight: {"the host does other work (from ", "annotate what it does"},
	} {
		dir, _ := writeEdited(t, "host-bound", format, edit)
		doc := documentOf(t, filepath.Join(dir, "baseline"), filepath.Join(dir, "candidate"))
		i := slices.IndexFunc(doc.Findings, func(f Finding) bool { return f.Metric == "idle_time" })
		if i < 0 {
			t.Fatalf("%v: no finding about idle time: %+v", format, doc.Findings)
		}
		f := doc.Findings[i]
		for _, x := range want {
			if !strings.Contains(f.Text+" "+f.Advice, x) {
				t.Errorf("%v: %s %s\nwant %q", format, f.Text, f.Advice, x)
			}
		}
		if len(f.Reasons) == 0 || f.Reasons[0].Part != "host" || (len(f.Reasons[0].Places) > 0) != (format == synth.Kineto) {
			t.Errorf("%v: got reasons %+v", format, f.Reasons)
		}
		if format == synth.Kineto && strings.Contains(f.Advice, "--trace") || format == synth.Nsight && strings.Contains(f.Advice, "with_stack") {
			t.Errorf("%v: the advice is another profiler's: %s", format, f.Advice)
		}
	}
}

// TestOtherRecording: where only one side recorded operators, its idle time is the same,
// and no finding says that the host does more, or that less is unknown.
func TestOtherRecording(t *testing.T) {
	// without the ranges of phases, and on one side without operators and functions too
	without := func(dir string, categories ...string) string {
		bare := filepath.Join(t.TempDir(), "bare")
		if err := os.Mkdir(bare, 0o755); err != nil {
			t.Fatal(err)
		}
		files, _ := filepath.Glob(filepath.Join(dir, "*"))
		for _, file := range files {
			text, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			edit := strings.NewReplacer(`"user_annotation", "name": "forward"`, `"x", "name": "forward"`, `"user_annotation", "name": "backward"`, `"x", "name": "backward"`)
			text = []byte(edit.Replace(string(text)))
			for _, x := range categories {
				text = bytes.ReplaceAll(text, []byte(`"cat": "`+x+`"`), []byte(`"cat": "x"`))
			}
			if err := os.WriteFile(filepath.Join(bare, filepath.Base(file)), text, 0o600); err != nil {
				t.Fatal(err)
			}
		}
		return bare
	}
	// With steps and no other ranges, all that the host does is in operators, or unknown.
	dir, _ := writeEdited(t, "host-bound", synth.Kineto, strings.NewReplacer("candidate:\n  launch: 420us", "  route: 6ms\ncandidate: {}"))
	all := without(filepath.Join(dir, "baseline"))
	some := without(filepath.Join(dir, "candidate"), "cpu_op", "python_function")
	for _, pair := range [][2]string{{all, some}, {some, all}} {
		doc := documentOf(t, pair[0], pair[1])
		for _, f := range doc.Findings {
			if f.Metric == "idle_time" {
				t.Errorf("got %s", f.Text)
			}
		}
		for _, p := range doc.Waterfall.Parts {
			if p.Part == "unknown" && !(math.Abs(float64(p.Delta)) > 2e-3) {
				t.Errorf("unknown idle time is %v s: the sides should differ in what they recorded", p.Mean)
			}
		}
	}
}

// TestOperatorsOfRealTrace: a forward pass that waits for the host all the time, in
// recorded operators and modules: nothing of it is unknown.
func TestOperatorsOfRealTrace(t *testing.T) {
	path := golden.Real(t, "kineto/serving/vllm-eager-b200.json.gz")
	r := &load(t, path).Runs[0].Ranks[0]
	causes := map[string]float64{}
	for _, s := range r.Series {
		if s.Metric == "idle_time" && s.Part != "" {
			for i, st := range r.Steps {
				if v := s.Values[i]; st.Dropped == "" && !math.IsNaN(v) {
					causes[s.Part] += v
				}
			}
		}
	}
	all := 0.0
	for _, v := range causes {
		all += v
	}
	if !(causes["host"] > all*.7) || causes["unknown"] > all*.02 {
		t.Errorf("got %v s, want most of it in operators and functions, and nothing unknown", causes)
	}
	for _, g := range r.Longest {
		if len(g.Places) == 0 || g.Places[0].Operator == "" || g.Places[0].Module == "" {
			t.Errorf("a gap of %d ns is in %+v, want an operator of a module", g.Length, g.Places)
		}
	}
	if r.PlacedSteps == 0 || len(r.Places) == 0 || strings.ContainsAny(r.Places[0].String(), "/\\") {
		t.Errorf("got %d steps, places %+v", r.PlacedSteps, r.Places)
	}
}

// otherProfiler is where a page says which other profiler records what this one cannot.
var otherProfiler = regexp.MustCompile(`PyTorch(?:'|&#39;)s profiler has no option for it; Nsight Systems has: [^\n]*|it cannot record the rest\. Nsight Systems records all of it: <code>[^<]*</code>`)

// TestAdviceOfProfiler: whatever a report says to record is said in the words of the
// profiler in use.
func TestAdviceOfProfiler(t *testing.T) {
	for format, foreign := range map[synth.Format][]string{
		synth.Kineto: {"--trace=", "--cuda-graph-trace", "osrt", "--nic-metrics", "--gpu-metrics", "--storage-metrics"},
		synth.Nsight: {"ProfilerActivity", "with_stack", "activities=", "prof.step"},
	} {
		dir, _ := writeEdited(t, "graphs-vs-eager", format, strings.NewReplacer())
		out := filepath.Join(t.TempDir(), "r")
		var stdout, stderr strings.Builder
		run(context.Background(), []string{filepath.Join(dir, "baseline"), filepath.Join(dir, "candidate"), "-o", out + ".md", "-o", out + ".html"}, &stdout, &stderr)
		texts := map[string]string{"the terminal": stdout.String() + stderr.String()}
		for _, ext := range []string{".md", ".html"} {
			text, err := os.ReadFile(out + ext)
			if err != nil {
				t.Fatal(err, stderr.String())
			}
			texts[ext] = string(cutScripts(text))
		}
		for name, text := range texts {
			text = otherProfiler.ReplaceAllString(text, "")
			for _, word := range foreign {
				if i := strings.Index(text, word); i >= 0 {
					t.Errorf("%v, %s: %q in: …%s…", format, name, word, text[max(0, i-120):min(len(text), i+120)])
				}
			}
		}
	}
}
