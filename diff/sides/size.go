package sides

import (
	"fmt"
	"slices"

	"perfdiff/diff/number"
)

// SizesDiffer reports whether the two sides are jobs of different size, and
// why it is thought so, as a clause. More ranks make a step longer by
// themselves, so that such sides are not compared; a missing capture of the
// same job hardly moves the median over ranks.
//
// Where both sides know the number of ranks of their job, it decides. Where
// one does, the other fits if it has no rank beyond it. Where none does, the
// same ranks, or the same highest rank, are the same job; so is a side that
// lacks at most one rank in eight, since a lost file is more likely than a job
// of that size.
func SizesDiffer(base, cand *Side) (why string, differ bool) {
	wb, wc := base.World(), cand.World()
	switch {
	case wb > 0 && wc > 0:
		return fmt.Sprintf("the baseline's job has %s, the candidate's %s", ranksOf(wb), ranksOf(wc)), wb != wc
	case wb > 0:
		return fmt.Sprintf("the baseline's job has %s, and the candidate more", ranksOf(wb)), !fits(cand, wb)
	case wc > 0:
		return fmt.Sprintf("the candidate's job has %s, and the baseline more", ranksOf(wc)), !fits(base, wc)
	}
	nb, nc := base.Captured(), cand.Captured()
	why = fmt.Sprintf("%s and %s were captured, and the files do not say how many the jobs had", ranksOf(nb), ranksOf(nc))
	return why, !alike(base.Numbers(), cand.Numbers(), nb, nc)
}

func fits(s *Side, world int) bool {
	numbers := s.Numbers()
	return s.Captured() <= world && (len(numbers) == 0 || numbers[len(numbers)-1] < world)
}

// alike compares rank numbers where no world size is known.
func alike(base, cand []int, nb, nc int) bool {
	if slices.Equal(base, cand) && nb == nc {
		return true
	}
	unknown := slices.Contains(base, -1) || slices.Contains(cand, -1)
	if !unknown && nb > 0 && nc > 0 && base[len(base)-1] == cand[len(cand)-1] {
		return true
	}
	return 8*(max(nb, nc)-min(nb, nc)) <= max(nb, nc)
}

func ranksOf(n int) string { return number.Counted(n, "rank") }
