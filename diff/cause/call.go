package cause

import (
	"cmp"
	"math"
	"slices"
	"sort"
	"strings"

	"perfdiff/analyze/run"
	"perfdiff/diff/sides"
	"perfdiff/diff/stat"
	"perfdiff/diff/verdict"
)

// Call compares one name of one table by how long a call takes on both sides, where there is no step. Calls and times
// of a side are per second, see PerSecond.
type Call struct {
	Table run.Table `report:"table"`
	Name  string    `report:"name"`
	Base  StatSide  `report:"baseline"`
	Cand  StatSide  `report:"candidate"`
	// Change is that of the median call as a fraction, of a kernel without the shift that
	// most kernels share; Q is the share of false claims when all calls of the table of at
	// most this are called changed. NaN where it was not tested.
	Change      float64 `report:"change"`
	Q           float64 `report:"q"`
	BeyondNoise bool    `report:"beyond_noise"` // the call takes longer or shorter beyond its noise
	Effect      float64 `report:"effect"`       // s a second: what calls take longer, without there being more of them
	// Tick is that of the clock, in s, where the medians differ and by no more than one: such a change is none that the
	// clock can tell. 0: they differ by more, or not at all.
	Tick float64 `report:"tick"`
}

// Bandwidth returns the bytes a second of its calls on both sides, NaN where none are recorded.
func (c *Call) Bandwidth() (base, cand float64) {
	of := func(x *StatSide) float64 {
		if x.Bytes == 0 || x.Time == 0 {
			return math.NaN()
		}
		return x.Bytes / x.Time
	}
	return of(&c.Base), of(&c.Cand)
}

// Chosen, not measured: quartiles of fewer are single calls. Beyond noise is a change by
// a tenth: without steps it is not known what repeats differ by.
const (
	leastCalls = 5    // a side, from which on a call's length is compared
	leastOther = 0.10 // change of a call that is no kernel from which it can be beyond noise
	mostCalls  = 12   // names a table
	sameSize   = 0.01 // up to which share messages and copies are of one size
)

// CallTables are the tables whose calls are compared, in the order in which they are shown.
var CallTables = []run.Table{run.KernelTable, run.CollectiveTable, run.MemoryTable, run.RangeTable, run.OperatorTable}

// compareCalls compares the names that both sides have in each of CallTables: changed ones first, then by their
// effect. kernels were tested before.
func compareCalls(p *Causes, kernels []Kernel) []Call {
	var out []Call
	for _, table := range CallTables {
		base, cand := wholeStats(p.Base, table), wholeStats(p.Cand, table)
		if len(base) == 0 || len(cand) == 0 {
			continue // not recorded on a side
		}
		var list []Call
		for _, name := range comparable(base, cand) {
			if table != run.KernelTable || !ignores(p, name) && !IsComm(name) { // communication has its own
				list = append(list, callOf(table, name, base[name], cand[name]))
			}
		}
		if table == run.KernelTable {
			takeTests(list, kernels)
		} else {
			testOthers(p, list)
		}
		tick := math.Max(tickOf(p.Base, table), tickOf(p.Cand, table))
		for i := range list {
			if c := &list[i]; c.Base.Median != c.Cand.Median && math.Abs(c.Cand.Median-c.Base.Median) <= tick*(1+1e-6) {
				c.Tick, c.Change, c.Q, c.BeyondNoise = tick, math.NaN(), math.NaN(), false
			}
		}
		sort.SliceStable(list, func(i, j int) bool {
			a, b := &list[i], &list[j]
			return cmp.Or(run.CompareBool(b.BeyondNoise, a.BeyondNoise), cmp.Compare(math.Abs(b.Effect), math.Abs(a.Effect)),
				cmp.Compare(b.Base.Time+b.Cand.Time, a.Base.Time+a.Cand.Time), strings.Compare(a.Name, b.Name)) < 0
		})
		out = append(out, list[:min(mostCalls, len(list)):min(mostCalls, len(list))]...)
	}
	return out
}

func callOf(table run.Table, name string, base, cand StatSide) Call {
	c := Call{Table: table, Name: name, Base: base, Cand: cand, Change: math.NaN(), Q: math.NaN()}
	c.Effect = cand.Time - base.Time
	if base.Count > 0 && cand.Count > 0 {
		c.Effect = (cand.Mean - base.Mean) * (base.Calls + cand.Calls) / 2
	}
	return c
}

// What shows that a clock ticks coarsely: so many calls all take multiples of a tick, of so many ns at least. Chosen, not
// measured: 20 times of a clock that ticks in ns are multiples of 100 ns by chance in one case of 10 to the 40th, and
// times of whole microseconds are what old profilers write.
const (
	ticked    = 20
	leastTick = 100
)

// tickOf returns the tick of a side's clock, in s, of which all calls of a table take multiples; 0: it is too fine to
// matter, or there are too few calls to tell.
func tickOf(s *sides.Side, table run.Table) float64 {
	tick, calls := int64(0), int64(0)
	s.EachRank(func(k *sides.Rank) {
		if k.Whole == nil {
			return
		}
		for i := range k.Whole.Stats {
			if x := &k.Whole.Stats[i]; x.Table == table && x.Name != run.Others {
				calls += x.Count
				for _, v := range []int64{x.Min, x.Max, x.Median, x.Total} {
					for v != 0 {
						tick, v = v, tick%v
					}
				}
			}
		}
	})
	if calls < ticked || tick < leastTick {
		return 0
	}
	return float64(tick) / 1e9
}

// takeTests copies the tests of kernels.
func takeTests(list []Call, kernels []Kernel) {
	for i := range list {
		same := func(k Kernel) bool { return k.Name == list[i].Name && k.Others == 0 }
		if at := slices.IndexFunc(kernels, same); at >= 0 {
			k := &kernels[at]
			list[i].Change, list[i].Q, list[i].BeyondNoise = k.Change, k.Q, k.BeyondNoise
		}
	}
}

// testOthers tests calls that are not kernels: by how much they changed beyond what runs differ by. No clock is common
// to them, and one name does not measure another: a range holds others.
func testOthers(p *Causes, list []Call) {
	var base, cand [][]float64
	var within []float64
	var at []int
	for i := range list {
		c := &list[i]
		if size := c.Base.Bytes / c.Base.Calls; size > 0 && !(math.Abs(c.Cand.Bytes/c.Cand.Calls-size) <= sameSize*size) {
			continue // of other sizes
		}
		b, vb, ok := callScalars(p, p.Base, c.Table, c.Name, p.Policy.FewFloor)
		x, vx, too := callScalars(p, p.Cand, c.Table, c.Name, p.Policy.FewFloor)
		if ok && too {
			base, cand, within, at = append(base, b), append(cand, x), append(within, (vb+vx)/2), append(at, i)
		}
	}
	if len(at) == 0 || p.Identical {
		return
	}
	for n, s := range stat.Changes(base, cand, within) {
		c := &list[at[n]]
		c.Change, c.Q = verdict.Settled(math.Expm1(s.Estimate)), verdict.Chance(s.Q)
		c.BeyondNoise = s.Q <= verdict.FalseShare && math.Abs(s.Estimate) >= math.Log1p(leastOther) &&
			agree(s.Estimate, c.Base.Mean, c.Cand.Mean, 0)
	}
}

// agree reports whether the means moved as the medians did, by half at least: if calls have two lengths the median
// jumps from one to the other although their mix hardly changed. common is the change of all.
func agree(estimate, base, cand, common float64) bool {
	return (math.Log(cand/base)-common)/estimate >= 0.5
}

// callScalars returns, for each run, the log of a name's median call (the median over ranks), and the mean variance of
// these logs: from within the runs, and by what runs of one job are taken to differ. Calls of one run do not count as
// runs, however many there are.
func callScalars(p *Causes,
	s *sides.Side, table run.Table, name string, floor float64,
) (scalars []float64, within float64, ok bool) {
	for _, r := range s.Runs {
		var medians, variances []float64
		for _, k := range r.Ranks {
			x := wholeStat(k, table, name)
			if x == nil || k.OnOneSideOnly || x.Count < leastCalls || x.Median <= 0 {
				continue
			}
			medians = append(medians, math.Log(float64(x.Median)))
			variances = append(variances, medianVariance(x))
			if x.Count < sides.EnoughSteps {
				floor = math.Max(floor, p.Policy.FewFloor)
			}
		}
		if len(medians) == 0 {
			return nil, 0, false
		}
		scalars, within = append(scalars, stat.Median(medians)), within+stat.Mean(variances)
	}
	return scalars, within/float64(len(s.Runs)) + float64(floor*floor), len(s.Runs) > 0
}

// medianVariance returns the variance of the log of a median of calls, from their quartiles: of
// calls as of a normal distribution these are 1.349 deviations apart, and the median of n
// varies by 1.2533 deviations over the root of n.
func medianVariance(x *run.Stat) float64 {
	deviation := float64(x.Quartiles[1]-x.Quartiles[0]) / 1.349 / float64(x.Median)
	se := 1.2533 * deviation / math.Sqrt(float64(x.Count))
	return se * se
}

// wholeStat returns the row of a name in a table of the whole capture, nil without one.
func wholeStat(k *sides.Rank, table run.Table, name string) *run.Stat {
	if k.Whole == nil {
		return nil
	}
	at := slices.IndexFunc(k.Whole.Stats, func(x run.Stat) bool { return x.Table == table && x.Name == name })
	if at < 0 {
		return nil
	}
	return &k.Whole.Stats[at]
}
