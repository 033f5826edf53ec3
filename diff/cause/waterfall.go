package cause

import (
	"math"
	"slices"

	"perfdiff/analyze/kernelname"
	"perfdiff/analyze/metric"
	"perfdiff/analyze/run"
	"perfdiff/diff/sides"
	"perfdiff/diff/stat"
	"perfdiff/diff/verdict"
)

// Part is a row of the waterfall.
type Part struct {
	PartChange `report:"."`
	Within     []PartChange `report:"within"` // what it is made of, in a fixed order; they add up to it
}

// StepPart is a part of the step. The zero value: none.
type StepPart struct {
	run.Key `report:"."` // where its values are: idle_time, input
	Unseen  bool         // a side replays graphs of unknown kind: compute holds them, and exposed communication does not
}

// PartChange is a part of the step on both sides, in seconds a step, as a mean
// over runs, used steps and ranks.
type PartChange struct {
	StepPart   `report:"."`
	Kind       string  `report:"kind"` // "compute", "transfer", "wait", "comm", "memory", "idle", or a cause of idle time
	Base       float64 `report:"mean.baseline"`
	Cand       float64 `report:"mean.candidate"`
	Delta      float64 `report:"delta"`
	Lo         float64 `report:"low"` // interval of Delta; NaN: too few steps, the same files, or BelowNoise
	Hi         float64 `report:"high"`
	BelowNoise bool    `report:"below_noise"` // on both sides it is less than what runs are taken to differ by in it
}

// Waterfall is the change of the mean step as the sum of the changes of its
// parts. Nothing is left over: Base and Cand are the sums of the parts. Without parts, and of
// numbers that are NaN, it was not measured on both sides.
type Waterfall struct {
	Parts      []Part  `report:"parts"`
	Base       float64 `report:"mean.baseline"`
	Cand       float64 `report:"mean.candidate"`
	Delta      float64 `report:"delta"`
	MedianBase float64 `report:"median.baseline"` // of the verdict; NaN: no step was compared
	MedianCand float64 `report:"median.candidate"`
	Residual   float64 `report:"residual"` // change of the median less Delta
}

// partMeasure is how a part is measured on a rank and a step.
type partMeasure struct {
	StepPart
	kind   string
	within []partMeasure
}

// components returns the parts of the step as both sides can tell them apart. What
// one side cannot split is not split on the other.
func components(p *Causes) []partMeasure {
	part := func(kind, metric, part string) partMeasure {
		return partMeasure{StepPart: StepPart{Key: run.Key{Metric: metric, Part: part}}, kind: kind}
	}
	if !p.NotCompared.Known() {
		return append([]partMeasure{{StepPart: StepPart{Key: verdict.BusyTime}, kind: "compute"}}, idleComponents(p, part)...)
	}
	compute := part("compute", run.ComputeTime, "")
	compute.Unseen = p.NotCompared.HoldsUnknown(run.ComputeTime)
	for _, f := range partsOf(p, run.ComputeTime, kernelname.Families) {
		compute.within = append(compute.within, part("compute", run.ComputeTime, f))
	}
	out := []partMeasure{compute}
	if everywhere(p, run.Key{Metric: run.ExposedWaitTime}) && everywhere(p, run.Key{Metric: run.ExposedTransferTime}) {
		for _, c := range []partMeasure{part("transfer", run.ExposedTransferTime, ""), part("wait", run.ExposedWaitTime, "")} {
			out = append(out, withDimensions(p, c, part))
		}
	} else {
		comm := part("comm", run.ExposedCommTime, "")
		if comm.Unseen = compute.Unseen; measured(p, comm.Key) && !comm.Unseen || partOf(p, comm).occurs() {
			out = append(out, comm)
		}
	}
	out = append(out, part("memory", run.ExposedMemoryTime, ""))
	return append(out, idleComponents(p, part)...)
}

// withDimensions splits exposed communication by the dimension of parallelism it serves, where
// both sides tell them apart and agree which ranks serve which.
func withDimensions(p *Causes, whole partMeasure, part func(kind, metric, part string) partMeasure) partMeasure {
	if !sameDimensions(p) {
		return whole
	}
	for _, d := range partsOf(p, whole.Metric, metric.DimensionParts()) {
		if x := part(whole.kind, whole.Metric, d); partOf(p, x).occurs() {
			whole.within = append(whole.within, x)
		}
	}
	return whole
}

// idleComponents returns the causes of idle time, or idle time as a whole where a side does not know its causes.
func idleComponents(p *Causes, part func(kind, metric, part string) partMeasure) (out []partMeasure) {
	causes := partsOf(p, run.IdleTime, run.IdleCauses)
	if len(causes) < 2 {
		return []partMeasure{part("idle", run.IdleTime, "")}
	}
	for _, c := range causes {
		if x := part(c, run.IdleTime, c); partOf(p, x).occurs() {
			out = append(out, x)
		}
	}
	return out
}

// measured reports whether either side has a series.
func measured(p *Causes, key run.Key) (any bool) {
	for _, s := range []*sides.Side{p.Base, p.Cand} {
		s.EachRank(func(k *sides.Rank) { any = any || k.ValuesOf(key) != nil && !k.OnOneSideOnly })
	}
	return any
}

// occurs reports whether either side has any of it: the list of causes is long, and one that neither side has is no
// news.
func (c *PartChange) occurs() bool { return c.Base != 0 || c.Cand != 0 }

// partsOf returns the parts of a metric that either side has, if both have any: first those in order, in its order,
// then others by name.
func partsOf(p *Causes, metric string, order []string) []string {
	have := map[string]bool{}
	for _, s := range []*sides.Side{p.Base, p.Cand} {
		any := false
		var last *sides.SeriesIndex
		s.EachRank(func(k *sides.Rank) {
			if k.OnOneSideOnly || k.Index == last {
				return
			}
			last = k.Index
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
	return append(out, sides.SortedKeys(have)...)
}

// everywhere reports whether a series is known in every step of every rank in
// which the step's parts are.
func everywhere(p *Causes, key run.Key) bool {
	found, missing := false, false
	for _, s := range []*sides.Side{p.Base, p.Cand} {
		s.EachRank(func(k *sides.Rank) {
			if k.OnOneSideOnly {
				return
			}
			values, idle := k.ValuesOf(key), k.ValuesOf(run.Key{Metric: run.IdleTime})
			for j := range k.UsedIndex {
				known := !math.IsNaN(k.ValueOf(values, j))
				found = found || known
				missing = missing || !known && !math.IsNaN(k.ValueOf(idle, j))
			}
		})
	}
	return found && !missing
}

// partCurve returns a component in each used step, the mean over the ranks that have a breakdown of it; NaN where none
// has. What did not occur is zero.
func partCurve(r *sides.Run, key run.Key) []float64 {
	if have, ok := r.Parts[key]; ok {
		return slices.Clone(have)
	}
	out, ranks := make([]float64, len(r.Used)), make([]int, len(r.Used))
	for _, k := range r.Ranks {
		if k.OnOneSideOnly {
			continue
		}
		idle, part := k.ValuesOf(run.Key{Metric: run.IdleTime}), verdict.PartValues(k, key)
		for j := range out {
			if math.IsNaN(k.ValueOf(idle, j)) {
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
	if r.Parts == nil {
		r.Parts = map[run.Key][]float64{}
	}
	r.Parts[key] = out
	return slices.Clone(out)
}

func curveOf(key run.Key) func(*sides.Run) []float64 {
	return func(r *sides.Run) []float64 { return partCurve(r, key) }
}

// waterfall splits the change of the mean step.
func waterfall(p *Causes) Waterfall {
	nan := math.NaN()
	unknown := Waterfall{Base: nan, Cand: nan, Delta: nan, MedianBase: nan, MedianCand: nan, Residual: nan}
	if !has(p, run.IdleTime) {
		return unknown
	}
	w := Waterfall{MedianBase: nan, MedianCand: nan, Residual: nan}
	p.stepParts = components(p)
	for _, c := range p.stepParts {
		part := Part{PartChange: *partOf(p, c)}
		for _, x := range c.within {
			part.Within = append(part.Within, *partOf(p, x))
		}
		w.Parts = append(w.Parts, part)
		w.Base, w.Cand = w.Base+part.Base, w.Cand+part.Cand
	}
	if math.IsNaN(w.Base) || math.IsNaN(w.Cand) {
		return unknown
	}
	w.Delta = w.Cand - w.Base
	for i := range w.Parts {
		partInterval(p, &w.Parts[i].PartChange, curveOf(w.Parts[i].Key))
		for j := range w.Parts[i].Within {
			partInterval(p, &w.Parts[i].Within[j], curveOf(w.Parts[i].Within[j].Key))
		}
	}
	if step := verdict.MetricOf(p.Metrics, sides.StepTime.Metric); step != nil {
		w.MedianBase, w.MedianCand = step.Base, step.Cand
		w.Residual = step.Cand - step.Base - w.Delta
	}
	return w
}

// has reports whether both sides measured a metric in a step that enters.
func has(p *Causes, metric string) bool {
	known := func(s *sides.Side) bool {
		return len(s.Measure(run.Key{Metric: metric}).Rows) == len(s.Runs) && len(s.Runs) > 0
	}
	return known(p.Base) && known(p.Cand)
}

func partOf(p *Causes, c partMeasure) *PartChange {
	out := &PartChange{StepPart: c.StepPart, Kind: c.kind, Lo: math.NaN(), Hi: math.NaN()}
	mean := func(s *sides.Side) float64 {
		var means []float64
		for _, r := range s.Runs {
			means = append(means, stat.Mean(partCurve(r, c.Key)))
		}
		return stat.Mean(means)
	}
	out.Base, out.Cand = mean(p.Base), mean(p.Cand)
	out.Delta = out.Cand - out.Base
	return out
}

// partInterval sets the interval of the change of a part with a curve. A part cannot fall by more than all of it, and a
// change below the noise floor gets no interval.
func partInterval(p *Causes, part *PartChange, curve func(*sides.Run) []float64) {
	half := halfWidth(p, curve, func(step float64) float64 {
		return p.PartNoise(p.NoiseKindOf(part.Key.Metric), part.Base, part.Cand, step, p.Plan.Steps) / step
	})
	if math.IsNaN(half) {
		return
	}
	noise := p.PartNoise(p.NoiseKindOf(part.Key.Metric), part.Base, part.Cand, float64(p.Step), p.Plan.Steps)
	if part.BelowNoise = math.Max(part.Base, part.Cand) < noise; part.BelowNoise {
		return // an interval of it would be that of the floor, many times the part
	}
	part.Lo, part.Hi = verdict.Settled(part.Delta-half), verdict.Settled(part.Delta+half)
	if part.Base >= 0 && part.Cand >= 0 {
		part.Lo, part.Hi = math.Max(part.Lo, -part.Base), math.Max(part.Hi, -part.Base)
	}
}

// halfWidth returns half of the interval of the change of a curve's mean. It is the test of every metric in units of
// the step (each side adds its own noise, so the unit is the root mean square of both steps). floor returns, for a
// step so long, the share of it that runs are taken to differ by. NaN where nothing is judged.
func halfWidth(p *Causes, curve func(*sides.Run) []float64, floor func(step float64) float64) float64 {
	if p.Identical || p.Sizes.Differ() || len(p.Doubts) > 0 || p.Plan.Unsettled || p.Plan.Steps < p.Plan.LeastSteps() || !(p.Step > 0) {
		return math.NaN()
	}
	unit := math.Sqrt((float64(p.Step*p.Step) + float64(p.OtherStep*p.OtherStep)) / 2)
	rows := func(runs []*sides.Run) (out [][]float64) {
		for _, r := range runs {
			row := slices.Clone(stat.Known(curve(r)))
			for j := range row {
				row[j] /= unit
			}
			out = append(out, row)
		}
		return out
	}
	base, cand := rows(p.Base.Runs), rows(p.Cand.Runs)
	all := slices.Concat(base, cand)
	if slices.ContainsFunc(all, func(x []float64) bool { return len(x) < p.Plan.LeastSteps() }) {
		return math.NaN()
	}
	even := !slices.ContainsFunc(all, func(x []float64) bool { return len(x) != len(all[0]) })
	pooled := stat.Pooled
	if p.Plan.Paired && even {
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
	for _, x := range rows(p.Past.Runs()) {
		past = append(past, stat.Mean(x))
	}
	var c verdict.Comparison
	s := pooled(scalars(base), scalars(cand), stat.BatchDF(stat.Batches(len(all[0]))))
	e, _ := p.Effect(&c, s, verdict.RunNoise{Past: past, Floor: floor(unit)})
	return e.HalfWidth(p.Policy.Alpha) * unit
}
