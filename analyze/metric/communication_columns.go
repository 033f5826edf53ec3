package metric

import (
	"maps"
	"reflect"
	"slices"

	"perfdiff/analyze/group"
)

// Columns writes a Communication as columns, or reads it back: the same calls in the same order do both, so that what
// is read cannot differ from what was written.
type Columns interface {
	Reading() bool // what is passed is filled in; else it is written
	// Count is the number of elements that follow, of so many bytes of memory each. It reports
	// whether they can: not after an error, nor where there is no memory for them.
	Count(n *int, bytes int) bool
	Ints(v []int64) // of a known number
	Texts(v *[]string)
	Bytes(v *[]byte)
	Fail(why string) // what was read cannot be
	OK() bool        // nothing failed
}

// Columns writes the communication of a rank before it was matched with all others, or reads it back. Steps is the
// number of the rank's steps. It fails if it reads what no capture can hold: a file may be forged, and its indexes are
// trusted afterwards.
func (c *Communication) Columns(v Columns, steps int) {
	c.spanColumns(v, steps)
	c.stepColumns(v, steps)
	c.groupColumns(v)
	c.pairColumns(v, steps)
	c.paths.columns(v, steps, len(c.Spans))
}

// numbers writes or reads one number of each element of a list.
func numbers[T any](v Columns, list []T, get func(*T) int64, set func(*T, int64)) {
	if !v.OK() {
		return
	}
	column := make([]int64, len(list))
	if !v.Reading() {
		for i := range list {
			column[i] = get(&list[i])
		}
	}
	if v.Ints(column); !v.Reading() || !v.OK() {
		return
	}
	for i := range list {
		set(&list[i], column[i])
	}
}

// fields writes or reads a column of an integer field. A number that the field cannot hold fails.
func fields[T any, N ~int | ~int16 | ~int32 | ~int64](v Columns, list []T, of func(*T) *N) {
	numbers(v, list, func(x *T) int64 { return int64(*of(x)) }, func(x *T, n int64) {
		if *of(x) = N(n); int64(N(n)) != n {
			v.Fail("a number is too large for its place")
		}
	})
}

// flags writes or reads a column of a field that is true or false.
func flags[T any](v Columns, list []T, of func(*T) *bool) {
	numbers(v, list, func(x *T) int64 {
		if *of(x) {
			return 1
		}
		return 0
	}, func(x *T, n int64) { *of(x) = n != 0 })
}

// texts writes or reads a column of a text field with few different values.
func texts[T any](v Columns, list []T, of func(*T) *string) {
	var table []string
	at := map[string]int64{}
	if !v.Reading() {
		for i := range list {
			text := *of(&list[i])
			if _, known := at[text]; !known {
				at[text] = int64(len(table))
				table = append(table, text)
			}
		}
	}
	v.Texts(&table)
	numbers(v, list, func(x *T) int64 { return at[*of(x)] }, func(x *T, n int64) {
		if n < 0 || n >= int64(len(table)) {
			v.Fail("a name is none of those that stand there")
			return
		}
		*of(x) = table[n]
	})
}

// resized returns a list with the number of elements that follow.
func resized[T any](v Columns, list []T) []T {
	n := len(list)
	if !v.Count(&n, int(reflect.TypeFor[T]().Size())) {
		return nil
	}
	if v.Reading() {
		list = nil
		if n > 0 {
			list = make([]T, n)
		}
	}
	return list
}

// groupColumns writes or reads the groups about which more is recorded than a name.
func (c *Communication) groupColumns(v Columns) {
	type named struct {
		name, purpose string
		count         int64 // 1 + number of ranks; 0 not recorded
	}
	type member struct{ rank int }
	var list []named
	var all []member
	for _, name := range slices.Sorted(maps.Keys(c.Groups)) {
		g := c.Groups[name]
		x := named{name: name, purpose: g.purpose}
		if g.ranks != nil {
			x.count = 1 + int64(len(g.ranks))
		}
		for _, r := range g.ranks {
			all = append(all, member{r})
		}
		list = append(list, x)
	}
	list = resized(v, list)
	texts(v, list, func(x *named) *string { return &x.name })
	texts(v, list, func(x *named) *string { return &x.purpose })
	fields(v, list, func(x *named) *int64 { return &x.count })
	all = resized(v, all)
	fields(v, all, func(x *member) *int { return &x.rank })
	if !v.Reading() || !v.OK() || len(list) == 0 {
		return
	}
	c.Groups = map[string]recordedGroup{}
	for _, x := range list {
		g := recordedGroup{purpose: x.purpose}
		if x.count > 0 {
			if x.count-1 > int64(len(all)) {
				v.Fail("ranks of a group are missing")
				return
			}
			g.ranks = make([]int, 0, x.count-1)
			for _, m := range all[:x.count-1] {
				g.ranks = append(g.ranks, m.rank)
			}
			all = all[x.count-1:]
			if !believable(g.ranks) {
				v.Fail("ranks of a group are no ranks")
				return
			}
		}
		c.Groups[x.name] = g
	}
}

// cutList returns the first n elements of a list, nil if there are none, and the others.
func cutList[T any](list []T, n int) (first, rest []T) {
	if n == 0 {
		return nil, list
	}
	return list[:n:n], list[n:]
}

// believable reports whether these are ranks of a job, in order.
func believable(ranks []int) bool {
	for i, r := range ranks {
		if r < 0 || r >= group.MostRanks || i > 0 && ranks[i-1] >= r {
			return false
		}
	}
	return true
}
