package steplog

import "strings"

// role is what the name and the unit of a number say that it may be.
type role int

const (
	noTime   role = iota
	written       // when something was written
	someRate      // of items, of which a step takes nobody says how many
	someTime      // a time, of what is not said
	stepTime      // the time of a step, or steps in a second
)

// itemNames are what rates count, as names and units spell them; "step" is what a step time can be told from.
var itemNames = map[string]string{
	"it": "step", "iter": "step", "iters": "step", "iteration": "step", "iterations": "step", "step": "step", "steps": "step",
	"batch": "step", "batches": "step", "ba": "step", "update": "step", "updates": "step", "ups": "step",
	"tok": "token", "toks": "token", "token": "token", "tokens": "token", "tps": "token",
	"word": "token", "words": "token", "wps": "token",
	"sample": "sample", "samples": "sample", "seq": "sample", "seqs": "sample", "sequence": "sample", "sequences": "sample",
	"image": "sample", "images": "sample", "img": "sample", "imgs": "sample", "example": "sample", "examples": "sample",
	"frame": "sample", "frames": "sample", "fps": "sample", "req": "request", "reqs": "request", "request": "request",
	"requests": "request", "query": "request", "queries": "request", "qps": "request", "": "?"}

func itemOf(word string) string { return itemNames[strings.ToLower(word)] }

var (
	rateName = expression(`(?i)(?:^|[^a-z])([a-z]*?)[ _-]?(?:per[ _-]?|/ ?)s(?:ec(?:ond)?)?s?(?:[^a-z]|$)`)
	rateWord = expression(`(?i)(?:^|[^a-z])(tps|ups|wps|qps|fps)(?:[^a-z]|$)`)
	rateTail = expression(`(?i)(?:^|[^a-z])(tok(?:en)?s?|samples?|images?|req(?:uest)?s?)_s$`)
	ofOther  = expression(`(?i)(?:^|[^a-z])(?:eval|val(?:id(?:ation)?)?|test|data|load(?:ing|er)?)(?:[^a-z]|$)`)
	camelTo  = expression(`([a-z])([A-Z])`)
	flops    = expression(`(?i)flop|byte|bandwidth|[gmt]i?b`)
	// aside are the words of names of times that are part of a step, or of something else.
	aside = expression(`(?i)(?:^|[^a-z])(?:data|load(?:ing|er)?|fwd|forward|bwd|backward|optim(?:izer)?|opt|comm|allreduce|save|saving|` +
		`checkpoint|ckpt|eval|val(?:id(?:ation)?)?|test|queue|eta|remaining|left|min|max|std|p\d\d|gen|update|infer(?:ence)?|ttft|tpot|itl|` +
		`wait|sync|compile|init|startup|latency|timeout|lr|loss)(?:[^a-z]|$)`)
	isStamp  = expression(`(?i)^(?:.*\.)?time_ms$|time_?stamp`)
	timeName = expression(`(?i)(?:^|[^a-z])(?:time|timing|elapsed|took|duration|seconds|secs?|wall|dt|runtime)(?:[^a-z]|$)`)
	unitTail = expression(`(?i)(?:step|iter(?:ation)?|batch)[_ ](?:ns|us|ms|s|secs?|seconds)$`)
	stepPart = expression(`(?i)(?:^|[^a-z])(?:time|timing)[a-z_]*/(?:step|iter)$`)
)

// roleOf returns what a number may be, with the unit of its name and, of a rate, what it counts.
func (n *said) roleOf() (r role, unit float64, item string) {
	if n.column {
		return stepTime, n.unit, ""
	}
	if isWritten.MatchString(n.name) || strings.HasPrefix(n.name, ofTag) {
		return written, 1e9, ""
	}
	name := camelTo.ReplaceAllString(n.name, "${1}_$2")
	item = n.item
	if item == "" && n.unit == 0 && !stepTimeName.MatchString(name) {
		for _, p := range []*pattern{rateName, rateTail, rateWord} {
			if m := p.FindStringSubmatch(name); m != nil && item == "" {
				item = itemOf(m[1])
			}
		}
		if item == "" && strings.Contains(strings.ToLower(name), "throughput") {
			item = "?"
		}
	}
	if item != "" {
		switch {
		case flops.MatchString(name) || ofOther.MatchString(name):
			return noTime, 0, ""
		case item == "step":
			return stepTime, 1e9, item
		}
		return someRate, 1e9, item
	}
	if unit = n.unit; unit == 0 {
		unit = unitOfName("_" + name)
	}
	strong := stepTimeName.MatchString(name) || unitTail.MatchString(name) || stepPart.MatchString(name) || n.perStep || n.count > 0
	switch {
	case isStamp.MatchString(name), aside.MatchString(name) && !(strong && strings.Contains(strings.ToLower(name), "latency")):
		return noTime, unit, ""
	case strong:
		return stepTime, unit, ""
	case timeName.MatchString(name) || n.unit > 0:
		return someTime, unit, ""
	}
	return noTime, unit, ""
}
