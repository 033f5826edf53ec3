package verdict

import (
	"math"

	"perfdiff/diff/sides"
)

// movingSteps reports whether unpaired steps of the step time change over a run by what
// would be a change.
func (p *Judged) movingSteps(c *Comparison, moving bool) {
	if c.Key == sides.StepTime {
		p.Moving = moving && !math.IsNaN(c.Estimate)
	}
}
