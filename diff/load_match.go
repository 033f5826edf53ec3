package diff

import (
	"cmp"
	"math"
	"slices"

	"perfdiff/analyze/run"
)

// Why engine steps do not enter.
const (
	dropUnlike = "no step of like load is left in every run"
	dropNoLoad = "nothing says what the engine did in it"
)

// match is one step of each run, in the order of runs, that carry like loads.
type match struct {
	numbers []int64
	group   int
}

// tolerances are by how much the sizes of steps that are compared may differ, a share.
// The first counts with which they do not differ on the whole by more than half of what
// makes other work of a step: sizes within a factor of two alone could double its time.
var tolerances = []float64{0.125, 0.06, 0.03, 0.01, 0}

// matchLoads are the steps of a group that are compared: each a number for every run.
func matchLoads(runs []loadRun, key loadKey) [][]int64 {
	for _, tolerance := range tolerances {
		found, bias := matchSizes(runs, key, tolerance)
		if math.Abs(bias) <= sameWork/2 {
			return found
		}
	}
	return nil
}

// matchSizes goes through the runs' steps in order of size. bias is by how much the
// candidate's are larger than the baseline's, the mean difference of logs.
func matchSizes(runs []loadRun, key loadKey, tolerance float64) (found [][]int64, bias float64) {
	at := make([]int, len(runs))
	members := [2]float64{}
	for _, r := range runs {
		members[r.side]++
	}
	for members[0] > 0 && members[1] > 0 {
		least, most := int64(math.MaxInt64), int64(0)
		for i, r := range runs {
			if at[i] == len(r.groups[key]) {
				return found, bias / float64(max(1, len(found)))
			}
			size := r.groups[key][at[i]].load.Size()
			least, most = min(least, size), max(most, size)
		}
		fits := float64(most) <= float64(1+tolerance)*float64(least)
		numbers := make([]int64, len(runs))
		for i, r := range runs {
			step := r.groups[key][at[i]]
			numbers[i] = step.number
			if fits {
				bias += float64([2]float64{-1, 1}[r.side] * math.Log(math.Max(1, float64(step.load.Size()))) / members[r.side])
			}
			if fits || step.load.Size() == least {
				at[i]++
			}
		}
		if fits {
			found = append(found, numbers)
		}
	}
	return nil, 0
}

// renumbered is a set whose compared steps have the numbers that those of the first run
// have, so that steps of like load share one; the others are left out and say why.
func (l *loads) renumbered(set *run.Set, side int, runs []loadRun, matched []match) *run.Set {
	out := *set
	out.Runs = slices.Clone(set.Runs)
	taken, behind := map[int64]bool{}, int64(0)
	for _, m := range matched {
		taken[m.numbers[0]] = true
	}
	for _, s := range set.Runs {
		for _, k := range s.Ranks {
			for _, st := range k.Steps {
				behind = max(behind, st.Number+1)
			}
		}
	}
	for i := range matched {
		behind = max(behind, matched[i].numbers[0]+1)
	}
	for i := range out.Runs {
		at := slices.IndexFunc(runs, func(r loadRun) bool { return r.side == side && r.name == out.Runs[i].Name })
		if at < 0 {
			continue
		}
		numbers := map[int64]int64{}
		for _, m := range matched {
			numbers[m.numbers[at]] = m.numbers[0]
		}
		recorded := map[int64]int64{}
		l.recorded[[2]string{"baseline", "candidate"}[side]+"\x00"+out.Runs[i].Name] = recorded
		out.Runs[i] = renumberedRun(out.Runs[i], func(n int64) (to int64, compared bool) {
			if to, compared = numbers[n]; !compared {
				if to = n; taken[n] {
					to = behind + n
				}
			}
			recorded[to] = n
			return to, compared
		})
	}
	return &out
}

func renumberedRun(r run.Run, number func(int64) (int64, bool)) run.Run {
	r.Ranks, r.Excerpts = slices.Clone(r.Ranks), slices.Clone(r.Excerpts)
	for i := range r.Excerpts {
		r.Excerpts[i].Step, _ = number(r.Excerpts[i].Step)
	}
	for i := range r.Ranks {
		renumberRank(&r.Ranks[i], number)
	}
	return r
}

// renumberRank gives a rank's steps their numbers, and puts them and their values in
// order again. What it changes it copies.
func renumberRank(k *run.Rank, number func(int64) (int64, bool)) {
	steps := slices.Clone(k.Steps)
	order := make([]int, len(steps))
	for i := range steps {
		s := &steps[i]
		to, compared := number(s.Number)
		switch {
		case s.Dropped != "" || compared:
		case s.Load.Known():
			s.Dropped = dropUnlike
		default:
			s.Dropped = dropNoLoad
		}
		s.Number, order[i] = to, i
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(steps[a].Number, steps[b].Number) })
	k.Steps, k.Series, k.Longest = permuted(steps, order), slices.Clone(k.Series), slices.Clone(k.Longest)
	for i := range k.Series {
		if len(k.Series[i].Values) == len(order) {
			k.Series[i].Values = permuted(k.Series[i].Values, order)
		}
	}
	for i := range k.Longest {
		k.Longest[i].Step, _ = number(k.Longest[i].Step)
	}
}

func permuted[T any](v []T, order []int) []T {
	out := make([]T, len(v))
	for i, from := range order {
		out[i] = v[from]
	}
	return out
}
