package series

import "math"

// commit are the runs of main's newest commit, as they were pushed one after the other.
type commit struct {
	name    string
	before  Noise     // of the runs before them
	level   float64   // that they are held to
	known   bool      // that level has enough runs
	values  []float64 // of those that count
	earlier int       // runs that were found odd
	again   bool
}

// When main repeats its newest run. Simulated: from 2.5 sd, 19 runs a year more at sd 1 %, 24 at 2 %, 86 where one run in
// 20 is odd; a pull request that reverts 5 % is then seen one merge later in 96 % in place of 0.1. Once is not enough:
// where one run in 20 is odd, the second is as well in 5 %, 3 to 4 false changes a year in place of 0.3.
const (
	offAgain   = 2.5 // sd from the level, from which on a run is repeated
	offOdd     = 4.0 // Simulated as well: sd, from which on it is odd if a repeat is not off
	leastLevel = 5   // runs of a level that says what is off
	mostRuns   = 3   // of one commit
)

// Repeat says what main does about its newest commit.
type Repeat struct {
	Off   float64 // how many sd its newest run lies from the level before it; 0: the level has fewer than five runs
	Runs  int     // of this commit, with those that are odd
	Again bool    // run this commit again
	Odd   int     // so many of its runs were found odd
}

// Repeat says whether main's newest commit is to be run again: its newest run is 2.5 sd off the level, as are those
// before it, and it had fewer than three. Where the first was off by four and the last is not off, those before the last
// are odd: they are left out (Odd), as they are on each later pass. A commit of unknown name cannot be run again.
//
// A change that is seen ends it: what told of a change is never left out.
func (s *Series) Repeat() Repeat {
	c := s.newest
	r := Repeat{Runs: len(c.values) + c.earlier, Again: c.again, Odd: c.earlier}
	if len(c.values) > 0 {
		r.Off = c.off(c.values[len(c.values)-1])
	}
	return r
}

// Odd are the points that were found odd by repeating their commit.
func (s *Series) Odd() []int { return s.odd }

// off is how many sd a value lies from the level.
func (c *commit) off(y float64) float64 {
	if !c.known {
		return 0
	}
	return math.Abs(y-c.level) / c.before.SD
}

// repeat takes the next run of main into those of its commit, before it is pushed, and leaves out the ones before it if
// they turn out odd. None of them told of a change, so that none is lost.
func (s *Series) repeat(name string, y float64) {
	c := &s.newest
	if same := name != "" && name == c.name && len(c.values) > 0; !same {
		level, runs := s.Newest()
		*c = commit{name: name, before: s.noise, level: level, known: runs >= leastLevel}
	} else if first := c.values[0]; c.again && c.off(first) >= offOdd && c.off(y) < offAgain {
		n := len(s.y) - len(c.values)
		s.odd = append(s.odd, s.of[n:]...)
		s.y, s.effect, s.host, s.of = s.y[:n], s.effect[:n], s.host[:n], s.of[:n]
		s.noise = c.before
		c.earlier += len(c.values)
		c.values = nil
	}
	open := c.again || len(c.values)+c.earlier == 0
	c.values = append(c.values, y)
	first := c.values[0]
	back := (y-first)*(first-c.level) < 0 && c.off(mean(c.values)) < offAgain // it lies on the other side
	c.again = open && name != "" && c.off(y) >= offAgain && !back && len(c.values)+c.earlier < mostRuns
}
