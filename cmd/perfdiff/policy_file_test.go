//go:build unix

package main

import (
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"perfdiff/cmd/perfdiff/policyfile"
)

// TestPolicyIsAFile: what is no file of a policy's size is refused before it is opened, so
// that nothing is read without end, and nothing waits.
func TestPolicyIsAFile(t *testing.T) {
	dir := t.TempDir()
	t.Chdir(dir)
	if err := syscall.Mkfifo("pipe", 0o600); err != nil {
		t.Skipf("no pipes here: %v", err)
	}
	if err := os.Mkdir("dir", 0o755); err != nil {
		t.Fatal(err)
	}
	writeFile(t, "large", "# "+strings.Repeat("x", policyfile.Largest))
	writeFile(t, "just-right", "# "+strings.Repeat("x", policyfile.Largest-3)+"\n")
	for _, tt := range []struct{ path, want string }{
		{"/dev/zero", "is no regular file but a device or a pipe"}, {filepath.Join(dir, "pipe"), "is no regular file"}, {filepath.Join(dir, "dir"), "is a directory"},
		{filepath.Join(dir, "large"), "is larger than 64 KB"}, {filepath.Join(dir, "nothing"), "is a link to a file that is not there"},
	} {
		if _, stderr := mustRun(t, statusError, "policy", "--policy", tt.path); tt.path != filepath.Join(dir, "nothing") && !strings.Contains(stderr, "--policy "+tt.path+": "+tt.want) {
			t.Errorf("%s: got %s want %q", tt.path, stderr, tt.want)
		}
		if err := os.Symlink(tt.path, policyfile.Name); err != nil {
			t.Fatal(err)
		}
		if _, stderr := mustRun(t, statusError, "policy"); !strings.Contains(stderr, "--policy perfdiff.yaml: "+tt.want) {
			t.Errorf("a link to %s: got %s want %q", tt.path, stderr, tt.want)
		}
		if err := os.Remove(policyfile.Name); err != nil {
			t.Fatal(err)
		}
	}
	mustRun(t, statusOK, "policy", "--policy", "just-right")
}
