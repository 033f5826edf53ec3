package picture

import (
	"cmp"
	"slices"
)

// stacks places marks as Wilkinson does (Dot Plots, The American Statistician 53, 1999): marks within one mark's width
// are stacked, and stacks never overlap. It returns for each mark where its stack stands and how many are below it.
func stacks(at []float64, width float64) (x []float64, level []int) {
	order := make([]int, len(at))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(at[a], at[b]) })
	x, level = make([]float64, len(at)), make([]int, len(at))
	for i := 0; i < len(order); {
		j := i
		for j < len(order) && at[order[j]] < at[order[i]]+width {
			j++
		}
		middle := (at[order[i]] + at[order[j-1]]) / 2
		if i > 0 {
			middle = max(middle, x[order[i-1]]+width)
		}
		for k := i; k < j; k++ {
			x[order[k]], level[order[k]] = middle, k-i
		}
		i = j
	}
	return x, level
}

// tallest returns how many marks the highest stack has.
func tallest(level []int) int {
	n := 0
	for _, l := range level {
		n = max(n, l+1)
	}
	return n
}
