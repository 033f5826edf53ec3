package analyze

import (
	"cmp"
	"fmt"
	"path"
	"slices"
	"strings"

	"perfdiff/analyze/metric"
	"perfdiff/analyze/picture"
	"perfdiff/analyze/run"
	"perfdiff/analyze/source"
	"perfdiff/analyze/trace"
)

// assemble makes runs and ranks from what was read. Files are in order of name; nothing depends on the order in which
// they were read.
func assemble(set *run.Set, found discovered, read []result, opt Options) {
	for i := range read {
		r := &read[i]
		for c := range r.captures {
			r.captures[c].rank.Files = []string{r.file.Name}
		}
		if r.file.Err != "" {
			set.Warnings = append(set.Warnings, trace.Warning{File: r.file.Name, Text: "left out: " + strings.TrimPrefix(r.file.Err, path.Base(r.file.Name)+": ")})
		}
	}
	var digests []string
	for name, captures := range runsOf(set, found, read, opt) {
		captures = withoutCopies(set, captures)
		guessRanks(set, captures)
		warnTimes(set, captures)
		doubtTimes(set, captures, opt)
		all := joinCaptures(set, captures, opt)
		all.leaveOutOddSteps(set)
		if ranks, comms, cuts := all.ranks, all.comms, all.cuts; len(ranks) > 0 {
			warnJobs(set, ranks)
			warnNoCommunication(set, ranks, profilersOf(read))
			loseUnknownCommunication(set, ranks)
			clocks, partners := metric.AddOverRanks(ranks, comms)
			excerpts := picture.Excerpts(ranks, cuts, wishes(ranks))
			metric.SplitBars(excerpts, ranks, comms)
			set.Runs = append(set.Runs, run.Run{Name: name, Ranks: ranks, Excerpts: excerpts, Clocks: clocks, Communication: partners})
		}
	}
	beside := len(set.Runs) > 0
	digests = addResults(set, found, read)
	slices.SortFunc(set.Runs, func(a, b run.Run) int { return strings.Compare(a.Name, b.Name) })
	metric.DescribeInseparable(set)
	for i := range read {
		f := read[i].file
		switch {
		case read[i].results != nil:
			continue
		case beside && source.Named(f.Format).Results != nil: // a job's settings are no result that is lost
			f.Format = ""
		}
		for _, c := range read[i].captures {
			f.Ranks = append(f.Ranks, c.id.Rank)
			set.Warnings = append(set.Warnings, c.warn...)
		}
		set.Files = append(set.Files, f)
		digests = append(digests, f.Digest)
	}
	slices.Sort(digests)
	set.Digest = combine(digests)
	slices.SortFunc(set.Files, func(a, b run.File) int { return strings.Compare(a.Name, b.Name) })
	sortDoubts(set)
	set.Warnings = sortWarnings(set.Warnings)
}

// profilersOf returns the profilers that recorded what was read, each once.
func profilersOf(read []result) (out []trace.Profiler) {
	for _, p := range trace.Profilers() {
		if slices.ContainsFunc(read, func(r result) bool {
			return r.file.Err == "" && source.Named(r.file.Format).Profiler == p
		}) {
			out = append(out, p)
		}
	}
	return out
}

// sortWarnings sorts warnings by file and text and removes repetitions: a warning about a file
// is given with each rank in it.
func sortWarnings(w []trace.Warning) []trace.Warning {
	slices.SortFunc(w, func(a, b trace.Warning) int {
		return cmp.Or(strings.Compare(a.File, b.File), strings.Compare(a.Text, b.Text))
	})
	return slices.Compact(w)
}

// guessRanks numbers captures whose rank is not known: they get the lowest free numbers of the run, in order of file,
// process and device. A warning says so.
func guessRanks(set *run.Set, captures []*capture) {
	used := map[int]bool{}
	var unknown []*capture
	for _, c := range captures {
		if c.id.Rank >= 0 {
			used[c.id.Rank] = true
		} else {
			unknown = append(unknown, c)
		}
	}
	slices.SortStableFunc(unknown, func(a, b *capture) int {
		return cmp.Or(strings.Compare(a.rank.Files[0], b.rank.Files[0]), cmp.Compare(a.id.Device, b.id.Device), cmp.Compare(a.id.Process, b.id.Process))
	})
	next, known := 0, len(captures)-len(unknown)
	unknown, cycles := withoutCycles(unknown)
	for _, c := range unknown {
		for used[next] {
			next++
		}
		used[next] = true
		c.setRank(next, trace.RankGuessed)
	}
	for _, c := range cycles {
		c.setRank(c.cycleOf.id.Rank, trace.RankGuessed)
	}
	if n := len(unknown); n > 0 && known+n > 1 {
		first := unknown[0]
		set.Warnings = append(set.Warnings, trace.Warning{File: first.rank.Files[0], Text: fmt.Sprintf(
			"%d of %d ranks have numbers by order only, from rank %d on, since their files do not say them: name files as in report.%%q{SLURM_PROCID}, so that ranks of the two sides match",
			n, known+n, first.id.Rank)})
	}
}

// joinCaptures joins the captures of each rank of a run, in order of their steps. If the steps
// of two captures overlap, these are two files for one rank: the first is kept, the other is
// named and left out.
func joinCaptures(set *run.Set, captures []*capture, opt Options) joined {
	var ranks []run.Rank
	var comms []metric.Communication
	var cuts [][]picture.Cut
	slices.SortStableFunc(captures, func(a, b *capture) int {
		return cmp.Or(cmp.Compare(a.id.Rank, b.id.Rank), cmp.Compare(a.firstStep(), b.firstStep()),
			cmp.Compare(a.startedAt(), b.startedAt()), strings.Compare(a.rank.Files[0], b.rank.Files[0]))
	})
	var last *capture
	var again []*capture
	for _, c := range captures {
		if opt.Ranks != nil && !opt.Ranks(c.id.Rank) {
			continue
		}
		if n := len(ranks); n > 0 && ranks[n-1].Rank == c.id.Rank {
			if !follows(last, c) {
				set.Warnings = append(set.Warnings, trace.Warning{File: c.rank.Files[0], Text: fmt.Sprintf(
					"rank %d is in %s already and the steps overlap; left out: give each run its own directory", c.id.Rank, strings.Join(ranks[n-1].Files, ", "))})
				again = append(again, c)
				continue
			}
			comms[n-1] = comms[n-1].Append(c.comm, len(ranks[n-1].Steps))
			cuts[n-1] = append(cuts[n-1], c.cutsWithRank()...)
			appendCapture(&ranks[n-1], c.rank)
		} else {
			ranks, comms, cuts = append(ranks, c.rank), append(comms, c.comm), append(cuts, c.cutsWithRank())
		}
		last = c
	}
	doubtRanks(set, again, len(ranks))
	return joined{ranks, comms, cuts}
}

// cutsWithRank returns the capture's timeline excerpts, with the rank's number, which may have been
// found only after they were made.
func (c *capture) cutsWithRank() []picture.Cut {
	for i := range c.cuts {
		c.cuts[i].Rank = c.rank.Rank
	}
	return c.cuts
}

// firstStep returns the number of the first step, -1 if there is none.
func (c *capture) firstStep() int64 {
	if len(c.rank.Steps) == 0 {
		return -1
	}
	return c.rank.Steps[0].Number
}

// follows reports whether the steps of b come after those of a. Steps that only have ordinals are compared by the wall
// clock; then the steps of b are renumbered to follow those of a.
func follows(a, b *capture) bool {
	sa, sb := a.rank.Steps, b.rank.Steps
	if len(sa) == 0 || len(sb) == 0 {
		return false
	}
	if sb[0].Number > sa[len(sa)-1].Number {
		return true
	}
	ordinals := (sa[0].Number == 0 || a.numberedOn) && sb[0].Number == 0
	if !ordinals || a.epoch == trace.NoTime || b.epoch == trace.NoTime || b.epoch+b.window.Start < a.epoch+a.window.End {
		return false
	}
	b.numberedOn = true
	more := sa[len(sa)-1].Number + 1
	for i := range sb {
		sb[i].Number += more
	}
	for i := range b.cuts {
		b.cuts[i].Step += more
	}
	for i := range b.rank.Longest {
		b.rank.Longest[i].Step += more
	}
	if b.rank.MemoryPeak != nil {
		b.rank.MemoryPeak.Step += more
	}
	return true
}

// appendCapture adds a later capture of the same rank: its steps and values are appended.
// Values that only one of the two has are NaN in the other.
func appendCapture(r *run.Rank, next run.Rank) {
	before, behind := len(r.Steps), len(next.Steps)
	r.Files = append(r.Files, next.Files...)
	r.Steps = append(r.Steps, next.Steps...)
	r.Receipts = append(r.Receipts, next.Receipts...)
	r.Recorded &= next.Recorded
	r.Lost = run.MergeLost(r.Lost, next.Lost)
	r.Series = metric.Concat(r.Series, before, next.Series, behind)
	for i, n := range next.Gaps.Counts {
		r.Gaps.Counts[i] += n
	}
	r.Gaps.Total += next.Gaps.Total
	r.Reads = r.Reads.Plus(next.Reads)
	r.Longest = run.LongestGaps(r.Longest, next.Longest)
	r.MemoryPeak = run.LargerPeak(r.MemoryPeak, next.MemoryPeak)
	r.Places, r.PlacedSteps = run.MergeHostPlaces(r.Places, next.Places), r.PlacedSteps+next.PlacedSteps
	r.Spans = r.Spans.Plus(next.Spans)
	r.Captured += next.Captured
	r.Work = run.MergeKernelWork(r.Work, next.Work)
	r.Stats = run.JoinStats(r.Stats, next.Stats)
	r.Calls = run.JoinCalls(r.Calls, next.Calls)
	r.Projected += next.Projected
	r.Launched = r.Launched.Plus(next.Launched)
	r.Whole = r.Whole.Plus(next.Whole)
}
