package analyze

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"perfdiff/analyze/run"
)

// TestSummaryWithoutRanks: a summary that holds nothing says so, and not that a flag which
// nobody gave is to blame.
func TestSummaryWithoutRanks(t *testing.T) {
	data, err := (&run.Set{Label: "x", Runs: []run.Run{}}).Summary()
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(t.TempDir(), "x.perfdiff")
	if err := os.WriteFile(path, data, 0o600); err != nil {
		t.Fatal(err)
	}
	for _, opt := range []Options{{}, {Ranks: func(int) bool { return true }}} {
		_, err = Load(context.Background(), path, opt)
		if err == nil || !strings.HasPrefix(err.Error(), "x.perfdiff: nothing to measure: the summary holds no ranks (") {
			t.Errorf("got %v", err)
		}
	}
}
