package synth

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
)

// layout says where the values of a row go among the columns of its table.
type layout struct {
	columns []column
	varying []int
	values  []any // with those that are fixed; those that vary are overwritten by each row
}

// place finds the columns that are given a value. A column that must have one and is not
// given any is an error, for there is no engine that would hold it.
func (l *layout) place(varying, fixed string) error {
	l.values = make([]any, len(l.columns))
	given := map[int]bool{}
	for _, name := range strings.Fields(varying) {
		i := l.find(name)
		if i < 0 || given[i] {
			return fmt.Errorf("column %s is given twice or not declared", name)
		}
		given[i] = true
		l.varying = append(l.varying, i)
	}
	for _, f := range strings.Fields(fixed) {
		name, text, _ := strings.Cut(f, "=")
		i := l.find(name)
		if i < 0 {
			continue
		}
		value, err := literal(text)
		if err != nil || given[i] {
			return fmt.Errorf("column %s is given twice, or a value that is none: %s", name, text)
		}
		given[i] = true
		l.values[i] = value
	}
	for i, c := range l.columns {
		if c.notNull && !c.key && !given[i] { // an id may be counted
			return fmt.Errorf("column %s has no value and must have one", c.name)
		}
	}
	return nil
}

func (l *layout) find(name string) int {
	return slices.IndexFunc(l.columns, func(c column) bool { return c.name == name })
}

// literal returns the value of a number or of a text in quotes.
func literal(text string) (any, error) {
	if rest, quoted := strings.CutPrefix(text, "'"); quoted {
		return strings.TrimSuffix(rest, "'"), nil
	}
	return strconv.ParseInt(text, 10, 64)
}

// row returns a whole row, valid until the next.
func (l *layout) row(values []any) []any {
	for i, v := range values {
		at := l.varying[i]
		if x, ok := v.(float64); ok && l.columns[at].kind == "INTEGER" && x == math.Trunc(x) && math.Abs(x) < 1<<53 {
			v = int64(x) // as SQLite stores it
		}
		l.values[at] = v
	}
	return l.values
}
