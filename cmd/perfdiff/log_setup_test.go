package main

import (
	"fmt"
	"path/filepath"
	"strings"
	"testing"
)

// writeSetups writes three logs of 60 steps of ms each, with a head and a line that may say more of a step.
func writeSetups(t *testing.T, name, head string, ms float64, line string) string {
	t.Helper()
	dir := t.TempDir()
	for run := range 3 {
		var text strings.Builder
		text.WriteString(head)
		for i := 1; i <= 60; i++ {
			took := ms * (1 + 0.001*float64((7*i+3*run)%11) + 0.0003*float64(run))
			text.WriteString(strings.NewReplacer("STEP", fmt.Sprint(i), "MS", fmt.Sprintf("%.3f", took), "SECONDS", fmt.Sprintf("%.6f", took/1e3), "PERSEC", fmt.Sprintf("%.3f", 1e3/took),
				"RAMP", fmt.Sprint(16*min(8, 1+i/4))).Replace(line) + "\n")
		}
		writeFile(t, filepath.Join(dir, fmt.Sprintf("run%d%s", run, name)), text.String())
	}
	return dir
}

// TestLogSetups: what logs say of the work of a step and of the machine decides whether they are compared, both ways.
func TestLogSetups(t *testing.T) {
	const megatron = " iteration STEP/ 60 | elapsed time per iteration (ms): MS | global batch size: 128 | lm loss: 1.8 |"
	dump := func(batch int) string {
		return fmt.Sprintf("  global_batch_size ............................... %d\n  micro_batch_size ................................ 2\n", batch)
	}
	plain := "step STEP | loss 2.5 | step_time: MSms"
	args := func(of string) string { return "Namespace(" + of + ", lr=0.1, eval_batch_size=8)\n" }
	for _, c := range []struct {
		name, file   string
		heads, lines [2]string
		ms           [2]float64
		status       int
		want         string // of base and cand
		back         int    // status the other way round
		backWant     string
	}{
		{"a line of Megatron", ".log", [2]string{}, [2]string{megatron, strings.Replace(megatron, "128", "256", 1)}, [2]float64{1000, 1900}, statusNotJudged,
			"a step takes 256 samples, and 128 in the baseline; per sample it takes 5.00 % less", statusNotJudged, "a step takes 128 samples, and 256 in the baseline; per sample it takes 5.26 % longer"},
		{"a dump of arguments", ".log", [2]string{dump(128), dump(256)}, [2]string{plain, plain}, [2]float64{100, 190}, statusNotJudged,
			"a step takes 256 samples", statusNotJudged, "a step takes 128 samples"},
		{"arguments in a line", ".log", [2]string{args("batch_size=32"), args("batch_size=64")}, [2]string{plain, plain}, [2]float64{100, 190}, statusNotJudged,
			"the batch size is 64, and 32 in the baseline; per sample it takes 5.00 % less", statusNotJudged, "the batch size is 32, and 64 in the baseline"},
		{"the same by accumulation", ".log", [2]string{args("micro_batch_size=4, gradient_accumulation_steps=8"), args("micro_batch_size=8, gradient_accumulation_steps=4")},
			[2]string{plain, plain}, [2]float64{100, 110}, statusRegressed, "SLOWER Steps take 10 ms longer (+10 %)", statusOK, "FASTER Steps take 10 ms less (−9.1 %)"},
		{"one side says it", ".log", [2]string{dump(128)}, [2]string{plain, plain}, [2]float64{100, 110}, statusRegressed, "SLOWER Steps take 10 ms longer (+10 %)", statusOK, "FASTER Steps take 10 ms less (−9.1 %)"},
		{"of evaluation", ".log", [2]string{args("eval_batch_size=8"), args("eval_batch_size=16")}, [2]string{plain, plain}, [2]float64{100, 110}, statusRegressed, "SLOWER Steps take 10 ms longer (+10 %)",
			statusOK, "FASTER Steps take 10 ms less (−9.1 %)"},
		{"a warm-up of the batch", ".log", [2]string{}, [2]string{strings.Replace(megatron, "128", "RAMP", 1), strings.Replace(megatron, "128", "RAMP", 1)}, [2]float64{100, 110},
			statusRegressed, "another batch size or length of sequences than most steps have", statusOK, "FASTER Steps take 10 ms less (−9.1 %)"},
		{"behind a warm-up", ".log", [2]string{}, [2]string{strings.Replace(megatron, "128", "RAMP", 1), megatron}, [2]float64{100, 110}, statusRegressed, "SLOWER Steps take 10 ms longer (+10 %)", statusOK, "FASTER Steps take 10 ms less (−9.1 %)"},
		{"a batch that each line says", ".log", [2]string{}, [2]string{plain + " | batch size: RAMP", plain + " | batch size: 128"}, [2]float64{100, 110}, statusRegressed,
			"another batch size or length of sequences than most steps have", statusOK, "FASTER Steps take 10 ms less (−9.1 %)"},
		{"a length that each line says", ".log", [2]string{}, [2]string{plain + " | curriculum seqlen: RAMP", plain + " | curriculum seqlen: 128"}, [2]float64{100, 110}, statusRegressed,
			"another batch size or length of sequences than most steps have", statusOK, "FASTER Steps take 10 ms less (−9.1 %)"},
		{"times of two ranks, and of one", ".log", [2]string{}, [2]string{plain, "[rank0] " + plain + "\n[rank1] " + plain}, [2]float64{100, 110}, statusNotJudged,
			"times of a step: unknown and 2", statusNotJudged, "times of a step: 2 and unknown"},
		{"a column", ".csv", [2]string{"step,step_time_ms,batch_size\n", "step,step_time_ms,batch_size\n"}, [2]string{"STEP,MS,32", "STEP,MS,64"}, [2]float64{100, 190}, statusNotJudged,
			"batch size of rank: 32 and 64", statusNotJudged, "batch size of rank: 64 and 32"},
		{"a member", ".jsonl", [2]string{`{"seq_length": 2048}` + "\n", `{"seq_length": 4096}` + "\n"}, [2]string{`{"step": STEP, "step_time_ms": MS}`, `{"step": STEP, "step_time_ms": MS}`},
			[2]float64{100, 190}, statusNotJudged, "sequence length: 2048 and 4096", statusNotJudged, "sequence length: 4096 and 2048"},
		{"tokens of a step", ".log", [2]string{"tokens per iteration will be: 491,520\n", "tokens per iteration will be: 245,760\n"}, [2]string{plain, plain}, [2]float64{100, 52}, statusNotJudged,
			"a step takes 245 760 tokens, and 491 520 in the baseline; per token it takes 4.00 % longer", statusNotJudged, "a step takes 491 520 tokens"},
		{"ranks", ".log", [2]string{"using world size: 8\n", "using world size: 16\n"}, [2]string{plain, plain}, [2]float64{100, 60}, statusNotJudged, "world size: 8 and 16", statusNotJudged,
			"world size: 16 and 8"},
		{"the GPU", ".log", [2]string{"|   0  NVIDIA A100-SXM4-80GB   On |\n", "|   0  NVIDIA H100 80GB HBM3   On |\n"}, [2]string{plain, plain}, [2]float64{100, 60}, statusNotJudged,
			"GPU: A100-SXM4-80GB and H100 80GB HBM3", statusNotJudged, "GPU: H100 80GB HBM3 and A100-SXM4-80GB"},
		{"the GPU of one side", ".log", [2]string{"gpu: A100\n"}, [2]string{plain, plain}, [2]float64{100, 110}, statusRegressed, "SLOWER Steps take 10 ms longer (+10 %)", statusOK, "FASTER Steps take 10 ms less (−9.1 %)"},
		{"precision", ".log", [2]string{args("precision='bf16-mixed'"), args("precision='32-true'")}, [2]string{plain, plain}, [2]float64{100, 110}, statusRegressed, "Precision: fp32, in the baseline bf16", statusOK, "Precision: bf16, in the baseline fp32"},
		{"a rate, and the batch on one side", ".log", [2]string{"global_batch_size: 32\n"}, [2]string{"step STEP | loss 2.5 | PERSEC samples/s", "step STEP | loss 2.5 | PERSEC samples/s"},
			[2]float64{100, 110}, statusNotJudged, "No verdict: a step is not the same unit of work", statusNotJudged, "No verdict: a step is not the same unit of work"},
		{"ms and s", ".log", [2]string{}, [2]string{plain, "step STEP | loss 2.5 | step_time: SECONDSs"}, [2]float64{100, 110}, statusRegressed, "SLOWER Steps take 10 ms longer (+10 %)", statusOK, "FASTER Steps take 10 ms less (−9.1 %)"},
		{"a time and a rate", ".log", [2]string{}, [2]string{plain, "step STEP | loss 2.5 | PERSEC it/s"}, [2]float64{100, 110}, statusNotJudged, `by log of "step_time"`, statusNotJudged,
			`by log of "1 / it/s"`},
		{"averaged on one side", ".log", [2]string{}, [2]string{megatron, strings.Replace(megatron, "STEP/", "STEP0/", 1)}, [2]float64{100, 110}, statusNotJudged, "each the mean of 10 steps",
			statusNotJudged, "each the mean of 10 steps"},
		{"marks of hosts", ".log", [2]string{}, [2]string{plain, "[node7] " + plain}, [2]float64{100, 110}, statusRegressed, "SLOWER Steps take 10 ms longer (+10 %)", statusOK, "FASTER Steps take 10 ms less (−9.1 %)"},
		{"nothing in common", ".log", [2]string{}, [2]string{plain, "step STEP | loss 2.5"}, [2]float64{100, 110}, statusError, "candidate: ", statusError, "baseline: "},
		{"a rate of one GPU, and of all", ".log", [2]string{}, [2]string{"step STEP throughput: PERSEC samples/s", "step STEP throughput per gpu: PERSEC samples/s"}, [2]float64{100, 110}, statusNotJudged,
			"not the same unit of work", statusNotJudged, "not the same unit of work"},
	} {
		dirs := []string{writeSetups(t, c.file, c.heads[0], c.ms[0], c.lines[0]), writeSetups(t, c.file, c.heads[1], c.ms[1], c.lines[1])}
		for k, want := range []string{c.want, c.backWant} {
			status := []int{c.status, c.back}[k]
			stdout, stderr := mustRun(t, status, dirs[k], dirs[1-k], "--table")
			text := strings.Join(strings.Fields(strings.ReplaceAll(stdout+stderr, "\u00a0", " ")), " ")
			if !strings.Contains(text, want) {
				t.Errorf("%s, way %d: got %s%s, want %s", c.name, k, stdout, stderr, want)
			}
		}
	}
}
