package series

import (
	"math"

	"perfdiff/diff/stat"
)

// Plan is what a gate does with a store's noise.
type Plan struct {
	Red        float64 // share of unchanged pull requests that one run fails; with up to three at most .3 %
	FoundOne   float64 // size that one run finds in 80 %
	FoundThree float64 // with up to three
	Weeks03    float64 // weeks until a creep of .3 % a week is seen
	Weeks1     float64 // of 1 % a week
	Worth      float64 // how many independent runs the mean of 20 neighbours is worth; 20 where they do not go together
}

// What the formulas of a plan were fitted with. Simulated, alpha .05, .01 and .003, sd .5 to 4 %: shares of red to
// within .4 of 100, sizes to within .4 sd or .3 %; TestPlan holds that.
const (
	unfailed  = 0.8  // share of what alpha allows that where main may stand leaves
	guarded   = 0.45 // sd that it costs
	foundBase = 1.7  // sd that up to three runs find, and how it grows with the quantile of alpha
	foundT    = 0.5
	foundOver = 0.9 // sd above Least
	halfRuns  = 10  // half of the 20 runs of the level now
)

// PlanOf says what a gate does with such noise and so many runs of main a week, 0: 25. The rule of thumb is 3.75 sd
// with one run and 2.9 with up to three, at alpha .01; creep is seen after
//
//	max(1.25 Least, 3.5 SD sqrt(2 L(20)/20))/rate + half of the 20 runs of the level now
func PlanOf(noise Noise, rule Rule, alpha, perWeek float64) Plan {
	rule = rule.filled()
	if perWeek == 0 {
		perWeek = 25
	}
	s := Series{noise: noise}
	s.lengthen()
	one := 1 + s.share(levelRuns)
	if noise.Together > 0 {
		one = min(one, 2)
	}
	one = math.Sqrt(one)
	df := max(noise.DF, floorDF)
	t := float64(stat.Beyond(alpha, df) * one)
	p := Plan{Red: float64(unfailed * min(alpha, stat.Above(rule.Least/float64(noise.SD*one), df)))}
	power := float64(stat.Beyond(1-stat.Power, df) * one)
	p.FoundOne = max(rule.Least+float64(power*noise.SD), float64((t+power+guarded)*noise.SD))
	p.FoundThree = max(rule.Least+float64(foundOver*noise.SD), (foundBase+float64(foundT*t))*noise.SD)
	bound := max(float64(creepLeast*rule.Least), float64(creepZ*noise.SD*math.Sqrt(2*s.share(creepRuns))))
	p.Weeks03, p.Weeks1 = bound/0.003+halfRuns/perWeek, bound/0.01+halfRuns/perWeek
	p.Worth = 1 / s.share(creepRuns)
	return p
}
