package golden

import (
	"os"
	"path/filepath"
	"testing"
)

// recorder is a test that remembers whether it failed.
type recorder struct {
	testing.TB
	failed, skipped bool
}

func (r *recorder) Helper()               {}
func (r *recorder) Errorf(string, ...any) { r.failed = true }
func (r *recorder) Fatalf(string, ...any) { r.failed = true }
func (r *recorder) Skipf(string, ...any)  { r.skipped = true }

func TestCompare(t *testing.T) {
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "a.txt"), []byte("one\ntwo\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	t.Setenv("PERFDIFF_GOLDEN", "")
	for _, tt := range []struct {
		name, got string
		fails     bool
	}{
		{"a.txt", "one\ntwo\n", false},
		{"a.txt", "one\nthree\n", true},
		{"a.txt", "one\n", true},
		{"missing.txt", "", true},
	} {
		r := &recorder{TB: t}
		if Compare(r, dir, tt.name, []byte(tt.got)); r.failed != tt.fails {
			t.Errorf("%s with %q: failed is %v, want %v", tt.name, tt.got, r.failed, tt.fails)
		}
	}
	t.Setenv("PERFDIFF_GOLDEN", "update")
	Compare(t, dir, "new/b.txt", []byte("x"))
	if text, err := os.ReadFile(filepath.Join(dir, "new", "b.txt")); err != nil || string(text) != "x" {
		t.Errorf("updating: got %q, %v", text, err)
	}
}

func TestFirstDifference(t *testing.T) {
	if line, a, b := firstDifference([]byte("x\ny\nz"), []byte("x\nq\nz")); line != 2 || string(a) != "y" || string(b) != "q" {
		t.Errorf("got line %d, %q and %q, want 2, y and q", line, a, b)
	}
}
