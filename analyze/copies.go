package analyze

import (
	"fmt"
	"strings"

	"perfdiff/analyze/run"
	"perfdiff/analyze/trace"
)

// withoutCopies leaves out captures that are copies of another one under a second name. Two ranks never do the same to
// the nanosecond. The first by name is kept, the others are named. Ranks that the profile itself numbers are left
// alone, because they are known to differ; but a file and the same compressed are one.
func withoutCopies(set *run.Set, captures []*capture) []*capture {
	met, packed := map[string]*capture{}, map[string]*capture{}
	var out []*capture
	for _, c := range captures {
		weak := c.rank.RankFrom == "" || trace.RankIsWeak(c.rank.RankFrom)
		first, file := met[c.digest], fmt.Sprint(c.digest, " ", unpackedName(c.rank.Files[0]))
		switch same := packed[file]; {
		case c.digest == "":
		case same != nil && same.id.Rank == c.id.Rank && same.rank.Files[0] != c.rank.Files[0]:
			set.Warnings = append(set.Warnings, trace.Warning{File: c.rank.Files[0], Text: fmt.Sprintf(
				"holds the same capture as %s, compressed otherwise; it counts once", same.rank.Files[0])})
			continue
		case !weak:
		case first == nil:
			met[c.digest] = c
		case first.id.Rank != c.id.Rank || c.id.Rank < 0: // one rank twice is said where ranks are joined
			set.Warnings = append(set.Warnings, trace.Warning{File: c.rank.Files[0], Text: fmt.Sprintf(
				"holds the same capture as %s, under the name of another rank; left out: give the file of each rank once", first.rank.Files[0])})
			continue
		}
		packed[file] = c
		out = append(out, c)
	}
	return out
}

// unpackedName returns the name that a file has when it is unpacked.
func unpackedName(name string) string {
	return strings.TrimSuffix(strings.TrimSuffix(name, ".gz"), ".zst")
}
