package cause

import (
	"cmp"
	"math"
	"slices"

	"perfdiff/analyze/run"
	"perfdiff/diff/policy"
	"perfdiff/diff/sides"
	"perfdiff/diff/verdict"
)

// pathNames are parts of a path under one name.
type pathNames struct {
	name  string
	parts []string
}

// pathGroups joins the parts of a path that findings tell as one.
var pathGroups = []pathNames{
	{run.PathCompute, []string{run.PathCompute}},
	{run.PathComm, []string{run.PathComm, run.PathLate}},
	{run.PathInput, []string{run.PathInput, run.PathStorage}},
	{run.PathHost, []string{run.PathHost, run.PathLaunching, run.PathLatency}},
	{run.PathCopies, []string{run.PathCopies}},
	{run.PathAllocator, []string{run.PathAllocator}},
}

// boundGroups are these, and what nothing explains.
var boundGroups = append(slices.Clip(pathGroups), pathNames{run.PathUnknown, []string{run.PathUnknown, run.PathReturn}})

// When the critical path has another composition. Chosen, not measured: a part below a tenth of the step is no reason
// to look at it first, and a part with only a third left has left the path.
const (
	leastOfPath = 0.1
	leftOfPath  = 1.0 / 3
)

// pathGroup is a group of parts on both sides, s a step.
type pathGroup struct {
	name   string
	change PathPart
}

// pathFinding says what left the critical path or came onto it, and what bounds the step now. If another finding
// already tells that, it gets only a clause on what bounds the step, so that no quantity has two numbers.
func pathFinding(p *Causes, others ...[]Finding) []Finding {
	groups := groupsOfPath(p)
	if len(groups) == 0 {
		return nil
	}
	told := func(g *pathGroup) *Finding {
		if !sureOnPath(p, g) {
			return nil
		}
		return tellerOf(g, others)
	}
	before, now, bound := boundOfPath(p, groups)
	if bound {
		if f := cmp.Or(told(now), told(before)); f != nil { // which says of all else that it made room, or got it
			f.add(boundNow(p, now, before))
			return nil
		}
	}
	about := mostOnPath(groups, func(g *pathGroup) bool { return movedOnPath(p, g) && told(g) == nil })
	if about == nil && bound {
		about = mostOnPath([]pathGroup{*now, *before}, func(g *pathGroup) bool { return sureOnPath(p, g) })
	}
	if about == nil {
		return nil
	}
	f := about.finding()
	if bound {
		f.add(boundNow(p, now, before))
	}
	return []Finding{f}
}

// mostOnPath returns the group with the largest change for which a condition holds; nil: none.
func mostOnPath(groups []pathGroup, is func(*pathGroup) bool) (most *pathGroup) {
	for i := range groups {
		g := &groups[i]
		if is(g) && (most == nil || math.Abs(g.change.Delta) > math.Abs(most.change.Delta)) {
			most = g
		}
	}
	return most
}

// boundOfPath returns the largest group of either side's path, and whether it surely is another one: both must matter
// on both sides, and one of them must surely have changed.
func boundOfPath(p *Causes, groups []pathGroup) (before, now *pathGroup, changed bool) {
	before, now = &groups[0], &groups[0]
	for i := range groups {
		g := &groups[i]
		if g.change.Base > before.change.Base {
			before = g
		}
		if g.change.Cand > now.change.Cand {
			now = g
		}
	}
	b, n := &before.change, &now.change
	lead := math.Min(b.Base-n.Base, n.Cand-b.Cand)
	return before, now, before != now && lead >= p.Least() && (sureOnPath(p, before) || sureOnPath(p, now))
}

// finding returns the one about the group.
func (g *pathGroup) finding() Finding {
	f, c := NewFinding(policy.KindCriticalPath), &g.change
	f.Metric, f.Part, f.Class, f.Section, f.Unit, f.OfMeans = run.PathTime, g.name, verdict.ClassLook, run.SectionPath, "s", true
	f.Base, f.Cand, f.Delta, f.Lo, f.Hi = c.Base, c.Cand, c.Delta, c.Lo, c.Hi
	f.Evidence = Evidence{Kind: EvidencePath}
	return f
}

// boundNow says what bounds the step now, and what did before.
func boundNow(p *Causes, now, before *pathGroup) Clause {
	c := ClauseBoundNow.clause(now.name, before.name)
	c.Cand = now.change.Cand
	c.Bound = [2]float64{boundShare(p.Base, before.name), boundShare(p.Cand, now.name)}
	return c
}

// boundShare returns the share of the steps of all ranks that one thing bounds.
func boundShare(s *sides.Side, name string) float64 {
	n, all := 0, 0
	s.EachRank(func(k *sides.Rank) {
		for what, steps := range BoundSteps(k) {
			if all += steps; what == name {
				n += steps
			}
		}
	})
	return float64(n) / float64(all)
}

// BoundSteps returns in how many of its used steps each group of parts is the largest of the critical path to a rank,
// by the name of the group; what is in none is PathUnknown. Empty: no path is known.
func BoundSteps(k *sides.Rank) map[string]int {
	most, largest, out := make([]float64, len(k.UsedIndex)), make([]string, len(k.UsedIndex)), map[string]int{}
	for _, g := range boundGroups {
		sums := make([]float64, len(most))
		for _, part := range g.parts {
			values := k.ValuesOf(run.Key{Metric: run.PathTime, Part: part})
			for j := range sums {
				if v := k.ValueOf(values, j); !math.IsNaN(v) {
					sums[j] += v
				}
			}
		}
		for j, sum := range sums {
			if sum > most[j] {
				most[j], largest[j] = sum, g.name
			}
		}
	}
	for _, name := range largest {
		if name != "" {
			out[name]++
		}
	}
	return out
}

// groupsOfPath returns the groups that occur on a side.
func groupsOfPath(p *Causes) (out []pathGroup) {
	for _, g := range pathGroups {
		var sum PathPart
		var keys []run.Key
		for _, x := range p.Path.Parts {
			if slices.Contains(g.parts, x.Part) {
				sum.Base, sum.Cand = sum.Base+x.Base, sum.Cand+x.Cand
				keys = append(keys, x.Key)
			}
		}
		if len(keys) == 0 {
			continue
		}
		sum.Delta = sum.Cand - sum.Base
		half := halfWidth(p, func(r *sides.Run) []float64 { return sumOfCurves(r, keys) }, func(step float64) float64 {
			return p.PartNoise(p.NoiseKindOf(run.PathTime), sum.Base, sum.Cand, step, p.Plan.Steps) / step
		})
		sum.Lo, sum.Hi = verdict.Settled(math.Max(sum.Delta-half, -sum.Base)), verdict.Settled(math.Max(sum.Delta+half, -sum.Base))
		out = append(out, pathGroup{g.name, sum})
	}
	return out
}

// sumOfCurves adds up the means over ranks of several parts in each step.
func sumOfCurves(r *sides.Run, keys []run.Key) []float64 {
	sums := make([]float64, len(r.Used))
	for _, key := range keys {
		for j, v := range partCurve(r, key) {
			sums[j] += v
		}
	}
	return sums
}

// sureOnPath reports whether a group surely changed by what matters.
func sureOnPath(p *Causes, g *pathGroup) bool {
	c := &g.change
	return math.Abs(c.Delta) >= p.Least() && (c.Lo > 0 || c.Hi < 0)
}

// movedOnPath reports whether a group surely left the path, or came onto it.
func movedOnPath(p *Causes, g *pathGroup) bool {
	c := &g.change
	if c.Base < leastOfPath*p.Path.Base && c.Cand < leastOfPath*p.Path.Cand || !sureOnPath(p, g) {
		return false
	}
	return c.Cand <= leftOfPath*c.Base || c.Base <= leftOfPath*c.Cand
}
