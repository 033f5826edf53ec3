package series

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"
)

// TestPlan holds the formulas of a plan to pull requests of many sizes on a flat main.
func TestPlan(t *testing.T) {
	n, alphas, noises := cases(2, 20), []float64{.01}, []float64{.01, .02}
	if n == 20 {
		alphas, noises = []float64{.05, .01, .003}, []float64{.005, .01, .02, .04}
	}
	for _, alpha := range alphas {
		for _, sd := range noises {
			var sizes []float64
			for d := 0.0; d <= max(.05, 5*sd); d += .125 * max(.01, sd) {
				sizes = append(sizes, d)
			}
			f1, f3, all := make([]int, len(sizes)), make([]int, len(sizes)), 0
			var noise Noise
			for i := range n {
				m := world{sd: sd}.begin(rand.New(rand.NewPCG(81, uint64(i))), Rule{})
				for j := range 500 {
					if m.next(); j < 60 || j%4 != 0 {
						continue
					}
					all++
					x := m.pr(0)
					for q, d := range sizes {
						y := make([]Point, 3)
						for k := range y {
							y[k] = Point{Value: x[k].Value + d}
						}
						one, three, _ := m.red(y, alpha)
						f1[q], f3[q] = f1[q]+b2i(one), f3[q]+b2i(three)
					}
				}
				noise = m.s.Noise()
			}
			at := func(f []int) float64 {
				for q := range sizes {
					if 10*f[q] >= 8*all {
						return 100 * sizes[q]
					}
				}
				return 99
			}
			p := PlanOf(Noise{SD: sd, DF: noise.DF}, Rule{}, alpha, 0)
			red := 100 * float64(f1[0]) / float64(all)
			line := fmt.Sprintf("alpha %g, sd %g: red for nothing %.2f %%, plan %.2f; found in 80 %%: one run +%.2f, plan +%.2f, up to three +%.2f, plan +%.2f (n %d)", alpha, 100*sd, red, 100*p.Red, at(f1), 100*p.FoundOne, at(f3), 100*p.FoundThree, all)
			t.Log(line)
			room := 100 * max(.003, .4*sd)
			if rough := 3 * 2 * math.Sqrt(100*100*p.Red/float64(all)); math.Abs(red-100*p.Red) > .4+rough || math.Abs(at(f1)-100*p.FoundOne) > room || math.Abs(at(f3)-100*p.FoundThree) > room {
				t.Error(line)
			}
		}
	}
	p := PlanOf(Noise{SD: .01, DF: 60}, Rule{}, DefaultAlpha, 25)
	near(t, "weeks of .3 %", p.Weeks03, 8.7, .1)
	near(t, "weeks of 1 %", p.Weeks1, 2.9, .1)
	near(t, "worth", p.Worth, 20, 1e-9)
	if p := PlanOf(Noise{SD: .01, DF: 60, Together: .9}, Rule{}, DefaultAlpha, 25); p.Worth > 2 || p.Worth < 1 || p.Weeks1 < 3 {
		t.Errorf("AR .9: %+v", p)
	}
}
