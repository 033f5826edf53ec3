package analyze

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"perfdiff/analyze/run"
	"perfdiff/analyze/trace"
)

// warnJobs says when the ranks of a run were recorded in different jobs: their
// files disagree about how many ranks the job has. The identifier of an Nsight
// session tells nothing, since each rank has a session of its own.
func warnJobs(set *run.Set, ranks []run.Rank) {
	files := map[int][]string{} // by world size
	for _, r := range ranks {
		if r.WorldSize > 0 {
			files[r.WorldSize] = append(files[r.WorldSize], r.Files...)
		}
	}
	if len(files) < 2 {
		return
	}
	var sizes []int
	for size := range files {
		sizes = append(sizes, size)
	}
	slices.SortFunc(sizes, func(a, b int) int { return cmp.Or(cmp.Compare(len(files[b]), len(files[a])), cmp.Compare(a, b)) })
	var parts []string
	for _, size := range sizes {
		slices.Sort(files[size])
		parts = append(parts, fmt.Sprintf("a job of %d ranks in %s", size, some(files[size])))
	}
	set.Warnings = append(set.Warnings, trace.Warning{File: files[sizes[1]][0], Text: fmt.Sprintf(
		"the files of one run come from different jobs: %s (give each job its own directory)", strings.Join(parts, ", "))})
}

// some names the first of a list and how many more there are.
func some(list []string) string {
	if len(list) == 1 {
		return list[0]
	}
	return fmt.Sprintf("%s and %d more", list[0], len(list)-1)
}
