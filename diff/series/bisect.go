package series

import (
	"cmp"
	"math"
	"slices"
)

// Bisection finds which of the commits 1 to n between a good run of main and a bad one made it slower. Commit n is
// that of the bad run.
type Bisection struct {
	n         int
	variance  float64   // of one run
	sum, runs []float64 // by commit; 0 has the runs of the level before
	sizes     []float64
	used      int
}

// How a bisection is done. Simulated: 64 commits, +3 %: right in 92 % with at most 24 runs at a noise of 1.5 % (15 on
// average), wrong in 3; at 1 % in 95 with twelve. At 1.5 % twelve runs give 61 %, and a searcher who knew the level
// and the size 78. Where nothing changed, none is named in 99.6 %. With odds of .1 in place of .5 runs are wasted
// there.
const (
	noneOdds  = 0.5  // that nothing changed, at first
	noneCheck = 0.3  // from which on the bad commit itself is run again
	sure      = 0.95 // and it ends
	naming    = 0.5  // with which a commit is named when the runs are used up
	inSet     = 0.9  // by definition of the set
	// MostBisected is how many runs a bisection takes at most.
	MostBisected = 24
	// BeforeRuns and AfterRuns are how many runs of the levels at its ends it begins with, at most.
	BeforeRuns, AfterRuns = 20, 5
)

// bisectSizes are the sizes that a change may have, alike likely, in Least: 1.5 to 12 % where that is 2. See naming.
var bisectSizes = [...]float64{0.75, 1, 1.5, 2, 3, 4, 6}

// Bisect begins to look for the change among n commits, from the runs of the levels before it and after it.
func Bisect(n int, before, after []float64, noise Noise, rule Rule) *Bisection {
	b := &Bisection{n: n, variance: float64(noise.SD * noise.SD), sum: make([]float64, n+1), runs: make([]float64, n+1)}
	for _, z := range bisectSizes {
		b.sizes = append(b.sizes, float64(z*rule.filled().Least))
	}
	for _, y := range before {
		b.add(0, y)
	}
	for _, y := range after {
		b.add(n, y)
	}
	return b
}

// Ends returns the runs that count at both ends of the range of a change: up to 20 of the level before it, and up to
// five from its last place on.
func (s *Series) Ends(c Change) (before, after []float64) {
	first, _ := slices.BinarySearch(s.of, c.First)
	last, _ := slices.BinarySearch(s.of, c.Last)
	level := 0
	for _, a := range s.starts {
		if a < c.at {
			level = a
		}
	}
	end := len(s.y)
	for _, o := range s.changes {
		if o.at > c.at {
			end = min(end, o.at)
		}
	}
	return s.y[max(level, first-BeforeRuns):first], s.y[last:max(last, min(end, last+AfterRuns))]
}

func (b *Bisection) add(commit int, y float64) {
	b.sum[commit] += y
	b.runs[commit]++
}

// Observe takes a run of a commit, from 1 on.
func (b *Bisection) Observe(commit int, y float64) {
	b.add(commit, y)
	b.used++
}

// Know takes a run of main between both ends, which took none of those that a bisection may.
func (b *Bisection) Know(commit int, y float64) { b.add(commit, y) }

// Difference returns by how much the mean of the runs from a commit on differs from that of those before it.
func (b *Bisection) Difference(commit int) float64 {
	var sum, runs [2]float64
	for c := range b.sum {
		side := 0
		if c >= commit {
			side = 1
		}
		sum[side], runs[side] = sum[side]+b.sum[c], runs[side]+b.runs[c]
	}
	return sum[1]/runs[1] - sum[0]/runs[0]
}

// Posterior returns how likely each commit made the change, from index 1 on; at index 0, that none did. With d_k the
// mean of the runs from commit k on less that of those before it, and w_k the variance of that,
//
//	p(k) ~ (1 - p0)/n * mean over sizes z of exp((d_k z - z^2/2)/w_k),  p(none) ~ p0 = 0.5
func (b *Bisection) Posterior() []float64 {
	total, runs := 0.0, 0.0
	for c := range b.sum {
		total, runs = total+b.sum[c], runs+b.runs[c]
	}
	p := make([]float64, b.n+1)
	var logs []float64
	sum, of := b.sum[0], b.runs[0]
	for k := 1; k <= b.n; k++ {
		if of > 0 && runs > of {
			w, d := float64(b.variance*(1/of+1/(runs-of))), (total-sum)/(runs-of)-sum/of
			logs = logs[:0]
			for _, z := range b.sizes {
				logs = append(logs, (float64(d*z)-float64(float64(z*z)/2))/w)
			}
			p[k] = math.Log((1-noneOdds)/float64(b.n)) + logMean(logs)
		} else {
			p[k] = math.Log((1 - noneOdds) / float64(b.n))
		}
		sum, of = sum+b.sum[k], of+b.runs[k]
	}
	p[0] = math.Log(noneOdds)
	most, all := slices.Max(p), 0.0
	for k := range p {
		p[k] = math.Exp(p[k] - most)
		all += p[k]
	}
	for k := range p {
		p[k] /= all
	}
	return p
}

// logMean returns the logarithm of the mean of what v are logarithms of.
func logMean(v []float64) float64 {
	most, sum := slices.Max(v), 0.0
	for _, x := range v {
		sum += math.Exp(x - most)
	}
	return most + math.Log(sum/float64(len(v)))
}

// Step is where a bisection stands.
type Step struct {
	End    End
	Commit int     // the next one to run; at the end the one that made the change, 0 none
	Chance float64 // of what is likeliest
	None   float64 // chance that none did
	Set    []int   // smallest set that holds the one with 90 %, in their order; with 0: perhaps none did
	Used   int     // runs that were taken
}

// End is why a bisection ended.
type End int

// Why it ended.
const (
	NotYet    End = iota
	Found         // a commit is sure
	NoneDid       // nothing changed
	OutOfRuns     // 24 runs were taken; Commit is the one that is likelier than not, if there is one
)

// Next says what to run next, or how it ended. It runs the commit that splits best where the change is: q(1-q)
// largest, with q the chance that it is slow; the bad commit itself while nothing may have changed.
func (b *Bisection) Next() Step {
	p := b.Posterior()
	top := 0
	for k := range p {
		if p[k] > p[top] {
			top = k
		}
	}
	s := Step{Chance: p[top], None: p[0], Set: set(p), Used: b.used}
	switch {
	case p[top] >= sure && top == 0:
		s.End = NoneDid
	case p[top] >= sure:
		s.End, s.Commit = Found, top
	case b.used >= MostBisected:
		if s.End = OutOfRuns; p[top] >= naming {
			s.Commit = top
		}
	case p[0] > noneCheck:
		s.Commit = b.n
	default:
		s.Commit = b.split(p)
	}
	return s
}

func (b *Bisection) split(p []float64) int {
	at, best, q := b.n, -1.0, 0.0
	for c := 1; c <= b.n; c++ {
		q += p[c]
		if v := float64(q * (1 - q)); v > best {
			at, best = c, v
		}
	}
	return at
}

// set returns the likeliest places that have 90 % together, in their order.
func set(p []float64) []int {
	by := make([]int, len(p))
	for k := range by {
		by[k] = k
	}
	slices.SortStableFunc(by, func(a, b int) int { return cmp.Compare(p[b], p[a]) })
	sum, n := 0.0, 0
	for n < len(by) && sum < inSet {
		sum += p[by[n]]
		n++
	}
	slices.Sort(by[:n])
	return by[:n]
}
