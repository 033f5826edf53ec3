package main

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// withSteps renumbers the steps of a trace by what comes in place of #N.
func withSteps(text string, number func(i int) string) string {
	for i := range 8 {
		text = strings.Replace(text, fmt.Sprintf("ProfilerStep#%d\"", i), "ProfilerStep#"+number(i)+"\"", 1)
	}
	return text
}

// TestHostileFiles runs the whole program with one hostile file beside a good
// one on each side: the report is written and names what was left out.
func TestHostileFiles(t *testing.T) {
	good := kinetoTrace(0, 8, "gemm")
	for _, tt := range []struct {
		name, file, text string
		names            bool // the report names the file
	}{
		{"empty", "x.json", "", true},
		{"of another kind", "x.sqlite", "<!DOCTYPE html>", true},
		{"cut", "x.json", kinetoTrace(1, 8, "gemm")[:700], true},
		{"a billion steps claimed", "x.json", withSteps(kinetoTrace(1, 8, "gemm"), func(i int) string { return fmt.Sprint(i * 999_999_999) }), false},
		{"steps at the limit", "x.json", withSteps(kinetoTrace(1, 8, "gemm"), func(i int) string { return fmt.Sprint(9223372036854775800 + int64(i)) }), false},
		{"steps beyond the limit", "x.json", withSteps(kinetoTrace(1, 8, "gemm"), func(i int) string { return fmt.Sprint(i) + strings.Repeat("9", 30) }), false},
		{"a rank of two billion", "x.json", strings.Replace(kinetoTrace(1, 8, "gemm"), `"rank":1`, `"rank":2147483647`, 1), false},
		{"times at the limits", "x.json", strings.Replace(kinetoTrace(1, 8, "gemm"), `"ts":20,`, `"ts":9223372036854775.0,`, 1), false},
		{"times far apart", "x.json", strings.Replace(strings.Replace(kinetoTrace(1, 8, "gemm"), `"ts":20,`, `"ts":9223372036854775.0,`, 1), `"ts":1020,`, `"ts":-9223372036854775.0,`, 1), false},
		{"a name of 1 MB", "x.json", kinetoTrace(1, 8, strings.Repeat("</script><b>&'\"\x1b", 50<<10)), true},
		{"a name of 900 KB", "x.json", kinetoTrace(1, 3, strings.Repeat("<b>", 300<<10)), false},
	} {
		t.Run(tt.name, func(t *testing.T) {
			root := t.TempDir()
			for _, side := range []string{"base", "cand"} {
				writeFile(t, filepath.Join(root, side, "a.json"), good)
				writeFile(t, filepath.Join(root, side, tt.file), tt.text)
			}
			out := filepath.Join(root, "report")
			args := []string{filepath.Join(root, "base"), filepath.Join(root, "cand"), "-o", out + ".html", "-o", out + ".json", "-o", out + ".md"}
			var stdout, stderr bytes.Buffer
			if got := run(context.Background(), args, &stdout, &stderr); got != statusNotJudged { // both sides are the same files
				t.Errorf("exit %d, want %d: %s", got, statusNotJudged, stderr.String())
			}
			for _, ext := range []string{".html", ".json", ".md"} {
				text, err := os.ReadFile(out + ext)
				if err != nil || len(text) > 4<<20 || tt.names && !strings.Contains(string(text), tt.file) {
					t.Errorf("%s: %d bytes, %v, or the file is not named", ext, len(text), err)
				}
				checkSeen(t, ext, string(text))
			}
		})
	}
}

// TestNothingReadable: where nothing can be read, the error names a file and
// what was written earlier stays.
func TestNothingReadable(t *testing.T) {
	root := t.TempDir()
	writeFile(t, filepath.Join(root, "good", "a.json"), kinetoTrace(0, 8, "gemm"))
	out := filepath.Join(root, "report.html")
	writeFile(t, out, "earlier")
	for name, want := range map[string]string{
		"empty/.hidden":   "empty: nothing to measure: no profiles (expected",
		"other/notes.txt": "other: nothing to measure: no profiles",
		"text/x.json":     "x.json: not a profile that perfdiff reads",
		"nul/x.sqlite":    "x.sqlite: not a profile that perfdiff reads",
	} {
		writeFile(t, filepath.Join(root, name), "\x00\x01")
		bad := filepath.Join(root, filepath.Dir(name))
		for _, args := range [][]string{{bad, filepath.Join(root, "good")}, {filepath.Join(root, "good"), bad}} {
			var stdout, stderr bytes.Buffer
			if got := run(context.Background(), append(args, "-o", out), &stdout, &stderr); got != statusError || !strings.Contains(stderr.String(), want) || stdout.Len() > 0 {
				t.Errorf("%s: exit %d, %q, want exit %d and %q", name, got, stderr.String(), statusError, want)
			}
		}
	}
	if text, err := os.ReadFile(out); err != nil || string(text) != "earlier" {
		t.Errorf("the earlier output is %q, %v", text, err)
	}
}
