package diff_test

import (
	"slices"
	"testing"

	"perfdiff/analyze/metric"
	"perfdiff/analyze/run"
	"perfdiff/diff/policy"
)

// TestMetricRoles: what gates where nobody says otherwise and what findings speak about is
// said by the metrics' own fields: kinds that exist, and each place in an order once.
func TestMetricRoles(t *testing.T) {
	want := []string{"step_time", "exposed_comm_time", "input_wait_time", "overlap", "idle_time", "drift", "tail", "imbalance"}
	if got := policy.DefaultGating(); !slices.Equal(got, want) {
		t.Errorf("gating: got %v, want %v", got, want)
	}
	all := policy.Metrics(metric.Descriptions())
	place := map[string]string{}
	taken := func(m run.Metric, list string, at int) {
		if key := list + string(rune('0'+at)); at != 0 && place[key] != "" {
			t.Errorf("%s: place %d of %s is that of %s", m.Name, at, list, place[key])
		} else {
			place[key] = m.Name
		}
	}
	for _, m := range all {
		taken(m, "gating", m.GateOrder)
		if m.PartOfStep {
			taken(m, "parts of the step", m.FindingOrder)
		} else {
			taken(m, "supports", m.FindingOrder)
		}
		if m.Finding != "" && !slices.Contains(policy.FailKinds(), m.Finding) {
			t.Errorf("%s: no finding is of the kind %q", m.Name, m.Finding)
		}
		if m.FindingOrder != 0 && m.Finding == "" {
			t.Errorf("%s: findings go through it, and have no kind", m.Name)
		}
		if m.GateOrder != 0 && !slices.ContainsFunc(policy.Gateable(metric.Descriptions()), func(g run.Metric) bool { return g.Name == m.Name }) {
			t.Errorf("%s gates by default and cannot gate", m.Name)
		}
		for _, w := range m.RankWork {
			if w.Part != "" && m.Part == "" {
				t.Errorf("%s has no parts, and a rank works on %q", m.Name, w.Part)
			}
		}
	}
}
