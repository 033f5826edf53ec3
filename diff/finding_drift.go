package diff

import (
	"fmt"
	"math"

	"perfdiff/diff/number"
)

// driftFinding says that steps grow over a run on one side and not, or less, on
// the other.
func (p *pair) driftFinding(r *Report) []Finding {
	c, step := metricOf(r.Metrics, "drift"), metricOf(r.Metrics, stepTime.Metric)
	if c == nil || step == nil || !c.changed() {
		return nil
	}
	sc := number.ScaleOf("s", math.Max(step.Base, step.Cand))
	f := Finding{Metric: "drift", Number: number.Signed(100 * c.Delta), Unit: "points", Class: "better", Section: "steps"}
	said := fmt.Sprintf("in the baseline %s, in the candidate %s.", course(step.Base, c.Base, sc), course(step.Cand, c.Cand, sc))
	switch {
	case c.Base <= -driftLeast && c.Delta > 0:
		f.Text, f.Class = "Steps shrink less over the run: "+said, "worse"
	case c.Cand <= -driftLeast:
		f.Text = "Steps shrink over the run: " + said
	case c.Delta > 0:
		f.Text, f.Class = "Steps grow more over the run: "+said, "worse"
	case math.Abs(c.Cand) < driftLeast:
		f.Text = "Steps no longer grow over the run: " + said
	default:
		f.Text = "Steps grow less over the run: " + said
	}
	f.Interval, f.Evidence = absolute(c), p.ground1(c)
	if f.Class == "worse" {
		f.Advice = "See which part grows with the steps (Ranks × steps): input as a page cache fills, compute as a clock falls, gaps as memory fragments."
	}
	return []Finding{f}
}

// course says where the robust line through the steps of a side begins and
// ends: it passes the median in the middle.
func course(median, drift float64, sc number.Scale) string {
	if math.Abs(drift) < driftLeast {
		return "they stay at " + sc.With(median)
	}
	half := math.Sqrt(1 + drift)
	return fmt.Sprintf("from %s to %s", sc.Format(median/half), sc.With(median*half))
}
