package series

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"
)

// afterSteps is how often pull requests are red that branch k merges behind a step of main: unchanged ones, or ones
// that revert an improvement; in per cent.
type afterSteps struct {
	one, three   [21]float64 // by k
	mean1, mean3 float64     // of the 19 merges
}

func (w world) after(size float64, n int, seed uint64) (a afterSteps) {
	w.steps = []Drift{{100, size}}
	for i := range n {
		m := w.begin(rand.New(rand.NewPCG(seed, uint64(i))), Rule{})
		for range 100 {
			m.next()
		}
		for k := 1; k <= 20; k++ {
			m.next()
			one, three, _ := m.red(m.pr(max(0, -size)), DefaultAlpha)
			a.one[k] += 100 * float64(b2i(one)) / float64(n)
			a.three[k] += 100 * float64(b2i(three)) / float64(n)
		}
	}
	for k := 1; k <= 19; k++ {
		a.mean1, a.mean3 = a.mean1+a.one[k]/19, a.mean3+a.three[k]/19
	}
	return a
}

// TestAfter: after a step of main unchanged pull requests are hardly red, and one that reverts an improvement is.
func TestAfter(t *testing.T) {
	n := cases(100, 4000)
	for _, c := range []struct{ sd, size float64 }{{.01, .03}, {.01, .05}, {.02, .03}, {.02, .05}, {.01, -.05}} {
		a := world{sd: c.sd}.after(c.size, n, 22)
		line := fmt.Sprintf("sd %g, %+g: k=1 %.1f %.1f, k=2 %.1f %.1f, k=3 %.1f %.1f, k=5 %.1f %.1f; mean of 19 %.2f %.2f (one run, up to three; n %d)", 100*c.sd, 100*c.size,
			a.one[1], a.three[1], a.one[2], a.three[2], a.one[3], a.three[3], a.one[5], a.three[5], a.mean1, a.mean3, n)
		t.Log(line)
		count := func(p float64, of int) int { return int(math.Round(p * float64(of) / 100)) }
		if c.size < 0 {
			atLeast(t, line, count(a.one[1], n), n, 90)
			atLeast(t, line, count(a.three[1], n), n, 93)
			continue
		}
		atMost(t, line, count(a.mean1, 19*n), 19*n, 1.5)
		atMost(t, line, count(a.mean3, 19*n), 19*n, 1.5)
	}
}
