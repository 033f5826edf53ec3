package sides

import (
	"cmp"
	"math"
	"slices"
)

// A rank that waits for another in every step ends each at most a step before or after it. So over
// a stretch of steps the two take the same time to within a step at either end, however uneven
// single steps are. What differs by more is a rank of another job, a clock that runs at another
// rate, or steps that are other ones. Where steps have ends of their own one rank may do in between
// what the others wait for in theirs. Means over few steps say little: there joinedFactor alone
// holds. leastPace is chosen, not measured: it leaves out what rounding and one late marker make.
const (
	leastPace   = 0.05 // of the time of the steps
	stretchEnds = 2    // steps, the longest of the ranks with short ones, by which a stretch may differ
)

// outOfStep are the ranks of a run that communicate and yet take another time for the same steps
// than the others that do, apart at the widest gap, each with the mean of these steps; none where
// all keep step, or fewer than MinSteps steps are known of all.
func (r *Run) outOfStep(joined []rankPace) (short, long []rankPace) {
	values := make([][]float64, len(joined))
	paces := slices.Clone(joined)
	longest := make(map[*Rank]float64, len(joined))
	for i := range paces {
		values[i], paces[i].step = paces[i].of.ValuesOf(StepTime), 0
	}
	steps, stretches, before := 0, 0, int64(math.MinInt64)
	for j, number := range r.Used {
		if !knownOfAll(joined, values, j) {
			continue
		}
		for i := range paces {
			v := paces[i].of.ValueOf(values[i], j)
			paces[i].step += v
			longest[paces[i].of] = max(longest[paces[i].of], v)
		}
		if steps++; number != before+1 {
			stretches++
		}
		before = number
	}
	slices.SortStableFunc(paces, func(a, b rankPace) int { return cmp.Compare(a.step, b.step) })
	at := widestGap(paces)
	if at == 0 || steps < MinSteps {
		return nil, nil
	}
	end := 0.0
	for _, k := range paces[:at] {
		end = max(end, longest[k.of])
	}
	if paces[at].step-paces[at-1].step <= float64(float64(stretchEnds*stretches)*end)+float64(leastPace*paces[at-1].step) {
		return nil, nil
	}
	for i := range paces {
		paces[i].step /= float64(steps)
	}
	return paces[:at], paces[at:]
}

// knownOfAll reports whether all ranks have a time of a used step.
func knownOfAll(ranks []rankPace, values [][]float64, j int) bool {
	for i := range ranks {
		if math.IsNaN(ranks[i].of.ValueOf(values[i], j)) {
			return false
		}
	}
	return true
}

// paceDoubt is the doubt that ranks with short steps and ranks with long ones belong together.
func (s *Side) paceDoubt(r *Run, short, long []rankPace) Doubt {
	d := Doubt{Kind: DoubtRankTimes, Side: s.Name, Ranks: [2][]int{numbersOf(short), numbersOf(long)},
		Each: [2]float64{short[len(short)-1].step, long[0].step}}
	d.InUnit = d.Each[1] >= unitFactor*d.Each[0]
	if len(s.Runs) > 1 {
		d.Runs[0] = r.Name
	}
	return d
}

// joinedOf are the ranks that communicate in their steps.
func joinedOf(all []rankPace) (out []rankPace) {
	for _, k := range all {
		if k.joins {
			out = append(out, k)
		}
	}
	return out
}

// together splits ranks that communicate by whom they wait for, directly or through others: replicas
// of a model that serves requests have groups of their own, and each its own pace. Ranks are apart
// only where all members of their groups are known: of any other group one may be a link.
func (r *Run) together(joined []rankPace) (out [][]rankPace) {
	const link, none = 0, -1
	partOf := make(map[int]int, len(joined)) // by rank
	for _, k := range joined {
		partOf[k.of.Rank.Rank] = none
	}
	for i := range r.Source.Groups {
		g, part := &r.Source.Groups[i], i+1
		if !g.Whole() {
			part = link
		}
		same := map[int]bool{}
		for _, rank := range g.Ranks {
			if was, joins := partOf[rank]; !joins {
				continue
			} else if was != none {
				same[was] = true
			}
			partOf[rank] = part
		}
		if same[link] {
			part, same[i+1] = link, true
		}
		for rank, was := range partOf {
			if same[was] {
				partOf[rank] = part
			}
		}
	}
	at := map[int]int{} // by part, in out
	for _, k := range joined {
		part := max(link, partOf[k.of.Rank.Rank])
		if _, known := at[part]; !known {
			at[part] = len(out)
			out = append(out, nil)
		}
		out[at[part]] = append(out[at[part]], k)
	}
	return out
}
