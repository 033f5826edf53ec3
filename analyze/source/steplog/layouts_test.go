package steplog

import (
	"fmt"
	"math"
	"regexp"
	"strings"
	"testing"

	"perfdiff/analyze/order"
)

// layout is a log that is read without a flag: how a program writes the time of a step. What help logs lists is made of
// the golden table of these.
type layout struct {
	program string
	every   int    // steps that a line is of
	head    string // lines before the first
	line    string // with the places of layout.at
	shown   string // what of it says the time
}

var layouts = []layout{
	{"Megatron-LM", 10, "", " [2026-03-01 TIME] iteration  STEP/    9000 | consumed samples:  320 | elapsed time per iteration (ms): MS | loss: 2.5 |", "elapsed time per iteration (ms): MS"},
	{"NeMo", 1, "", "Training epoch 0, iteration STEP/9000 | global_step: STEP | reduced_train_loss: 2.5 | train_step_timing in s: SEC", "train_step_timing in s: SEC"},
	{"DeepSpeed, pipelines", 10, "", "steps: STEP loss: 2.5 iter time (s): SEC samples/sec: SAMPLES", "iter time (s): SEC"},
	{"DeepSpeed", 10, "", "[2026-03-01 TIME,FRAC] [INFO] [timer.py:264:stop] epoch=0/micro_step=STEP/global_step=STEP, RunningAvgSamplesPerSec=MEANSPS, CurrSamplesPerSec=SAMPLES, MemAllocated=4.65GB", "CurrSamplesPerSec=SAMPLES"},
	{"nanoGPT", 1, "", "iter STEP: loss 2.5, time MSms, mfu 12.10%", "time MSms"},
	{"llm.c", 1, "", "step STEP/9000 | loss 2.5 (+nanz)| norm 1.3 (+nanz)| lr 8.57e-07 | MS ms | 55.2% bf16 MFU | TOKS tok/s", "| MS ms |"},
	{"build-nanogpt", 1, "", "step STEP | loss: 2.5 | lr 8.39e-07 | norm: 1.3 | dt: MSms | tok/sec: TOKF", "dt: MSms"},
	{"modded-nanogpt", 1, "", "step:STEP/9000 train_time:CLOCKMSms step_avg:MEANMSms", "train_time:CLOCKMSms"},
	{"torchtitan", 10, "", "[rank0]:[titan] 2026-03-01 TIME,FRAC - root - INFO - step: STEP  loss:  2.5  memory: 52.53GiB(66.33%)  tps: TOKS  mfu: 21.19%", "tps: TOKS"},
	{"torchtune", 1, "", "Step STEP | loss:2.1 lr:2e-05 tokens_per_second_per_gpu:TOKF peak_memory_active:13.5", "tokens_per_second_per_gpu:TOKF"},
	{"litgpt", 1, "", "Epoch 1 | iter STEP step STEP | loss train: 1.646, val: n/a | iter time: MS ms (step)", "iter time: MS ms"},
	{"MaxText", 1, "", "completed step: STEP, seconds: SEC, TFLOP/s/device: 392.640, Tokens/s/device: TOKF, loss: 8.765", "seconds: SEC"},
	{"OLMo", 1, "", "TIME\tINFO\t[step=STEP/9000]\n    train/CrossEntropyLoss=2.3\n    throughput/device/batches_per_second=RATE", "throughput/device/batches_per_second=RATE"},
	{"llm-foundry", 1, "", "[batch=STEP/9000]:\n\t Train time/batch: STEP\n\t Train throughput/batches_per_sec: RATE\n\t Train loss/train/total: 2.5", "Train throughput/batches_per_sec: RATE"},
	{"verl", 1, "", "step:STEP - timing_s/gen:0.1533 - timing_s/update_actor:0.0767 - timing_s/step:SEC - perf/throughput:TOKF", "timing_s/step:SEC"},
	{"PaddleNLP", 1, "", "[2026-03-01 TIME,FRAC] [    INFO] - loss: 10.5, global_step: STEP, interval_runtime: SEC, interval_samples_per_second: SAMPLES, interval_steps_per_second: RATE, epoch: 0.01", "interval_steps_per_second: RATE"},
	{"fairseq", 100, "", "2026-03-01 TIME | INFO | train_inner | epoch 144:    236 / 282 loss=3.126, wps=238234, ups=RATE, num_updates=STEP, lr=0.000157, train_wall=25, wall=CLOCKSEC", "ups=RATE"},
	{"OpenMMLab", 50, "", "2026/03/01 TIME - mmengine - INFO - Epoch(train)  [1][ STEP/9000]  lr: 2.1648e-06  eta: 8:27:55  time: SEC  data_time: 0.0334  loss: 59.1782", "time: SEC"},
	{"detectron2", 20, "", "[03/01 TIME d2.utils.events]:  eta: 5:56:07  iter: STEP  total_loss: 0.9507  time: MEANSEC  last_time: SEC  data_time: 0.0091  max_mem: 4212M", "last_time: SEC"},
	{"torchvision, DETR, MAE", 10, "", "[TIME.FRAC] Epoch: [0]  [STEP/9000]  eta: 0:01:55  lr: 0.000002  loss: 0.6255 (0.6492)  time: SEC  data: 0.0004  max mem: 20519", "time: SEC"},
	{"timm", 50, "", "Train: 0 [STEP/9000 ( 13%)]  Loss: 6.95 (6.94)  Time: SECs, SAMPLES/s  (MEANSECs,  MEANSPS/s)  LR: 1.000e-05  Data: 0.010 (0.017)", "Time: SECs"},
	{"PyTorch's ImageNet", 10, "", "Epoch: [0][STEP/9000]\tTime  SEC ( MEANSEC)\tData  0.001 ( 0.013)\tLoss 6.9e+00 (7.0e+00)", "Time  SEC"},
	{"Keras", 1, "", "Epoch STEP/200\n375/375 ━━━━━━━━━━━━━━━━━━━━ 94s MSms/step - accuracy: 0.9127 - loss: 0.3066", "MSms/step"},
	{"Ultralytics", 1, "", "      1/10      9.18G      1.178      2.233      1.296         43        640:   2%|██████    | STEP/9000 [00:06<01:00,  RATEit/s]", "RATEit/s"},
	{"Hugging Face, a bar", 1, "", "  3%|▎         | STEP/9000 [00:08<03:50,  SECs/it]", "SECs/it"},
	{"Lightning, a bar", 1, "", "Epoch 0:   3%|▎         | STEP/9000 [00:08<03:50,  RATEit/s, v_num=0]", "RATEit/s"},
	{"MLPerf, step times", 1, "", `:::MLLOG {"namespace": "", "time_ms": 1721026606641, "event_type": "POINT_IN_TIME", "key": "tracked_stats", "value": {"train_step_time": SEC}, "metadata": {"step": STEP}}`, `"train_step_time": SEC`},
	{"MLPerf, throughput", 1, `:::MLLOG {"namespace": "", "time_ms": 1721026606541, "event_type": "POINT_IN_TIME", "key": "global_batch_size", "value": 32, "metadata": {}}`,
		`:::MLLOG {"namespace": "", "time_ms": 1721026606641, "event_type": "POINT_IN_TIME", "key": "tracked_stats", "value": {"throughput": SAMPLES}, "metadata": {"step": MANY}}`, `"throughput": SAMPLES, with global_batch_size`},
	{"NVIDIA's DLLogger", 1, "", `DLLL {"timestamp": "1707587931.7", "type": "LOG", "step": STEP, "data": {"train_step_timing in s": SEC}}`, `"train_step_timing in s": SEC`},
	{"JSON lines", 1, "", `{"global_step": STEP, "train": {"step_time_s": SEC}, "loss": 3}`, `{"step_time_s": SEC}`},
	{"CSV", 1, "step,loss,step_time_ms", "STEP,2.5,MS", "a column such as step_time_ms, dt_s, tokens/s"},
	{"CSV with a clock", 1, "step,loss,elapsed_s", "STEP,2.5,CLOCKSEC", "a column such as elapsed_s"},
	{"Lightning's CSVLogger", 10, "epoch,step,train/step_time_s,train_loss,val_loss", "0,STEP,SEC,2.5,", "a column such as step_time_s; cells may be empty"},
	{"ThroughputMonitor", 10, "epoch,step,train/batches,train/device/batches_per_sec,train/time,val_loss", "0,STEP,STEP,,CLOCKSEC,", "train/time"},
	{"Weights & Biases, CSV", 10, "_runtime,_step,_timestamp,train/global_step,train/loss", "CLOCKSEC,NTH,STAMP,STEP,2.5", "a column such as train/step_time, else _runtime"},
	{"Weights & Biases, a chart", 10, `"Step","run-7 - train/step_time","run-7 - train/step_time__MIN","run-7 - train/step_time__MAX"`, `"STEP","SEC","SEC","SEC"`, `"run-7 - train/step_time", of one run`},
	{"TensorBoard, CSV", 10, "Wall time,Step,Value", "STAMP,STEP,2.5", "Wall time"},
	{"TensorBoard, tfevents", 10, "", "", "a tag such as train/step_time, else the time of writing"},
	{"trainer_state.json", 500, "", "", "a time in its entries, else train_runtime"},
}

// layoutLines is how many lines are written of a layout.
const layoutLines = 60

// msOf is what a step takes by the nth line.
func msOf(n int) float64 { return 250 * (1 + 0.004*float64((7*n)%11-5)) }

// at fills the places of a text as they are at the nth line.
func (l *layout) at(text string, n int) string {
	sum, ms, step := 5000.0, msOf(n), n*l.every // ms that the program runs, with its start
	for i := 1; i <= n; i++ {
		sum += msOf(i) * float64(l.every)
	}
	clock, mean := sum/1000, sum/float64(step)
	tokens := fmt.Sprintf("%.0f", 8192e3/ms)
	for places := []struct{ name, value string }{
		{"MEANSEC", fmt.Sprintf("%.4f", mean/1000)}, {"MEANSPS", fmt.Sprintf("%.4f", 32e3/mean)}, {"MEANMS", fmt.Sprintf("%.2f", mean)},
		{"CLOCKMS", fmt.Sprintf("%.0f", sum)}, {"CLOCKSEC", fmt.Sprintf("%.4f", clock)}, {"STAMP", fmt.Sprintf("%.4f", 1.7724e9+clock)},
		{"SAMPLES", fmt.Sprintf("%.4f", 32e3/ms)}, {"TOKS", thousands(tokens)}, {"TOKF", fmt.Sprintf("%.4f", 8192e3/ms)}, {"RATE", fmt.Sprintf("%.4f", 1e3/ms)},
		{"TIME", fmt.Sprintf("%02d:%02d:%02d", 10+int(clock)/3600, int(clock)/60%60, int(clock)%60)}, {"FRAC", fmt.Sprintf("%03d", int(clock*1000)%1000)},
		{"MANY", fmt.Sprint(32 * step)}, {"STEP", fmt.Sprint(step)}, {"NTH", fmt.Sprint(n)}, {"SEC", fmt.Sprintf("%.4f", ms/1000)}, {"MS", fmt.Sprintf("%.2f", ms)},
	}; len(places) > 0; places = places[1:] {
		text = strings.ReplaceAll(text, places[0].name, places[0].value)
	}
	return text
}

// text is a whole log.
func (l *layout) text() string {
	var b strings.Builder
	if l.head != "" {
		b.WriteString(l.head + "\n")
	}
	for n := 1; n <= layoutLines; n++ {
		b.WriteString(l.at(l.line, n) + "\n")
	}
	return b.String()
}

var ofItems = regexp.MustCompile(`TOK|SAMPLES`)

// TestLayouts: each layout is read without a flag, and the median of its steps is that of a hand count. The table is
// golden, and help logs is made of it.
func TestLayouts(t *testing.T) {
	var table strings.Builder
	fmt.Fprintf(&table, "%-26s  %5s  %11s  %11s  %-42s  %s\n", "program", "steps", "median, ms", "by hand, ms", "taken as", "of")
	for _, l := range layouts {
		tr, err := read(t, "train.log", []byte(l.text()))
		switch l.program {
		case "TensorBoard, tfevents":
			tr, err = readEvents(t, events(250, false, nil))
		case "trainer_state.json":
			tr, err = readState(t, state(map[string]any{"train_runtime": 125.0}, nil))
		}
		if err != nil {
			t.Errorf("%s: %v\n%s", l.program, err, l.at(l.line, 2))
			continue
		}
		got, kept := medianOf(tr.Logged)
		var all []float64
		for n := 2; n <= layoutLines; n++ {
			all = append(all, msOf(n))
		}
		want := order.Median(all)
		switch ofItems.FindString(l.shown) {
		case "TOK":
			want /= 8.192
		case "SAMPLES":
			if l.head == "" {
				want /= 32
			}
		}
		if l.line == "" {
			want = 250
		}
		if math.Abs(got/want-1) > 0.005 || kept < layoutLines-4 && l.program != "trainer_state.json" {
			t.Errorf("%s: got %.4g ms of %d steps by %q, want %.4g\n%s", l.program, got, kept, tr.Logged.Name, want, l.at(l.line, 2))
		}
		fmt.Fprintf(&table, "%-26s  %5d  %11.4g  %11.4g  %-42s  %s\n", l.program, kept, got, want, tr.Logged.Name, l.at(l.shown, 2))
	}
	golden(t, "testdata/formats.txt", table.String())
}
