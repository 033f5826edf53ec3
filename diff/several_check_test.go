package diff_test

import (
	"strings"
	"testing"

	"perfdiff/analyze/run"
	"perfdiff/diff"
)

// TestAlikeLabels: candidates of one name are refused, unless the user names them.
func TestAlikeLabels(t *testing.T) {
	base, cands := &run.Set{Label: "main"}, []*run.Set{{Label: "a"}, {Label: "a"}}
	if err := diff.CheckSeveral(base, cands, false); err == nil || !strings.Contains(err.Error(), "a: two run sets are called so") {
		t.Errorf("got %v", err)
	}
	if err := diff.CheckSeveral(base, cands, true); err != nil {
		t.Errorf("named: got %v", err)
	}
}
