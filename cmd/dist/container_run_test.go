//go:build linux

package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
)

// boxed runs the program of an image as a container engine would: files of the image alone, none of which can be
// written, no network, no rights, no /proc, and one directory of the user's.
const boxed = `set -e
root=$1 work=$2 user=$3 place=$4 && shift 4
mount --bind "$root" "$root" && mount --bind "$work" "$root$place" && mount -o remount,bind,ro "$root"
cd "$root$place" && exec chroot --userspec="$user" --groups= "$root" "$@"`

// TestContainerRuns makes the image that the container file describes, by its own COPY lines, and compares a sample in
// it, with a root that cannot be written. Without root, or where namespaces are not permitted, it is left out.
func TestContainerRuns(t *testing.T) {
	if exec.Command("unshare", "--mount", "--net", "--pid", "--fork", "true").Run() != nil {
		t.Skip("namespaces are not permitted here")
	}
	text, err := os.ReadFile("../../.container/Containerfile")
	if err != nil {
		t.Fatal(err)
	}
	image, work := filepath.Join(t.TempDir(), "image"), t.TempDir()
	from := filepath.Join(t.TempDir(), containerDir)
	platform := filepath.Join(from, "linux", runtime.GOARCH)
	for _, dir := range []string{image, platform} {
		if err := os.MkdirAll(dir, 0o755); err != nil {
			t.Fatal(err)
		}
	}
	sh := func(name string, args ...string) string {
		t.Helper()
		out, err := exec.Command(name, args...).CombinedOutput()
		if err != nil {
			t.Fatalf("%s %q: %v: %s", name, args, err, out)
		}
		return string(out)
	}
	program := filepath.Join(platform, "perfdiff")
	sh("env", "CGO_ENABLED=0", "go", "build", "-o", program, "../perfdiff") // as tests are built: nothing is compiled anew
	sh(program, "demo", "--story", "slow-kernel", filepath.Join(work, "sample"))
	if err := os.WriteFile(filepath.Join(from, "LICENSES"), nil, 0o644); err != nil {
		t.Fatal(err)
	}
	var user, place string
	var start []string
	all, _ := instructions(string(text))
	for _, x := range all {
		f := strings.Fields(x.rest)
		switch x.name {
		case "COPY":
			source := strings.ReplaceAll(f[1], "${TARGETPLATFORM}", "linux/"+runtime.GOARCH)
			sh("install", "-m", strings.TrimPrefix(f[0], "--chmod="), filepath.Join(filepath.Dir(from), source), filepath.Join(image, f[2]))
		case "WORKDIR":
			place = x.rest
			sh("mkdir", "-p", filepath.Join(image, place))
		case "USER":
			user = x.rest
		case "ENTRYPOINT":
			start = strings.Fields(strings.NewReplacer(`[`, "", `]`, "", `"`, "", ",", " ").Replace(x.rest))
		}
	}
	sh("chown", "-R", user, work)
	if err := os.Chmod(work, 0o755); err != nil {
		t.Fatal(err)
	}
	sh("chmod", "755", filepath.Dir(image), filepath.Dir(work))
	in := func(args ...string) (string, int) {
		t.Helper()
		cmd := exec.Command("unshare", append(append([]string{"--mount", "--net", "--pid", "--fork", "sh", "-c", boxed, "sh", image, work, user, place}, start...), args...)...)
		cmd.Env = []string{}
		out, _ := cmd.CombinedOutput()
		return string(out), cmd.ProcessState.ExitCode()
	}
	if out, status := in(place+"/sample/baseline", place+"/sample/candidate", "-o", place+"/report.html"); status != 1 || !strings.Contains(out, "Steps take ") {
		t.Errorf("it compares: got status %d: %s", status, out)
	}
	if info, err := os.Stat(filepath.Join(work, "report.html")); err != nil || info.Size() < 1e5 {
		t.Errorf("it writes no report: %v", err)
	}
	if out, status := in("demo", "/sample"); status != 2 {
		t.Errorf("it writes into the image: got status %d: %s", status, out)
	}
}
