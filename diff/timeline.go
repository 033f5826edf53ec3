package diff

import (
	"cmp"
	"math"
	"slices"

	"perfdiff/analyze/run"
	"perfdiff/diff/cause"
	"perfdiff/diff/sides"
	"perfdiff/diff/stat"
)

// Excerpt is a step of one side as a timeline.
type Excerpt struct {
	run.Excerpt `report:"."`
	Run         string      `report:"run"`
	Used        bool        `report:"used"`   // the step enters the comparison
	Places      []run.Place `report:"places"` // where the step is, of each rank that holds it
}

// length returns the median length of the step over the ranks that are shown, in ns.
func (e *Excerpt) length() float64 {
	var all []float64
	for i := range e.Ranks {
		all = append(all, float64(e.Ranks[i].Length))
	}
	return stat.Median(all)
}

// View is a choice of what the timeline shows: one step of each side.
type View struct {
	Kind   ViewKind `report:"kind"`
	Side   string   `report:"side"`      // "baseline", "candidate": whose the worst step, the spike or the culprit is; "" of both
	Step   [2]int   `report:"step,list"` // index into Report.Timeline of either side; -1: that side has none
	Rank   int      `report:"rank"`      // of a culprit; else -1
	Beside []int    `report:"beside"`    // ranks to draw below a culprit: one in the middle, and the one that waits longest; nil of other kinds
}

// ViewKind says why somebody wants to look at a view.
type ViewKind string

// The kinds of views.
const (
	ViewTypical ViewKind = "typical" // steps near the medians
	ViewWorst   ViewKind = "worst"   // the longest step but for the first
	ViewSpike   ViewKind = "spike"   // a step far above its neighbours
	ViewCulprit ViewKind = "culprit" // a rank that a finding names, in a step in which it shows
)

// maxSpikes is how many spikes of a side have views; in jobs with more than manyRanks ranks it is maxSpikesMany, since
// each of their steps has more bars. Chosen, not measured: what comes back more often looks as it did before.
const (
	maxSpikes     = 6
	maxSpikesMany = 3
	manyRanks     = 64
)

// farFromTypical is how far a step with the same number on both sides may be from the medians, as a share and summed
// over the sides, to be the typical one. Chosen, not measured: beyond, it is better to see two steps that are typical
// than two of one number.
const farFromTypical = 0.2

// timeline holds what views show: excerpts of both sides, and how many spikes of each have no view.
type timeline struct {
	steps         [2][]Excerpt
	views         []View
	spikesLeftOut [2]int
}

// timelineOf returns the views and the excerpts that they need.
func timelineOf(p *cause.Causes, ranks []RankRow, steps []cause.StepPoint) (out timeline) {
	all := [2][]Excerpt{excerpts(p.Base), excerpts(p.Cand)}
	if len(all[0])+len(all[1]) == 0 {
		return timeline{steps: all}
	}
	v := views{all: all, typical: typicalPair(all), ranks: ranks, waits: p.RankWaits}
	v.list = []View{{Kind: ViewTypical, Step: v.typical, Rank: -1}}
	for side, list := range all {
		for i := range list {
			if list[i].Worst {
				v.add(ViewWorst, side, i)
			}
		}
	}
	most := maxSpikes
	if len(ranks) > manyRanks {
		most = maxSpikesMany
	}
	for side := range all {
		out.spikesLeftOut[side] = v.addSpikes(side, spikesOf(side, all[side], p.Stability[side], steps), most)
	}
	v.addCulprits(p.Findings)
	out.steps, out.views = v.needed(), v.list
	return out
}

// excerpts returns the excerpts of the first run that has any.
func excerpts(s *sides.Side) []Excerpt {
	for _, r := range s.Runs {
		i := slices.IndexFunc(s.Set.Runs, func(x run.Run) bool { return x.Name == r.Name && len(x.Excerpts) > 0 })
		if i < 0 {
			continue
		}
		var out []Excerpt
		for _, e := range s.Set.Runs[i].Excerpts {
			x := Excerpt{Excerpt: e, Run: r.Name, Used: slices.Contains(r.Used, e.Step)}
			for _, k := range r.Ranks {
				if at, holds := k.StepIndex[e.Step]; holds {
					x.Places = append(x.Places, k.PlaceOf(at))
				}
			}
			out = append(out, x)
		}
		return out
	}
	return nil
}

// typicalPair returns the step with one number on both sides that is nearest to typical on both, or each side's own if
// there is none. The first excerpt of a side is its own typical step.
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

// spikesOf returns the numbers of the steps of a side that are far above their neighbours: the ones that findings
// mention, in the run that has timelines. If a run is too short for those, or has none, they are the spikes among the
// shown steps.
func spikesOf(side int, list []Excerpt, runs []cause.Stability, steps []cause.StepPoint) []int64 {
	for i := range runs {
		if len(list) > 0 && runs[i].Run == list[0].Run && len(runs[i].Spikes) > 0 {
			return runs[i].Spikes
		}
	}
	var curve []float64
	var numbers, out []int64
	for i := range steps {
		at := [2]*cause.StepSide{&steps[i].Base, &steps[i].Cand}[side]
		if !steps[i].Omission.Omitted() && !math.IsNaN(at.Median) {
			curve, numbers = append(curve, at.Median), append(numbers, steps[i].Number)
		}
	}
	for i, spike := range stat.Spikes(curve) {
		if spike {
			out = append(out, numbers[i])
		}
	}
	return out
}

// views are views in the making.
type views struct {
	all     [2][]Excerpt
	typical [2]int
	ranks   []RankRow
	waits   [2][]cause.RankWait
	list    []View
}

// add adds a view of a side's step, with the same step of the other side, or the typical one if that is not kept. A
// step that already has a view for the other side, or as the worst one, gets no second.
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

// addSpikes adds views of the longest spikes of a side, at most so many, and returns how many
// spikes have none.
func (v *views) addSpikes(side int, spikes []int64, most int) (leftOut int) {
	var drawn []int
	for i := range v.all[side] {
		if slices.Contains(spikes, v.all[side][i].Step) {
			drawn = append(drawn, i)
		}
	}
	slices.SortStableFunc(drawn, func(a, b int) int { return cmp.Compare(v.all[side][b].length(), v.all[side][a].length()) })
	drawn = drawn[:min(most, len(drawn))]
	for _, i := range drawn {
		v.add(ViewSpike, side, i)
	}
	return len(spikes) - len(drawn)
}

// needed returns the excerpts that views show, and makes the views point into those.
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
