package steplog

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"perfdiff/analyze/trace"
)

// Timestamps stands for the time stamps of lines instead of a column: a step then takes the time between two of them.
const Timestamps = "timestamps"

// ParseColumn reads NAME or NAME:UNIT, with ns, us, ms or s.
func ParseColumn(text string) (trace.StepColumn, error) {
	name, unit := text, ""
	if i := strings.LastIndexByte(text, ':'); i >= 0 && units[text[i+1:]] > 0 {
		name, unit = text[:i], text[i+1:]
	}
	name = strings.TrimSpace(name)
	if name == "" {
		return trace.StepColumn{}, fmt.Errorf("%q: names no column: give NAME or NAME:UNIT, as in step_time:ms", text)
	}
	return trace.StepColumn{Name: name, Unit: units[unit]}, nil
}

// units are the units of times, in ns.
var units = map[string]float64{"ns": 1, "us": 1e3, "µs": 1e3, "ms": 1e6, "s": 1e9}

// unitWords are how names of columns end that say their unit.
var unitWords = expression(`(?i)(?:[\s_(\[/.-]|\bin )(ns|nanos?|nanoseconds?|us|µs|micros?|microseconds?|ms|msecs?|millis?|milliseconds?|s|secs?|seconds?)[)\]]?$`)

// unitOf returns the unit that a name ends with, in ns; 0: it says none.
func unitOf(name string) float64 {
	m := unitWords.FindStringSubmatch(strings.TrimSpace(name))
	if m == nil {
		return 0
	}
	return unitCalled(m[1])
}

// unitCalled returns the unit of a word, in ns; 0: it is none.
func unitCalled(word string) float64 {
	word = strings.ToLower(word)
	switch {
	case word == "":
		return 0
	case units[word] > 0:
		return units[word]
	case strings.HasPrefix(word, "n"):
		return units["ns"]
	case strings.HasPrefix(word, "mic"):
		return units["us"]
	case strings.HasPrefix(word, "mi") || strings.HasPrefix(word, "ms"):
		return units["ms"]
	case strings.HasPrefix(word, "s"):
		return units["s"]
	}
	return 0
}

// stepTimeName matches what programs call a column of step times: step_time_ms, iteration time (s), time_per_step,
// ms_per_step, train/step_time_s, dt_ms.
var stepTimeName = expression(`(?i)(?:^|[^a-z])(?:` +
	`(?:(?:train(?:ing)?|global)[\s_.-]?)?(?:step|iter(?:ation)?|batch)[\s_.-]?(?:time|timing|duration|latency|elapsed)` +
	`|(?:time|elapsed|duration)[\s_.-]?(?:per|a)[\s_.-]?(?:step|iter(?:ation)?|batch)` +
	`|(?:ns|us|ms|s|secs?|seconds)[\s_.-]?(?:per|/)[\s_.-]?(?:step|iter(?:ation)?|batch)` +
	`|elapsed time per iteration|dt)(?:[^a-z]|$)`)

// unitPer is the unit of a name like ms_per_step, in ns; 0: it says none.
var perStep = expression(`(?i)(?:^|[^a-z])(ns|us|ms|s|secs?|seconds)[\s_.-]?(?:per|/)[\s_.-]?(?:step|iter|batch)`)

// unitOfName returns the unit that the name of a column says, in ns; 0: none.
func unitOfName(name string) float64 {
	if m := perStep.FindStringSubmatch(name); m != nil {
		return unitCalled(m[1])
	}
	return unitOf(name)
}

// notATime matches columns that are about step times and hold none: averages of a whole run, shares, parts.
var notATime = expression(`(?i)(?:^|[^a-z])(?:avg|average|mean|total|cumulative|min|max|std|p\d\d|%|percent|ratio|data|eval|val(?:id)?|test)(?:[^a-z]|$)`)

// stepNumberNames are the names of columns that number steps, the best first.
var stepNumberNames = []string{"step", "global_step", "train_step", "trainer/global_step", "train/global_step", "training_step", "iteration",
	"iter", "step_num", "current_step", "current_steps", "_step", "it", "batch", "samples_count"}

// isEvaluation matches values of a column called split, phase or the like in rows that are no training steps.
var isEvaluation = expression(`(?i)^(?:eval|val|test|predict|warm|sanity|infer)`)

// phaseNames are the columns that say what a row is about.
var phaseNames = []string{"split", "phase", "mode", "stage", "subset", "event", "event_type", "type"}

// placeOf returns the place of the first of names among the columns, -1 if none is there.
func placeOf(columns, names []string) int {
	for _, n := range names {
		if i := slices.IndexFunc(columns, func(c string) bool { return strings.EqualFold(c, n) }); i >= 0 {
			return i
		}
	}
	return -1
}

// longestStep bounds the step times that are believed, in ns: a week. Chosen, not measured.
const longestStep = 7 * 24 * 3600 * 1e9

// nanoseconds turns a number in a unit into ns; ok is false if it is no length of time.
func nanoseconds(value, unit float64) (ns int64, ok bool) {
	v := float64(value * unit)
	if !(v >= 1) || v > longestStep || math.IsInf(v, 0) {
		return 0, false
	}
	return int64(math.Round(v)), true
}
