package analyze

import (
	"fmt"

	"perfdiff/analyze/run"
	"perfdiff/analyze/trace"
)

// withoutCopies leaves out captures that are copies of another one under a second name. Two ranks never do the same to
// the nanosecond. The first by name is kept, the others are named. Ranks that the profile itself numbers are left
// alone, because they are known to differ.
func withoutCopies(set *run.Set, captures []*capture) []*capture {
	met := map[string]*capture{}
	var out []*capture
	for _, c := range captures {
		weak := c.rank.RankFrom == "" || trace.RankIsWeak(c.rank.RankFrom)
		first := met[c.digest]
		switch {
		case c.digest == "" || !weak:
		case first == nil:
			met[c.digest] = c
		case first.id.Rank != c.id.Rank || c.id.Rank < 0: // one rank twice is said where ranks are joined
			set.Warnings = append(set.Warnings, trace.Warning{File: c.rank.Files[0], Text: fmt.Sprintf(
				"holds the same capture as %s, under the name of another rank; left out: give the file of each rank once", first.rank.Files[0])})
			continue
		}
		out = append(out, c)
	}
	return out
}
