package series

import "math"

// Point is the number of one run of main, or of a pull request.
type Point struct {
	Value  float64 // NaN: the run has none
	Host   string  // on which it ran; "" unknown
	Commit string  // "" unknown
	Odd    bool    // it is kept and does not count
	Within float64 // variance of Value as its own steps show it; 0: nobody asks
}

// Rule is what a series is judged with. What is zero is as in Default.
type Rule struct {
	Z     float64 // from how many standard errors on a difference of levels is a change
	Floor float64 // sd of runs that is assumed with two degrees of freedom, and of hosts
	Least float64 // least size of what is told
}

// Default is the rule of the step time.
//
// Simulated: of a flat series with sd 1 and 2 % 0.18 and 0.35 changes a year are false, +3 % is seen within five runs
// in 97 % at sd 1 %, +5 % in 99 %; with Z 4.0 it is 0.5 and 0.9 and 99 %, with 4.5 at most 0.1 and 95 %.
var Default = Rule{Z: 4.25, Floor: 0.015, Least: 0.02}

// OtherZ is the Z of all numbers but the step time: with 4.25, eight of them would have 1.4 false changes a year.
// Simulated: with 4.5 each has 0.01 to 0.1.
const OtherZ = 4.5

func (r Rule) filled() Rule {
	if r.Z == 0 {
		r.Z = Default.Z
	}
	if r.Floor == 0 {
		r.Floor = Default.Floor
	}
	if r.Least == 0 {
		r.Least = Default.Least
	}
	return r
}

// Series is one number over the runs of main. Its zero value is not ready: see Follow.
type Series struct {
	rule    Rule
	points  []Point
	y       []float64 // of the runs that count, without what their hosts differ by
	effect  []float64 // what was taken from them for their hosts, as known while their level was the current one
	host    []int     // of them, index of names; -1 unknown
	of      []int     // their points
	names   map[string]int
	starts  []int // first run of each level, of those that count
	changes []Change
	seen    []int // how many changes there were after each point
	noise   Noise
	longer  []float64 // see lengthen
	newest  commit
	odd     []int
	hosts   *hosts // nil: not known for these runs yet
}

// Follow pushes points, in their order.
func Follow(points []Point, rule Rule) *Series {
	s := &Series{rule: rule.filled(), names: map[string]int{}, starts: []int{0}}
	s.learn()
	for _, p := range points {
		s.Push(p)
	}
	return s
}

// Push adds the next run of main. It returns the change that is then seen, nil if none is.
func (s *Series) Push(p Point) *Change {
	c := s.push(p)
	s.seen = append(s.seen, len(s.changes))
	return c
}

func (s *Series) push(p Point) *Change {
	s.points = append(s.points, p)
	if p.Odd || math.IsNaN(p.Value) {
		return nil
	}
	h := s.hostOf(p)
	e := s.component().of(h)
	y := p.Value - e
	c := s.turn(p.Commit)
	s.add(run{y, e, h, len(s.points) - 1})
	if late := s.judge(); late != nil {
		c = late
	}
	return c
}

// run is a run that counts.
type run struct {
	y, effect float64 // without what its host differs by, and that
	host, of  int
}

// add takes a run, without looking for a change.
func (s *Series) add(r run) {
	s.y, s.effect, s.host, s.of = append(s.y, r.y), append(s.effect, r.effect), append(s.host, r.host), append(s.of, r.of)
	s.hosts = nil
	s.clean()
	s.learn()
}

// clean takes what hosts are now known to differ by from the runs of the current level. Simulated, 16 hosts with an
// sd of 3 %: with what was known of them when each run came, 0.25 in place of 0 mains a year are red for nothing, and
// one run finds +5 % in 92 % in place of 97.
func (s *Series) clean() {
	if len(s.names) == 0 {
		return
	}
	h := s.component()
	for i := s.start(); i < len(s.y); i++ {
		e := h.of(s.host[i])
		s.y[i] += s.effect[i] - e
		s.effect[i] = e
	}
}

// take takes the newest runs out, from one on, and returns them.
func (s *Series) take(from int) (out []run) {
	for i := from; i < len(s.y); i++ {
		out = append(out, run{s.y[i], s.effect[i], s.host[i], s.of[i]})
	}
	s.y, s.effect, s.host, s.of = s.y[:from], s.effect[:from], s.host[:from], s.of[:from]
	return out
}

// hostOf returns the index of a point's host, a new one for a host that was not there; -1 unknown.
func (s *Series) hostOf(p Point) int {
	if p.Host == "" {
		return -1
	}
	h, ok := s.names[p.Host]
	if !ok {
		h = len(s.names)
		s.names[p.Host] = h
	}
	return h
}

// start is the first run of the current level, of those that count.
func (s *Series) start() int { return s.starts[len(s.starts)-1] }

// Points are the points that were pushed.
func (s *Series) Points() []Point { return s.points }

// Level is a stretch of runs without a change: From to To, without To. Those left out lie in it without counting.
type Level struct {
	From, To int
	Value    float64 // mean of its runs, each held to three sd about it
	Runs     int     // that count
}

// Levels are the levels of the series, the newest last; none of an empty one.
func (s *Series) Levels() []Level {
	var out []Level
	for i, a := range s.starts {
		b, l := len(s.y), Level{To: len(s.points)}
		if i+1 < len(s.starts) {
			b = s.starts[i+1]
			l.To = s.of[b]
		}
		if a == b {
			continue
		}
		if i > 0 {
			l.From = s.of[a]
		}
		l.Value, l.Runs = center(s.y[a:b], s.noise.SD), b-a
		out = append(out, l)
	}
	return out
}

// Changes are the changes that were seen, in the order in which they were.
func (s *Series) Changes() []Change { return s.changes }

// SeenBy returns how many changes had been seen with the first so many points.
func (s *Series) SeenBy(points int) int {
	if points == 0 {
		return 0
	}
	return s.seen[points-1]
}

// Noise is what runs of one level differ by.
func (s *Series) Noise() Noise { return s.noise }

// Newest returns the level that candidates are held to, and of how many runs it is the mean, at most 30; 0 of an
// empty series.
func (s *Series) Newest() (value float64, runs int) {
	n := len(s.y)
	a := max(s.start(), n-levelRuns)
	if a == n {
		return 0, 0
	}
	return center(s.y[a:], s.noise.SD), n - a
}

// Cleaned returns the value of a run without what its host differs by, as far as that is known.
func (s *Series) Cleaned(p Point) float64 {
	if h, ok := s.names[p.Host]; ok {
		return p.Value - s.component().of(h)
	}
	return p.Value
}

// Without says what was taken from the value of each point for its host; 0 where it does not count.
func (s *Series) Without() []float64 {
	out := make([]float64, len(s.points))
	for i, of := range s.of {
		out[of] = s.effect[i]
	}
	return out
}
