package steplog

import (
	"encoding/csv"
	"slices"
	"strconv"
	"strings"

	"perfdiff/analyze/trace"
)

// table is a CSV table; each row is a step or something else.
type table struct {
	header  []string
	comma   rune
	step    int // place of the column with the number of the step, -1: none
	rank    int // likewise with the rank
	epoch   int // likewise with the epoch, in which steps may count anew
	phases  []int
	setup   []int // likewise of columns that say something of the setup
	time    int
	unit    float64
	written int  // place of the column that says when a row was written, -1: none
	stamp   int  // likewise of one that may say it by date or since 1970
	started bool // train/time: the time since training began, of which steps are differences
}

// columnName matches what can be the name of a column.
var columnName = expression(`^[\pL_][\pL\d_ ()/\[\].%|:+#-]{0,80}$`)

// saysNumber matches what is no name: a field of a line of text, with its number.
var saysNumber = expression(`[:=\]\s]\s*[-+]?\d`)

// tableOf reads a line as the header of a table with step times; nil: it is none. unitless is the name of a column that would be step times, if it said its unit.
func tableOf(s string) (t *table, unitless string) {
	for _, comma := range commas {
		t := tableWith(s, comma)
		if t == nil {
			continue
		}
		t.oneRun()
		if more := t.chooseTime(); more != "" {
			unitless = more
		}
		if t.time < 0 {
			continue
		}
		return t, ""
	}
	return nil, unitless
}

var commas = []rune{',', '\t', ';'}

// tableWith reads a line as the header of a table; nil: it is none.
func tableWith(s string, comma rune) *table {
	t := &table{comma: comma, time: -1}
	t.header = t.split(s)
	for i := range t.header {
		t.header[i] = strings.TrimSpace(t.header[i])
	}
	quoted := strings.HasPrefix(s, `"`)
	if slices.ContainsFunc(t.header, func(c string) bool {
		return c != "" && (!columnName.MatchString(c) || saysNumber.MatchString(c) && !quoted)
	}) {
		return nil
	}
	t.written = slices.IndexFunc(t.header, isWritten.MatchString)
	t.stamp = slices.IndexFunc(t.header, isDate.MatchString)
	t.step = placeOf(t.header, stepNumberNames)
	t.rank = placeOf(t.header, []string{"rank", "global_rank"})
	t.epoch = placeOf(t.header, []string{"epoch"})
	for i, name := range t.header {
		if factOf(wordsOf(name)) != "" {
			t.setup = append(t.setup, i)
		}
	}
	for _, n := range phaseNames {
		if at := placeOf(t.header, []string{n}); at >= 0 {
			t.phases = append(t.phases, at)
		}
	}
	return t
}

// plainTable reads a line as the header of a table without a known column of step times: one with a column that is
// asked for, or with one that may be a time or a rate beside others.
func plainTable(s string, asked []trace.StepColumn) *table {
	for _, comma := range commas {
		t := tableWith(s, comma)
		if t == nil {
			continue
		}
		for _, c := range asked {
			if placeOf(t.header, []string{c.Name}) >= 0 || c.Name == Timestamps && (t.written >= 0 || t.stamp >= 0 && t.step >= 0) {
				return t
			}
		}
		if asked == nil {
			t.oneRun()
		}
		may := func(name string) bool {
			r, _, _ := (&said{name: name}).roleOf()
			return r != noTime
		}
		if asked == nil && len(t.header) > 1 && (slices.ContainsFunc(t.header, may) || t.stamp >= 0 && t.step >= 0) {
			return t
		}
	}
	return nil
}

// chooseTime finds the column of step times, and names one that would be it if it said its unit.
func (t *table) chooseTime() (unitless string) {
	for at, name := range t.header {
		if !isStepTime(name) {
			continue
		}
		if t.unit = unitOfName(name); t.unit > 0 {
			t.time = at
			return ""
		}
		unitless = name
	}
	// Lightning, ThroughputMonitor: train/time is in s since training began, without validation.
	if at := placeOf(t.header, []string{"train/time", "train|time"}); at >= 0 && placeOf(t.header, []string{"train/batches", "train|batches"}) >= 0 {
		t.time, t.unit, t.started = at, 1e9, true
		return ""
	}
	return unitless
}

func isStepTime(name string) bool {
	return stepTimeName.MatchString(name) && !notATime.MatchString(name)
}

// split splits a line into its cells.
func (t *table) split(s string) []string {
	if !strings.Contains(s, `"`) {
		return strings.Split(s, string(t.comma))
	}
	r := csv.NewReader(strings.NewReader(s))
	r.Comma, r.LazyQuotes = t.comma, true
	cells, err := r.Read()
	if err != nil {
		return nil
	}
	return cells
}

// row reads a line. ok is false for a row that is no training step.
func (t *table) row(s string) (o observation, cells []string, ok bool) {
	cells = t.split(s)
	if len(cells) <= t.time || len(cells) < 2 && t.time < 0 {
		return o, nil, false
	}
	for i := range cells {
		cells[i] = strings.TrimSpace(cells[i])
	}
	cell := func(at int) string {
		if at < 0 || at >= len(cells) {
			return ""
		}
		return cells[at]
	}
	for _, at := range t.phases {
		if isEvaluation.MatchString(cell(at)) {
			return o, nil, false
		}
	}
	return observation{rank: int(wholeNumber(cell(t.rank))), step: wholeNumber(cell(t.step)), epoch: max(0, wholeNumber(cell(t.epoch)))}, cells, true
}

// wholeNumber reads 12 or 12.0; -1 for anything else.
func wholeNumber(s string) int64 {
	if n, err := strconv.ParseInt(s, 10, 64); err == nil && n >= 0 && n < 1<<53 {
		return n
	}
	if v, err := strconv.ParseFloat(s, 64); err == nil && v >= 0 && v < 1<<53 && v == float64(int64(v)) {
		return int64(v)
	}
	return -1
}
