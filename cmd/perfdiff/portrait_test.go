package main

import (
	"encoding/json"
	"math"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"perfdiff/analyze/synth"
	"perfdiff/testdata"
)

// ofTwoSides are words that a page about one run set has no use for.
var ofTwoSides = regexp.MustCompile(`(?i)\b(candidates?|baselines?|both sides|the sides|either side|verdict|improved|regressed|unchanged|inconclusive|threshold of the gate)\b`)

// TestPortraitOfStories: of every story the report on one run set is written, as a page and as
// text, and speaks of nothing else than that set.
func TestPortraitOfStories(t *testing.T) {
	for _, name := range testdata.Names() {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			dir := writeStory(t, name, synth.Nsight)
			set, out := filepath.Join(dir, "run-a"), filepath.Join(t.TempDir(), "page")
			rename(t, filepath.Join(dir, "candidate"), set)
			stdout, stderr, status := runSeveral("report", set, "-o", out+".html", "-o", out+".txt", "-o", out+".json")
			if want := map[bool]int{true: statusNotJudged}[strings.Contains(stdout, "No steps were found")]; status != want {
				t.Fatalf("got status %d, want %d: %s%s", status, want, stdout, stderr)
			}
			page, err := os.ReadFile(out + ".html")
			if err != nil {
				t.Fatal(err)
			}
			text, err := os.ReadFile(out + ".txt")
			if err != nil {
				t.Fatal(err)
			}
			doc, err := os.ReadFile(out + ".json")
			if err != nil {
				t.Fatal(err)
			}
			var values Portrait
			if err := json.Unmarshal(doc, &values); err != nil {
				t.Fatal(err)
			}
			checkPortrait(t, &values, status == statusOK)
			if before, _, _ := strings.Cut(stdout, "  Next"); !strings.HasPrefix(string(text), before) { // a file names no path
				t.Errorf("the text is not what the terminal shows: got %s, want %s", text, stdout)
			}
			seen := regexp.MustCompile(`(?s)<style>.*?</style>|<script>.*?</script>|<[^>]*>`).ReplaceAllString(string(page), " ")
			for what, s := range map[string]string{"page": seen, "terminal": stdout + stderr, "JSON": string(doc)} {
				if found := ofTwoSides.FindStringIndex(s); found != nil {
					t.Errorf("the %s of one run set speaks of two: %q", what, s[max(0, found[0]-80):min(len(s), found[1]+80)])
				}
			}
			if strings.Contains(seen, "NaN") || strings.Contains(stdout, "NaN") {
				t.Error("a value that is not known is written")
			}
		})
	}
}

// checkPortrait holds the numbers of a run set to each other: parts to the step, what is launched to
// the kernels, and each rank to its steps.
func checkPortrait(t *testing.T, p *Portrait, measured bool) {
	t.Helper()
	near := func(what string, got, want Number) {
		if math.Abs(float64(got-want)) > 1e-6*math.Abs(float64(want)) {
			t.Errorf("%s: got %v, want %v", what, got, want)
		}
	}
	if measured && (len(p.Steps) == 0 || len(p.Ranks) == 0 || len(p.Metrics) == 0 || !(p.Step > 0)) {
		t.Errorf("got %d steps, %d ranks, %d metrics, a step of %v", len(p.Steps), len(p.Ranks), len(p.Metrics), p.Step)
	}
	sum := Number(0)
	for _, x := range p.Parts {
		sum += x.Time
	}
	if len(p.Parts) > 0 {
		near("parts", sum, p.Mean)
	}
	sum = 0
	for _, k := range p.Kernels {
		sum += k.Time
	}
	if len(p.Launched) > 0 {
		near("launched", p.Launched[0].Time, sum)
	}
	leaves := Number(0)
	for _, n := range p.Launched {
		if n.Level == "kernel" {
			leaves += n.Time
		}
	}
	if len(p.Launched) > 0 {
		near("launched kernels", leaves, sum)
	}
	for _, r := range p.Ranks {
		if len(r.Steps) != len(r.Dropped) || len(r.Values["step_time"]) != 0 && len(r.Values["step_time"]) != len(r.Steps) {
			t.Errorf("rank %d: %d steps, %d reasons, %d step times", r.Rank, len(r.Steps), len(r.Dropped), len(r.Values["step_time"]))
		}
	}
}

// TestPortraitNotes: what was put into a story stands out, and what was not does not.
func TestPortraitNotes(t *testing.T) {
	for _, c := range []struct{ story, side, want, not string }{
		{"straggler-rank3", "candidate", "look at is rank 3 (node0001): it computes longer", "bubble"},
		{"straggler-rank3", "baseline", "No rank and no step stands out", "wait for it"},
		{"rotating-straggler", "candidate", "no single rank is waited for", "wait for it"},
		{"late-node", "candidate", "look at is the ranks of node0002", "No rank"},
		{"pipeline-bubble", "candidate", "look at is the bubble of the pipeline", "wait for it"},
		{"o-direct", "baseline", "half of that is waiting for input. 16 ranks on 2 nodes, 18 steps", "wait for it"},
		{"o-direct", "candidate", "three quarters of that is compute", "first step to the last"},
		{"blocking-communication", "candidate", "50 % is transfer, and 47 % compute", "half of that"},
		{"level-change", "candidate", "From step 15 on a step takes", "from the first"},
		{"checkpoint-spikes", "candidate", "look at is the 6 steps, every 8th", "From step"},
		{"graphs", "candidate", "look at is the graph replays", "hides"},
		{"no-steps", "baseline", "No steps were found; GPUs are busy 53.4 % of", "A step takes"},
		{"aa", "candidate", "look at is the kernels", "From step"},
	} {
		dir := writeStory(t, c.story, synth.Nsight)
		stdout, stderr, status := runSeveral("report", filepath.Join(dir, c.side))
		flat := strings.Join(strings.Fields(stdout), " ")
		if (status == statusOK) == (c.story == "no-steps") || !strings.Contains(flat, c.want) || strings.Contains(flat, c.not) {
			t.Errorf("%s, %s: got status %d and %s%s, want %q and not %q", c.story, c.side, status, stdout, stderr, c.want, c.not)
		}
	}
}

// TestPortraitIsRefused: what cannot be done is said before anything is read.
func TestPortraitIsRefused(t *testing.T) {
	for name, c := range map[string]struct {
		args []string
		want string
	}{
		"nothing": {nil, "expected one RUNSET (perfdiff BASELINE CANDIDATE compares two), got 0 arguments"},
		"two":     {[]string{"a", "b"}, "expected one RUNSET (perfdiff BASELINE CANDIDATE compares two), got 2 arguments"},
		"format":  {[]string{"a", "-o", filepath.Join(t.TempDir(), "x.xml")}, "is written as .html, .txt, .json, .md or .csv"},
		"missing": {[]string{"nowhere"}, "nowhere: no such file or directory"},
	} {
		stdout, stderr, status := runSeveral(append([]string{"report"}, c.args...)...)
		if status != statusError || stdout != "" || !strings.Contains(stderr, c.want) {
			t.Errorf("%s: got status %d, %q and %q, want %d and %q", name, status, stderr, stdout, statusError, c.want)
		}
	}
}
