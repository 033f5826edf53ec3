package store

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"perfdiff/analyze/run"
	"perfdiff/analyze/saved"
	"perfdiff/analyze/trace"
)

// noon is a time at which tests save.
var noon = time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)

// aRun is a set that was recorded at a time; zero: it does not say when.
func aRun(n int, began time.Time) *run.Set {
	r := rand.New(rand.NewPCG(uint64(n), 1))
	k := run.Rank{Host: "node-1", WorldSize: 1, Receipts: []run.Receipt{{Marker: "step"}}}
	if !began.IsZero() {
		k.Began = began.UnixNano()
	}
	values := make([]float64, 300)
	for i := range values {
		k.Steps = append(k.Steps, trace.Step{Number: int64(i), End: 1})
		values[i] = r.Float64()
	}
	k.Series = []run.Series{{Key: run.Key{Metric: "step_time"}, Values: values}}
	origin := run.Origin{Commit: fmt.Sprintf("%07x", 0xa000000+n)}
	return &run.Set{Label: "candidate", Digest: fmt.Sprintf("%x", n), Runs: []run.Run{{Name: "r", Origin: origin, Ranks: []run.Rank{k}}}}
}

// numberOf returns which run a set is.
func numberOf(t *testing.T, set *run.Set) (n int) {
	t.Helper()
	if _, err := fmt.Sscanf(set.Digest, "%x", &n); err != nil {
		t.Fatal(err)
	}
	return n
}

func readSet(path string) (*run.Set, error) {
	data, err := os.ReadFile(path)
	if err != nil || !saved.Is(data) {
		return nil, err
	}
	set, err := saved.Unmarshal(data, nil, &saved.MemoryBudget{Bytes: 1 << 28})
	if err != nil {
		return nil, fmt.Errorf("%s: %w", filepath.Base(path), err)
	}
	set.Kept = set.Kept.Trusted()
	return set, nil
}

func reading(now time.Time) Reading { return Reading{Now: now, Set: readSet} }

func contents(t *testing.T, dir string, now time.Time) *Contents {
	t.Helper()
	c, err := Read(dir, reading(now))
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// save saves runs, each at the time that at returns of its place.
func save(t *testing.T, dir string, at func(i int) time.Time, runs ...int) (names []string) {
	t.Helper()
	for i, n := range runs {
		name, err := Save(dir, aRun(n, time.Time{}), Saving{Now: at(i)})
		if err != nil {
			t.Fatal(err)
		}
		names = append(names, name)
	}
	return names
}

func daily(i int) time.Time { return noon.AddDate(0, 0, i) }

// saveAs writes a run as the store was before, or as people do.
func saveAs(t *testing.T, dir, name string, set *run.Set) {
	t.Helper()
	data, err := saved.Marshal(set)
	if err == nil {
		err = os.MkdirAll(dir, 0o755)
	}
	if err == nil {
		err = os.WriteFile(filepath.Join(dir, name+runExt), data, 0o644)
	}
	if err != nil {
		t.Fatal(err)
	}
}

// order returns which runs a store holds, in order.
func orderOf(t *testing.T, c *Contents) (runs []int) {
	t.Helper()
	for i := range c.Entries {
		if set := c.Entries[i].Set; set != nil {
			runs = append(runs, numberOf(t, set))
		}
	}
	return runs
}

func upTo(n int) (out []int) {
	for i := range n {
		out = append(out, i+1)
	}
	return out
}

func wantOrder(t *testing.T, what string, c *Contents, want []int) {
	t.Helper()
	if got := orderOf(t, c); !slices.Equal(got, want) {
		t.Errorf("%s: got %v want %v", what, got, want)
	}
	for i, set := range c.Sets() {
		if set.Place != i+1 {
			t.Errorf("%s: set %d has place %d", what, i+1, set.Place)
		}
	}
}

// TestOrderOfSaving: a clock that jumps back a year and forward changes nothing.
func TestOrderOfSaving(t *testing.T) {
	dir := t.TempDir()
	jumps := []int{0, 1, -365, 2, 400, 3, -4000, 5}
	names := save(t, dir, func(i int) time.Time { return daily(jumps[i]) }, upTo(len(jumps))...)
	c := contents(t, dir, daily(6))
	wantOrder(t, "jumps", c, upTo(len(jumps)))
	if len(c.Warnings) != 1 || c.Warnings[0].File != names[4] || !strings.Contains(c.Warnings[0].Cause, "2027-04-05") || !c.Entries[4].Future {
		t.Errorf("got %v", c.Warnings)
	}
	if got := c.Entries[7]; got.Number != 8 || got.Name+runExt != names[7] || got.Saved != daily(5).UnixNano() || got.Damaged != nil {
		t.Errorf("got %+v", got)
	}
}

// TestOldOrder: runs of a store as it was before keep their order and their files, and come before those saved since.
func TestOldOrder(t *testing.T) {
	for name, tt := range map[string]struct {
		files []string // in order
		began map[int]bool
	}{
		"dated":              {[]string{"20260101T120000Z-0123456789ab", "20260102T120000Z-f123456789ab", "20260103T120000Z-0123456789ab"}, map[int]bool{1: true, 2: true, 3: true}},
		"undated":            {[]string{"undated-000001-f123456789ab", "undated-000002-0123456789ab", "undated-000031-0123456789ab", "undated-000031-1123456789ab"}, nil},
		"an undated between": {[]string{"20260101T120000Z-0123456789ab", "undated-000002-0123456789ab", "20260103T120000Z-f123456789ab", "undated-000009-0123456789ab"}, map[int]bool{1: true, 3: true}},
		"one of 2030":        {[]string{"20300101T120000Z-0123456789ab", "20260101T120000Z-0123456789ab", "20260102T120000Z-f123456789ab"}, map[int]bool{2: true, 3: true}},
		"by hand":            {[]string{"run9", "run10", "run11"}, nil},
	} {
		dir := t.TempDir()
		for i := range tt.files {
			began := time.Time{}
			if tt.began[i+1] {
				began = time.Date(2026, 1, i+1, 12, 0, 0, 0, time.UTC)
			}
			saveAs(t, dir, tt.files[i], aRun(i+1, began))
		}
		before, err := os.ReadDir(dir)
		if err != nil {
			t.Fatal(err)
		}
		n := len(tt.files)
		wantOrder(t, name, contents(t, dir, noon), upTo(n))
		names := save(t, dir, daily, n+1, n+2)
		c := contents(t, dir, daily(1))
		wantOrder(t, name+", upgraded", c, upTo(n+2))
		if got := c.Entries[n].Number; got != int64(n+1) {
			t.Errorf("%s: the next has number %d: %v", name, got, names)
		}
		for _, f := range before {
			if _, err := os.Stat(filepath.Join(dir, f.Name())); err != nil {
				t.Errorf("%s: %v", name, err)
			}
		}
	}
}

// TestOneOddDate: a run of 2030, or one without a date, is the newest only until the next one is saved.
func TestOneOddDate(t *testing.T) {
	dir := t.TempDir()
	for i := range 6 {
		set := aRun(i+1, daily(i-10))
		if i == 3 {
			set = aRun(i+1, time.Date(2030, 1, 1, 0, 0, 0, 0, time.UTC))
		}
		if _, err := Save(dir, set, Saving{Now: daily(i)}); err != nil {
			t.Fatal(err)
		}
	}
	c := contents(t, dir, daily(6))
	wantOrder(t, "one of 2030", c, upTo(6))
	if len(c.Warnings) != 1 || !strings.Contains(c.Warnings[0].String(), "was recorded on 2030-01-01") {
		t.Errorf("got %v", c.Warnings)
	}
	if err := os.Remove(filepath.Join(dir, c.Entries[3].File)); err != nil {
		t.Fatal(err)
	}
	if c := contents(t, dir, daily(6)); len(c.Warnings) > 0 {
		t.Errorf("without it: got %v", c.Warnings)
	}
}

// TestUndatedThinned: runs that do not say when they were recorded stand in the order of saving once some are gone.
func TestUndatedThinned(t *testing.T) {
	dir := t.TempDir()
	at := func(i int) time.Time { return noon.Add(time.Duration(i) * 6 * time.Hour) }
	for i := range 170 {
		save(t, dir, func(int) time.Time { return at(i) }, i+1)
		if i%10 > 0 {
			continue
		}
		c := contents(t, dir, at(i))
		if err := Remove(dir, Thin(c.Entries, at(i), 30*aDay, nil)); err != nil {
			t.Fatal(err)
		}
	}
	got := orderOf(t, contents(t, dir, at(170)))
	if !slices.IsSorted(got) || len(got) < 130 || len(got) > 160 || got[len(got)-1] != 170 {
		t.Errorf("got %d runs: %v", len(got), got)
	}
}

// TestMergedStores: two caches that grew apart hold all runs when they are copied together, in one order.
func TestMergedStores(t *testing.T) {
	a, b := t.TempDir(), filepath.Join(t.TempDir(), "b")
	save(t, a, daily, 1, 2)
	if err := os.CopyFS(b, os.DirFS(a)); err != nil {
		t.Fatal(err)
	}
	save(t, a, func(i int) time.Time { return daily(2 + 2*i) }, 3, 5)
	save(t, b, func(i int) time.Time { return daily(3 + 2*i) }, 4, 6)
	files, err := os.ReadDir(b)
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range files {
		data, err := os.ReadFile(filepath.Join(b, f.Name()))
		if err == nil {
			err = os.WriteFile(filepath.Join(a, f.Name()), data, 0o644)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	wantOrder(t, "merged", contents(t, a, daily(9)), upTo(6))
}

// TestDamage: the newest run, or more than a quarter of them, unreadable.
func TestDamage(t *testing.T) {
	for _, tt := range []struct {
		cut  []int // of six
		want string
	}{
		{nil, ""}, {[]int{0}, ""}, {[]int{0, 3}, "2 of the 6 runs of the store cannot be read"},
		{[]int{5}, "the newest run of the store cannot be read"}, {[]int{0, 1, 2, 3, 4}, "5 of the 6 runs"}, {[]int{0, 1, 2, 3, 4, 5}, "the newest run"},
	} {
		dir := t.TempDir()
		names := save(t, dir, daily, upTo(6)...)
		for _, i := range tt.cut {
			if err := os.Truncate(filepath.Join(dir, names[i]), 300); err != nil {
				t.Fatal(err)
			}
		}
		c := contents(t, dir, daily(6))
		d := c.Damage()
		if got := c.Unreadable(); len(got) != len(tt.cut) || (d == nil) != (tt.want == "") || (c.Strict() == nil) != (len(got) == 0) {
			t.Errorf("%v: got %v and %v", tt.cut, got, d)
		}
		if d != nil && (!strings.Contains(d.Error(), tt.want) || !strings.Contains(d.Error(), "the summary is damaged") || len(d.Damaged) != len(tt.cut)) {
			t.Errorf("%v: got %v", tt.cut, d)
		}
		if len(c.Sets()) != 6 {
			t.Errorf("%v: got %d sets", tt.cut, len(c.Sets()))
		}
	}
}

// TestLitter: what killed processes left goes when a run is saved, a day after.
func TestLitter(t *testing.T) {
	dir := t.TempDir()
	for name, age := range map[string]time.Duration{".perfdiff-1": 25 * time.Hour, ".perfdiff-2": time.Hour, ".other": 99 * time.Hour} {
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, []byte("x"), 0o644); err != nil {
			t.Fatal(err)
		}
		if err := os.Chtimes(path, noon.Add(-age), noon.Add(-age)); err != nil {
			t.Fatal(err)
		}
	}
	if c := contents(t, dir, noon); len(c.Litter) != 2 || len(c.Entries)+len(c.Others) > 0 {
		t.Errorf("before: got %v", c.Litter)
	}
	save(t, dir, daily, 1)
	if c := contents(t, dir, noon); !slices.Equal(c.Litter, []string{".perfdiff-2"}) {
		t.Errorf("after: got %v", c.Litter)
	}
	if _, err := os.Stat(filepath.Join(dir, ".other")); err != nil {
		t.Error(err)
	}
}

// TestNumbersEnd: a file with the last number there is makes saving fail and say so.
func TestNumbersEnd(t *testing.T) {
	dir := t.TempDir()
	saveAs(t, dir, "999999999999-20260101T120000Z-0123456789ab", aRun(1, noon))
	if _, err := Save(dir, aRun(2, noon), Saving{Now: noon}); err == nil || !strings.Contains(err.Error(), "has the number 999999999999") {
		t.Errorf("got %v", err)
	}
	if _, err := Save(dir, aRun(2, noon), Saving{Now: noon, Branch: "a\nb"}); err == nil {
		t.Error("a branch of two lines is taken")
	}
}

// TestWriteErrors: the cause and what to do.
func TestWriteErrors(t *testing.T) {
	file := filepath.Join(t.TempDir(), "x")
	if err := os.WriteFile(file, nil, 0o644); err != nil {
		t.Fatal(err)
	}
	if _, err := Save(file, aRun(1, noon), Saving{Now: noon}); err == nil || strings.Contains(err.Error(), file) {
		t.Errorf("got %v", err)
	}
	if err := Remove(t.TempDir(), []string{"nothing.perfdiff"}); err != nil {
		t.Errorf("what another process removed: %v", err)
	}
	for _, text := range []string{"a: it is cut (copy it)", "it is cut (copy it)"} {
		if f := findingOf("a", errors.New(text)); f != (Finding{"a", "it is cut", "copy it"}) {
			t.Errorf("got %+v", f)
		}
	}
}
