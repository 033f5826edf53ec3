package analyze

import (
	"context"
	"encoding/json"
	"fmt"
	"path/filepath"
	"slices"
	"testing"

	"perfdiff/analyze/run"
	"perfdiff/analyze/synth/nsystest"
)

// TestListsOfTheFileBefore: a file that is read into the lists of the one before measures
// as it does alone.
func TestListsOfTheFileBefore(t *testing.T) {
	dir, ctx := t.TempDir(), context.Background()
	for rank, kernels := range []int{30_000, 24_000, 26_000} {
		rows := nsystest.Rows{Kernels: kernels, Calls: kernels * 3 / 2, OS: kernels, Ranges: kernels / 8}
		if err := nsystest.LargeExport(ctx, filepath.Join(dir, fmt.Sprintf("rank%d.sqlite", rank)), rows); err != nil {
			t.Fatal(err)
		}
	}
	measured := func(path string) (all []string) {
		set, err := Load(ctx, path, Options{Jobs: 1})
		if err != nil {
			t.Fatal(err)
		}
		overRanks := func(s run.Series) bool {
			return slices.ContainsFunc(set.Metrics, func(m run.Metric) bool { return m.Joint && m.Name == s.Metric })
		}
		for _, r := range set.Runs[0].Ranks {
			r.Series = slices.DeleteFunc(r.Series, overRanks)
			text, err := json.Marshal([]any{r.Stats, r.Whole, r.Spans, r.Gaps, r.Longest, r.Steps})
			if err != nil {
				t.Fatal(err)
			}
			all = append(all, string(text)+fmt.Sprint(r.Series)) // which have NaN
		}
		return all
	}
	together := measured(dir)
	if len(together) != 3 {
		t.Fatalf("got %d ranks, want 3", len(together))
	}
	for rank := range together {
		alone := measured(filepath.Join(dir, fmt.Sprintf("rank%d.sqlite", rank)))
		if joint := together[rank]; len(alone) != 1 || alone[0] != joint {
			t.Errorf("rank %d measures otherwise behind other files than alone", rank)
		}
	}
}
