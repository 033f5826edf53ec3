package sides

import (
	"slices"
)

// SizesKind says what is known about the sizes of two jobs.
type SizesKind string

// The kinds.
const (
	SizesSaid       SizesKind = "said"             // the files of both sides say them
	SizesBeyondBase SizesKind = "beyond-baseline"  // the baseline's files say it, and the candidate has ranks beyond
	SizesBeyondCand SizesKind = "beyond-candidate" // the other way round
	SizesCaptured   SizesKind = "captured"         // no file says it: so many ranks were captured
)

// Sizes holds the sizes of the jobs of two sides. The zero value: nothing says that they differ.
type Sizes struct {
	Kind       SizesKind
	Base, Cand int // ranks, as the kind says; 0 of a side that does not say
}

// Differ reports whether the jobs differ in size.
func (s Sizes) Differ() bool { return s.Kind != "" }

// SizesDiffer returns how the two sides are jobs of different size; zero if they are not, as far as is known. More
// ranks make a step longer by themselves, so such sides are not compared; a missing capture of the same job hardly
// moves the median over ranks.
//
// If both sides know the number of ranks of their job, it decides. If one does, the other fits if it has no rank
// beyond it. If neither does, the same ranks, or the same highest rank, are the same job; so is a side that lacks at
// most one rank in eight, since a lost file is more likely than a job of that size.
func SizesDiffer(base, cand *Side) Sizes {
	nb, nc := base.MostRanks(), cand.MostRanks()
	out, same := Sizes{SizesCaptured, nb, nc}, false
	switch wb, wc := base.WorldSize(), cand.WorldSize(); {
	case wb > 0 && wc > 0:
		out, same = Sizes{SizesSaid, wb, wc}, wb == wc
	case wb > 0:
		out, same = Sizes{SizesBeyondBase, wb, 0}, fits(cand, wb)
	case wc > 0:
		out, same = Sizes{SizesBeyondCand, 0, wc}, fits(base, wc)
	default:
		same = sameJobByRanks(base.Numbers(), cand.Numbers(), nb, nc)
	}
	if same {
		return Sizes{}
	}
	return out
}

func fits(s *Side, world int) bool {
	numbers := s.Numbers()
	return s.MostRanks() <= world && (len(numbers) == 0 || numbers[len(numbers)-1] < world)
}

// sameJobByRanks compares rank numbers where no world size is known.
func sameJobByRanks(base, cand []int, nb, nc int) bool {
	if slices.Equal(base, cand) && nb == nc {
		return true
	}
	unknown := slices.Contains(base, -1) || slices.Contains(cand, -1)
	if !unknown && nb > 0 && nc > 0 && base[len(base)-1] == cand[len(cand)-1] {
		return true
	}
	return 8*(max(nb, nc)-min(nb, nc)) <= max(nb, nc)
}
