package main

import (
	"bytes"
	"context"
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

// told is what a build and a reader are told of a pair.
type told struct {
	exit                                       int
	Verdict, Word, Headline, Say, Advice, Next string
	mean                                       string // verdict of the mean step
}

// tell runs perfdiff, or one of its commands, and reads what it says in JSON.
func tell(t *testing.T, args ...string) told {
	t.Helper()
	var stdout, stderr bytes.Buffer
	out := told{exit: run(context.Background(), append(args, "-q", "-o", "-", "--format", "json"), &stdout, &stderr)}
	var doc struct {
		Verdict *told
		Parts   []struct{ Metric, Verdict string }
	}
	doc.Verdict = &out
	if err := json.Unmarshal(stdout.Bytes(), &doc); err != nil {
		t.Fatalf("perfdiff %s: exit %d: %v: %s", strings.Join(args, " "), out.exit, err, stderr.String())
	}
	for _, p := range doc.Parts {
		if p.Metric == "step_time_mean" {
			out.mean = p.Verdict
		}
	}
	out.Headline, out.Say, out.Next = plainSpaces(out.Headline), plainSpaces(out.Say), plainSpaces(out.Next)
	return out
}

// stepsOf are the times of the steps of a run, ms: runs and steps are counted from 0.
type stepsOf func(run, step int) float64

const logged = 60 // steps of a log

// logs writes runs of a side as logs of step times, whose steps differ by up to 0.2 % and whose
// runs by up to so much.
func logs(t *testing.T, dir string, runs int, differ float64, times stepsOf) string {
	t.Helper()
	if err := os.MkdirAll(dir, 0o755); err != nil {
		t.Fatal(err)
	}
	seed := uint32(len(filepath.Base(dir))*7 + runs)
	for i := range runs {
		text := "step,step_time_ms\n"
		level := 1 + differ*float64(i-runs/2)
		for s := range logged {
			seed = seed*1664525 + 1013904223
			text += fmt.Sprintf("%d,%.4f\n", s+1, times(i, s)*level*(.998+.004*float64(seed)/math.MaxUint32))
		}
		if err := os.WriteFile(filepath.Join(dir, fmt.Sprintf("%d.csv", i+1)), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

func alike(ms float64) stepsOf { return func(int, int) float64 { return ms } }

// stalled is a step of 100 ms of which so many a run take that long; runs says in which they do.
func stalled(ms float64, runs func(int) bool, steps ...int) stepsOf {
	return func(run, step int) float64 {
		if runs(run) && slices.Contains(steps, step-run) {
			return ms
		}
		return 100
	}
}

func always(int) bool { return true }

func jumps(at int, to float64) stepsOf {
	return func(_, step int) float64 {
		if step >= at {
			return to
		}
		return 100
	}
}

func grows(by float64) stepsOf {
	return func(_, step int) float64 { return 100 + by*(float64(step)/logged-.5) + float64(step*7%3) - 1 }
}

// firstLine is a row of the table in help verdict: what the first line says, how many runs per side have it,
// what is advised, and the exit status, without and with --escalate.
type firstLine struct {
	first, runs    string
	advice         string
	exit           int
	escalated      string
	escalatedExit  int
	base, cand     stepsOf // of logs; nil: they are a story's sides
	n              int     // runs per side
	differ         float64 // by how much runs of a side differ
	word, headline string  // what the word and the headline begin with
}

// sides writes both sides of a row.
func (l *firstLine) sides(t *testing.T) (base, cand string) {
	if l.base != nil {
		dir := t.TempDir()
		return logs(t, filepath.Join(dir, "b"), l.n, l.differ, l.base), logs(t, filepath.Join(dir, "cc"), l.n, l.differ, l.cand)
	}
	y := gateInputs{t, t.TempDir()}
	of := tableStories[l.first]
	y.job("job", 2, "job: {forward: 8ms, backward: 16ms, input: {from: 1ms, to: 1ms}}\n"+of.candidate)
	if of.edit != nil {
		openSide(t, y.at("job/candidate"), 2).each(t, of.edit)
	}
	return y.at("job/baseline"), y.at("job/candidate")
}

// tableStories are the candidates of the rows that logs cannot show: what its story says of it, and an edit of its
// files.
var tableStories = map[string]struct {
	candidate string
	edit      func(recorded) error
}{
	"faster, and another metric got worse": {"candidate: {forward: 5ms, backward: 10ms, input: {from: 5ms, to: 5ms}}\n", nil},
	"another metric got worse":             {"candidate: {forward: 6.7ms, backward: 13.3ms, input: {from: 5ms, to: 5ms}}\n", nil},
	"looks slower, on other machines":      {"candidate: {forward: 8.7ms, backward: 17.4ms}\n", otherHost},
	"not comparable":                       {"", recorded.halveSMs},
	"not judged":                           {"", recorded.loseComm},
}

var adviceTable = []firstLine{
	{"slower", "1", "do-not-merge", 1, "run-again", 4, alike(100), alike(120), 1, 0, "regressed", "Steps take 20 ms longer (+20 %)."},
	{"slower", "3+", "do-not-merge", 1, "do-not-merge", 1, alike(100), alike(105), 3, 0, "regressed", "Steps take 5.0 ms longer (+5.0 %)."},
	{"faster", "any", "merge", 0, "merge", 0, alike(100), alike(80), 1, 0, "improved", "Steps take 20 ms less (−20 %)."},
	{"faster, and another metric got worse", "any", "merge", 0, "merge", 0, nil, nil, 0, 0, "improved", "Steps take 4.8 ms less (−16 %), although waiting for input takes 4.0 ms more. Idle time rose by 4.0"},
	{"unchanged", "3+", "merge", 0, "merge", 0, alike(100), alike(100), 3, 0, "unchanged", "Steps take as long as before, within 1.5 %: 100 and 100 ms."},
	{"passed", "any", "merge-if", 0, "merge-if", 0, alike(100), alike(100.5), 1, 0, "passed", "No slowdown seen"},
	{"looks slower", "1", "run-again", 0, "run-again", 4, alike(100), alike(109.3), 1, 0, "slower, not yet beyond chance", "Steps took 9.3 ms longer (+9.3 %), but runs of this job may differ"},
	{"looks slower", "3+", "run-again", 0, "run-again", 0, alike(100), alike(102.7), 3, .02, "slower, not yet beyond chance", "Steps took 2.7 ms longer (+2.7 %), but runs of this job may differ"},
	{"looks faster", "any", "merge-if", 0, "merge-if", 0, alike(100), alike(91.5), 1, 0, "faster, not yet beyond chance", "Steps took 8.5 ms less (−8.5 %), but runs of this job may differ"},
	{"the mean step rose, beyond chance", "1", "do-not-merge", 1, "run-again", 4, alike(100), stalled(400, always, 8, 22, 36, 50), 1, 0,
		"regressed", "The mean step rose from 100 to 12"},
	{"the mean step rose, beyond chance", "3+", "do-not-merge", 1, "do-not-merge", 1, alike(100), stalled(10000, always, 15), 3, 0,
		"regressed", "The mean step rose from 100 to 268 ms, because of one stalled step in each run; the median did not change."},
	{"the mean step rose, and it is open", "1", "do-not-merge", 3, "run-again", 4, alike(100), stalled(10000, always, 15), 1, 0,
		"inconclusive", "The mean step rose from 100 to 268 ms, because one step of the candidate took "},
	{"the mean step rose, and it is open", "3+", "do-not-merge", 3, "do-not-merge", 3, alike(100), stalled(10000, func(run int) bool { return run == 1 }, 15), 3, 0,
		"inconclusive", "The mean step rose from 100 to 156 ms, because one step of run 2 of the candidate took "},
	{"the mean step fell, and it is open", "any", "merge-if", 0, "merge-if", 0, stalled(10000, always, 15), alike(100), 1, 0,
		"inconclusive", "The mean step fell from 268 to 100 ms, because one step of the baseline took "},
	{"slower from a step on", "1", "do-not-merge", 3, "run-again", 4, alike(100), jumps(45, 109), 1, 0, "slower from step 46 on", "From step 46 on, steps take "},
	{"slower from a step on", "3+", "do-not-merge", 1, "do-not-merge", 1, alike(100), jumps(45, 109), 3, 0, "regressed", "From step 46 on, steps take "},
	{"faster from a step on", "any", "merge-if", 0, "merge-if", 0, alike(100), jumps(45, 91), 1, 0, "faster from step 46 on", "From step 46 on, steps take "},
	{"the baseline changed at a step", "any", "run-again", 0, "run-again", 4, jumps(45, 109), alike(100), 1, 0,
		"inconclusive", "The baseline itself got slower at step 46; the candidate matches the time before."},
	{"steps get slower as the run goes on", "any", "run-again", 0, "run-again", 4, alike(100), grows(12), 1, 0, "inconclusive", "Steps get slower as the run goes on"},
	{"another metric got worse", "1", "do-not-merge", 1, "run-again", 4, nil, nil, 0, 0, "regressed", "No change seen in the step as a whole; input wait regressed by 4."},
	{"looks slower, on other machines", "1", "record-alike", 3, "run-again", 4, nil, nil, 0, 0, "inconclusive", "Cannot tell yet: anything between "},
	{"cannot tell", "any", "run-again", 0, "run-again", 0, alike(100), alike(107), 3, .12, "inconclusive", "Cannot tell"},
	{"not comparable", "any", "record-alike", 3, "record-alike", 3, nil, nil, 0, 0, "not comparable", "No verdict: the sides differ in GPU SMs: 132 and 66."},
	{"not judged", "any", "record-again", 3, "record-again", 3, nil, nil, 0, 0, "not judged", "Too little is left to judge: the candidate was recorded without "},
}

// TestVerdictTable: help verdict has the table of what is advised, each of its rows is what the program says, and no advice
// disagrees with its exit status.
func TestVerdictTable(t *testing.T) {
	text, err := os.ReadFile(filepath.Join("topics", "verdict.md"))
	if err != nil {
		t.Fatal(err)
	}
	said := func(s string) string { return strings.ReplaceAll(s, "-", " ") }
	for _, l := range adviceTable {
		row := fmt.Sprintf("| %s | %s | %s, %d | %s, %d |\n", l.first, l.runs, said(l.advice), l.exit, said(l.escalated), l.escalatedExit)
		if !strings.Contains(string(text), row) {
			t.Errorf("help verdict lacks %s", row)
		}
		agree(t, l.first, l.advice, l.exit)
		agree(t, l.first, l.escalated, l.escalatedExit)
		t.Run(l.first+" "+l.runs, func(t *testing.T) {
			base, cand := l.sides(t)
			got, more := tell(t, base, cand), tell(t, base, cand, "--escalate")
			if got.exit != l.exit || got.Advice != l.advice || more.exit != l.escalatedExit || more.Advice != l.escalated {
				t.Errorf("got %d, %s; with --escalate %d, %s", got.exit, got.Advice, more.exit, more.Advice)
			}
			if got.Word != l.word || !strings.HasPrefix(got.Headline, l.headline) {
				t.Errorf("got %s: %s", got.Word, got.Headline)
			}
			if text, _ := mustRun(t, l.exit, base, cand); !strings.Contains(strings.Join(strings.Fields(plainSpaces(text)), " "), got.Next) {
				t.Errorf("the terminal lacks %q:\n%s", got.Next, text)
			}
		})
	}
}

// agree says where an advice and an exit status do not go together.
func agree(t *testing.T, what, advice string, exit int) {
	t.Helper()
	if advice == "do-not-merge" && exit == statusOK || strings.HasPrefix(advice, "merge") && exit != statusOK {
		t.Errorf("%s: %s with exit %d", what, advice, exit)
	}
}

// stallAt is statements that delay all that begins half a millisecond into a step of a story, and what
// is open then, by so much, as a host that sits in a call for that long.
func stallAt(step int, seconds float64) []string {
	var out []string
	at := "(select start + 500000 from stalled)"
	out = append(out, "drop table if exists stalled", fmt.Sprintf("create table stalled as select start from NVTX_EVENTS where text = 'step %d'", step))
	for _, table := range []string{"CUPTI_ACTIVITY_KIND_KERNEL", "CUPTI_ACTIVITY_KIND_MEMCPY", "CUPTI_ACTIVITY_KIND_RUNTIME", "CUPTI_ACTIVITY_KIND_SYNCHRONIZATION", "OSRT_API", "NVTX_EVENTS"} {
		by := fmt.Sprintf("%.0f", seconds*1e9)
		out = append(out, fmt.Sprintf("update %s set start = start + (start > %s) * %s, end = end + (end > %s) * %s where end is not null", table, at, by, at, by))
	}
	return append(out, "drop table stalled")
}

// TestStallsAreNoReason: where all steps take longer, stalled steps of the baseline are no reason for it.
func TestStallsAreNoReason(t *testing.T) {
	dir := t.TempDir()
	base := logs(t, filepath.Join(dir, "b"), 3, 0, stalled(1500, always, 8, 22, 36, 50))
	got := tell(t, base, logs(t, filepath.Join(dir, "c"), 3, 0, alike(300)))
	if !strings.Contains(got.Headline, "mean step rose") || strings.Contains(got.Headline, "because") {
		t.Errorf("got %s", got.Headline)
	}
}

// TestStallsNeverPass: a run with stalled steps does not pass, whatever they take, and says which
// they are.
func TestStallsNeverPass(t *testing.T) {
	dir := writeStory(t, "aa", synth.Nsight)
	base := filepath.Join(dir, "baseline")
	for _, tt := range []struct {
		seconds float64
		steps   []int
		says    string
	}{
		{.1, []int{15}, "from 29.0 to 32.5 ms, because one step of the candidate took 129 ms"},
		{.3, []int{15}, "from 29 to 39 ms, because one step of the candidate took 329 ms"},
		{1, []int{15}, "because one step of the candidate took 1"},
		{3, []int{15}, "from 29 to 133 ms, because one step of the candidate took 3"},
		{10, []int{15}, "from 29 to 374 ms, because one step of the candidate took "},
		{3, []int{12, 20}, "from 29 to 236 ms, because two steps of the candidate took up to 3"},
		{1, []int{9, 15, 22}, "from 29 to 133 ms, because three steps of the candidate took up to 1"},
		{.3, []int{6, 11, 17, 25}, "from 29 to 70 ms, because four steps of the candidate took up to 329 ms"},
	} {
		t.Run(fmt.Sprint(tt.seconds, tt.steps), func(t *testing.T) {
			t.Parallel()
			var statements []string
			for _, step := range tt.steps {
				statements = append(statements, stallAt(step, tt.seconds)...)
			}
			cand := withSQL(t, filepath.Join(dir, "candidate"), statements...)
			got, more, back := tell(t, base, cand), tell(t, base, cand, "--escalate"), tell(t, cand, base)
			if got.exit != statusRegressed && got.exit != statusNotJudged || more.exit != statusMoreRuns || got.Advice != "do-not-merge" ||
				(got.mean == "regressed") != (got.exit == statusRegressed) {
				t.Errorf("got exit %d, with --escalate %d, %s, the mean %s", got.exit, more.exit, got.Advice, got.mean)
			}
			if !strings.Contains(got.Headline, tt.says) || !strings.HasPrefix(got.Headline, "The mean step rose") || strings.Contains(got.Headline, "did not change") {
				t.Errorf("got %s", got.Headline)
			}
			if want := fmt.Sprintf("Step %d of the candidate took", tt.steps[len(tt.steps)-1]); len(tt.steps) == 1 && !strings.Contains(got.Say, want) {
				t.Errorf("got %s, want %q in it", got.Say, want)
			}
			if back.exit != statusOK || !strings.HasPrefix(back.Headline, "The mean step fell from") || back.Word == "passed" || back.Word == "unchanged" {
				t.Errorf("the other way round: got exit %d, %s: %s", back.exit, back.Word, back.Headline)
			}
		})
	}
}

// TestStallBesideStore: one run with two long steps beside a level of seven does not pass, and three such
// runs fail.
func TestStallBesideStore(t *testing.T) {
	p := newProject(t)
	for seed := range 7 {
		p.push(seed+1, 1)
	}
	stalled := func(seed int) string { return withSQL(t, p.run(seed, 1), append(stallAt(12, 3), stallAt(20, 3)...)...) }
	one, three, main := stalled(20), t.TempDir(), t.TempDir()
	for i := range 3 {
		for dir, run := range map[string]string{three: stalled(30 + i), main: p.run(40+i, 1)} {
			if err := os.Rename(run, filepath.Join(dir, fmt.Sprint("run", i))); err != nil {
				t.Fatal(err)
			}
		}
	}
	if got := tell(t, main, three); got.exit != statusRegressed || !strings.HasPrefix(got.Headline, "The mean step rose from") {
		t.Errorf("three runs per side: got exit %d, %s", got.exit, got.Headline)
	}
	for _, tt := range []struct {
		args []string
		want []int
	}{
		{[]string{one}, []int{statusNotJudged, statusRegressed}},
		{[]string{one, "--escalate"}, []int{statusMoreRuns}},
		{[]string{three}, []int{statusRegressed}},
		{[]string{three, "--escalate"}, []int{statusRegressed}},
	} {
		if got, out, _ := p.gate(tt.args[0], tt.args[1:]...); !slices.Contains(tt.want, got) || !strings.Contains(plainSpaces(out), "The mean step rose from") {
			t.Errorf("%v: got %d: %s", tt.args[1:], got, out)
		}
	}
}

// TestFasterButIdle: a step that takes less time passes, and says what got worse beside it; a policy that
// names that lets it fail.
func TestFasterButIdle(t *testing.T) {
	dir := golden.Case(t, "faster-but-idle")
	base, cand := filepath.Join(dir, "base"), filepath.Join(dir, "cand")
	got := tell(t, base, cand)
	if got.exit != statusOK || got.Word != "improved" || got.Headline != "Steps take 3.5 ms less (−17 %), although waiting for launched work to start takes 4.4 ms more. Idle time rose by 4.4 ms." || got.Next != "Merge, and look at idle time." {
		t.Errorf("got exit %d, %s: %s %s", got.exit, got.Word, got.Headline, got.Next)
	}
	if got := tell(t, base, cand, "--gate", "step_time,idle_time"); got.exit != statusRegressed || got.Headline != "Steps take 3.5 ms less (−17 %); idle time regressed by 4.4 ms." {
		t.Errorf("named: got exit %d: %s", got.exit, got.Headline)
	}
}

// TestThresholdAsPrinted: what improves by less than the threshold did not, as both are printed.
func TestThresholdAsPrinted(t *testing.T) {
	dir := t.TempDir()
	base := logs(t, filepath.Join(dir, "b"), 3, 0, alike(100))
	for _, tt := range []struct {
		ms        float64
		threshold string
		word      string
	}{
		{47, "54%", "inconclusive"}, {47, "90%", "inconclusive"}, {47, "50%", "improved"}, {95.2, "5%", "inconclusive"}, {94.5, "5%", "improved"}, {105.5, "5%", "regressed"},
	} {
		got := tell(t, base, logs(t, filepath.Join(dir, fmt.Sprint("c", tt.ms)), 3, 0, alike(tt.ms)), "--threshold", tt.threshold)
		if got.Verdict != tt.word && !(tt.word == "inconclusive" && got.Verdict == "unchanged") {
			t.Errorf("%g ms at %s: got %s: %s", tt.ms, tt.threshold, got.Verdict, got.Headline)
		}
	}
}

// TestLevelOnlyWarns: a change of level within one run passes with a warning where the policy says so.
func TestLevelOnlyWarns(t *testing.T) {
	dir := t.TempDir()
	base, cand := logs(t, filepath.Join(dir, "b"), 1, 0, alike(100)), logs(t, filepath.Join(dir, "cc"), 1, 0, jumps(45, 109))
	file := filepath.Join(dir, "policy.yaml")
	if err := os.WriteFile(file, []byte("metrics: {drift: {level: warn}}\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	got := tell(t, base, cand, "--policy", file)
	if got.exit != statusOK || got.Advice != "merge-if" || !strings.HasPrefix(got.Headline, "From step 46 on, steps take ") {
		t.Errorf("got exit %d, %s: %s", got.exit, got.Advice, got.Headline)
	}
}
