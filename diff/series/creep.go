package series

import "math"

// Drift is what a level drifted by and people accepted.
type Drift struct {
	At   int // run from which on it is taken out
	Size float64
}

// Creep is what main became slower by in no single step.
type Creep struct {
	Ago    int     // in how many runs that count
	From   int     // the newest run of the level then
	Size   float64 // without what was told of and what was accepted
	Told   float64 // sum since then of the changes that were told of and are not in Size
	Accept Drift   // what accepts it
}

// What is creep. Simulated: false alarms 0, 0 and .5 a year at sd 1, 2 and 4 %, .5 at AR .9, 1.6 at AR .95; 1 % a
// week is found within five weeks in 100, 91 and 89 % (sd 1 %, 2 %, AR .9), .3 % a week after 7.8. An anchor 20 runs
// back never fires; the lowest level of a year fires 15 to 79 times at AR; with nothing taken out a year of six steps
// fires 724 times.
const (
	creepRuns  = 20   // of the level now and of that then
	creepZ     = 3.5  // standard errors
	creepLeast = 1.25 // of Least
	shortLevel = 8    // runs; a shorter level is left out
	leastCreep = 60   // runs from which on creep is looked for
)

// anchors are how many runs back main is held to: about four and sixteen weeks of five merges a day, or the oldest
// there are.
var anchors = [...]int{100, 400}

// Crept says by how much main became slower since an anchor, in no single step; nil: not by 1.25 of Least, or not
// beyond noise. Changes of Least and more that were told of are taken out, accepted or not and in both directions,
// with the size that they have now; gradual ones are not, as no commit was named. It is of main alone; on a pull
// request it is said and fails nothing.
func (s *Series) Crept(accepted []Drift) *Creep {
	n := len(s.y)
	y, at, steps := s.plain(max(0, n-anchors[1]-creepRuns), accepted)
	m := len(y)
	if m < leastCreep {
		return nil
	}
	now := center(y[m-creepRuns:], s.noise.SD)
	share := float64(2*s.share(creepRuns)) * float64(1+len(steps))
	se := float64(s.noise.SD * math.Sqrt(share))
	for _, ago := range anchors {
		ago = min(ago, m-creepRuns)
		then := m - ago
		d := now - center(y[then-creepRuns:then], s.noise.SD)
		if d < float64(creepLeast*s.rule.Least) || d < float64(creepZ*se) {
			continue
		}
		c := &Creep{Ago: ago, From: s.of[at[then-1]], Size: d}
		c.Accept = Drift{s.of[n-ago/2], d}
		for _, t := range steps {
			if t.At >= at[then] {
				c.Told += t.Size
			}
		}
		return c
	}
	return nil
}

// plain returns the runs from one on without short levels, steps that were told of and accepted drift, which runs
// they are of those that count, and the steps.
func (s *Series) plain(from int, accepted []Drift) (y []float64, at []int, steps []Drift) {
	short := make([]bool, len(s.y))
	told := s.lasting(short)
	for i, c := range told {
		if c.at <= from || c.Gradual {
			continue
		}
		a, b := max(0, c.at-creepRuns), min(len(s.y), c.at+creepRuns)
		if i > 0 {
			a = max(a, told[i-1].at)
		}
		if i+1 < len(told) {
			b = min(b, told[i+1].at)
		}
		var was []float64
		for j := a; j < c.at; j++ {
			if !short[j] {
				was = append(was, s.y[j])
			}
		}
		if len(was) == 0 {
			continue
		}
		if size := center(s.y[c.at:b], s.noise.SD) - center(was, s.noise.SD); math.Abs(size) >= s.rule.Least {
			steps = append(steps, Drift{c.at, size})
		}
	}
	for i := from; i < len(s.y); i++ {
		if short[i] {
			continue
		}
		v := s.y[i]
		for _, t := range steps {
			if i >= t.At {
				v -= t.Size
			}
		}
		for _, t := range accepted {
			if s.of[i] >= t.At {
				v -= t.Size
			}
		}
		y, at = append(y, v), append(at, i)
	}
	return y, at, steps
}

// lasting returns the changes without the short levels between two of them, which it marks: both are then one, at the
// later.
func (s *Series) lasting(short []bool) (out []Change) {
	for i := 0; i < len(s.changes); i++ {
		c := s.changes[i]
		if i+1 < len(s.changes) && s.changes[i+1].at-c.at < shortLevel {
			next := s.changes[i+1]
			for j := c.at; j < next.at; j++ {
				short[j] = true
			}
			c.at, c.Gradual = next.at, c.Gradual || next.Gradual
			i++
		}
		out = append(out, c)
	}
	return out
}
