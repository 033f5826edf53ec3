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

// farApart is how long after the end of one capture another one of the same job
// hardly begins, in seconds.
const farApart = 3600

// warnTimes says when the ranks of a run were not recorded at the same time.
// Captures that follow one another on the same ranks are those of a long job.
func warnTimes(set *run.Set, captures []*capture) {
	var timed []*capture
	for _, c := range captures {
		if c.epoch != trace.NoTime {
			timed = append(timed, c)
		}
	}
	slices.SortStableFunc(timed, func(a, b *capture) int { return cmp.Compare(a.began(), b.began()) })
	before := map[int]bool{}
	var last *capture // the one that ended last
	for i, c := range timed {
		if last != nil && c.began()-last.ended() > farApart &&
			!slices.ContainsFunc(timed[i:], func(x *capture) bool { return before[x.id.Rank] }) {
			set.Warnings = append(set.Warnings, trace.Warning{File: c.rank.Files[0], Text: fmt.Sprintf(
				"recorded %d hours after %s, of other ranks: they may be of different jobs (give each job its own directory)",
				(c.began()-last.ended())/farApart, last.rank.Files[0])})
			return
		}
		before[c.id.Rank] = true
		if last == nil || c.ended() > last.ended() {
			last = c
		}
	}
}

// began and ended are the UTC seconds between which a capture was made.
func (c *capture) began() int64 { return c.epoch/1e9 + c.window.Start/1e9 }
func (c *capture) ended() int64 { return c.epoch/1e9 + c.window.End/1e9 }

// some names the first of a list and how many more there are.
func some(list []string) string {
	if len(list) == 1 {
		return list[0]
	}
	return fmt.Sprintf("%s and %d more", list[0], len(list)-1)
}
