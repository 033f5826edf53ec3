package order

import (
	"cmp"
	"strings"
)

// Names compares names as people count: run9 comes before run10.
func Names(a, b string) int {
	x, y := a, b
	for x != "" && y != "" {
		p, q := digitsOf(x), digitsOf(y)
		if p == "" || q == "" {
			if x[0] != y[0] {
				return cmp.Compare(x[0], y[0])
			}
			x, y = x[1:], y[1:]
			continue
		}
		m, n := strings.TrimLeft(p, "0"), strings.TrimLeft(q, "0")
		if c := cmp.Or(cmp.Compare(len(m), len(n)), strings.Compare(m, n)); c != 0 {
			return c
		}
		x, y = x[len(p):], y[len(q):]
	}
	return cmp.Or(cmp.Compare(len(x), len(y)), strings.Compare(a, b))
}

// digitsOf returns the digits that a text begins with.
func digitsOf(s string) string { return s[:len(s)-len(strings.TrimLeft(s, "0123456789"))] }
