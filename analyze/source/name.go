package source

import (
	"regexp"
	"slices"
	"strconv"
)

// NameRank is what a file's name says about its rank.
type NameRank struct {
	Rank  int // -1: the name says none
	World int // ranks of the job, out of "3-of-8"; 0: nothing
}

// rankWord matches a name that calls a number a rank: "_rank3_on_host", "rank-3",
// "globalRank3". The rank of a LoRA adapter is written the same way; it is noticed because
// several files have the same number.
var rankWord = regexp.MustCompile(`(?i)(?:^|[^a-z]|global)rank[\s._-]{0,2}(\d{1,7})(?:\D|$)`)

// shardOf matches "trace-3-of-8.json", as the examples of torchrun and loaders of shards write
// it.
var shardOf = regexp.MustCompile(`(?i)(?:^|\D)(\d{1,7})[\s._-]?of[\s._-]?(\d{1,7})(?:\D|$)`)

// workerWord matches words that mostly mean a rank: "worker3", "procid_3".
var workerWord = regexp.MustCompile(`(?i)(?:^|[^a-z])(?:worker|procid|proc|task|pe)[._-]?(\d{1,7})(?:\D|$)`)

// rankPatterns match the places in which launchers write a rank: nsys' %q{SLURM_PROCID} in
// "report.3.nsys-rep" and "job_3.sqlite".
var rankPatterns = []*regexp.Regexp{
	regexp.MustCompile(`(?:^|[^\d])[._-](\d{1,5})` + profileEnd),
	regexp.MustCompile(`^(\d{1,5})` + profileEnd),
	// A number between dots in the middle, but not the second part of a
	// version ("2024.5") and not a time stamp.
	regexp.MustCompile(`[^\d.]\.(\d{1,5})\.[^\d]`),
}

const profileEnd = `(?:\.(?:sqlite3?|nsys-rep|qdrep|pt\.trace\.json|trace\.json|json|db)(?:\.gz|\.zst)?|_pqtdir)$`

// notRankBefore matches the end of a text after which a number is not the job's rank: "step", "node", or a rank that
// counts anew on each node.
var notRankBefore = regexp.MustCompile(`(?i)(?:^|[^a-z])(?:steps?|iters?|iterations?|epoch|cycle|nodes?|nodeid|host|nid|` +
	`local|local[\s._-]?(?:id|rank)|v)[\s._-]{0,2}$`)

// RankOfName reads a rank out of one base name, as RanksOfNames does.
func RankOfName(name string) NameRank { return RanksOfNames([]string{name}, []int{-1})[0] }

// RankOfDir reads a rank out of the name of a directory, where it must follow the word rank; -1
// if there is none.
func RankOfDir(name string) int { return numberAt(rankWord, name) }

// RanksOfNames reads the ranks of a run out of the base names of its files. known holds the ranks that the files
// themselves state, -1 where they do not: if the number at some place of a name contradicts them, that place is not
// the rank.
//
// A number after the word rank, and "3-of-8", are read first, name by name. Of the other numbers in the names the rank
// is the one that differs from file to file and starts at 0. If several numbers are like that, the larger one is
// taken: it counts processes where the smaller one counts nodes. Last, a number counts that stands where launchers
// write a rank.
func RanksOfNames(names []string, known []int) []NameRank {
	out := make([]NameRank, len(names))
	var rest []int
	for i, name := range names {
		if out[i] = (NameRank{Rank: numberAt(rankWord, name)}); out[i].Rank < 0 {
			rest = append(rest, i)
		}
	}
	rest = shardRanks(out, names, rest)
	workers := make([]int, len(names))
	for _, i := range rest {
		workers[i] = numberAt(workerWord, names[i])
	}
	varying := varyingNumber(names, known, rest)
	for n, i := range rest {
		switch {
		case workers[i] >= 0 && (varying == nil || !allEqual(workers, rest)):
			out[i].Rank = workers[i]
		case varying != nil:
			out[i].Rank = varying[n]
		default:
			for _, p := range rankPatterns {
				if out[i].Rank = max(out[i].Rank, numberAt(p, names[i])); out[i].Rank >= 0 {
					break
				}
			}
		}
	}
	return out
}

// RankWord returns the number that a name calls a rank, and the name without it; -1 and the whole name if there is
// none.
func RankWord(name string) (rank int, rest string) {
	if rank = numberAt(rankWord, name); rank < 0 {
		return -1, name
	}
	at := rankWord.FindStringSubmatchIndex(name)
	return rank, rankItself.ReplaceAllString(name[:at[2]], "") + name[at[3]:]
}

var rankItself = regexp.MustCompile(`(?i)[\s._-]*(?:global)?rank[\s._-]{0,2}$`)

// numberAt returns the number that p finds in a name; -1 if there is none, or if the text before it
// says that it is no rank.
func numberAt(p *regexp.Regexp, name string) int {
	m := p.FindStringSubmatchIndex(name)
	if m == nil || notRankBefore.MatchString(name[:m[2]]) {
		return -1
	}
	n, err := strconv.Atoi(name[m[2]:m[3]])
	if err != nil {
		return -1
	}
	return n
}

// shardRanks reads "3-of-8" in those names of rest that have it, and returns the indices of the
// others. If the shards include the last number and not 0, they count from 1.
func shardRanks(out []NameRank, names []string, rest []int) (others []int) {
	first, last := true, false
	var found []int
	for _, i := range rest {
		m := shardOf.FindStringSubmatch(names[i])
		if m == nil {
			others = append(others, i)
			continue
		}
		rank, err1 := strconv.Atoi(m[1])
		world, err2 := strconv.Atoi(m[2])
		if err1 != nil || err2 != nil || rank > world || world == 0 {
			others = append(others, i)
			continue
		}
		out[i] = NameRank{rank, world}
		found = append(found, i)
		first, last = first && rank > 0, last || rank == world
	}
	for _, i := range found {
		switch {
		case first && last:
			out[i].Rank--
		case out[i].Rank >= out[i].World: // both 0 and the last: no shard of that many
			out[i].World = 0
		}
	}
	return others
}

// allEqual reports whether several files have the same number. of are their indices.
func allEqual(numbers []int, of []int) bool {
	return len(of) > 1 && !slices.ContainsFunc(of, func(i int) bool { return numbers[i] != numbers[of[0]] })
}

var digitRun = regexp.MustCompile(`\d+`)

// varyingNumber finds the place in the names that holds the rank, counting numbers from the
// left or from the right, and returns the number there for each name of rest. It is nil if
// there is no such place.
func varyingNumber(names []string, known []int, rest []int) []int {
	if len(rest) < 2 {
		return nil
	}
	tokens, fewest := make([][]int, len(names)), 1<<30
	for i, name := range names {
		for _, at := range digitRun.FindAllStringIndex(name, -1) {
			n, err := strconv.Atoi(name[at[0]:at[1]])
			if err != nil || at[1]-at[0] > 7 || notRankBefore.MatchString(name[:at[0]]) {
				n = -1
			}
			tokens[i] = append(tokens[i], n)
		}
	}
	for _, i := range rest {
		fewest = min(fewest, len(tokens[i]))
	}
	var best []int
	for at := -fewest; at < fewest; at++ {
		place := func(i int) int {
			switch n := len(tokens[i]); {
			case at < 0 && n+at >= 0:
				return tokens[i][n+at]
			case at >= 0 && at < n:
				return tokens[i][at]
			}
			return -1
		}
		v := ranksAtPlace(place, known, rest)
		switch {
		case v == nil, slices.Equal(v, best):
		case best == nil, noneLess(v, best):
			best = v
		case !noneLess(best, v):
			return nil // two places that count differently
		}
	}
	return best
}

// ranksAtPlace returns the numbers of the names in rest at one place. They are nil if these cannot
// be ranks: missing, double, without a 0, or against what files themselves say.
func ranksAtPlace(place func(int) int, known, rest []int) []int {
	seen := map[int]bool{}
	var out []int
	for _, i := range rest {
		n := place(i)
		if n < 0 || seen[n] || known[i] >= 0 && known[i] != n {
			return nil
		}
		seen[n] = true
		out = append(out, n)
	}
	for i, n := range known { // of files whose names say a rank otherwise too
		if at := place(i); n >= 0 && at >= 0 && at != n {
			return nil
		}
	}
	if !seen[0] && !slices.Contains(known, 0) {
		return nil
	}
	return out
}

// noneLess reports whether no number of a is less than the number of b at the same index.
func noneLess(a, b []int) bool {
	for i := range a {
		if a[i] < b[i] {
			return false
		}
	}
	return true
}
