package steplog

import (
	"encoding/json"
	"maps"
	"slices"
	"strconv"
	"strings"
)

// object is a JSON object on one line, with its members by their names, and nested ones as in metadata.step.
type object struct {
	names  []string // in order
	values map[string]any
}

// sysjson is in front of the object in which results of MLPerf describe their machine.
const sysjson = ":::SYSJSON "

// mlperf is in front of the objects of MLPerf's logs (mlperf_logging, mllog): {"key": "tracked_stats", "value":
// {"train_step_time": 7.1}, "metadata": {"step": 12}}, in s.
const mlperf = ":::MLLOG "

// deepest bounds how deep in an object its members are looked for.
const deepest = 4

// objectIn reads the object in a line: all of it, or the part after the mark of MLPerf or of NVIDIA's DLLogger.
func objectIn(s string) (o object, ofMLPerf, ok bool) {
	if i := strings.Index(s, mlperf); i >= 0 {
		s, ofMLPerf = s[i+len(mlperf):], true
	} else if i := strings.Index(s, sysjson); i >= 0 {
		s = s[i+len(sysjson):]
	} else {
		s = strings.TrimPrefix(s, "DLLL ")
	}
	if s = strings.TrimSpace(s); !strings.HasPrefix(s, "{") {
		return object{}, ofMLPerf, false
	}
	d := json.NewDecoder(strings.NewReader(s))
	d.UseNumber()
	var members map[string]any
	if d.Decode(&members) != nil {
		return object{}, ofMLPerf, false
	}
	o = object{values: map[string]any{}}
	o.add("", members, 1)
	o.names = slices.Sorted(maps.Keys(o.values))
	return o, ofMLPerf, true
}

func (o *object) add(path string, members map[string]any, depth int) {
	for name, v := range members {
		if within, ok := v.(map[string]any); ok {
			if depth < deepest {
				o.add(path+name+".", within, depth+1)
			}
			continue
		}
		o.values[path+name] = v
	}
}

// setUp notes what the object says of the setup: in members, or as MLPerf does with a key and its value.
func (o *object) setUp(u *setup) {
	if key, ok := o.values["key"].(string); ok {
		if text, ok := o.text("value"); ok {
			u.named(key, text)
		}
	}
	for _, name := range o.names {
		if text, ok := o.text(name); ok {
			u.named(name, text)
		}
	}
}

// last returns the last name of a path.
func last(path string) string { return path[strings.LastIndexByte(path, '.')+1:] }

// number returns a member's number. Some programs write numbers as texts.
func (o *object) number(path string) (float64, bool) {
	text, ok := o.text(path)
	f, err := json.Number(text).Float64()
	return f, ok && err == nil
}

// text returns a member's number or text as it stands.
func (o *object) text(path string) (string, bool) {
	switch v := o.values[path].(type) {
	case json.Number:
		return v.String(), true
	case string:
		return strings.TrimSpace(v), true
	}
	return "", false
}

// called returns the path of the first member with one of the names, whole or its last; "" if none has.
func (o *object) called(names ...string) string {
	for _, n := range names {
		for _, whole := range []bool{true, false} {
			for _, p := range o.names {
				if whole && strings.EqualFold(p, n) || !whole && strings.EqualFold(last(p), n) {
					return p
				}
			}
		}
	}
	return ""
}

// step returns the number of the step, -1 if there is none.
func (o *object) step() int64 { return o.whole(stepNumberNames...) }

// rank returns the rank that the object states, -1 if none.
func (o *object) rank() int { return int(o.whole("rank", "global_rank")) }

// whole returns the whole number of the first member with one of the names, -1 if there is none.
func (o *object) whole(names ...string) int64 {
	v, ok := o.number(o.called(names...))
	if !ok {
		return -1
	}
	return wholeNumber(strconv.FormatFloat(v, 'f', -1, 64))
}

// isEvaluation reports whether the object says to be about something else than training.
func (o *object) isEvaluation() bool {
	return slices.ContainsFunc(phaseNames, func(n string) bool {
		text, _ := o.values[o.called(n)].(string)
		return isEvaluation.MatchString(text)
	})
}

// time finds the member that holds the step's time, with its unit in ns. unitless is the name of a member that would
// be it if it stated its unit.
func (o *object) time(ofMLPerf bool) (path string, unit float64, unitless string) {
	if p := o.called("train_step_time"); ofMLPerf && p != "" {
		if _, ok := o.number(p); ok {
			return p, 1e9, ""
		}
	}
	for _, p := range o.names {
		_, ok := o.number(p)
		if !ok || !isStepTime(last(p)) {
			continue
		}
		if unit = unitOfName(last(p)); unit > 0 {
			return p, unit, ""
		}
		unitless = p
	}
	return "", 0, unitless
}
