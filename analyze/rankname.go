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

// runsOf groups the captures of a set into runs, by name of the run. It reads ranks out of names where files do not
// say them; then it finds out which directories are nodes of one run and which are repeats.
func runsOf(set *run.Set, found discovered, read []result, opt Options) map[string][]*capture {
	splitLogs(found, read, opt)
	splitPasses(found, read)
	nameRanks(set, found, read, opt.RankName)
	joinCycles(found, read)
	var parts []*setPart
	var captures [][]*capture
	at := map[string]int{}
	for i := range read {
		f := &found.files[i]
		n, ok := at[f.run]
		if !ok {
			n = len(parts)
			at[f.run], parts, captures = n, append(parts, newPart(f.part, f.parentPart)), append(captures, nil)
		}
		for c := range read[i].captures {
			x := &read[i].captures[c]
			captures[n] = append(captures[n], x)
			from, to := x.when()
			parts[n].add(&x.rank, from, to)
		}
	}
	parts, captures = withCaptures(parts, captures)
	g := groupParts("directories", parts, opt.Runs)
	set.Doubts = append(set.Doubts, g.doubts()...)
	runs := map[string][]*capture{}
	for n, members := range g.runs {
		var all [][]*capture
		for _, i := range members {
			all = append(all, captures[i])
		}
		renumberRanks(set, parts, members, all)
		runs[g.nameOf(n, parts, found.label)] = slices.Concat(all...)
	}
	return runs
}

// withCaptures leaves out parts with no readable file.
func withCaptures(parts []*setPart, captures [][]*capture) ([]*setPart, [][]*capture) {
	var some []*setPart
	for i, p := range parts {
		if len(captures[i]) > 0 {
			some = append(some, p)
		}
	}
	return some, slices.DeleteFunc(captures, func(c []*capture) bool { return len(c) == 0 })
}

// when returns the time of the capture by the wall clock, UTC ns; 0 if not known.
func (c *capture) when() (from, to int64) {
	if c.epoch == trace.NoTime || c.window.End <= c.window.Start {
		return 0, 0
	}
	return c.epoch + c.window.Start, c.epoch + c.window.End
}

// setRank sets a rank that the file itself does not say. from says where it is from.
func (c *capture) setRank(rank int, from string) {
	c.id.Rank, c.id.RankFrom = rank, from
	c.rank.Rank, c.rank.RankFrom = rank, from
}

// renumberRanks gives the ranks of a run new numbers if the same numbers occur in several of its directories: first
// the ranks of the first directory, then those of the next, each in order of their old numbers.
func renumberRanks(set *run.Set, parts []*setPart, members []int, captures [][]*capture) {
	seen, anew := map[int]bool{}, false
	for _, i := range members {
		anew = anew || parts[i].ranksFromNames && shareKey(seen, parts[i].ranks)
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
		partNames(parts, members, 8, ", "), rankNameHint)})
}

// partNames names some parts, at most so many.
func partNames(parts []*setPart, members []int, most int, between string) string {
	var names []string
	for _, i := range members[:min(len(members), most)] {
		names = append(names, parts[i].name)
	}
	if more := len(members) - most; more > 0 {
		names = append(names, fmt.Sprintf("%d more", more))
	}
	return strings.Join(names, between)
}

// doubtRanks adds a doubt if many captures of a run had the same rank as another. Then their
// numbers are no ranks, or the directory holds several runs.
func doubtRanks(set *run.Set, again []*capture, ranks int) {
	if len(again) == 0 || 2*len(again) < ranks {
		return
	}
	hint := "give each run its own directory"
	if from := again[0].rank.RankFrom; from != trace.RankFromFlag {
		hint += "; if these are other ranks, " + rankNameHint
	}
	set.Doubts = append(set.Doubts, run.Doubt{About: run.DoubtRanks, Hint: hint, Text: fmt.Sprintf(
		"%d of %d captures say a rank that another one has, as rank %d by %s",
		len(again), len(again)+ranks, again[0].rank.Rank, again[0].rank.RankFrom)})
}

// doubtTimes adds a doubt if the ranks of a run were captured one after the other, and no profile says that they are
// ranks of one run: they may be several runs in one directory.
func doubtTimes(set *run.Set, captures []*capture, opt Options) {
	if opt.Runs == RunsAsNodes {
		return
	}
	whole := map[int]*setPart{} // by rank
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
		whole[c.id.Rank].addTime(from, to)
	}
	order := slices.SortedFunc(maps.Values(whole), func(a, b *setPart) int {
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
	set.Doubts = append(set.Doubts, run.Doubt{About: run.DoubtRanks,
		Text: fmt.Sprintf("the captures of %d ranks were recorded one after the other, and no profile says a rank: "+
			"they may be runs", len(order)),
		Hint: "give each run its own directory; if they are ranks of one run, " + rankNameHint})
}

// sortDoubts sorts doubts and removes repetitions.
func sortDoubts(set *run.Set) {
	slices.SortFunc(set.Doubts, func(a, b run.Doubt) int {
		return cmp.Or(strings.Compare(string(b.About), string(a.About)), strings.Compare(a.Text, b.Text))
	})
	set.Doubts = slices.Compact(set.Doubts)
}

// fileWithoutRank is a file with one capture whose rank may be found in its name.
type fileWithoutRank struct {
	*capture
	file *file
	part int // index of its part of the run set
}

// nameRanks reads ranks out of the names of files with one rank each: as the user says, or for
// files that do not say their rank themselves. It looks at the names of the whole run set
// together, or of each directory if numbers count anew there.
func nameRanks(set *run.Set, found discovered, read []result, re *regexp.Regexp) {
	var all []fileWithoutRank
	parts := map[string]int{}
	for i := range read {
		f := &found.files[i]
		if _, ok := parts[f.run]; !ok {
			parts[f.run] = len(parts)
		}
		switch n := len(read[i].captures); {
		case n == 1 && read[i].captures[0].isPass(): // its name counts passes
		case n == 1:
			all = append(all, fileWithoutRank{&read[i].captures[0], f, parts[f.run]})
		case n > 1 && re != nil:
			set.Warnings = append(set.Warnings, trace.Warning{File: f.name, Text: fmt.Sprintf(
				"--rank-name says one rank, and the file holds %d: it is not used", n)})
		}
	}
	if re != nil {
		all = askedRanks(set, all, re, len(parts))
	}
	readRankNames(all, len(parts), func(u fileWithoutRank) string { return path.Base(u.file.name) }, trace.RankFromName)
	readRankNames(all, len(parts), func(u fileWithoutRank) string { return u.id.Report }, trace.RankFromReport)
	for _, u := range all {
		if n := source.RankOfDir(u.file.part); u.id.Rank < 0 && n >= 0 {
			u.setRank(n, trace.RankFromDir)
		}
	}
}

// readRankNames reads ranks out of names over all files, or over the files of each directory if
// two would get the same number.
func readRankNames(all []fileWithoutRank, parts int, name func(fileWithoutRank) string, from string) {
	ranks := ranksIn(all, name)
	if parts > 1 && sameRankTwice(all, ranks) {
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

// ranksIn returns the ranks that names say.
func ranksIn(all []fileWithoutRank, name func(fileWithoutRank) string) []source.NameRank {
	names, known := make([]string, len(all)), make([]int, len(all))
	for i, u := range all {
		names[i], known[i] = name(u), u.id.Rank
	}
	return source.RanksOfNames(names, known)
}

// sameRankTwice reports whether two files that do not say their rank would get the same number.
func sameRankTwice(all []fileWithoutRank, ranks []source.NameRank) bool {
	var said []int
	for i, u := range all {
		if n := ranks[i].Rank; u.id.Rank < 0 && n >= 0 {
			said = append(said, n)
		}
	}
	return holdsTwice(said)
}

// Names of the groups in the expression of --rank-name.
const (
	rankGroup = "rank"
	nodeGroup = "node"
)

// askedRank holds what --rank-name finds in a name.
type askedRank struct {
	rank int
	node string
}

// askedRankIn applies --rank-name to a name relative to the run set: to its base name first,
// then to all of it.
func askedRankIn(name string, re *regexp.Regexp) (askedRank, bool) {
	for _, text := range []string{path.Base(name), name} {
		m := re.FindStringSubmatch(text)
		if m == nil {
			continue
		}
		n, err := strconv.Atoi(m[re.SubexpIndex(rankGroup)])
		if err != nil || n < 0 || n > largestWorld {
			continue
		}
		out := askedRank{rank: n}
		if i := re.SubexpIndex(nodeGroup); i >= 0 {
			out.node = m[i]
		}
		return out, true
	}
	return askedRank{}, false
}

// checkNames returns the error if --rank-name finds nothing in any name.
func (f *discovered) checkNames(re *regexp.Regexp) error {
	if re == nil || slices.ContainsFunc(f.files, func(x file) bool { _, ok := askedRankIn(x.name, re); return ok }) {
		return nil
	}
	return fmt.Errorf("%s: --rank-name %s matches none of its %d files, of which %s is the first",
		f.label, re, len(f.files), f.files[0].name)
}

// askedRanks sets the ranks that --rank-name finds, and returns the files without one. If the
// same numbers occur on several nodes, ranks get new numbers in order of node: over the whole
// run set, or over each directory if the former gives a number twice.
func askedRanks(set *run.Set, all []fileWithoutRank, re *regexp.Regexp, parts int) (rest []fileWithoutRank) {
	var reached []fileWithoutRank
	var said []askedRank
	for _, u := range all {
		x, ok := askedRankIn(u.file.name, re)
		if !ok {
			set.Warnings = append(set.Warnings, trace.Warning{File: u.file.name,
				Text: "--rank-name does not match: its rank is what it was without"})
			rest = append(rest, u)
			continue
		}
		reached, said = append(reached, u), append(said, x)
	}
	numbers := ranksOverNodes(said)
	if parts > 1 && holdsTwice(numbers) {
		for part := range parts {
			var own []int
			var of []askedRank
			for i, u := range reached {
				if u.part == part {
					own, of = append(own, i), append(of, said[i])
				}
			}
			for k, n := range ranksOverNodes(of) {
				numbers[own[k]] = n
			}
		}
	}
	for i, u := range reached {
		u.setRank(numbers[i], trace.RankFromFlag)
	}
	return rest
}

// ranksOverNodes returns the ranks as they are, if no two are equal or no nodes are given.
// Otherwise they get new numbers in order of node, with as many numbers for each node as the
// largest one has ranks.
func ranksOverNodes(said []askedRank) []int {
	ranks, room, nodes := make([]int, len(said)), 0, map[string]int{}
	for i, x := range said {
		ranks[i], room = x.rank, max(room, x.rank+1)
		nodes[x.node] = 0
	}
	if len(nodes) < 2 || !holdsTwice(ranks) {
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

// holdsTwice reports whether a number occurs twice.
func holdsTwice(ranks []int) bool {
	seen := map[int]bool{}
	for _, n := range ranks {
		if seen[n] {
			return true
		}
		seen[n] = true
	}
	return false
}
