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

// tolerances are by how much the sizes of steps that are compared one by one may differ,
// a share.
var tolerances = []float64{0.125, 0.06, 0.03, 0.01, 0}

// spread is what the times of steps of equal load differ by at least, a share: closer
// sizes than that gain nothing.
const spread = 0.02

// matchLoads are the steps of a group that are compared: each a number for every run.
// There are two ways to choose them, neighbours in size, or those that have the same place
// among the sizes of their runs; that which tells most counts.
func matchLoads(runs []loadRun, key loadKey) [][]int64 {
	if len(runs) == 0 || slices.ContainsFunc(runs, func(r loadRun) bool { return len(r.groups[key]) == 0 }) {
		return nil
	}
	var best [][]int
	most := 0.0
	for _, tolerance := range tolerances {
		best, most = better(best, most, runs, key, neighbours(runs, key, tolerance))
	}
	best, _ = better(best, most, runs, key, places(runs, key))
	out := make([][]int64, len(best))
	for k, m := range best {
		for i, at := range m {
			out[k] = append(out[k], runs[i].groups[key][at].number)
		}
	}
	return out
}

// better is found, balanced, with what it tells, if that is more than most: the number of
// its steps over the variance of each.
func better(best [][]int, most float64, runs []loadRun, key loadKey, found [][]int) ([][]int, float64) {
	found = balanced(runs, key, found)
	variance := spread * spread
	for _, m := range found {
		mean, squares := 0.0, 0.0
		for i, at := range m {
			mean += logSize(runs[i].groups[key][at]) / float64(len(m))
		}
		for i, at := range m {
			d := logSize(runs[i].groups[key][at]) - mean
			squares += float64(d * d)
		}
		variance += squares / float64(len(m)*len(found))
	}
	if tells := float64(len(found)) / variance; tells > most {
		return found, tells
	}
	return best, most
}

func logSize(s loadStep) float64 { return math.Log(math.Max(1, float64(s.load.Size()))) }

// neighbours goes through the runs' steps in order of size. Each of found holds the place
// of a step in every run's group.
func neighbours(runs []loadRun, key loadKey, tolerance float64) (found [][]int) {
	at := make([]int, len(runs))
	for {
		least, most := int64(math.MaxInt64), int64(0)
		for i, r := range runs {
			if at[i] == len(r.groups[key]) {
				return found
			}
			size := r.groups[key][at[i]].load.Size()
			least, most = min(least, size), max(most, size)
		}
		fits := float64(most) <= float64(1+tolerance)*float64(least)
		if fits {
			found = append(found, slices.Clone(at))
		}
		for i, r := range runs {
			if fits || r.groups[key][at[i]].load.Size() == least {
				at[i]++
			}
		}
	}
}

// places pairs steps by their place among the sizes of their runs, evenly over those of a
// run that has more.
func places(runs []loadRun, key loadKey) (found [][]int) {
	n := math.MaxInt
	for _, r := range runs {
		n = min(n, len(r.groups[key]))
	}
	for k := range n {
		m := make([]int, len(runs))
		for i, r := range runs {
			m[i] = (2*k + 1) * len(r.groups[key]) / (2 * n)
		}
		found = append(found, m)
	}
	return found
}

// balanced leaves out, one by one, the steps in which the sides' sizes differ most until
// they differ on the whole by no more than half of what makes other work of a step: sizes
// within a factor of two could double its time.
func balanced(runs []loadRun, key loadKey, found [][]int) [][]int {
	members := [2]float64{}
	for _, r := range runs {
		members[r.side]++
	}
	if members[0] == 0 || members[1] == 0 {
		return nil
	}
	differ := func(m []int) float64 {
		d := 0.0
		for i, at := range m {
			d += float64([2]float64{-1, 1}[runs[i].side] / members[runs[i].side] * logSize(runs[i].groups[key][at]))
		}
		return d
	}
	by := make([]float64, len(found))
	order := make([]int, len(found))
	sum := 0.0
	for k, m := range found {
		by[k], order[k] = differ(m), k
		sum += by[k]
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(by[a], by[b]) })
	for len(order) > 0 && math.Abs(sum) > sameWork/2*float64(len(order)) {
		if last := len(order) - 1; sum > 0 {
			sum, order = sum-by[order[last]], order[:last]
		} else {
			sum, order = sum-by[order[0]], order[1:]
		}
	}
	slices.Sort(order)
	return permuted(found, order)
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

// permuted are the values at the places of order.
func permuted[T any](v []T, order []int) []T {
	out := make([]T, len(order))
	for i, from := range order {
		out[i] = v[from]
	}
	return out
}
