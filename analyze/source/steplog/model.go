package steplog

import (
	"cmp"
	"fmt"
	"maps"
	"math"
	"slices"
	"time"

	"perfdiff/analyze/order"
	"perfdiff/analyze/trace"
)

// kind is what the values of a number are, whatever it is called.
type kind int

const (
	each    kind = iota // the time of each step, or of the last few
	clock               // grows from line to line
	mean                // of all steps so far: neighbours differ by 1/n
	smooths             // an average that forgets
	counter             // counts lines
	vague               // none of these for sure
)

// What values must do to be taken for something else than the times of steps. Chosen, not measured: between what noise
// of 1 % does and what clocks and means do, as TestUnknown holds.
const (
	enoughToModel = 6    // values; of fewer nothing is said
	mostlyGrows   = 0.95 // share of neighbours of a clock that grow
	mostlyTime    = 3    // times the first value; what is called the time of a step and grows by less is that. Chosen, not measured
	isSmooth      = 0.4  // times a quarter of the values' difference: the most of neighbours in an average
	meanSpread    = 2.2  // times: how much the spread of the steps behind a running mean may change from half to half
	stepsAgree    = 0.03 // share: the most by which two numbers of one step differ
	longest       = 1.08 // times what lies between lines: the most that a step of it takes
	shortest      = 0.4  // likewise the least
)

// kindOf tells what values are from how they follow each other. called says that their name is that of a mean.
func kindOf(list []observation, digit float64, called bool) kind {
	n := len(list)
	if n < enoughToModel {
		return each
	}
	grows, even, back := 0, true, false
	for i := 1; i < n; i++ {
		d := list[i].time - list[i-1].time
		even = even && d == list[1].time-list[0].time
		if d > 0 {
			grows++
		}
		back = back || list[i].step >= 0 && list[i].step < list[i-1].step
	}
	switch {
	case even && grows > 0:
		return counter
	case float64(grows) >= mostlyGrows*float64(n-1):
		return clock
	case n < 2*enoughToModel:
		return each
	}
	v := valuesOf(list)
	if smoothness(v) > isSmooth {
		return each
	}
	if y := behindMean(list, digit); !back && len(y) >= enoughToModel {
		y := valuesOf(y)[1:]
		half := len(y) / 2
		a, b, most := spread(y[:half]), spread(y[half:]), meanSpread
		if called {
			most *= 2
		}
		if slices.Min(y) > 0 && smoothness(y) > isSmooth && b < most*a && a < most*meanSpread*b {
			return mean
		}
	}
	if third := n / 3; math.Abs(math.Log(order.Median(v[third:2*third])/order.Median(v[2*third:]))) > stepsAgree/3 {
		return vague
	}
	return smooths
}

var meanName = expression(`(?i)(?:^|[^a-z])(?:avg|average|mean|running)(?:[^a-z]|$)|^Running`)

func valuesOf(list []observation) []float64 {
	v := make([]float64, len(list))
	for i := range list {
		v[i] = float64(list[i].time)
	}
	return v
}

// smoothness is what neighbours differ by, as a share of what values a quarter of the list apart do; about 1 for
// values that know nothing of each other.
func smoothness(v []float64) float64 {
	apart := func(by int) float64 {
		var d []float64
		for i := by; i < len(v); i++ {
			d = append(d, math.Abs(v[i]-v[i-by]))
		}
		return order.Median(d)
	}
	far := apart(max(2, len(v)/4))
	if far == 0 {
		return 1
	}
	return apart(1) / far
}

func spread(v []float64) float64 {
	m := order.Median(slices.Clone(v))
	d := make([]float64, len(v))
	for i := range v {
		d[i] = math.Abs(v[i] - m)
	}
	return order.Median(d)
}

// behindMean returns the steps behind a running mean: what n times it grows by. Where its last digit would be more
// than 1 % of a step, several lines are one. digit is in ns.
func behindMean(list []observation, digit float64) (out []observation) {
	if len(list) == 0 {
		return nil
	}
	sum := func(i int) (n, ns float64) {
		if n = float64(list[i].step); list[0].step <= 0 {
			n = float64(i + 1)
		}
		return n, float64(n * float64(list[i].time))
	}
	by := max(1, int(math.Ceil(digit*float64(len(list))/(0.01*float64(list[len(list)-1].time)))))
	from, total := 0.0, 0.0
	for i := by - 1; i < len(list); i += by {
		n, ns := sum(i)
		o := list[i]
		if o.time = int64(math.Round((ns - total) / (n - from))); n > from && o.time > 0 && o.time <= longestStep {
			out = append(out, o)
		}
		from, total = n, ns
	}
	return out
}

// reading is what a series would be as steps.
type reading struct {
	series *series
	field  field
	kind   kind
	median float64 // ns of a step, or of items
	digit  float64 // share of it that the last digit is
	of     int64   // steps that a value is the time of; 1: one
	whole  bool    // of a rate, whose items a step takes so many of as the log says
	bare   bool    // no unit is said: seconds, for what they would be otherwise
	why    string  // it cannot be taken: what its values deny
}

// scale is of how many items a time is shown, where no step can be told: of tokens, a thousand.
func scale(item string) float64 {
	if item == "token" {
		return 1000
	}
	return 1
}

// as reads a series with a unit in ns.
func (o *loose) as(x *series, unit float64, local bool) reading {
	r := reading{series: x, of: max(1, x.count), field: field{class: named, name: x.name}}
	work := scale(x.item)
	if x.item != "" && x.item != "step" {
		if w := o.setup.work(x.item); w > 0 {
			work, r.whole = w, true
		}
	}
	steps := map[int64]bool{}
	var middle []float64
	for _, p := range x.list {
		v := p.value
		if local && !math.IsNaN(p.local) {
			v = p.local
		}
		if ns := v * unit; v > 0 && ns < math.MaxInt64/2 {
			if middle = append(middle, v); x.item != "" {
				ns = work / v * 1e9
			}
			of := p.observation
			of.time = int64(math.Round(ns))
			r.field.seen = append(r.field.seen, of)
			steps[of.step] = true
		}
	}
	if len(middle) == 0 {
		r.why = "has no number above 0"
		return r
	}
	if x.own == 0 && len(steps)*2 < len(middle) { // the number before the first of them is none of theirs
		for i := range r.field.seen {
			r.field.seen[i].step = -1
		}
	}
	r.digit = math.Pow10(-x.digits) / order.Median(middle)
	o.model(&r)
	return r
}

// model tells what the values are and what a step takes by them.
func (o *loose) model(r *reading) {
	list := longestList(&r.field)
	digit := float64(r.digit * float64(order.Median(timesOf(list))))
	r.kind = kindOf(list, digit, meanName.MatchString(r.series.name))
	if named := r.series.role == stepTime && r.series.item == "" && !meanName.MatchString(r.series.name); named &&
		(r.kind == vague || r.kind == clock && list[len(list)-1].time < mostlyTime*list[0].time) {
		r.kind = each // steps that take longer and longer
	}
	k := int64(1)
	if s := strideOf(list); s > 0 {
		k = s
	}
	switch name := r.field.name; r.kind {
	case clock:
		r.field.differs, r.field.mean, r.field.name = true, true, "differences of "+name
	case mean:
		r.field.means, r.field.mean, r.field.digit, r.field.name = true, true, digit, "steps behind the running mean "+name
	case smooths:
		r.field.class = smooth
	case counter:
		r.why = "counts lines"
		return
	}
	for i := range r.field.seen { // of the time of a step it is no part
		r.field.seen[i].broken = r.field.seen[i].broken && (r.kind == clock || r.kind == mean)
	}
	lines := list
	switch r.kind {
	case clock:
		lines = differences(list)
		r.digit = 0
	case mean:
		lines, r.digit = behindMean(list, digit), 0
	}
	if len(lines) == 0 {
		r.why = "has no two values that differ"
		return
	}
	r.median = float64(order.Median(timesOf(lines)))
	if r.kind == clock {
		r.digit = digit / (r.median * float64(k))
	}
	between := betweenLines(list, float64(o.coarsest))
	if between > 0 && r.series.per > 0 && r.series.item == "" && r.kind == each && r.of == 1 && k > 1 {
		if share := r.median / (between * float64(k)); share > shortest && share < longest {
			r.of = k // of all steps since the line before
		}
	}
	if r.of > 1 {
		for i := range r.field.seen {
			r.field.seen[i].time /= r.of
		}
		r.median /= float64(r.of)
		r.field.mean, r.field.name = true, fmt.Sprintf("%s, a step of %d", r.field.name, r.of)
	}
	r.check(between)
	if r.why == "" && r.kind == mean && r.series.role == stepTime && r.series.item == "" && !meanName.MatchString(r.series.name) && list[len(list)-1].time > list[0].time {
		r.why = "grows slowly from line to line: it may be the mean of all steps so far, or the time of steps that take longer and longer"
	}
	r.name()
}

// check compares what a step takes with the time between lines, in ns; 0: nothing is known of it.
func (r *reading) check(between float64) {
	x := r.series
	absolute := x.item == "" || x.item == "step"
	switch share := r.median / between; {
	case !(r.median >= 1) || r.median > longestStep:
		r.why = "has no length of a step"
	case between > 0 && absolute && share > longest:
		r.why = fmt.Sprintf("says %s a step, and its lines are %s a step apart", lengthSaid(r.median), lengthSaid(between))
	case between > 0 && absolute && share < shortest && !r.field.differs:
		r.why = fmt.Sprintf("says %s a step, and its lines are %s a step apart", lengthSaid(r.median), lengthSaid(between))
	case r.kind == clock && x.role == stepTime && x.item == "" && !(between > 0 && share > shortest):
		r.why = "grows from line to line, as a clock does, and is called the time of a step"
	case r.kind == clock && x.item != "":
		r.why = "grows from line to line, as no rate does"
	case r.kind == vague:
		r.why = "changes slowly from line to line, as neither the times of steps nor the mean of all of them do"
	}
}

// name says in the name what was made of the numbers.
func (r *reading) name() {
	switch x := r.series; {
	case x.item == "":
	case r.whole:
		r.field.name = "items of a step / " + r.field.name
	case x.item == "step":
		r.field.name = "1 / " + r.field.name
	default:
		r.field.name = trace.PerItem[x.item] + r.field.name
	}
}

// betweenLines returns the time between two lines, a step, by their time stamps; 0: they do not say it.
func betweenLines(list []observation, coarsest float64) float64 {
	var all []int64
	total, steps := 0.0, 0.0
	for i := 1; i < len(list); i++ {
		a, b := list[i-1], list[i]
		by := int64(1)
		if a.step >= 0 {
			by = b.step - a.step
		}
		if a.at < 0 || b.at < 0 || by <= 0 || b.at < a.at {
			continue
		}
		all = append(all, (b.at-a.at)/by)
		total, steps = total+float64(b.at-a.at), steps+float64(by)
	}
	if len(all) < enoughToModel-1 {
		return 0
	}
	if m := float64(order.Median(all)); coarsest*100 < coarse*m {
		return m
	}
	if coarsest*100 > 5*coarse*total { // the stamps are all alike
		return 0
	}
	return total / steps
}

func timesOf(list []observation) []int64 {
	out := make([]int64, len(list))
	for i := range list {
		out[i] = list[i].time
	}
	return out
}

// strideOf returns by how much the numbers of lines usually go on; 0: they have none.
func strideOf(list []observation) int64 {
	if len(list) == 0 || list[0].step < 0 {
		return 0
	}
	var steps []trace.LoggedStep
	for _, o := range list {
		steps = append(steps, trace.LoggedStep{Number: o.step})
	}
	return int64(stride(steps))
}

// longestList returns what the rank with most lines says.
func longestList(f *field) (out []observation) {
	ranks := ranksOf(f)
	for _, rank := range slices.Sorted(maps.Keys(ranks)) {
		if list := ranks[rank]; len(list) > len(out) {
			out = list
		}
	}
	return out
}

// lengthSaid writes ns for people.
func lengthSaid(ns float64) string {
	return time.Duration(cmp.Or(math.Round(ns/1e4)*1e4, ns)).String()
}
