package main

import (
	"bytes"
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"perfdiff/analyze/synth"
	"perfdiff/diff/stat"
)

// madeStep is a step of a made-up trace, in us: the parts follow each other, and the device
// idles in the first and in the last.
type madeStep struct{ input, compute, comm, pause int64 }

// made is a side of so many steps on so many ranks. What it says of none of its steps is
// not recorded: no loader, no communication.
type made struct {
	ranks, steps int
	step         func(rank, step int) madeStep
}

func (m made) write(t *testing.T, dir string) string {
	t.Helper()
	for rank := range m.ranks {
		writeFile(t, filepath.Join(dir, fmt.Sprintf("trace.%d.json", rank)), m.trace(rank))
	}
	return dir
}

func (m made) trace(rank int) string {
	var b strings.Builder
	fmt.Fprintf(&b, `{"schemaVersion":1,"distributedInfo":{"backend":"nccl","rank":%d,"world_size":%d},"traceEvents":[`, rank, m.ranks)
	event := func(cat, name string, tid, ts, dur int64, args string) {
		fmt.Fprintf(&b, `{"ph":"X","cat":%q,"name":%q,"pid":%d,"tid":%d,"ts":%d,"dur":%d,"args":{%s}},`, cat, name, 100+rank, tid, ts, dur, args)
	}
	at, launched := int64(1_000), 0
	kernel := func(name string, start, dur int64) {
		launched++
		event("cuda_runtime", "cudaLaunchKernel", 1, start-12, 4, fmt.Sprintf(`"correlation":%d`, launched))
		event("kernel", name, 7, start, dur, fmt.Sprintf(`"correlation":%d,"device":%d,"stream":7`, launched, rank))
	}
	for i := range m.steps {
		s := m.step(rank, i)
		if s.input > 0 {
			event("user_annotation", "enumerate(DataLoader)#_MultiProcessingDataLoaderIter.__next__", 1, at, s.input, "")
		}
		now := at + s.input + 20
		kernel("gemm_kernel", now, s.compute)
		if now += s.compute; s.comm > 0 {
			kernel("ncclDevKernel_AllReduce_Sum_f32_RING_LL(ncclDevKernelArgsStorage<4096ul>)", now, s.comm)
		}
		now += s.comm + s.pause
		event("user_annotation", fmt.Sprintf("ProfilerStep#%d", i), 1, at-15, now-at, "")
		at = now
	}
	return strings.TrimSuffix(b.String(), ",") + "]}"
}

// summaryOf is what the program says of two sides, as text, as a comment and as JSON.
func summaryOf(t *testing.T, base, cand string, args ...string) (text, comment string, doc Document) {
	t.Helper()
	dir := t.TempDir()
	var stdout, stderr bytes.Buffer
	run(context.Background(), append([]string{base, cand, "--table", "-o", dir + "/r.json", "-o", dir + "/r.md"}, args...), &stdout, &stderr)
	for name, read := range map[string]func([]byte) error{
		"r.json": func(b []byte) error { return json.Unmarshal(b, &doc) },
		"r.md":   func(b []byte) error { comment = string(b); return nil },
	} {
		b, err := os.ReadFile(filepath.Join(dir, name))
		if err == nil {
			err = read(b)
		}
		if err != nil {
			t.Fatal(err, stderr.String())
		}
	}
	return strings.ReplaceAll(stdout.String(), "\u202f", " "), strings.ReplaceAll(comment, "\u202f", " "), doc
}

// wobble is noise of up to 0.1 ms that is the same on every side.
func wobble(rank, step int) int64 { return int64((step*7919+rank*104729)%211) - 105 }

// usual is a step in which nothing stands out.
func usual(rank, step int) madeStep { return madeStep{400, 20_000 + wobble(rank, step), 2_000, 700} }

// metricsOf are the main metrics of a report by name.
func metricsOf(doc Document) map[string]Comparison {
	out := map[string]Comparison{}
	for _, m := range doc.Metrics {
		out[m.Metric] = m
	}
	return out
}

// spoken is all that a report's findings say, a line each.
func spoken(doc Document) string {
	text := ""
	for _, f := range doc.Findings {
		text += f.Class + ": " + f.Text + "\n"
	}
	return strings.ReplaceAll(text, "\u202f", " ")
}

// TestStories: where median, mean and estimate of a time tell different stories, all are
// said with the reason, beside the row and in the finding.
func TestStories(t *testing.T) {
	for name, tt := range map[string]struct {
		base, cand func(rank, step int) madeStep
		basis      []string          // in the headline or in its basis
		notes      map[string]string // by metric, in its notes
		says       []string          // in the findings
	}{
		"nothing changed": {base: usual, cand: func(r, i int) madeStep { return usual(r, i+3) }},
		"the usual step gains what checkpoints cost thrice": {
			base: func(r, i int) madeStep { return madeStep{400, 20_000 + wobble(r, i), 2_000, 3_700} },
			cand: func(r, i int) madeStep {
				s := usual(r, i+3)
				if i%4 == 3 {
					s.pause = 40_700
				}
				return s
			},
			basis: []string{"The mean step rose from 26.1 to 32.6 ms, because every 4th step of the candidate takes far longer; the median fell from 26.1 to 23.1 ms.",
				"Slower? Yes; step by step it is 8.2 to 49 %", "; runs differ by 3 % (assumed: no host is recorded)"},
			notes: map[string]string{"step_time": "The mean rose from 26.1 to 32.6 ms", "idle_time": "The mean rose from 4.12 to 10.6 ms, since some steps of the candidate have far more of it"},
			says:  []string{"look: Idle time rose from 4.1 to 10.6 ms per step", "the median fell from 4.1 to 1.1 ms, since some steps"},
		},
		"one rank waits for input": {
			base: usual,
			cand: func(r, i int) madeStep {
				if r == 1 {
					return madeStep{5_400, 20_000 + wobble(r, i), 2_000, 700}
				}
				return madeStep{400, 20_000 + wobble(r, i), 7_000, 700}
			},
			notes: map[string]string{"idle_time": "The mean rose from 1.12 to 2.37 ms, since some ranks of the candidate have far more of it than its median rank.",
				"input_wait_time": "The mean rose from 0.40 to 1.65 ms, since some ranks"},
		},
		"every other step takes 9 ms longer, then 5": {
			base: func(r, i int) madeStep {
				return madeStep{400, 20_000 + wobble(r, i) + int64(i%2)*9_000, 2_000, 700}
			},
			cand: func(r, i int) madeStep {
				return madeStep{400, 24_000 + wobble(r, i+3) + int64(i%2)*5_000, 2_000, 700}
			},
			notes: map[string]string{"step_time": "The same steps changed by another number than the medians and the means"},
		},
		"every other step takes 24 ms longer, then 5": { // so far beyond both that the first lines say it
			base: func(r, i int) madeStep {
				return madeStep{400, 20_000 + wobble(r, i) + int64(i%2)*24_000, 2_000, 700}
			},
			cand: func(r, i int) madeStep {
				return madeStep{400, 24_000 + wobble(r, i+3) + int64(i%2)*5_000, 2_000, 700}
			},
			basis: []string{"The same steps changed by another number than the medians and the means: the estimate compares the same steps of both sides, whose changes differ over the run"},
			notes: map[string]string{"step_time": "The same steps changed by another number than the medians and the means"},
		},
	} {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			text, comment, doc := summaryOf(t, made{4, 40, tt.base}.write(t, dir+"/baseline"), made{4, 40, tt.cand}.write(t, dir+"/candidate"), "--gate", "step_time")
			basis, metrics := strings.ReplaceAll(doc.Verdict.Headline+" "+doc.Verdict.Say+" "+doc.Verdict.Basis, "\u202f", " "), metricsOf(doc)
			for _, want := range tt.basis {
				if !strings.Contains(basis, want) {
					t.Errorf("basis: got %q, want %q", basis, want)
				}
			}
			for metric, m := range metrics {
				got, want := strings.ReplaceAll(strings.Join(m.Notes, " "), "\u202f", " "), tt.notes[metric]
				if tt.notes == nil && got != "" || !strings.Contains(got, want) {
					t.Errorf("notes of %s: got %q, want %q", metric, got, want)
				}
				if want != "" && (!strings.Contains(flat(text), want) || !strings.Contains(comment, want)) {
					t.Errorf("%s: want %q in the summary and in the comment, got %s\n%s", metric, want, text, comment)
				}
			}
			for _, want := range tt.says {
				if got := spoken(doc); !strings.Contains(got, want) {
					t.Errorf("findings: got %q, want %q", got, want)
				}
			}
		})
	}
}

// flat is a text without its line breaks.
func flat(text string) string { return strings.Join(strings.Fields(text), " ") }

// TestHiddenWait: of a wait for input that the device's work hides in part, the finding says
// what left the device idle, as the waterfall does.
func TestHiddenWait(t *testing.T) {
	dir := t.TempDir()
	side := func(input, pause int64) made { // a pause of less than none: the kernel runs into the next step
		return made{1, 30, func(r, i int) madeStep { return madeStep{input, 20_000 + wobble(r, i), 0, pause} }}
	}
	side(12_000, -4_000).write(t, dir+"/baseline")
	side(400, 700).write(t, dir+"/candidate")
	_, _, doc := summaryOf(t, dir+"/baseline", dir+"/candidate")
	if got, want := spoken(doc), "better: Waiting for input fell from 8."; !strings.Contains(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
}

// TestMoreThanStep: a cause that is larger than what the step changed by says where the
// rest is, and has the number of the waterfall.
func TestMoreThanStep(t *testing.T) {
	side := func(name string, input, compute int64) string {
		return made{4, 40, func(r, i int) madeStep { return madeStep{input, compute + wobble(r, i), 2_000, 700} }}.write(t, t.TempDir()+name)
	}
	base := side("/baseline", 12_000, 20_000)
	for _, tt := range []struct {
		compute int64
		want    string
	}{
		{20_000, ""}, {26_000, "; the step fell by less, 5.6 ms: compute rose from 20.0 to 26.0 ms."},
		{33_000, "; the step as a whole did not fall: compute rose from 20 to 33 ms."},
	} {
		_, _, doc := summaryOf(t, base, side("/candidate", 400, tt.compute))
		said := ""
		for _, f := range doc.Findings {
			if f.Kind == "input-wait" {
				said = strings.ReplaceAll(f.Text, "\u202f", " ")
				if !slices.ContainsFunc(doc.Waterfall.Parts, func(x Part) bool { return x.Kind == "input" && x.Delta == f.Effect }) {
					t.Errorf("compute %d: got %g, the waterfall has %+v", tt.compute, f.Effect, doc.Waterfall.Parts)
				}
			}
		}
		if said == "" || !strings.HasSuffix(said, tt.want) || tt.want == "" && strings.Contains(said, "the step") {
			t.Errorf("compute %d: got %q, want %q at the end", tt.compute, said, tt.want)
		}
	}
}

// TestHeldBack: a metric that would be a verdict for itself, and is none among so many,
// says so beside it.
func TestHeldBack(t *testing.T) {
	dir := t.TempDir()
	more := func(r, i int) madeStep { s := usual(r, i+3); s.comm += 1_400; return s }
	text, comment, doc := summaryOf(t, made{4, 40, usual}.write(t, dir+"/baseline"), made{4, 40, more}.write(t, dir+"/candidate"))
	c := metricsOf(doc)["exposed_comm_time"]
	if c.Reason != "many_metrics" || c.Change.Low > 0 || len(c.Notes) != 1 {
		t.Fatalf("got %s, from %g on, notes %q: the test needs a change that is held back", c.Reason, c.Change.Low, c.Notes)
	}
	const want = "Worse, not yet beyond chance: for itself its interval would leave out zero; those of the "
	row := ""
	for line := range strings.Lines(text) {
		if strings.HasPrefix(line, "exposed_comm_time") {
			row = line
		}
	}
	if !strings.HasPrefix(row, "exposed_comm_time [") || !strings.Contains(row, "inconclusive") || !strings.Contains(flat(text), "] "+want) {
		t.Errorf("summary: got %s", text)
	}
	if !strings.Contains(comment, "| inconclusive<sup>") || !strings.Contains(comment, "</sup> "+want) {
		t.Errorf("comment: got %s", comment)
	}
}

// TestWide: an interval so wide that nobody learns from what it leaves out is said itself.
func TestWide(t *testing.T) {
	dir := t.TempDir()
	noisy := func(by int) func(int, int) madeStep {
		return func(r, i int) madeStep {
			return madeStep{400, 20_000 + 70*wobble(0, i*by), 2_000, 700}
		}
	}
	_, _, doc := summaryOf(t, made{2, 10, noisy(1)}.write(t, dir+"/baseline"), made{2, 10, noisy(4)}.write(t, dir+"/candidate"))
	got := strings.ReplaceAll(doc.Verdict.Headline, "\u202f", " ")
	c := doc.Metrics[0]
	if !(c.Change.High >= 0.25) || c.Verdict != "inconclusive" {
		t.Fatalf("%s up to %g: the test needs a wide interval", c.Verdict, c.Change.High)
	}
	if strings.Contains(got, "excluded") || !strings.Contains(got, "anything between \u2212") || !strings.Contains(got, " % is possible") {
		t.Errorf("got %q", got)
	}
}

// TestAbsent: what nothing shows is absent and neither judged nor 0, and what one side
// alone shows is said.
func TestAbsent(t *testing.T) {
	without := func(clear func(*madeStep)) func(int, int) madeStep {
		return func(r, i int) madeStep { s := usual(r, i); clear(&s); return s }
	}
	noLoader, noComm := without(func(s *madeStep) { s.input = 0 }), without(func(s *madeStep) { s.comm = 0 })
	later := func(of func(int, int) madeStep) func(int, int) madeStep { // another run of the same
		return func(r, i int) madeStep { return of(r, i+3) }
	}
	waits := without(func(s *madeStep) { s.input = 12_000 })
	for name, tt := range map[string]struct {
		ranks      int
		base, cand func(rank, step int) madeStep
		absent     string // metrics without a value on the candidate
		says       string // in the findings
		status     string // of the verdict
	}{
		"one device":             {1, noComm, later(noComm), "comm_time exposed_comm_time overlap", "", "on one there is no communication"},
		"several, none seen":     {4, noComm, later(noComm), "comm_time exposed_comm_time overlap", "", "Needs communication kernels"},
		"no loader anywhere":     {4, noLoader, later(noLoader), "input_wait_time", "", "Needs a range around fetching a batch"},
		"a loader that is gone":  {4, waits, noLoader, "input_wait_time", "Idle time fell from 13 to 1 ms per step: the host waits for input (12.0 ms in the baseline, not recorded in the candidate)", "Not recorded in the candidate"},
		"the gone loader, said":  {4, waits, noLoader, "input_wait_time", "look: Input wait is 12.0 ms per step in the baseline, not recorded in the candidate", "Not recorded in the candidate"},
		"a loader that is quick": {4, waits, without(func(s *madeStep) { s.input = 20 }), "", "better: Waiting for input fell from 12 to 0 ms per step", "improved"},
	} {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			text, _, doc := summaryOf(t, made{tt.ranks, 30, tt.base}.write(t, dir+"/baseline"), made{tt.ranks, 30, tt.cand}.write(t, dir+"/candidate"))
			if !doc.Verdict.Judged || !strings.Contains(flat(text), tt.status) || !strings.Contains(spoken(doc), tt.says) {
				t.Errorf("want %q and %q, got %s", tt.status, tt.says, text)
			}
			metrics := metricsOf(doc)
			for _, name := range []string{"comm_time", "exposed_comm_time", "overlap", "input_wait_time"} {
				m := metrics[name]
				absent := math.IsNaN(float64(m.Median.Candidate))
				if want := strings.Contains(" "+tt.absent+" ", " "+name+" "); absent != want || absent && (m.Reason != "not_recorded" || m.Verdict != "inconclusive") {
					t.Errorf("%s: got %g in the candidate, %s, %s", name, m.Median.Candidate, m.Verdict, m.Reason)
				}
			}
			for _, rank := range doc.Ranks {
				b := rank.Candidate.Breakdown
				if math.IsNaN(float64(b.ExposedComm)) != strings.Contains(tt.absent, "exposed") || !(b.Step > 0) {
					t.Errorf("rank %d: breakdown %+v", rank.Rank, b)
				}
			}
			for _, part := range doc.Waterfall.Parts {
				if strings.Contains(tt.absent, "exposed") && strings.Contains(part.Name, "ommunication") {
					t.Errorf("the waterfall has a row of %s", part.Name)
				}
			}
		})
	}
}

// TestQueue: the wait for a queue that loaders fill is input, whatever ranges there are:
// the metric says what the finding says. Of the story's wait the call that waits takes 96 %, and
// its one loader blocks for 95.5 % of that: 8.3 % are missing where no range tells.
func TestQueue(t *testing.T) {
	small := strings.NewReplacer("nodes: 2", "nodes: 1", "ranks: 16", "ranks: 2")
	for name, sides := range map[string][]string{"ranges": nil, "none": {"baseline", "candidate"}, "none in the candidate": {"candidate"}} {
		t.Run(name, func(t *testing.T) {
			dir, truth := writeEdited(t, "o-direct", synth.Nsight, small)
			for _, side := range sides {
				alter(t, filepath.Join(dir, side), "DELETE FROM NVTX_EVENTS WHERE textId IN (SELECT id FROM StringIds WHERE value LIKE '%DataLoader%') OR text LIKE '%DataLoader%'")
				alter(t, filepath.Join(dir, side), "VACUUM") // numbers rows anew: none was lost
			}
			_, _, doc := summaryOf(t, filepath.Join(dir, "baseline"), filepath.Join(dir, "candidate"))
			if len(doc.Findings) == 0 || doc.Findings[0].Kind != "input-wait" || doc.Findings[0].Class != "better" {
				t.Fatalf("got %s, want the wait for input first", spoken(doc))
			}
			c, want := metricsOf(doc)["input_wait_time"], waitsOf(truth)
			if got := float64(c.Median.Baseline); c.Verdict != "improved" || !(math.Abs(got-want) < 0.085*want) || !(c.Median.Candidate < 0.003) {
				t.Errorf("got %g to %g s, %s, want %g in the baseline", got, c.Median.Candidate, c.Verdict, want)
			}
		})
	}
}

// waitsOf is the median over steps, without the first one, of the median of what the ranks of the
// baseline wait for input in it, s, as a report states it.
func waitsOf(truth synth.Truth) float64 {
	ranks := truth.Baseline[0].Ranks
	var all []float64
	for i := 1; i < len(ranks[0].Steps); i++ {
		var step []float64
		for _, r := range ranks {
			step = append(step, float64(r.Steps[i].InputWait)/1e9)
		}
		all = append(all, stat.Median(step))
	}
	return stat.Median(all)
}

// alter runs a statement on every export of a side.
func alter(t *testing.T, dir, statement string) {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(dir, "*.sqlite"))
	if err != nil || len(files) == 0 {
		t.Fatal("no exports", err)
	}
	for _, file := range files {
		if err := alterFile(file, statement); err != nil {
			t.Fatal(err)
		}
	}
}

// alterFile runs a statement in one export.
func alterFile(file, statement string) error {
	db, err := sql.Open("sqlite", "file:"+file)
	if err != nil {
		return err
	}
	_, err = db.Exec(statement)
	return errors.Join(err, db.Close())
}

// TestDiagnosticsOfOthers: what the profiler says of another process is in the lists and
// qualifies no number.
func TestDiagnosticsOfOthers(t *testing.T) {
	dir, _ := writeEdited(t, "aa", synth.Nsight, strings.NewReplacer("ranks: 4", "ranks: 1", "steps: 30", "steps: 12"))
	for _, side := range []string{"baseline", "candidate"} {
		for text, process := range map[string]string{"CUPTI buffers were lost": "(SELECT globalPid FROM CUPTI_ACTIVITY_KIND_KERNEL LIMIT 1)", "No CUDA events collected": "99 << 24", "Not all NVTX events might have been collected.": "NULL"} {
			alter(t, filepath.Join(dir, side), "INSERT INTO DIAGNOSTIC_EVENT (timestamp, timestampType, source, severity, text, globalPid) VALUES (1, 1, 1, 2, '"+text+"', "+process+")")
		}
	}
	text, comment, doc := summaryOf(t, filepath.Join(dir, "baseline"), filepath.Join(dir, "candidate"))
	for _, own := range []string{"The profiler warned: CUPTI buffers were lost", "The profiler warned: Not all NVTX events might have been collected"} {
		if !strings.Contains(strings.ToLower(flat(text)), strings.ToLower(own)) {
			t.Errorf("want %q in %s", own, text)
		}
	}
	if strings.Contains(text, "No CUDA") || !strings.Contains(text, "and 1 more warning") || !strings.Contains(comment, "warned in another process: No CUDA events collected") {
		t.Errorf("got %s\n%s", text, comment)
	}
	for _, w := range doc.Warnings {
		if w.Unrelated != strings.Contains(w.Text, "No CUDA") {
			t.Errorf("got %+v", w)
		}
	}
}
