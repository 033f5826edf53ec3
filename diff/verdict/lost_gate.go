package verdict

import (
	"slices"

	"perfdiff/diff/policy"
)

// LostGate are gating metrics that are not judged.
type LostGate struct {
	Names    []string
	Recorded [2]bool     // by the baseline, by the candidate
	Why      Unjudged    // both hold it, and the policy asks for it by name: why it is not judged; "" else
	Sources  [2][]string // what each side measured it from, then
}

// lostGates returns the gating metrics that are not judged because a side lacks them, while the other side has them or
// the policy names them. Otherwise a metric missing from a pull request's profiles could not fail it, and nobody would
// know.
func lostGates(p policy.Policy, all []Comparison) (out []LostGate) {
	chosen := !slices.Equal(p.Gating, policy.DefaultGating())
	var lacking [3][]string // by the candidate, by the baseline, by both
	for i, name := range p.Gates() {
		c := MetricOf(all, name)
		switch {
		case c == nil && chosen && policy.IsPrinted(name):
			lacking[2] = append(lacking[2], name)
		case c == nil:
		case chosen && i < len(p.Gating) && c.Reason == ReasonNotJudged:
			out = append(out, LostGate{[]string{name}, [2]bool{true, true}, c.Unjudged(), c.Sources})
		case c.Reason != ReasonNotRecorded:
		case !c.NotRecorded[0].Is():
			lacking[0] = append(lacking[0], name)
		case !c.NotRecorded[1].Is():
			lacking[1] = append(lacking[1], name)
		case chosen && i < len(p.Gating):
			lacking[2] = append(lacking[2], name)
		}
	}
	for i, held := range [][2]bool{{true, false}, {false, true}, {}} {
		if names := lacking[i]; names != nil {
			out = append(out, LostGate{Names: names, Recorded: held})
		}
	}
	return out
}
