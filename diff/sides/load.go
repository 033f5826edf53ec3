package sides

import (
	"cmp"
	"math"
	"math/bits"
	"slices"

	"perfdiff/analyze/run"
	"perfdiff/analyze/trace"
	"perfdiff/diff/stat"
)

// LoadGroup holds the steps of an inference engine, on both sides, that have one class and sizes within a factor of
// two. Steps are compared within their group only.
type LoadGroup struct {
	Class  string   `report:"class"` // "prefill", "decode", "mixed"; "": the names of steps do not say
	Unit   string   `report:"unit"`  // of sizes: "tokens", "requests"; "": the names of steps do not say
	From   int64    `report:"from"`  // sizes, both inclusive; 0: not known
	To     int64    `report:"to"`
	Base   LoadSide `report:"sides.baseline"`
	Cand   LoadSide `report:"sides.candidate"`
	Change float64  `report:"change"` // of that, over steps compared with each other, a fraction of the baseline's; NaN: none are
}

// LoadSide is one side of a group.
type LoadSide struct {
	Steps    int     `report:"steps"`                 // kept, over all runs
	Compared int     `report:"compared"`              // of these, those that have a step of like size on the other side
	Share    float64 `report:"share"`                 // of the side's kept steps
	Size     float64 `report:"size"`                  // median of the compared ones, of all where none is; NaN not known
	Context  float64 `report:"context"`               // tokens that attention reads, likewise
	Time     float64 `report:"step_time"`             // s, the usual step time of the same; NaN there are no steps
	PerToken float64 `report:"time_per_token"`        // s, the median of step time over tokens; NaN not known
	OfPeak   float64 `report:"of_peak_flops,omitnan"` // median of the share of the device's peak that the work of a step is, a fraction; NaN not known
	OfMemory float64 `report:"of_bandwidth,omitnan"`  // the same of the bandwidth of its memory, while that work is done
}

// Loads says what the steps of both sides carry and which of them are compared.
type Loads struct {
	Groups   []LoadGroup
	kind     map[int64]int // group of each compared step, by the number that it has on both sides
	Compared int           // steps in each run
	uneven   bool          // of some group a run has more steps than are compared
	drift    float64       // rise of steps of like load over a run, the largest, as a log; NaN not known
	// recorded are the numbers that steps have in their recordings, by run and by the
	// number that they have here.
	recorded map[string]map[int64]int64
	Shares   [2]map[string]float64   // of the steps of a side, by class
	Sizes    [2]map[string]ClassSize // of all steps of a side, by class
	Contexts [2]map[string]ClassSize // of the steps that say it, likewise
	Steps    [2]int                  // kept, over the runs of a side
}

// ClassSize is the size of the steps of a class: the median and its unit.
type ClassSize struct {
	Median float64 // NaN not known
	Unit   string
}

// loadStep is a kept step of a run with its load, over the run's ranks.
type loadStep struct {
	number         int64
	load           trace.Load
	time, perToken float64 // s; NaN not known
	ofPeak         float64 // of the device's peak; NaN not known
	ofMemory       float64 // of its memory's
}

// loadKey names a group.
type loadKey struct {
	class  trace.LoadClass
	unit   string
	bucket int // sizes above 2^(bucket-1), up to 2^bucket; -1 not known
}

func keyOf(l trace.Load) loadKey {
	k := loadKey{l.Class, l.SizeUnit(), -1}
	if size := l.Size(); size > 0 {
		k.bucket = bits.Len64(uint64(size - 1))
	}
	return k
}

// sizes returns the least and the largest of a group.
func (k loadKey) sizes() (from, to int64) {
	switch {
	case k.bucket < 0:
		return 0, 0
	case k.bucket == 0:
		return 1, 1
	}
	return 1<<(k.bucket-1) + 1, 1 << k.bucket
}

// loadRun is a run with the loads of its kept steps.
type loadRun struct {
	side   int
	name   string
	groups map[loadKey][]loadStep // in order of size, then of number
	steps  int
}

// carriesLoads reports whether the names of any steps of a set tell their load.
func carriesLoads(set *run.Set) bool {
	for k := range set.EachRank() {
		if slices.ContainsFunc(k.Steps, func(s trace.Step) bool { return s.Load.Known() }) {
			return true
		}
	}
	return false
}

// loadRuns returns the runs with kept steps: the baseline's, then the candidate's, in order of name.
func loadRuns(base, cand *run.Set) (runs []loadRun) {
	for i, s := range []*Side{NewSide("baseline", base), NewSide("candidate", cand)} {
		for _, r := range s.Runs {
			if len(r.Kept) > 0 {
				runs = append(runs, r.loads(i))
			}
		}
	}
	return runs
}

func (r *Run) loads(side int) loadRun {
	out := loadRun{side: side, name: r.Name, groups: map[loadKey][]loadStep{}, steps: len(r.Kept)}
	r.use(r.Kept)
	times, _ := r.Curve(StepTime)
	perToken, _ := r.Curve(run.Key{Metric: run.TimePerToken})
	ofPeak, _ := r.Curve(run.Key{Metric: run.ModelFLOPsUse})
	ofMemory, _ := r.Curve(run.Key{Metric: run.MemoryBandwidthShare})
	for j, n := range r.Kept {
		if l := r.Load(n); l.Known() {
			out.groups[keyOf(l)] = append(out.groups[keyOf(l)], loadStep{n, l, times[j], perToken[j], ofPeak[j], ofMemory[j]})
		}
	}
	for _, steps := range out.groups {
		slices.SortFunc(steps, func(a, b loadStep) int {
			return cmp.Or(cmp.Compare(a.load.Size(), b.load.Size()), cmp.Compare(a.number, b.number))
		})
	}
	return out
}

// Load returns the load of a step over the ranks that kept it: ranks that share a model's layers all have the same,
// ranks with requests of their own are averaged.
func (r *Run) Load(n int64) trace.Load {
	var sum trace.Load
	ranks := int64(0)
	for _, k := range r.Ranks {
		i, ok := k.StepIndex[n]
		if !ok || k.Steps[i].Dropped != "" || !k.Steps[i].Load.Known() {
			continue
		}
		l := k.Steps[i].Load
		if ranks++; ranks == 1 {
			sum.Class = l.Class
		} else if sum.Class != l.Class {
			sum.Class = trace.Mixed
		}
		sum.Batch, sum.Tokens, sum.Context = sum.Batch+l.Batch, sum.Tokens+l.Tokens, sum.Context+l.Context
	}
	if ranks > 1 {
		sum.Batch, sum.Tokens, sum.Context = sum.Batch/ranks, sum.Tokens/ranks, sum.Context/ranks
	}
	return sum
}

// matchByLoad keeps only those steps of inference engines that have one of like load in every run of both sides, and
// gives these the same number everywhere: an engine's steps have no identity, and another mix of them is no change of
// speed. Sets without loads come back as they are, with nil.
func matchByLoad(base, cand *run.Set, force bool) (*run.Set, *run.Set, *Loads) {
	if !carriesLoads(base) && !carriesLoads(cand) {
		return base, cand, nil
	}
	runs := loadRuns(base, cand)
	if len(runs) == 0 || runs[0].side != 0 || runs[len(runs)-1].side != 1 { // a side has no steps
		return base, cand, nil
	}
	l := &Loads{kind: map[int64]int{}, recorded: map[string]map[int64]int64{},
		Shares: [2]map[string]float64{{}, {}}, Sizes: [2]map[string]ClassSize{{}, {}}, Contexts: [2]map[string]ClassSize{{}, {}}}
	var matched []match
	for _, key := range groupKeys(runs) {
		found := matchLoads(runs, key)
		for _, m := range found {
			matched = append(matched, match{m, len(l.Groups)})
		}
		l.addGroup(runs, key, found)
	}
	for _, r := range runs {
		l.Steps[r.side] += r.steps
	}
	l.addShares()
	l.addSizes(runs)
	l.drift = largestDrift(runs)
	l.Compared = len(matched)
	if l.Compared == 0 && force {
		return base, cand, l
	}
	slices.SortFunc(matched, func(a, b match) int { return cmp.Compare(a.numbers[0], b.numbers[0]) })
	for _, m := range matched {
		l.kind[m.numbers[0]] = m.group
	}
	return l.renumbered(base, 0, runs, matched), l.renumbered(cand, 1, runs, matched), l
}

func groupKeys(runs []loadRun) []loadKey {
	var keys []loadKey
	for _, r := range runs {
		for k := range r.groups {
			keys = append(keys, k)
		}
	}
	slices.SortFunc(keys, func(a, b loadKey) int {
		return cmp.Or(cmp.Compare(a.class, b.class), cmp.Compare(a.unit, b.unit), cmp.Compare(a.bucket, b.bucket))
	})
	return slices.Compact(keys)
}

// addGroup adds what a group is on both sides.
func (l *Loads) addGroup(runs []loadRun, key loadKey, found [][]int64) {
	g := LoadGroup{Class: key.class.String(), Unit: key.unit, Change: math.NaN()}
	g.From, g.To = key.sizes()
	for side, out := range []*LoadSide{&g.Base, &g.Cand} {
		var sizes, contexts, times, perToken, ofPeak, ofMemory []float64
		for i, r := range runs {
			if r.side != side {
				continue
			}
			out.Steps += len(r.groups[key])
			out.Compared += len(found)
			l.uneven = l.uneven || float64(len(found)) < enoughCompared*float64(len(r.groups[key]))
			enter := map[int64]bool{}
			for _, m := range found {
				enter[m[i]] = true
			}
			for _, s := range r.groups[key] {
				if len(found) == 0 || enter[s.number] {
					times, perToken = append(times, s.time), append(perToken, s.perToken)
					ofPeak, ofMemory = append(ofPeak, s.ofPeak), append(ofMemory, s.ofMemory)
					if s.load.Size() > 0 {
						sizes = append(sizes, float64(s.load.Size()))
					}
					if s.load.Context > 0 {
						contexts = append(contexts, float64(s.load.Context))
					}
				}
			}
		}
		out.Size, out.Context = stat.Median(sizes), stat.Median(contexts)
		out.Time, out.PerToken = stat.Median(times), stat.Median(perToken)
		out.OfPeak, out.OfMemory = stat.Median(ofPeak), stat.Median(ofMemory)
	}
	if len(found) > 0 {
		level, change := loadLevel(runs, key, found)
		g.Base.Time, g.Cand.Time = math.Exp(level-float64(change/2)), math.Exp(level+float64(change/2))
		g.Change = math.Expm1(change)
	}
	l.Groups = append(l.Groups, g)
}

// loadLevel returns the log of the usual time of the compared steps, halfway between both sides, and how much the
// candidate's is above the baseline's. It takes medians over steps that are compared with each other; medians of each
// side by itself would differ by sizes too.
func loadLevel(runs []loadRun, key loadKey, found [][]int64) (level, change float64) {
	times := make([]map[int64]float64, len(runs))
	members := [2]float64{}
	for i, r := range runs {
		members[r.side]++
		times[i] = map[int64]float64{}
		for _, s := range r.groups[key] {
			times[i][s.number] = s.time
		}
	}
	var levels, changes []float64
	for _, m := range found {
		side := [2]float64{}
		for i, n := range m {
			side[runs[i].side] += math.Log(times[i][n]) / members[runs[i].side]
		}
		levels, changes = append(levels, 0.5*(side[0]+side[1])), append(changes, side[1]-side[0])
	}
	return stat.Median(levels), stat.Median(changes)
}

// enoughCompared is the share of a group's steps that must be compared for their order to be the same on both sides.
// Chosen, not measured: a tenth in another place does not turn a trend.
const enoughCompared = 0.9

// addShares says how much of each side the groups and the classes are.
func (l *Loads) addShares() {
	for i := range l.Groups {
		g := &l.Groups[i]
		g.Base.Share, g.Cand.Share = shareOfSteps(g.Base.Steps, l.Steps[0]), shareOfSteps(g.Cand.Steps, l.Steps[1])
		l.Shares[0][g.Class] += g.Base.Share
		l.Shares[1][g.Class] += g.Cand.Share
	}
}

// addSizes says how large the steps of each class are on both sides.
func (l *Loads) addSizes(runs []loadRun) {
	for side := range l.Sizes {
		sizes, contexts, units := map[string][]float64{}, map[string][]float64{}, map[string]string{}
		for _, r := range runs {
			if r.side != side {
				continue
			}
			for key, steps := range r.groups {
				class := key.class.String()
				for _, s := range steps {
					if size := s.load.Size(); size > 0 {
						sizes[class], units[class] = append(sizes[class], float64(size)), key.unit
					}
					if context := s.load.Context; context > 0 {
						contexts[class] = append(contexts[class], float64(context))
					}
				}
			}
		}
		for class, v := range sizes {
			l.Sizes[side][class] = ClassSize{stat.Median(v), units[class]}
		}
		for class, v := range contexts {
			l.Contexts[side][class] = ClassSize{stat.Median(v), "tokens"}
		}
	}
}

func shareOfSteps(part, whole int) float64 { return float64(part) / float64(max(1, whole)) }

// setLoads gives the pair and its runs the loads of their steps.
func (p *Lined) setLoads(like *Loads) {
	if p.Loads = like; like == nil {
		return
	}
	if like.Compared == 0 && p.force {
		p.Forced = append(p.Forced, Forced{NoLikeLoad: true})
	}
	for _, s := range []*Side{p.Base, p.Cand} {
		for _, r := range s.Runs {
			r.RecordedNumbers = like.recorded[s.Name+"\x00"+r.Name]
		}
	}
}

// LoadGroups returns the groups of the report.
func (p *Lined) LoadGroups() []LoadGroup {
	if p.Loads == nil {
		return nil
	}
	return p.Loads.Groups
}

// LoadGroupOfSteps returns the groups of the steps that enter, in their order; nil where steps have no
// loads or nothing was compared by them.
func (p *Lined) LoadGroupOfSteps() []int {
	if p.Loads == nil || len(p.Base.Runs) == 0 || p.Loads.Compared == 0 {
		return nil
	}
	out := make([]int, len(p.Base.Runs[0].Used))
	for j, n := range p.Base.Runs[0].Used {
		out[j] = p.Loads.kind[n]
	}
	return out
}

// TypicalStep returns the median over runs of their usual step: the median or, for steps with loads, the mean of the
// medians by load, which does not move with the share of prompts.
func (p *Lined) TypicalStep(m Measured) float64 {
	kinds := p.LoadGroupOfSteps()
	if kinds == nil {
		return m.Median()
	}
	values := make([]float64, len(m.Rows))
	for i, row := range m.Rows {
		values[i] = stat.OfKinds(row, kinds)
	}
	return stat.Median(values)
}

// AnsweredKinds returns the kinds of the steps that answered keeps of paired rows.
func AnsweredKinds(rows [][]float64, kinds []int) []int {
	var out []int
	for j, k := range kinds {
		if !slices.ContainsFunc(rows, func(x []float64) bool { return math.IsNaN(x[j]) }) {
			out = append(out, k)
		}
	}
	return out
}

// LoadsDiffer reports whether nothing is compared because no step of one side is like any of the other.
func (p *Lined) LoadsDiffer() bool {
	return p.Loads != nil && p.Loads.Compared == 0 && min(p.Loads.Steps[0], p.Loads.Steps[1]) > 0 && !p.force
}
