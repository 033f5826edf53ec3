package cause

import (
	"math"
	"regexp"

	"perfdiff/diff/sides"
	"perfdiff/diff/verdict"
)

// Of takes the step apart on both sides and says what changed, the largest first.
func Of(judged *verdict.Judged) *Causes {
	p := &Causes{Judged: judged, KernelShift: math.NaN(), Per: PerStep}
	for _, expr := range judged.Policy.IgnoreKernels {
		p.ignored = append(p.ignored, regexp.MustCompile(expr)) // the policy was checked
	}
	if verdict.Stepless(p.Judged.Lined) {
		p.Per = PerSecond
		compareWhole(p)
	} else {
		p.Kernels, p.KernelShift = compareKernels(p)
		p.Launched, p.Gaps = launched(p), compareGaps(p)
	}
	p.Waterfall, p.Groups, p.Pairs, p.Pipeline = waterfall(p), groupChanges(p), pairChanges(p), pipelines(p)
	p.Work = operatorWork(p)
	p.BothAtOnce(func(i int, s *sides.Side) { p.Stability[i] = conducts(p, s) })
	if p.Plan.Steps > 0 {
		p.BothAtOnce(func(i int, s *sides.Side) { p.Longest[i], p.RankWaits[i] = longest(s), rankWaits(s) })
		p.Bounds = boundsOf(p)
		p.HostWaits = [2][]RankWait{HostWaits(p.RankWaits[0]), HostWaits(p.RankWaits[1])}
	}
	p.Path, p.Suspects = path(p), suspects(p)
	p.Findings, p.BeyondNoise = findings(p), takeLonger(p)
	return p
}
