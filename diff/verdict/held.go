package verdict

import "math"

// Obstacle says what holds an inconclusive comparison back from a verdict.
type Obstacle int

// What holds a comparison back. NoObstacle is the zero value: it has a verdict, or its estimate
// is just within the noise that is assumed, or it has too few steps.
const (
	NoObstacle        Obstacle = iota
	ObstacleTogether           // for itself it would be decided, among TestedTogether gating metrics it is not
	ObstacleLeaning            // it leans one way, and its interval holds zero; RunsNeeded runs a side would decide
	ObstacleEitherWay          // it is large enough to matter, and may be a change either way
	ObstacleUnsettled          // the steps do not settle
	ObstacleTrend              // its interval leaves out zero, and the sides may stand at other places of one trend
	ObstacleUnpaired           // its steps could not be compared one by one
	ObstacleSmall              // its interval leaves out zero, and it is less than what matters
)

// Obstacle returns what holds a comparison back from a verdict.
func (c *Comparison) Obstacle() Obstacle {
	if c.Outcome() != OutcomeInconclusive {
		return NoObstacle
	}
	switch c.Reason {
	case ReasonManyMetrics:
		return ObstacleTogether
	case ReasonNeedsRuns:
		if c.DoesLean() {
			return ObstacleLeaning
		}
		return ObstacleEitherWay
	case ReasonTooFewSteps:
		return NoObstacle
	case ReasonNoSteadyState:
		return ObstacleUnsettled
	case ReasonNoCommonSteps:
		if LeavesOutZero(c) {
			return ObstacleTrend
		}
		return ObstacleUnpaired
	}
	if LeavesOutZero(c) && math.Abs(c.Estimate) < c.Threshold {
		return ObstacleSmall
	}
	return NoObstacle
}
