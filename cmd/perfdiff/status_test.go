package main

import (
	"bytes"
	"context"
	"encoding/json"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"perfdiff/analyze/synth"
	"perfdiff/diff"
	"perfdiff/diff/policy"
	"perfdiff/diff/verdict"
	"perfdiff/golden"
)

// sides are the two run sets of a written story.
func sides(dir string) []string {
	return []string{filepath.Join(dir, "baseline"), filepath.Join(dir, "candidate")}
}

// TestStatus holds the exit status of each outcome.
func TestStatus(t *testing.T) {
	regressed, same := writeStory(t, "lost-overlap", synth.Nsight), writeStory(t, "aa", synth.Nsight)
	none := writeStory(t, "no-steps", synth.Nsight)
	broken := t.TempDir()
	if err := os.WriteFile(filepath.Join(broken, "rank0.sqlite"), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	tests := []struct {
		name string
		args []string
		want int
	}{
		{"regressed", sides(regressed), statusRegressed},
		{"regressed, only warned of", append(sides(regressed), "--warn-only"), statusOK},
		{"regressed, below the threshold", append(sides(regressed), "--threshold", "30%", "--gate", "step_time"), statusOK},
		{"inconclusive", sides(same), statusOK},
		{"nothing judged", sides(none), statusNotJudged},
		{"nothing judged, only warned of", append(sides(none), "--warn-only"), statusNotJudged},
		{"unreadable", []string{broken, same}, statusError},
		{"unreadable, only warned of", []string{broken, same, "--warn-only"}, statusError},
		{"version", []string{"--version"}, statusOK},
		{"help", []string{"--help"}, statusOK},
	}
	for _, tt := range tests {
		var stdout, stderr bytes.Buffer
		if got := run(context.Background(), tt.args, &stdout, &stderr); got != tt.want {
			t.Errorf("%s: exit %d, want %d; %s", tt.name, got, tt.want, stderr.String())
		}
	}
}

// TestStrict: one file that cannot be read is a warning, and an error when
// asked for; earlier outputs survive it.
func TestStrict(t *testing.T) {
	dir := writeStory(t, "truncated", synth.Nsight)
	out := filepath.Join(t.TempDir(), "report.md")
	if err := os.WriteFile(out, []byte("earlier"), 0o600); err != nil {
		t.Fatal(err)
	}
	var stdout, stderr bytes.Buffer
	if got := run(context.Background(), append(sides(dir), "--strict", "-o", out), &stdout, &stderr); got != statusError {
		t.Errorf("--strict: exit %d, want %d", got, statusError)
	}
	if text, err := os.ReadFile(out); err != nil || string(text) != "earlier" {
		t.Errorf("the earlier output is %q, %v", text, err)
	}
	stderr.Reset()
	if got := run(context.Background(), append(sides(dir), "-q", "-o", out), &stdout, &stderr); got != statusOK {
		t.Errorf("without --strict: exit %d, want 0", got)
	}
	if !strings.Contains(stderr.String(), "perfdiff: warning: candidate: report.1.sqlite: ") || stdout.Len() > 0 {
		t.Errorf("quiet: got stdout %q, stderr %q", stdout.String(), stderr.String())
	}
	if text, err := os.ReadFile(out); err != nil || !strings.Contains(string(text), "report.1.sqlite") {
		t.Errorf("the report does not name the file that was left out (%v)", err)
	}
}

// TestQuietCounts: what several files have in common is said once, with their number and the
// first of them.
func TestQuietCounts(t *testing.T) {
	dir := writeStory(t, "aa", synth.Nsight)
	for _, name := range []string{"c.json", "b.json", "d.json"} {
		writeFile(t, filepath.Join(dir, "candidate", name), "hello")
	}
	_, stderr := mustRun(t, statusOK, append(sides(dir), "-q")...)
	if !strings.Contains(stderr, "left out: not a profile") || !strings.Contains(stderr, "(3 files, the first is b.json)\n") || strings.Count(stderr, "\n") != 1 {
		t.Errorf("got %s", stderr)
	}
}

// TestFormats: the same story as an Nsight export and as a PyTorch trace is no
// change, in a comparison of the two formats with each other.
func TestFormats(t *testing.T) {
	nsight, kineto := load(t, sides(writeStory(t, "straggler-rank3", synth.Nsight))[0]), load(t, sides(writeStory(t, "straggler-rank3", synth.KinetoGzip))[0])
	r := diff.Compare(nsight, kineto, policy.DefaultPolicy(), diff.Options{Tool: "test"})
	judged := 0
	for _, m := range r.Metrics {
		if m.Verdict == verdict.Improved || m.Verdict == verdict.Regressed || math.Abs(m.Delta) > 1e-9*math.Abs(m.Base) {
			t.Errorf("%s: %v and %v, %v", m.Metric.Name, m.Base, m.Cand, m.Verdict)
		}
		if !math.IsNaN(m.Estimate) {
			judged++
		}
	}
	if judged < 10 || len(r.Base.Missing)+len(r.Cand.Missing) > 0 {
		t.Errorf("%d metrics were compared, missing ranks %v and %v", judged, r.Base.Missing, r.Cand.Missing)
	}
}

// TestNothingPrivate: what profiles hold of users, paths and environment is in
// no output. The stories plant some of each.
func TestNothingPrivate(t *testing.T) {
	for _, format := range []synth.Format{synth.Nsight, synth.Kineto} {
		dir := writeStory(t, "o-direct", format)
		out := filepath.Join(t.TempDir(), "report")
		var stdout, stderr bytes.Buffer
		run(context.Background(), append(sides(dir), "-o", out+".html", "-o", out+".json", "-o", out+".md"), &stdout, &stderr)
		all := stdout.String() + stderr.String()
		for _, ext := range []string{".html", ".json", ".md"} {
			text, err := os.ReadFile(out + ext)
			if err != nil {
				t.Fatal(err)
			}
			all += string(opened(t, text))
		}
		for _, secret := range []string{"not-for-reports", "STORAGE_TOKEN", "someone", "/home/", "/data/", dir} {
			if strings.Contains(all, secret) {
				t.Errorf("format %d: %q is in an output", format, secret)
			}
		}
	}
}

// TestGraphsAreBusy: graph replays of a real capture count as device work.
func TestGraphsAreBusy(t *testing.T) {
	r := load(t, golden.Real(t, "nsys/graphs-fileaccess-2025.5.sqlite")).Runs[0].Ranks[0]
	if r.Spans.Graphs != 2 || r.Spans.GraphTime == 0 {
		t.Fatalf("got %d replays of %d ns, want 2", r.Spans.Graphs, r.Spans.GraphTime)
	}
	busy := 0
	for _, b := range r.Activity.Busy {
		busy += int(b)
	}
	covered := float64(busy) / 200 * float64(r.Activity.Bin)
	if covered < .5*float64(r.Spans.GraphTime) {
		t.Errorf("the course is busy for %.0f ns, the replays alone take %d", covered, r.Spans.GraphTime)
	}
}

// TestJSONAddsUp redoes numbers of the page from the JSON document.
func TestJSONAddsUp(t *testing.T) {
	dir := writeStory(t, "straggler-rank3", synth.Nsight)
	var stdout, stderr bytes.Buffer
	run(context.Background(), append(sides(dir), "-o", "-", "--format", "json"), &stdout, &stderr)
	var doc struct {
		SchemaVersion string `json:"schema_version"`
		Ranks         []struct {
			Base struct {
				Breakdown map[string]float64 `json:"breakdown"`
			} `json:"baseline"`
		} `json:"ranks"`
	}
	if err := json.Unmarshal(stdout.Bytes(), &doc); err != nil {
		t.Fatal(err)
	}
	if doc.SchemaVersion != diff.SchemaVersion || len(doc.Ranks) != 8 {
		t.Fatalf("schema %q, %d ranks", doc.SchemaVersion, len(doc.Ranks))
	}
	for i, r := range doc.Ranks {
		b := r.Base.Breakdown
		if sum := b["compute"] + b["exposed_comm"] + b["exposed_memory"] + b["idle"]; math.Abs(sum-b["step"]) > 1e-12 || b["step"] == 0 {
			t.Errorf("rank %d: parts %v add up to %v", i, b, sum)
		}
	}
}
