package steplog

import (
	"slices"
	"strconv"
	"strings"
)

// recogniser knows the line that a trainer prints for a step, or for the mean of several.
type recogniser struct {
	name  string     // of the time, as reports call it
	has   string     // what the line holds; looked for before any expression is tried
	steps []*pattern // the number of the step, the best first
	time  *pattern
	unit  float64 // ns
	mean  bool    // of all steps since the line before
	// breaks are in lines about work that falls into the next step's time and is none of it.
	breaks []string
}

const number = `([0-9]+(?:\.[0-9]*)?(?:[eE][-+]?[0-9]+)?)`

// recognisers are the trainers whose lines are known, each with where its format stands.
var recognisers = []recogniser{
	// Megatron-LM, megatron/training/training.py, training_log: the mean since the last line; evaluation and
	// checkpoints stop the timer. Also Megatron-Bridge and Megatron-DeepSpeed.
	{"elapsed time per iteration (ms)", "lapsed time per iteration (ms)",
		numbers(`(?i)iteration:?\s+(\d+)\s*(?:/|\|)`),
		expression(`lapsed time per iteration \(ms\):\s*` + number), 1e6, true, nil},
	// NeMo 2, nemo/utils/callbacks and lightning's MegatronProgressPrinter: "Training epoch 0, iteration 1/249 |
	// … | global_step: 1 | … | train_step_timing in s: 2.505". In the bar of NeMo 1 it stands behind the count.
	{"train_step_timing in s", "train_step_timing in s",
		numbers(`global_step: (\d+)`, `\s(\d+)/\d+ \[`, `iteration (\d+)/`),
		expression(`train_step_timing in s[:=]\s*` + number), 1e9, false, nil},
	// DeepSpeed, deepspeed/runtime/pipe/engine.py, train_batch: the mean over steps_per_print.
	{"iter time (s)", "iter time (s):",
		numbers(`steps?:\s*(\d+)`),
		expression(`iter time \(s\):\s*` + number), 1e9, true, nil},
	// nanoGPT, train.py: the time of one iteration, the evaluation before it included.
	{"time of iter", ", time ",
		numbers(`^(?:.*\s)?iter (\d+): loss`),
		expression(`, time ` + number + `ms`), 1e6, false, []string{": train loss ", "saving checkpoint"}},
	// llm.c, train_gpt2.cu, and build-nanogpt, train_gpt2.py.
	{"ms of step", " ms | ",
		numbers(`^step\s+(\d+)/\d+ \| .*loss`),
		expression(`\|\s*` + number + ` ms \|`), 1e6, false, nil},
	{"dt of step", "| dt: ",
		numbers(`^step\s+(\d+) \| loss`),
		expression(`\| dt: ` + number + `ms`), 1e6, false, []string{"validation loss:", "HellaSwag accuracy:"}},
}

func numbers(expressions ...string) (out []*pattern) {
	for _, e := range expressions {
		out = append(out, expression(e))
	}
	return out
}

// find looks for a step in a line.
func (r *recogniser) find(s string) (step int64, value float64, ok bool) {
	if !strings.Contains(s, r.has) {
		return 0, 0, false
	}
	m := r.time.FindStringSubmatch(s)
	if m == nil {
		return 0, 0, false
	}
	value, err := strconv.ParseFloat(m[1], 64)
	if err != nil {
		return 0, 0, false
	}
	for _, e := range r.steps {
		if n := e.FindStringSubmatch(s); n != nil {
			step, err := strconv.ParseInt(n[1], 10, 64)
			return step, value, err == nil
		}
	}
	return 0, 0, false
}

// announces reports whether a line is about work that falls into the next step's time.
func (r *recogniser) announces(s string) bool {
	return slices.ContainsFunc(r.breaks, func(b string) bool { return strings.Contains(s, b) })
}

// notTraining matches lines about something else than training steps, and what falls between these.
var notTraining = expression(`(?i)(?:^|[^a-z])(?:valid|eval|test|checkpoint|sav(?:e|ing)|sanity|predict)`)
