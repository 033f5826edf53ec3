package diff

import (
	"cmp"
	"maps"
	"slices"
	"strings"
)

func sortedKeys[K cmp.Ordered, V any](m map[K]V) []K { return slices.Sorted(maps.Keys(m)) }

// distinct are the different values in order, without the empty one.
func distinct(v []string) []string {
	out := without(v)
	slices.Sort(out)
	return slices.Compact(out)
}

// without are the values that say something.
func without(v []string) []string {
	var out []string
	for _, s := range v {
		if s != "" {
			out = append(out, s)
		}
	}
	return out
}

// mostFrequent is the value that occurs most often, the first in order of
// several; "" of none.
func mostFrequent(v []string) string {
	count := map[string]int{}
	for _, s := range v {
		count[s]++
	}
	best := ""
	for _, s := range sortedKeys(count) {
		if best == "" || count[s] > count[best] {
			best = s
		}
	}
	return best
}

// middle is the median of whole numbers, the lower one of two.
func middle(v []int) int {
	if len(v) == 0 {
		return 0
	}
	s := slices.Sorted(slices.Values(v))
	return s[(len(s)-1)/2]
}

// list writes the distinct values in order.
func list(v []string) string { return strings.Join(distinct(v), ", ") }
