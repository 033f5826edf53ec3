package steplog

import (
	"math"
	"regexp"
	"strings"

	"perfdiff/analyze/trace"
)

// series are the numbers that the lines of a log say under one name, whatever they are.
type series struct {
	said
	role   role
	per    float64 // ns of its unit; 0: nothing says one
	item   string
	list   []point
	commas int // numbers with a comma
	dots   int // numbers with a point
	own    int // numbers in lines that say which step they are of
}

// point is one of these numbers.
type point struct {
	observation
	value, local float64 // local: if its comma is one of decimals
}

// What is kept of a log whose layout is not known. Chosen, not measured: trainers log some dozens of numbers.
const (
	mostSeries  = 256
	mostPoints  = 1 << 21
	widestLoose = 4096 // bytes
	mostForms   = 4096 // of lines that say nothing of use
)

// loose gathers what lines of no known trainer say.
type loose struct {
	all          []*series
	byName       map[string]*series
	points       int
	stampedSteps int   // lines with the number of a step and a time stamp
	dots, locals int   // numbers that only a point, only a comma of decimals explains
	thousands    int   // likewise commas between thousands
	step, epoch  int64 // the last that a line said; -1: none
	day, last    int64 // ns: what midnights add to time stamps without a date; the last of them
	coarsest     int64 // ns: the last digit of time stamps
	setup        *setup
	asked        bool            // what is noted is asked for, whatever its name says
	dull         map[string]bool // forms of lines that say nothing of use
}

// stepNumbers are how lines number steps, the best first.
var stepNumbers = numbers(
	`(?i)(?:^|[^a-z])(?:global_?step|num_updates)["']?\s*[:=#]?\s*(\d+)(?:$|[^\d.,%\pL]|[,.](?:\s|$))`,
	`(?i)(?:^|[^a-z_])(?:train_)?step["']?\s*[:=#]?\s*(\d+)(?:$|[^\d.,%\pL]|[,.](?:\s|$))`,
	`(?i)(?:^|[^a-z_])(?:iteration|iter|it)["']?\s*[:=#]?\s*(\d+)(?:$|[^\d.,%\pL]|[,.](?:\s|$))`,
	`(?i)(?:^|[^a-z_])(?:batch|update)["']?\s*[:=#]?\s*(\d+)(?:$|[^\d.,%\pL]|[,.](?:\s|$))`,
	`\[\s*(\d+)\s?/\s?\d+`,
	`\s(\d+)/\d+ \[`)

// isValidated matches names of numbers of an evaluation, and trained what stands beside them in lines of steps.
var (
	isValidated = expression(`(?i)(?:^|[^a-z])val_?[a-z]*\s*[:=_/ ]`)
	trained     = expression(`(?i)(?:^|[^a-z_])(?:loss|train|acc(?:uracy)?)(?:[^a-z]|$)`)
)

// otherLoop matches the name of another loop than training before its count, or as what a line is of.
var otherLoop = expression(`(?i)(?:^|[^a-z])(?:(?:val|dev|infer(?:ence)?|generat(?:e|ion)|warm-?up)[\])]?\s*[:|,]?\s*(?:step|iter|batch)` +
	`|(?:mode|split|phase|stage)["']?\s*[:=]\s*["']?(?:val|dev|infer|generat|warm-?up))`)

// isAside reports whether a line of text is about something else than training.
func isAside(s string) bool {
	if notTraining.MatchString(s) || otherLoop.MatchString(s) {
		return true
	}
	return isValidated.MatchString(s) && !trained.MatchString(isValidated.ReplaceAllString(s, " "))
}

// isAside is as the function, which no digit matters to, looked up where a line alike was seen.
func (g *gathering) isAside(s string) bool {
	if len(s) > widestLoose {
		return isAside(s)
	}
	form := formOf(s)
	is, ok := g.aside[form]
	if !ok {
		if is = isAside(s); len(g.aside) < mostForms {
			g.aside[form] = is
		}
	}
	return is
}

// text takes a line of text, or of it the numbers of the columns that are asked for.
func (o *loose) text(l line, broken bool, asked []trace.StepColumn, texts []*regexp.Regexp) {
	if len(l.text) > widestLoose || !strings.ContainsAny(l.text, "0123456789") {
		return
	}
	form := ""
	if asked == nil {
		if form = formOf(l.text); o.dull[form] {
			return
		}
	}
	s, at := o.stamped(l.text)
	step, own := stepIn(s)
	m := epoch.FindStringSubmatch(s)
	if m != nil {
		o.epoch = wholeNumber(m[1])
	}
	if own {
		o.step = step
	}
	of := observation{rank: l.rank, step: o.step, epoch: max(0, o.epoch), broken: broken, batch: o.setup.batch, size: o.setup.size()}
	if of.at = at; own && at >= 0 {
		o.stampedSteps++
	}
	if asked == nil {
		dull := !own && m == nil
		for _, n := range numbersIn(s) {
			dull = !o.note(n, point{observation: of}, own) && dull
		}
		if dull && len(o.dull) < mostForms {
			o.dull[form] = true
		}
	}
	for i, c := range asked {
		m := texts[i].FindStringSubmatchIndex(s)
		if m == nil {
			continue
		}
		if n, ok := numberOf(s[m[2]:m[3]]); ok {
			n.name = c.Name
			n.follow(s[m[3]:])
			n.name = c.Name
			o.note(n, point{observation: of}, own)
		}
	}
}

// stepIn returns the number of the step that a line is of.
func stepIn(s string) (step int64, ok bool) {
	for _, p := range stepNumbers {
		if m := p.FindStringSubmatch(s); m != nil {
			return wholeNumber(m[1]), true
		}
	}
	return -1, false
}

// stamped takes the time stamp off a line. A clock that goes back by half a day went through midnight.
func (o *loose) stamped(s string) (rest string, at int64) {
	if m := unixTime.FindStringSubmatch(s); m != nil {
		if n := wholeNumber(m[1]); n > 0 && n < 1e13 { // which nanoseconds can count
			o.coarsest = max(o.coarsest, 1e6)
			return s, n * 1e6
		}
	}
	at, digit, from, end, dated := stampAt(s)
	if end == 0 {
		return s, -1
	}
	o.coarsest = max(o.coarsest, digit)
	if !dated {
		const day = 24 * 3600 * 1e9
		if at += o.day; at < o.last-day/2 {
			o.day, at = o.day+day, at+day
		}
		o.last = at
	}
	return s[:from] + " " + s[end:], at
}

// formOf returns a line with every number in it alike.
func formOf(s string) string {
	b := make([]byte, 0, len(s))
	for i := range len(s) {
		if s[i] < '0' || s[i] > '9' {
			b = append(b, s[i])
		} else if len(b) == 0 || b[len(b)-1] != '0' {
			b = append(b, '0')
		}
	}
	return string(b)
}

// note keeps a number, and reports whether it may be of use.
func (o *loose) note(n said, p point, own bool) bool {
	key := strings.ToLower(n.name)
	if n.unit > 0 && !o.asked {
		key += " in s"
	}
	if n.perStep {
		key += " a step"
	}
	x := o.byName[key]
	if x == nil {
		if len(o.all) >= mostSeries {
			return false
		}
		x = &series{said: n}
		x.role, x.per, x.item = n.roleOf()
		if o.byName == nil {
			o.byName = map[string]*series{}
		}
		o.byName[key], o.all = x, append(o.all, x)
	}
	sureLocal := n.comma && math.IsNaN(n.value)
	switch {
	case sureLocal:
		o.locals++
	case n.comma && math.IsNaN(n.local):
		o.thousands++
	case !n.comma && n.digits > 0:
		o.dots++
	}
	if x.role == noTime && !o.asked {
		return false
	}
	if o.points++; o.points > mostPoints {
		return true
	}
	if n.comma {
		x.commas++
	} else if n.digits > 0 {
		x.dots++
	}
	if own {
		x.own++
	}
	x.digits = max(x.digits, n.digits)
	p.value, p.local = n.value, n.local
	if n.unit > 0 && x.per > 0 && n.unit != x.per { // 0.5 s on one line, 250 ms on another
		p.value, p.local = float64(p.value*n.unit/x.per), float64(p.local*n.unit/x.per)
	}
	x.list = append(x.list, p)
	return true
}

// locale reports whether commas are those of decimals. sure is false where nothing in the log tells.
func (o *loose) locale(x *series) (local, sure bool) {
	switch {
	case x.commas == 0:
		return false, true
	case o.locals > o.dots+o.thousands:
		return true, true
	case o.dots+o.thousands > 0 || x.commas < len(x.list):
		return false, true
	}
	return false, false
}
