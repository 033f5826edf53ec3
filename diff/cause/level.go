package cause

import (
	"math"
	"slices"
	"strings"

	"perfdiff/analyze/run"
	"perfdiff/diff/sides"
	"perfdiff/diff/stat"
	"perfdiff/diff/verdict"
)

// LevelChange is a change of level inside a run: from one step on its steps take longer,
// or less, for good.
type LevelChange struct {
	Step   int64   `report:"step"`   // number of the first step on the new level
	Steps  int     `report:"steps"`  // used steps from it on
	Before float64 `report:"before"` // s, median step on either level
	After  float64 `report:"after"`
	Change float64 `report:"change"` // of the step time, a fraction, with its interval
	Lo     float64 `report:"low"`
	Hi     float64 `report:"high"`
	Cost   float64 `report:"cost"` // s, what it adds to the run's mean step
	// Part is that of the step which changed there by at least half as much; zero: nothing
	// that is recorded did. Ranks are those on which it did, in order, where it is their own
	// work; nil: it is what ranks share.
	Part       StepPart `report:"part,said"`
	Ranks      []int    `report:"ranks"`
	All        bool     `report:"all_ranks"`   // Ranks are all ranks
	PartBefore float64  `report:"part_before"` // s, on these ranks
	PartAfter  float64  `report:"part_after"`
	// Of compute: AllKernels take longer, or less, by about the same share, MoreCalls says
	// that it is their number that changed, and Kernel is the one that made most of it.
	AllKernels bool       `report:"all_kernels"`
	MoreCalls  bool       `report:"more_calls"`
	Kernel     string     `report:"kernel"`
	Clock      [2]float64 `report:"clock,list"` // Hz, sampled on these ranks before and from the step on; 0: it was not
}

// levelChange returns the change of level of a run, with what changed there; nil for a run on one level.
func levelChange(p *Causes, r *sides.Run) *LevelChange {
	l, place, ok := verdict.Level(r)
	if !ok {
		return nil
	}
	half := l.HalfWidth(p.Policy.Alpha)
	out := &LevelChange{
		Step: r.Used[place], Steps: len(r.Used) - place,
		Before: verdict.Settled(math.Exp(l.Before)), After: verdict.Settled(math.Exp(l.After)),
		Change: verdict.Settled(math.Expm1(l.Size)), Lo: verdict.Settled(math.Expm1(l.Size - half)), Hi: verdict.Settled(math.Expm1(l.Size + half)),
	}
	out.Cost = verdict.Settled((out.After - out.Before) * float64(out.Steps) / float64(len(r.Used)))
	levelCause(p, r, place, out)
	out.PartBefore, out.PartAfter = verdict.Settled(out.PartBefore), verdict.Settled(out.PartAfter)
	return out
}

// onPart is the part of a change that something must make up to count as its cause. Chosen, not measured: half of it
// is most of it.
const onPart = 0.5

// levelCause finds what changed there: what ranks do themselves, if it makes half of the change on the rank where it
// moved most (the others wait for it then), else what all of them share.
func levelCause(p *Causes, r *sides.Run, place int, c *LevelChange) {
	size := c.After - c.Before
	best := 0.0
	for i := range lateWork {
		moves := moves(r, lateWork[i], place)
		top := 0.0
		for _, m := range moves {
			top = math.Max(top, m.by()*math.Copysign(1, size))
		}
		if top <= best {
			continue
		}
		best, c.Part, c.Ranks, c.PartBefore, c.PartAfter = top, StepPart{Key: lateWork[i]}, nil, 0, 0
		for _, m := range moves {
			if m.by()*math.Copysign(1, size) >= likeMost*top {
				c.Ranks = append(c.Ranks, m.rank)
				c.PartBefore, c.PartAfter = c.PartBefore+m.before, c.PartAfter+m.after
			}
		}
		n := float64(len(c.Ranks))
		c.All, c.PartBefore, c.PartAfter = len(c.Ranks) == len(capturingRanks(r)), c.PartBefore/n, c.PartAfter/n
	}
	if best >= onPart*math.Abs(size) {
		if c.Part.Key == computing {
			levelKernels(r, place, c)
			levelClock(r, place, c)
		}
		return
	}
	best, c.Part, c.Ranks, c.All, c.PartBefore, c.PartAfter = onPart*math.Abs(size), StepPart{}, nil, false, 0, 0
	for _, x := range p.stepParts {
		m := aroundPlace(partCurve(r, x.Key), place)
		if by := m.by() * math.Copysign(1, size); by >= best {
			best, c.Part, c.PartBefore, c.PartAfter = by, x.StepPart, m.before, m.after
		}
	}
}

// levelClock sets the clock of the devices of the ranks on which compute changed.
func levelClock(r *sides.Run, place int, c *LevelChange) {
	n := 0.0
	var sum [2]float64
	for _, m := range moves(r, run.Key{Metric: run.GPUClock}, place) {
		if slices.Contains(c.Ranks, m.rank) {
			n, sum = n+1, [2]float64{sum[0] + m.before, sum[1] + m.after}
		}
	}
	if n > 0 {
		c.Clock = [2]float64{verdict.Settled(sum[0] / n), verdict.Settled(sum[1] / n)}
	}
}

// levelMove is how long something takes before a place and from it on, in s a step.
type levelMove struct {
	rank          int
	before, after float64
}

func (m levelMove) by() float64 { return m.after - m.before }

// aroundPlace returns the medians of a curve on both sides of a place.
func aroundPlace(curve []float64, place int) levelMove {
	return levelMove{before: stat.Median(curve[:place]), after: stat.Median(curve[place:])}
}

// capturingRanks returns the ranks that are compared.
func capturingRanks(r *sides.Run) []*sides.Rank {
	return slices.DeleteFunc(slices.Clone(r.Ranks), func(k *sides.Rank) bool { return k.OnOneSideOnly })
}

// moves returns how a series moved on each rank that has it, leaving out ranks for which that is NaN.
func moves(r *sides.Run, key run.Key, place int) (out []levelMove) {
	for _, h := range r.RanksWith(key) {
		curve := make([]float64, len(r.Used))
		for j := range curve {
			curve[j] = h.Rank.ValueOf(h.Values, j)
		}
		m := aroundPlace(curve, place)
		if m.rank = h.Rank.Rank.Rank; !math.IsNaN(m.by()) {
			out = append(out, m)
		}
	}
	return out
}

// smallKernel is the share of kernel time below which a kernel says nothing about all kernels. Chosen, not measured: a
// shift of all kernels is that of many that matter.
const smallKernel = 0.02

// levelKernels says what changed within compute, on the ranks on which it did.
func levelKernels(r *sides.Run, place int, c *LevelChange) {
	times, calls := kernelMoves(r, sides.KernelTime, place, c.Ranks), kernelMoves(r, sides.KernelLaunches, place, c.Ranks)
	var all, launched levelMove
	for _, name := range sides.SortedKeys(times) {
		all.before, all.after = all.before+times[name].before, all.after+times[name].after
		launched.before, launched.after = launched.before+calls[name].before, launched.after+calls[name].after
	}
	if !(all.before > 0) || all.by() == 0 {
		return
	}
	share := all.by() / all.before
	alike, counted, top := true, 0, ""
	for _, name := range sides.SortedKeys(times) {
		m := times[name]
		if top == "" || m.by()/all.by() > times[top].by()/all.by() {
			top = name
		}
		if m.before < smallKernel*all.before && m.after < smallKernel*all.after {
			continue
		}
		counted++
		own := m.by() / m.before / share
		alike = alike && own >= 1-onPart && own <= 1+onPart
	}
	switch {
	case alike && counted > 1:
		c.AllKernels = true
		c.MoreCalls = launched.before > 0 && launched.by()/launched.before/share >= onPart
	case times[top].by()/all.by() >= mostOf:
		c.Kernel = top
	}
}

// kernelMoves returns the moves of all compute kernels, by name, as means over ranks. A kernel that a step does not
// run counts as zero there.
func kernelMoves(r *sides.Run, metric string, place int, ranks []int) map[string]levelMove {
	out := map[string]levelMove{}
	for _, k := range capturingRanks(r) {
		if !slices.Contains(ranks, k.Rank.Rank) {
			continue
		}
		for i := range k.Series {
			key := k.Series[i].Key
			if key.Metric != metric || IsComm(key.Part) || strings.HasPrefix(key.Part, sides.GraphKernel) {
				continue
			}
			curve := make([]float64, len(r.Used))
			for j := range curve {
				if v := k.ValueOf(k.Series[i].Values, j); !math.IsNaN(v) {
					curve[j] = v
				}
			}
			m, have := aroundPlace(curve, place), out[key.Part]
			n := float64(len(ranks))
			out[key.Part] = levelMove{before: have.before + m.before/n, after: have.after + m.after/n}
		}
	}
	return out
}
