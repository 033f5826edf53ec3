package main

import (
	"database/sql"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	_ "modernc.org/sqlite"

	"perfdiff/analyze/synth"
)

// withSQL copies the exports of a run set and runs a statement in each.
func withSQL(t *testing.T, dir string, statements ...string) string {
	t.Helper()
	out := t.TempDir()
	files, err := filepath.Glob(filepath.Join(dir, "*.sqlite"))
	if err != nil || len(files) == 0 {
		t.Fatalf("%s: no exports: %v", dir, err)
	}
	for _, f := range files {
		text, err := os.ReadFile(f)
		if err != nil {
			t.Fatal(err)
		}
		to := filepath.Join(out, filepath.Base(f))
		if err := os.WriteFile(to, text, 0o644); err != nil {
			t.Fatal(err)
		}
		db, err := sql.Open("sqlite", to)
		if err != nil {
			t.Fatal(err)
		}
		for _, s := range statements {
			if _, err := db.Exec(s); err != nil {
				t.Fatalf("%s: %v", s, err)
			}
		}
		if err := db.Close(); err != nil {
			t.Fatal(err)
		}
	}
	return out
}

// smallDemo is the demo's story on two ranks.
func smallDemo(t *testing.T) string {
	t.Helper()
	dir, _ := writeEdited(t, "o-direct", synth.Nsight, strings.NewReplacer("nodes: 2", "nodes: 1", "ranks: 16", "ranks: 2"))
	return dir
}

const (
	withoutRanges = `delete from NVTX_EVENTS`
	onlyForward   = `delete from NVTX_EVENTS where text like 'step %' or text like 'Optimizer%'`
	otherNames    = `update StringIds set value = value || '_v2' where id in (select demangledName from CUPTI_ACTIVITY_KIND_KERNEL)`
)

// TestStepsAreThoseOfThePair: what marks a step is chosen for both sides. Where a side
// has lost its ranges, both are measured by what is left on both; where nothing is,
// nothing is judged.
func TestStepsAreThoseOfThePair(t *testing.T) {
	dir := smallDemo(t)
	base, cand := filepath.Join(dir, "baseline"), filepath.Join(dir, "candidate")
	bare, other := withSQL(t, base, withoutRanges), withSQL(t, base, withoutRanges, otherNames)
	for _, tt := range []struct {
		name       string
		base, cand string
		status     int
		says       string
	}{
		{"ranges gone in the candidate, a copy", base, bare, statusNotJudged, "both sides are one recording"},
		{"ranges gone in the baseline, a copy", bare, base, statusNotJudged, "both sides are one recording"},
		{"a true change, ranges gone", cand, bare, statusRegressed, "SLOWER The mean step rose from 78.4 to 153.6 ms"},
		{"and the other way round", bare, cand, statusOK, "FASTER Steps take 75.2 ms less (−49 %)"},
		{"only ranges of phases left, a copy", base, withSQL(t, base, onlyForward), statusNotJudged, "both sides are one recording"},
		{"nothing left in common", base, other, statusNotJudged, "a step is not the same unit of work on both sides"},
		{"likewise, the other way round", other, base, statusNotJudged, "--step-range 'step N'"},
	} {
		stdout, _ := mustRun(t, tt.status, tt.base, tt.cand)
		if !strings.Contains(flat(stdout), tt.says) {
			t.Errorf("%s: got\n%s\nwant it to say %q", tt.name, stdout, tt.says)
		}
		if strings.Contains(stdout, "SLOWER") != (tt.status == statusRegressed) {
			t.Errorf("%s: got a verdict that is none:\n%s", tt.name, stdout)
		}
	}
	// Forced, every output says so in its first lines.
	for _, format := range []string{"text", "markdown", "json", "html", "junit"} {
		stdout, _ := mustRun(t, statusOK, base, other, "--force", "--allow", "no-metric", "-o", "-", "--format", format)
		first := stdout
		if format == "text" || format == "markdown" {
			first = strings.Join(strings.SplitN(flat(stdout), "Judged only because of --force", 2)[:1], "")
			if len(first) > 400 {
				t.Errorf("%s: --force is said behind %d characters", format, len(first))
			}
		}
		if !strings.Contains(flat(stdout), "because of --force") {
			t.Errorf("%s: nothing is said of --force:\n%.600s", format, stdout)
		}
	}
	// Found by a name that is printed, the two sides compare.
	stdout, _ := mustRun(t, statusOK, base, withSQL(t, cand, onlyForward), "--step-range", "forward", "--table")
	if !strings.Contains(flat(stdout), `range matching "forward": 19 found`) {
		t.Errorf("a name as an argument: got\n%s", stdout)
	}
}

// TestReplaysStandForLaunches: where nothing is marked, an iteration of graph replays is
// compared with one of the launches that they replace, found by counts alone; not where
// as much is not copied to the device, as in a layer or another step.
func TestReplaysStandForLaunches(t *testing.T) {
	dir, _ := writeEdited(t, "graphs-vs-eager", synth.Nsight, strings.NewReplacer("ranks: 4", "ranks: 2", "job:", "job:\n  markers: false"))
	eager, graphs := filepath.Join(dir, "baseline"), filepath.Join(dir, "candidate")
	stdout, _ := mustRun(t, statusOK, eager, graphs)
	if got := flat(stdout); !strings.Contains(got, "FASTER Steps take 4.6 ms less (−29 %)") || !strings.Contains(got, `launches of "CUDA graph"`) {
		t.Errorf("eager against graphs: got\n%s", stdout)
	}
	if stdout, _ = mustRun(t, statusRegressed, graphs, eager); !strings.Contains(flat(stdout), "SLOWER Steps take 4.6 ms longer (+42 %)") {
		t.Errorf("graphs against eager: got\n%s", stdout)
	}
	other := withSQL(t, graphs, "update CUPTI_ACTIVITY_KIND_MEMCPY set bytes = 2 * bytes where copyKind = 1")
	if stdout, _ = mustRun(t, statusNotJudged, eager, other); !strings.Contains(flat(stdout), "not the same unit of work") {
		t.Errorf("twice as much is copied: got\n%s", stdout)
	}
}

// TestStepCandidates: what may mark steps is listed with the flag that names it, and is
// in the JSON of a pair without steps.
func TestStepCandidates(t *testing.T) {
	dir := smallDemo(t)
	base := filepath.Join(dir, "baseline")
	other := withSQL(t, base, withoutRanges, otherNames)
	stdout, _ := mustRun(t, statusOK, "steps", base, other)
	for _, want := range []string{`range "step N"`, "baseline: 19 times, every", "candidate: none", "--step-range 'step N'", "one in 4 launches"} {
		if !strings.Contains(flat(stdout), want) {
			t.Errorf("steps: got\n%s\nwant %q", stdout, want)
		}
	}
	if stdout, _ = mustRun(t, statusOK, "steps", base); strings.Contains(stdout, "candidate:") {
		t.Errorf("steps of one run set speak of a candidate:\n%s", stdout)
	}
	summary := filepath.Join(t.TempDir(), "main.perfdiff")
	mustRun(t, statusOK, "summarize", base, "-o", summary, "-q")
	if stdout, _ = mustRun(t, statusOK, "steps", summary); !strings.Contains(stdout, `range "step N"`) {
		t.Errorf("steps of a saved summary: got\n%s", stdout)
	}
	// A summary cannot be measured anew: the other side is, by the summary's marker.
	if stdout, _ = mustRun(t, statusNotJudged, summary, other); !strings.Contains(flat(stdout), "not the same unit of work") {
		t.Errorf("a summary against other steps: got\n%s", stdout)
	}
	stdout, _ = mustRun(t, statusNotJudged, base, other, "-o", "-", "--format", "json")
	var doc struct {
		Ranks []struct {
			Baseline struct{ Values map[string][]float64 }
		}
		Candidates []struct {
			Marker, Flag string
			Baseline     struct {
				Count  int
				Period float64
			}
		} `json:"step_candidates"`
	}
	if err := json.Unmarshal([]byte(stdout), &doc); err != nil {
		t.Fatal(err)
	}
	if n := len(doc.Ranks); n != 2 || len(doc.Ranks[0].Baseline.Values["step_time"]) != 19 {
		t.Errorf("JSON: got %d ranks, want the values of the side that has steps", n)
	}
	found := false
	for _, c := range doc.Candidates {
		found = found || c.Marker == `range "step N"` && c.Flag == "--step-range 'step N'" && c.Baseline.Count == 19 && c.Baseline.Period > 0.1
	}
	if !found {
		t.Errorf("JSON: got candidates %+v", doc.Candidates)
	}
}
