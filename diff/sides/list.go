package sides

import (
	"cmp"
	"maps"
	"slices"
	"strings"
)

// SortedKeys are the keys of a map, in order.
func SortedKeys[K cmp.Ordered, V any](m map[K]V) []K { return slices.Sorted(maps.Keys(m)) }

// Distinct are the different values in order, without the empty one.
func Distinct(v []string) []string {
	out := WithoutEmpty(v)
	slices.Sort(out)
	return slices.Compact(out)
}

// WithoutEmpty are the values that say something.
func WithoutEmpty(v []string) []string {
	var out []string
	for _, s := range v {
		if s != "" {
			out = append(out, s)
		}
	}
	return out
}

// MostFrequent is the value that occurs most often, the first in order of
// several; "" of none.
func MostFrequent(v []string) string {
	count := map[string]int{}
	for _, s := range v {
		count[s]++
	}
	best := ""
	for _, s := range SortedKeys(count) {
		if best == "" || count[s] > count[best] {
			best = s
		}
	}
	return best
}

// LowerMedian is the median of whole numbers, the lower one of two.
func LowerMedian(v []int) int {
	if len(v) == 0 {
		return 0
	}
	s := slices.Sorted(slices.Values(v))
	return s[(len(s)-1)/2]
}

// List writes the distinct values in order.
func List(v []string) string { return strings.Join(Distinct(v), ", ") }

// Lower is text as it stands within a sentence.
func Lower(s string) string {
	if s == "" {
		return s
	}
	return strings.ToLower(s[:1]) + s[1:]
}
