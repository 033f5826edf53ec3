package steplog

import (
	"fmt"
	"math/rand/v2"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// unknown is a log whose layout no trainer has, with what is true of it.
type unknown struct {
	shape  string // what is hard about it
	column string // what its column of times is: time, clock, mean, rate, sum, or "" where it has none
	text   string
	step   float64 // ns: the median time of a step
	work   float64 // items a step takes, for a rate that no step can be told from; else 0
	ask    bool    // nothing in it tells two readings apart, or it has no step time
}

// unknownLogs is how many logs the grammar makes, and unknownSeed where its numbers begin. Both were fixed before the
// reader was written. Chosen, not measured.
const (
	unknownLogs = 500
	unknownSeed = 46
)

// grammar is what a line of a log of unknown layout is made of.
var grammar = struct {
	shapes, marks, joins, ties, steps, ranks, beside, eval []string
	times, clocks, means, rates, sums, others              []spelling
}{
	shapes: []string{"time", "glued", "bare", "clock", "mean", "rate", "average of k", "thousands", "locale comma", "restart",
		"interleaved ranks", "evaluation lines", "two columns", "something else"},
	marks: []string{"", "", "INFO:root:", "[2026-03-01 %s,%03d] [INFO] ", "2026/03/01 %s.%03d - trainer - ", "[%s.%03d] ", "I0301 %s.%03d 4242 loop.py:88] "},
	joins: []string{" | ", ", ", "  ", " - ", "; ", " "},
	ties:  []string{": ", "=", ":", " "},
	steps: []string{"step#%d/%d", "step %[1]d", "iter %d of %d", "iteration %[1]d", "[%d/%d]", "global_step#%[1]d", "it#%[1]d", "Epoch [0][ %d/%d]", "batch %[1]d"},
	ranks: []string{"[rank%d]: ", "%d: ", "[1,%d]<stdout>:"},
	beside: []string{"loss#%.4f", "lr#%.3e", "grad_norm#%.3f", "mem#%.1fGB", "mfu#%.1f%%", "acc#%.4f", "tflops#%.2f", "data_time#0.00%.0fs",
		"ppl#%.3f", "loss_scale#%.0f"},
	eval: []string{"val_loss#%[2]s step %[1]d time#9.000s", "eval step %[1]d loss#%[2]s time#9.000s", "validation %[1]d/8 took 9.000s", "test: acc#%[2]s time#9.000s"},
	times: []spelling{{"step_time_ms#%s", 1e6, 1}, {"iter_time(s)#%s", 1e9, 4}, {"time per step (ms)#%s", 1e6, 2}, {"step_us#%s", 1e3, 0},
		{"sec/step#%s", 1e9, 4}, {"train/step_time_s#%s", 1e9, 5}, {"batch_time[ms]#%s", 1e6, 2}},
	clocks: []spelling{{"elapsed#%ss", 1e9, 3}, {"train_time#%sms", 1e6, 0}, {"wall#%ss", 1e9, 3}, {"time_elapsed_s#%s", 1e9, 3}, {"time#%s sec", 1e9, 3}},
	means:  []spelling{{"step_avg#%sms", 1e6, 3}, {"avg_step_time#%ss", 1e9, 6}, {"mean iter time#%ss", 1e9, 6}, {"time#%ss", 1e9, 6}, {"step_time#%sms", 1e6, 3}},
	rates: []spelling{{"%s it/s", 1, 3}, {"it/s#%s", 1, 3}, {"steps_per_sec#%s", 1, 4}, {"samples/s#%s", 32, 1}, {"throughput#%s samples/sec", 32, 1},
		{"tok/s#%s", 32768, 0}, {"tps#%s", 32768, 0}, {"images_per_second#%s", 32, 2}},
	sums:   []spelling{{"K steps in %ss", 1e9, 3}, {"time for K steps#%sms", 1e6, 0}},
	others: []spelling{{"save_time#%ss", 1e9, 3}, {"eval_time#%sms", 1e6, 1}, {"queue latency#%sms", 1e6, 1}, {"data_time#%ss", 1e9, 4}, {"eta#%ss", 1e9, 0}},
}

// glued are times whose names say nothing of a unit, and whose numbers do.
var glued = []spelling{{"step_time %ss", 1e9, 6}, {"%sms/it", 1e6, 1}, {"dt#%sms", 1e6, 2}, {"%s ms/step", 1e6, 1}, {"iter time#%s s", 1e9, 4},
	{"took %ss", 1e9, 4}, {"%ss/it", 1e9, 3}, {"step_time#%sus", 1e3, 0}, {"batch %s sec", 1e9, 4}}

// bare are times without a unit: seconds below 1 are told by their size; the others by time stamps, or not at all.
var bare = []spelling{{"iter_time#%s", 1e9, 4}, {"step_time#%s", 1e9, 4}, {"time#%s", 1e9, 4}, {"step_time#%s", 1e6, 2}}

// spelling is how a log writes a number: with its unit in ns (of a rate: the items of a step) and its digits.
type spelling struct {
	text   string
	unit   float64
	digits int
}

// writer writes one log.
type writer struct {
	*rand.Rand
	mark, join, tie, step string
	beside                []string
	number                func(string) string
	clock                 float64 // ns since the log began
	out                   strings.Builder
}

func pick[T any](r *rand.Rand, from []T) T { return from[r.IntN(len(from))] }

// line writes a line with the fields given, at the place of the clock.
func (w *writer) line(before string, fields ...string) {
	mark := w.mark
	if strings.Contains(mark, "%") {
		ms := int64(w.clock / 1e6)
		mark = fmt.Sprintf(mark, fmt.Sprintf("%02d:%02d:%02d", 10+ms/3600000, ms/60000%60, ms/1000%60), ms%1000)
	}
	w.out.WriteString(before + mark + strings.ReplaceAll(strings.Join(fields, w.join), "#", w.tie) + "\n")
}

// written writes a value as the spelling does.
func (w *writer) written(s spelling, value float64) string {
	return fmt.Sprintf(s.text, w.number(fmt.Sprintf("%.*f", s.digits, value)))
}

// fields are those of a step with the spelled times, among others.
func (w *writer) fields(step, total int, times ...string) []string {
	out := []string{fmt.Sprintf(w.step+"%[3]s", step, total, "")}
	for _, b := range w.beside {
		out = append(out, inNumbers.ReplaceAllStringFunc(fmt.Sprintf(b, 1+8*w.Float64()), w.number))
	}
	return slices.Insert(out, 1+len(w.beside)/2, times...)
}

var inNumbers = regexp.MustCompile(`\d+(?:\.\d+)?`)

// thousands puts commas between thousands.
func thousands(s string) string {
	whole, rest, _ := strings.Cut(s, ".")
	for i := len(whole) - 3; i > 0; i -= 3 {
		whole = whole[:i] + "," + whole[i:]
	}
	if rest != "" {
		rest = "." + rest
	}
	return whole + rest
}

// unknownLog makes the nth log.
func unknownLog(n int) unknown {
	r := rand.New(rand.NewPCG(unknownSeed, uint64(n)))
	shape := grammar.shapes[n%len(grammar.shapes)]
	w := &writer{Rand: r, mark: pick(r, grammar.marks), join: pick(r, grammar.joins), tie: pick(r, grammar.ties), step: pick(r, grammar.steps),
		number: func(s string) string { return s }}
	if w.join == " " {
		w.tie = "="
	}
	for _, i := range r.Perm(len(grammar.beside))[:r.IntN(5)] {
		w.beside = append(w.beside, grammar.beside[i])
	}
	u := unknown{shape: shape, column: "time"}
	s, k := pick(r, append(slices.Clone(grammar.times), glued...)), 1
	switch shape {
	case "time":
		s = pick(r, grammar.times)
	case "glued":
		s = pick(r, glued)
	case "bare":
		s = pick(r, bare)
	case "clock":
		s, u.column = pick(r, grammar.clocks), "clock"
	case "mean":
		s, u.column = pick(r, grammar.means), "mean"
	case "rate":
		s, u.column = pick(r, grammar.rates), "rate"
	case "average of k":
		k = pick(r, []int{5, 10, 50})
		if r.IntN(3) == 0 {
			s, u.column = pick(r, grammar.sums), "sum"
			s.text = strings.Replace(s.text, "K", strconv.Itoa(k), 1)
		}
	case "thousands":
		w.number = thousands
		if r.IntN(2) == 0 {
			s, u.column = pick(r, grammar.rates), "rate"
		}
	case "locale comma":
		w.number = func(s string) string { return strings.Replace(s, ".", ",", 1) }
		w.join = pick(r, []string{" | ", "; ", "  "})
	case "something else":
		s, u.column, u.ask = pick(r, grammar.others), "", true
	}
	w.write(&u, s, k)
	u.text = w.out.String()
	return u
}

// write writes the lines of a log with steps of a time of its own, and notes the truth.
func (w *writer) write(u *unknown, s spelling, k int) {
	step := 0.02e9 * float64(int64(1)<<w.IntN(6)) * (1 + w.Float64()) // 20 ms to 1.28 s
	if u.shape == "thousands" {
		step = 1.2e9 * (1 + w.Float64())
	}
	lines, ranks, batch := 40+w.IntN(80), 1, u.column == "rate" && s.unit > 1 && w.IntN(2) == 0
	if u.shape == "interleaved ranks" {
		ranks = 2 + w.IntN(3)
	}
	rankMark := pick(w.Rand, append([]string{""}, grammar.ranks...))
	u.step = step
	if u.column == "rate" && s.unit > 1 && !batch {
		u.work = s.unit
	}
	if u.shape == "bare" && (step/s.unit >= 1 && !strings.Contains(w.mark, "%")) {
		u.ask = true
	}
	second := spelling{}
	if u.shape == "two columns" { // either they agree, in another unit, or they are two quantities
		second = pick(w.Rand, []spelling{{"iter_time#%sms", 1e6, 2}, {"loop_time#%ss", 1e9, 4}, {"step duration#%sms", 1e6, 2}, {"fwd_time#%ss", 1e9, 4}})
		u.ask = !strings.HasPrefix(second.text, "fwd") && w.IntN(2) == 0
	}
	restart, total, sum := -1, lines*k, 0.0
	if u.shape == "restart" {
		restart = lines / 2
	}
	number, noise := 0, func() float64 { return 1 + 0.01*w.NormFloat64() }
	for i := 0; i < lines; i++ {
		if i == restart {
			number -= 3 * k
			w.line("", "resuming from the last checkpoint")
		}
		took := step * float64(k) * noise()
		if i == 0 || i == restart {
			took += step * 20
		}
		sum += took
		w.clock += took
		number += k
		value := map[string]float64{"time": took / float64(k) / s.unit, "clock": sum / s.unit, "mean": sum / float64(i+1) / s.unit,
			"rate": s.unit * 1e9 / took, "sum": took / s.unit, "": 0.013e9 * (1 + w.Float64()) / s.unit}[u.column]
		for rank := range ranks {
			times := []string{w.written(s, value*(1+0.0002*float64(rank)))}
			if second.unit > 0 {
				share := 1.0
				if u.ask {
					share = 1.31
				} else if strings.HasPrefix(second.text, "fwd") {
					share = 0.3
				}
				times = append(times, w.written(second, took*share/second.unit))
			}
			if batch {
				times = append(times, map[float64]string{32: "batch_size#32", 32768: "tokens_per_step#32768"}[s.unit])
			}
			before := rankMark
			if ranks == 1 {
				before = ""
			} else if before != "" {
				before = fmt.Sprintf(before, rank)
			}
			w.line(before, w.fields(number, total, times...)...)
		}
		if u.shape == "evaluation lines" && i%10 == 9 {
			w.line("", fmt.Sprintf(pick(w.Rand, grammar.eval)+"%[3]s", number, "2.3456", ""))
		}
	}
}
