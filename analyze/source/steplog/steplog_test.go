package steplog

import (
	"bytes"
	"compress/gzip"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/klauspost/compress/zstd"

	"perfdiff/analyze/trace"
)

// read reads a log of the given lines.
func read(t *testing.T, name string, data []byte, columns ...string) (*trace.Trace, error) {
	t.Helper()
	path := filepath.Join(t.TempDir(), name)
	if err := os.WriteFile(path, data, 0o666); err != nil {
		t.Fatal(err)
	}
	ts, err := Read(t.Context(), path, withColumns(t, columns))
	if err != nil {
		return nil, err
	}
	return ts[0], nil
}

func withColumns(t *testing.T, names []string) *trace.Options {
	t.Helper()
	var columns []trace.StepColumn
	for _, n := range names {
		c, err := ParseColumn(n)
		if err != nil {
			t.Fatal(err)
		}
		columns = append(columns, c)
	}
	return &trace.Options{StepColumns: columns}
}

// step is a step in ms, as tests write it.
type step struct {
	number  int64
	ms      float64
	dropped string
}

func stepsIn(l *trace.Logged) (out []step) {
	for _, s := range l.Steps {
		out = append(out, step{s.Number, float64(s.Time) / 1e6, s.Dropped})
	}
	return out
}

const first, broken, restart = dropFirst, dropBroken, dropRestart

var formats = []struct {
	name    string
	lines   []string
	columns []string
	want    []step
	of      string
	every   int
}{
	{"Megatron-LM", []string{
		"using world size: 8, data-parallel size: 8",
		" [2024-05-01 12:00:10] iteration       10/     100 | consumed samples:          160 | elapsed time per iteration (ms): 1534.5 | throughput per GPU (TFLOP/s/GPU): 150.0 | learning rate: 1.5E-04 |",
		" [2024-05-01 12:00:20] iteration       20/     100 | consumed samples:          320 | elapsed time per iteration (ms): 1000.5 | learning rate: 1.5E-04 |",
		" validation loss at iteration 20 | lm loss value: 2.1E+00 | lm loss PPL: 8.1E+00 |",
		"  successfully saved checkpoint from iteration      20 to /ckpt",
		" [2024-05-01 12:00:30] iteration       30/     100 | consumed samples:          480 | elapsed time per iteration (ms): 1002.0 | learning rate: 1.5E-04 |",
	}, nil, []step{{10, 1534.5, first}, {20, 1000.5, ""}, {30, 1002, ""}}, "elapsed time per iteration (ms)", 10},
	{"NeMo 2", []string{
		"[NeMo I 2025-01-01 00:00:00 nemo_logger:145] Experiments will be logged",
		"Training epoch 0, iteration 0/249 | lr: 1.961e-06 | global_batch_size: 8 | global_step: 0 | reduced_train_loss: 1.315 | train_step_timing in s: 7.126",
		"Training epoch 0, iteration 1/249 | lr: 3.922e-06 | global_batch_size: 8 | global_step: 1 | reduced_train_loss: 1.653 | train_step_timing in s: 2.505 | consumed_samples: 16",
		"Validation: iteration 1/8",
		"Training epoch 1, iteration 0/249 | lr: 3.922e-06 | global_batch_size: 8 | global_step: 2 | reduced_train_loss: 1.6 | train_step_timing in s: 2.25 | consumed_samples: 24",
	}, nil, []step{{0, 7126, first}, {1, 2505, ""}, {2, 2250, ""}}, "train_step_timing in s", 0},
	{"NeMo 1, a bar", []string{
		"Epoch 0: :   1%|          | 1/100 [00:07<10:48, reduced_train_loss=10.90, global_step=0.000, consumed_samples=256.0, train_step_timing in s=7.130]\r" +
			"Epoch 0: :   2%|▏         | 2/100 [00:10<10:48, reduced_train_loss=10.80, global_step=1.000, consumed_samples=512.0, train_step_timing in s=3.130]\r" +
			"Epoch 0: :   3%|▎         | 3/100 [00:13<10:48, reduced_train_loss=10.70, global_step=2.000, consumed_samples=768.0, train_step_timing in s=3.140]",
	}, nil, []step{{1, 7130, first}, {2, 3130, ""}, {3, 3140, ""}}, "train_step_timing in s", 0},
	{"DeepSpeed", []string{
		"[2023-08-02 00:41:17,935] [INFO] [logging.py:96:log_dist] [Rank 0] step=10, skipped=0, lr=[0.0001], mom=[(0.9, 0.999)]",
		"[2023-08-02 00:41:17,936] [INFO] [timer.py:215:stop] epoch=0/micro_step=10/global_step=10, RunningAvgSamplesPerSec=220.6, CurrSamplesPerSec=222.8, MemAllocated=0.07GB",
		"steps: 10 loss: 5.1234 iter time (s): 0.812 samples/sec: 39.4",
		"steps: 20 loss: 4.1234 iter time (s): 0.512 samples/sec: 62.5",
		"steps: 30 loss: 3.1234 aux: 0.1000 iter time (s): 0.513 samples/sec: 62.4",
	}, nil, []step{{10, 812, first}, {20, 512, ""}, {30, 513, ""}}, "iter time (s)", 10},
	{"nanoGPT", []string{
		"step 0: train loss 10.9897, val loss 10.9898",
		"iter 0: loss 10.9886, time 52145.83ms, mfu -100.00%",
		"iter 1: loss 10.2, time 135.20ms, mfu 12.10%",
		"iter 2: loss 10.1, time 134.80ms, mfu 12.10%",
		"step 3: train loss 9.8, val loss 9.9",
		"saving checkpoint to out",
		"iter 3: loss 9.8, time 8145.83ms, mfu 11.00%",
		"iter 4: loss 9.7, time 135.00ms, mfu 12.00%",
	}, nil, []step{{0, 52145.83, broken}, {1, 135.2, ""}, {2, 134.8, ""}, {3, 8145.83, broken}, {4, 135, ""}}, "time of iter", 0},
	{"llm.c", []string{
		"step    1/18865 | loss 11.009373 (+nanz)| norm 15.3 (+nanz)| lr 8.57e-07 | 1339.12 ms | 55.2% bf16 MFU | 154600 tok/s",
		"val loss 10.9",
		"step    2/18865 | loss 11.009373 (+nanz)| norm 15.3 (+nanz)| lr 8.57e-07 | 339.12 ms | 55.2% bf16 MFU | 154600 tok/s",
		"step    3/18865 | loss 11.009373 (+nanz)| norm 15.3 (+nanz)| lr 8.57e-07 | 340.12 ms | 55.2% bf16 MFU | 154600 tok/s",
	}, nil, []step{{1, 1339.12, first}, {2, 339.12, ""}, {3, 340.12, ""}}, "ms of step", 0},
	{"build-nanogpt", []string{
		"validation loss: 10.9",
		"step     0 | loss: 10.95 | lr 8.39e-07 | norm: 15.3 | dt: 1339.12ms | tok/sec: 391000.0",
		"step     1 | loss: 10.9 | lr 8.39e-07 | norm: 15.3 | dt: 339.12ms | tok/sec: 1546000.0",
		"step     2 | loss: 10.9 | lr 8.39e-07 | norm: 15.3 | dt: 338.12ms | tok/sec: 1546000.0",
	}, nil, []step{{0, 1339.12, broken}, {1, 339.12, ""}, {2, 338.12, ""}}, "dt of step", 0},
	{"MLPerf", []string{
		`:::MLLOG {"namespace": "", "time_ms": 1721026606541, "event_type": "INTERVAL_START", "key": "run_start", "value": null, "metadata": {"file": "a.py", "lineno": 129}}`,
		`0: :::MLLOG {"namespace": "", "time_ms": 1721026606641, "event_type": "POINT_IN_TIME", "key": "tracked_stats", "value": {"train_step_time": 0.9, "reduced_train_loss": 3.1}, "metadata": {"file": "a.py", "lineno": 1, "step": 1}}`,
		`0: :::MLLOG {"namespace": "", "time_ms": 1721026606741, "event_type": "POINT_IN_TIME", "key": "tracked_stats", "value": {"train_step_time": 0.7}, "metadata": {"step": 2}}`,
		`0: :::MLLOG {"namespace": "", "time_ms": 1721026606742, "event_type": "POINT_IN_TIME", "key": "eval_accuracy", "value": 2.7, "metadata": {"step": 2}}`,
		`0: :::MLLOG {"namespace": "", "time_ms": 1721026606841, "event_type": "POINT_IN_TIME", "key": "tracked_stats", "value": {"train_step_time": 0.71}, "metadata": {"step": 3}}`,
	}, nil, []step{{1, 900, first}, {2, 700, ""}, {3, 710, ""}}, "value.train_step_time", 0},
	{"DLLogger", []string{
		`DLLL {"timestamp": "1707587931.7", "elapsedtime": "1750.2", "type": "LOG", "step": 16, "data": {"global_step": 16.0, "train_backward_timing in s": 4.6e-05, "train_step_timing in s": 9.25}}`,
		`DLLL {"timestamp": "1707587941.7", "elapsedtime": "1760.2", "type": "LOG", "step": 17, "data": {"global_step": 17.0, "train_step_timing in s": 2.25}}`,
	}, nil, []step{{16, 9250, first}, {17, 2250, ""}}, "data.train_step_timing in s", 0},
	{"Hugging Face, a bar", []string{
		"Map: 100%|██████████| 5000/5000 [00:01<00:00, 4321.00 examples/s]",
		"  0%|          | 0/30 [00:00<?, ?it/s]\r  3%|▎         | 1/30 [00:08<03:50,  8.00s/it]\r  7%|▋         | 2/30 [00:10<02:50,  2.00s/it]\r 10%|█         | 3/30 [00:12<02:30,  2.01s/it]",
		"{'loss': 0.5, 'grad_norm': 1.2, 'learning_rate': 5e-05, 'epoch': 0.1}",
		"  0%|          | 0/3 [00:00<?, ?it/s]\r 67%|██████▋   | 2/3 [00:01<00:00,  1.55it/s]",
		" 13%|█▎        | 4/30 [00:14<02:30,  2.02s/it]\r100%|██████████| 30/30 [03:24<00:00,  6.80s/it]",
	}, nil, []step{{1, 8000, first}, {2, 2000, ""}, {3, 2010, ""}, {4, 2020, ""}}, barName, 0},
	{"Lightning, a bar", []string{
		"Sanity Checking DataLoader 0: 100%|██████████| 2/2 [00:00<00:00, 20.00it/s]",
		"Epoch 0:  25%|██▌       | 1/4 [00:00<00:00,  2.00it/s, v_num=0]\rEpoch 0:  50%|█████     | 2/4 [00:00<00:00,  8.00it/s, v_num=0]",
		"Validation DataLoader 0:  50%|█████     | 1/2 [00:00<00:00, 90.00it/s]",
		"Epoch 1:  25%|██▌       | 1/4 [00:00<00:00,  8.00it/s, v_num=0]\rEpoch 1:  50%|█████     | 2/4 [00:00<00:00,  10.00it/s, v_num=0]",
	}, nil, []step{{1, 500, first}, {2, 125, ""}, {5, 125, ""}, {6, 100, ""}}, barName, 0},
	{"Lightning, ThroughputMonitor", []string{
		"epoch,step,train/batches,train/device/batches_per_sec,train/time,val_loss",
		"0,10,10,,20.0,",
		"0,20,20,1.0,30.0,",
		"0,20,,,,0.9",
		"0,30,30,1.0,40.5,",
	}, nil, []step{{20, 1000, first}, {30, 1050, ""}}, "train/time", 10},
	{"CSV", []string{
		"# written by train.py",
		"step,loss,step_time_ms,phase",
		"1,5.0,250.0,train",
		"2,4.0,100.0,train",
		"2,4.5,900.0,eval",
		"3,3.5,101.5,train",
	}, nil, []step{{1, 250, first}, {2, 100, ""}, {3, 101.5, ""}}, "step_time_ms", 0},
	{"CSV with semicolons, a quoted name and no numbers", []string{
		`"iteration time (s)";loss`, "0.5;1", "0.25;1", "0.26;1",
	}, nil, []step{{0, 500, first}, {1, 250, ""}, {2, 260, ""}}, "iteration time (s)", 0},
	{"CSV, counted anew in each epoch", []string{
		"epoch,batch,batch_time_ms", "0,0,500", "0,1,100", "1,0,101", "1,1,102", "2,0,103", "2,1,104",
	}, nil, []step{{0, 500, first}, {1, 100, ""}, {2, 101, ""}, {3, 102, ""}, {4, 103, ""}, {5, 104, ""}}, "batch_time_ms", 0},
	{"CSV, epochs and steps of the job", []string{
		"epoch,step,step_time_ms", "0,10,500", "0,11,100", "1,12,101", "1,13,102",
	}, nil, []step{{10, 500, first}, {11, 100, ""}, {12, 101, ""}, {13, 102, ""}}, "step_time_ms", 0},
	{"CSV by name", []string{
		"it\twall", "1\t2000", "2\t1000", "3\t1001",
	}, []string{"wall:us"}, []step{{1, 2, first}, {2, 1, ""}, {3, 1.001, ""}}, "wall", 0},
	{"JSON lines", []string{
		`{"event": "start", "world_size": 8}`,
		`{"global_step": 5, "train": {"step_time_s": 0.5}, "loss": 3}`,
		`{"global_step": 6, "train": {"step_time_s": 0.25}, "loss": 3}`,
		`{"global_step": 6, "train": {"step_time_s": 0.95}, "split": "validation"}`,
		`{"global_step": 7, "train": {"step_time_s": 0.26}, "loss": 3}`,
	}, nil, []step{{5, 500, first}, {6, 250, ""}, {7, 260, ""}}, "train.step_time_s", 0},
	{"JSON lines by name", []string{
		`{"step": 1, "wall": "0.5"}`, `{"step": 2, "wall": "0.25"}`,
	}, []string{"wall:s"}, []step{{1, 500, first}, {2, 250, ""}}, "wall", 0},
	{"any text by name", []string{
		"Step 1 | loss=3.1 | fwd_bwd=0.5s", "validation: step 1 fwd_bwd=9s", "Step 2 | loss=3.0 | fwd_bwd=250 ms", "{'iter': 3, 'fwd_bwd': 0.26s}",
	}, []string{"fwd_bwd"}, []step{{1, 500, first}, {2, 250, ""}, {3, 260, ""}}, "fwd_bwd", 0},
	{"torchtitan by time stamps", []string{
		"[rank0]:[titan] 2025-02-02 10:11:00,000 - root - INFO - Training starts at step 1",
		"[rank0]:[titan] 2025-02-02 10:11:12,000 - root - INFO - \x1b[36mstep: 10  \x1b[32mloss:  8.0  \x1b[38;2;54;234;195mtps: 1,234",
		"[rank0]:[titan] 2025-02-02 10:11:22,000 - root - INFO - \x1b[36mstep: 20  \x1b[32mloss:  7.0  tps: 1,234",
		"[rank0]:[titan] 2025-02-02 10:11:23,000 - root - INFO - Saving the checkpoint (or staging if async is enabled).",
		"[rank0]:[titan] 2025-02-02 10:11:42,000 - root - INFO - step: 30  loss:  6.0  tps: 1,234",
		"[rank0]:[titan] 2025-02-02 10:11:52,100 - root - INFO - step: 40  loss:  6.0  tps: 1,234",
	}, []string{Timestamps}, []step{{10, 12000. / 9, first}, {20, 1000, ""}, {30, 2000, broken}, {40, 1010, ""}}, Timestamps, 10},
}

func TestFormats(t *testing.T) {
	for _, f := range formats {
		tr, err := read(t, "train.log", []byte(strings.Join(f.lines, "\n")+"\n"), f.columns...)
		if err != nil {
			t.Errorf("%s: %v", f.name, err)
			continue
		}
		got := stepsIn(tr.Logged)
		same := slices.EqualFunc(got, f.want, func(a, b step) bool {
			return a.number == b.number && a.dropped == b.dropped && a.ms-b.ms < 1e-5 && b.ms-a.ms < 1e-5
		})
		if !same || tr.Logged.Name != f.of || tr.Logged.Every != f.every {
			t.Errorf("%s: got %v, of %q, every %d; want %v, of %q, every %d", f.name, got, tr.Logged.Name, tr.Logged.Every, f.want, f.of, f.every)
		}
	}
}

// TestFound looks for every format, plain and compressed, behind a long start.
func TestFound(t *testing.T) {
	noise := strings.Repeat("host:1:1 [0] NCCL INFO Channel 00/16 : 0 1 2 3 4 5 6 7\n", 5000)
	for _, f := range formats {
		text := []byte(strings.Join(f.lines, "\n") + "\n")
		if !strings.Contains(f.name, "CSV") && !strings.Contains(f.name, "Monitor") {
			text = append([]byte(noise), text...)
		}
		for name, data := range map[string][]byte{"a.log": text, "a.log.gz": gzipped(t, text), "a.log.zst": zipped(t, text)} {
			path := filepath.Join(t.TempDir(), name)
			if err := os.WriteFile(path, data, 0o666); err != nil {
				t.Fatal(err)
			}
			if found, _ := Find(t.Context(), path, withColumns(t, f.columns)); !found {
				t.Errorf("%s as %s: not found", f.name, name)
			}
			if _, err := Read(t.Context(), path, withColumns(t, f.columns)); err != nil {
				t.Errorf("%s as %s: %v", f.name, name, err)
			}
		}
	}
	for _, other := range []string{"", "a: 1\nb: 2\n", "epoch,loss\n1,2\n", `{"traceEvents": []}`, "<!doctype html>", "numpy==1.24.2\ntorch==2.1\n", "\x00\x01\x02"} {
		path := filepath.Join(t.TempDir(), "other.txt")
		if err := os.WriteFile(path, []byte(other), 0o666); err != nil {
			t.Fatal(err)
		}
		if found, _ := Find(t.Context(), path, nil); found {
			t.Errorf("%q is taken for a log of steps", other)
		}
	}
}

func gzipped(t *testing.T, data []byte) []byte {
	t.Helper()
	var out bytes.Buffer
	w := gzip.NewWriter(&out)
	if _, err := w.Write(data); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}

func zipped(t *testing.T, data []byte) []byte {
	t.Helper()
	w, err := zstd.NewWriter(nil)
	if err != nil {
		t.Fatal(err)
	}
	return w.EncodeAll(data, nil)
}

// megatron is a line of Megatron-LM.
func megatron(step int, ms float64) string {
	return fmt.Sprintf(" iteration %8d/     100 | elapsed time per iteration (ms): %.1f | loss: 1 |\n", step, ms)
}

// TestOddLogs: what happens to logs between the program and the file.
func TestOddLogs(t *testing.T) {
	a, b, c, d := megatron(1, 900), megatron(2, 100), megatron(3, 102), megatron(4, 104)
	on := func(rank int, s string) string { return fmt.Sprintf("[rank%d]:%s", rank, s) }
	want := []step{{1, 900, first}, {2, 100, ""}, {3, 102, ""}, {4, 104, ""}}
	for _, x := range []struct {
		name, text string
		want       []step
		warn       string
	}{
		{"plain", a + b + c + d, want, ""},
		{"line ends of Windows", strings.ReplaceAll(a+b+c+d, "\n", "\r\n"), want, ""},
		{"colours", "\x1b[32m" + a + "\x1b[0m\x1b[1;31m" + b + c + "\x1b[0m" + d, want, ""},
		{"cut in the last line", a + b + c + d + megatron(5, 10)[:60], want, ""},
		{"two marked ranks", on(0, a) + on(1, a) + on(1, b) + on(0, b) + on(0, c) + on(0, d) + on(1, c) + on(1, d), want, ""},
		{"two marked ranks that differ", on(0, a) + on(1, a) + on(1, megatron(2, 110)) + on(0, b) + on(0, c) + on(0, d),
			[]step{{1, 900, first}, {2, 105, ""}, {3, 102, ""}, {4, 104, ""}}, ""},
		{"srun's marks", "0: " + a + "1: " + a + "1: " + b + "0: " + b + "0: " + c + "0: " + d, want, ""},
		{"two ranks, unmarked", a + a + b + b + c + c + d + d, want, ""},
		{"two ranks, unmarked and interleaved", a + b + a + c + b + c + d + d, want, ""},
		{"a character cut in two by another rank", a + "\xe2\x96" + b + c + "\x88" + d, want, ""},
		{"a restart", a + b + c + d + megatron(3, 800) + megatron(4, 106) + megatron(5, 108) + megatron(6, 100) + megatron(7, 100),
			[]step{{1, 900, first}, {2, 100, ""}, {3, 800, restart}, {4, 106, ""}, {5, 108, ""}, {6, 100, ""}, {7, 100, ""}}, "2 steps were run again"},
		{"steps of no length", a + megatron(2, 0) + b + c + d, want, "1 step times are zero"},
	} {
		tr, err := read(t, "odd.log", []byte(x.text))
		if err != nil {
			t.Errorf("%s: %v", x.name, err)
			continue
		}
		if got := stepsIn(tr.Logged); !slices.Equal(got, x.want) {
			t.Errorf("%s: got %v, want %v", x.name, got, x.want)
		}
		warned := slices.ContainsFunc(tr.Warnings, func(w trace.Warning) bool { return strings.Contains(w.Text, x.warn) })
		if (x.warn != "") != (len(tr.Warnings) > 0) || x.warn != "" && !warned {
			t.Errorf("%s: got warnings %v, want one of %q", x.name, tr.Warnings, x.warn)
		}
	}
}

func TestErrors(t *testing.T) {
	titan := "[rank0]:2025-02-02 10:11:12,000 - root - INFO - step: 10  loss: 8.0  tps: 1,234\n"
	coarse := "2025-02-02 10:11:12 step 1\n2025-02-02 10:11:14 step 2\n2025-02-02 10:11:16 step 3\n"
	for _, x := range []struct{ name, text, columns, want string }{
		{"two lines", titan + titan, "", "2 lines, none with a step time"},
		{"a rate as a time", strings.Repeat(titan, 8), "tps:s", "\"tps\" is a rate by its name, and no time"},
		{"no unit", "step,step_time\n1,2\n", "", `"step_time" states no unit (say which, as in --step-column 'step_time:ms'`},
		{"no unit in JSON", "{\"step\": 1, \"step_time\": 2}\n", "", `"step_time" states no unit`},
		{"no step time", "a\nb\nc\n", "", "3 lines, none with a step time (what is read: perfdiff help logs; or name the column"},
		{"another column", "step,loss\n1,2\n", "wall:s", `2 lines, none with a number of "wall"; it has step, loss (name what holds`},
		{"asked without a unit", "step,wall\n1,2\n", "wall", `"wall" states no unit`},
		{"coarse time stamps", coarse, Timestamps, "whole multiples of 1s, which is more than 2 %"},
		{"a single time stamp", titan, Timestamps, "only one of them with a time"},
	} {
		var columns []string
		if x.columns != "" {
			columns = []string{x.columns}
		}
		if _, err := read(t, "x.log", []byte(x.text), columns...); err == nil || !strings.HasPrefix(err.Error(), "x.log: ") || !strings.Contains(err.Error(), x.want) {
			t.Errorf("%s: got %v, want %s", x.name, err, x.want)
		}
	}
	text := []byte(strings.Repeat(megatron(1, 900)+megatron(2, 100), 2000))
	tr, err := read(t, "cut.log.gz", gzipped(t, text)[:400])
	if err != nil || len(tr.Warnings) == 0 || !strings.Contains(tr.Warnings[0].Text, "the file is cut behind") {
		t.Errorf("cut gzip: got %v, %v; want a warning", tr, err)
	}
}

func TestUnits(t *testing.T) {
	for name, want := range map[string]float64{
		"step_time_ms": 1e6, "step_time_s": 1e9, "iteration time (s)": 1e9, "train_step_timing in s": 1e9, "step_time_seconds": 1e9,
		"time_per_step[us]": 1e3, "ms_per_step": 1e6, "s/iter": 1e9, "step_time": 0, "dt": 0, "steps": 0, "iter_time_msec": 1e6,
		"elapsed time per iteration (ms)": 1e6, "batch_time_ns": 1,
	} {
		if got := unitOfName(name); got != want {
			t.Errorf("unit of %q: got %v, want %v", name, got, want)
		}
		if name != "steps" && !isStepTime(name) {
			t.Errorf("%q is not taken for a step time", name)
		}
	}
	for _, name := range []string{"loss", "step", "time", "avg_step_time_ms", "data_time_ms", "eval_step_time_s", "max_steps", "step_time_std", "timestamp", "runtime_s"} {
		if isStepTime(name) {
			t.Errorf("%q is taken for a step time", name)
		}
	}
}

// check reads any text, plain and by name, and fails where what comes of it are no steps.
func check(t *testing.T, s string) {
	t.Helper()
	for _, columns := range [][]trace.StepColumn{nil, {{Name: "step_time", Unit: 1e6}}, {{Name: Timestamps}}} {
		g := newGathering(columns)
		for part := range strings.SplitSeq(s, "\n") {
			if l := cleaned(part); l.text != "" {
				g.line(l)
			}
		}
		l, why := g.logged()
		if (l == nil) == (why == "") {
			t.Fatalf("%q: got %v and %q", s, l, why)
		}
		for i := 0; l != nil && i < len(l.Steps); i++ {
			if i > 0 && l.Steps[i].Number <= l.Steps[i-1].Number || l.Steps[i].Time <= 0 || l.Steps[i].Time > longestStep {
				t.Fatalf("%q: got steps %v", s, l.Steps)
			}
		}
	}
}

// TestMutated changes bytes, puts numbers between them and cuts pieces out.
func TestMutated(t *testing.T) {
	g := rand.New(rand.NewPCG(1, 2))
	for range 2000 {
		b := []byte(strings.Join(formats[g.IntN(len(formats))].lines, "\n") + "\n")
		for range 1 + g.IntN(8) {
			switch i := g.IntN(len(b)); g.IntN(3) {
			case 0:
				b[i] = byte(g.IntN(256))
			case 1:
				b = slices.Insert(b, i, []byte(strconv.FormatUint(g.Uint64(), 10))...)
			default:
				b = append(slices.Delete(b, i, i+g.IntN(len(b)-i)), '\n')
			}
		}
		check(t, string(b))
	}
}

// slow bounds how long a text of a fuzz target may take. Chosen, not measured: such texts are some kB, which take ms.
const slow = 10 * time.Second

// FuzzLines reads any text, in time. Most of what go test -fuzz does here by itself is to shorten inputs:
// -fuzzminimizetime 1x tries 300 a second instead of none.
func FuzzLines(f *testing.F) {
	for _, x := range formats {
		f.Add(strings.Join(x.lines, "\n") + "\n")
	}
	f.Fuzz(func(t *testing.T, s string) {
		late := time.AfterFunc(slow, func() { panic(fmt.Sprintf("%d bytes took longer than %v: %.400q", len(s), slow, s)) })
		check(t, s)
		late.Stop()
	})
}

// TestStride: a line says the mean of as many steps as numbers mostly go on by, of two alike the fewer.
func TestStride(t *testing.T) {
	for _, c := range []struct {
		numbers []int64
		want    int
	}{{[]int64{4}, 0}, {[]int64{1, 2, 3, 13}, 0}, {[]int64{10, 20, 30, 31}, 10}, {[]int64{0, 2, 5}, 2}, {[]int64{0, 3, 5}, 2}} {
		var steps []trace.LoggedStep
		for _, n := range c.numbers {
			steps = append(steps, trace.LoggedStep{Number: n})
		}
		if got := stride(steps); got != c.want {
			t.Errorf("%v: got %d, want %d", c.numbers, got, c.want)
		}
	}
}

// TestWholeNumber: a number of a step is whole and no larger than a float can tell apart.
func TestWholeNumber(t *testing.T) {
	for s, want := range map[string]int64{"12": 12, "0": 0, "12.0": 12, "1e3": 1000, "12.5": -1, "-3": -1, "-3.0": -1, "x": -1, "": -1,
		"9007199254740991": 1<<53 - 1, "9007199254740992": -1, "9007199254740992.0": -1, "NaN": -1} {
		if got := wholeNumber(s); got != want {
			t.Errorf("%q: got %d, want %d", s, got, want)
		}
	}
}
