package series

import (
	"math"

	"perfdiff/diff/stat"
)

// Noise is what runs of one level differ by.
type Noise struct {
	SD       float64 // standard deviation of a run, at least partly assumed
	DF       float64 // degrees of freedom of SD, of which two are the assumed ones
	Together float64 // correlation of neighbouring runs; 0 where it does not show
}

// From which runs noise is learned. Simulated: without the newest five, what is being tested does not make its own
// noise; with runs held to three sd, one odd run in 20 does not triple it. With none left out of fewer than 15, +12 %
// behind six runs is found within six more in 0 %, without a third of them in 100 and 99 % (sd 1 and 2 %), and false
// changes in the first 30 runs come in 0.1 and 1.2 % of stores as before.
const (
	noiseRuns     = 60
	togetherRuns  = 200
	noiseNewest   = 5 // left out, of few runs a third
	noiseYoung    = 3
	floorDF       = 2
	leastTogether = 20   // runs from which a correlation is looked for
	heldTo        = 3.0  // sd; Simulated: see above
	mostTogether  = 0.97 // by definition of what has a level: with 1 nothing is known of it
)

// learn sets the noise from the newest runs: with residuals r about their own levels' means, each held to three
// robust sd,
//
//	SD^2 = (2 Floor^2 + sum r^2) / (2 + runs - levels),  DF = 2 + runs - levels
//
// a moderated variance (Smyth 2004); DF is less by what the effects of hosts take. Simulated: without the correlation
// there are 51 false changes a year at AR .9, with it 0.4.
func (s *Series) learn() {
	n := len(s.y)
	n -= min(noiseNewest, n/noiseYoung)
	r, levels := s.residuals(max(0, n-noiseRuns), n)
	away := make([]float64, len(r))
	for i, x := range r {
		away[i] = math.Abs(x)
	}
	room := math.Inf(1)
	if len(r) > 0 {
		room = float64(heldTo * 1.4826 * stat.Median(away))
	}
	sum := 0.0
	for _, x := range r {
		x = held(x, room)
		sum += float64(x * x)
	}
	s.noise.DF = floorDF + float64(len(r)-levels)
	if s.hosts != nil {
		s.noise.DF = max(floorDF, s.noise.DF-float64(s.hosts.used*float64(len(r))))
	}
	s.noise.SD = math.Sqrt((float64(floorDF*s.rule.Floor*s.rule.Floor) + sum) / s.noise.DF)
	q, _ := s.residuals(max(0, n-togetherRuns), n)
	s.noise.Together = follows(q, room)
	s.lengthen()
}

// residuals returns how far the runs from..end lie from the mean of their level's part of them, and of how many
// levels they are. A level with one run there says nothing.
func (s *Series) residuals(from, end int) (r []float64, levels int) {
	for j := len(s.starts) - 1; j >= 0; j-- {
		a, b := max(from, s.starts[j]), end
		if j+1 < len(s.starts) {
			b = min(end, s.starts[j+1])
		}
		if b-a >= 2 {
			part := s.y[a:b]
			c := center(part, s.noise.SD)
			at := len(r)
			r = append(r, part...)
			for i := at; i < len(r); i++ {
				r[i] -= c
			}
			levels++
		}
		if a == from {
			break
		}
	}
	return r, levels
}

// follows returns the correlation of neighbours, held to room, with what their mean takes from it given back (Kendall
// 1954); 0 where it is less than chance makes.
func follows(r []float64, room float64) float64 {
	n := float64(len(r))
	if len(r) < leastTogether {
		return 0
	}
	next, all, before := 0.0, 0.0, 0.0
	for i, x := range r {
		x = held(x, room)
		all += float64(x * x)
		if i > 0 {
			next += float64(x * before)
		}
		before = x
	}
	if all == 0 {
		return 0
	}
	phi := next/all + 1/n
	phi += (1 + float64(4*phi)) / n
	if phi < 2/math.Sqrt(n) {
		return 0
	}
	return min(phi, mostTogether)
}

// lengthen sets by how many times the variance of a mean of m neighbours is larger than that of m independent runs:
//
//	L(m) = 1 + 2 sum_{j<m} (1 - j/m) phi^j
func (s *Series) lengthen() {
	s.longer = s.longer[:0]
	if s.noise.Together == 0 {
		return
	}
	s.longer = append(s.longer, 1)
	power, sum, weighted := 1.0, 0.0, 0.0
	for m := 1; m <= mostBack; m++ {
		s.longer = append(s.longer, 1+float64(2*sum)-float64(2*weighted)/float64(m))
		power = float64(power * s.noise.Together)
		sum += power
		weighted += float64(float64(m) * power)
	}
}

// share is the variance of the mean of m neighbouring runs, as a multiple of that of one.
func (s *Series) share(m int) float64 {
	if len(s.longer) == 0 {
		return 1 / float64(m)
	}
	return s.longer[min(m, mostBack)] / float64(m)
}

// held returns x, at most room from zero.
func held(x, room float64) float64 { return min(room, max(-room, x)) }

// center returns the mean of runs, each held to three sd about it.
func center(v []float64, sd float64) float64 {
	c := stat.Mean(v)
	if len(v) < 3 {
		return c
	}
	room := float64(heldTo * sd)
	for range 2 {
		sum := 0.0
		for _, x := range v {
			sum += held(x-c, room)
		}
		c += sum / float64(len(v))
	}
	return c
}
