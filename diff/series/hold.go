package series

import (
	"math"

	"perfdiff/diff/stat"
)

// Held is how the runs of a pull request lie from where main may stand.
type Held struct {
	SD       float64 // of one run of main
	Estimate float64 // weighted mean of the differences
	P        float64 // chance of so large a difference if nothing changed, weighted; 1 where there is no level
	Starts   []Start // where main may stand, the level first; none where main has no run
}

// Start is a place at which main may stand, with how the runs lie from it.
type Start struct {
	Runs     int // of main on it, the newest
	Value    float64
	Weight   float64 // how likely main stands there
	Estimate float64 // mean of the runs less Value
	SE       float64
	DF       float64
	P        float64 // chance of so large a difference if nothing changed
}

// Where main may stand. Simulated: unchanged pull requests are red in 0.63 and 0.64 % with one run at sd 1 and 2 %,
// and on average over the 19 merges after +3 and +5 % on main in 0.7 and 0.1 % with up to three; held to the level
// alone in 9 and 10 %. With faster starts as well, a newest run 5 % fast fails 4.2 % of the unchanged in place of
// 1.3.
const (
	levelRuns  = 30  // newest of the level that count
	mostStarts = 8   // newest runs that may be a level of their own
	startOdds  = 0.1 // of a change at each of them, against none; Simulated: see above
	usual      = 2.0 // Simulated with 4 % where Least is 2: sd of a change, in Least
)

// begun are the places where main may stand: its level, and each slower one that its newest runs may have begun,
// weighted by the likelihood of a change of unknown size (Adams and MacKay 2007). With v the variance of the
// difference of both means and t the sd of a change,
//
//	weight = 0.1 sqrt(v/(v+t^2)) exp(z^2/2 * t^2/(v+t^2)), of the level 1
//
// Only slower ones count: what is faster must be confirmed first.
func (s *Series) begun() []Start {
	n := len(s.y)
	value, runs := s.Newest()
	if runs == 0 {
		return nil
	}
	out, all := []Start{{Runs: runs, Value: value, Weight: 1}}, 1.0
	t2 := float64(usual * s.rule.Least * usual * s.rule.Least)
	for j := 1; j <= mostStarts && n-j >= s.start()+leastRuns; j++ {
		z := s.z(n - j)
		if z < 0 {
			continue
		}
		v := float64(s.noise.SD * s.noise.SD * (1/float64(j) + 1/float64(min(before, n-j-s.start()))))
		w := float64(startOdds * math.Sqrt(v/(v+t2)) * math.Exp(float64(z*z)/2*t2/(v+t2)))
		out = append(out, Start{Runs: j, Value: stat.Mean(s.y[n-j:]), Weight: w})
		all += w
	}
	for i := range out {
		out[i].Weight /= all
	}
	return out
}

// Hold holds runs of one commit to where main may stand, without what their hosts differ by. Its P is one-sided.
func (s *Series) Hold(x []Point) Held {
	h := Held{SD: s.noise.SD, P: 1}
	if len(x) == 0 {
		return h
	}
	middle := 0.0
	for _, p := range x {
		middle += s.Cleaned(p)
	}
	middle /= float64(len(x))
	h.Starts = s.begun()
	h.weigh(middle, s, x)
	return h
}

func (h *Held) weigh(middle float64, s *Series, x []Point) {
	if len(h.Starts) == 0 {
		return
	}
	added, addedDF := s.variance(x)
	own, square, within := s.share(len(x)), float64(s.noise.SD*s.noise.SD), s.uneven(x)
	h.P = 0
	for i := range h.Starts {
		t := &h.Starts[i]
		v := own + s.share(t.Runs)
		if s.noise.Together > 0 { // a mean is never further off than a run
			v = min(v, 1+1/float64(len(x)))
		}
		t.Estimate = middle - t.Value
		t.SE, t.DF = plus(float64(v*square)+within, s.noise.DF, added, addedDF)
		t.P = stat.Above(t.Estimate/t.SE, t.DF)
		h.P += float64(t.Weight * t.P)
		h.Estimate += float64(t.Weight * t.Estimate)
	}
}

// uneven is by how much the variance of the mean of runs is larger than that of main's runs, as far as their own steps
// differ by more than those of main do: a mean over 30 steps of which four are slow says little of the next run. Of k
// runs it has a part of 1/k, as the skew of their mean falls. Simulated, by the mean step alone: without it 1.1 % of
// unchanged candidates of one run fail, and 33 % of those that have slow steps ten times as often, of three .14 and 46
// %; with it of one 0 and 6 %, of three 0 and 34; with all of it of three 0 and 19.
func (s *Series) uneven(x []Point) (variance float64) {
	runs := s.of[max(s.start(), len(s.of)-levelRuns):]
	usual := 0.0
	for _, at := range runs {
		usual += s.points[at].Within / float64(len(runs))
	}
	for _, p := range x {
		variance += max(0, p.Within-usual)
	}
	return variance / float64(len(x)*len(x)*len(x))
}
