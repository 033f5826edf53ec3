package series

import (
	"math"

	"perfdiff/diff/stat"
)

// commit are the runs of main's newest commit, as they were pushed one after the other.
type commit struct {
	name   string
	from   int     // the first of them, of those that count
	runs   int     // with those that are odd
	odd    int     // that were found odd
	before Noise   // of the runs before them
	level  float64 // that they are held to
	known  bool    // that level has enough runs
	again  bool    // it is to be run again
	eager  bool    // nobody did so with the commit before: a change is looked for at once
}

// When main repeats its newest run. Simulated: from 2.5 sd, 19 runs a year more at sd 1 %, 24 at 2 %, 86 where one
// run in 20 is odd; a pull request that reverts 5 % is then seen one merge later in 96 % in place of 0.1. Once is not
// enough: where one run in 20 is odd, the second is as well in 5 %, 3 to 4 false changes a year in place of 0.3.
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
// before it, and it had fewer than three. Where the first was off by four and the last is not off, those before the
// last are odd: they are left out (Odd), as they are on each later pass. A commit of unknown name cannot be run
// again.
//
// As long as it is to be run again, or until main's next commit comes, its runs count and no change is looked for
// with them, so that none is told that a repeat takes back. Where nobody repeated the commit before though it was
// asked for, one is, and a change that is seen ends the asking.
func (s *Series) Repeat() Repeat {
	c := &s.newest
	r := Repeat{Runs: c.runs, Again: c.again, Odd: c.odd}
	if len(s.y) > 0 {
		r.Off = c.off(s.y[len(s.y)-1])
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

// turn begins a new commit, if the next run of main is of one. It returns the change that is then seen with the runs
// of the one before, if nobody repeated that as was asked.
func (s *Series) turn(name string) (c *Change) {
	if name != "" && name == s.newest.name {
		return nil
	}
	eager := s.newest.again
	if eager {
		c = s.settle(0)
	}
	level, runs := s.Newest()
	s.newest = commit{name: name, from: len(s.y), before: s.noise, level: level, known: runs >= leastLevel, eager: eager}
	return c
}

// judge takes the run that was just added into its commit. It returns the change that is seen, if that is not to be
// run again.
func (s *Series) judge() *Change {
	c := &s.newest
	c.runs++
	if c.runs > 1 && !c.again { // nobody asked for it
		return s.find()
	}
	x := s.y[c.from:]
	first, last := x[0], x[len(x)-1]
	back := (last-first)*(first-c.level) < 0 && c.off(stat.Mean(x)) < offAgain // it lies on the other side
	c.again = c.name != "" && c.off(last) >= offAgain && !back && c.runs < mostRuns
	if c.again {
		var found *Change
		if c.eager {
			found = s.find()
			c.again = found == nil
		}
		return found
	}
	if c.off(first) >= offOdd && c.off(last) < offAgain {
		return s.settle(len(x) - 1)
	}
	return s.settle(0)
}

// settle looks for changes with the runs of the newest commit, one after the other, without the first of them, which
// are odd. It returns the newest change.
func (s *Series) settle(odd int) (c *Change) {
	n := &s.newest
	n.again, n.odd = false, odd
	if len(s.y) == n.from+1 {
		return s.find()
	}
	runs := s.take(n.from)
	s.noise = n.before
	for _, r := range runs[:odd] {
		s.odd = append(s.odd, r.of)
	}
	for _, r := range runs[odd:] {
		s.add(r)
		if late := s.find(); late != nil {
			c = late
		}
	}
	return c
}
