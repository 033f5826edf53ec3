package verdict

import (
	"fmt"
	"slices"
	"strings"

	"perfdiff/diff/policy"
)

// lostGates are the gating metrics that are not judged because a side does not hold them:
// where the other one does, or where the policy asks for the metric by name. What a pull
// request's profiles do not hold cannot fail it, and nobody would know.
func (p *Judged) lostGates(all []Comparison) (out []string) {
	chosen := !slices.Equal(p.Policy.Gating, policy.DefaultGating())
	var lacking [3][]string // by the candidate, by the baseline, by both
	for _, name := range p.Policy.Gating {
		c := MetricOf(all, name)
		switch {
		case c == nil:
		case chosen && c.Reason == ReasonNotJudged:
			out = append(out, fmt.Sprintf("%s gates by the policy, and it is not judged: %s", name, Unjudgeable(c)))
		case c.Reason != ReasonNotRecorded:
		case c.NotRecorded[0] == "":
			lacking[0] = append(lacking[0], name)
		case c.NotRecorded[1] == "":
			lacking[1] = append(lacking[1], name)
		case chosen:
			lacking[2] = append(lacking[2], name)
		}
	}
	for i, who := range []string{"only the baseline holds", "only the candidate holds", "neither side holds"} {
		if names := lacking[i]; names != nil {
			out = append(out, who+" "+strings.Join(names, ", ")+": what gates is not judged there (the rows say what to record)")
		}
	}
	return out
}
