package diff_test

import (
	"testing"

	"perfdiff/analyze/metric"
	"perfdiff/analyze/run"
	"perfdiff/diff/policy"
)

// TestDirections: what policies may say of a direction is the metric's own.
func TestDirections(t *testing.T) {
	gateable := policy.Gateable(metric.Descriptions())
	if len(gateable) < 10 {
		t.Errorf("only %d metrics can gate", len(gateable))
	}
	for _, m := range gateable {
		name, want := m.Name, map[run.Better]string{run.Lower: "lower", run.Higher: "higher"}[m.Better]
		if got := policy.BetterOf(m); got != want {
			t.Errorf("%s: got %s want %s", name, got, want)
		}
		for _, better := range []string{"lower", "higher"} {
			p := policy.DefaultPolicy()
			p.Rules = map[string]policy.Rule{name: {Better: better}}
			if ok := p.Check(metric.Descriptions()) == nil; ok != (better == want) {
				t.Errorf("%s better %s: taken: %v", name, better, ok)
			}
		}
	}
}
