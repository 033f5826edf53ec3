package analyze

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"perfdiff/analyze/run"
	"perfdiff/analyze/trace"
)

// warnJobs warns if the ranks of a run come from different jobs, that is if their files say
// different numbers of ranks. The identifier of an Nsight session does not help, since each
// rank has its own.
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
		parts = append(parts, fmt.Sprintf("a job of %d ranks in %s", size, firstAndCount(files[size])))
	}
	set.Warnings = append(set.Warnings, trace.Warning{File: files[sizes[1]][0], Text: fmt.Sprintf(
		"the files of one run come from different jobs: %s (give each job its own directory)", strings.Join(parts, ", "))})
}

// farApartSeconds is a time between captures, in s, that ranks of one job hardly ever have.
const farApartSeconds = 3600

// warnTimes warns if the ranks of a run were not recorded at the same time. Later captures of
// the same ranks are no reason: a long job has them.
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
		if last != nil && c.began()-last.ended() > farApartSeconds &&
			!slices.ContainsFunc(timed[i:], func(x *capture) bool { return before[x.id.Rank] }) {
			set.Warnings = append(set.Warnings, trace.Warning{File: c.rank.Files[0], Text: fmt.Sprintf(
				"recorded %d hours after %s, of other ranks: they may be of different jobs (give each job its own directory)",
				(c.began()-last.ended())/farApartSeconds, last.rank.Files[0])})
			return
		}
		before[c.id.Rank] = true
		if last == nil || c.ended() > last.ended() {
			last = c
		}
	}
}

// began and ended are when the capture was made, in UTC seconds.
func (c *capture) began() int64 { return c.epoch/1e9 + c.window.Start/1e9 }
func (c *capture) ended() int64 { return c.epoch/1e9 + c.window.End/1e9 }

// firstAndCount names the first of a list, and how many more there are.
func firstAndCount(list []string) string {
	if len(list) == 1 {
		return list[0]
	}
	return fmt.Sprintf("%s and %d more", list[0], len(list)-1)
}
