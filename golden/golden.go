// Package golden holds the expected outputs of the whole program, one folder
// for each story, and the lines that compare them. Set PERFDIFF_GOLDEN=update
// (make golden) to rewrite them, and look at the difference before committing.
package golden

import (
	"bytes"
	"os"
	"path/filepath"
	"testing"
)

// Compare holds got against the file of that name below dir, this package's
// folder as the test sees it. It rewrites the file where asked to.
func Compare(t testing.TB, dir, name string, got []byte) {
	t.Helper()
	path := filepath.Join(dir, filepath.FromSlash(name))
	if os.Getenv("PERFDIFF_GOLDEN") == "update" {
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, got, 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Errorf("%s: no expected output: run make golden and look at it: %v", name, err)
		return
	}
	if !bytes.Equal(got, want) {
		line, g, w := firstDifference(got, want)
		t.Errorf("%s: line %d differs (make golden rewrites it)\n got: %.300s\nwant: %.300s", name, line, g, w)
	}
}

// firstDifference returns the first line in which a and b differ.
func firstDifference(a, b []byte) (line int, inA, inB []byte) {
	la, lb := bytes.Split(a, []byte("\n")), bytes.Split(b, []byte("\n"))
	for i := 0; i < len(la) || i < len(lb); i++ {
		var x, y []byte
		if i < len(la) {
			x = la[i]
		}
		if i < len(lb) {
			y = lb[i]
		}
		if !bytes.Equal(x, y) || i >= len(la) || i >= len(lb) {
			return i + 1, x, y
		}
	}
	return 0, nil, nil
}
