//go:build unix

package main

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"testing"

	"perfdiff/analyze/synth"
)

// TestPlatforms: the same inputs give the same bytes on arm64. The program is
// built for it and run where qemu-aarch64 is; in any case none of its own code
// may multiply and add at once, which rounds once where amd64 rounds twice. It is built with
// the profile that users' builds have, since what is inlined decides what stands together.
func TestPlatforms(t *testing.T) {
	exe := filepath.Join(t.TempDir(), "perfdiff-arm64")
	build := exec.Command("go", "build", "-pgo=auto", "-buildvcs=false", "-o", exe, ".") // no version, as tests
	build.Env = append(os.Environ(), "GOOS=linux", "GOARCH=arm64", "CGO_ENABLED=0")
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	listing, err := exec.Command("go", "tool", "objdump", "-s", `^perfdiff/(analyze|diff|render)`, exe).Output()
	if err != nil {
		t.Fatal(err)
	}
	for _, m := range regexp.MustCompile(`(?m)^\s+(\S+\.go:\d+)\s.*\sFN?M(?:ADD|SUB)[DS]\s`).FindAllSubmatch(listing, 20) {
		t.Errorf("%s multiplies and adds at once on arm64: write float64() around the product", m[1])
	}
	if len(listing) < 1e6 {
		t.Errorf("the listing has only %d bytes", len(listing))
	}
	qemu, err := exec.LookPath("qemu-aarch64")
	if err != nil {
		t.Log("qemu-aarch64 is not installed (Debian: qemu-user): the program was built for arm64 and not run")
		return
	}
	for _, story := range []string{"o-direct", "several-runs", "lost-overlap"} {
		dir, out := writeStory(t, story, synth.Nsight), t.TempDir()
		args := append(sides(dir), "-q", "--warn-only")
		mustRun(t, statusOK, append(args, "-o", filepath.Join(out, "a.json"), "-o", filepath.Join(out, "a.html"), "-o", filepath.Join(out, "a.md"))...)
		other := exec.Command(qemu, append([]string{exe}, append(args, "-o", filepath.Join(out, "b.json"), "-o", filepath.Join(out, "b.html"), "-o", filepath.Join(out, "b.md"))...)...)
		if text, err := other.CombinedOutput(); err != nil {
			t.Fatalf("%s: %v: %s", story, err, text)
		}
		for _, ext := range []string{".json", ".html", ".md"} {
			a, err := os.ReadFile(filepath.Join(out, "a"+ext))
			if err != nil {
				t.Fatal(err)
			}
			b, err := os.ReadFile(filepath.Join(out, "b"+ext))
			if err != nil || !bytes.Equal(a, b) {
				t.Errorf("%s: report%s differs on arm64 (%v)", story, ext, err)
			}
		}
	}
}
