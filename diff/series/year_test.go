package series

import (
	"math"
	"math/rand/v2"
	"strconv"
)

// world is a simulated main: one scalar a merge, five merges a day, 25 a week, in fractions. It was written anew
// after the simulator of the design.
type world struct {
	sd         float64
	odd, oddBy float64 // share of odd runs, and what they are off by
	ar         float64 // correlation of the cluster's state, which has all of the noise
	wave       float64 // over each day
	busy       float64 // share of days with a neighbour that costs up to 6 %
	creep      float64 // a week, from run creepFrom on
	creepFrom  int
	steps      []Drift
	hosts      int
	hostSD     float64
	pool       float64 // every third host is slower by so much
	part       float64 // runs are slower by apart with this share, on no host that is known
	apart      float64
	t3, vary   bool
	known      bool // hosts are told
	single     bool // each run has a host of its own
	never      bool // main repeats nothing
}

type sim struct {
	world
	g       *rand.Rand
	s       *Series
	state   float64
	day     int
	load    float64
	effects []float64
	i       int // merge
	reruns  int
	merge   []int // of each point
}

func (w world) begin(g *rand.Rand, rule Rule) *sim {
	m := &sim{world: w, g: g, s: Follow(nil, rule), state: g.NormFloat64(), day: -1, i: -1}
	for j := range max(1, w.hosts) {
		e := w.hostSD * g.NormFloat64()
		if j%3 == 2 {
			e += w.pool
		}
		m.effects = append(m.effects, e)
	}
	return m
}

func (m *sim) level() float64 {
	l := 0.0
	for _, s := range m.steps {
		if m.i >= s.At {
			l += s.Size
		}
	}
	return l + m.creep/25*float64(max(0, m.i-m.creepFrom))
}

// draw is one run at a time of the day, of code that differs by d from main.
func (m *sim) draw(u, d float64) Point {
	g := m.g
	if now := m.i / 5; now != m.day {
		if m.day, m.load = now, 0; g.Float64() < m.busy {
			m.load = 0.06 * g.Float64()
		}
	}
	e := g.NormFloat64()
	if m.t3 {
		c := 0.0
		for range 3 {
			z := g.NormFloat64()
			c += z * z
		}
		e /= math.Sqrt(c)
	}
	if m.ar > 0 {
		e = 0.97*m.state + 0.24*e
	}
	if m.vary && m.i/100%2 == 1 {
		e *= 1.5
	}
	h := g.IntN(len(m.effects))
	y := m.level() + d + m.sd*e + m.wave*math.Sin(2*math.Pi*u) + m.load + m.effects[h]
	if g.Float64() < m.part {
		y += m.apart
	}
	if g.Float64() < m.odd {
		y += m.oddBy
	}
	p := Point{Value: y, Commit: strconv.Itoa(m.i)}
	if m.known {
		p.Host = strconv.Itoa(h)
		if m.single {
			p.Host = strconv.FormatUint(g.Uint64(), 36)
		}
	}
	return p
}

// next merges: main records its run, and again while it is asked to. It returns the changes that are seen.
func (m *sim) next() (seen []Change) {
	m.i++
	if m.ar > 0 {
		m.state = m.ar*m.state + math.Sqrt(1-m.ar*m.ar)*m.g.NormFloat64()
	}
	for {
		m.merge = append(m.merge, m.i)
		if c := m.s.Push(m.draw(float64(m.i%5)/5, 0)); c != nil {
			seen = append(seen, *c)
		}
		if m.never || !m.s.Repeat().Again {
			return seen
		}
		m.reruns++
	}
}

// pr are three runs of a pull request on main's newest state.
func (m *sim) pr(d float64) []Point {
	x := make([]Point, 3)
	for i := range x {
		x[i] = m.draw(m.g.Float64(), d)
	}
	return x
}

// red says whether a gate fails them with one run, and with up to three.
func (m *sim) red(x []Point, alpha float64) (one, three, asked bool) {
	one = m.s.Answer(x[:1], Gate{Alpha: alpha}).Answer == Fail
	if asked = m.s.Answer(x[:1], Gate{Alpha: alpha, Escalate: true}).Answer == Again; asked {
		three = m.s.Answer(x, Gate{Alpha: alpha, Escalate: true}).Answer == Fail
	}
	return one, three, asked
}
