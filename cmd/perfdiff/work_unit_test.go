package main

import (
	"encoding/json"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"perfdiff/analyze/synth"
	"perfdiff/golden"
)

// workDocument is what the JSON says of the work of a step, of its waterfall and of which steps enter.
type workDocument struct {
	Verdict struct {
		Word, Headline, Say, Basis string
	}
	Work *struct {
		Factor  float64
		PerUnit float64 `json:"per_unit"`
		Judged  bool
	}
	Window *struct {
		Length   float64
		Launches struct{ Baseline, Candidate float64 }
	}
	Waterfall struct {
		Median struct{ Baseline, Candidate *float64 }
	}
	Baseline struct {
		Steps struct {
			Kept, Used int
			ByRanks    []int `json:"kept_by_ranks"`
		}
	}
	Metrics []struct {
		Metric, Verdict, Why string
		Median               struct{ Baseline, Candidate float64 }
	}
	Steps []struct {
		Dropped             string
		Baseline, Candidate struct{ Median *float64 }
	}
	Ranks []struct {
		Baseline struct {
			Dropped []string
		}
	}
	Findings []struct {
		Kind, Text string
		Steps      []int64
	}
}

// comparedWork is the JSON of a comparison that ends with a status.
func comparedWork(t *testing.T, want int, args ...string) (doc workDocument) {
	t.Helper()
	stdout, _ := mustRun(t, want, append(args, "-q", "-o", "-", "--format", "json")...)
	if err := json.Unmarshal([]byte(stdout), &doc); err != nil {
		t.Fatal(err)
	}
	doc.Verdict.Headline, doc.Verdict.Basis = plainSpaces(doc.Verdict.Headline), plainSpaces(doc.Verdict.Say+" "+doc.Verdict.Basis)
	return doc
}

// metricOf is one of its metrics: the index.
func (d *workDocument) metricOf(t *testing.T, name string) int {
	t.Helper()
	for i := range d.Metrics {
		if d.Metrics[i].Metric == name {
			return i
		}
	}
	t.Fatalf("%s was not compared", name)
	return -1
}

// rewritten is a small unchanged job of which statements rewrite the candidate.
func rewritten(t *testing.T, statements ...string) (base, cand string) {
	t.Helper()
	dir, _ := writeEdited(t, "aa", synth.Nsight, strings.NewReplacer("ranks: 4", "ranks: 2"))
	cand = filepath.Join(dir, "candidate")
	openSide(t, cand, 2).each(t, func(f recorded) error { return f.(*exported).run(statements...) })
	return filepath.Join(dir, "baseline"), cand
}

// timedTables are the tables whose rows begin and end.
var timedTables = []string{"NVTX_EVENTS", "CUPTI_ACTIVITY_KIND_KERNEL", "OSRT_API", "CUPTI_ACTIVITY_KIND_MEMCPY", "CUPTI_ACTIVITY_KIND_RUNTIME", "CUPTI_ACTIVITY_KIND_SYNCHRONIZATION"}

// stretched takes all times by a factor.
func stretched(by float64) (out []string) {
	for _, table := range timedTables {
		out = append(out, fmt.Sprintf("update %s set start = cast(start*%g as integer), end = cast(end*%g as integer)", table, by, by))
	}
	return append(out, fmt.Sprintf("update ANALYSIS_DETAILS set duration = cast(duration*%g as integer), startTime = cast(startTime*%g as integer), stopTime = cast(stopTime*%g as integer)", by, by, by))
}

// batch takes bytes and blocks by a factor.
func batch(by float64) []string {
	return []string{moreBytes(by), fmt.Sprintf("update CUPTI_ACTIVITY_KIND_KERNEL set gridX = cast(gridX*%g as integer)", by)}
}

func moreBytes(by float64) string {
	return fmt.Sprintf("update CUPTI_ACTIVITY_KIND_MEMCPY set bytes = cast(bytes*%g as integer)", by)
}

func perByte(t *testing.T) string {
	t.Helper()
	file := filepath.Join(t.TempDir(), "perfdiff.yaml")
	if err := os.WriteFile(file, []byte("work: per-byte\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	return file
}

// TestAnotherBatch: twice or half the bytes and blocks a step are another batch, which is not comparable
// by step, and for the same work by policy; what is slower for the same work regresses there.
func TestAnotherBatch(t *testing.T) {
	for _, by := range []float64{2, 0.5} {
		base, cand := rewritten(t, slices.Concat(stretched(by), batch(by))...)
		doc := comparedWork(t, statusNotJudged, base, cand)
		want := fmt.Sprintf("copies %.2f times the bytes and launches %.2f times the blocks, as of another batch; per byte it takes", by, by)
		if doc.Verdict.Word != "not comparable" || !strings.Contains(doc.Verdict.Headline, want) || doc.Work == nil || math.Abs(doc.Work.Factor-by) > 0.01 || math.Abs(doc.Work.PerUnit) > 0.02 {
			t.Errorf("by %g: got %s, %q, %+v", by, doc.Verdict.Word, doc.Verdict.Headline, doc.Work)
		}
		if !strings.Contains(doc.Verdict.Basis, "work: per-byte in the policy") {
			t.Errorf("no way out: %s", doc.Verdict.Basis)
		}
		doc = comparedWork(t, statusOK, base, cand, "--policy", perByte(t))
		step := doc.Metrics[doc.metricOf(t, "step_time")].Median
		if doc.Work == nil || !doc.Work.Judged || math.Abs(step.Candidate/step.Baseline-1) > 0.02 || !strings.Contains(doc.Verdict.Headline, "That is for the same work: a step of the candidate copies") {
			t.Errorf("by %g, per byte: got %+v, %v, %q", by, doc.Work, step, doc.Verdict.Headline)
		}
	}
	base, cand := rewritten(t, slices.Concat(stretched(2.6), batch(2))...)
	if doc := comparedWork(t, statusRegressed, base, cand, "--policy", perByte(t)); !strings.Contains(doc.Verdict.Headline, " longer (+30") {
		t.Errorf("got %q", doc.Verdict.Headline)
	}
	if doc := comparedWork(t, statusRegressed, base, cand, "--force"); !strings.Contains(doc.Verdict.Headline, "A step of the candidate copies") {
		t.Errorf("by force: got %q", doc.Verdict.Headline)
	}
}

// TestBytesAlone: bytes that doubled without the work are no other batch, and the step is judged.
func TestBytesAlone(t *testing.T) {
	base, cand := rewritten(t, append(stretched(1.3), moreBytes(2))...)
	if doc := comparedWork(t, statusRegressed, base, cand); doc.Work != nil || strings.Contains(doc.Verdict.Headline, "copies") {
		t.Errorf("got %q, %+v", doc.Verdict.Headline, doc.Work)
	}
}

// TestTenfold: kernels, gaps, copies and calls that all take ten times as long ask for the unit; where
// copies do not, it is judged.
func TestTenfold(t *testing.T) {
	base, cand := rewritten(t, stretched(10)...)
	if doc := comparedWork(t, statusNotJudged, base, cand); !strings.Contains(doc.Verdict.Basis, "as in another unit of time") {
		t.Errorf("got %q, %q", doc.Verdict.Headline, doc.Verdict.Basis)
	}
	base, cand = rewritten(t, append(stretched(10), "update CUPTI_ACTIVITY_KIND_MEMCPY set end = start + (end - start)/10",
		"update CUPTI_ACTIVITY_KIND_RUNTIME set end = start + (end - start)/10")...)
	if doc := comparedWork(t, statusRegressed, base, cand); strings.Contains(doc.Verdict.Basis, "unit of time") {
		t.Errorf("got %q, %q", doc.Verdict.Headline, doc.Verdict.Basis)
	}
}

// inFifth selects launches of every fifth step that are not of communication, every other one.
const inFifth = `select r.correlationId from CUPTI_ACTIVITY_KIND_RUNTIME r
	join NVTX_EVENTS n on r.start >= n.start and r.start < n.end and n.text like 'step %' and cast(substr(n.text, 6) as integer) % 5 = 4
	where r.correlationId % 2 = 0 and r.correlationId in (select correlationId from CUPTI_ACTIVITY_KIND_KERNEL k
	join StringIds i on i.id = k.demangledName where i.value not like 'nccl%')`

// TestStepsOfAnotherKind: steps of evaluation among those of training are named, with what they launch.
func TestStepsOfAnotherKind(t *testing.T) {
	base, cand := rewritten(t, "create table gone as "+inFifth, "delete from CUPTI_ACTIVITY_KIND_KERNEL where correlationId in gone",
		"delete from CUPTI_ACTIVITY_KIND_RUNTIME where correlationId in gone", "drop table gone", "vacuum") // which numbers the rows anew: none is lost
	doc := comparedWork(t, statusOK, base, cand)
	at := slices.IndexFunc(doc.Findings, func(f struct {
		Kind, Text string
		Steps      []int64
	}) bool {
		return f.Kind == "other-steps"
	})
	if at < 0 {
		t.Fatalf("not said: %+v", doc.Findings)
	}
	f := doc.Findings[at]
	if !slices.Equal(f.Steps, []int64{4, 9, 14, 19, 24, 29}) || !strings.Contains(f.Text, "every 5th): they launch") || !strings.Contains(f.Text, "kernels where the others launch 34") {
		t.Errorf("got %v, %q", f.Steps, f.Text)
	}
}

// TestHostAhead: the host's period where it runs ahead of the device is no step time.
func TestHostAhead(t *testing.T) {
	ahead := []string{}
	for _, table := range []string{"NVTX_EVENTS", "CUPTI_ACTIVITY_KIND_RUNTIME", "OSRT_API", "CUPTI_ACTIVITY_KIND_SYNCHRONIZATION"} {
		ahead = append(ahead, "update "+table+" set start = start/5, end = end/5")
	}
	base, cand := rewritten(t, ahead...)
	doc := comparedWork(t, anyVerdict, base, cand)
	c := doc.Metrics[doc.metricOf(t, "host_step_time")]
	if c.Verdict != "inconclusive" || !strings.Contains(c.Why, "runs ahead of its device") {
		t.Errorf("got %+v", c)
	}
}

// TestWaterfallUnjudged: where no step is compared the waterfall has no medians, and not 0.
func TestWaterfallUnjudged(t *testing.T) {
	base, cand := rewritten(t, "delete from NVTX_EVENTS where text like 'step %' and cast(substr(text, 6) as integer) % 2 = 1",
		"update NVTX_EVENTS set text = 'step ' || (cast(substr(text, 6) as integer)/2) where text like 'step %'")
	doc := comparedWork(t, statusNotJudged, base, cand)
	if m := doc.Waterfall.Median; m.Baseline != nil || m.Candidate != nil || doc.Verdict.Word != "not comparable" {
		t.Errorf("got %s, %v and %v", doc.Verdict.Word, m.Baseline, m.Candidate)
	}
}

// TestUnpairedSteps: of sides whose steps are not compared by number, the steps listed as used are those
// that are used.
func TestUnpairedSteps(t *testing.T) {
	base, cand := rewritten(t)
	openSide(t, cand, 2).each(t, func(f recorded) error { return f.cut(26, 30) })
	doc := comparedWork(t, anyVerdict, base, cand, "--step-kernel", "multi_tensor")
	used := doc.Baseline.Steps.Used
	listed := 0
	for _, s := range doc.Steps {
		if s.Baseline.Median != nil && s.Dropped == "" {
			listed++
		}
	}
	if listed != used {
		t.Errorf("%d steps of the baseline are listed as used, and %d are", listed, used)
	}
	for i, r := range doc.Ranks {
		kept := 0
		for _, why := range r.Baseline.Dropped {
			if why == "" {
				kept++
			}
		}
		if kept != used {
			t.Errorf("rank %d: %d steps are listed as used, and %d are", i, kept, used)
		}
	}
}

// TestTailOfOneRun: spikes of a single run are counted where it is described by itself.
func TestTailOfOneRun(t *testing.T) {
	dir := writeStory(t, "checkpoint-spikes", synth.Nsight)
	stdout, _ := mustRun(t, statusOK, "report", filepath.Join(dir, "candidate"), "--table")
	for line := range strings.Lines(stdout) {
		if f := strings.Fields(plainSpaces(line)); len(f) == 2 && f[0] == "tail" && f[1] == "0" {
			t.Errorf("got %q beside %s", line, stdout)
		}
	}
	if !strings.Contains(stdout, "tail ") {
		t.Errorf("no tail: %s", stdout)
	}
}

// TestCutByClock: captures of one length say so, with what each launches.
func TestCutByClock(t *testing.T) {
	dir := writeStory(t, "fixed-window", synth.Nsight)
	doc := comparedWork(t, statusNotJudged, filepath.Join(dir, "baseline"), filepath.Join(dir, "candidate"))
	if doc.Window == nil {
		t.Fatalf("not said: %q", doc.Verdict.Basis)
	}
	const want = "Both captures last 3.00 s; the candidate launches 15.4 % less in it (4\u2009456 kernels and 3\u2009770)"
	if x := doc.Window.Launches; !strings.Contains(doc.Verdict.Basis, want) || x.Baseline != 4456 || x.Candidate != 3770 {
		t.Errorf("got %q, %+v", doc.Verdict.Basis, doc.Window)
	}
}

// TestPrintedMarker: what steps prints to name a marker finds that marker, also where a longer name
// holds its text.
func TestPrintedMarker(t *testing.T) {
	file := golden.RealFiles(t, "nsys/forward-backward-nvtx-2025.1.sqlite")[0]
	listed, _ := mustRun(t, statusOK, "steps", file)
	if !strings.Contains(listed, "--step-range 'Forward'") || !strings.Contains(listed, "15 times, every") {
		t.Fatalf("got %s", listed)
	}
	stdout, _ := mustRun(t, statusOK, "report", file, "--step-range", "Forward")
	if !strings.Contains(plainSpaces(stdout), "67.8 in the median") {
		t.Errorf("got %s", stdout)
	}
}

// TestFallsByAll: nothing falls by more than what was there.
func TestFallsByAll(t *testing.T) {
	dir := func(name string) string { return filepath.Dir(golden.RealFiles(t, "kineto/"+name+"/*")[0]) }
	stdout, _ := mustRun(t, anyVerdict, dir("resnet50-workers-0"), dir("resnet50-workers-4"), "--table")
	if _, details, found := strings.Cut(plainSpaces(stdout), "Details that differ"); !found || !strings.Contains(details, "45 ms       0 ms  −45 ms") {
		t.Errorf("got %s", details)
	}
	stdout, _ = mustRun(t, anyVerdict, golden.RealFiles(t, "kineto/resnet50-workers-0/*")[0], golden.RealFiles(t, "kineto/resnet50-workers-4/*")[0], "--table")
	if _, details, _ := strings.Cut(plainSpaces(stdout), "Details that differ"); !strings.Contains(details, " 0 ms  −") {
		t.Errorf("one file each: got %s", details)
	}
}
