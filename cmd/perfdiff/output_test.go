package main

import (
	"bytes"
	"context"
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

// TestFullDisk: when an output cannot be written, the one from before stays,
// nothing else does, and the error names file, cause and remedy.
func TestFullDisk(t *testing.T) {
	for _, tt := range []struct {
		name string
		err  error
		want string
	}{
		{"full disk", &os.PathError{Op: "write", Path: "/secret/.perfdiff-1", Err: syscall.ENOSPC}, "report.html: cannot be written: no space left on device (free space there, or write to another place with -o)"},
		{"quota", &os.PathError{Op: "write", Path: "/secret/.perfdiff-1", Err: syscall.EDQUOT}, "report.html: cannot be written: disk quota exceeded (free space there"},
		{"rename", &os.LinkError{Op: "rename", Old: "/secret/a", New: "/secret/b", Err: syscall.EROFS}, "report.html: cannot be written: read-only file system (write to another place with -o)"},
		{"other", errors.New("something"), "report.html: cannot be written: something"},
	} {
		dir := t.TempDir()
		path := filepath.Join(dir, "report.html")
		writeFile(t, path, "earlier")
		err := replaceFile(path, func(w io.Writer) error {
			io.WriteString(w, strings.Repeat("half of it", 1<<18))
			return tt.err
		})
		if err == nil || !strings.Contains(err.Error(), tt.want) || strings.Contains(err.Error(), "secret") {
			t.Errorf("%s: got error %v, want %q", tt.name, err, tt.want)
		}
		entries, _ := os.ReadDir(dir)
		if text, err := os.ReadFile(path); string(text) != "earlier" || len(entries) != 1 {
			t.Errorf("%s: the earlier output is %q (%v) among %d files", tt.name, text, err, len(entries))
		}
	}
}

// TestFileWriters: files are written one after the other, up to the first that cannot be, or at once,
// all of them; the error is that of the first in their order.
func TestFileWriters(t *testing.T) {
	second, third := errors.New("second"), errors.New("third")
	for atOnce, want := range map[bool]int{false: 2, true: 3} {
		files, began := fileWriters{atOnce: atOnce}, make(chan bool, 3)
		var err error
		for _, fails := range []error{nil, second, third} {
			if err = files.run(func() error { began <- true; return fails }); err != nil {
				break
			}
		}
		if err == nil {
			err = files.wait()
		}
		if err != second || len(began) != want {
			t.Errorf("at once %v: got error %v after %d files, want %v after %d", atOnce, err, len(began), second, want)
		}
	}
}

// TestFullStandardOutput writes to a device that is always full.
func TestFullStandardOutput(t *testing.T) {
	full, err := os.OpenFile("/dev/full", os.O_WRONLY, 0)
	if err != nil {
		t.Skip("no /dev/full here")
	}
	defer full.Close()
	root := t.TempDir()
	for _, side := range []string{"base", "cand"} {
		writeFile(t, filepath.Join(root, side, "a.json"), kinetoTrace(0, 8, "gemm"))
	}
	out := filepath.Join(root, "report.md")
	sides := []string{root + "/base", root + "/cand"}
	for _, args := range [][]string{append(sides, "-o", out), append(sides, "-o", "-", "--format", "json"), append(sides, "-o", "-", "--format", "html"),
		{"--help"}, {"--version"}, {"policy"}, {"demo", "--help"}, {"check", sides[0]}, {"summarize", sides[0], "-o", root + "/a.perfdiff"}, {"history", root}} {
		var stderr bytes.Buffer
		status := run(context.Background(), args, full, &stderr)
		if want := "perfdiff: error: standard output: cannot be written: no space left on device ("; status != statusError || !strings.Contains(stderr.String(), want) {
			t.Errorf("%v: exit %d, %q, want exit %d and %q", args, status, stderr.String(), statusError, want)
		}
	}
	if _, err := os.Stat(out); err != nil {
		t.Errorf("the file was not written: %v", err)
	}
}
