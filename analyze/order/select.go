package order

import (
	"cmp"
	"slices"
)

// Select returns the element that is at place k when v is in order, and
// moves elements on the way (Hoare's quickselect). A step has thousands of
// gaps, and sorting them would take as long as everything else in it.
func Select[T cmp.Ordered](v []T, k int) T {
	for rounds := 0; len(v) > 16; rounds++ {
		if rounds > 64 { // an order that was made to be slow
			break
		}
		low, high := partition(v)
		switch {
		case k <= high:
			v = v[:high+1]
		case k >= low:
			v, k = v[low:], k-low
		default:
			return v[k]
		}
	}
	slices.Sort(v)
	return v[k]
}

// partition moves elements below the median of three to v[:high+1] and those above it to v[low:]; what is between them
// equals it.
func partition[T cmp.Ordered](v []T) (low, high int) {
	a, b, c := v[0], v[len(v)/2], v[len(v)-1]
	pivot := max(min(a, b), min(max(a, b), c))
	low, high = 0, len(v)-1
	for low <= high {
		for v[low] < pivot {
			low++
		}
		for v[high] > pivot {
			high--
		}
		if low <= high {
			v[low], v[high] = v[high], v[low]
			low++
			high--
		}
	}
	return low, high
}
