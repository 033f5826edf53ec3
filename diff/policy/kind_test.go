package policy

import (
	"slices"
	"testing"

	"perfdiff/analyze/metric"
	"perfdiff/analyze/run"
)

// TestKindNeeds: what kinds are made of is measured, and a metric that names its kind of finding
// is among what that needs.
func TestKindNeeds(t *testing.T) {
	all := metric.Descriptions()
	for _, kind := range allKinds() {
		for _, name := range kind.Needs() {
			if !slices.ContainsFunc(all, func(m run.Metric) bool { return m.Name == name }) {
				t.Errorf("%s needs %s, which is no metric", kind, name)
			}
		}
	}
	for _, m := range all {
		if kind := Kind(m.Finding); slices.Contains(allKinds(), kind) && !slices.Contains(kind.Needs(), m.Name) {
			t.Errorf("%s needs %v, and %s makes findings of it", kind, kind.Needs(), m.Name)
		}
	}
}

func allKinds() (out []Kind) {
	for i := range kinds {
		out = append(out, kinds[i].kind)
	}
	return out
}
