package diff

import (
	"cmp"
	"math"
	"regexp"
	"slices"
	"strings"

	"perfdiff/analyze/kernelname"
	"perfdiff/analyze/run"
	"perfdiff/diff/stat"
)

// maxKernels is how many kernels have a row of their own.
const maxKernels = 200

// The rule by which a kernel stands out of the noise. It explains and never
// gates; its rates were simulated.
const (
	falseShare  = 0.05
	leastChange = 0.03
)

// perStep is a kernel on one side, per rank and step.
type perStep struct{ time, calls float64 }

// kernels are the kernels of both sides, the largest change first, and a row
// for those beyond maxKernels.
func (p *Causes) kernels() (rows []Kernel, shift float64) {
	base, cand, names := p.kernelSums()
	if len(base) == 0 || len(cand) == 0 {
		return nil, math.NaN() // not recorded on a side: nothing became slower or faster
	}
	total := 0.0
	for _, n := range sortedKeys(base) {
		total += base[n].time
	}
	for _, n := range names {
		if p.ignores(n) {
			continue
		}
		rows = append(rows, kernelRow(n, base[n], cand[n], total))
	}
	p.describeKernels(rows)
	shift = p.testKernels(rows)
	slices.SortStableFunc(rows, func(a, b Kernel) int {
		return cmp.Or(cmp.Compare(math.Abs(b.Delta), math.Abs(a.Delta)), strings.Compare(a.Name, b.Name))
	})
	if len(rows) > maxKernels {
		rows = append(rows[:maxKernels:maxKernels], rest(rows[maxKernels:]))
	}
	return rows, shift
}

// kernelSums are the kernels of both sides a step, without steps a second, and the names,
// in order, of those that are known on both.
func (p *Causes) kernelSums() (base, cand map[string]perStep, names []string) {
	if p.stepless() {
		return p.base.kernelsASecond(), p.cand.kernelsASecond(), comparable(p.stats(run.KernelTable))
	}
	base, cand = p.base.kernels(), p.cand.kernels()
	all := map[string]bool{}
	for _, side := range []map[string]perStep{base, cand} {
		for n := range side {
			all[n] = true
		}
	}
	return base, cand, sortedKeys(all)
}

// describeKernels adds the family of each kernel and how it is launched.
func (p *Causes) describeKernels(rows []Kernel) {
	base, cand := p.base.works(), p.cand.works()
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
		k.BaseShape, k.CandShape, k.Launched = b.Shape.String(), c.Shape.String(), b.Shape.Change(c.Shape)
	}
}

// works are the kernels of the first rank that has them, by name.
func (s *side) works() map[string]run.Work {
	out := map[string]run.Work{}
	s.each(func(k *oneRank) {
		for _, w := range k.Work {
			if have, ok := out[w.Kernel]; !ok || !have.Shape.Known() {
				out[w.Kernel] = w
			}
		}
	})
	return out
}

// GraphKernel is the name of graph replays whose kernels were not recorded.
const GraphKernel = "CUDA graph"

// ignores reports whether the policy leaves a kernel out of the table.
func (p *Causes) ignores(kernel string) bool {
	return slices.ContainsFunc(p.ignored, func(re *regexp.Regexp) bool { return re.MatchString(kernel) })
}

// testKernels says of each kernel that all runs have by how much it changed
// beyond what most kernels share, and how sure that is: its time a step, without steps
// that of its median call. It explains and never gates.
func (p *Causes) testKernels(rows []Kernel) (shift float64) {
	var base, cand [][]float64
	var within []float64
	var at []int
	for i := range rows {
		if rows[i].Class != classCompute {
			continue // a clock does not move what waits for others
		}
		b, vb, ok := p.kernelScalars(p.base, rows[i].Name)
		c, vc, too := p.kernelScalars(p.cand, rows[i].Name)
		if ok && too {
			base, cand, within, at = append(base, b), append(cand, c), append(within, (vb+vc)/2), append(at, i)
		}
	}
	if len(at) == 0 || p.same {
		return math.NaN()
	}
	shifts, common := stat.Shifts(base, cand, within)
	if p.policy.StrictKernels {
		stat.Strict(shifts)
	}
	for n, s := range shifts {
		k := &rows[at[n]]
		k.Change, k.Q = settled(math.Expm1(s.Estimate)), chance(s.Q)
		k.Beyond = s.Q <= falseShare && math.Abs(s.Estimate) >= math.Log1p(leastChange)
		if p.stepless() {
			k.Beyond = k.Beyond && agree(s.Estimate, k.BaseTime/k.BaseCalls, k.CandTime/k.CandCalls, common)
		}
	}
	return settled(math.Expm1(common))
}

// kernelScalars are the logs that a kernel is tested on, one for each run, and the mean
// variance of these.
func (p *Causes) kernelScalars(s *side, name string) (scalars []float64, within float64, ok bool) {
	if p.stepless() {
		return p.callScalars(s, run.KernelTable, name, p.policy.Floor)
	}
	return s.kernelScalars(run.Key{Metric: kernelTime, Part: name})
}

// kernelScalars are the logs of a kernel's mean time a step in each run, and
// the mean variance of these from within the runs.
func (s *side) kernelScalars(key run.Key) (scalars []float64, within float64, ok bool) {
	for _, r := range s.runs {
		curve, _ := r.curve(key)
		curve = stat.Known(curve)
		if len(curve) < minSteps {
			return nil, 0, false
		}
		x := stat.LogMean(curve, stat.Batches(len(curve)))
		if math.IsNaN(x.Value) || math.IsInf(x.Value, 0) || math.IsNaN(x.Variance) {
			return nil, 0, false
		}
		scalars, within = append(scalars, x.Value), within+x.Variance
	}
	return scalars, within / float64(len(s.runs)), len(s.runs) > 0
}

// kernelRow splits the change of a kernel's time into more calls and slower
// calls. Each is weighed with the mean of the two sides (the midpoint split),
// so that they add up to the change and swapping the sides swaps the signs.
func kernelRow(name string, base, cand perStep, total float64) Kernel {
	k := Kernel{
		Name: name, Class: classOfKernel(name),
		BaseTime: base.time, CandTime: cand.time, BaseCalls: base.calls, CandCalls: cand.calls,
		Delta: cand.time - base.time, Change: math.NaN(), Q: math.NaN(),
	}
	k.Calls = k.Delta // a kernel of one side only: all of it is more or fewer calls
	if base.calls > 0 && cand.calls > 0 {
		k.Calls = (cand.calls - base.calls) * (base.time/base.calls + cand.time/cand.calls) / 2
	}
	k.Slower = k.Delta - k.Calls
	if total > 0 {
		k.Share = base.time / total
	}
	return k
}

// The classes of kernels.
const (
	classCompute = "compute"
	classComm    = "communication"
)

// classOfKernel is what a kernel was measured as on the sides that remember it, else
// what its name says.
func classOfKernel(name string, of ...run.Work) string {
	comm := isComm(name)
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

func isComm(kernel string) bool {
	_, comm := kernelname.CommunicationOf(kernel)
	return comm
}

// rest adds up kernels in one row.
func rest(rows []Kernel) Kernel {
	out := Kernel{Others: len(rows), Change: math.NaN(), Q: math.NaN()}
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

// kernels are the means over runs, ranks and used steps of each kernel's time
// and launches. A rank that recorded kernels and has none of that name counts
// with zero; a rank that recorded none does not count.
func (s *side) kernels() map[string]perStep {
	sums := map[string]perStep{}
	ranks := 0
	s.each(func(k *oneRank) {
		if !k.alone && k.addKernels(sums) {
			ranks++
		}
	})
	for name, v := range sums {
		sums[name] = perStep{v.time / float64(ranks), v.calls / float64(ranks)}
	}
	return sums
}

// addKernels adds the rank's means per used step and reports whether it has
// recorded kernels.
func (k *oneRank) addKernels(sums map[string]perStep) bool {
	any := false
	for i := range k.Series {
		key := k.Series[i].Key
		if key.Metric != kernelTime {
			continue
		}
		time, ok := k.meanOver(key)
		if !ok {
			continue
		}
		any = true
		calls, _ := k.meanOver(run.Key{Metric: kernelLaunches, Part: key.Part})
		have := sums[key.Part]
		sums[key.Part] = perStep{have.time + time, have.calls + calls}
	}
	return any
}

func (k *oneRank) meanOver(key run.Key) (mean float64, ok bool) {
	values := k.usedValues(key)
	sum := 0.0
	for _, v := range values {
		sum += v
	}
	if len(values) == 0 {
		return 0, false
	}
	return sum / float64(len(values)), true
}
