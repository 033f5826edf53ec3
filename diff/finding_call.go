package diff

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"perfdiff/analyze/run"
	"perfdiff/diff/number"
)

// mostCallFindings is how many names findings say something of.
const mostCallFindings = 5

// leastWeight is the share of the time of its table from which a change of calls is a
// finding. Chosen, not measured: it is what a finding must be of a step, see
// leastFinding.
const leastWeight = 0.01

// steplessFindings are what can be said where there is no step: the work of a second, and
// what a call takes. They ask for a look, whatever they say: without steps nobody knows
// what it costs.
func (p *pair) steplessFindings(r *Report) []Finding {
	if !p.stepless() || p.same {
		return nil
	}
	return slices.Concat(p.workFinding(), p.replayFinding(r), p.shiftFinding(r), p.callFindings(r), p.otherKernels(r))
}

// workFinding is about the work of a second.
func (p *pair) workFinding() []Finding {
	w, ok := p.workRate()
	if !ok || !w.sure || math.Abs(w.rate-1) <= p.policy.Threshold {
		return nil
	}
	more := "more"
	if w.rate < 1 {
		more = "less"
	}
	began := "The"
	if w.fixed {
		began = fmt.Sprintf("The clock ended both captures after %s, and the", number.With(w.length, "s"))
	}
	f := KindWorkRate.finding()
	f.Metric, f.Delta, f.Unit, f.Class, f.Section = "launches", w.rate-1, "ratio", "look", "steps-found"
	f.Text = fmt.Sprintf("%s candidate does %s %s work in a second: so often does it launch the kernels that both repeat.",
		began, number.Share(math.Abs(w.rate-1)), more)
	f.Evidence = fmt.Sprintf("median of %s, %s a side", number.Counted(w.kernels, "kernel"), ranksOf(w.ranks))
	f.Advice = "Mark the steps with ranges and compare step by step, or capture a fixed number of steps."
	if w.hi > otherWork*w.lo {
		f.Delta, f.Unit = math.NaN(), ""
		began := "The captures"
		if w.fixed {
			began = fmt.Sprintf("The clock ended both captures after %s, and they", number.With(w.length, "s"))
		}
		f.Text = fmt.Sprintf("%s hold other work: in a second the kernels that both repeat are launched %s to %s times "+
			"as often as in the baseline.", began, number.Format(w.lo), number.Format(w.hi))
		f.Evidence = fmt.Sprintf("%s, %s a side", number.Counted(w.kernels, "kernel"), ranksOf(w.ranks))
	}
	if w.fixed {
		f.Text += " Their totals say nothing."
	}
	return []Finding{f}
}

// replays says which sides replay graphs in their captures whose kernels were not recorded.
func replays(r *Report) (base, cand bool) {
	for i := range r.Kernels {
		if k := &r.Kernels[i]; k.Name == GraphKernel {
			return k.BaseTime > 0, k.CandTime > 0
		}
	}
	return false, false
}

// replayFinding is about graphs of which one side recorded no kernels.
func (p *pair) replayFinding(r *Report) []Finding {
	base, cand := replays(r)
	if base == cand {
		return nil
	}
	side, other := "candidate", "baseline"
	if base {
		side, other = other, side
	}
	f := KindReplays.finding()
	f.Metric, f.Class, f.Section, f.Advice = kernelTime, "look", "kernels", p.profilers().graphAdvice()
	f.Text = "The " + side + " replays CUDA graphs, of which kernels were not recorded one by one as in the " + other +
		": their kernels do not compare."
	return []Finding{f}
}

// shiftFinding is about a change that the calls of all kernels share.
func (p *pair) shiftFinding(r *Report) []Finding {
	least := math.Max(leastChange, workNoise*math.Sqrt2*p.policy.Floor)
	if !(math.Abs(r.KernelShift) >= least) {
		return nil
	}
	f := KindKernelShift.finding()
	f.Metric, f.Delta, f.Unit, f.Class, f.Section = kernelTime, r.KernelShift, "ratio", "look", "kernels"
	f.Evidence = "the median call of each kernel that both sides run"
	f.Advice = "Compare clocks, power limits and temperatures of the devices first, then the size of the batch."
	return []Finding{f}
}

// callFindings are about calls that take longer or shorter beyond their noise, those that
// weigh most in their table first.
func (p *pair) callFindings(r *Report) []Finding {
	type weighed struct {
		*Call
		weight float64
	}
	var all []weighed
	totals := map[run.Table]float64{}
	for _, table := range CallTables {
		base, cand := p.stats(table)
		totals[table] = math.Max(timeOf(base), timeOf(cand))
	}
	for i := range r.Calls {
		c := &r.Calls[i]
		if weight := math.Abs(c.Effect) / totals[c.Table]; c.Beyond && weight >= leastWeight {
			all = append(all, weighed{c, weight})
		}
	}
	slices.SortStableFunc(all, func(a, b weighed) int {
		return cmp.Or(cmp.Compare(ofHost(a.Table), ofHost(b.Table)), cmp.Compare(b.weight, a.weight))
	})
	var out []Finding
	for _, c := range all[:min(mostCallFindings, len(all))] {
		out = append(out, p.callFinding(c.Call))
	}
	return out
}

// ofHost puts what the device does first.
func ofHost(table run.Table) int {
	if onHost(table) {
		return 1
	}
	return 0
}

func timeOf(side map[string]StatSide) (sum float64) {
	for _, name := range sortedKeys(side) {
		sum += side[name].Time
	}
	return sum
}

// callSections and callAdvice are where the page shows a table's calls, and what to do next.
var callSections = map[run.Table]string{run.KernelTable: "kernels"}

var callAdvice = map[run.Table]string{
	run.KernelTable:     "Compare the shapes, data types and library versions that this kernel runs with.",
	run.CollectiveTable: "A call lasts until its last rank has arrived: look at who is late before the network.",
	run.MemoryTable:     "Look whether the host memory is pinned, and at what else uses the bus.",
	run.RangeTable:      "See in Summaries which calls grow with it.",
	run.OperatorTable:   "See in Summaries which operators and ranges grow with it.",
}

// callFinding says how one call changed.
func (p *pair) callFinding(c *Call) Finding {
	sc := number.GapScale(math.Max(c.Base.Median, c.Cand.Median))
	change := c.Cand.Median/c.Base.Median - 1
	verb := "takes longer a call"
	if change < 0 {
		verb = "takes less a call"
	}
	f := KindCall.finding()
	f.Metric, f.Part, f.Class, f.Unit = string(c.Table), c.Name, "look", "s"
	f.Base, f.Cand, f.Delta = c.Base.Median, c.Cand.Median, c.Cand.Median-c.Base.Median
	f.Section, f.Effect, f.Advice = cmp.Or(callSections[c.Table], "calls"), c.Effect, callAdvice[c.Table]
	f.Text = fmt.Sprintf("%s %s: %s and %s, the median of %s and %s.", callName(c), verb,
		sc.Format(c.Base.Median), sc.With(c.Cand.Median),
		number.Count(int(c.Base.Count)), number.Counted(int(c.Cand.Count), "call"))
	f.Evidence = map[bool]string{
		true: "beyond what the other kernels differ by", false: "beyond what calls and runs differ by"}[c.Table == run.KernelTable]
	return f
}

// callName is what a sentence calls it at its start.
func callName(c *Call) string {
	switch c.Table {
	case run.KernelTable:
		return c.Label()
	case run.MemoryTable:
		return number.Capital(c.Name)
	case run.RangeTable:
		return "The range " + c.Name
	case run.OperatorTable:
		return "The operator " + c.Name
	}
	return c.Name
}

// kernelShareOf is the share of a side's kernel time from which a kernel that the other
// side does not run is a finding. Chosen, not measured: other versions of a library run
// other small kernels.
const kernelShareOf = 0.05

// otherKernels is about kernels that one side runs alone.
func (p *pair) otherKernels(r *Report) []Finding {
	if base, cand := replays(r); base != cand {
		return nil // of the other side's nothing is known
	}
	var out []Finding
	for i := range r.Calls {
		c := &r.Calls[i]
		if c.Table != run.KernelTable || c.Base.Count > 0 == (c.Cand.Count > 0) {
			continue
		}
		side, other, of := "candidate", "baseline", c.Cand
		if c.Base.Count > 0 {
			side, other, of = other, side, c.Base
		}
		if of.Share >= kernelShareOf && of.Count >= leastLaunches {
			f := KindOtherKernel.finding()
			f.Metric, f.Part, f.Class, f.Section, f.Effect = kernelTime, c.Name, "look", "kernels", c.Effect
			f.Base, f.Cand, f.Delta, f.Unit = c.Base.Share, c.Cand.Share, c.Cand.Share-c.Base.Share, "ratio"
			f.Text = fmt.Sprintf("The %s runs %s, %s of its kernel time, which the %s does not.",
				side, c.Label(), number.Share(of.Share), other)
			f.Evidence = number.Counted(int(of.Count), "call")
			f.Advice = "Look at what chose another kernel: a library version, a shape, a data type, a compiler."
			out = append(out, f)
		}
	}
	return out[:min(mostCallFindings, len(out))]
}
