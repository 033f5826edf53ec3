package series

import (
	"math"

	"perfdiff/diff/stat"
)

// Change is a change of level. Its runs are indices of the points.
type Change struct {
	At      int // first run of the new level
	Seen    int // the run with which it was seen
	First   int // with 95 % the change came with one of the runs First to Last
	Last    int
	Before  int     // the newest run before First that counts
	Size    float64 // new level less the one before, as far as was known when it was seen
	Z       float64 // Size in standard errors, of held runs
	Gradual bool    // a straight line fits better than a step: no commit made it

	at int // as At, of the runs that count
}

// What makes a change. Simulated: 3.05 is the largest with which two runs stay under 4.25, 2*3.05/sqrt(2+4/50) =
// 4.23, so that three make a level; with 3.5 one odd run in 20 makes 8.2 false changes a year in place of 2.2,
// without any limit 30.
const (
	leastRuns = 2    // of a new level, and of the one before
	mostBack  = 100  // newest runs among which a change is looked for
	before    = 50   // newest runs of the level before that count
	clip      = 3.05 // sd that a run counts for at most
	inRange   = 0.95 // by definition of the range
)

// find looks for a change of the current level with the newest run, a windowed likelihood ratio (Lai 1995): of all
// splits into runs before and a new level, that with the largest |z|.
func (s *Series) find() *Change {
	n, a := len(s.y), s.start()
	best, most := -1, 0.0
	for k := n - leastRuns; k >= max(a+leastRuns, n-mostBack); k-- {
		if z := s.z(k); math.Abs(z) > math.Abs(most) {
			best, most = k, z
		}
	}
	if best < 0 || math.Abs(most) < s.rule.Z {
		return nil
	}
	c := s.locate(best)
	c.Z = most
	s.starts = append(s.starts, c.at)
	s.changes = append(s.changes, c)
	return &s.changes[len(s.changes)-1]
}

// z is how many standard errors the runs from k on lie from the newest 50 of the current level before k:
//
//	stat.Mean(held(y - mean, 3.05 SD)) / (SD sqrt(L(new)/new + L(before)/before))
func (s *Series) z(k int) float64 {
	n := len(s.y)
	b := max(s.start(), k-before)
	middle, room, sum := center(s.y[b:k], s.noise.SD), float64(clip*s.noise.SD), 0.0
	for _, y := range s.y[k:] {
		sum += held(y-middle, room)
	}
	return sum / float64(n-k) / (s.noise.SD * math.Sqrt(s.share(k-b)+s.share(n-k)))
}

// locate finds the place of a change near a run by least squares, and the smallest range about it that holds 95 % of
//
//	p(k) ~ exp(-(SSE(k) - least)/(2 SD^2)) / sqrt(k (m-k))
//
// that is all places alike likely and both levels integrated out. Simulated at first sight, sd 1 %: right to the run
// in 83 % of +3 % (86 % is the limit of what endless runs tell, Spitzer 1956); the range holds it in 98 % and has
// 2.6.
func (s *Series) locate(near int) Change {
	lo := max(s.start(), near-before)
	y := s.y[lo:]
	m := len(y)
	sse := splits(y)
	best := near - lo
	for k := leastRuns; k <= m-leastRuns; k++ {
		if sse[k] < sse[best] {
			best = k
		}
	}
	at := make([]float64, m+1) // 0 at both ends, where nothing is split
	all, room := 0.0, float64(2*s.noise.SD*s.noise.SD)
	for k := 1; k < m; k++ {
		at[k] = math.Exp(-(sse[k]-sse[best])/room) / math.Sqrt(float64(k)*float64(m-k))
		all += at[k]
	}
	i, j, sum := best, best, at[best]
	for sum < inRange*all {
		left, right := at[max(0, i-1)], at[min(m, j+1)]
		switch {
		case left == 0 && right == 0:
			sum = all
		case left >= right:
			i, sum = i-1, sum+left
		default:
			j, sum = j+1, sum+right
		}
	}
	c := Change{At: s.of[lo+best], Seen: s.of[len(s.of)-1], at: lo + best}
	c.First, c.Last, c.Before = s.of[lo+i], s.of[lo+j], s.of[lo+i-1]
	c.Size, c.Gradual = stat.Mean(y[best:])-stat.Mean(y[:best]), line(y) < sse[best]
	return c
}

// splits returns the sum of squares about both means of each split of y, from 1 on.
func splits(y []float64) []float64 {
	m, middle := len(y), stat.Mean(y)
	all, sum := 0.0, 0.0
	for _, v := range y {
		all += float64((v - middle) * (v - middle))
	}
	out := make([]float64, m)
	for k := 1; k < m; k++ {
		sum += y[k-1] - middle
		out[k] = all - float64(sum*sum)*float64(m)/(float64(k)*float64(m-k))
	}
	return out
}

// line returns the sum of squares of y about its straight line.
func line(y []float64) float64 {
	middle, half := stat.Mean(y), float64(float64(len(y)-1)/2)
	xy, xx, yy := 0.0, 0.0, 0.0
	for i, v := range y {
		x := float64(i) - half
		xy += float64(x * (v - middle))
		xx += float64(x * x)
		yy += float64((v - middle) * (v - middle))
	}
	return yy - float64(xy*xy)/xx
}
