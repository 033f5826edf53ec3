package cause

import (
	"cmp"
	"math"
	"slices"
	"sort"

	"perfdiff/analyze/run"
	"perfdiff/diff/policy"
	"perfdiff/diff/sides"
	"perfdiff/diff/verdict"
)

// mostCallFindings is how many names findings say something of.
const mostCallFindings = 5

// LeastWeight is the share of the time of its table from which a change of calls is a
// finding. Chosen, not measured: it is what a finding must be of a step, see
// leastFinding.
const LeastWeight = 0.01

// steplessFindings returns what can be said where there is no step: how much work is done a second, and how long a
// call takes. All of it asks only for a look: without steps nobody knows what it costs.
func steplessFindings(p *Causes) []Finding {
	if !verdict.Stepless(p.Judged.Lined) || p.Identical {
		return nil
	}
	return slices.Concat(workFinding(p), replayFinding(p), shiftFinding(p), callFindings(p), otherKernels(p))
}

// workFinding makes the finding about the work of a second.
func workFinding(p *Causes) []Finding {
	w, ok := p.WorkRate()
	if !ok || !w.Sure || math.Abs(w.Rate-1) <= p.Policy.Threshold {
		return nil
	}
	f := NewFinding(policy.KindWorkRate)
	f.Metric, f.Delta, f.Unit, f.Class, f.Section = "launches", w.Rate-1, "ratio", verdict.ClassLook, "steps-found"
	f.Rate, f.Advice = &w, Advice{Kind: AdviceMark}
	f.Evidence = Evidence{Kind: EvidenceRates, Counts: [2]int{w.Kernels, w.ranks}}
	if w.OtherWork() {
		f.Delta, f.Unit, f.Evidence.Kind = math.NaN(), "", EvidenceNoRate
	}
	if w.Fixed {
		f.add(ClauseNoTotals.clause())
	}
	return []Finding{f}
}

// replays says which sides replay graphs in their captures whose kernels were not recorded.
func replays(r *Causes) (base, cand bool) {
	for i := range r.Kernels {
		if k := &r.Kernels[i]; k.Name == sides.GraphKernel {
			return k.BaseTime > 0, k.CandTime > 0
		}
	}
	return false, false
}

// replayFinding returns the finding that one side recorded graphs without their kernels.
func replayFinding(p *Causes) []Finding {
	base, cand := replays(p)
	if base == cand {
		return nil
	}
	f := NewFinding(policy.KindReplays)
	f.Metric, f.Class, f.Section, f.Advice = sides.KernelTime, verdict.ClassLook, "kernels", Advice{Kind: AdviceGraphs}
	f.Evidence.Kind = EvidenceRecorded
	if f.Side = p.Cand.Name; base {
		f.Side = p.Base.Name
	}
	return []Finding{f}
}

// shiftFinding makes the finding about a change that the calls of all kernels share.
func shiftFinding(p *Causes) []Finding {
	least := math.Max(LeastChange, workNoise*math.Sqrt2*p.Policy.Floor)
	if !(math.Abs(p.KernelShift) >= least) {
		return nil
	}
	f := NewFinding(policy.KindKernelShift)
	f.Metric, f.Delta, f.Unit, f.Class, f.Section = sides.KernelTime, p.KernelShift, "ratio", verdict.ClassLook, "kernels"
	f.Evidence.Kind, f.Advice.Kind = EvidenceMedians, AdviceKernelClocks
	if c, ok := verdict.Clocks(p.Lined, p.Parts); ok {
		f.Clocks = &c
		_, f.Advice = clockWhy(p, p.KernelShift)
	}
	return []Finding{f}
}

// callFindings returns the calls that take longer or shorter beyond their noise, those first that weigh most in their
// table.
func callFindings(p *Causes) []Finding {
	type weighed struct {
		*Call
		weight float64
	}
	var all []weighed
	totals := map[run.Table]float64{}
	for _, table := range CallTables {
		base, cand := statsOfBoth(p, table)
		totals[table] = math.Max(timeOf(base), timeOf(cand))
	}
	for i := range p.Calls {
		c := &p.Calls[i]
		if weight := math.Abs(c.Effect) / totals[c.Table]; c.BeyondNoise && weight >= LeastWeight {
			all = append(all, weighed{Call: c, weight: weight})
		}
	}
	sort.SliceStable(all, func(i, j int) bool {
		a, b := &all[i], &all[j]
		return cmp.Or(cmp.Compare(ofHost(a.Table), ofHost(b.Table)), cmp.Compare(b.weight, a.weight)) < 0
	})
	var out []Finding
	for _, c := range all[:min(mostCallFindings, len(all))] {
		out = append(out, callFinding(p, c.Call))
	}
	return out
}

// ofHost returns the order of a table: the device's first.
func ofHost(table run.Table) int {
	if onHost(table) {
		return 1
	}
	return 0
}

func timeOf(side map[string]StatSide) (sum float64) {
	for _, name := range sides.SortedKeys(side) {
		sum += side[name].Time
	}
	return sum
}

// callSections are where the page shows a table's calls.
var callSections = map[run.Table]string{run.KernelTable: "kernels"}

// callFinding says how one call changed.
func callFinding(p *Causes, c *Call) Finding {
	f := NewFinding(policy.KindCall)
	f.Metric, f.Part, f.Class, f.Unit = string(c.Table), c.Name, verdict.ClassLook, "s"
	f.Base, f.Cand, f.Delta = c.Base.Median, c.Cand.Median, c.Cand.Median-c.Base.Median
	f.Section, f.Effect = cmp.Or(callSections[c.Table], "calls"), c.Effect
	f.Call, f.Advice = c, Advice{Kind: AdviceCall, Name: string(c.Table)}
	if f.Evidence.Kind = EvidenceRuns; c.Table == run.KernelTable {
		f.Evidence.Kind = EvidenceOthers
	}
	return f
}

// kernelShareOf is the share of a side's kernel time from which a kernel that the other
// side does not run is a finding. Chosen, not measured: other versions of a library run
// other small kernels.
const kernelShareOf = 0.05

// otherKernels makes the finding about kernels that one side runs alone.
func otherKernels(p *Causes) []Finding {
	if base, cand := replays(p); base != cand {
		return nil // of the other side's nothing is known
	}
	var out []Finding
	for i := range p.Calls {
		c := &p.Calls[i]
		if c.Table != run.KernelTable || c.Base.Count > 0 == (c.Cand.Count > 0) {
			continue
		}
		side, of := p.Cand.Name, c.Cand
		if c.Base.Count > 0 {
			side, of = p.Base.Name, c.Base
		}
		if of.Share >= kernelShareOf && of.Count >= leastLaunches {
			f := NewFinding(policy.KindOtherKernel)
			f.Metric, f.Part, f.Class, f.Section, f.Effect = sides.KernelTime, c.Name, verdict.ClassLook, "kernels", c.Effect
			f.Base, f.Cand, f.Delta, f.Unit = c.Base.Share, c.Cand.Share, c.Cand.Share-c.Base.Share, "ratio"
			f.Side, f.Call, f.Advice = side, c, Advice{Kind: AdviceChosen}
			f.Evidence = Evidence{Kind: EvidenceCount, Counts: [2]int{int(of.Count)}}
			out = append(out, f)
		}
	}
	return out[:min(mostCallFindings, len(out))]
}
