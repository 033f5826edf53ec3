package steplog

import (
	"cmp"
	"math"
	"slices"
	"strings"
)

// What stands beside the numbers of a training: the time at which a program wrote them. Weights & Biases and
// TensorBoard note it with every row. It stands in for the time of a step where nothing else says one.

// isWritten matches what they call that time, which is in s.
var isWritten = expression(`^(?:_runtime|_timestamp|Wall time|Relative Time \((?:Process|Wall)\))$`)

// isDate matches what tables call the time stamp of a row.
var isDate = expression(`(?i)^(?:time_?stamp|date_?time|date|time)$`)

// ofTag stands before the name of what was written at a time.
const ofTag = "wall time of "

// ofEval matches names of numbers of an evaluation, and isBeside names of what a row is about, or of a whole epoch.
var (
	ofEval   = expression(`(?i)(?:^|[^a-z])(?:eval|val|valid(?:ation)?|test)(?:[^a-z]|$)`)
	isBeside = expression(`(?i)^_|(?:^|[^a-z])epochs?(?:[^a-z]|$)|(?:^|[/_])step$|^rank$`)
)

// rowOf takes the names and cells of a row of a table in which a column says when it was written, and returns that in
// ns; -1 where it says nothing of steps. What follows a row of only an evaluation has that in its time.
func (g *gathering) rowOf(o observation, names, cells []string, written int) int64 {
	training, eval := false, false
	for i, cell := range cells[:min(len(cells), len(names))] {
		if cell == "" || cell == "NaN" || i == written || isBeside.MatchString(names[i]) || isWritten.MatchString(names[i]) {
			continue
		}
		is := ofEval.MatchString(names[i])
		training, eval = training || !is, eval || is
	}
	n, ok := numberOf(cells[written])
	if !ok {
		return -1
	}
	if eval {
		g.evals++
	}
	g.writtenAt(names[written], n, o, training)
	if g.table.header[g.table.step] == "_step" { // which counts rows, and not steps
		return -1
	}
	return int64(n.value * 1e9)
}

// stampedRow returns the time stamp of a row, in ns since 1970, and notes it where these are asked for; -1: it has none.
// A number is in s, ms or us, as it can be.
func (g *gathering) stampedRow(o observation, cell string) (at int64) {
	at, digit, _, end, _ := stampAt(cell)
	if n, ok := numberOf(cell); ok && end == 0 {
		unit := 1e9
		for n.value*unit >= 1e19 && unit > 1 {
			unit /= 1e3
		}
		if at, digit, end = int64(n.value*unit), int64(unit*math.Pow10(-min(9, n.digits))), 1; n.value < 1e9 || n.value*unit >= 4e18 {
			return -1
		}
	}
	if end == 0 {
		return -1
	}
	g.loose.coarsest = max(g.loose.coarsest, digit, 1)
	if g.loose.stampedSteps++; g.asked != nil && g.asked[0].Name == Timestamps {
		o.time = at
		g.addTime(field{class: asked, name: Timestamps, mean: true, differs: true}, o)
	}
	return at
}

// writtenAt notes when something was written of a step of training.
func (g *gathering) writtenAt(name string, n said, o observation, training bool) {
	g.loose.coarsest = int64(math.Pow10(9 - min(9, max(n.digits, g.writtenDigits))))
	g.writtenDigits = max(g.writtenDigits, n.digits)
	if !training || o.step < 0 {
		return
	}
	if g.evalsAt == nil {
		g.evalsAt = map[string]int{}
	}
	if _, ok := g.evalsAt[name]; !ok && len(g.evalsAt) >= mostSeries {
		return
	}
	o.at, o.broken = -1, g.evalsAt[name] != g.evals
	g.evalsAt[name] = g.evals
	if n.unit = 1e9; g.asked != nil && g.asked[0].Name == Timestamps {
		if g.stampOf = cmp.Or(g.stampOf, name); g.stampOf != name {
			return
		}
		name = Timestamps
	}
	n.name = name
	g.loose.note(n, point{observation: o}, true)
}

// byWriting chooses among times of writing that of what was written most often, the first of them.
func byWriting(list []reading) answer {
	best := slices.MaxFunc(list, func(a, b reading) int { return len(a.series.list) - len(b.series.list) })
	a := best.answer()
	if strings.HasPrefix(best.series.name, ofTag) { // whatever it is that was written
		a.field.name = "differences of " + strings.TrimSuffix(ofTag, " of ")
	}
	a.warnings = append(a.warnings, "no number says what a step takes: steps take what lies between the times at which they were written, "+
		"and with it what the program does between steps")
	return a
}

// oneRun strips the name of the run that Weights & Biases writes before the name of each column of a chart ("run -
// train/step_time"), and empties the names of the columns of its smoothing. runs are the names before columns that may
// be times, of which there should be one.
func (t *table) oneRun() (runs []string) {
	stripped := slices.Clone(t.header)
	for i, name := range t.header {
		if strings.HasSuffix(name, "__MIN") || strings.HasSuffix(name, "__MAX") {
			stripped[i] = ""
			continue
		}
		at := strings.LastIndex(name, " - ")
		if at < 0 {
			continue
		}
		stripped[i] = name[at+len(" - "):]
		if r, _, _ := (&said{name: stripped[i]}).roleOf(); r != noTime && !slices.Contains(runs, name[:at]) {
			runs = append(runs, name[:at])
		}
	}
	if len(runs) == 1 {
		t.header = stripped
	}
	return runs
}
