package main

import (
	"database/sql"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"perfdiff/analyze/synth"
)

// seenPlace is a stretch of a profile that a report names.
type seenPlace struct {
	Side       string
	Rank       int
	Step       int64
	File       string
	Start, End *int64
}

// seenReport is what reports say of where things are, and of kernels.
type seenReport struct {
	Findings []struct {
		Kind  string
		Steps []int64
		Where []seenPlace
		Ncu   []struct {
			Side, Kernel, Pattern, Command, Note string
			Rank                                 int
			Skip                                 *int `json:"launch_skip"`
			Count                                int  `json:"launch_count"`
		}
	}
	Longest map[string][]struct {
		Step   int64
		Length float64
		Place  seenPlace
	} `json:"longest_gaps"`
	Ranks []struct {
		Candidate struct {
			Phases map[string]float64
			Bound  map[string]int `json:"bound_steps"`
		}
	}
}

func seenIn(t *testing.T, dir string, more ...string) (doc seenReport, page, brief string) {
	t.Helper()
	out := t.TempDir()
	file := func(name string) string { return filepath.Join(out, name) }
	runSeveral(append([]string{filepath.Join(dir, "baseline"), filepath.Join(dir, "candidate"), "-q", "-o", file("r.json"), "-o", file("r.html"), "--brief", file("b.json")}, more...)...)
	var texts []string
	for _, name := range []string{"r.json", "r.html", "b.json"} {
		text, err := os.ReadFile(file(name))
		if err != nil {
			t.Fatal(err)
		}
		texts = append(texts, string(text))
	}
	if err := json.Unmarshal([]byte(texts[0]), &doc); err != nil {
		t.Fatal(err)
	}
	return doc, texts[1], texts[2]
}

// TestWhere: every finding names a step of each side by file and time, on every output, and that step is there in the
// profile; a gap is one in which the device did nothing.
func TestWhere(t *testing.T) {
	for _, story := range []string{"o-direct", "straggler-rank3", "checkpoint-spikes", "slow-kernel", "several-runs", "memory-peak", "pipeline-bubble"} {
		t.Run(story, func(t *testing.T) {
			t.Parallel()
			dir := writeStory(t, story, synth.Nsight)
			doc, page, brief := seenIn(t, dir)
			if len(doc.Findings) == 0 {
				t.Fatal("got no findings")
			}
			for _, f := range doc.Findings {
				if len(f.Where) != 2 {
					t.Errorf("%s: got %v, want a place on each side", f.Kind, f.Where)
				}
				for _, w := range f.Where {
					from, to := markedRange(t, filepath.Join(dir, w.Side, w.File), w.Step, synth.Nsight)
					if w.Start == nil || *w.Start != from || *w.End < to {
						t.Errorf("%s: got %+v, want from %d to %d at least", f.Kind, w, from, to)
					}
					said := fmt.Sprintf("%s: step %d of rank %d, %s, %d.%09d to ", w.Side, w.Step, w.Rank, w.File, *w.Start/1e9, *w.Start%1e9)
					if told := f.Kind == "compute-unchanged" || f.Kind == "collective-spread"; told && !strings.Contains(page, "f-"+f.Kind) { // the answer tells it
						continue
					}
					if !strings.Contains(page, said) || !strings.Contains(brief, said) && !strings.Contains(brief, "for want of room") {
						t.Errorf("%s: the card or the brief lacks %q", f.Kind, said)
					}
				}
			}
			for side, gaps := range doc.Longest {
				for _, g := range gaps {
					n := countIn(t, filepath.Join(dir, side, g.Place.File), `SELECT count(*) FROM (SELECT start, end FROM CUPTI_ACTIVITY_KIND_KERNEL
						UNION ALL SELECT start, end FROM CUPTI_ACTIVITY_KIND_MEMCPY) WHERE start < ? AND end > ?`, *g.Place.End, *g.Place.Start)
					if n != 0 || !near(float64(*g.Place.End-*g.Place.Start)/1e9, g.Length) {
						t.Errorf("gap %+v: the device works in it, %d times", g, n)
					}
				}
			}
		})
	}
}

// countIn returns a number that a question to a database has for an answer.
func countIn(t *testing.T, file, question string, args ...any) (n int) {
	t.Helper()
	db, err := sql.Open("sqlite", "file:"+file+"?mode=ro&immutable=1")
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	if err := db.QueryRow(question, args...).Scan(&n); err != nil {
		t.Fatal(err)
	}
	return n
}

// TestNcuCommand: for a kernel that a report blames there is the command that records it alone, which skips as many
// launches as the profile holds before the first kept step, and says that nobody tried it.
func TestNcuCommand(t *testing.T) {
	for story, kernel := range map[string]string{"slow-kernel": "sm90_xmma_dgrad", "new-kernel": "batch_norm_backward_cuda_kernel"} {
		dir := writeStory(t, story, synth.Nsight)
		doc, page, brief := seenIn(t, dir)
		found := false
		for _, f := range doc.Findings {
			for _, n := range f.Ncu {
				found = found || strings.Contains(n.Kernel, kernel)
				const before = `SELECT count(*) FROM CUPTI_ACTIVITY_KIND_KERNEL k JOIN StringIds s ON s.id = k.demangledName WHERE s.value LIKE '%%%s%%' AND k.start < (
					SELECT min(k.start) FROM CUPTI_ACTIVITY_KIND_KERNEL k JOIN CUPTI_ACTIVITY_KIND_RUNTIME r ON r.correlationId = k.correlationId
					WHERE r.start >= (SELECT start FROM NVTX_EVENTS WHERE text = 'step 1'))`
				name, _, _ := strings.Cut(strings.TrimPrefix(n.Pattern, `\b`), "<")
				want := countIn(t, filepath.Join(dir, n.Side, fmt.Sprintf("report.%d.sqlite", n.Rank)), fmt.Sprintf(before, name))
				if n.Skip == nil || *n.Skip != want || want == 0 || n.Count < 5 || n.Count > 20 {
					t.Errorf("%s: got %+v, want %d skipped", story, n, want)
				}
				ends := fmt.Sprintf("' --launch-skip %d --launch-count %d --set full -o %s-rank%d-%%i COMMAND", want, n.Count, n.Side, n.Rank)
				if !strings.HasPrefix(n.Command, "ncu ") || !strings.HasSuffix(n.Command, ends) || !strings.HasPrefix(n.Note, "Untried") {
					t.Errorf("%s: got %s (%s), want it to end in %s", story, n.Command, n.Note, ends)
				}
				if !strings.Contains(page, strings.TrimPrefix(ends, "'")) || !strings.Contains(brief, ends) {
					t.Errorf("%s: the card or the brief lacks the command", story)
				}
			}
		}
		if !found {
			t.Errorf("%s: got no command for %s", story, kernel)
		}
	}
}

// TestBoundSteps: each rank says what bounds how many of its steps, and phases what the ranges name.
func TestBoundSteps(t *testing.T) {
	doc, _, _ := seenIn(t, writeStory(t, "o-direct", synth.Nsight))
	for _, r := range doc.Ranks {
		if c := r.Candidate; c.Bound["compute"] != 18 || len(c.Bound) != 1 || !(c.Phases["backward"] > c.Phases["forward"] && c.Phases["forward"] > c.Phases["optimizer"] && c.Phases["optimizer"] > 0) {
			t.Errorf("got %+v", c)
		}
	}
}
