package steplog

import (
	"strconv"
	"strings"
)

// bar matches a progress bar of tqdm: "Epoch 0:  50%|█████     | 50/100 [00:05<00:05,  9.80it/s, loss=2.1]". Its rate is
// a moving average over the last few steps (tqdm, std.py, format_meter and EMA).
var bar = expression(`^(.*?)(?:(\d+)%\|[^|]*\|)?\s*(\d+)/(\d+) \[[\d:]+<[\d:?]+,\s*` + number +
	`\s?(?:(?:it|steps?|batch(?:es)?|ba)/(s)|s/(?:it|steps?|batch|ba))`)

// notSteps matches texts before bars that do not count training steps.
var notSteps = expression(`(?i)valid|eval|test|sanity|predict|load|map|token|download|filter|shard|generat|sav|fetch|process|writ`)

// isSteps finds a word in the text before a bar that says that it counts steps; a bar without a text may count steps
// too.
var isSteps = expression(`(?i)epoch|train|step|iter`)

var epoch = expression(`(?i)epoch\D{0,3}(\d+)`)

var digits = expression(`\d+`)

// barName is the name in reports of the time of a progress bar.
const barName = "rate of the progress bar"

// bars follows the progress bars of a log. The first that counts steps is the training's: others run within it.
type bars struct {
	family string // what stands before it, without numbers, and how many it counts
}

// find looks for a step in a line.
func (b *bars) find(s string) (step int64, ns float64, ok bool) {
	if !strings.Contains(s, " [") || !strings.ContainsRune(s, '<') {
		return 0, 0, false
	}
	m := bar.FindStringSubmatch(s)
	if m == nil {
		return 0, 0, false
	}
	before := strings.TrimSpace(m[1])
	if before != "" && (notSteps.MatchString(before) || !isSteps.MatchString(before)) {
		return 0, 0, false
	}
	n, err1 := strconv.ParseInt(m[3], 10, 32)
	total, err2 := strconv.ParseInt(m[4], 10, 32)
	rate, err3 := strconv.ParseFloat(m[5], 64)
	if err1 != nil || err2 != nil || err3 != nil || rate <= 0 || n >= total { // the last one says the mean of all
		return 0, 0, false
	}
	family := digits.ReplaceAllString(before, "N") + "/" + m[4]
	if b.family == "" {
		b.family = family
	}
	if b.family != family {
		return 0, 0, false
	}
	if e := epoch.FindStringSubmatch(before); e != nil {
		if k, err := strconv.ParseInt(e[1], 10, 32); err == nil {
			n += k * total
		}
	}
	if m[6] != "" { // a second
		return n, 1e9 / rate, true
	}
	return n, rate * 1e9, true
}
