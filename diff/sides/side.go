package sides

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

// Side is one run set in a fixed order and with its series indexed, so that the order of files or ranks cannot reach a
// result.
type Side struct {
	Name        string // "baseline", "candidate"
	Set         *run.Set
	Runs        []*Run   // those with ranks; without kept steps only if no run has any
	RunsLeftOut []string // names of the runs left out for having no kept step
}

// Run is a run with the steps that enter.
type Run struct {
	Source      *run.Run
	Name        string
	Began       int64 // UTC nanoseconds; 0 unknown
	Ranks       []*Rank
	DropReasons map[int64]string // every step number: why it is dropped, "" kept
	Kept        []int64          // in order
	WarmUpSteps []int64          // of kept, what the warm-up rule cut
	OwnWarmUp   int              // how many of kept the run's own warm-up has
	Used        []int64          // of kept, what enters the comparison
	Others      *OtherSteps      // of used, those of another kind; nil: none are
	// recorded are the numbers that steps of an inference engine have in their recording, by
	// those that they have here; nil of all other steps.
	RecordedNumbers map[int64]int64
	reads           Reads                 // where its bytes read and written are taken from
	curves          map[run.Key]*curves   // over the used steps, those that were asked for
	Parts           map[run.Key][]float64 // likewise of parts of the breakdown
}

// Rank is a rank with an index of its series and steps.
type Rank struct {
	*run.Rank
	Index         *SeriesIndex
	StepIndex     map[int64]int // index of a step by its number, a kept one first
	UsedIndex     []int         // index of each used step; -1 where it is missing or dropped
	OnOneSideOnly bool          // the other side has no such rank: it is shown and does not enter
	// ReadsEnter: what was read and written enters from here. Counters of a node do whichever
	// rank has them.
	ReadsEnter bool
}

// SeriesIndex says where the series of a rank are. Nearly all ranks of a run have the same
// ones in the same order, and share an index, which nobody changes.
type SeriesIndex map[run.Key]int

// NewSide puts a set in order. Runs without ranks are none, and those without kept steps are
// left out where others have some.
func NewSide(name string, set *run.Set) *Side {
	s := &Side{Name: name, Set: set}
	runs := slices.Clone(set.Runs)
	slices.SortStableFunc(runs, func(a, b run.Run) int { return strings.Compare(a.Name, b.Name) })
	for i := range runs {
		if len(runs[i].Ranks) > 0 {
			s.Runs = append(s.Runs, NewRun(&runs[i]))
		}
	}
	s.leaveOutStepless()
	return s
}

// leaveOutStepless keeps one failed run from making the others useless.
func (s *Side) leaveOutStepless() {
	var stepped []*Run
	for _, r := range s.Runs {
		if len(r.Kept) > 0 {
			stepped = append(stepped, r)
		} else {
			s.RunsLeftOut = append(s.RunsLeftOut, r.Name)
		}
	}
	if len(stepped) == 0 {
		s.RunsLeftOut = nil
		return
	}
	s.Runs = stepped
}

// NewRun indexes the ranks of a run and finds the steps that it keeps.
func NewRun(r *run.Run) *Run {
	out := &Run{Source: r, Name: r.Name, Began: Began(r), DropReasons: map[int64]string{}}
	var before *Rank
	for i := range r.Ranks {
		before = newRank(&r.Ranks[i], before)
		out.Ranks = append(out.Ranks, before)
	}
	slices.SortStableFunc(out.Ranks, func(a, b *Rank) int {
		return cmp.Or(cmp.Compare(a.Rank.Rank, b.Rank.Rank), strings.Compare(a.Host, b.Host),
			cmp.Compare(a.Device, b.Device), slices.Compare(a.Files, b.Files))
	})
	out.findKept()
	return out
}

// newRank indexes a rank; one with the steps of another one, or with its series, shares the
// index of these.
func newRank(r *run.Rank, other *Rank) *Rank {
	out := &Rank{Rank: r}
	if other != nil && sameSeries(other.Series, r.Series) {
		out.Index = other.Index
	} else {
		out.Index = indexOf(r.Series)
	}
	if other != nil && SameSteps(other.Steps, r.Steps) {
		out.StepIndex = other.StepIndex
		return out
	}
	out.StepIndex = make(map[int64]int, len(r.Steps))
	for i, s := range r.Steps {
		if have, ok := out.StepIndex[s.Number]; !ok || r.Steps[have].Dropped != "" && s.Dropped == "" {
			out.StepIndex[s.Number] = i
		}
	}
	return out
}

func indexOf(series []run.Series) *SeriesIndex {
	out := make(SeriesIndex, len(series))
	for i := range series {
		out[series[i].Key] = i
	}
	return &out
}

// without returns the index without some series; the index itself if it has none of them.
func (x *SeriesIndex) without(which func(run.Key) bool) *SeriesIndex {
	out := maps.Clone(*x)
	maps.DeleteFunc(out, func(key run.Key, _ int) bool { return which(key) })
	if len(out) == len(*x) {
		return x
	}
	return &out
}

// sameSeries reports whether series have the same keys, and sources, in the same order.
func sameSeries(a, b []run.Series) bool {
	if len(a) != len(b) {
		return false
	}
	for i := range a {
		if a[i].Key != b[i].Key || sourceOf(&a[i]) != sourceOf(&b[i]) {
			return false
		}
	}
	return true
}

// SameSteps reports whether steps have the same numbers and are left out for the same
// reasons.
func SameSteps(a, b []trace.Step) bool {
	return slices.EqualFunc(a, b, func(x, y trace.Step) bool { return x.Number == y.Number && x.Dropped == y.Dropped })
}

// findKept decides for every step number of the run: a step that most of the
// ranks that have it dropped is dropped, for the most frequent reason.
func (r *Run) findKept() {
	if r.alike() {
		first := r.Ranks[0]
		for number, i := range first.StepIndex {
			if r.DropReasons[number] = first.Steps[i].Dropped; r.DropReasons[number] == "" {
				r.Kept = append(r.Kept, number)
			}
		}
		slices.Sort(r.Kept)
		return
	}
	reasons := map[int64][]string{}
	for _, k := range r.Ranks {
		for number, i := range k.StepIndex {
			reasons[number] = append(reasons[number], k.Steps[i].Dropped)
		}
	}
	for number, all := range reasons {
		dropped := WithoutEmpty(all)
		if 2*len(dropped) > len(all) {
			r.DropReasons[number] = MostFrequent(dropped)
			continue
		}
		r.DropReasons[number] = ""
		r.Kept = append(r.Kept, number)
	}
	slices.Sort(r.Kept)
}

// alike reports whether all ranks have the steps of the first, as most runs' do.
func (r *Run) alike() bool {
	return len(r.Ranks) > 0 && !slices.ContainsFunc(r.Ranks[1:], func(k *Rank) bool { return !SameSteps(r.Ranks[0].Steps, k.Steps) })
}

// use fixes the steps that enter and finds them on every rank.
func (r *Run) use(numbers []int64) {
	r.Used, r.curves, r.Parts = numbers, nil, nil
	for _, k := range r.Ranks {
		k.UsedIndex = make([]int, len(numbers))
		for j, n := range numbers {
			k.UsedIndex[j] = -1
			if i, ok := k.StepIndex[n]; ok && k.Steps[i].Dropped == "" {
				k.UsedIndex[j] = i
			}
		}
	}
}

// ValueOf returns the rank's value of a used step, NaN where there is none.
func (k *Rank) ValueOf(values []float64, j int) float64 {
	if i := k.UsedIndex[j]; i >= 0 && i < len(values) && !math.IsInf(values[i], 0) {
		return values[i]
	}
	return math.NaN()
}

// ValuesOf returns the series called key, nil if it was not recorded.
func (k *Rank) ValuesOf(key run.Key) []float64 {
	if k.Index == nil {
		return nil
	}
	if i, ok := (*k.Index)[key]; ok {
		return k.Series[i].Values
	}
	return nil
}

// CopyValues puts its values of some used steps, from one on, into out, NaN where there are none.
func (k *Rank) CopyValues(values []float64, first int, out []float64) {
	for j, i := range k.UsedIndex[first : first+len(out)] {
		if out[j] = math.NaN(); i >= 0 && i < len(values) && !math.IsInf(values[i], 0) {
			out[j] = values[i]
		}
	}
}

// Curve returns the median over ranks of each used step, NaN where no rank has a
// value, and how many ranks hold the series at all.
func (r *Run) Curve(key run.Key) (medians []float64, ranks int) {
	c := r.curvesOf(key)
	return slices.Clone(c.medians), c.ranks
}

// meanFirst returns the mean over the first n of the used steps of the mean over ranks.
func (r *Run) meanFirst(key run.Key, n int) float64 {
	series := r.RanksWith(key)
	means := make([]float64, n)
	over := make([]float64, 0, len(series))
	for j := range means {
		over = over[:0]
		for _, s := range series {
			over = append(over, s.Rank.ValueOf(s.Values, j))
		}
		means[j] = stat.Mean(over)
	}
	return stat.Mean(means)
}

// rankSeries is a series of a rank.
type rankSeries struct {
	Rank *Rank
	*run.Series
}

// RanksWith returns the ranks that hold a series, with it.
func (r *Run) RanksWith(key run.Key) []rankSeries {
	var out []rankSeries
	var last *SeriesIndex
	at, ok := 0, false // in last
	for _, k := range r.Ranks {
		if k.Index != last {
			last = k.Index
			at, ok = (*last)[key]
		}
		if !ok || k.Series[at].Values == nil || k.OnOneSideOnly && !(k.ReadsEnter && k.Series[at].Source == run.SourceStorage) {
			continue
		}
		if out == nil {
			out = make([]rankSeries, 0, len(r.Ranks))
		}
		out = append(out, rankSeries{k, &k.Series[at]})
	}
	return out
}

// matchRanks lets only the ranks enter that both sides captured, so that a
// missing file is no change, and reports whether any is left out by that. Sides
// that share no number, or a run that would lose all its ranks, enter whole.
func matchRanks(base, cand *Side) (differ bool) {
	common, of := map[int]bool{}, cand.Numbers()
	for _, n := range base.Numbers() {
		_, both := slices.BinarySearch(of, n)
		common[n] = n >= 0 && both
	}
	for _, r := range slices.Concat(base.Runs, cand.Runs) {
		if !slices.ContainsFunc(r.Ranks, func(k *Rank) bool { return common[k.Rank.Rank] }) {
			return !slices.Equal(base.Numbers(), cand.Numbers())
		}
	}
	for _, s := range []*Side{base, cand} {
		s.EachRank(func(k *Rank) {
			k.OnOneSideOnly = !common[k.Rank.Rank]
			differ = differ || k.OnOneSideOnly
		})
	}
	return differ
}

// Numbers returns the rank numbers captured in any run, in order, each once; -1
// stands for any number of ranks that are not known.
func (s *Side) Numbers() []int {
	var out []int
	s.EachRank(func(k *Rank) { out = append(out, k.Rank.Rank) })
	slices.Sort(out)
	return slices.Compact(out)
}

// WorldSize returns the number of ranks of the job as the files say, 0 if none does.
func (s *Side) WorldSize() int {
	size := 0
	s.EachRank(func(k *Rank) { size = max(size, k.WorldSize) })
	return size
}

// MostRanks returns the largest number of ranks in a run.
func (s *Side) MostRanks() int {
	n := 0
	for _, r := range s.Runs {
		n = max(n, len(r.Ranks))
	}
	return n
}

// found returns how many steps all ranks have, used or not.
func (s *Side) found() (n int) {
	s.EachRank(func(k *Rank) { n += len(k.Steps) })
	return n
}

// EachRank calls f for every rank of every run in order.
func (s *Side) EachRank(f func(*Rank)) {
	for _, r := range s.Runs {
		for _, k := range r.Ranks {
			f(k)
		}
	}
}

// Facts returns the side's facts by key: the distinct values over its ranks.
func (s *Side) Facts() []trace.Fact {
	values := map[string][]string{}
	s.EachRank(func(k *Rank) {
		for _, f := range k.Facts {
			values[f.Key] = append(values[f.Key], f.Value)
		}
	})
	var out []trace.Fact
	for _, key := range SortedKeys(values) {
		out = append(out, trace.Fact{Key: key, Value: strings.Join(Distinct(values[key]), ", ")})
	}
	return out
}
