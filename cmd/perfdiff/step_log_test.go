package main

import (
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"perfdiff/analyze"
	measured "perfdiff/analyze/run"
	"perfdiff/analyze/synth"
)

// writeLogs writes logs of Megatron-LM's of so many runs, whose steps take what of says, in ms, and which differ by
// about 1 %. It returns their directory.
func writeLogs(t *testing.T, runs int, of func(step int) float64) string {
	t.Helper()
	dir := t.TempDir()
	for k := range runs {
		var text strings.Builder
		random := rand.New(rand.NewPCG(uint64(k), math.Float64bits(of(20))))
		ofRun := 1 + 0.01*random.NormFloat64()
		text.WriteString("using world size: 8\n")
		for i := 1; i <= 60; i++ {
			noise := ofRun * (1 + 0.005*random.NormFloat64())
			fmt.Fprintf(&text, " iteration %8d/      60 | elapsed time per iteration (ms): %.3f | lm loss: 2.000 |\n", i, of(i)*noise)
		}
		if err := os.WriteFile(filepath.Join(dir, fmt.Sprintf("run%d.log", k)), []byte(text.String()), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

func takes(ms float64) func(int) float64 { return func(int) float64 { return ms } }

// TestLogsAlone: step times alone are compared, and gate.
func TestLogsAlone(t *testing.T) {
	base, same, slower := writeLogs(t, 5, takes(100)), writeLogs(t, 4, takes(100.2)), writeLogs(t, 5, takes(105))
	stdout, _ := mustRun(t, statusRegressed, base, slower, "--table")
	for _, want := range []string{"SLOWER  Steps take 5.0 ms longer (+5.0 %).", "5 runs of 1 rank", `log of "elapsed time per iteration (ms)": 60 found, 59 kept`} {
		if text := strings.Join(strings.Fields(stdout), " "); !strings.Contains(text, strings.Join(strings.Fields(want), " ")) {
			t.Errorf("got %s, want %s", stdout, want)
		}
	}
	if strings.Contains(stdout, "exposed_comm_time") {
		t.Errorf("a log has no communication, not even one that was not recorded: %s", stdout)
	}
	mustRun(t, statusOK, base, same)
	mustRun(t, statusOK, slower, base)
	mustRun(t, statusNotJudged, base, base) // the same files
	rank := t.TempDir()
	for k := range 2 {
		data, err := os.ReadFile(filepath.Join(slower, fmt.Sprintf("run%d.log", k)))
		if err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(rank, fmt.Sprintf("job_rank%d.log", k)), data, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if stdout, _ := mustRun(t, statusNotJudged, rank, rank, "--table"); !strings.Contains(stdout, "ranks 0-1") {
		t.Errorf("logs that are called ranks: got %s", stdout)
	}
}

// TestLogsHoldTheTruth: what is read of the log of any story is what its steps took, to the nanosecond.
func TestLogsHoldTheTruth(t *testing.T) {
	for _, name := range []string{"o-direct", "straggler-rank3", "step-log"} {
		dir, truth := writeEdited(t, name, synth.StepLog, strings.NewReplacer())
		for side, runs := range map[string][]synth.Run{"baseline": truth.Baseline, "candidate": truth.Candidate} {
			set, err := analyze.Load(t.Context(), filepath.Join(dir, side), analyze.Options{})
			if err != nil {
				t.Fatal(err)
			}
			if len(set.Runs) != len(runs) {
				t.Fatalf("%s, %s: got %d runs, want %d", name, side, len(set.Runs), len(runs))
			}
			for i := range runs {
				got, want := &set.Runs[i].Ranks[0], runs[i].Ranks[0].Steps
				times := got.Values(measured.Key{Metric: measured.StepTime})
				if len(times) != len(want) || len(set.Runs[i].Ranks) != 1 {
					t.Fatalf("%s, %s: got %d steps of %d ranks, want %d of 1", name, side, len(times), len(set.Runs[i].Ranks), len(want))
				}
				for j := range want {
					if got.Steps[j].Number != want[j].Number || math.Round(times[j]*1e9) != float64(want[j].Time) {
						t.Errorf("%s, %s: step %d takes %v s, want step %d of %d ns", name, side, got.Steps[j].Number, times[j], want[j].Number, want[j].Time)
					}
				}
			}
		}
	}
	dir, truth := writeEdited(t, "step-log", synth.StepLog, strings.NewReplacer())
	change := meanLog(truth.Candidate) - meanLog(truth.Baseline)
	if stdout, _ := mustRun(t, statusRegressed, dir+"/baseline", dir+"/candidate"); !strings.Contains(stdout, "Steps take 1.4 ms longer (+4.8 %)") || math.Abs(math.Expm1(change)-0.049) > 0.001 {
		t.Errorf("steps that take %.1f %% longer: got %s", 100*math.Expm1(change), stdout)
	}
}

// meanLog is the mean of the logs of all step times of some runs, but the first of each.
func meanLog(runs []synth.Run) float64 {
	sum, n := 0.0, 0
	for _, r := range runs {
		for _, s := range r.Ranks[0].Steps[1:] {
			sum, n = sum+math.Log(float64(s.Time)), n+1
		}
	}
	return sum / float64(n)
}

// TestLogsBesideProfiles: what a profiled run printed is no part of its run set, and a set of logs says nothing of one
// of profiles.
func TestLogsBesideProfiles(t *testing.T) {
	dir, logs := writeStory(t, "aa", synth.Nsight), writeLogs(t, 2, takes(100))
	before, _ := mustRun(t, statusOK, dir+"/baseline", dir+"/candidate")
	data, err := os.ReadFile(filepath.Join(logs, "run0.log"))
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, "baseline", "train.log"), data, 0o600); err != nil {
		t.Fatal(err)
	}
	if after, _ := mustRun(t, statusOK, dir+"/baseline", dir+"/candidate"); after != before {
		t.Errorf("with a log beside profiles: got %s, want %s", after, before)
	}
	if stdout, _ := mustRun(t, statusNotJudged, dir+"/candidate", logs); !strings.Contains(stdout, "a step is not the same unit of work on both sides") {
		t.Errorf("profiles against logs: got %s", stdout)
	}
}

// TestControl: runs without the profiler beside the story in which steps fall from 112 to 216 ms to 78.8 ms.
func TestControl(t *testing.T) {
	dir := writeStory(t, "o-direct", synth.Nsight)
	ramp := func(i int) float64 { return (112 + float64(i-11)*(216-112)/18) * (1 + .01*(float64(i*7%3)-1)) }
	before, after := writeLogs(t, 5, ramp), writeLogs(t, 5, takes(78.8))
	half, halfAfter := writeLogs(t, 5, func(i int) float64 { return ramp(i) / 2 }), writeLogs(t, 5, takes(39.4))
	for _, x := range []struct {
		name, base, cand string
		status           int
		want, not        []string
	}{
		{"they agree", before, after, statusOK, []string{"FASTER", "as 10 runs without the profiler do", "Without the profiler (5 runs per side) it changed by −53.3 % (−53.9 to −52.8 %)."}, []string{"Under the profiler"}},
		{"the profiler doubles the step", half, halfAfter, statusOK, []string{"FASTER", "a step of the baseline takes 2.0 times as long", "a step of the candidate takes 2.0 times as long, 78.8 ms instead of 39"}, nil},
		{"they say the opposite", after, before, statusNotJudged, []string{"No verdict: runs without the profiler say something else.", "which is another verdict"}, []string{"FASTER"}},
		{"one side", before, "", statusOK, []string{"FASTER", "as 5 runs without the profiler do"}, []string{"Without the profiler ("}},
		{"the same on both", before, before, statusOK, []string{"FASTER", "as 5 runs without the profiler do", "cannot be compared: both sides are the same files"}, nil},
	} {
		args := []string{dir + "/baseline", dir + "/candidate", "--baseline-logs", x.base}
		if x.cand != "" {
			args = append(args, "--candidate-logs", x.cand)
		}
		stdout, _ := mustRun(t, x.status, args...)
		text := strings.Join(strings.Fields(stdout), " ")
		for _, want := range x.want {
			if !strings.Contains(text, want) {
				t.Errorf("%s: got %s, want %q", x.name, stdout, want)
			}
		}
		for _, not := range x.not {
			if strings.Contains(text, not) {
				t.Errorf("%s: got %s, and must not say %q", x.name, stdout, not)
			}
		}
	}
	same, as, slower := writeStory(t, "aa", synth.Nsight), writeLogs(t, 5, takes(29)), writeLogs(t, 5, takes(30.2))
	stdout, _ := mustRun(t, statusRegressed, same+"/baseline", same+"/candidate", "--baseline-logs", as, "--candidate-logs", slower)
	text := strings.Join(strings.Fields(stdout), " ")
	for _, want := range []string{"SLOWER Steps take 4.0 % longer.", "Without the profiler the median step went from 29.04 to 29.96 ms.", "Slower? yes, by 2.3 to 5.7 %", "5 runs of 1 rank", "are of runs without the profiler (5 runs per side), which decide what the profiles leave open."} {
		if !strings.Contains(text, want) {
			t.Errorf("runs without the profiler decide: got %s, want %q", stdout, want)
		}
	}
	if _, stderr := mustRun(t, statusError, dir+"/baseline", dir+"/candidate", "--baseline-logs", dir+"/baseline"); !strings.Contains(stderr, "--baseline-logs: baseline: holds profiles") {
		t.Errorf("profiles as logs: got %s", stderr)
	}
}

// TestGoldenLogs holds what the manual says is read of logs to the golden table of steplog, which is made by reading
// each.
func TestGoldenLogs(t *testing.T) {
	table, err := os.ReadFile(filepath.Join(root, "analyze/source/steplog/testdata/formats.txt"))
	if err != nil {
		t.Fatal(err)
	}
	var list strings.Builder
	rows := strings.Split(strings.TrimSpace(string(table)), "\n")[1:]
	for _, row := range rows {
		cells := regexp.MustCompile(`\s{2,}`).Split(row, 6)
		if len(cells) != 6 || cells[2] != cells[3] && !strings.HasPrefix(cells[2], cells[3]) {
			t.Errorf("%q: the median is none by hand", row)
			continue
		}
		fmt.Fprintf(&list, "    %-26s %s\n", cells[0], cells[5])
	}
	holdDoc(t, topicFile("logs"), [][2]string{{"formats", "\n" + list.String() + "\n"}})
	text := strings.NewReplacer("`", "", "\n", " ").Replace(documents(t))
	if want := fmt.Sprintf("logs in %d layouts", len(rows)); strings.Count(text, want) < 3 {
		t.Errorf("README, record and logs do not all say %q", want)
	}
}

// TestAskedOfLogs: what is asked of steps and ranks is heeded by logs, or refused; what a project says of its profiles
// is left out with a word.
func TestAskedOfLogs(t *testing.T) {
	base, slower := writeLogs(t, 5, takes(100)), writeLogs(t, 5, takes(105))
	profiles := writeStory(t, "aa", synth.Nsight)
	dir := t.TempDir()
	project := filepath.Join(dir, "project.yaml")
	writeFile(t, project, "steps: {range: 'step (\\d+)', columns: ['elapsed time per iteration (ms)']}\nranks: 1-3\n")
	other := filepath.Join(dir, "other.yaml")
	writeFile(t, other, "steps: {columns: ['lm loss:s']}\n")
	store := filepath.Join(dir, "store")
	for _, x := range []struct {
		args   []string
		status int
		want   string
	}{
		{[]string{base, slower, "--step-range", "x"}, statusError, "baseline: run0.log: is a log, whose lines say what a step is"},
		{[]string{base, slower, "--step-kernel", "x"}, statusError, "name what holds the step times: --step-column NAME:UNIT"},
		{[]string{base, slower, "--ranks", "0"}, statusError, "baseline: run0.log: is the log of a whole run, of which --ranks can choose none"},
		{[]string{"steps", base, "--step-range", "x"}, statusError, "is a log"},
		{[]string{base, slower, "--policy", project}, statusRegressed, "the policy's steps and ranks are for profiles: logs are read without them"},
		{[]string{base, slower, "--policy", project, "--ranks", "1"}, statusError, "--ranks can choose none"},
		{[]string{base, slower, "--policy", project, "--step-range", "x"}, statusError, "is a log"},
		{[]string{base, slower, "--policy", other, "--table"}, statusOK, `log of "lm loss"`},
		{[]string{base, slower, "--policy", other, "--step-column", "elapsed time per iteration (ms)", "--table"}, statusRegressed, `log of "elapsed time`},
		{[]string{profiles + "/baseline", profiles + "/candidate", "--ranks", "1", "--step-range", `^step (\d+)$`, "--baseline-logs", base}, statusOK, "5 runs without the profiler"},
		{[]string{"gate", "--store", store, base, "--candidate-logs", slower}, statusError, "--candidate-logs: the runs of a store have no logs beside them"},
		{[]string{"gate", "--store", store, base, "--save", "--first", "pass"}, statusOK, "saved"},
		{[]string{"gate", "--store", store, slower}, statusRegressed, "SLOWER"},
	} {
		stdout, stderr := mustRun(t, x.status, x.args...)
		if text := strings.Join(strings.Fields(stdout+" "+stderr), " "); !strings.Contains(text, x.want) {
			t.Errorf("%v: got %s, want %q", x.args[2:], text, x.want)
		}
	}
}
