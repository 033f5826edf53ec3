package diff

import (
	"maps"
	"math"
	"slices"

	"perfdiff/analyze/run"
	"perfdiff/analyze/trace"
	"perfdiff/diff/cause"
	"perfdiff/diff/sides"
	"perfdiff/diff/stat"
	"perfdiff/diff/verdict"
)

// rankRow identifies a row of ranks: the rank number and, if the number is not known, which of those ranks.
type rankRow struct{ rank, nth int }

// slots finds the first run's rank for each slot of a side.
func slots(s *sides.Side) map[rankRow]*sides.Rank {
	out := map[rankRow]*sides.Rank{}
	for _, r := range s.Runs {
		nth := map[int]int{}
		for _, k := range r.Ranks {
			at := rankRow{k.Rank.Rank, 0}
			if at.rank < 0 {
				at.nth = nth[at.rank]
				nth[at.rank]++
			}
			if out[at] == nil {
				out[at] = k
			}
		}
	}
	return out
}

// rankOrder returns the ranks of both sides in order.
func rankOrder(p *cause.Causes) []rankRow {
	all := slots(p.Base)
	maps.Copy(all, slots(p.Cand))
	return slices.SortedFunc(maps.Keys(all), func(a, b rankRow) int {
		if a.rank != b.rank {
			return a.rank - b.rank
		}
		return a.nth - b.nth
	})
}

// rankRows returns the ranks of both sides with their values of the keys in the
// comparisons and of the parts of the waterfall.
func rankRows(p *cause.Causes, parts []cause.Part, lists ...[]verdict.Comparison) []RankRow {
	keys, order := keysOf(lists...), rankOrder(p)
	ranks := [2]map[rankRow]*sides.Rank{slots(p.Base), slots(p.Cand)}
	var of [2][]RankSide
	p.BothAtOnce(func(i int, _ *sides.Side) {
		var before lastRank
		for _, at := range order {
			of[i] = append(of[i], rankSide(p, i, ranks[i][at], &before, keys, parts))
		}
	})
	rows := make([]RankRow, len(order))
	for i, at := range order {
		rows[i] = RankRow{Rank: at.rank, Base: of[0][i], Cand: of[1][i]}
	}
	return rows
}

// lastRank is a rank and why its steps are used or not: in most jobs it is the same for all ranks.
type lastRank struct {
	of    *sides.Rank
	steps []int64
	left  []cause.Omission
}

// stepsOf returns the numbers of the steps of a rank of a side and why each is left out: where steps are
// not compared by number, never for what the other side does.
func stepsOf(p *cause.Causes, side int, k *sides.Rank, before *lastRank) (numbers []int64, left []cause.Omission) {
	if before.of != nil && sides.SameSteps(before.of.Steps, k.Steps) && slices.Equal(before.of.UsedIndex, k.UsedIndex) {
		return before.steps, before.left
	}
	used := make([]bool, len(k.Steps))
	for _, i := range k.UsedIndex {
		if i >= 0 {
			used[i] = true
		}
	}
	for i, st := range k.Steps {
		why := cause.Omission{Base: st.Dropped, Cand: st.Dropped} // the rank's own
		switch {
		case st.Dropped != "" || used[i]:
		case p.Plan.Paired:
			why = whyStepLeftOut(p, st.Number)
		default:
			own, _ := whyLeftOut([2]*sides.Side{p.Base, p.Cand}[side], st.Number)
			why = cause.Omission{Base: own, Cand: own}
		}
		numbers, left = append(numbers, st.Number), append(left, why)
	}
	*before = lastRank{k, numbers, left}
	return numbers, left
}

// rankSide returns a rank of a side. It shares its values with the run set, which is not
// changed.
func rankSide(p *cause.Causes, side int, k *sides.Rank, before *lastRank, keys []run.Key, parts []cause.Part) RankSide {
	if k == nil {
		return RankSide{Device: -1, Box: stat.Box(nil)}
	}
	out := RankSide{
		Present: true, Enters: !k.OnOneSideOnly, From: k.RankFrom, Host: k.Host, GPU: k.Fact(trace.FactGPU), Device: k.Device,
		Values: map[string][]float64{}, Calls: k.Calls, Box: stat.Box(k.UsedValues(sides.StepTime)), Breakdown: breakdown(k),
	}
	for i := range parts {
		out.Parts = append(out.Parts, partMean(k, parts[i].Key))
	}
	out.Steps, out.Omissions = stepsOf(p, side, k, before)
	for _, key := range keys {
		if v := k.ValuesOf(key); v != nil {
			out.Values[name(key)] = slices.Clip(v)
		}
	}
	out.Phases, out.BoundSteps = phases(k), cause.BoundSteps(k)
	out.OwnTime = ownTime(out.Values[run.StepTime], out.Values[run.ExposedWaitTime])
	return out
}

// phases returns the device time of each phase that the capture names, s a step; nil where it names none.
func phases(k *sides.Rank) map[run.Phase]float64 {
	out := map[run.Phase]float64{}
	if k.Launched != nil {
		for _, row := range k.Launched.Rows {
			out[row.Phase] += float64(row.Time) * 1e-9 / float64(k.Launched.Steps)
		}
	}
	if delete(out, ""); len(out) == 0 {
		return nil
	}
	return out
}

// ownTime returns how long each step of a rank takes without waiting for other ranks. Where all ranks take equally
// long, as in a synchronous job, it tells the late one from those that wait for it.
func ownTime(step, wait []float64) []float64 {
	if len(wait) == 0 || len(wait) != len(step) {
		return nil
	}
	out := make([]float64, len(step))
	for i := range out {
		out[i] = step[i] - wait[i]
	}
	return out
}

// name returns how a key is written: "metric" or "metric/part".
func name(k run.Key) string {
	if k.Part == "" {
		return k.Metric
	}
	return k.Metric + "/" + k.Part
}

// partMean returns the mean of a part over the used steps that have a breakdown; what did not occur is zero.
func partMean(k *sides.Rank, key run.Key) float64 {
	idle := k.ValuesOf(run.Key{Metric: run.IdleTime})
	part := verdict.PartValues(k, key)
	sum, n := 0.0, 0
	for j := range k.UsedIndex {
		if math.IsNaN(k.ValueOf(idle, j)) {
			continue
		}
		n++
		if v := part(j); !math.IsNaN(v) {
			sum += v
		}
	}
	return sum / float64(n)
}

// breakdown returns the mean of each part of the step over used steps. The step is
// the sum of its parts, so that they add up exactly also after rounding.
func breakdown(k *sides.Rank) Breakdown {
	mean := func(metric string) float64 { return stat.Mean(k.UsedValues(run.Key{Metric: metric})) }
	b := Breakdown{
		Compute: mean(run.ComputeTime), ExposedComm: partMean(k, verdict.ExposedComm),
		ExposedMemory: mean(run.ExposedMemoryTime), Idle: mean(run.IdleTime),
	}
	outside := len(k.UsedValues(verdict.ExposedOutside)) > 0
	if len(k.UsedValues(verdict.ExposedComm)) == 0 && !outside { // a job on one device has none
		b.ExposedComm = math.NaN()
		b.Step = b.Compute + b.ExposedMemory + b.Idle
		return b
	}
	b.Step = b.Compute + b.ExposedComm + b.ExposedMemory + b.Idle
	if b.ExposedComm == 0 && outside { // what replays hide is not known to be none
		b.ExposedComm = math.NaN()
	}
	return b
}
