package analyze

import (
	"cmp"
	"fmt"
	"maps"
	"path"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"perfdiff/analyze/run"
	"perfdiff/analyze/source"
	"perfdiff/analyze/trace"
)

// runsOf puts the captures of a set into runs, by name: ranks are read out of names
// where files do not say them, then directories are nodes of one run or repeats.
func runsOf(set *run.Set, found found, read []result, opt Options) map[string][]*capture {
	nameRanks(set, found, read, opt.RankName)
	var parts []*part
	var captures [][]*capture
	at := map[string]int{}
	for i := range read {
		f := &found.files[i]
		n, ok := at[f.run]
		if !ok {
			n = len(parts)
			at[f.run], parts, captures = n, append(parts, newPart(f.part, f.above)), append(captures, nil)
		}
		for c := range read[i].captures {
			x := &read[i].captures[c]
			captures[n] = append(captures[n], x)
			from, to := x.when()
			parts[n].add(&x.rank, from, to)
		}
	}
	parts, captures = withCaptures(parts, captures)
	g := group("directories", parts, opt.Runs)
	set.Doubts = append(set.Doubts, g.doubts()...)
	runs := map[string][]*capture{}
	for n, members := range g.runs {
		var all [][]*capture
		for _, i := range members {
			all = append(all, captures[i])
		}
		numberOn(set, parts, members, all)
		runs[g.nameOf(n, parts, found.label)] = slices.Concat(all...)
	}
	return runs
}

// withCaptures leaves out the parts of which no file could be read.
func withCaptures(parts []*part, captures [][]*capture) ([]*part, [][]*capture) {
	var some []*part
	for i, p := range parts {
		if len(captures[i]) > 0 {
			some = append(some, p)
		}
	}
	return some, slices.DeleteFunc(captures, func(c []*capture) bool { return len(c) == 0 })
}

// when is the capture by the wall clock, UTC ns; 0 where it is not known.
func (c *capture) when() (from, to int64) {
	if c.epoch == trace.NoTime || c.window.End <= c.window.Start {
		return 0, 0
	}
	return c.epoch + c.window.Start, c.epoch + c.window.End
}

// setRank gives a capture a rank that its file does not say.
func (c *capture) setRank(rank int, from string) {
	c.id.Rank, c.id.RankFrom = rank, from
	c.rank.Rank, c.rank.RankFrom = rank, from
}

// numberOn numbers the ranks of a run on from directory to directory where they count
// anew in each: in order of directory, then of number.
func numberOn(set *run.Set, parts []*part, members []int, captures [][]*capture) {
	seen, anew := map[int]bool{}, false
	for _, i := range members {
		anew = anew || parts[i].named && share(seen, parts[i].ranks)
		for n := range parts[i].ranks {
			seen[n] = true
		}
	}
	if !anew {
		return
	}
	first := 0
	for _, list := range captures {
		next := first
		for _, c := range list {
			if c.id.Rank >= 0 {
				c.setRank(first+c.id.Rank, trace.RankGuessed)
				next = max(next, c.id.Rank+1)
			}
		}
		first = next
	}
	set.Warnings = append(set.Warnings, trace.Warning{Text: fmt.Sprintf(
		"%s hold the same rank numbers, out of names: they are numbered on in order of directory (%s)",
		partNames(parts, members), rankNameHint)})
}

// partNames are the names of some parts.
func partNames(parts []*part, members []int) string {
	var names []string
	for _, i := range members[:min(len(members), 8)] {
		names = append(names, parts[i].name)
	}
	if more := len(members) - 8; more > 0 {
		names = append(names, fmt.Sprintf("%d more", more))
	}
	return strings.Join(names, ", ")
}

// doubtRanks doubts the ranks of a run of which most fell together with others: their
// numbers are none, or the directory holds several runs.
func doubtRanks(set *run.Set, again []*capture, ranks int) {
	if len(again) == 0 || 2*len(again) < ranks {
		return
	}
	hint := "give each run its own directory"
	if from := again[0].rank.RankFrom; from != trace.RankFromFlag {
		hint += "; if these are other ranks, " + rankNameHint
	}
	set.Doubts = append(set.Doubts, run.Doubt{Of: run.OfRanks, Hint: hint, Text: fmt.Sprintf(
		"%d of %d captures say a rank that another one has, as rank %d by %s",
		len(again), len(again)+ranks, again[0].rank.Rank, again[0].rank.RankFrom)})
}

// doubtTimes doubts the ranks of a run that were captured one after the other, if no
// profile says that they are ranks of one: they are runs in one directory.
func doubtTimes(set *run.Set, captures []*capture, opt Options) {
	if opt.Runs == RunsAsNodes {
		return
	}
	whole := map[int]*part{} // by rank
	for _, c := range captures {
		from, to := c.when()
		weak := trace.RankIsWeak(c.rank.RankFrom)
		switch {
		case !weak || from == 0 || c.rank.WorldSize > 0:
			return
		case opt.Ranks != nil && !opt.Ranks(c.id.Rank):
			continue
		case whole[c.id.Rank] == nil:
			whole[c.id.Rank] = newPart("", "")
		}
		whole[c.id.Rank].stretch(from, to)
	}
	order := slices.SortedFunc(maps.Values(whole), func(a, b *part) int {
		return cmp.Or(cmp.Compare(a.from, b.from), cmp.Compare(a.to, b.to))
	})
	for i := range order {
		if i > 0 && order[i].from < order[i-1].to {
			return
		}
	}
	if len(order) < 2 {
		return
	}
	set.Doubts = append(set.Doubts, run.Doubt{Of: run.OfRanks,
		Text: fmt.Sprintf("the captures of %d ranks were recorded one after the other, and no profile says a rank: "+
			"they may be runs", len(order)),
		Hint: "give each run its own directory; if they are ranks of one run, " + rankNameHint})
}

// sortDoubts puts doubts in order, each once.
func sortDoubts(set *run.Set) {
	slices.SortFunc(set.Doubts, func(a, b run.Doubt) int {
		return cmp.Or(strings.Compare(string(b.Of), string(a.Of)), strings.Compare(a.Text, b.Text))
	})
	set.Doubts = slices.Compact(set.Doubts)
}

// unnamed is a file whose one capture may get its rank from a name.
type unnamed struct {
	*capture
	file *file
	part int // of the run set
}

// nameRanks reads ranks out of the names of files that hold one rank each: as the user
// says, else where the file itself says none. Names are seen over the whole run set,
// and directory by directory where they count anew in each.
func nameRanks(set *run.Set, found found, read []result, re *regexp.Regexp) {
	var all []unnamed
	parts := map[string]int{}
	for i := range read {
		f := &found.files[i]
		if _, ok := parts[f.run]; !ok {
			parts[f.run] = len(parts)
		}
		switch n := len(read[i].captures); {
		case n == 1:
			all = append(all, unnamed{&read[i].captures[0], f, parts[f.run]})
		case n > 1 && re != nil:
			set.Warnings = append(set.Warnings, trace.Warning{File: f.name, Text: fmt.Sprintf(
				"--rank-name says one rank, and the file holds %d: it is not used", n)})
		}
	}
	if re != nil {
		all = askedRanks(set, all, re, len(parts))
	}
	byNames(all, len(parts), func(u unnamed) string { return path.Base(u.file.name) }, trace.RankFromName)
	byNames(all, len(parts), func(u unnamed) string { return u.id.Report }, trace.RankFromReport)
	for _, u := range all {
		if n := source.RankOfDir(u.file.part); u.id.Rank < 0 && n >= 0 {
			u.setRank(n, trace.RankFromDir)
		}
	}
}

// byNames reads ranks out of names over all files or, where two would have one number,
// over those of each directory.
func byNames(all []unnamed, parts int, name func(unnamed) string, from string) {
	ranks := ranksIn(all, name)
	if parts > 1 && twice(all, ranks) {
		at := 0
		for part := range parts { // files come in order of their directories
			n := at
			for n < len(all) && all[n].part == part {
				n++
			}
			copy(ranks[at:n], ranksIn(all[at:n], name))
			at = n
		}
	}
	for i, u := range all {
		if u.id.Rank >= 0 {
			continue
		}
		if n := ranks[i].Rank; n >= 0 && (u.rank.WorldSize == 0 || n < u.rank.WorldSize) {
			u.setRank(n, from)
		}
		if u.rank.WorldSize == 0 {
			u.id.WorldSize, u.rank.WorldSize = ranks[i].World, ranks[i].World
		}
	}
}

// ranksIn are what names say of the ranks of files.
func ranksIn(all []unnamed, name func(unnamed) string) []source.NameRank {
	names, known := make([]string, len(all)), make([]int, len(all))
	for i, u := range all {
		names[i], known[i] = name(u), u.id.Rank
	}
	return source.RanksOfNames(names, known)
}

// twice reports whether two files without a rank of their own get one number.
func twice(all []unnamed, ranks []source.NameRank) bool {
	seen := map[int]bool{}
	for i, u := range all {
		if n := ranks[i].Rank; u.id.Rank < 0 && n >= 0 {
			if seen[n] {
				return true
			}
			seen[n] = true
		}
	}
	return false
}

// The groups of --rank-name.
const (
	rankGroup = "rank"
	nodeGroup = "node"
)

// asked is what --rank-name reads in a name.
type asked struct {
	rank int
	node string
}

// askedIn reads a name relative to the run set as the user says: its base first, then
// all of it.
func askedIn(name string, re *regexp.Regexp) (asked, bool) {
	for _, text := range []string{path.Base(name), name} {
		m := re.FindStringSubmatch(text)
		if m == nil {
			continue
		}
		n, err := strconv.Atoi(m[re.SubexpIndex(rankGroup)])
		if err != nil || n < 0 || n > largestWorld {
			continue
		}
		out := asked{rank: n}
		if i := re.SubexpIndex(nodeGroup); i >= 0 {
			out.node = m[i]
		}
		return out, true
	}
	return asked{}, false
}

// checkNames refuses a --rank-name that says nothing of any file.
func (f *found) checkNames(re *regexp.Regexp) error {
	if re == nil || slices.ContainsFunc(f.files, func(x file) bool { _, ok := askedIn(x.name, re); return ok }) {
		return nil
	}
	return fmt.Errorf("%s: --rank-name %s matches none of its %d files, of which %s is the first",
		f.label, re, len(f.files), f.files[0].name)
}

// askedRanks gives ranks as the user says and returns the files that this does not
// reach. Ranks that count anew on each node are numbered on in order of node, over
// the whole run set or, where that gives a number twice, over each directory.
func askedRanks(set *run.Set, all []unnamed, re *regexp.Regexp, parts int) (rest []unnamed) {
	var reached []unnamed
	var said []asked
	for _, u := range all {
		x, ok := askedIn(u.file.name, re)
		if !ok {
			set.Warnings = append(set.Warnings, trace.Warning{File: u.file.name,
				Text: "--rank-name does not match: its rank is what it was without"})
			rest = append(rest, u)
			continue
		}
		reached, said = append(reached, u), append(said, x)
	}
	numbers := overNodes(said)
	if parts > 1 && again(numbers) {
		for part := range parts {
			var own []int
			var of []asked
			for i, u := range reached {
				if u.part == part {
					own, of = append(own, i), append(of, said[i])
				}
			}
			for k, n := range overNodes(of) {
				numbers[own[k]] = n
			}
		}
	}
	for i, u := range reached {
		u.setRank(numbers[i], trace.RankFromFlag)
	}
	return rest
}

// overNodes are ranks as they are where no two are equal or no nodes are said, else
// numbered on from node to node, each with room for as many as the largest has.
func overNodes(said []asked) []int {
	ranks, room, nodes := make([]int, len(said)), 0, map[string]int{}
	for i, x := range said {
		ranks[i], room = x.rank, max(room, x.rank+1)
		nodes[x.node] = 0
	}
	if len(nodes) < 2 || !again(ranks) {
		return ranks
	}
	var names []string
	numeric := true
	for name := range nodes {
		names = append(names, name)
		_, err := strconv.Atoi(name)
		numeric = numeric && err == nil
	}
	slices.SortFunc(names, func(a, b string) int {
		if numeric {
			x, _ := strconv.Atoi(a)
			y, _ := strconv.Atoi(b)
			return cmp.Or(cmp.Compare(x, y), strings.Compare(a, b))
		}
		return strings.Compare(a, b)
	})
	for i, name := range names {
		nodes[name] = i
	}
	for i, x := range said {
		ranks[i] = nodes[x.node]*room + x.rank
	}
	return ranks
}

// again reports whether a number is there twice.
func again(ranks []int) bool {
	seen := map[int]bool{}
	for _, n := range ranks {
		if seen[n] {
			return true
		}
		seen[n] = true
	}
	return false
}
