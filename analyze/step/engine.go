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

// engine is how one inference engine names its steps: by their load, not by a number.
type engine struct {
	label string // of the family, the same whatever the loads
	name  *regexp.Regexp
	// load reads what name found. number is that of the step where the name holds one,
	// -1 where it does not.
	load func(found []string) (l trace.Load, number int64)
	// plain names are words that other ranges could have too: they are steps only
	// where they repeat and cover most of the capture.
	plain bool
}

// engines are the names of vLLM, SGLang, TensorRT-LLM and ATOM, and the words that
// people use.
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
	return s.by, s.load, s.number, s.by != nil
}

// namedStep is what the name of a range says of an engine's step; by is nil where it is none.
type namedStep struct {
	by     *engine
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

// isDraft reports whether a range is the draft model's part of a step that decodes
// speculatively.
func isDraft(name string) bool { return strings.HasPrefix(name, "step[DRAFT") }

func vllm(found []string) (trace.Load, int64) {
	context, generation := whole(found[1]), whole(found[4])
	return trace.Load{Class: mixOf(context, generation), Batch: context + generation,
		Tokens: whole(found[2]) + whole(found[5]), Context: whole(found[3]) + whole(found[6])}, -1
}

func vllmOld(found []string) (trace.Load, int64) {
	started, cached := whole(found[1]), whole(found[2])
	l := trace.Load{Batch: started + cached}
	if cached == 0 {
		l.Class = mixOf(started, 0)
	}
	return l, -1
}

func tensorRT(found []string) (trace.Load, int64) {
	context, generation, number := whole(found[2]), whole(found[4]), int64(-1)
	l := trace.Load{Class: mixOf(context, generation), Batch: context + generation}
	if found[3] != "" || context == 0 { // one token a request, where nothing is drafted
		l.Tokens = whole(found[3]) + generation
	}
	if found[1] != "" {
		number = whole(found[1])
	}
	return l, number
}

var member = regexp.MustCompile(`(\w+)=(\d+)`)

// bracketed are names of a mode with members in square brackets.
func bracketed(found []string) (trace.Load, int64) {
	l, of := trace.Load{Class: classOf(found[1])}, map[string]int64{}
	for _, m := range member.FindAllStringSubmatch(found[2], -1) {
		of[m[1]] = whole(m[2])
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

// classOf is the class that a word names. Verifying drafted tokens is decoding.
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

// mixOf is the class of a step of so many requests whose prompts are read and so many
// whose answers are made.
func mixOf(context, generation int64) trace.LoadClass {
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

// maxLoad bounds a number in a name: who counts more is not counting requests or tokens.
const maxLoad = 1 << 40

// whole is the number that digits are, 0 where they are too many to be one.
func whole(digits string) int64 {
	n, err := strconv.ParseInt(digits, 10, 64)
	if err != nil || n > maxLoad {
		return 0
	}
	return n
}

// engineSteps are the steps of the engines whose ranges a capture holds. They are one
// marker: steps are compared by their loads, whatever an engine calls them.
func engineSteps(t *trace.Trace) []found {
	own := enginesOf(t)
	for i := range engines {
		if !slices.Contains(own, int8(i)) {
			continue
		}
		marks := rangeMarks(t, func(id trace.NameID) bool { return own[id] == int8(i) }, nil)
		if len(marks) == 0 || engines[i].plain && !mostOfCapture(t, marks) {
			continue
		}
		by := run.Marker{Kind: run.MarkEngine}
		return []found{{by: by, marks: numberedByEngine(t, marks), label: `range "` + engines[i].label + `"`}}
	}
	return nil
}

// enginesOf is the place in engines of each name that is an engine's step, -1 of others.
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

// mostOfCapture reports whether marks repeat and cover what a step must.
func mostOfCapture(t *trace.Trace, marks []mark) bool {
	rs := make([]trace.Range, len(marks))
	for i, m := range marks {
		rs[i] = trace.Range{Start: m.start, End: m.end}
	}
	return len(rs) >= minRepeats && coverage(rs) >= minDuty && spansDevice(t, rs)
}

// numberedByEngine gives marks the numbers of their names where all have one and they rise.
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

// rangesOf are the ranges that marks were made of, in the order of marks.
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

// giveLoads gives each step the load of the engine step that begins in it, whatever the
// steps were found by. A step that holds several is no engine's, as one of a job that
// generates between its updates: it has no load, and where most are like that none has.
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

// outermostEngineSteps are the ranges whose names hold loads, without those inside
// another on their thread; known gets what their names say.
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
