package diff

import (
	"math"
	"slices"

	"perfdiff/analyze/kernelname"
	"perfdiff/analyze/run"
	"perfdiff/diff/stat"
)

// Part is a row of the waterfall.
type Part struct {
	PartChange
	Within []PartChange // what it is made of, in a fixed order; they add up to it
}

// PartChange is a part of the step on both sides, in seconds a step, as a mean
// over runs, used steps and ranks.
type PartChange struct {
	run.Key           // where its values are: idle_time, input
	Kind       string // "compute", "transfer", "wait", "comm", "memory", "idle", or a cause of idle time
	Name       string
	Base, Cand float64
	Delta      float64
	Lo, Hi     float64 // interval of Delta; NaN: too few steps, or the same files
}

// Waterfall is the change of the mean step as the sum of the changes of its
// parts. Nothing is left over: Base and Cand are the sums of the parts. Zero
// value: not measured on both sides.
type Waterfall struct {
	Parts                  []Part
	Base, Cand, Delta      float64
	MedianBase, MedianCand float64 // of the verdict
	Residual               float64 // change of the median less Delta
}

// component is how a part is measured on a rank and a step.
type component struct {
	kind, name string
	key        run.Key
	within     []component
}

var idleNames = map[string]string{
	"input": "Idle: waiting for input", "allocator": "Idle: allocating memory", "synchronizing": "Idle: synchronizing", "launching": "Idle: launching",
	"dependency": "Idle: waiting for a dependency", "host": "Idle: other host work", "unknown": "Idle: unknown",
}

// components are the parts of the step as both sides can tell them apart. What
// one side cannot split is not split on the other.
func (p *Causes) components() []component {
	part := func(kind, name, metric, part string) component {
		return component{kind: kind, name: name, key: run.Key{Metric: metric, Part: part}}
	}
	if !p.untold.Known() {
		return append([]component{{kind: "compute", name: "Busy", key: busyTime}}, p.idleComponents(part)...)
	}
	compute := part("compute", "Compute", run.ComputeTime, "")
	unseen := ""
	if p.untold.holdsUnknown(run.ComputeTime) {
		compute.name, unseen = "Compute or unknown", " outside of replays"
	}
	for _, f := range p.partsOf(run.ComputeTime, kernelname.Families) {
		compute.within = append(compute.within, part("compute", f, run.ComputeTime, f))
	}
	out := []component{compute}
	if p.everywhere(run.ExposedWaitTime) && p.everywhere(run.ExposedTransferTime) {
		out = append(out, part("transfer", "Exposed transfer", run.ExposedTransferTime, ""), part("wait", "Exposed wait", run.ExposedWaitTime, ""))
	} else if comm := part("comm", "Exposed communication"+unseen, run.ExposedCommTime, ""); p.measured(comm.key) && unseen == "" || p.partOf(comm).occurs() {
		out = append(out, comm)
	}
	out = append(out, part("memory", "Exposed memory", run.ExposedMemoryTime, ""))
	return append(out, p.idleComponents(part)...)
}

// idleComponents are the causes of idle time, or all of it where a side knows none.
func (p *Causes) idleComponents(part func(kind, name, metric, part string) component) (out []component) {
	causes := p.partsOf(run.IdleTime, run.IdleCauses)
	if len(causes) < 2 {
		return []component{part("idle", "Idle", run.IdleTime, "")}
	}
	for _, c := range causes {
		if x := part(c, idleNames[c], run.IdleTime, c); p.partOf(x).occurs() {
			out = append(out, x)
		}
	}
	return out
}

// measured reports whether either side has a series.
func (p *Causes) measured(key run.Key) (any bool) {
	for _, s := range []*side{p.base, p.cand} {
		s.each(func(k *oneRank) { any = any || k.values(key) != nil && !k.alone })
	}
	return any
}

// occurs reports whether there is any of it on a side: the list of causes is
// long, and one that neither side has says nothing.
func (c *PartChange) occurs() bool { return c.Base != 0 || c.Cand != 0 }

// partsOf are the parts of a metric that either side has, if both have any: those of
// a list in its order, then others by name.
func (p *Causes) partsOf(metric string, order []string) []string {
	have := map[string]bool{}
	for _, s := range []*side{p.base, p.cand} {
		any := false
		var last *seriesIndex
		s.each(func(k *oneRank) {
			if k.alone || k.series == last {
				return
			}
			last = k.series
			for key := range *last {
				if key.Metric == metric && key.Part != "" {
					have[key.Part], any = true, true
				}
			}
		})
		if !any {
			return nil
		}
	}
	var out []string
	for _, name := range order {
		if have[name] {
			out = append(out, name)
			delete(have, name)
		}
	}
	return append(out, sortedKeys(have)...)
}

// everywhere reports whether a metric is known in every step of every rank in
// which the step's parts are.
func (p *Causes) everywhere(metric string) bool {
	found, missing := false, false
	for _, s := range []*side{p.base, p.cand} {
		s.each(func(k *oneRank) {
			if k.alone {
				return
			}
			values, idle := k.values(run.Key{Metric: metric}), k.values(run.Key{Metric: run.IdleTime})
			for j := range k.pos {
				known := !math.IsNaN(k.value(values, j))
				found = found || known
				missing = missing || !known && !math.IsNaN(k.value(idle, j))
			}
		})
	}
	return found && !missing
}

// partCurve is the mean over ranks of a component in each used step, of the ranks
// that have a breakdown there; NaN where none has. What did not occur is zero.
func (r *oneRun) partCurve(key run.Key) []float64 {
	if have, ok := r.parts[key]; ok {
		return slices.Clone(have)
	}
	out, ranks := make([]float64, len(r.used)), make([]int, len(r.used))
	for _, k := range r.ranks {
		if k.alone {
			continue
		}
		idle, part := k.values(run.Key{Metric: run.IdleTime}), k.partValues(key)
		for j := range out {
			if math.IsNaN(k.value(idle, j)) {
				continue
			}
			ranks[j]++
			if v := part(j); !math.IsNaN(v) {
				out[j] += v
			}
		}
	}
	for j, n := range ranks {
		out[j] /= float64(n) // 0/0: no rank
	}
	if r.parts == nil {
		r.parts = map[run.Key][]float64{}
	}
	r.parts[key] = out
	return slices.Clone(out)
}

// waterfall splits the change of the mean step.
func (p *Causes) waterfall() Waterfall {
	var w Waterfall
	if !p.has(run.IdleTime) {
		return w
	}
	p.parts = p.components()
	for _, c := range p.parts {
		part := Part{PartChange: *p.partOf(c)}
		for _, x := range c.within {
			part.Within = append(part.Within, *p.partOf(x))
		}
		w.Parts = append(w.Parts, part)
		w.Base, w.Cand = w.Base+part.Base, w.Cand+part.Cand
	}
	if math.IsNaN(w.Base) || math.IsNaN(w.Cand) {
		return Waterfall{}
	}
	w.Delta = w.Cand - w.Base
	for i := range w.Parts {
		p.partInterval(&w.Parts[i].PartChange)
		for j := range w.Parts[i].Within {
			p.partInterval(&w.Parts[i].Within[j])
		}
	}
	if step := metricOf(p.Metrics, stepTime.Metric); step != nil {
		w.MedianBase, w.MedianCand = step.Base, step.Cand
		w.Residual = step.Cand - step.Base - w.Delta
	}
	return w
}

// has reports whether both sides measured a metric in a step that enters.
func (p *Causes) has(metric string) bool {
	known := func(s *side) bool {
		return len(s.measure(run.Key{Metric: metric}).rows) == len(s.runs) && len(s.runs) > 0
	}
	return known(p.base) && known(p.cand)
}

func (p *Causes) partOf(c component) *PartChange {
	out := &PartChange{Key: c.key, Kind: c.kind, Name: c.name, Lo: math.NaN(), Hi: math.NaN()}
	mean := func(s *side) float64 {
		var means []float64
		for _, r := range s.runs {
			means = append(means, stat.Mean(r.partCurve(c.key)))
		}
		return stat.Mean(means)
	}
	out.Base, out.Cand = mean(p.base), mean(p.cand)
	out.Delta = out.Cand - out.Base
	return out
}

// partInterval is the interval of a part's change. Nothing falls by more than all of
// it.
func (p *Causes) partInterval(part *PartChange) {
	half := p.halfWidth(func(r *oneRun) []float64 { return r.partCurve(part.Key) }, func(step float64) float64 {
		return p.partNoise(p.natureOf(part.Key.Metric), part.Base, part.Cand, step, p.plan.steps) / step
	})
	part.Lo, part.Hi = settled(part.Delta-half), settled(part.Delta+half)
	if part.Base >= 0 && part.Cand >= 0 {
		part.Lo, part.Hi = math.Max(part.Lo, -part.Base), math.Max(part.Hi, -part.Base)
	}
}

// halfWidth is half of the interval of the change of a curve's mean: the test of every
// metric, in units of the step of both sides (of which each adds its own noise, so that
// it is the root of the mean square). floor is the share of a step so long that runs are
// taken to differ by. NaN where nothing is judged.
func (p *Causes) halfWidth(curve func(*oneRun) []float64, floor func(step float64) float64) float64 {
	if p.same || p.sizes != "" || len(p.doubts) > 0 || p.plan.unsettled || p.plan.steps < minSteps || !(p.step > 0) {
		return math.NaN()
	}
	unit := math.Sqrt((float64(p.step*p.step) + float64(p.otherStep*p.otherStep)) / 2)
	rows := func(runs []*oneRun) (out [][]float64) {
		for _, r := range runs {
			row := slices.Clone(stat.Known(curve(r)))
			for j := range row {
				row[j] /= unit
			}
			out = append(out, row)
		}
		return out
	}
	base, cand := rows(p.base.runs), rows(p.cand.runs)
	all := slices.Concat(base, cand)
	if slices.ContainsFunc(all, func(x []float64) bool { return len(x) < minSteps }) {
		return math.NaN()
	}
	even := !slices.ContainsFunc(all, func(x []float64) bool { return len(x) != len(all[0]) })
	pooled := stat.Pooled
	if p.plan.paired && even {
		base, cand = stat.WithoutShared(base, cand)
		pooled = stat.PooledPaired
	}
	scalars := func(rows [][]float64) (out []stat.Scalar) {
		for _, x := range rows {
			out = append(out, stat.MeanScalar(x, stat.Batches(len(x))))
		}
		return out
	}
	var past []float64
	for _, x := range rows(p.past.runs()) {
		past = append(past, stat.Mean(x))
	}
	var c Comparison
	s := pooled(scalars(base), scalars(cand), stat.BatchDF(stat.Batches(len(all[0]))))
	return p.effect(&c, s, past, floor(unit), 0).HalfWidth(p.policy.Alpha) * unit
}
