package cause

import (
	"cmp"
	"math"
	"sort"
	"strings"

	"perfdiff/analyze/run"
	"perfdiff/diff/policy"
	"perfdiff/diff/sides"
	"perfdiff/diff/stat"
	"perfdiff/diff/verdict"
)

// Runs of one job differ in all parts alike, as by a clock or by the load of a network, so
// that parts are each other's controls: one that changed beyond what its peers do is known
// to have changed also where the step as a whole is not. What moves all alike stays
// undecidable with the runs at hand, and that is said (allAlike).

// transferChange is how much longer the transfer of one kind of collective takes, in s a step.
type transferChange struct {
	part       string
	base, cand float64
	change, q  float64
}

func (c *transferChange) delta() float64 { return c.cand - c.base }

// collectiveShifts returns the change of every collective that both sides have, the largest first: of the time in
// which data moves, not of the wait for late ranks. Runs are taken to differ in each as much as in communication as a
// whole.
func collectiveShifts(p *Causes) (out []transferChange) {
	var base, cand [][]float64
	var within []float64
	for i := range p.Parts {
		c := &p.Parts[i]
		if c.Key.Metric != run.CommTransferTime || c.Part == "" || !(c.Base > 0) || !(c.Cand > 0) {
			continue
		}
		b, vb, ok := kernelScalars(p, p.Base, c.Key)
		d, vd, too := kernelScalars(p, p.Cand, c.Key)
		if ok && too {
			floor := verdict.PartFloors[run.NoiseOfLinks].Own * p.FloorFor(p.Plan.Steps) / verdict.StandardFloor
			base, cand, within = append(base, b), append(cand, d), append(within, float64((vb+vd)/2)+float64(floor*floor))
			out = append(out, transferChange{part: c.Part, base: c.Base, cand: c.Cand})
		}
	}
	for i, s := range stat.Changes(base, cand, within) {
		out[i].change, out[i].q = math.Expm1(s.Estimate), s.Q
	}
	sort.SliceStable(out, func(i, j int) bool {
		a, b := &out[i], &out[j]
		return cmp.Or(cmp.Compare(math.Abs(b.delta()), math.Abs(a.delta())), strings.Compare(a.part, b.part)) < 0
	})
	return out
}

// beyond reports whether the change of a collective is beyond what runs differ by, and as
// much of the step as matters.
func beyond(p *Causes, c *transferChange) bool {
	return c.q <= verdict.FalseShare && math.Abs(c.change) >= LeastChange && math.Abs(c.delta()) >= p.Least()
}

// collectiveFindings returns collectives whose transfer changed beyond its noise, where exposed communication as a
// whole is within the noise.
func collectiveFindings(p *Causes) (out []Finding) {
	if c := verdict.MetricOf(p.Metrics, run.ExposedCommTime); c != nil && c.Changed() || !p.NotCompared.Known() {
		return nil
	}
	shifts := collectiveShifts(p)
	for i := range shifts {
		c := &shifts[i]
		if !beyond(p, c) || len(out) == mostParts {
			break // the largest first
		}
		f := NewFinding(policy.KindCollectiveAlone)
		f.Metric, f.Part, f.Class, f.Section, f.Effect = run.CommTransferTime, c.part, verdict.ClassLook, "collectives", c.delta()
		f.Base, f.Cand, f.Delta, f.Unit = c.base, c.cand, c.delta(), "s"
		f.Evidence = besideOthers(shifts, i)
		if c.delta() > 0 {
			f.Advice.Kind = AdviceNetwork
		}
		out = append(out, f)
	}
	return out
}

// besideOthers returns the evidence for one collective: its comparison, and how the others changed.
func besideOthers(all []transferChange, at int) Evidence {
	out := Evidence{Kind: EvidencePeers, Of: run.Key{Metric: run.CommTransferTime, Part: all[at].part}}
	for i := range all {
		if i != at {
			out.Peers = append(out.Peers, Peer{all[i].part, all[i].change})
		}
	}
	return out
}

// Alone is a kernel, a collective or a cause of idle time that takes longer by more than its peers, or runs, differ,
// and by as much of the step as matters.
type Alone struct {
	run.Key `report:"."` // kernel_time and a kernel, comm_transfer_time and a collective, idle_time and a cause
	Delta   float64      `report:"delta"` // s a step that it takes longer
}

// takeLonger returns what takes longer on the candidate and fails the gate if the policy says gate_causes.
func takeLonger(p *Causes) (out []Alone) {
	if !p.Decided() || p.Identical || !p.NotCompared.Known() {
		return nil
	}
	peers := havePeers(p)
	for i := range p.Kernels {
		if k := &p.Kernels[i]; peers && k.BeyondNoise && k.Class == classCompute && k.Others == 0 && k.Delta >= p.Least() {
			out = append(out, Alone{run.Key{Metric: run.KernelTime, Part: k.Name}, k.Delta})
		}
	}
	shifts := collectiveShifts(p)
	for i := range shifts {
		if c := &shifts[i]; beyond(p, c) && c.delta() > 0 {
			out = append(out, Alone{run.Key{Metric: run.CommTransferTime, Part: c.part}, c.delta()})
		}
	}
	for i := range p.Parts {
		x := &p.Parts[i]
		known := x.Part != "host" && x.Part != "unknown" || hostAlike(p)
		if x.Metric.Name == run.IdleTime && x.Part != "" && known && x.Delta >= p.Least() && x.Changed() {
			out = append(out, Alone{x.Key, x.Delta})
		}
	}
	return out
}

// leastPeers is how many kernels are needed, with one run a side, to tell what kernels differ by: among a handful, a
// change of the clock looks like a change of one kernel. Chosen, not measured: the noise of kernels was simulated with
// 300 of them (TestKernelRates), not with a handful.
const leastPeers = 5

// havePeers reports whether kernels can be each other's controls.
func havePeers(p *Causes) bool {
	tested := 0
	for i := range p.Kernels {
		if !math.IsNaN(p.Kernels[i].Q) {
			tested++
		}
	}
	return tested >= leastPeers || min(len(p.Base.Runs), len(p.Cand.Runs)) >= 2
}

// AllAlike returns by how much all kernels moved together, a fraction, if that explains a change of the step time that
// these runs cannot tell from the differences between runs; 0 otherwise.
func (p *Causes) AllAlike(c *verdict.Comparison) float64 {
	compute := verdict.MetricOf(p.Metrics, run.ComputeTime)
	unsure := c.Key == sides.StepTime && c.Verdict == verdict.Inconclusive && p.Decided()
	if !unsure || compute == nil || !(math.Abs(c.Estimate) >= c.Threshold) {
		return 0
	}
	s := p.KernelShift
	explains := s*c.Delta > 0 && math.Abs(s*compute.Base) >= mostOf*math.Abs(c.Delta)
	if !(math.Abs(s) >= p.Policy.Threshold) || !explains {
		return 0
	}
	return s
}
