package main

import (
	"encoding/json"
	"strings"
	"testing"

	"perfdiff/analyze/synth"
)

// statements edits an export by SQL.
func statements(sql ...string) func(recorded) error {
	return func(r recorded) error { return r.(*exported).run(sql...) }
}

// durations gives events of a trace another duration; nil takes it away.
func durations(of func(event) bool, dur any) func(recorded) error {
	return func(r recorded) error {
		for _, e := range r.(*traced).events {
			if of(e) {
				if e["dur"] = dur; dur == nil {
					delete(e, "dur")
				}
			}
		}
		return nil
	}
}

func ofCategory(cat string) func(event) bool {
	return func(e event) bool { return e.text("cat") == cat }
}

func withoutEvents(unwanted func(event) bool) func(recorded) error {
	return func(r recorded) error { return r.(*traced).drop(unwanted) }
}

var (
	ofKernels = []string{"compute_time", "exposed_comm_time", "overlap", "idle_time", "busy_share", "exposed_memory_time"}
	ofKinds   = []string{"compute_time", "comm_time", "exposed_comm_time", "overlap"}
	ofCopies  = []string{"exposed_memory_time", "idle_time", "busy_share"}
)

// losses are what a side can lose, what is then not recorded, and what a warning says.
var losses = []struct {
	name   string
	format synth.Format
	edit   func(recorded) error
	lost   []string
	says   string // in a warning, and in the reason of what is lost
}{
	{"kernels", synth.Nsight, statements("drop table CUPTI_ACTIVITY_KIND_KERNEL"), ofKernels,
		"table CUPTI_ACTIVITY_KIND_KERNEL is missing or empty"},
	{"a third of the kernels", synth.Nsight, statements("delete from CUPTI_ACTIVITY_KIND_KERNEL where rowid % 3 = 1"), ofKernels,
		"a kernel for each launch: 1"},
	{"copies", synth.Nsight, statements("drop table CUPTI_ACTIVITY_KIND_MEMCPY"), ofCopies,
		"a copy for each call that copies: 16 of 16 have none"},
	{"ends of kernels", synth.Nsight, statements("update CUPTI_ACTIVITY_KIND_KERNEL set end = start - 1 where rowid % 4 = 1"), ofKernels[:4],
		"a kernel for each launch: 136 of 544 have none"},
	{"names", synth.Nsight, statements("drop table StringIds"), ofKinds, "names of kernels: those of 54"},
	{"half of the names", synth.Nsight, statements("delete from StringIds where id % 2 = 0"), ofKinds, "names of kernels: those of "},
	{"owners of calls", synth.Nsight, statements("update CUPTI_ACTIVITY_KIND_RUNTIME set globalTid = null where rowid % 2 = 0"), nil,
		"table CUPTI_ACTIVITY_KIND_RUNTIME: 289 of 578 rows were left out: they are of no process"},
	{"owners of ranges", synth.Nsight, statements("update NVTX_EVENTS set globalTid = 99999999999999 where text like 'DataLoader%'"), []string{"input_wait_time"},
		"table NVTX_EVENTS: 17 of "},
	{"owners of calls of the system", synth.Nsight, statements("update OSRT_API set globalTid = null"), []string{"input_wait_time"},
		"table OSRT_API: 17 of 17 rows were left out"},
	{"rows of calls of the system", synth.Nsight, statements("delete from OSRT_API where rowid % 2 = 1 and rowid < 16"), []string{"input_wait_time"},
		"table OSRT_API: its last row has the number 17 and only 9 are there"},
	{"no number as duration", synth.Kineto, durations(ofCategory("kernel"), "500us"), ofKernels, "durations of kernels: dur of 54"},
	{"not a number", synth.Kineto, durations(ofCategory("kernel"), "NaN"), ofKernels, "durations of kernels"},
	{"a hexadecimal duration", synth.Kineto, durations(ofCategory("kernel"), "0x1F4"), ofKernels, "durations of kernels"},
	{"a negative duration", synth.Kineto, durations(ofCategory("kernel"), json.Number("-5")), ofKernels, "durations of kernels"},
	{"null as duration", synth.Kineto, durations(ofCategory("kernel"), json.RawMessage("null")), ofKernels, "durations of kernels"},
	{"no duration", synth.Kineto, durations(ofCategory("kernel"), nil), ofKernels, "durations of kernels"},
	{"no duration of copies", synth.Kineto, durations(ofCategory("gpu_memcpy"), nil), ofCopies, "durations of copies and sets"},
	{"no duration of loading", synth.Kineto, durations(func(e event) bool { return strings.Contains(e.text("name"), "DataLoader") }, nil),
		[]string{"input_wait_time"}, "durations of ranges"},
	{"kernels of a trace", synth.Kineto, withoutEvents(ofCategory("kernel")), ofKernels, "no event has the category kernel"},
	{"copies of a trace", synth.Kineto, withoutEvents(ofCategory("gpu_memcpy")), ofCopies, "a copy for each call that copies"},
	{"half of the launches of a trace", synth.Kineto, withoutEvents(func(e event) bool {
		return e.text("cat") == "cuda_runtime" && numeric(e.args()["correlation"]) != float64(int(numeric(e.args()["correlation"]))/2*2)
	}), nil, "the calls that launch"},
}

// TestLost: what one side lost is said and not recorded there, with its reason in every
// output, and the other side shows its number.
func TestLost(t *testing.T) {
	edit := strings.NewReplacer("ranks: 4", "ranks: 2", "steps: 30", "steps: 16")
	pairs := map[synth.Format][2]string{}
	for _, format := range []synth.Format{synth.Nsight, synth.Kineto} {
		base, cand := unchanged(t, "aa", "baseline", format, edit)
		pairs[format] = [2]string{base, cand}
	}
	for _, loss := range losses {
		t.Run(loss.name, func(t *testing.T) {
			t.Parallel()
			for at, side := range []string{"baseline", "candidate"} {
				sides := [2]string{copyTree(t, pairs[loss.format][0]), copyTree(t, pairs[loss.format][1])}
				openSide(t, sides[at], 2).each(t, loss.edit)
				told := compareInAllForms(t, sides[0], sides[1])
				if wrong := told.wrong(); wrong != "" {
					t.Errorf("%s: %s", side, wrong)
				}
				told.checkLost(t, side, loss.lost, loss.says)
			}
		})
	}
}

func (s *saidOfPair) checkLost(t *testing.T, side string, lost []string, says string) {
	t.Helper()
	warned := false
	for _, w := range s.doc.Warnings {
		warned = warned || w.Side == side && strings.Contains(w.Text, says)
	}
	if !warned {
		t.Errorf("%s: got warnings %v, want one with %q", side, s.doc.Warnings, says)
	}
	for _, c := range s.doc.Metrics {
		of, other := c.NotRecorded.Baseline, c.NotRecorded.Candidate
		if side == "candidate" {
			of, other = other, of
		}
		want := false
		for _, name := range lost {
			want = want || name == c.Metric
		}
		if want && (of == "" || other != "" || c.Reason != "not_recorded") {
			t.Errorf("%s: %s: got %v, %s, want it not recorded on that side alone", side, c.Metric, c.NotRecorded, c.Reason)
		}
		if want && !strings.Contains(c.Why, "Not recorded in the "+side+". Needs ") {
			t.Errorf("%s: %s: got %q", side, c.Metric, c.Why)
		}
	}
	for name, text := range map[string]string{"text": s.text, "markdown": s.markdown} {
		if text = strings.Join(strings.Fields(text), " "); len(lost) > 0 && !strings.Contains(text, "Not recorded in the "+side) {
			t.Errorf("%s: the %s does not say what is not recorded: %s", side, name, text)
		}
	}
}

// TestLostRank: a rank whose kernels are lost on one side is compared on neither, by what
// is made of kernels, and all others are.
func TestLostRank(t *testing.T) {
	base, cand := unchanged(t, "straggler-rank3", "candidate", synth.Nsight, strings.NewReplacer("ranks: 8", "ranks: 4", "steps: 30", "steps: 16"))
	s := openSide(t, cand, 4)
	f, err := openExport(s.path(3))
	if err != nil {
		t.Fatal(err)
	}
	if err := f.run("drop table CUPTI_ACTIVITY_KIND_KERNEL"); err != nil {
		t.Fatal(err)
	}
	f.close()
	told := compareInAllForms(t, base, cand)
	if wrong := told.wrong(); wrong != "" {
		t.Error(wrong)
	}
	for _, c := range told.doc.Metrics {
		if c.Metric == "compute_time" && (c.Ranks.Baseline != 3 || c.Ranks.Candidate != 3) {
			t.Errorf("compute time is of %v ranks, want 3 on both sides", c.Ranks)
		}
		if c.Metric == "compute_skew" && (c.NotRecorded.Candidate == "" || c.NotRecorded.Baseline != "") {
			t.Errorf("compute skew: got %v, want it lost in the candidate", c.NotRecorded)
		}
		if c.Metric == "step_time" && c.Ranks.Candidate != 4 {
			t.Errorf("step time is of %v ranks, want 4", c.Ranks)
		}
	}
}

// TestLostReplays: a side whose kernels or replays are lost is not said to show graphs in
// another way.
func TestLostReplays(t *testing.T) {
	base, cand := unchanged(t, "graphs", "baseline", synth.Nsight, strings.NewReplacer("ranks: 4", "ranks: 2", "steps: 30", "steps: 12"))
	for _, table := range []string{"CUPTI_ACTIVITY_KIND_KERNEL", "CUPTI_ACTIVITY_KIND_GRAPH_TRACE"} {
		lost := copyTree(t, cand)
		mutate(t, lost, "drop table "+table)
		told := compareInAllForms(t, base, lost)
		if wrong := told.wrong(); wrong != "" || strings.Contains(told.text, "kernel by kernel") {
			t.Errorf("%s: %s\n%s", table, wrong, told.text)
		}
		told.checkLost(t, "candidate", ofKernels[:1], "a kernel for each launch: ")
	}
}
