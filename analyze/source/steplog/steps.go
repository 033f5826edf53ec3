package steplog

import (
	"maps"
	"slices"
	"strconv"
	"time"

	"perfdiff/analyze/order"
	"perfdiff/analyze/trace"
)

// Reasons for which a step is left out. They are shown to people.
const (
	dropFirst   = "first step of the log: start-up falls into it"
	dropRestart = "first step behind a restart: start-up falls into it"
	dropBroken  = "an evaluation or a checkpoint falls into it"
	dropBatch   = "another batch size or length of sequences than most steps have"
)

// stepsOf returns the steps in a field, in order of number, and how many of them were run again after a restart.
func stepsOf(f *field) (steps []trace.LoggedStep, again int) {
	byRank := ranksOf(f)
	type times struct {
		all     []int64
		dropped []string
	}
	all := map[int64]*times{}
	for _, rank := range slices.Sorted(maps.Keys(byRank)) {
		list := byRank[rank]
		switch {
		case f.differs:
			list = differences(list)
		case f.means:
			list = behindMean(list, f.digit)
		}
		own, more := lastTimes(list)
		again = max(again, more)
		for _, s := range own {
			if all[s.Number] == nil {
				all[s.Number] = &times{}
			}
			x := all[s.Number]
			x.all, x.dropped = append(x.all, s.Time), append(x.dropped, s.Dropped)
		}
	}
	var each []int64
	for _, n := range slices.Sorted(maps.Keys(all)) {
		x := all[n]
		each = append(each, int64(len(x.all)))
		steps = append(steps, trace.LoggedStep{Number: n, Time: order.Median(x.all), Dropped: slices.Max(x.dropped)})
	}
	if len(steps) > 1 && steps[0].Dropped == "" {
		steps[0].Dropped = dropFirst
	}
	if len(each) > 0 {
		f.times = int(order.Median(each))
	}
	return steps, again
}

// ranksOf returns what each rank says, in the order of lines, with its steps numbered on over epochs.
func ranksOf(f *field) map[int][]observation {
	byRank := map[int][]observation{}
	for _, o := range f.seen {
		byRank[o.rank] = append(byRank[o.rank], o)
	}
	for _, list := range byRank {
		countOn(list)
	}
	if len(byRank) == 1 {
		for _, list := range byRank {
			return byCopy(list)
		}
	}
	return byRank
}

// markedRank returns the rank that marks all lines with steps; -1: none, or several.
func (g *gathering) markedRank() int {
	rank := -1
	if g.taken != nil {
		for i, o := range g.taken.seen {
			if i > 0 && o.rank != rank {
				return -1
			}
			rank = o.rank
		}
	}
	return rank
}

// countOn numbers the steps of one rank consecutively over epochs, if they count anew in each.
func countOn(list []observation) {
	from, highest, raw := map[int64]int64{}, int64(-1), int64(-1) // the number before each epoch's; the highest so far, and as it was
	for i := range list {
		o := &list[i]
		if o.step < 0 {
			continue
		}
		if _, ok := from[o.epoch]; !ok {
			if from[o.epoch] = highest - raw; o.step <= raw {
				from[o.epoch] = highest + 1 - o.step
			}
			raw = -1
		}
		raw = max(raw, o.step)
		o.step += from[o.epoch]
		highest = max(highest, o.step)
	}
}

// mostRestarts is the largest share of lines that may begin a restart. If numbers stay or go back more often, several
// ranks print their lines into one file, unmarked. Chosen, not measured: with two ranks it is a half.
const mostRestarts = 0.2

// byCopy separates the lines that several ranks print for one step, where nothing marks them: the nth line of each
// number belongs to the nth rank.
func byCopy(list []observation) map[int][]observation {
	back := 0
	for i := 1; i < len(list); i++ {
		if list[i].step >= 0 && list[i].step <= list[i-1].step {
			back++
		}
	}
	if float64(back) <= mostRestarts*float64(len(list)) {
		return map[int][]observation{0: withoutInterludes(list)}
	}
	out, count := map[int][]observation{}, map[int64]int{}
	for _, o := range list {
		out[count[o.step]] = append(out[count[o.step]], o)
		count[o.step]++
	}
	if len(count) == 1 { // the number is none of a step
		for i := range list {
			list[i].step = int64(i)
		}
		return map[int][]observation{0: list}
	}
	return out
}

// lastTimes returns the steps of one rank. Where numbers go back the job was started again, and the earlier steps from
// there on no longer count. Steps without numbers are counted.
func lastTimes(list []observation) (out []trace.LoggedStep, again int) {
	for i, o := range list {
		s := trace.LoggedStep{Number: o.step, Time: o.time}
		if s.Number < 0 {
			s.Number = int64(i)
		}
		if o.broken {
			s.Dropped = dropBroken
		}
		if o.other {
			s.Dropped = dropBatch
		}
		if n := len(out); n > 0 && s.Number <= out[n-1].Number {
			from, _ := slices.BinarySearchFunc(out, s.Number, func(x trace.LoggedStep, n int64) int { return int(x.Number - n) })
			again += n - from
			out, s.Dropped = out[:from], dropRestart
		}
		out = append(out, s)
	}
	return out, again
}

// differences turns points in time into the times of the steps between them. Across a restart there is none.
func differences(list []observation) (out []observation) {
	for i := 1; i < len(list); i++ {
		a, b := list[i-1], list[i]
		steps := b.step - a.step
		if a.step < 0 {
			steps = 1
		}
		if steps > 0 && b.time > a.time && b.time-a.time <= longestStep {
			b.time = (b.time - a.time) / steps
			out = append(out, b)
		}
	}
	return out
}

// stride returns by how much step numbers usually grow: a line is the mean over so many steps. 0: over one.
func stride(steps []trace.LoggedStep) int {
	count := map[int64]int{}
	best := int64(1)
	for i := 1; i < len(steps); i++ {
		d := steps[i].Number - steps[i-1].Number
		if count[d]++; count[d] > count[best] || count[d] == count[best] && d < best {
			best = d
		}
	}
	if best <= 1 {
		return 0
	}
	return int(best)
}

// coarse is the share of the time between two lines, in percent, from which on the last digit of their stamps is too
// large an error. Chosen, not measured: an error of 1 % on each step is well below what is assumed between runs once
// they are averaged.
const coarse = 2

func tooCoarse(steps []trace.LoggedStep, digit int64, every int) bool {
	if len(steps) == 0 {
		return false
	}
	var all []int64
	for _, s := range steps {
		all = append(all, s.Time*int64(max(1, every)))
	}
	slices.Sort(all)
	return digit*100 > coarse*all[len(all)/2]
}

// lengthOf returns a power of ten of ns, for people.
func lengthOf(ns int64) string { return time.Duration(ns).String() }

// clockText are the forms of time stamps in the lines of unknown programs: a date or none, and the time of day.
var clockText = expression(`(?:(\d{4})[-/](\d\d)[-/](\d\d)[T ]|\b(\d\d)/(\d\d) |\b[IWE](\d\d)(\d\d) |\[|^)(\d\d):(\d\d):(\d\d)(?:[.,](\d{1,9}))?(?:\s+\d+ [\w.]+:\d+\])?`)

// stampAt returns the time at which a line was printed, in ns, what its last digit is, where in the line it stands,
// and whether it has a date. end is 0 where there is none.
func stampAt(s string) (at, digit int64, from, end int, dated bool) {
	m := clockText.regexp().FindStringSubmatchIndex(s)
	if m == nil {
		return 0, 0, 0, 0, false
	}
	part := func(i int) int {
		if m[2*i] < 0 {
			return 0
		}
		n, _ := strconv.Atoi(s[m[2*i]:m[2*i+1]])
		return n
	}
	year, month, day := part(1), part(2)+part(4)+part(6), part(3)+part(5)+part(7)
	if dated = month > 0; year < 1980 || year > 2200 {
		year = 2000
	}
	if !dated {
		month, day = 1, 1
	}
	at, digit = time.Date(year, time.Month(month), day, part(8), part(9), part(10), 0, time.UTC).UnixNano(), 1e9
	if m[22] >= 0 {
		for _, c := range s[m[22]:m[23]] {
			digit /= 10
			at += int64(c-'0') * digit
		}
	}
	return at, digit, m[0], m[1], dated
}

var unixTime = expression(`"time_ms":\s*(\d{10,15})`)
