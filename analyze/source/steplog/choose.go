package steplog

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"

	"perfdiff/analyze/trace"
)

// answer is what the numbers of a log come to: a field of steps, or why none is taken. It is empty where no number can
// be the time of a step.
type answer struct {
	field    *field
	question string
	warnings []string
}

// mostBare bounds, in its unit, the time of a step without a unit that is taken for seconds: a step of less than 1 ms
// is no step of training, and one of more than 1 may be in ms. leastBare is likewise the least. Chosen, not measured:
// what trainers print.
const (
	mostBare  = 1
	leastBare = 1e-3
)

// readings returns what a series may be: more than one where nothing tells them apart. Those that its values deny say
// why.
func (o *loose) readings(x *series, asked bool) (out []reading) {
	local, sure := o.locale(x)
	for _, l := range []bool{false, true} {
		if sure && l != local {
			continue
		}
		if x.per > 0 {
			out = append(out, o.as(x, x.per, l))
			continue
		}
		r := o.as(x, 1e9, l)
		if between := betweenLines(longestList(&r.field), float64(o.coarsest)); between > 0 {
			for _, name := range []string{"s", "ms", "us"} {
				x.per = units[name]
				if r := o.as(x, x.per, l); r.why == "" {
					out = append(out, r)
				}
				x.per = 0
			}
			if out == nil && x.role == stepTime { // in no unit
				out = append(out, r)
			}
			continue
		}
		if !asked && r.why == "" && r.median < mostBare*1e9 && r.median >= leastBare*1e9 {
			r.bare = true
			out = append(out, r)
			continue
		}
		for _, name := range []string{"ms", "s"} {
			if r := o.as(x, units[name], l); r.why == "" || name == "s" {
				r.bare = true
				out = append(out, r)
			}
		}
	}
	return out
}

// choose finds the number to take for the time of a step.
func (o *loose) choose(asked []trace.StepColumn) answer {
	if asked != nil {
		return o.named(asked)
	}
	var sure, rates, denied, stamps []reading
	var question, doubt string // doubt: where there is nothing else
	for _, x := range o.all {
		least := enoughToModel
		if x.item != "" && x.own == len(x.list) {
			least = enoughSteps
		}
		if x.role == noTime || len(x.list) < least && !x.column || x.role == someTime && x.own*2 < len(x.list) {
			continue
		}
		list := o.readings(x, false)
		switch {
		case len(list) > 1:
			question = cmp.Or(question, both(list[0], list[1]))
		case len(list) == 0:
		case list[0].kind == counter:
		case x.role == written:
			if list[0].why == "" && list[0].kind == clock && list[0].digit*100 <= coarse {
				stamps = append(stamps, list[0])
			}
		case list[0].why != "" || list[0].digit*100 > coarse && len(x.list) >= enoughToModel:
			if r := list[0]; x.item == "" && (r.kind == each || x.role == stepTime) {
				denied = append(denied, r)
			}
			if x.role == stepTime || list[0].why == "" {
				question = cmp.Or(question, list[0].denied())
			}
			doubt = cmp.Or(doubt, list[0].denied())
		case x.role == someRate:
			rates = append(rates, list[0])
		default:
			sure = append(sure, list[0])
		}
	}
	switch {
	case len(sure) > 0:
		r := bestOf(sure)
		for _, other := range append(sure[1:], denied...) {
			apart := math.Abs(math.Log(other.median / r.median))
			if apart > stepsAgree+other.digit+r.digit && other.series.name != "" {
				return answer{question: both(*r, other)}
			}
		}
		return r.answer()
	case question != "":
		return answer{question: question}
	case len(rates) > 0:
		return bestOf(rates).answer()
	case len(stamps) > 0:
		return byWriting(stamps)
	case doubt == "" && o.stampedSteps >= 4*enoughToModel:
		return answer{question: "its lines number steps and say no time of them (let their time stamps stand in: --step-column " + Timestamps + ")"}
	}
	return answer{question: doubt}
}

// bestOf returns the reading that says most of steps, and tells them apart best. What stands in brackets behind a number
// is its mean so far, whatever its values look like.
func bestOf(list []reading) *reading {
	behind := func(r *reading) int { return strings.Count(r.series.name, "()") }
	slices.SortStableFunc(list, func(a, b reading) int {
		return cmp.Or(cmp.Compare(b.series.role, a.series.role), cmp.Compare(behind(&a), behind(&b)), cmp.Compare(a.kind, b.kind), cmp.Compare(a.digit, b.digit))
	})
	return &list[0]
}

// holds reports whether there is something to take, or to ask.
func (o *loose) holds(asked []trace.StepColumn) bool {
	a := o.choose(asked)
	return a.field != nil || a.question != ""
}

// named reads what the user names, with the same checks.
func (o *loose) named(columns []trace.StepColumn) answer {
	for _, c := range columns {
		x := o.byName[strings.ToLower(c.Name)]
		if x == nil || len(x.list) == 0 {
			continue
		}
		x.role = max(x.role, someTime)
		if c.Unit > 0 && x.item != "" {
			return answer{question: fmt.Sprintf("%q is a rate by its name, and no time: leave the unit out, and its inverse is taken "+
				"(--step-column '%s')", c.Name, c.Name)}
		}
		if c.Unit > 0 {
			x.per = c.Unit
		}
		list := o.readings(x, true)
		switch {
		case len(list) == 1 && !list[0].bare:
		case x.per == 0:
			return answer{question: fmt.Sprintf("%q states no unit (say which, as in --step-column '%s:ms', or :s)", x.name, last(x.name))}
		default:
			return answer{question: both(list[0], list[1])}
		}
		r := list[0]
		switch {
		case r.why != "":
			return answer{question: fmt.Sprintf("%q %s", x.name, r.why)}
		case len(x.list) >= enoughToModel && r.digit*100 > coarse:
			return answer{question: tooCoarseSaid(&r)}
		}
		a := r.answer()
		if a.field.class != smooth {
			a.field.class = asked
		}
		return a
	}
	return answer{}
}

// answer takes a reading.
func (r *reading) answer() (a answer) {
	a.field = &r.field
	x := r.series
	if r.bare {
		a.warnings = append(a.warnings, fmt.Sprintf("%q states no unit: it is taken for seconds, %s a step", x.name, lengthSaid(r.median)))
	}
	if x.item != "" && x.item != "step" {
		a.warnings = append(a.warnings, fmt.Sprintf("%q is a rate: what is compared is its inverse, which is the time of a step "+
			"where a step does the same work", x.name))
	}
	return a
}

// denied says why a reading is not taken.
func (r *reading) denied() string {
	if r.why == "" {
		return tooCoarseSaid(r)
	}
	return fmt.Sprintf("%q %s: say what to take (--step-column %s)", r.series.name, r.why, Timestamps)
}

// both asks which of two readings is right.
func both(a, b reading) string {
	if a.series == b.series && a.field.name == b.field.name {
		if a.bare && math.Abs(math.Log(b.median/a.median)-math.Log(1000)) < 0.01 {
			return fmt.Sprintf("%q states no unit: in ms a step takes %s, in s %s (say which: --step-column '%s:ms', or :s)",
				a.series.name, lengthSaid(a.median), lengthSaid(b.median), last(a.series.name))
		}
		return fmt.Sprintf("the commas in %q stand before thousands or before decimals: a step takes %s, or %s (log it without)",
			a.series.name, lengthSaid(a.median), lengthSaid(b.median))
	}
	return fmt.Sprintf("two numbers can be the time of a step: by %q it takes %s, by %q %s (name one: --step-column '%s', or '%s')",
		a.series.name, lengthSaid(a.median), b.series.name, lengthSaid(b.median), last(a.series.name), last(b.series.name))
}

func tooCoarseSaid(r *reading) string {
	return fmt.Sprintf("%q says a step takes %s, and its last digit is %s: changes below %.0f %% cannot be seen in it (log more digits)",
		r.series.name, lengthSaid(r.median), lengthSaid(r.digit*r.median), 100*r.digit)
}
