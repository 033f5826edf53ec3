package sides

import (
	"cmp"
	"math"
	"slices"

	"perfdiff/analyze/run"
	"perfdiff/diff/stat"
)

// By how much times of two sides, or of the ranks of one, can differ before their unit is in doubt. Chosen, not
// measured: no change of a program and no other device makes nearly all kernels take a hundred times as long; ranks
// that wait for each other in every step cannot differ by three.
const (
	unitFactor   = 100  // of durations of kernels, and of steps of ranks that need not wait for each other
	joinedFactor = 3    // of steps of ranks that communicate
	mostScaled   = 0.75 // of the kernels that both sides run, as collectives wait as long as they must
	tenfold      = 9    // of all times, which are in one factor: ten, less what runs differ by
	oneFactor    = 0.1  // of the logarithm of one, within which all of them lie
	decadeError  = 0.1  // of a decimal logarithm, to that of a factor between two units
	leastTime    = 0.5  // ns, of a kernel whose duration was rounded to none
)

// otherTimeUnit doubts that the times of the sides are in one unit: steps and nearly all common kernels take a hundred
// times as long on one side, or more; or everything on device and host takes longer by one factor of ten or more,
// which no change of a program and no other device does. If only durations differ they may have been lost. Where the
// sides share no kernel, as where none was recorded, only steps can tell, and only a factor between two units counts.
func (p *Lined) otherTimeUnit() (Doubt, bool) {
	factors := p.factorsOf(run.KernelTable)
	steps := p.Cand.Measure(StepTime).Median() / p.Base.Measure(StepTime).Median()
	d := Doubt{Kind: DoubtTimeUnit, Of: len(factors), Factor: steps}
	if len(factors) == 0 {
		return d, betweenUnits(steps)
	}
	way, least := math.Copysign(1, math.Log(steps)), math.Log(unitFactor)
	middle := stat.Median(factors)
	if p.allBy(middle) {
		least = math.Log(tenfold)
	}
	for _, f := range factors {
		if f*way >= least {
			d.Count++
		}
	}
	d.Factor = math.Exp(middle)
	return d, math.Log(steps)*way >= least && float64(d.Count) >= mostScaled*float64(d.Of)
}

// allBy reports whether steps, gaps, copies and calls of the host all take longer by one factor, given as its
// logarithm. What a side did not record is left out, but copies or calls must be known.
func (p *Lined) allBy(factor float64) bool {
	all := []float64{
		math.Log(p.Cand.Measure(StepTime).Median() / p.Base.Measure(StepTime).Median()),
		math.Log(p.Cand.Measure(run.Key{Metric: run.IdleTime}).Mean / p.Base.Measure(run.Key{Metric: run.IdleTime}).Mean),
	}
	known := 0
	for _, table := range []run.Table{run.MemoryTable, run.APITable} {
		if middle := stat.Median(p.factorsOf(table)); !math.IsNaN(middle) {
			all, known = append(all, middle), known+1
		}
	}
	return known > 0 && !slices.ContainsFunc(all, func(f float64) bool { return math.Abs(f-factor) > oneFactor })
}

// factorsOf returns the logarithms of how many times as long what both sides do takes in the
// candidate, of each name of a table.
func (p *Lined) factorsOf(table run.Table) (factors []float64) {
	base, cand := p.Base.timesOf(table), p.Cand.timesOf(table)
	for _, name := range SortedKeys(base) {
		if c, both := cand[name]; both {
			factors = append(factors, math.Log(c/base[name]))
		}
	}
	return factors
}

// betweenUnits reports whether a factor is about one of seconds, milli-, micro- and nanoseconds
// to each other.
func betweenUnits(factor float64) bool {
	decades := math.Abs(math.Log10(factor))
	to := float64(3 * math.Round(decades/3))
	return to >= 3 && to <= 9 && math.Abs(decades-to) <= decadeError
}

// timesOf returns the median duration of each name in a table, in ns, on the rank in the middle.
func (s *Side) timesOf(table run.Table) map[string]float64 {
	all := map[string][]float64{}
	s.EachRank(func(k *Rank) {
		for i := range k.Stats {
			if x := &k.Stats[i]; x.Table == table && x.Count > 0 {
				all[x.Name] = append(all[x.Name], max(float64(x.Median), leastTime))
			}
		}
	})
	out := make(map[string]float64, len(all))
	for name, times := range all {
		out[name] = stat.Median(times)
	}
	return out
}

// rankPace is how long a step of a rank takes.
type rankPace struct {
	of    *Rank
	step  float64 // s, the median
	joins bool    // it communicates in its steps
}

// otherPace doubts that the ranks of a side's run belong together: steps of some take several times as long as those
// of the others, or another time than those that they wait for. Their times are in another unit, or their steps are
// other ones.
func (s *Side) otherPace() (Doubt, bool) {
	for _, r := range s.Runs {
		all := r.paces()
		if short, long := apartBy(all, unitFactor); len(long) > 0 {
			return s.paceDoubt(r, short, long), true
		}
		for _, joined := range r.together(joinedOf(all)) {
			short, long := apartBy(joined, joinedFactor)
			if len(long) == 0 && !s.ownEnds() {
				short, long = r.outOfStep(joined)
			}
			if len(long) > 0 {
				return s.paceDoubt(r, short, long), true
			}
		}
	}
	return Doubt{}, false
}

// paces returns the paces of the ranks that enter and have enough steps, the shortest first.
func (r *Run) paces() (all []rankPace) {
	for _, k := range r.Ranks {
		if k.OnOneSideOnly {
			continue
		}
		kept := k.Kept()
		median := func(metric string) float64 {
			values := k.ValuesOf(run.Key{Metric: metric})
			var of []float64
			for _, i := range kept {
				if i < len(values) {
					of = append(of, values[i])
				}
			}
			if len(stat.Known(of)) < MinSteps {
				return math.NaN()
			}
			return stat.Median(of)
		}
		if step := median(run.StepTime); step > 0 {
			all = append(all, rankPace{k, step, median(run.CommTime) > 0})
		}
	}
	slices.SortStableFunc(all, func(a, b rankPace) int { return cmp.Compare(a.step, b.step) })
	return all
}

// apartBy splits ranks at the widest gap where steps take a factor longer beyond it; none where they do not.
func apartBy(all []rankPace, factor float64) (short, long []rankPace) {
	if at := widestGap(all); at > 0 && all[at].step >= factor*all[at-1].step {
		return all[:at], all[at:]
	}
	return nil, nil
}

// widestGap returns the index, in order of pace, with the largest ratio to the one before; 0 if there are fewer than
// two.
func widestGap(all []rankPace) (at int) {
	widest := 0.0
	for i := 1; i < len(all); i++ {
		if ratio := all[i].step / all[i-1].step; ratio > widest {
			at, widest = i, ratio
		}
	}
	return at
}

func numbersOf(all []rankPace) (out []int) {
	for _, k := range all {
		out = append(out, k.of.Rank.Rank)
	}
	slices.Sort(out)
	return out
}
