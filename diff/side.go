package diff

import (
	"cmp"
	"maps"
	"math"
	"slices"
	"strings"

	"perfdiff/analyze/run"
	"perfdiff/analyze/trace"
	"perfdiff/diff/stat"
)

// side is one run set in a fixed order and with its series indexed, so that
// neither the order of files nor that of ranks can reach a result.
type side struct {
	name string // "baseline", "candidate"
	set  *run.Set
	runs []*oneRun // those with ranks; without kept steps only if no run has any
	left []string  // names of the runs left out for having no kept step
}

// oneRun is a run with the steps that enter.
type oneRun struct {
	of    *run.Run
	name  string
	began int64 // UTC nanoseconds; 0 unknown
	ranks []*oneRank
	state map[int64]string // every step number: why it is dropped, "" kept
	kept  []int64          // in order
	warm  []int64          // of kept, what the warm-up rule cut
	own   int              // how many of kept the run's own warm-up has
	used  []int64          // of kept, what enters the comparison
	// recorded are the numbers that steps of an inference engine have in their recording, by
	// those that they have here; nil of all other steps.
	recorded map[int64]int64
	curves   map[run.Key]*curves   // over the used steps, those that were asked for
	parts    map[run.Key][]float64 // likewise of parts of the breakdown
}

// oneRank is a rank with an index of its series and steps.
type oneRank struct {
	*run.Rank
	series *seriesIndex
	at     map[int64]int // index of a step by its number, a kept one first
	pos    []int         // index of each used step; -1 where it is missing or dropped
	alone  bool          // the other side has no such rank: it is shown and does not enter
}

// seriesIndex says where the series of a rank are. Nearly all ranks of a run have the same
// ones in the same order, and share an index, which nobody changes.
type seriesIndex map[run.Key]int

func newSide(name string, set *run.Set) *side {
	s := &side{name: name, set: set}
	runs := slices.Clone(set.Runs)
	slices.SortStableFunc(runs, func(a, b run.Run) int { return strings.Compare(a.Name, b.Name) })
	for i := range runs {
		if len(runs[i].Ranks) > 0 {
			s.runs = append(s.runs, newRun(&runs[i]))
		}
	}
	s.leaveOutStepless()
	return s
}

// leaveOutStepless keeps one failed run from making the others useless.
func (s *side) leaveOutStepless() {
	var stepped []*oneRun
	for _, r := range s.runs {
		if len(r.kept) > 0 {
			stepped = append(stepped, r)
		} else {
			s.left = append(s.left, r.name)
		}
	}
	if len(stepped) == 0 {
		s.left = nil
		return
	}
	s.runs = stepped
}

func newRun(r *run.Run) *oneRun {
	out := &oneRun{of: r, name: r.Name, began: began(r), state: map[int64]string{}}
	var before *oneRank
	for i := range r.Ranks {
		before = newRank(&r.Ranks[i], before)
		out.ranks = append(out.ranks, before)
	}
	slices.SortStableFunc(out.ranks, func(a, b *oneRank) int {
		return cmp.Or(cmp.Compare(a.Rank.Rank, b.Rank.Rank), strings.Compare(a.Host, b.Host),
			cmp.Compare(a.Device, b.Device), slices.Compare(a.Files, b.Files))
	})
	out.findKept()
	return out
}

// newRank indexes a rank; one with the steps of another one, or with its series, shares the
// index of these.
func newRank(r *run.Rank, other *oneRank) *oneRank {
	out := &oneRank{Rank: r}
	if other != nil && sameSeries(other.Series, r.Series) {
		out.series = other.series
	} else {
		out.series = indexOf(r.Series)
	}
	if other != nil && sameSteps(other.Steps, r.Steps) {
		out.at = other.at
		return out
	}
	out.at = make(map[int64]int, len(r.Steps))
	for i, s := range r.Steps {
		if have, ok := out.at[s.Number]; !ok || r.Steps[have].Dropped != "" && s.Dropped == "" {
			out.at[s.Number] = i
		}
	}
	return out
}

func indexOf(series []run.Series) *seriesIndex {
	out := make(seriesIndex, len(series))
	for i := range series {
		out[series[i].Key] = i
	}
	return &out
}

// without is the index without a metric; the index itself where it has none of it.
func (x *seriesIndex) without(metric string) *seriesIndex {
	out := maps.Clone(*x)
	maps.DeleteFunc(out, func(key run.Key, _ int) bool { return key.Metric == metric })
	if len(out) == len(*x) {
		return x
	}
	return &out
}

// sameSeries reports whether series have the same keys in the same order.
func sameSeries(a, b []run.Series) bool {
	if len(a) != len(b) {
		return false
	}
	for i := range a {
		if a[i].Key != b[i].Key {
			return false
		}
	}
	return true
}

// sameSteps reports whether steps have the same numbers and are left out for the same
// reasons.
func sameSteps(a, b []trace.Step) bool {
	return slices.EqualFunc(a, b, func(x, y trace.Step) bool { return x.Number == y.Number && x.Dropped == y.Dropped })
}

// findKept decides for every step number of the run: a step that most of the
// ranks that have it dropped is dropped, for the most frequent reason.
func (r *oneRun) findKept() {
	if r.alike() {
		first := r.ranks[0]
		for number, i := range first.at {
			if r.state[number] = first.Steps[i].Dropped; r.state[number] == "" {
				r.kept = append(r.kept, number)
			}
		}
		slices.Sort(r.kept)
		return
	}
	reasons := map[int64][]string{}
	for _, k := range r.ranks {
		for number, i := range k.at {
			reasons[number] = append(reasons[number], k.Steps[i].Dropped)
		}
	}
	for number, all := range reasons {
		dropped := without(all)
		if 2*len(dropped) > len(all) {
			r.state[number] = mostFrequent(dropped)
			continue
		}
		r.state[number] = ""
		r.kept = append(r.kept, number)
	}
	slices.Sort(r.kept)
}

// alike reports whether all ranks have the steps of the first, as most runs' do.
func (r *oneRun) alike() bool {
	return len(r.ranks) > 0 && !slices.ContainsFunc(r.ranks[1:], func(k *oneRank) bool { return !sameSteps(r.ranks[0].Steps, k.Steps) })
}

// use fixes the steps that enter and finds them on every rank.
func (r *oneRun) use(numbers []int64) {
	r.used, r.curves, r.parts = numbers, nil, nil
	for _, k := range r.ranks {
		k.pos = make([]int, len(numbers))
		for j, n := range numbers {
			k.pos[j] = -1
			if i, ok := k.at[n]; ok && k.Steps[i].Dropped == "" {
				k.pos[j] = i
			}
		}
	}
}

// value is the rank's value of a used step, NaN where there is none.
func (k *oneRank) value(values []float64, j int) float64 {
	if i := k.pos[j]; i >= 0 && i < len(values) && !math.IsInf(values[i], 0) {
		return values[i]
	}
	return math.NaN()
}

// values returns the series called key, nil if it was not recorded.
func (k *oneRank) values(key run.Key) []float64 {
	if k.series == nil {
		return nil
	}
	if i, ok := (*k.series)[key]; ok {
		return k.Series[i].Values
	}
	return nil
}

// put puts its values of some used steps, from one on, into out, NaN where there are none.
func (k *oneRank) put(values []float64, first int, out []float64) {
	for j, i := range k.pos[first : first+len(out)] {
		if out[j] = math.NaN(); i >= 0 && i < len(values) && !math.IsInf(values[i], 0) {
			out[j] = values[i]
		}
	}
}

// curve is the median over ranks of each used step, NaN where no rank has a
// value, and how many ranks hold the series at all.
func (r *oneRun) curve(key run.Key) (medians []float64, ranks int) {
	c := r.curvesOf(key)
	return slices.Clone(c.medians), c.ranks
}

// meanFirst is the mean over the first n of the used steps of the mean over ranks.
func (r *oneRun) meanFirst(key run.Key, n int) float64 {
	series := r.having(key)
	means := make([]float64, n)
	over := make([]float64, 0, len(series))
	for j := range means {
		over = over[:0]
		for _, s := range series {
			over = append(over, s.rank.value(s.Values, j))
		}
		means[j] = stat.Mean(over)
	}
	return stat.Mean(means)
}

// held is a series of a rank.
type held struct {
	rank *oneRank
	*run.Series
}

// having are the ranks that hold a series, with it.
func (r *oneRun) having(key run.Key) []held {
	var out []held
	var last *seriesIndex
	at, ok := 0, false // in last
	for _, k := range r.ranks {
		if k.series != last {
			last = k.series
			at, ok = (*last)[key]
		}
		if !ok || k.alone || k.Series[at].Values == nil {
			continue
		}
		if out == nil {
			out = make([]held, 0, len(r.ranks))
		}
		out = append(out, held{k, &k.Series[at]})
	}
	return out
}

// matchRanks lets only the ranks enter that both sides captured, so that a
// missing file is no change, and reports whether any is left out by that. Sides
// that share no number, or a run that would lose all its ranks, enter whole.
func matchRanks(base, cand *side) (differ bool) {
	common, of := map[int]bool{}, cand.numbers()
	for _, n := range base.numbers() {
		_, both := slices.BinarySearch(of, n)
		common[n] = n >= 0 && both
	}
	for _, r := range slices.Concat(base.runs, cand.runs) {
		if !slices.ContainsFunc(r.ranks, func(k *oneRank) bool { return common[k.Rank.Rank] }) {
			return !slices.Equal(base.numbers(), cand.numbers())
		}
	}
	for _, s := range []*side{base, cand} {
		s.each(func(k *oneRank) {
			k.alone = !common[k.Rank.Rank]
			differ = differ || k.alone
		})
	}
	return differ
}

// numbers are the rank numbers captured in any run, in order, each once; -1
// stands for any number of ranks that are not known.
func (s *side) numbers() []int {
	var out []int
	for _, r := range s.runs {
		for _, k := range r.ranks {
			out = append(out, k.Rank.Rank)
		}
	}
	slices.Sort(out)
	return slices.Compact(out)
}

// world is the number of ranks of the job as the files say, 0 if none does.
func (s *side) world() int {
	size := 0
	for _, r := range s.runs {
		for _, k := range r.ranks {
			size = max(size, k.WorldSize)
		}
	}
	return size
}

// captured is the largest number of ranks in a run.
func (s *side) captured() int {
	n := 0
	for _, r := range s.runs {
		n = max(n, len(r.ranks))
	}
	return n
}

// found is how many steps all ranks have, used or not.
func (s *side) found() (n int) {
	s.each(func(k *oneRank) { n += len(k.Steps) })
	return n
}

// each calls f for every rank of every run in order.
func (s *side) each(f func(*oneRank)) {
	for _, r := range s.runs {
		for _, k := range r.ranks {
			f(k)
		}
	}
}

// facts are the side's facts by key: the distinct values over its ranks.
func (s *side) facts() []trace.Fact {
	values := map[string][]string{}
	s.each(func(k *oneRank) {
		for _, f := range k.Facts {
			values[f.Key] = append(values[f.Key], f.Value)
		}
	})
	var out []trace.Fact
	for _, key := range sortedKeys(values) {
		out = append(out, trace.Fact{Key: key, Value: strings.Join(distinct(values[key]), ", ")})
	}
	return out
}
