package sides

import (
	"cmp"
	"math"
	"slices"
)

// A rank that waits for another in every step ends each at most a step before or after it. So over a stretch of steps
// both take the same time to within a step at either end, however uneven single steps are. If they differ by more,
// they are of different jobs, a clock runs at another rate, or the steps are other ones. Where steps have ends of
// their own, one rank may do between steps what the others wait for in theirs. Means over few steps say little: there
// only joinedFactor holds. leastPace is chosen, not measured: it leaves out what rounding and one late marker make.
const (
	leastPace   = 0.05 // of the time of the steps
	stretchEnds = 2    // steps, the longest of the ranks with short ones, by which a stretch may differ
)

// stretches counts steps, and how many stretches of consecutive ones they make.
type stretches struct {
	steps, count int
	last         int64 // the number of the step before
}

// add takes the number of a step; they come in order.
func (x *stretches) add(number int64) {
	if x.steps == 0 || number != x.last+1 {
		x.count++
	}
	x.steps, x.last = x.steps+1, number
}

// mayDiffer returns by how much, in s, the times of these steps may differ between ranks that belong together: some of
// the longest step, in s, for the ends of stretches, and some of time for all the rest.
func (x *stretches) mayDiffer(longest, time float64) float64 {
	return float64(float64(stretchEnds*x.count)*longest) + float64(leastPace*time)
}

// outOfStep finds ranks of a run that communicate and yet take another time than each other for the same steps. It
// splits them at the widest gap and sets the mean of these steps for each; none where all keep step, or fewer than
// MinSteps steps are known for all.
func (r *Run) outOfStep(joined []rankPace) (short, long []rankPace) {
	values := make([][]float64, len(joined))
	paces := slices.Clone(joined)
	longest := make(map[*Rank]float64, len(joined))
	for i := range paces {
		values[i], paces[i].step = paces[i].of.ValuesOf(StepTime), 0
	}
	var seen stretches
	for j, number := range r.Used {
		if !knownOfAll(joined, values, j) {
			continue
		}
		for i := range paces {
			v := paces[i].of.ValueOf(values[i], j)
			paces[i].step += v
			longest[paces[i].of] = max(longest[paces[i].of], v)
		}
		seen.add(number)
	}
	slices.SortStableFunc(paces, func(a, b rankPace) int { return cmp.Compare(a.step, b.step) })
	at := widestGap(paces)
	if at == 0 || seen.steps < MinSteps {
		return nil, nil
	}
	end := 0.0
	for _, k := range paces[:at] {
		end = max(end, longest[k.of])
	}
	if paces[at].step-paces[at-1].step <= seen.mayDiffer(end, paces[at-1].step) {
		return nil, nil
	}
	for i := range paces {
		paces[i].step /= float64(seen.steps)
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

// paceDoubt returns the doubt that ranks with short steps and ranks with long ones belong together.
func (s *Side) paceDoubt(r *Run, short, long []rankPace) Doubt {
	d := Doubt{Kind: DoubtRankTimes, Side: s.Name, Ranks: [2][]int{numbersOf(short), numbersOf(long)},
		Each: [2]float64{short[len(short)-1].step, long[0].step}}
	d.InUnit = d.Each[1] >= unitFactor*d.Each[0]
	d.nameRun(s, r)
	return d
}

// nameRun says which run of a side the doubt is about, if there are several.
func (d *Doubt) nameRun(s *Side, r *Run) {
	if len(s.Runs) > 1 {
		d.Runs[0] = r.Name
	}
}

// joinedOf returns the ranks that communicate in their steps.
func joinedOf(all []rankPace) (out []rankPace) {
	for _, k := range all {
		if k.joins {
			out = append(out, k)
		}
	}
	return out
}

// together groups ranks that wait for each other, directly or through others: replicas of a model that serves requests
// have groups of their own, and each its own pace. Ranks are separated only where all members of their groups are
// known: any other group may connect them.
func (r *Run) together(joined []rankPace) (out [][]rankPace) {
	const link = 0 // the place of all ranks that are not known
	part, placeOf := make([]int, 1+len(joined)), make(map[int]int, len(joined))
	for i, k := range joined {
		part[1+i], placeOf[k.of.Rank.Rank] = 1+i, 1+i
	}
	join := func(a, b int) {
		if from, to := part[a], part[b]; from != to {
			for i := range part {
				if part[i] == from {
					part[i] = to
				}
			}
		}
	}
	grouped := make([]bool, len(part))
	for i := range r.Source.Groups {
		g := &r.Source.Groups[i]
		with, found := link, !g.Whole()
		for _, rank := range g.Ranks {
			place, joins := placeOf[rank]
			if !joins {
				continue
			}
			if !found {
				with, found = place, true
			}
			grouped[place] = true
			join(place, with)
		}
	}
	at := map[int]int{} // by part, in out
	for i, k := range joined {
		if !grouped[1+i] {
			join(1+i, link)
		}
		if _, known := at[part[1+i]]; !known {
			at[part[1+i]] = len(out)
			out = append(out, nil)
		}
		out[at[part[1+i]]] = append(out[at[part[1+i]]], k)
	}
	return out
}
