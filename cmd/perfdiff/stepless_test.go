package main

import (
	"database/sql"
	"encoding/json"
	"fmt"
	"io/fs"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	measured "perfdiff/analyze/run"
	"perfdiff/analyze/synth"
	"perfdiff/golden"
)

// mutate runs statements on every export under a directory.
func mutate(t *testing.T, dir string, statements ...string) {
	t.Helper()
	err := filepath.WalkDir(dir, func(path string, _ fs.DirEntry, err error) error {
		if err != nil || filepath.Ext(path) != ".sqlite" {
			return err
		}
		db, err := sql.Open("sqlite", "file:"+path+"?_pragma=journal_mode(off)")
		if err != nil {
			return err
		}
		defer db.Close()
		for _, s := range statements {
			if _, err := db.Exec(s); err != nil {
				return fmt.Errorf("%s: %s: %w", path, s, err)
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}

// withoutDevice leaves only what the host did.
var withoutDevice = []string{
	"drop table CUPTI_ACTIVITY_KIND_KERNEL", "drop table CUPTI_ACTIVITY_KIND_MEMCPY", "drop table CUPTI_ACTIVITY_KIND_SYNCHRONIZATION", "drop table CUPTI_ACTIVITY_KIND_RUNTIME",
}

// withoutMarkers leaves none of a program's own ranges that could mark a step but one.
const withoutMarkers = "delete from NVTX_EVENTS where text is not null and text != 'find_centers'"

// unjudged is the document of a comparison that must judge nothing.
func unjudged(t *testing.T, base, cand string) *Document {
	t.Helper()
	out := filepath.Join(t.TempDir(), "r.json")
	stdout, _ := mustRun(t, statusNotJudged, base, cand, "--table", "-o", out)
	text, err := os.ReadFile(out)
	if err != nil {
		t.Fatal(err)
	}
	var doc Document
	if err := json.Unmarshal(text, &doc); err != nil {
		t.Fatal(err)
	}
	if doc.Verdict.Judged || doc.Verdict.Verdict != "inconclusive" || doc.Per != "second" || len(doc.Metrics) > 0 {
		t.Errorf("got %+v, per %s, %d metrics", doc.Verdict, doc.Per, len(doc.Metrics))
	}
	for _, f := range doc.Findings {
		if f.Class != "look" {
			t.Errorf("a finding of class %s: %s", f.Class, f.Text)
		}
	}
	if len(doc.Calls) > 0 && !strings.Contains(stdout, "What can be compared without steps") {
		t.Errorf("nothing is said of calls: %s", stdout)
	}
	return &doc
}

func callOf(doc *Document, table, name string) *Call {
	for i := range doc.Calls {
		if c := &doc.Calls[i]; c.Table == table && strings.Contains(c.Name, name) {
			return c
		}
	}
	return nil
}

// TestSteplessAA: a job without markers against itself with other seeds: nothing stands
// out, in either format.
func TestSteplessAA(t *testing.T) {
	for _, story := range []string{"no-steps", "fixed-window"} {
		for _, format := range []synth.Format{synth.Nsight, synth.Kineto} {
			t.Run(fmt.Sprint(story, " ", format), func(t *testing.T) {
				t.Parallel()
				of := func(seed string) string {
					dir, _ := writeEdited(t, story, format, strings.NewReplacer("seed: 7", "seed: "+seed, "seed: 29", "seed: "+seed))
					return filepath.Join(dir, "baseline")
				}
				base := of("100")
				for _, seed := range []string{"101", "102", "103", "104"} {
					doc := unjudged(t, base, of(seed))
					for _, f := range doc.Findings {
						t.Errorf("seed %s: %s %s", seed, f.Number, f.Text)
					}
					if len(doc.Kernels) == 0 || len(doc.Gaps) == 0 || len(doc.Summaries) < 4 || len(doc.Calls) < 8 || len(doc.Capture) < 5 {
						t.Errorf("%d kernels, %d gaps, %d summaries, %d calls, %d quantities", len(doc.Kernels), len(doc.Gaps), len(doc.Summaries), len(doc.Calls), len(doc.Capture))
					}
				}
			})
		}
	}
}

// TestOneSideWithoutSteps: of sides of which one has steps, whole captures are compared:
// both hold each kernel as often.
func TestOneSideWithoutSteps(t *testing.T) {
	marked, _ := writeEdited(t, "no-steps", synth.Nsight, strings.NewReplacer("markers: false", "markers: true"))
	dir := writeStory(t, "no-steps", synth.Nsight)
	doc := unjudged(t, filepath.Join(marked, "baseline"), filepath.Join(dir, "candidate"))
	if doc.Baseline.Steps.Kept == 0 || doc.Candidate.Steps.Kept > 0 {
		t.Fatalf("kept %d and %d steps", doc.Baseline.Steps.Kept, doc.Candidate.Steps.Kept)
	}
	c := callOf(doc, "kernels", "fprop")
	if c == nil || c.Baseline.Count != c.Candidate.Count || !c.Beyond || math.Abs(float64(c.Change)-0.25) > 0.02 {
		t.Errorf("got %+v", c)
	}
	if c := callOf(doc, "kernels", "dgrad"); c == nil || c.Beyond {
		t.Errorf("got %+v", c)
	}
}

// TestWithoutDevice: a capture of the host alone is compared by its ranges.
func TestWithoutDevice(t *testing.T) {
	dir, _ := writeEdited(t, "no-steps", synth.Nsight, strings.NewReplacer("markers: false", "markers: true"))
	base, cand := filepath.Join(dir, "baseline"), filepath.Join(dir, "candidate")
	mutate(t, dir, append(withoutDevice,
		"update NVTX_EVENTS set text = 'find_centers', end = start + 67700000 + (end - start) % 1000 where text = 'DataLoader.__next__'", withoutMarkers)...)
	mutate(t, cand, "update NVTX_EVENTS set end = end - 56200000 where text = 'find_centers'")
	doc := unjudged(t, base, cand)
	c := callOf(doc, "ranges", "find_centers")
	if c == nil || !c.Beyond || c.Baseline.Count != 62 || math.Abs(float64(c.Change)+0.83) > 0.01 {
		t.Fatalf("got %+v", c)
	}
	if len(doc.Findings) == 0 || !strings.Contains(doc.Findings[0].Text, "The range find_centers takes less per call: 67.7 and 11.5") {
		t.Errorf("got %+v", doc.Findings)
	}
	if len(doc.Kernels) > 0 || len(doc.Gaps) > 0 {
		t.Errorf("%d kernels and %d gaps of nothing", len(doc.Kernels), len(doc.Gaps))
	}
}

// TestSteplessMirrored: the sides the other way round give the same names with the other
// sign.
func TestSteplessMirrored(t *testing.T) {
	dir := writeStory(t, "fixed-window", synth.Nsight)
	base, cand := filepath.Join(dir, "baseline"), filepath.Join(dir, "candidate")
	there, back := unjudged(t, base, cand), unjudged(t, cand, base)
	for i := range there.Calls {
		a := &there.Calls[i]
		b := callOf(back, a.Table, a.Name)
		if b == nil || a.Beyond != b.Beyond || math.Abs(float64(a.Effect+b.Effect)) > 1e-12 || a.Baseline != b.Candidate {
			t.Errorf("%s: got %+v and %+v", a.Name, a, b)
		}
	}
	if len(there.Findings) != len(back.Findings) {
		t.Errorf("%d and %d findings", len(there.Findings), len(back.Findings))
	}
}

// TestShares: what a table says of a side's time adds up to no more than all of it.
func TestShares(t *testing.T) {
	dir := writeStory(t, "fixed-window", synth.Nsight)
	doc := unjudged(t, filepath.Join(dir, "baseline"), filepath.Join(dir, "candidate"))
	for _, s := range doc.Summaries {
		base, cand := 0.0, 0.0
		for _, r := range s.Rows {
			base, cand = base+float64(r.Baseline.Share), cand+float64(r.Candidate.Share)
		}
		if base > 1+1e-9 || cand > 1+1e-9 || base < 0.5 || cand < 0.5 {
			t.Errorf("%s: shares add up to %g and %g", s.Table, base, cand)
		}
	}
}

// TestWholeCapture holds the sums of real captures to what their tables say.
func TestWholeCapture(t *testing.T) {
	for file, tables := range map[string]map[measured.Table]string{
		"nsys/cloverleaf-a100-2024.5.sqlite": {
			measured.KernelTable: "CUPTI_ACTIVITY_KIND_KERNEL", measured.OSTable: "(select start, end from OSRT_API where end > start)",
			measured.MemoryTable: "(select start, end from CUPTI_ACTIVITY_KIND_MEMCPY)",
		},
		"nsys/osrt-2024.6.sqlite": {
			measured.KernelTable: "CUPTI_ACTIVITY_KIND_KERNEL",
			measured.MemoryTable: "(select start, end from CUPTI_ACTIVITY_KIND_MEMCPY union all select start, end from CUPTI_ACTIVITY_KIND_MEMSET)",
		},
		"nsys/forward-backward-nvtx-2025.1.sqlite": { // which has steps: whole captures are carried all the same
			measured.KernelTable: "CUPTI_ACTIVITY_KIND_KERNEL", measured.RangeTable: "(select start, end from NVTX_EVENTS where end is not null)",
		},
	} {
		path := golden.Real(t, file)
		set := load(t, path)
		db, err := sql.Open("sqlite", "file:"+path+"?mode=ro&immutable=1")
		if err != nil {
			t.Fatal(err)
		}
		defer db.Close()
		for table, from := range tables {
			var count, total, first, last int64
			if err := db.QueryRow("select count(*), sum(end - start), min(start), max(end) from "+from).Scan(&count, &total, &first, &last); err != nil {
				t.Fatal(err)
			}
			var got measured.Stat
			for _, s := range set.Runs[0].Ranks[0].Whole.Stats {
				if s.Table == table {
					got = got.Plus(s)
				}
			}
			if got.Count != count || got.Total != total {
				t.Errorf("%s, %s: got %d calls of %d ns, want %d of %d", file, table, got.Count, got.Total, count, total)
			}
		}
		w := set.Runs[0].Ranks[0].Whole
		if w.Busy+w.Gaps.Total > w.Device || w.Busy > w.Device || float64(w.Busy+w.Gaps.Total) < 0.9*float64(w.Device) {
			t.Errorf("%s: busy for %d ns with gaps of %d ns in %d ns", file, w.Busy, w.Gaps.Total, w.Device)
		}
	}
}

// TestSlowerKernelGates: without steps a slower kernel fails where the policy asks for it,
// and only there; nothing else passes.
func TestSlowerKernelGates(t *testing.T) {
	dir := writeStory(t, "fixed-window", synth.Nsight)
	base, cand := filepath.Join(dir, "baseline"), filepath.Join(dir, "candidate")
	const asked = "slower-kernel"
	for _, tt := range []struct {
		base, cand string
		args       []string
		want       int
	}{
		{base, cand, nil, statusNotJudged},
		{base, cand, []string{"--fail-on", asked}, statusRegressed},
		{base, cand, []string{"--fail-on", "regressed," + asked}, statusRegressed},
		{base, cand, []string{"--fail-on", asked, "--warn-only"}, statusNotJudged},
		{cand, base, []string{"--fail-on", asked}, statusNotJudged}, // faster
		{base, base, []string{"--fail-on", asked}, statusNotJudged},
	} {
		out, _ := mustRun(t, tt.want, append([]string{tt.base, tt.cand}, tt.args...)...)
		if says := strings.Contains(strings.Join(strings.Fields(out), " "), "Gate failed, exit 1. The kernel sm90_xmma_wgrad_implicit_gemm"); says != (tt.want == statusRegressed) {
			t.Errorf("%v: got\n%s", tt.args, out)
		}
	}
	other := writeStory(t, "slow-kernel", synth.Nsight) // which has steps
	sides := []string{filepath.Join(other, "baseline"), filepath.Join(other, "candidate"), "-q"}
	mustRun(t, statusRegressed, append(sides, "--fail-on", asked)...)
	aa := writeStory(t, "aa", synth.Nsight)
	mustRun(t, statusOK, filepath.Join(aa, "baseline"), filepath.Join(aa, "candidate"), "-q", "--fail-on", asked)
}
