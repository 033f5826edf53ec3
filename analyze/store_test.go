package analyze

import (
	"context"
	"os"
	"path/filepath"
	"testing"
	"time"

	"perfdiff/analyze/store"
)

// TestStore: runs of a store are read in the order of saving, and its files beside them do not make it something else.
func TestStore(t *testing.T) {
	dir, now := filepath.Join(t.TempDir(), "perf"), time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)
	var names []string
	for i := range 5 {
		set := loadTree(t, tree(t, map[string]string{"rank0.json": profile(0, 100-i, 12+i)}), Options{})
		name, err := store.Save(dir, set, store.Saving{Now: now.AddDate(0, 0, -i)})
		if err != nil {
			t.Fatal(err)
		}
		names = append(names, name)
	}
	if _, err := store.AddEvent(dir, store.Event{Kind: store.Note, Reason: "x"}, now); err != nil {
		t.Fatal(err)
	}
	sets, kept, err := LoadStore(dir, now, Options{})
	if err != nil || len(sets) != 5 || len(kept.Events) != 1 || len(kept.Others) > 0 {
		t.Fatalf("got %d sets and %+v (%v)", len(sets), kept, err)
	}
	for i, set := range sets {
		if set.Label+".perfdiff" != names[i] || set.Place != i+1 || set.Kept == nil {
			t.Errorf("set %d: got %s, %d", i, set.Label, set.Place)
		}
	}
	for path, runs := range map[string]int{dir: 5, filepath.Join(dir, names[2]): 1} { // as a side
		if set, err := Load(context.Background(), path, Options{}); err != nil || len(set.Runs) != runs || set.Kept != nil {
			t.Errorf("%s: got %+v (%v)", filepath.Base(path), set, err)
		}
	}
	if err := os.Truncate(filepath.Join(dir, names[4]), 100); err != nil {
		t.Fatal(err)
	}
	if sets, kept, err := LoadStore(filepath.Join(dir, "none"), now, Options{}); err != nil || len(sets)+len(kept.Entries) > 0 {
		t.Errorf("no store: got %v (%v)", sets, err)
	}
}
