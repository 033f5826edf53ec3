package metric

import "perfdiff/analyze/interval"

// stretchesOf holds what is known about the communication of a step.
type stretchesOf struct {
	set              interval.Set
	count            int64 // of stretches
	measured, hidden bool
}

// stepColumns writes or reads what is known about each step, for at most so many steps.
func (c *Communication) stepColumns(v Columns, steps int) {
	list := make([]stretchesOf, len(c.Exposed))
	for i := range list {
		set := c.Exposed[i].Unpack(nil)
		list[i] = stretchesOf{set, int64(len(set)), c.Measured[i], c.Hidden[i]}
	}
	list = resized(v, list)
	if v.Reading() && len(list) > steps {
		v.Fail("communication is of more steps than there are")
		return
	}
	flags(v, list, func(x *stretchesOf) *bool { return &x.measured })
	flags(v, list, func(x *stretchesOf) *bool { return &x.hidden })
	fields(v, list, func(x *stretchesOf) *int64 { return &x.count })
	stretches(v, list)
	if !v.Reading() || !v.OK() || len(list) == 0 {
		return
	}
	c.Exposed, c.Measured, c.Hidden = make([]interval.Packed, len(list)), make([]bool, len(list)), make([]bool, len(list))
	var all, one []byte // a thousand lists by themselves take twice as much
	ends := make([]int, len(list))
	for i, x := range list {
		if !ordered(x.set) {
			v.Fail("exposed communication is no list of times")
			return
		}
		one = interval.Pack(one[:0], x.set)
		all = append(all, one...)
		ends[i], c.Measured[i], c.Hidden[i] = len(all), x.measured, x.hidden
	}
	for i, from := 0, 0; i < len(list); from, i = ends[i], i+1 {
		c.Exposed[i] = interval.Packed(all[from:ends[i]:ends[i]])
	}
}

// ordered reports whether a set is one: times that end, in order.
func ordered(s interval.Set) bool {
	for i, x := range s {
		if x.End < x.Start || i > 0 && x.Start < s[i-1].End {
			return false
		}
	}
	return true
}

// stretches writes or reads the columns of all stretches: when each starts, and how long it is.
func stretches(v Columns, list []stretchesOf) {
	var all interval.Set
	for i := range list {
		all = append(all, list[i].set...)
	}
	all = resized(v, all)
	fields(v, all, func(x *interval.Interval) *int64 { return &x.Start })
	numbers(v, all, func(x *interval.Interval) int64 { return x.End - x.Start }, func(x *interval.Interval, n int64) { x.End = x.Start + n })
	if !v.Reading() || !v.OK() {
		return
	}
	for i := range list {
		n := list[i].count
		if n < 0 || n > int64(len(all)) {
			v.Fail("exposed communication is missing")
			return
		}
		list[i].set, all = cutList(all, int(n))
	}
	if len(all) > 0 {
		v.Fail("exposed communication is of no step")
	}
}
