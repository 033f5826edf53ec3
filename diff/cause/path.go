package cause

import (
	"math"
	"slices"
	"sort"

	"perfdiff/analyze/metric"
	"perfdiff/analyze/run"
	"perfdiff/diff/sides"
)

// Path says what the critical path through a mean step consists of on both sides: what must get shorter for the step
// to get shorter. The waterfall accounts for all of the step's time; the path shows which of it decides the step's
// length. The zero value: not known on both sides.
type Path struct {
	Parts      []PathPart    `report:"parts"`         // those of run.PathParts that occur on a side; together they are the step
	Families   []PathPart    `report:"families"`      // of its compute
	Dimensions []PathPart    `report:"dimensions"`    // of its communication, where dimensions are told apart
	Base       float64       `report:"mean.baseline"` // s, the sums of the parts
	Cand       float64       `report:"mean.candidate"`
	Elsewhere  [2]float64    `report:"elsewhere"`   // s of it on other ranks than the one whose step it is, per side; NaN: not known
	Sources    [2][]string   `report:"source,said"` // what tells which work waits for which, per side
	Steps      [2][]StepPath `report:"steps"`
}

// PathPart is a part of the critical path on both sides, in seconds a step, as a mean over runs,
// used steps and ranks.
type PathPart struct {
	run.Key `report:"."` // where its values are: path_time, compute
	Base    float64      `report:"mean.baseline"`
	Cand    float64      `report:"mean.candidate"`
	Delta   float64      `report:"delta"`
	Lo      float64      `report:"low"` // interval of Delta; NaN: too few steps, or the same files
	Hi      float64      `report:"high"`
}

// StepPath says what bounds one step: the mean path over its ranks, of the first run.
type StepPath struct {
	Number int64     `report:"step"`
	Bound  string    `report:"bound"` // the part of which there is most; "": not known
	Parts  []float64 `report:"parts"` // s, as Path.Parts; nil: not known
}

// path returns what the critical paths of both sides consist of.
func path(p *Causes) (out Path) {
	compute := run.Key{Metric: run.PathTime, Part: run.PathCompute}
	if !p.NotCompared.Known() || !everywhere(p, compute) || !pathsAlike(p) {
		return out
	}
	c := p.Part(compute)
	if c == nil || math.IsNaN(c.Base) || math.IsNaN(c.Cand) {
		return out
	}
	out.Sources = c.Sources
	out.Parts = pathParts(p, run.PathTime, run.PathParts)
	for _, x := range out.Parts {
		out.Base, out.Cand = out.Base+x.Base, out.Cand+x.Cand
	}
	out.Families = pathParts(p, run.PathComputeTime, nil)
	sort.SliceStable(out.Families, func(i, j int) bool {
		a, b := &out.Families[i], &out.Families[j]
		return -compareFloats(math.Max(a.Base, a.Cand), math.Max(b.Base, b.Cand)) < 0
	})
	out.Dimensions = pathParts(p, run.PathCommTime, metric.DimensionParts())
	elsewhere := partOf(p, partMeasure{StepPart: StepPart{Key: run.Key{Metric: run.PathElsewhereTime}}})
	if out.Elsewhere = [2]float64{elsewhere.Base, elsewhere.Cand}; !has(p, run.PathElsewhereTime) {
		out.Elsewhere = [2]float64{math.NaN(), math.NaN()}
	}
	out.Steps = [2][]StepPath{stepPaths(p.Base, out.Parts), stepPaths(p.Cand, out.Parts)}
	return out
}

// mostUntold is the share of steps in which waiting for late ranks may not be told from transfer, for
// a path to be one of the job. Chosen, not measured: the parts are means over steps.
const mostUntold = 0.1

// pathsAlike reports whether both sides tell waiting for late ranks from transfer nearly everywhere, or neither does.
// Where a rank cannot tell (another rank was not captured, or messages do not name their peers) its path stays on it
// through a collective and all of that counts as communication: if only some ranks do that, the path means nothing.
func pathsAlike(p *Causes) bool {
	base, cand := untold(p.Base), untold(p.Cand)
	return base <= mostUntold && cand <= mostUntold || base == 1 && cand == 1
}

// untold returns the share of a side's steps with exposed communication in which waiting is not told from
// transfer.
func untold(s *sides.Side) float64 {
	all, missing := 0.0, 0.0
	s.EachRank(func(k *sides.Rank) {
		if k.OnOneSideOnly {
			return
		}
		values, exposed := k.ValuesOf(run.Key{Metric: run.ExposedWaitTime}), k.ValuesOf(run.Key{Metric: run.ExposedCommTime})
		for j := range k.UsedIndex {
			if k.ValueOf(exposed, j) > 0 {
				all++
				if math.IsNaN(k.ValueOf(values, j)) {
					missing++
				}
			}
		}
	})
	return missing / math.Max(1, all)
}

func compareFloats(a, b float64) int {
	switch {
	case a < b:
		return -1
	case a > b:
		return 1
	}
	return 0
}

// pathParts returns the parts of a metric of the path that occur on a side, with their intervals.
func pathParts(p *Causes, name string, order []string) (out []PathPart) {
	for _, part := range partsOf(p, name, order) {
		x := partOf(p, partMeasure{StepPart: StepPart{Key: run.Key{Metric: name, Part: part}}})
		if x.occurs() && !math.IsNaN(x.Delta) {
			partInterval(p, x, curveOf(x.Key))
			out = append(out, PathPart{x.Key, x.Base, x.Cand, x.Delta, x.Lo, x.Hi})
		}
	}
	return out
}

// stepPaths returns what bounds each used step of the first run of a side.
func stepPaths(s *sides.Side, parts []PathPart) (out []StepPath) {
	if len(s.Runs) == 0 || len(parts) == 0 {
		return nil
	}
	r := s.Runs[0]
	var curves [][]float64
	for _, x := range parts {
		curves = append(curves, partCurve(r, x.Key))
	}
	for j, number := range r.Used {
		x, most := StepPath{Number: number}, 0
		for k := range curves {
			x.Parts = append(x.Parts, curves[k][j])
			if x.Parts[k] > x.Parts[most] {
				most = k
			}
		}
		if x.Bound = parts[most].Part; slices.ContainsFunc(x.Parts, math.IsNaN) {
			x.Bound, x.Parts = "", nil
		}
		out = append(out, x)
	}
	return out
}
