package step

import (
	"regexp"
	"slices"
	"strconv"
	"strings"

	"perfdiff/analyze/kernelname"
	"perfdiff/analyze/run"
	"perfdiff/analyze/trace"
)

// engine is how one inference engine names the ranges of its steps: by the load of the step,
// not by its number.
type engine struct {
	label string // of the marker, the same for all loads
	name  *regexp.Regexp
	// load reads the parts of a name that the expression found. number is the step's number, -1
	// where the name holds none.
	load func(found []string) (l trace.Load, number int64)
	// plain marks names that are everyday words, which other ranges could have too: such ranges
	// are steps only where they repeat and cover most of the capture.
	plain bool
}

// engines lists the names that vLLM, SGLang, TensorRT-LLM and ATOM give to steps, and the words
// that people use for them.
var engines = []engine{
	// execute_8192_context_9(sq8155sk8430…)_generation_37(sq37sk34489…),
	// execute_context_1(888)_generation_0(0): requests, and in brackets tokens (sq) and
	// the context that they attend to (sk)
	{"execute_…_context_…_generation_…",
		regexp.MustCompile(`^execute_(?:\d+_)?context_(\d+)\((?:sq)?(\d+)(?:sk(\d+))?[^)]*\)` +
			`_generation_(\d+)\((?:sq)?(\d+)(?:sk(\d+))?[^)]*\)`), vllm, false},
	// execute_new_2_cached_30, of older versions: 30 may be prompts read in chunks
	{"execute_new_…_cached_…", regexp.MustCompile(`^execute_new_(\d+)_cached_(\d+)$`), vllmOld, false},
	// step[DECODE bs=32], step[EXTEND bs=2 toks=4096], step[MIXED bs=9 ext=512 dec=8]
	{"step[…]", regexp.MustCompile(`^step\[([A-Za-z_]+)((?: \w+=\d+)*)\]$`), bracketed, false},
	{"prefill[…], decode[…]", regexp.MustCompile(`^(?i:(prefill|decode|mixed))\[((?:[ ,]*\w+=\d+)+)\]$`), bracketed, false},
	// [Executor] _forward_step 71: 0 ctx reqs, 0 ctx tokens, 32 gen reqs
	{"[Executor] _forward_step",
		regexp.MustCompile(`^\[Executor\] _forward_step(?: (\d+))?: (\d+) ctx reqs(?:, (\d+) ctx tokens)?, (\d+) gen reqs`), tensorRT, false},
	{"prefill, decode", regexp.MustCompile(`^(?i:(prefill|extend|decode|mixed)(?:[_ ](?:batch|step|forward))?)$`),
		func(found []string) (trace.Load, int64) { return trace.Load{Class: classOf(found[1])}, -1 }, true},
	{"execute_model", regexp.MustCompile(`^execute_model$`), func([]string) (trace.Load, int64) { return trace.Load{}, -1 }, true},
}

// engineStep reads the name of a range; ok is false where it is no engine's step.
func engineStep(name string) (e *engine, l trace.Load, number int64, ok bool) {
	s := readEngineStep(name)
	return s.engine, s.load, s.number, s.engine != nil
}

// namedStep is what the name of a range says about an engine's step. engine is nil where the range is no such step.
type namedStep struct {
	engine *engine
	load   trace.Load
	number int64
}

var readEngineStep = kernelname.Remember(func(name string) namedStep {
	for i := range engines {
		if found := engines[i].name.FindStringSubmatch(name); found != nil && !isDraft(name) {
			load, number := engines[i].load(found)
			return namedStep{&engines[i], load, number}
		}
	}
	return namedStep{number: -1}
})

// isDraft reports whether a range is the draft model's part of a step with speculative
// decoding.
func isDraft(name string) bool { return strings.HasPrefix(name, "step[DRAFT") }

func vllm(found []string) (trace.Load, int64) {
	context, generation := parseCount(found[1]), parseCount(found[4])
	return trace.Load{Class: classOfMix(context, generation), Batch: context + generation,
		Tokens: parseCount(found[2]) + parseCount(found[5]), Context: parseCount(found[3]) + parseCount(found[6])}, -1
}

func vllmOld(found []string) (trace.Load, int64) {
	started, cached := parseCount(found[1]), parseCount(found[2])
	l := trace.Load{Batch: started + cached}
	if cached == 0 {
		l.Class = classOfMix(started, 0)
	}
	return l, -1
}

func tensorRT(found []string) (trace.Load, int64) {
	context, generation, number := parseCount(found[2]), parseCount(found[4]), int64(-1)
	l := trace.Load{Class: classOfMix(context, generation), Batch: context + generation}
	if found[3] != "" || context == 0 { // one token a request, where nothing is drafted
		l.Tokens = parseCount(found[3]) + generation
	}
	if found[1] != "" {
		number = parseCount(found[1])
	}
	return l, number
}

var countMember = regexp.MustCompile(`(\w+)=(\d+)`)

// bracketed reads names such as "step[DECODE bs=32]": a mode, and counts in square brackets.
func bracketed(found []string) (trace.Load, int64) {
	l, of := trace.Load{Class: classOf(found[1])}, map[string]int64{}
	for _, m := range countMember.FindAllStringSubmatch(found[2], -1) {
		of[m[1]] = parseCount(m[2])
	}
	l.Batch, l.Tokens = of["bs"], of["toks"]+of["tok"]+of["ext"]
	switch {
	case l.Class == trace.Mixed && l.Tokens > 0:
		l.Tokens += of["dec"]
	case strings.EqualFold(found[1], "decode") && l.Tokens == 0:
		l.Tokens = l.Batch // one a request
	}
	if l.Class == trace.Decode && l.Tokens == l.Batch { // then tokens times context is the context
		l.Context = of["g_sqsk"]
	}
	return l, -1
}

// classOf returns the class of step that a word means. Verifying drafted tokens is decoding.
func classOf(word string) trace.LoadClass {
	switch strings.ToLower(word) {
	case "prefill", "extend":
		return trace.Prefill
	case "decode", "target_verify":
		return trace.Decode
	case "mixed":
		return trace.Mixed
	}
	return trace.LoadUnknown
}

// classOfMix returns the class of a step, by the number of requests whose prompts it reads (context) and for which it
// generates answers.
func classOfMix(context, generation int64) trace.LoadClass {
	switch {
	case context > 0 && generation > 0:
		return trace.Mixed
	case context > 0:
		return trace.Prefill
	case generation > 0:
		return trace.Decode
	}
	return trace.LoadUnknown
}

// maxLoad bounds the numbers in a name: a larger one counts neither requests nor tokens.
const maxLoad = 1 << 40

// parseCount reads digits as a count; 0 where there are too many for one.
func parseCount(digits string) int64 {
	n, err := strconv.ParseInt(digits, 10, 64)
	if err != nil || n > maxLoad {
		return 0
	}
	return n
}

// engineSteps finds the steps of inference engines in a capture. All engines together are one
// marker: steps are compared by their loads, whatever an engine calls them.
func engineSteps(t *trace.Trace) []markerMarks {
	own := enginesOf(t)
	for i := range engines {
		if !slices.Contains(own, int8(i)) {
			continue
		}
		marks := rangeMarks(t, func(id trace.NameID) bool { return own[id] == int8(i) }, nil)
		if len(marks) == 0 || engines[i].plain && !coverMostOfCapture(t, marks) {
			continue
		}
		by := run.Marker{Kind: run.MarkEngine}
		return []markerMarks{{marker: by, marks: numberedByEngine(t, marks), label: `range "` + engines[i].label + `"`}}
	}
	return nil
}

// enginesOf gives for each name its index in engines, -1 for names that are no engine's step.
func enginesOf(t *trace.Trace) []int8 {
	isEngine := t.Names.AskAlike(func(name string) bool {
		_, _, _, ok := engineStep(name)
		return ok
	})
	own := make([]int8, t.Names.Len())
	for i := range own {
		own[i] = -1
	}
	for i := range t.Ranges {
		if id := t.Ranges[i].Name; own[id] < 0 && isEngine(id) {
			e, _, _, _ := engineStep(t.Names.Text(id))
			own[id] = int8(slices.IndexFunc(engines, func(x engine) bool { return x.label == e.label }))
		}
	}
	return own
}

// coverMostOfCapture reports whether marks repeat often enough, and cover enough of the
// capture, to be steps.
func coverMostOfCapture(t *trace.Trace, marks []mark) bool {
	rs := make([]trace.Range, len(marks))
	for i, m := range marks {
		rs[i] = trace.Range{Start: m.start, End: m.end}
	}
	return len(rs) >= minRepeats && coverage(rs) >= minDuty && spansDevice(t, rs)
}

// numberedByEngine numbers the marks by their names, where all names hold a number and the
// numbers rise.
func numberedByEngine(t *trace.Trace, marks []mark) []mark {
	numbers := make([]int64, len(marks))
	for i, r := range rangesOf(t, marks) {
		_, _, n, _ := engineStep(t.Names.Text(r.Name))
		if numbers[i] = n; n < 0 || i > 0 && n <= numbers[i-1] {
			return marks
		}
	}
	for i := range marks {
		marks[i].number = numbers[i]
	}
	return marks
}

// rangesOf returns the ranges that the marks were made of, in the order of marks.
func rangesOf(t *trace.Trace, marks []mark) []trace.Range {
	out := make([]trace.Range, 0, len(marks))
	for _, r := range t.Ranges { // both in order of start
		if n := len(out); n < len(marks) && r.Start == marks[n].start && r.End == marks[n].end && r.Thread == marks[n].thread {
			if _, _, _, ok := engineStep(t.Names.Text(r.Name)); ok {
				out = append(out, r)
			}
		}
	}
	return out
}

// giveLoads gives each step the load of the engine's step that begins in it, whatever marker found the steps. A step
// in which several begin has no load: it is a training step that generates text on the way, as in reinforcement
// learning. If most steps are like that, none gets a load.
func giveLoads(t *trace.Trace, steps []trace.Step) {
	loads := make([]trace.Load, len(steps))
	held := map[int32][]int{} // engine steps that begin in each step, by thread
	known := map[trace.NameID]trace.Load{}
	for _, r := range outermostEngineSteps(t, known) {
		at, inside := slices.BinarySearchFunc(steps, r.Start, func(s trace.Step, ts int64) int {
			switch {
			case ts < s.HostStart:
				return 1
			case ts >= s.HostEnd:
				return -1
			}
			return 0
		})
		if !inside {
			continue
		}
		if held[r.Thread] == nil {
			held[r.Thread] = make([]int, len(steps))
		}
		held[r.Thread][at]++
		loads[at] = known[r.Name]
	}
	one, several := 0, 0
	for i := range steps {
		most := 0
		for _, count := range held {
			most = max(most, count[i])
		}
		switch {
		case most > 1:
			several++
			loads[i] = trace.Load{}
		case most == 1:
			one++
		}
	}
	for i := range steps {
		if several <= one {
			steps[i].Load = loads[i]
		}
	}
}

// outermostEngineSteps returns the ranges whose names hold loads, without those inside another one on their thread. It
// puts the load of each name into known.
func outermostEngineSteps(t *trace.Trace, known map[trace.NameID]trace.Load) []trace.Range {
	var out []trace.Range
	ends := map[int32]int64{}
	own := enginesOf(t)
	for i := range own {
		if own[i] >= 0 {
			if _, l, _, ok := engineStep(t.Names.Text(trace.NameID(i))); ok && l.Known() {
				known[trace.NameID(i)] = l
			}
		}
	}
	if len(known) == 0 {
		return nil
	}
	for _, r := range t.Ranges {
		end, inside := ends[r.Thread]
		if _, ok := known[r.Name]; ok && !(inside && r.Start < end) {
			ends[r.Thread] = r.End
			out = append(out, r)
		}
	}
	return out
}
