package diff

import (
	"cmp"
	"math"
	"slices"

	"perfdiff/analyze/order"
	"perfdiff/analyze/run"
	"perfdiff/analyze/trace"
	"perfdiff/diff/policy"
	"perfdiff/diff/sides"
)

// Pick is one step of one rank that is worth a person's attention, and where to find it in its profile.
type Pick struct {
	Reasons    []PickReason // why, at least one
	OfBaseline bool         // it is of the baseline of two run sets
	Run, Host  string
	run.Place
	Opener   trace.Opener // what shows the file at a time; "" nothing that is known
	Profiler string       // product and version that wrote the file; "" it does not say
	Time     float64
}

// PickReason is one reason for which a step is picked.
type PickReason struct {
	Kind PickKind
	Size float64 // see PickKind; NaN: none
}

// PickKind says what is special about a step.
type PickKind string

// The kinds of picks, in their order.
const (
	PickShortest  PickKind = "min"
	PickMedian    PickKind = "median"
	PickLongest   PickKind = "max"
	PickStraggler PickKind = "straggler" // the rank that most waiting is for; Size: s that all others wait
	PickSpike     PickKind = "spike"     // the longest of the steps that stand out; Size: s beyond a usual step
	PickDifferent PickKind = "different" // in median from the baseline, by the threshold or more; Size: that change, a fraction
	PickSame      PickKind = "same_rank" // the same rank in the baseline
	// One step of three ranks, to be seen side by side: those with the least, the median and the most own time, which is
	// the step without waiting for others; Size: its median, s. The others: likewise by step time, where waiting is not known.
	PickLeastOwn  PickKind = "min_rank"
	PickMedianOwn PickKind = "median_rank"
	PickMostOwn   PickKind = "max_rank"
)

// timedStep is a kept step with its time.
type timedStep struct {
	run  *run.Run
	rank *run.Rank
	at   int // of rank.Steps
	time float64
}

func (s *timedStep) number() int64 { return s.rank.Steps[s.at].Number }

// Picks returns at most nine steps of the candidate that are worth a person's attention, and one of the baseline to
// compare them with; and warnings about the set. With one set cand is nil and base is the set. Sides that are the same
// have no picks: see SameSides. The policy must pass Check. Ties go to the first run, rank and step.
func Picks(base, cand *run.Set, policy policy.Policy) ([]Pick, []Warning) {
	set := base
	if cand != nil {
		set = cand
		if SameSides(base, cand) {
			return nil, nil
		}
	}
	about, all := Describe(set, policy, Options{}), timedSteps(set)
	if len(all) == 0 {
		return nil, about.Warnings
	}
	p := &picker{set: set}
	byTime := inOrderOfTime(all)
	longest := slices.IndexFunc(byTime, func(s timedStep) bool { return s.time == byTime[len(byTime)-1].time })
	p.add(PickShortest, byTime[0], math.NaN())
	p.add(PickMedian, order.Lower(byTime), math.NaN())
	p.add(PickLongest, byTime[longest], math.NaN())
	p.straggler(about, all)
	p.spike(about, all)
	if cand != nil {
		p.different(timedSteps(base), all, base, policy.ThresholdOf(run.StepTime, policy.Threshold))
	}
	p.threeRanks(all)
	return p.picks, about.Warnings
}

// SameSides reports whether two run sets are the same files, or one recording exported twice: then nothing can differ
// between them.
func SameSides(base, cand *run.Set) bool { return sides.Of(base, cand, true).Identical }

// timedSteps returns the kept steps with a known time, over all ranks, by run, rank and step.
func timedSteps(set *run.Set) []timedStep {
	var out []timedStep
	for i := range set.Runs {
		r := &set.Runs[i]
		for j := range r.Ranks {
			k := &r.Ranks[j]
			times := k.Values(run.Key{Metric: run.StepTime})
			for _, at := range k.Kept() {
				if at < len(times) && !math.IsNaN(times[at]) {
					out = append(out, timedStep{r, k, at, times[at]})
				}
			}
		}
	}
	return out
}

// picker gathers picks; a step that is picked twice is one pick with two kinds.
type picker struct {
	set   *run.Set
	picks []Pick
}

func (p *picker) add(kind PickKind, s timedStep, size float64) {
	pick := pickOf(p.set, s)
	for i := range p.picks {
		x := &p.picks[i]
		if x.Run == pick.Run && x.Rank == pick.Rank && x.File == pick.File && x.Step == pick.Step {
			x.Reasons = append(x.Reasons, PickReason{kind, size})
			return
		}
	}
	pick.Reasons = []PickReason{{kind, size}}
	p.picks = append(p.picks, pick)
}

// pickOf returns a step and where it is.
func pickOf(set *run.Set, s timedStep) Pick {
	p := Pick{Run: s.run.Name, Host: s.rank.Host, Place: s.rank.PlaceOf(s.at), Time: s.time}
	p.Profiler = s.rank.Fact(trace.FactProfiler)
	for i := range set.Files {
		if set.Files[i].Name == p.File {
			p.Opener = set.Files[i].Opener
		}
	}
	return p
}

// straggler picks the step of the late rank in which the others wait longest.
func (p *picker) straggler(about *Portrait, all []timedStep) {
	i := slices.IndexFunc(about.Notes, func(n Note) bool { return n.Kind == NoteStraggler })
	if i < 0 {
		return
	}
	late, waits := about.Notes[i].Rank, waitsOfSteps(all)
	var best *timedStep
	most := 0.0
	for i := range all {
		s := &all[i]
		if s.rank.Rank != late.Rank {
			continue
		}
		if v := waits[runStep{s.run, s.number()}] - waitOf(s); best == nil || v > most {
			best, most = s, v
		}
	}
	if best != nil {
		p.add(PickStraggler, *best, most)
	}
}

// runStep is a step of a run, of whatever rank.
type runStep struct {
	run  *run.Run
	step int64
}

// waitsOfSteps returns how long all ranks of a run wait in each step, s.
func waitsOfSteps(all []timedStep) map[runStep]float64 {
	out := map[runStep]float64{}
	for i := range all {
		out[runStep{all[i].run, all[i].number()}] += waitOf(&all[i])
	}
	return out
}

// waitOf returns how long a rank waits in a step, s; 0 also where that is not known.
func waitOf(s *timedStep) float64 {
	if v := s.rank.Values(run.Key{Metric: run.ExposedWaitTime}); s.at < len(v) && v[s.at] > 0 {
		return v[s.at]
	}
	return 0
}

// spike picks the longest of the spikes of the run in which they cost most.
func (p *picker) spike(about *Portrait, all []timedStep) {
	if !slices.ContainsFunc(about.Notes, func(n Note) bool { return n.Kind == NoteSpikes }) {
		return
	}
	name, spikes, cost, excess := "", []int64(nil), 0.0, math.NaN()
	for i := range about.Side.Stability {
		if s := &about.Side.Stability[i]; len(s.Spikes) > 0 && s.Cost > cost {
			name, spikes, cost, excess = s.Run, s.Spikes, s.Cost, s.Excess
		}
	}
	var best *timedStep
	for i := range all {
		s := &all[i]
		if s.run.Name == name && slices.Contains(spikes, s.number()) && (best == nil || s.time > best.time) {
			best = s
		}
	}
	if best != nil {
		p.add(PickSpike, *best, excess)
	}
}

// different picks the rank whose median step differs most from its own in the baseline, if by the smallest change that
// matters or more: some rank always differs most.
func (p *picker) different(before, after []timedStep, base *run.Set, threshold float64) {
	was, is := byRank(before), byRank(after)
	rank, change := -1, 0.0
	for _, r := range sides.SortedKeys(is) {
		if len(was[r]) == 0 {
			continue
		}
		v := math.Log(middle(is[r]).time / middle(was[r]).time)
		if !math.IsNaN(v) && (rank < 0 || math.Abs(v) > math.Abs(change)) {
			rank, change = r, v
		}
	}
	if rank < 0 || math.Abs(math.Expm1(change)) < threshold {
		return
	}
	p.add(PickDifferent, middle(is[rank]), math.Expm1(change))
	same := pickOf(base, middle(was[rank]))
	same.Reasons, same.OfBaseline = []PickReason{{PickSame, math.NaN()}}, true
	p.picks = append(p.picks, same)
}

// threeRanks picks three ranks of the first run, in the median step of the one with most own time, if all three hold it.
func (p *picker) threeRanks(all []timedStep) {
	own := slices.DeleteFunc(slices.Clone(all), func(s timedStep) bool { return s.run != all[0].run })
	for i := range own {
		own[i].time -= waitOf(&own[i])
	}
	var ranks [][]timedStep
	for _, steps := range byRank(own) {
		ranks = append(ranks, inOrderOfTime(steps))
	}
	if len(ranks) < 3 {
		return
	}
	slices.SortFunc(ranks, func(a, b []timedStep) int {
		x, y := order.Lower(a), order.Lower(b)
		return cmp.Or(cmp.Compare(x.time, y.time), cmp.Compare(x.rank.Rank, y.rank.Rank))
	})
	three, kinds := [][]timedStep{ranks[0], order.Lower(ranks), ranks[len(ranks)-1]}, []PickKind{PickLeastOwn, PickMedianOwn, PickMostOwn}
	middle := order.Lower(three[2])
	step := middle.number()
	var at []int
	for i := range three {
		at = append(at, slices.IndexFunc(all, func(s timedStep) bool { return s.rank == three[i][0].rank && s.number() == step }))
	}
	for i := range three {
		if !slices.Contains(at, -1) {
			p.add(kinds[i], all[at[i]], order.Lower(three[i]).time)
		}
	}
}

// byRank returns the steps of each rank whose number is known, over all runs.
func byRank(all []timedStep) map[int][]timedStep {
	out := map[int][]timedStep{}
	for _, s := range all {
		if s.rank.Rank >= 0 {
			out[s.rank.Rank] = append(out[s.rank.Rank], s)
		}
	}
	return out
}

// middle returns the median step; of an even number the shorter of the two in the middle.
func middle(steps []timedStep) timedStep { return order.Lower(inOrderOfTime(steps)) }

func inOrderOfTime(steps []timedStep) []timedStep {
	return slices.SortedStableFunc(slices.Values(steps), func(a, b timedStep) int { return cmp.Compare(a.time, b.time) })
}
