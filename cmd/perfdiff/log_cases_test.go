package main

import (
	"bytes"
	"fmt"
	"math"
	"path/filepath"
	"strings"
	"testing"

	"perfdiff/analyze"
	"perfdiff/analyze/order"
	measured "perfdiff/analyze/run"
	"perfdiff/analyze/source/steplog"
	"perfdiff/golden"
)

// logCase is a pair of logs of the cases, with what is true of them. The cases lie beside the project.
type logCase struct {
	name, column string
	ms           float64 // the median of a step of the baseline; 0: it has no verdict
	percent      float64 // by how much the candidate is slower
	as           string  // part of what was taken, or of why nothing was
}

var logCases = []logCase{
	{"cumulative-clock", "", 100, 10, "differences of train_time"},
	{"cumulative-clock", "train_time:ms", 100, 10, "differences of train_time"},
	{"cumulative-clock", "step_avg:ms", 100, 10, "steps behind the running mean step_avg"},
	{"cumulative-csv", "", 100, 10, "differences of elapsed_s"},
	{"cumulative-csv", "elapsed_s", 100, 10, "differences of elapsed_s"},
	{"throughput-slash", "", 111, 12.5, "1,000 tokens / tokens/s"},
	{"throughput-slash", "tokens/s", 111, 12.5, "1,000 tokens / tokens/s"},
	{"throughput-slash", "tokens/s:s", 0, 0, `"tokens/s" is a rate by its name, and no time`},
	{"throughput-7-runs", "throughput_req_s", 15.93, 10.0, "1 request / throughput_req_s"},
	{"throughput-as-time", "throughput_req_s", 15.93, 8.6, "1 request / throughput_req_s"},
	{"thousands", "", 1946, 10.3, "step_time_ms"},
	{"thousands", "step_time_ms", 1946, 10.3, "step_time_ms"},
	{"coarse-seconds", "", 0, 0, "its last digit is 1s: changes below 100 % cannot be seen"},
	{"coarse-seconds", "step_time_s", 0, 0, "its last digit is 1s: changes below 100 % cannot be seen"},
	{"val-line-is-no-restart", "", 100, 10, "step_ms"},
	{"val-line-is-no-restart", "step_ms", 100, 10, "step_ms"},
	{"mlperf-throughput", "", 3712, -12.9, "items of a step / value.throughput"},
	{"log-formats/detectron2", "", 250, 5, "last_time"},
	{"log-formats/dsbreak", "", 250. / 32, 5, "1 sample / CurrSamplesPerSec"},
	{"log-formats/fairseq", "", 250, 5, "1 / ups"},
	{"log-formats/imagenet", "", 250, 5, "Time"},
	{"log-formats/keras", "", 250, 5, "ms/step"},
	{"log-formats/litgpt", "", 250, 5, "iter time"},
	{"log-formats/llmfoundry", "", 250, 5, "1 / Train throughput/batches_per_sec"},
	{"log-formats/maxtext", "", 250, 5, "seconds"},
	{"log-formats/mmengine", "", 250, 5, "time"},
	{"log-formats/modded", "", 250, 5, "differences of train_time"},
	{"log-formats/olmo", "", 250, 5, "1 / throughput/device/batches_per_second"},
	{"log-formats/oobleck-verl", "", 250, 5, "timing_s/step"},
	{"log-formats/paddle", "", 250, 5, "1 / interval_steps_per_second"},
	{"log-formats/timm", "", 250, 5, "Time"},
	{"log-formats/torchtitan10", "", 250. / 8.192, 5, "1,000 tokens / tps"},
	{"log-formats/torchtune", "", 250. / 8.192, 5, "1,000 tokens / tokens_per_second_per_gpu"},
	{"log-formats/torchvision", "", 250, 5, "time"},
	{"log-formats/yolo", "", 250, 5, "1 / it/s"},
}

// TestLogCases: each log of the cases is read as what it is, both ways, or refused with the reason.
func TestLogCases(t *testing.T) {
	dir := golden.Case(t, "")
	for _, c := range logCases {
		base, cand := filepath.Join(dir, c.name, "base"), filepath.Join(dir, c.name, "cand")
		var more []string
		var opt analyze.Options
		if c.column != "" {
			column, err := steplog.ParseColumn(c.column)
			if err != nil {
				t.Fatal(err)
			}
			more, opt.StepColumns = []string{"--step-column", c.column}, append(opt.StepColumns, column)
		}
		if c.ms == 0 {
			for _, sides := range [][]string{{base, cand}, {cand, base}} {
				if _, stderr := mustRun(t, statusError, append(sides, more...)...); !strings.Contains(stderr, c.as) {
					t.Errorf("%s %s: got %s, want %s", c.name, c.column, stderr, c.as)
				}
			}
			continue
		}
		for k, side := range []string{base, cand} {
			set, err := analyze.Load(t.Context(), side, opt)
			if err != nil {
				t.Errorf("%s %s: %v", c.name, c.column, err)
				break
			}
			want := c.ms * (1 + float64(k)*c.percent/100)
			for i := range set.Runs {
				r := &set.Runs[i].Ranks[0]
				got := order.Median(r.Values(measured.Key{Metric: measured.StepTime})) * 1e3
				if by := r.Receipts[0].By.Name; by != c.as || math.Abs(got/want-1) > 0.015 {
					t.Errorf("%s %s, %s, run %d: got %.4g ms by %q, want %.4g ms by %q", c.name, c.column, filepath.Base(side), i, got, by, want, c.as)
				}
			}
		}
		for k, sides := range [][]string{{base, cand}, {cand, base}} {
			status := statusRegressed
			if (c.percent < 0) != (k == 1) {
				status = statusOK
			}
			var stdout, stderr bytes.Buffer
			if got := run(t.Context(), append(append(sides, "-q"), more...), &stdout, &stderr); got != status {
				t.Errorf("%s %s, way %d: got status %d, want %d: %s", c.name, c.column, k, got, status, fmt.Sprint(stdout.String(), stderr.String()))
			}
		}
	}
}

// TestLogCaseVerdicts: what the first lines say of cases that are no plain change, both ways.
func TestLogCaseVerdicts(t *testing.T) {
	dir := golden.Case(t, "")
	for _, c := range []struct {
		name, column string
		status       [2]int
		want         [2]string
	}{
		{"batch-size-differs", "", [2]int{statusNotJudged, statusNotJudged}, [2]string{"NOT COMPARABLE No verdict: a step takes 256 samples, and 128 in the baseline; per sample it takes 5.00 % less.",
			"NOT COMPARABLE No verdict: a step takes 128 samples, and 256 in the baseline; per sample it takes 5.26 % longer."}},
		{"batch-size-differs-nemo", "", [2]int{statusNotJudged, statusNotJudged}, [2]string{"a step takes 256 samples, and 128 in the baseline", "a step takes 128 samples, and 256 in the baseline"}},
		{"ten-steps-a-line", "timestamps", [2]int{statusOK, statusOK}, [2]string{"LOOKS SLOWER Steps took 142 ms longer (+10 %), but runs", "LOOKS FASTER Steps took 142 ms less (-9.1 %), but runs"}},
		{"ten-steps-a-line", "timestamps", [2]int{statusOK, statusOK}, [2]string{"1 run of 1 rank × 80 steps per side", "1 run of 1 rank × 80 steps per side"}},
		{"many-runs-small-change", "", [2]int{statusOK, statusOK}, [2]string{"by less than the limit: -1.9 % to -1.5 % (95 % interval between runs; limit 2 %) Based on 14 and 7 runs of 1 rank × 199 steps per side; runs differ by 0.22 %",
			"by less than the limit: +1.5 % to +2.0 % (95 % interval between runs; limit 2 %) Based on 7 and 14 runs of 1 rank × 199 steps per side; runs differ by 0.22 %"}},
	} {
		sides := []string{filepath.Join(dir, c.name, "base"), filepath.Join(dir, c.name, "cand")}
		for k, want := range c.want {
			args := []string{sides[k], sides[1-k]}
			if c.column != "" {
				args = append(args, "--step-column", c.column)
			}
			stdout, _ := mustRun(t, c.status[k], append(args, "--table")...)
			text := strings.Join(strings.Fields(strings.NewReplacer("\u00a0", " ", "\u2212", "-").Replace(stdout)), " ")
			if !strings.Contains(text, want) {
				t.Errorf("%s, way %d: got %s, want %s", c.name, k, stdout, want)
			}
		}
	}
}

// TestUnknownLogs: of a directory of logs that no rule reads, the first is named, with what it holds and the flag that
// tells it; with the flag they are compared.
func TestUnknownLogs(t *testing.T) {
	sides := []string{t.TempDir(), t.TempDir()}
	for k, dir := range sides {
		for run := range 3 {
			var text strings.Builder
			for i := range 60 {
				ms := (40 + 4*float64(k)) * (1 + 0.001*float64((7*i+run)%11))
				fmt.Fprintf(&text, "step %d | loss 2.5 | step_time: %.2f | data_time: 0.001\n", i+1, ms)
			}
			writeFile(t, filepath.Join(dir, fmt.Sprintf("run%d.log", run)), text.String())
		}
	}
	_, stderr := mustRun(t, statusError, sides...)
	for _, want := range []string{"the first of 3: run0.log", `"step_time" states no unit: in ms a step takes 40.2ms, in s 40.2s`, "--step-column 'step_time:ms'"} {
		if !strings.Contains(stderr, want) {
			t.Errorf("got %s, want %s", stderr, want)
		}
	}
	mustRun(t, statusRegressed, append(sides, "--step-column", "step_time:ms")...)
}

// TestLogsOfNoTime: of a directory of logs without a time of any kind the first is named, with what its lines hold.
func TestLogsOfNoTime(t *testing.T) {
	for name, c := range map[string]struct{ head, line, want string }{
		"run0.log":    {"", "step %d | loss 2.5", "the first of 2: run0.log: not a profile that perfdiff reads: a text file, 40 lines, none with a step time; its lines say step, loss ("},
		"metrics.csv": {"epoch,step,train_loss\n", "0,%d,2.5", "the first of 2: metrics.csv: not a profile that perfdiff reads: a CSV table, 41 lines, none with a step time; it has epoch, step, train_loss ("},
	} {
		dir := t.TempDir()
		var text strings.Builder
		text.WriteString(c.head)
		for i := range 40 {
			fmt.Fprintf(&text, c.line+"\n", i)
		}
		writeFile(t, filepath.Join(dir, name), text.String())
		writeFile(t, filepath.Join(dir, "z"+name), text.String())
		if _, stderr := mustRun(t, statusError, dir, dir); !strings.Contains(stderr, c.want) {
			t.Errorf("got %s, want %s", stderr, c.want)
		}
	}
}

// TestFileCases: what the cases hold beside logs of steps: tables of collectives under launchers' marks, pointers of
// Git LFS, and a capture twice.
func TestFileCases(t *testing.T) {
	dir := golden.Case(t, "")
	for name, c := range map[string]struct {
		status int
		there  string // by how much the candidate is slower, and the baseline, where they change places
		back   string
	}{
		"nccl-tests-mpirun-tag": {statusNotJudged, "+20.0 %", "−16.7 %"},
		"nccl-tests-srun-label": {statusNotJudged, "+20.0 %", "−16.7 %"},
		"git-lfs-pointer":       {statusError, "rank0.sqlite: not a profile that perfdiff reads: a Git LFS pointer", "git lfs pull"},
		"json-and-gz":           {statusOK, "+10 %", "−9.1 %"},
	} {
		base, cand := filepath.Join(dir, name, "base"), filepath.Join(dir, name, "cand")
		for want, sides := range map[string][]string{c.there: {base, cand}, c.back: {cand, base}} {
			var stdout, stderr bytes.Buffer
			status := run(t.Context(), sides, &stdout, &stderr)
			text := flat(stdout.String() + stderr.String())
			if status != c.status || !strings.Contains(text, want) {
				t.Errorf("%s: got status %d, want %d and %q:\n%s", name, status, c.status, want, text)
			}
		}
	}
}
