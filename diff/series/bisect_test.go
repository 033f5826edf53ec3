package series

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"
)

// bisected is what a bisection of commits gives.
type bisected struct{ named, wrong, none, runs, covered, set int }

func bisections(commits int, size, sd float64, most, n int, seed uint64) (out bisected) {
	for i := range n {
		g := rand.New(rand.NewPCG(seed, uint64(i)))
		at := 0
		if size > 0 {
			at = 1 + g.IntN(commits)
		}
		run := func(c int) float64 {
			y := sd * g.NormFloat64()
			if at > 0 && c >= at {
				y += size
			}
			return y
		}
		var before, after []float64
		for range BeforeRuns {
			before = append(before, run(0))
		}
		for range AfterRuns {
			after = append(after, run(commits))
		}
		noise := Noise{SD: math.Sqrt((2*.015*.015 + 57*sd*sd) / 59), DF: 59}
		b := Bisect(commits, before, after, noise, Rule{})
		s := b.Next()
		for s.End == NotYet && s.Used < most {
			b.Observe(s.Commit, run(s.Commit))
			s = b.Next()
		}
		if s.End == NotYet { // fewer runs than it takes
			p := b.Posterior()
			if s.Commit = slices.Index(p, slices.Max(p)); p[s.Commit] < naming {
				s.Commit = 0
			}
		}
		out.named += b2i(s.Commit > 0 && s.Commit == at)
		out.wrong += b2i(s.Commit > 0 && s.Commit != at)
		out.none += b2i(s.End == NoneDid)
		out.runs += s.Used
		out.covered += b2i(slices.Contains(s.Set, at))
		out.set += len(s.Set)
	}
	return out
}

func TestBisect(t *testing.T) {
	n := cases(300, 2000)
	for _, c := range []struct {
		commits     int
		size, sd    float64
		most        int
		least       float64 // per cent that are right
		wrong, runs float64 // at most
	}{
		{64, .03, .015, 24, 90, 5, 17}, {64, .03, .015, 12, 58, 9, 12}, {64, .03, .01, 12, 92, 4, 10}, {64, .05, .015, 12, 94, 3, 9},
		{16, .03, .015, 12, 82, 8, 11}, {8, .03, .015, 12, 90, 6, 9}, {64, 0, .015, 24, 0, 2, 4}, {64, 0, .01, 12, 0, 2, 2},
	} {
		b := bisections(c.commits, c.size, c.sd, c.most, n, 61)
		q := func(k int) float64 { return 100 * float64(k) / float64(n) }
		line := fmt.Sprintf("%d commits, %+g at %g, at most %d: right %.1f, wrong %.1f, said none %.1f; set holds it in %.1f and has %.1f; runs %.1f (n %d)", c.commits, 100*c.size, 100*c.sd, c.most, q(b.named), q(b.wrong), q(b.none), q(b.covered), float64(b.set)/float64(n), float64(b.runs)/float64(n), n)
		t.Log(line)
		atLeast(t, line, b.named, n, c.least)
		atMost(t, line, b.wrong, n, c.wrong)
		atLeast(t, line, b.covered, n, 90)
		if float64(b.runs) > c.runs*float64(n) {
			t.Errorf("%s: more than %g runs", line, c.runs)
		}
	}
}
