package diff

import (
	"math"
	"slices"

	"perfdiff/analyze/run"
	"perfdiff/diff/cause"
	"perfdiff/diff/sides"
	"perfdiff/diff/stat"
)

// Excerpt is a step of one side as a timeline.
type Excerpt struct {
	run.Excerpt
	Run  string
	Used bool // the step enters the comparison
}

// length is the median length of the step over the ranks that are shown, in ns.
func (e *Excerpt) length() float64 {
	var all []float64
	for i := range e.Ranks {
		all = append(all, float64(e.Ranks[i].Length))
	}
	return stat.Median(all)
}

// View is a choice of what the timeline shows: one step of each side.
type View struct {
	Kind ViewKind
	Side string // "baseline", "candidate": of which the step is the worst or a spike; "" of both
	Step [2]int // index into Report.Timeline of either side; -1: that side has none
	Rank int    // of a culprit; else -1
}

// ViewKind says why somebody wants to look at a view.
type ViewKind string

// The kinds of views.
const (
	ViewTypical ViewKind = "typical" // steps near the medians
	ViewWorst   ViewKind = "worst"   // the longest step but for the first
	ViewSpike   ViewKind = "spike"   // a step far above its neighbours
	ViewCulprit ViewKind = "culprit" // a rank that a finding names, in the typical step
)

// maxCulprits bounds the ranks that have views of their own. Chosen, not measured: where more
// ranks are at fault, one of them shows what they have in common.
const maxCulprits = 4

// farFromTypical is how far a step of the same number on both sides may be from the medians, as
// a share and summed over the sides, to be the typical one. Chosen, not measured: beyond, it is
// better to see two steps that are typical than two of one number.
const farFromTypical = 0.2

// timeline is the excerpts that views need, and the views.
func timeline(p *cause.Causes, r *Report) ([2][]Excerpt, []View) {
	all := [2][]Excerpt{excerpts(p.Base), excerpts(p.Cand)}
	if len(all[0])+len(all[1]) == 0 {
		return all, nil
	}
	v := views{all: all, typical: typicalPair(all)}
	v.list = []View{{Kind: ViewTypical, Step: v.typical, Rank: -1}}
	spikes := spikesOf(r.Steps)
	for side, list := range all {
		for i := range list {
			if list[i].Worst {
				v.add(ViewWorst, side, i)
			}
		}
	}
	for side, list := range all {
		for i := range list {
			if list[i].Long && spikes[side][list[i].Step] {
				v.add(ViewSpike, side, i)
			}
		}
	}
	v.addCulprits(r.Findings)
	return v.needed(), v.list
}

// excerpts are those of the first run that has any.
func excerpts(s *sides.Side) []Excerpt {
	for _, r := range s.Runs {
		i := slices.IndexFunc(s.Set.Runs, func(x run.Run) bool { return x.Name == r.Name && len(x.Excerpts) > 0 })
		if i < 0 {
			continue
		}
		var out []Excerpt
		for _, e := range s.Set.Runs[i].Excerpts {
			out = append(out, Excerpt{e, r.Name, slices.Contains(r.Used, e.Step)})
		}
		return out
	}
	return nil
}

// typicalPair is the step of one number that is nearest to what is typical on both sides, or
// each side's own where there is none. The first excerpt of a side is its own typical step.
func typicalPair(all [2][]Excerpt) [2]int {
	out := [2]int{-1, -1}
	for side := range all {
		if len(all[side]) > 0 {
			out[side] = 0
		}
	}
	if out[0] < 0 || out[1] < 0 {
		return out
	}
	away := func(side, i int) float64 {
		return math.Abs(all[side][i].length()/all[side][0].length() - 1)
	}
	best := farFromTypical
	for i := range all[0] {
		k := slices.IndexFunc(all[1], func(e Excerpt) bool { return e.Step == all[0][i].Step })
		if k < 0 || !all[0][i].Used || !all[1][k].Used {
			continue
		}
		if far := away(0, i) + away(1, k); far < best {
			out, best = [2]int{i, k}, far
		}
	}
	return out
}

// spikesOf are the numbers of the steps of each side that are far above their neighbours.
func spikesOf(steps []cause.StepPoint) (out [2]map[int64]bool) {
	for side := range out {
		var curve []float64
		var numbers []int64
		for i := range steps {
			at := [2]*cause.StepSide{&steps[i].Base, &steps[i].Cand}[side]
			if !steps[i].Omission.Omitted() && !math.IsNaN(at.Median) {
				curve, numbers = append(curve, at.Median), append(numbers, steps[i].Number)
			}
		}
		out[side] = map[int64]bool{}
		for i, spike := range stat.Spikes(curve) {
			if spike {
				out[side][numbers[i]] = true
			}
		}
	}
	return out
}

// views are views in the making.
type views struct {
	all     [2][]Excerpt
	typical [2]int
	list    []View
}

// add adds a view of a side's step, with the same step of the other side, or the typical one
// where that is not kept. A step that has a view on account of the other side, or as the worst
// one, gets no second.
func (v *views) add(kind ViewKind, side, at int) {
	step, other, name := [2]int{}, 1-side, [2]string{"baseline", "candidate"}[side]
	step[side], step[other] = at, v.typical[other]
	if k := slices.IndexFunc(v.all[other], func(e Excerpt) bool { return e.Step == v.all[side][at].Step }); k >= 0 {
		step[other] = k
	}
	if i := slices.IndexFunc(v.list, func(x View) bool { return x.Step == step }); i >= 0 {
		switch x := &v.list[i]; {
		case kind == ViewSpike && x.Kind == ViewWorst:
			x.Kind, x.Side = kind, name
		case x.Kind == kind && x.Side != name:
			x.Side = ""
		}
		return
	}
	v.list = append(v.list, View{Kind: kind, Side: name, Step: step, Rank: -1})
}

// addCulprits adds a view for each rank that findings name, if its strip is there.
func (v *views) addCulprits(findings []cause.Finding) {
	var seen []int
	for i := range findings {
		for _, rank := range findings[i].Ranks {
			if len(seen) == maxCulprits || slices.Contains(seen, rank) || !v.shows(rank) {
				continue
			}
			seen = append(seen, rank)
			v.list = append(v.list, View{Kind: ViewCulprit, Step: v.typical, Rank: rank})
		}
	}
}

// shows reports whether the typical step of either side has a rank.
func (v *views) shows(rank int) bool {
	for side, at := range v.typical {
		if at >= 0 && slices.ContainsFunc(v.all[side][at].Ranks, func(s run.Strip) bool { return s.Rank == rank }) {
			return true
		}
	}
	return false
}

// needed are the excerpts that views show, and makes the views point into those.
func (v *views) needed() (out [2][]Excerpt) {
	for side := range v.all {
		place := map[int]int{}
		for i := range v.list {
			at := &v.list[i].Step[side]
			if *at < 0 {
				continue
			}
			if _, there := place[*at]; !there {
				place[*at] = len(out[side])
				out[side] = append(out[side], v.all[side][*at])
			}
			*at = place[*at]
		}
	}
	return out
}
