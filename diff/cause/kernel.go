package cause

import (
	"cmp"
	"math"
	"regexp"
	"slices"
	"sort"
	"strings"

	"perfdiff/analyze/kernelname"
	"perfdiff/analyze/run"
	"perfdiff/diff/sides"
	"perfdiff/diff/stat"
	"perfdiff/diff/verdict"
)

// MaxKernels is how many kernels have a row of their own.
const MaxKernels = 200

// LeastChange is by how much of itself a kernel must change to stand out of the noise, where no
// more than verdict.FalseShare of such rows are false. That explains and never gates; its rates
// were simulated.
const LeastChange = 0.03

// KernelSum is a kernel on one side, per rank and step.
type KernelSum struct{ Time, Calls float64 }

// compareKernels returns the kernels of both sides, the largest change first, and a row
// for those beyond maxKernels.
func compareKernels(p *Causes) (rows []Kernel, shift float64) {
	base, cand, names := kernelSums(p)
	if len(base) == 0 || len(cand) == 0 {
		return nil, math.NaN() // not recorded on a side: nothing became slower or faster
	}
	total := 0.0
	for _, n := range sides.SortedKeys(base) {
		total += base[n].Time
	}
	for _, n := range names {
		if ignores(p, n) {
			continue
		}
		rows = append(rows, KernelRow(n, base[n], cand[n], total))
	}
	describeKernels(p, rows)
	shift = testKernels(p, rows)
	sort.SliceStable(rows, func(i, j int) bool {
		a, b := &rows[i], &rows[j]
		return cmp.Or(cmp.Compare(math.Abs(b.Delta), math.Abs(a.Delta)), strings.Compare(a.Name, b.Name)) < 0
	})
	if len(rows) > MaxKernels {
		rows = append(rows[:MaxKernels:MaxKernels], rest(rows[MaxKernels:]))
	}
	return rows, shift
}

// kernelSums returns the kernels of both sides, a step or without steps a second, and the sorted names of those that
// both sides know.
func kernelSums(p *Causes) (base, cand map[string]KernelSum, names []string) {
	if verdict.Stepless(p.Judged.Lined) {
		return kernelsASecond(p.Base), kernelsASecond(p.Cand), comparable(statsOfBoth(p, run.KernelTable))
	}
	var sums [2]map[string]KernelSum
	p.BothAtOnce(func(i int, s *sides.Side) { sums[i] = kernels(s) })
	all := map[string]bool{}
	for _, side := range sums {
		for n := range side {
			all[n] = true
		}
	}
	return sums[0], sums[1], sides.SortedKeys(all)
}

// describeKernels adds the family of each kernel and how it is launched.
func describeKernels(p *Causes, rows []Kernel) {
	base, cand := works(p.Base), works(p.Cand)
	for i := range rows {
		k := &rows[i]
		b, c := base[k.Name], cand[k.Name]
		if k.Class = classOfKernel(k.Name, b, c); k.Class != classCompute {
			if coll := cmp.Or(b.Collective, c.Collective); strings.HasPrefix(coll, kernelname.FusedPrefix) {
				k.Family = coll
			}
			continue
		}
		k.Family = cmp.Or(b.Family, c.Family, kernelname.Family(k.Name, nil))
		if p.Loads == nil { // else captures hold other steps than those that are compared
			k.BaseFLOPs, k.CandFLOPs = flopsOfCall(b), flopsOfCall(c)
		}
		k.BaseShape, k.CandShape, k.LaunchChange = b.Shape.String(), c.Shape.String(), b.Shape.Change(c.Shape)
	}
}

// flopsOfCall returns the mean FLOPs of a kernel's call; NaN where they are not known for nearly all calls.
func flopsOfCall(w run.KernelWork) float64 {
	if w.Counted == 0 || float64(w.Counted) < enoughCounted*float64(w.Launches) {
		return math.NaN()
	}
	return w.FLOPs / float64(w.Counted)
}

// enoughCounted is the share of a kernel's calls whose FLOPs must be known before a mean is taken. Chosen, not
// measured: a kernel that operators of unknown sizes launch as well has calls of other sizes.
const enoughCounted = 0.9

// works returns the work of each kernel, by name, from the first rank that knows it.
func works(s *sides.Side) map[string]run.KernelWork {
	out := map[string]run.KernelWork{}
	s.EachRank(func(k *sides.Rank) {
		for _, w := range k.Work {
			if have, ok := out[w.Kernel]; !ok || !have.Shape.Known() {
				out[w.Kernel] = w
			}
		}
	})
	return out
}

// ignores reports whether the policy leaves a kernel out of the table.
func ignores(p *Causes, kernel string) bool {
	return slices.ContainsFunc(p.ignored, func(re *regexp.Regexp) bool { return re.MatchString(kernel) })
}

// testKernels tests each kernel that all runs have: by how much it changed beyond what most kernels share, and how
// sure that is, in its time a step or, without steps, its median call. It explains and never gates.
func testKernels(p *Causes, rows []Kernel) (shift float64) {
	var both [2][]logsOfKernel
	p.BothAtOnce(func(side int, s *sides.Side) {
		both[side] = make([]logsOfKernel, len(rows))
		for i := range rows {
			if rows[i].Class == classCompute { // a clock does not move what waits for others
				both[side][i] = takeLogsOfKernel(p, s, rows[i].Name)
			}
		}
	})
	var base, cand [][]float64
	var within []float64
	var at []int
	for i := range rows {
		if b, c := both[0][i], both[1][i]; b.ok && c.ok {
			base, cand, within, at = append(base, b.scalars), append(cand, c.scalars), append(within, (b.within+c.within)/2), append(at, i)
		}
	}
	if len(at) == 0 || p.Identical {
		return math.NaN()
	}
	shifts, common := stat.Shifts(base, cand, within)
	if p.Policy.StrictKernels {
		stat.Strict(shifts)
	}
	for n, s := range shifts {
		k := &rows[at[n]]
		k.Change, k.Q = verdict.Settled(math.Expm1(s.Estimate)), verdict.Chance(s.Q)
		k.BeyondNoise = s.Q <= verdict.FalseShare && math.Abs(s.Estimate) >= math.Log1p(LeastChange)
		if verdict.Stepless(p.Judged.Lined) {
			k.BeyondNoise = k.BeyondNoise && agree(s.Estimate, k.BaseTime/k.BaseCalls, k.CandTime/k.CandCalls, common)
		}
	}
	return verdict.Settled(math.Expm1(common))
}

// takeLogsOfKernel are the logs that a kernel is tested on, one for each run of a side, and the mean
// variance of these. The zero value: it is not tested.
type logsOfKernel struct {
	scalars []float64
	within  float64
	ok      bool
}

func takeLogsOfKernel(p *Causes, s *sides.Side, name string) (x logsOfKernel) {
	if verdict.Stepless(p.Judged.Lined) {
		x.scalars, x.within, x.ok = callScalars(p, s, run.KernelTable, name, p.Policy.Floor)
	} else {
		x.scalars, x.within, x.ok = kernelScalars(p, s, run.Key{Metric: sides.KernelTime, Part: name})
	}
	return x
}

// kernelScalars returns the logs of a kernel's mean time a step in each run, and
// the mean variance of these from within the runs.
func kernelScalars(p *Causes, s *sides.Side, key run.Key) (scalars []float64, within float64, ok bool) {
	for _, r := range s.Runs {
		curve, _ := r.Curve(key)
		curve = stat.Known(curve)
		if len(curve) < p.Plan.LeastSteps() {
			return nil, 0, false
		}
		x := stat.LogMean(curve, stat.Batches(len(curve)))
		if math.IsNaN(x.Value) || math.IsInf(x.Value, 0) || math.IsNaN(x.Variance) {
			return nil, 0, false
		}
		scalars, within = append(scalars, x.Value), within+x.Variance
	}
	return scalars, within / float64(len(s.Runs)), len(s.Runs) > 0
}

// KernelRow splits the change of a kernel's time into more calls and slower
// calls. Each is weighed with the mean of the two sides (the midpoint split),
// so that they add up to the change and swapping the sides swaps the signs.
func KernelRow(name string, base, cand KernelSum, total float64) Kernel {
	k := Kernel{
		Name: name, Class: classOfKernel(name),
		BaseTime: base.Time, CandTime: cand.Time, BaseCalls: base.Calls, CandCalls: cand.Calls,
		BaseFLOPs: math.NaN(), CandFLOPs: math.NaN(),
		Delta: cand.Time - base.Time, Change: math.NaN(), Q: math.NaN(),
	}
	k.Calls = k.Delta // a kernel of one side only: all of it is more or fewer calls
	if base.Calls > 0 && cand.Calls > 0 {
		k.Calls = (cand.Calls - base.Calls) * (base.Time/base.Calls + cand.Time/cand.Calls) / 2
	}
	k.Slower = k.Delta - k.Calls
	if total > 0 {
		k.Share = base.Time / total
	}
	return k
}

// The classes of kernels.
const (
	classCompute = "compute"
	classComm    = "communication"
)

// classOfKernel returns the class that the sides recorded for a kernel, else the class that its name suggests.
func classOfKernel(name string, of ...run.KernelWork) string {
	comm := IsComm(name)
	for _, w := range of {
		if w.Kernel != "" {
			comm = w.Family == ""
		}
	}
	if comm {
		return classComm
	}
	return classCompute
}

// IsComm reports whether a kernel communicates, by its name.
func IsComm(kernel string) bool {
	_, comm := kernelname.CommunicationOf(kernel)
	return comm
}

// rest adds up kernels in one row.
func rest(rows []Kernel) Kernel {
	out := Kernel{Others: len(rows), BaseFLOPs: math.NaN(), CandFLOPs: math.NaN(), Change: math.NaN(), Q: math.NaN()}
	for _, k := range rows {
		out.BaseTime += k.BaseTime
		out.CandTime += k.CandTime
		out.BaseCalls += k.BaseCalls
		out.CandCalls += k.CandCalls
		out.Delta += k.Delta
		out.Calls += k.Calls
		out.Slower += k.Slower
		out.Share += k.Share
	}
	return out
}

// kernels returns each kernel's time and launches, as means over runs, ranks and used steps. A rank that recorded
// kernels but none of that name counts as zero; a rank that recorded none does not count.
func kernels(s *sides.Side) map[string]KernelSum {
	sums := map[string]KernelSum{}
	ranks := 0
	s.EachRank(func(k *sides.Rank) {
		if !k.OnOneSideOnly && addKernels(k, sums) {
			ranks++
		}
	})
	for name, v := range sums {
		sums[name] = KernelSum{v.Time / float64(ranks), v.Calls / float64(ranks)}
	}
	return sums
}

// addKernels adds the rank's means per used step and reports whether it has
// recorded kernels.
func addKernels(k *sides.Rank, sums map[string]KernelSum) bool {
	any := false
	for i := range k.Series {
		key := k.Series[i].Key
		if key.Metric != sides.KernelTime {
			continue
		}
		time, ok := k.MeanOver(key)
		if !ok {
			continue
		}
		any = true
		calls, _ := k.MeanOver(run.Key{Metric: sides.KernelLaunches, Part: key.Part})
		have := sums[key.Part]
		sums[key.Part] = KernelSum{have.Time + time, have.Calls + calls}
	}
	return any
}
