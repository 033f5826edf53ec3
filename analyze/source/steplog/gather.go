package steplog

import (
	"cmp"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"perfdiff/analyze/trace"
)

// class is how far a field is believed to hold step times; lower is better.
type class int

const (
	asked  class = iota // the user names it
	known               // a trainer's line
	named               // a column or member whose name says it
	smooth              // a progress bar, which averages
)

// field is one kind of time in a log: from one kind of line, one column or one bar.
type field struct {
	class class
	name  string
	mean  bool // of all steps since the line before
	// differs: values are points in time, of which steps are the differences, over as many steps as numbers go on.
	differs bool
	means   bool    // values are running means, of which steps are what n of them grow by
	digit   float64 // ns: the last of a mean
	times   int     // of a step, as most have
	seen    []observation
}

// observation is one time of a step in a log.
type observation struct {
	rank   int     // -1: nothing says it
	step   int64   // -1: it has no number
	epoch  int64   // in which steps may count anew; 0: nothing says it
	time   int64   // ns
	at     int64   // ns: the time stamp of its line, where it was looked for; -1: none
	broken bool    // something else than the step falls into it
	batch  float64 // samples that its step takes, as last said; 0: not said
	size   float64 // what is said of how much its step does, in a unit of the log's own; 0: nothing
	other  bool    // its step is of another size than most
}

// gathering gathers what the lines of a log say.
type gathering struct {
	asked    []trace.StepColumn
	texts    []*regexp.Regexp // for those asked for, in lines of text
	fields   []*field
	bars     bars
	table    *table
	begun    bool // a line was read that is no comment
	lines    int
	columns  []string // of the table, or of the first object
	unitless string   // what would hold step times, if it said its unit
	broken   map[*recogniser]bool
	paused   bool            // something else than steps was printed since the last one
	bad      int             // values that are no length of time
	again    int             // steps that were run again
	aside    map[string]bool // by form of a line: what isAside says
	setup    setup
	loose    loose
	answer   answer // what loose comes to
	taken    *field
	of       string   // what is counted as lines: "lines", "events"
	several  []string // runs of one table

	evals         int            // rows or numbers of evaluations so far
	evalsAt       map[string]int // what it was when a name was last written
	writtenDigits int            // of the times of writing
	stampOf       string         // what is written at the times that are asked for
	runtime       float64        // s, of a whole run of so many steps
	runSteps      int64
}

func newGathering(columns []trace.StepColumn) *gathering {
	g := &gathering{asked: columns, broken: map[*recogniser]bool{}, aside: map[string]bool{}}
	g.loose = loose{step: -1, asked: columns != nil, dull: map[string]bool{}, setup: &g.setup}
	for _, c := range columns {
		g.texts = append(g.texts, regexp.MustCompile(`(?i)(?:^|[^\pL\d_])`+regexp.QuoteMeta(c.Name)+`["']?\s*[:=]?\s*["']?(`+numberText.text+`)`))
	}
	return g
}

func (g *gathering) empty() bool {
	return !slices.ContainsFunc(g.fields, func(f *field) bool { return len(f.seen) > 0 })
}

// meant reports whether the text is a table or holds objects, and columns are asked for that it may be meant to have.
func (g *gathering) meant() bool {
	return g.unitless != "" || len(g.several) > 1 || g.asked != nil && g.columns != nil
}

// line takes a line.
func (g *gathering) line(l line) {
	g.lines++
	g.setup.own = [3]float64{}
	if !g.begun {
		g.begun = !strings.HasPrefix(l.text, "#")
		if g.header(strings.TrimLeft(l.text, "# ")) {
			return
		}
	}
	if g.table != nil {
		g.row(l)
		return
	}
	if o, ofMLPerf, ok := objectIn(l.text); ok {
		o.setUp(&g.setup)
		g.object(&o, l, ofMLPerf)
		if g.asked == nil || g.asked[0].Name != Timestamps {
			return
		}
	} else {
		g.setup.line(l.text, g.lines)
	}
	if g.asked != nil && g.asked[0].Name == Timestamps {
		g.stampedIn(l)
		return
	}
	if g.asked == nil && g.recognise(l) {
		return
	}
	if g.isAside(l.text) {
		g.paused = true
		return
	}
	g.loose.text(l, g.paused, g.asked, g.texts)
	g.paused = false
}

// header takes a line if it is the header of a table with step times, or with what may be one.
func (g *gathering) header(s string) bool {
	if t := tableWith(s, ','); g.asked == nil && t != nil {
		if g.several = t.oneRun(); len(g.several) > 1 {
			g.begun, g.table = true, t
			return true
		}
	}
	if g.asked == nil {
		t, unitless := tableOf(s)
		g.unitless = cmp.Or(unitless, g.unitless)
		if t != nil {
			g.begun, g.table, g.columns = true, t, t.header
			return true
		}
	}
	t := plainTable(s, g.asked)
	if t != nil {
		g.begun, g.table, g.columns = true, t, t.header
	}
	if cells := strings.Split(s, ","); t == nil && len(cells) > 1 && (g.asked != nil || !strings.Contains(s, " ")) &&
		!slices.ContainsFunc(cells, func(c string) bool { return !columnName.MatchString(strings.TrimSpace(c)) }) {
		g.columns = cells
	}
	return t != nil
}

// add notes a value of a field.
func (g *gathering) add(like field, o observation, value, unit float64) {
	ns, ok := nanoseconds(value, unit)
	if !ok {
		g.bad++
		return
	}
	o.time = ns
	g.addTime(like, o)
}

func (g *gathering) addTime(like field, o observation) {
	i := slices.IndexFunc(g.fields, func(f *field) bool { return f.class == like.class && f.name == like.name })
	if i < 0 {
		i = len(g.fields)
		g.fields = append(g.fields, &like)
	}
	o.batch, o.size = g.setup.batch, g.setup.size()
	g.fields[i].seen = append(g.fields[i].seen, o)
}

func (g *gathering) row(l line) {
	o, cells, ok := g.table.row(l.text)
	if !ok {
		return
	}
	if o.rank < 0 {
		o.rank = l.rank
	}
	o.at = -1
	if t := g.table; t.written >= 0 && t.written < len(cells) && t.step >= 0 {
		o.at = g.rowOf(o, t.header, cells, t.written)
	} else if t.stamp >= 0 && t.stamp < len(cells) && o.step >= 0 {
		o.at = g.stampedRow(o, cells[t.stamp])
	}
	for _, i := range g.table.setup {
		if i < len(cells) && cells[i] != "" {
			g.setup.named(g.table.header[i], cells[i])
		}
	}
	if g.table.time < 0 {
		for i, cell := range cells {
			if n, ok := numberOf(cell); ok && i < len(g.table.header) && g.table.step != i && !isWritten.MatchString(g.table.header[i]) {
				n.name = g.table.header[i]
				g.noteNamed(n, o)
			}
		}
		return
	}
	n, ok := numberOf(cells[g.table.time])
	switch name := g.table.header[g.table.time]; {
	case !ok:
	case g.table.started:
		g.add(field{class: named, name: name, differs: true, mean: true}, o, n.value, g.table.unit)
	default:
		n.name, n.unit, n.column = name, g.table.unit, true
		g.noteNamed(n, o)
	}
}

// noteNamed keeps a number that a column or a member names, for the model.
func (g *gathering) noteNamed(n said, o observation) {
	o.batch, o.size = g.setup.batch, g.setup.size()
	for _, c := range g.asked {
		if strings.EqualFold(n.name, c.Name) || strings.EqualFold(last(n.name), c.Name) {
			n.name = c.Name
			g.loose.note(n, point{observation: o}, true)
			return
		}
	}
	if g.asked == nil {
		g.loose.note(n, point{observation: o}, true)
	}
}

func (g *gathering) object(o *object, l line, ofMLPerf bool) {
	if g.columns == nil {
		g.columns = o.names
	}
	if o.isEvaluation() {
		return
	}
	of := observation{rank: o.rank(), step: o.step(), epoch: max(0, o.whole("epoch")), at: -1}
	if of.rank < 0 {
		of.rank = l.rank
	}
	if ofMLPerf {
		of = g.ofMLPerf(o, of)
	}
	if g.asked == nil {
		path, unit, unitless := o.time(ofMLPerf)
		text, _ := o.text(path)
		if g.unitless = cmp.Or(unitless, g.unitless); path != "" {
			if n, ok := numberOf(text); ok {
				n.name, n.unit, n.column = path, unit, true
				g.noteNamed(n, of)
			}
			return
		}
	}
	for _, p := range o.names {
		if text, ok := o.text(p); ok && !slices.Contains(stepNumberNames, last(p)) {
			if n, ok := numberOf(text); ok {
				n.name = p
				g.noteNamed(n, of)
			}
		}
	}
}

// ofMLPerf heeds what MLPerf's logs say otherwise than others: "step" beside a throughput counts samples.
func (g *gathering) ofMLPerf(o *object, of observation) observation {
	if _, ok := o.number("value.throughput"); ok && of.step > 0 && g.setup.batch > 0 {
		of.step = int64(float64(of.step) / g.setup.batch)
	}
	return of
}

// recognise looks for lines that trainers print.
func (g *gathering) recognise(l line) bool {
	for i := range recognisers {
		r := &recognisers[i]
		if r.announces(l.text) {
			g.broken[r] = true
		}
		step, value, ok := r.find(l.text)
		if !ok {
			continue
		}
		g.add(field{class: known, name: r.name, mean: r.mean}, observation{rank: l.rank, step: step, broken: g.broken[r]}, value, r.unit)
		g.broken[r] = false
		return true
	}
	if step, ns, ok := g.bars.find(l.text); ok {
		g.add(field{class: smooth, name: barName}, observation{rank: l.rank, step: step}, ns, 1)
		return true
	}
	return false
}

// stampedIn looks in a line of text for a step's number and the time at which it was printed.
func (g *gathering) stampedIn(l line) {
	s, at := g.loose.stamped(l.text)
	step, own := stepIn(s)
	aside := g.isAside(l.text)
	if at >= 0 && own && !aside {
		g.addTime(field{class: asked, name: Timestamps, mean: true, differs: true},
			observation{rank: l.rank, step: step, time: at, broken: g.paused})
		g.paused = false
		return
	}
	g.paused = g.paused || aside
}

// enoughSteps is how many steps a kind of time must have to be preferred to a less trusted one: nothing is judged with
// fewer. If only one kind is left it is taken with fewer, too.
const enoughSteps = 3

// chosen returns the kind of time to take: the most trusted one with enough steps, else the one with most.
func (g *gathering) chosen() *field {
	var best *field
	for _, f := range g.fields {
		better := best == nil
		switch {
		case better || len(f.seen) == 0:
		case (len(f.seen) >= enoughSteps) != (len(best.seen) >= enoughSteps):
			better = len(f.seen) > len(best.seen)
		default:
			better = f.class < best.class
		}
		if better {
			best = f
		}
	}
	return best
}

// logged returns the steps of the log; else why there are none.
func (g *gathering) logged() (*trace.Logged, string) {
	f := g.chosen()
	if len(g.several) > 1 {
		return nil, g.whyNone()
	}
	if f == nil || len(f.seen) == 0 || g.asked != nil && f.name != Timestamps {
		if g.answer = g.loose.choose(g.asked); g.answer.field == nil {
			if whole := g.asWhole(); whole != nil {
				return whole, ""
			}
			return nil, g.whyNone()
		}
		f = g.answer.field
	}
	g.taken = f
	batch, size := mostBatch(f.seen)
	steps, again := stepsOf(f)
	g.again = again
	out := &trace.Logged{Name: f.name, Steps: steps, Setup: g.setup.facts(batch, size)}
	if f.times > 1 {
		out.Setup = append(out.Setup, trace.Fact{Key: trace.FactTimes, Value: strconv.Itoa(f.times)})
	}
	if f.mean {
		out.Every = stride(steps)
	}
	if f.name == Timestamps && tooCoarse(steps, g.loose.coarsest, out.Every) {
		return nil, fmt.Sprintf("the time stamps of its lines are whole multiples of %s, which is more than %d %% of what lies between two: "+
			"steps cannot be told from them (log the time of steps, or more digits of the time)", lengthOf(g.loose.coarsest), coarse)
	}
	if len(steps) == 0 {
		return nil, fmt.Sprintf("%d lines, and only one of them with a time, of which steps would be the differences", g.lines)
	}
	return out, ""
}
