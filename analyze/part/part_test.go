package part

import (
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"reflect"
	"testing"

	"perfdiff/analyze/run"
	"perfdiff/analyze/saved"
	"perfdiff/analyze/trace"
)

// small is a part of two profiles, one of which could not be read.
func small(t *testing.T) *Part {
	t.Helper()
	p, err := New(Header{Tool: "test", Label: "set", Total: 5, Shards: 3, Shard: 2},
		Beside{OtherDirs: []string{"logs"}, Listed: []Listed{{Name: "a", Bytes: 7, Shard: 2}}},
		[]File{
			{File: run.File{Name: "b", Bytes: 9, Err: "is damaged"}},
			{File: run.File{Name: "a", Bytes: 7, Digest: "0f"}, Captures: []Capture{{Rank: run.Rank{Rank: 4, Host: "n1"}, Identity: trace.Identity{Rank: 4}, Epoch: trace.NoTime, Digest: "0e"}}},
		})
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// TestPart: what is written is read again, in order of name, under the name of its shard; twice the
// same bytes, and nothing else stays in the directory.
func TestPart(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "parts")
	var first []byte
	for range 2 {
		path, _, err := small(t).Write(dir)
		if err != nil || filepath.Base(path) != "shard-000002-of-000003.part" {
			t.Fatalf("got %s, %v", path, err)
		}
		data, err := os.ReadFile(path)
		if err != nil || first != nil && !bytes.Equal(data, first) {
			t.Errorf("written again it has other bytes, %v", err)
		}
		first = data
	}
	if names, err := filepath.Glob(filepath.Join(dir, "*")); len(names) != 1 {
		t.Errorf("got %v, %v, want the part alone", names, err)
	}
	r, err := Open(filepath.Join(dir, "shard-000002-of-000003.part"))
	if err != nil {
		t.Fatal(err)
	}
	budget := &saved.MemoryBudget{Bytes: 1 << 30}
	if b, err := r.BesideProfiles(budget); err != nil || !reflect.DeepEqual(b.OtherDirs, []string{"logs"}) || len(b.Listed) != 1 {
		t.Errorf("beside profiles: got %+v, %v", b, err)
	}
	if len(r.Entries) != 2 || r.Entries[0].Name != "a" || !reflect.DeepEqual(r.Entries[0].Ranks, []int{4}) || !r.Entries[1].Err {
		t.Fatalf("got entries %+v", r.Entries)
	}
	a, err := r.File(0, budget)
	if err != nil || len(a.Captures) != 1 || a.Captures[0].Rank.Host != "n1" || a.Captures[0].Epoch != trace.NoTime || a.Captures[0].Digest != "0e" {
		t.Errorf("got %+v, %v", a, err)
	}
	if b, err := r.File(1, budget); err != nil || b.Err != "is damaged" {
		t.Errorf("got %+v, %v", b, err)
	}
	if _, err := r.File(0, &saved.MemoryBudget{Bytes: 10}); !errors.Is(err, saved.ErrMemory) {
		t.Errorf("without memory: got %v", err)
	}
}

// TestDamagedPart: no cut and no other bit is read as a part.
func TestDamagedPart(t *testing.T) {
	var b bytes.Buffer
	if _, err := small(t).WriteTo(&b); err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(t.TempDir(), "x.part")
	open := func(data []byte) error {
		t.Helper()
		if err := os.WriteFile(path, data, 0o600); err != nil {
			t.Fatal(err)
		}
		_, err := Open(path)
		return err
	}
	if err := open(b.Bytes()); err != nil {
		t.Fatal(err)
	}
	for i := range b.Bytes() {
		if err := open(b.Bytes()[:i]); !errors.Is(err, ErrDamaged) && !errors.Is(err, ErrForeign) {
			t.Errorf("cut at byte %d: got %v", i, err)
		}
		other := bytes.Clone(b.Bytes())
		other[i] ^= 4
		if err := open(other); !errors.Is(err, ErrDamaged) && !errors.Is(err, ErrForeign) {
			t.Errorf("another byte %d: got %v", i, err)
		}
	}
	if err := open([]byte("a text\n")); !errors.Is(err, ErrForeign) {
		t.Errorf("a text: got %v", err)
	}
}

// TestSame: parts of one run set differ in their shard alone, and those that each machine took in their label.
func TestSame(t *testing.T) {
	h := Header{Tool: "test", Options: "0a", Plan: "0b", Listing: "0c", Label: "set", Total: 5, Shards: 3}
	for name, c := range map[string]struct {
		change func(*Header)
		want   bool
	}{
		"shard":   {func(h *Header) { h.Shard, h.Beside, h.Entries = 2, 9, []Entry{{Name: "a"}} }, true},
		"tool":    {func(h *Header) { h.Tool = "other" }, false},
		"options": {func(h *Header) { h.Options = "" }, false},
		"plan":    {func(h *Header) { h.Plan = "" }, false},
		"listing": {func(h *Header) { h.Listing = "" }, false},
		"label":   {func(h *Header) { h.Label = "other" }, false},
		"total":   {func(h *Header) { h.Total++ }, false},
		"shards":  {func(h *Header) { h.Shards++ }, false},
		"local":   {func(h *Header) { h.Local = true }, false},
	} {
		o := h
		if c.change(&o); h.Same(&o) != c.want || o.Same(&h) != c.want {
			t.Errorf("%s: got %v and %v, want %v", name, h.Same(&o), o.Same(&h), c.want)
		}
	}
	a, b := Header{Tool: "test", Label: "n1", Local: true}, Header{Tool: "test", Label: "n2", Local: true}
	if !a.Same(&b) {
		t.Error("machines that took what they saw differ by their label")
	}
}
