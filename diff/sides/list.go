package sides

import (
	"cmp"
	"maps"
	"slices"
	"strconv"
	"strings"
)

// SortedKeys returns the keys of a map, in order.
func SortedKeys[K cmp.Ordered, V any](m map[K]V) []K { return slices.Sorted(maps.Keys(m)) }

// Distinct returns the different values in order, without the empty one.
func Distinct(v []string) []string {
	out := WithoutEmpty(v)
	slices.Sort(out)
	return slices.Compact(out)
}

// WithoutEmpty returns the values that say something.
func WithoutEmpty(v []string) []string {
	var out []string
	for _, s := range v {
		if s != "" {
			out = append(out, s)
		}
	}
	return out
}

// MostFrequent returns the value that occurs most often, the first in order if several do; "" without any.
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

// List writes the distinct values in order.
func List(v []string) string { return strings.Join(Distinct(v), ", ") }

// mostStretches is how many stretches of numbers Ranges lists.
const mostStretches = 8

// Ranges writes sorted numbers, of ranks or steps: "0-7, 9"; beyond eight stretches it counts the rest. Facts about a
// side write their ranks like this.
func Ranges[T int | int64](numbers []T) string {
	var parts []string
	for i := 0; i < len(numbers); {
		j := i
		for j+1 < len(numbers) && numbers[j+1] == numbers[j]+1 {
			j++
		}
		if len(parts) == mostStretches {
			parts = append(parts, "and "+strconv.Itoa(len(numbers)-i)+" more")
			break
		}
		part := strconv.FormatInt(int64(numbers[i]), 10)
		if j > i {
			part += "-" + strconv.FormatInt(int64(numbers[j]), 10)
		}
		parts = append(parts, part)
		i = j + 1
	}
	return strings.Join(parts, ", ")
}
