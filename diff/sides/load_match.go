package sides

import (
	"cmp"
	"math"
	"slices"

	"perfdiff/analyze/run"
)

// match is one step of each run, in the order of runs, that carry like loads.
type match struct {
	numbers []int64
	group   int
}

// sizeTolerances are the shares by which the sizes of steps that are compared one by one may differ, the coarsest
// first. Chosen, not measured: each is about half of the one before, down to the same size.
var sizeTolerances = []float64{0.125, 0.06, 0.03, 0.01, 0}

// spread is the least share by which the times of steps of equal load differ: closer sizes gain nothing. Chosen, not
// measured: it is the threshold of the step time.
const spread = 0.02

// matcher chooses the steps of a group that are compared.
type matcher struct {
	steps []([]loadStep) // of each run
	side  []int          // of each run
	// measures are the logs of what a step's work grows by: its size, and its context
	// where the names of all steps hold that.
	measures []func(*loadStep) float64
}

func newMatcher(runs []loadRun, key loadKey) *matcher {
	m := &matcher{measures: []func(*loadStep) float64{func(s *loadStep) float64 { return logOf(s.load.Size()) }}}
	contexts := true
	for _, r := range runs {
		m.steps, m.side = append(m.steps, r.groups[key]), append(m.side, r.side)
		contexts = contexts && !slices.ContainsFunc(r.groups[key], func(s loadStep) bool { return s.load.Context == 0 })
	}
	if contexts {
		m.measures = append(m.measures, func(s *loadStep) float64 { return logOf(s.load.Context) })
	}
	return m
}

func logOf(n int64) float64 { return math.Log(math.Max(1, float64(n))) }

// matchLoads chooses the steps of a group to compare: for each, its number in every run. It tries neighbours by size
// or by context, and steps at the same place in the order of their runs, and takes what tells most.
func matchLoads(runs []loadRun, key loadKey) [][]int64 {
	if len(runs) == 0 || slices.ContainsFunc(runs, func(r loadRun) bool { return len(r.groups[key]) == 0 }) {
		return nil
	}
	m := newMatcher(runs, key)
	var best [][]int
	most := 0.0
	for by := range m.measures {
		order := m.inOrder(by)
		for _, tolerance := range sizeTolerances {
			best, most = m.better(best, most, m.neighbours(order, by, tolerance))
		}
		best, most = m.better(best, most, places(order))
	}
	out := make([][]int64, len(best))
	for k, found := range best {
		for i, at := range found {
			out[k] = append(out[k], m.steps[i][at].number)
		}
	}
	return out
}

// inOrder sorts the places of each run's steps by one measure, equal ones by the others.
func (m *matcher) inOrder(by int) [][]int {
	out := make([][]int, len(m.steps))
	for i, steps := range m.steps {
		out[i] = make([]int, len(steps))
		for at := range steps {
			out[i][at] = at
		}
		slices.SortStableFunc(out[i], func(a, b int) int {
			order := cmp.Compare(m.measures[by](&steps[a]), m.measures[by](&steps[b]))
			for _, measure := range m.measures {
				order = cmp.Or(order, cmp.Compare(measure(&steps[a]), measure(&steps[b])))
			}
			return order
		})
	}
	return out
}

// better balances found and returns it, with what it tells, if that is more than most: the number of its steps over
// the variance of each.
func (m *matcher) better(best [][]int, most float64, found [][]int) ([][]int, float64) {
	found = m.balanced(found)
	variance := spread * spread
	for _, measure := range m.measures {
		for _, one := range found {
			mean, squares := 0.0, 0.0
			for i, at := range one {
				mean += measure(&m.steps[i][at]) / float64(len(one))
			}
			for i, at := range one {
				d := measure(&m.steps[i][at]) - mean
				squares += float64(d * d)
			}
			variance += squares / float64(len(one)*len(found))
		}
	}
	if tells := float64(len(found)) / variance; tells > most {
		return found, tells
	}
	return best, most
}

// neighbours goes through the runs' steps in order of one measure. Each of found holds the
// place of a step in every run.
func (m *matcher) neighbours(order [][]int, by int, tolerance float64) (found [][]int) {
	at := make([]int, len(order))
	values := make([]float64, len(order))
	for {
		for i := range order {
			if at[i] == len(order[i]) {
				return found
			}
			values[i] = m.measures[by](&m.steps[i][order[i][at[i]]])
		}
		least := slices.Min(values)
		fits := slices.Max(values)-least <= math.Log1p(tolerance)
		if fits {
			found = append(found, placesAt(order, at))
		}
		for i := range order {
			if fits || values[i] == least {
				at[i]++
			}
		}
	}
}

func placesAt(order [][]int, at []int) []int {
	out := make([]int, len(order))
	for i := range order {
		out[i] = order[i][at[i]]
	}
	return out
}

// places pairs steps by their place in the order of their runs, spread evenly over a run that has more.
func places(order [][]int) (found [][]int) {
	n := math.MaxInt
	for _, o := range order {
		n = min(n, len(o))
	}
	at := make([]int, len(order))
	for k := range n {
		for i, o := range order {
			at[i] = (2*k + 1) * len(o) / (2 * n)
		}
		found = append(found, placesAt(order, at))
	}
	return found
}

// balanced leaves out, one by one, the steps in which the sides differ most in a measure, until the sides as a whole
// differ by no more than half of what counts as other work: sizes within a factor of two could double the time.
func (m *matcher) balanced(found [][]int) [][]int {
	members := [2]float64{}
	for _, side := range m.side {
		members[side]++
	}
	if members[0] == 0 || members[1] == 0 {
		return nil
	}
	for { // what balances one may unbalance the other
		before := len(found)
		for _, measure := range m.measures {
			found = m.balancedBy(found, measure, members)
		}
		if len(found) == before {
			return found
		}
	}
}

func (m *matcher) balancedBy(found [][]int, measure func(*loadStep) float64, members [2]float64) [][]int {
	by := make([]float64, len(found))
	order := make([]int, len(found))
	sum := 0.0
	for k, one := range found {
		for i, at := range one {
			by[k] += float64([2]float64{-1, 1}[m.side[i]] / members[m.side[i]] * measure(&m.steps[i][at]))
		}
		order[k] = k
		sum += by[k]
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(by[a], by[b]) })
	for len(order) > 0 && math.Abs(sum) > SameWork/2*float64(len(order)) {
		if last := len(order) - 1; sum > 0 {
			sum, order = sum-by[order[last]], order[:last]
		} else {
			sum, order = sum-by[order[0]], order[1:]
		}
	}
	slices.Sort(order)
	return permuted(found, order)
}

// renumbered returns a set in which each compared step has the number of its partner in the first run, so that steps
// of like load share one; the others are left out and say why.
func (l *Loads) renumbered(set *run.Set, side int, runs []loadRun, matched []match) *run.Set {
	out := *set
	out.Runs = slices.Clone(set.Runs)
	taken, behind := map[int64]bool{}, int64(0)
	for _, m := range matched {
		taken[m.numbers[0]] = true
	}
	for k := range set.EachRank() {
		for _, st := range k.Steps {
			behind = max(behind, st.Number+1)
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
			s.Dropped = run.DropUnlike
		default:
			s.Dropped = run.DropNoLoad
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

// permuted returns the values at the places of order.
func permuted[T any](v []T, order []int) []T {
	out := make([]T, len(order))
	for i, from := range order {
		out[i] = v[from]
	}
	return out
}

// The size from which a difference in the work of a step is one, a share. Chosen, not
// measured: the
// same batches are equal to the byte.
const SameWork = 0.01
