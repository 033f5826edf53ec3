package steplog

import "slices"

// withoutInterludes removes the lines of another loop that number their own steps, as those of an evaluation: numbers
// go back, run on, and later jump to the one behind that from which they went back, which no restart does. The step
// that follows holds the other loop, where times are differences.
func withoutInterludes(list []observation) []observation {
	by := int64(max(1, strideOf(list)))
	jumps := map[int64][]int{} // places of numbers that do not follow the one before
	for i := 1; i < len(list); i++ {
		if n := list[i].step; n >= 0 && n != list[i-1].step+by {
			jumps[n] = append(jumps[n], i)
		}
	}
	var out []observation
	starts := map[int64]bool{}
	for i := 0; i < len(list); i++ {
		if n := list[i].step; len(out) > 0 && n >= 0 && n <= out[len(out)-1].step {
			to := jumps[out[len(out)-1].step+by]
			if k, _ := slices.BinarySearch(to, i+1); k < len(to) {
				i, starts[n] = to[k], true
				list[i].broken = true
			} else if starts[n] { // the log ends with one
				return out
			}
		}
		out = append(out, list[i])
	}
	return out
}
