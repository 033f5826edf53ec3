package store

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

// mounted returns a new file system in memory, of so many bytes, where the user may mount one.
func mounted(t *testing.T, size string) (dir string) {
	t.Helper()
	dir = t.TempDir()
	if out, err := exec.Command("mount", "-t", "tmpfs", "-o", "size="+size, "tmpfs", dir).CombinedOutput(); err != nil {
		t.Skipf("nothing can be mounted here: %s", out)
	}
	t.Cleanup(func() {
		if err := syscall.Unmount(dir, syscall.MNT_DETACH); err != nil {
			t.Error(err)
		}
	})
	return dir
}

// TestFullDisk: what was there stays, and nothing is left of what did not fit.
func TestFullDisk(t *testing.T) {
	dir := mounted(t, "64k")
	store := filepath.Join(dir, "perf")
	before := save(t, store, daily, upTo(3)...)
	filler, err := os.Create(filepath.Join(dir, "filler"))
	if err != nil {
		t.Fatal(err)
	}
	for err == nil {
		_, err = filler.Write(make([]byte, 4096))
	}
	filler.Close()
	refused(t, "a full disk", store, "no space left on device", "free space", before)
	if err := os.Remove(filler.Name()); err != nil {
		t.Fatal(err)
	}
	holds(t, store, append(before, save(t, store, daily, 500)...))
}

// TestReadOnly: likewise where nothing may be written.
func TestReadOnly(t *testing.T) {
	dir := mounted(t, "1m")
	before := save(t, dir, daily, upTo(3)...)
	if out, err := exec.Command("mount", "-o", "remount,ro", dir).CombinedOutput(); err != nil {
		t.Skipf("it cannot be made read-only: %s", out)
	}
	refused(t, "a read-only store", dir, "read-only file system", "make it a directory that may be written", before)
}

// TestWithoutRights: likewise where the user has no right to write, and is not root.
func TestWithoutRights(t *testing.T) {
	if os.Getuid() == 0 {
		t.Skip("root may write everywhere")
	}
	dir := t.TempDir()
	before := save(t, dir, daily, upTo(3)...)
	if err := os.Chmod(dir, 0o555); err != nil {
		t.Fatal(err)
	}
	defer os.Chmod(dir, 0o755)
	refused(t, "a directory without rights", dir, "permission denied", "make it a directory that may be written", before)
}

// TestFileLimit: a limit on the size of files, which any user can set, ends a write in the middle.
func TestFileLimit(t *testing.T) {
	dir := t.TempDir()
	before := save(t, dir, daily, upTo(3)...)
	cmd := child(t, dir, 500, 1)
	limited := exec.Command("sh", "-c", `ulimit -f 1; exec "$0" "$@"`, cmd.Path, cmd.Args[1], cmd.Args[2])
	limited.Env = cmd.Env
	out, err := limited.CombinedOutput()
	if err == nil || !strings.Contains(string(out), "file too large (what was there is as it was: free space") {
		t.Errorf("got %s (%v)", out, err)
	}
	if c := holds(t, dir, before); len(c.Entries) != 3 || len(c.Litter) > 0 {
		t.Errorf("got %d runs and %v", len(c.Entries), c.Litter)
	}
}
