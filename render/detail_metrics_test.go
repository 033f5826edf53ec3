package render

import (
	"testing"

	"perfdiff/analyze/run"
	"perfdiff/diff/verdict"
)

// TestDetailOfFewSteps: of what most steps have none of the means are shown, which the change is one of.
func TestDetailOfFewSteps(t *testing.T) {
	c := verdict.Comparison{Metric: run.Metric{Name: "gap_bound_time", Unit: "s"}, Base: .058, Delta: -.058, BaseMean: .057, CandMean: .0017, Estimate: -.97, Relative: true}
	if o := detailRow(&c); o.metric != "gap_bound_time (mean)" || o.base != "57.0\u202fms" || o.cand != "1.70\u202fms" {
		t.Errorf("got %+v", o)
	}
	if c.CandMean = 0; detailRow(&c).metric != "gap_bound_time" {
		t.Errorf("got %+v", detailRow(&c))
	}
}
