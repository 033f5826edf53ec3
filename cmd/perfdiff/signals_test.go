//go:build unix

package main

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"perfdiff/analyze/synth"
)

// TestSignals builds the program and sends signals to it.
func TestSignals(t *testing.T) {
	exe, dir := filepath.Join(t.TempDir(), "perfdiff"), writeStory(t, "aa", synth.Nsight)
	if out, err := exec.Command("go", "build", "-o", exe, ".").CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	t.Run("at any moment", func(t *testing.T) { signalAnyMoment(t, exe, dir) })
	t.Run("twice", func(t *testing.T) { signalTwice(t, exe, dir) })
	t.Run("among files of the kernel", func(t *testing.T) { signalInProc(t, exe) })
}

// hung is after how long a program that should have ended is taken to hang. On a busy
// machine all takes longer, and nothing as long as this.
const hung = 10 * time.Minute

// started is the program under way.
type started struct {
	*exec.Cmd
	stderr bytes.Buffer
}

func launch(t *testing.T, exe string, args ...string) *started {
	t.Helper()
	s := &started{Cmd: exec.Command(exe, args...)}
	s.Stderr = &s.stderr
	s.Env = append(os.Environ(), "GITHUB_ACTIONS=", "GITHUB_STEP_SUMMARY=")
	if err := s.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { s.Process.Kill() })
	return s
}

// ends waits for the program and returns how it ended, "" if it hangs.
func (s *started) ends() string {
	done := make(chan error, 1)
	go func() { done <- s.Wait() }()
	select {
	case err := <-done:
		var exit *exec.ExitError
		if errors.As(err, &exit) {
			if w := exit.Sys().(syscall.WaitStatus); w.Signaled() {
				return w.Signal().String()
			}
		}
		return fmt.Sprint("exit ", s.ProcessState.ExitCode())
	case <-time.After(hung):
		return ""
	}
}

// litter are the files of a directory that have no name of their own.
func litter(t *testing.T, dir string) (found []string) {
	t.Helper()
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range entries {
		if strings.HasPrefix(e.Name(), ".") {
			found = append(found, e.Name())
		}
	}
	return found
}

// signalAnyMoment sends each signal at several moments of a run: the outputs are the old or
// the new ones whole, and nothing else is there.
func signalAnyMoment(t *testing.T, exe, dir string) {
	whole := filepath.Join(t.TempDir(), "whole.md")
	mustRun(t, statusOK, append(sides(dir), "-q", "-o", whole)...)
	began := time.Now()
	if got := launch(t, exe, append(sides(dir), "-q", "-o", whole)...).ends(); got != "exit 0" {
		t.Fatalf("left alone: %s", got)
	}
	took := time.Since(began)
	page, err := os.ReadFile(whole)
	if err != nil {
		t.Fatal(err)
	}
	for _, sig := range []syscall.Signal{syscall.SIGINT, syscall.SIGTERM, syscall.SIGHUP, syscall.SIGQUIT} {
		if signal.Ignored(sig) {
			t.Logf("%v is ignored here", sig)
			continue
		}
		for trial := range 5 {
			out := t.TempDir()
			outputs := []string{"a.md", "b.md", "c.md"}
			args := append(sides(dir), "-q")
			for _, name := range outputs {
				writeFile(t, filepath.Join(out, name), "earlier")
				args = append(args, "-o", filepath.Join(out, name))
			}
			s := launch(t, exe, args...)
			time.Sleep(took * time.Duration(trial) / 4)
			s.Process.Signal(sig)
			how := s.ends()
			if want := []string{"exit 130", "exit 0", sig.String(), "exit 2"}; !slices.Contains(want, how) || how == "exit 2" && sig != syscall.SIGQUIT {
				t.Errorf("%v, trial %d: %q, stderr %.300s", sig, trial, how, s.stderr.String())
			}
			for _, name := range outputs {
				if text, err := os.ReadFile(filepath.Join(out, name)); err != nil || string(text) != "earlier" && !bytes.Equal(text, page) {
					t.Errorf("%v, trial %d: %s has %d bytes (%v), neither the old nor the new", sig, trial, name, len(text), err)
				}
			}
			if found := litter(t, out); len(found) > 0 {
				t.Errorf("%v, trial %d: left %v", sig, trial, found)
			}
		}
	}
}

// signalTwice: where the program waits for what no context reaches, here a pipe that
// nobody reads, the first signal does nothing yet and the second ends it at once.
func signalTwice(t *testing.T, exe, dir string) {
	for _, sig := range []syscall.Signal{syscall.SIGINT, syscall.SIGTERM, syscall.SIGHUP} {
		if signal.Ignored(sig) {
			t.Logf("%v is ignored here", sig)
			continue
		}
		out := t.TempDir()
		pipe := filepath.Join(out, "pipe.md")
		if err := syscall.Mkfifo(pipe, 0o600); err != nil {
			t.Skip(err)
		}
		first := filepath.Join(out, "first.md")
		s := launch(t, exe, append(sides(dir), "-q", "-o", first, "-o", pipe)...)
		for range int(hung / (100 * time.Millisecond)) { // until it waits for a reader of the second output
			if _, err := os.Stat(first); err == nil {
				break
			}
			time.Sleep(100 * time.Millisecond)
		}
		s.Process.Signal(sig)
		again := make(chan struct{})
		go func() { // two at once are one: they are sent until one of them is the second
			for {
				select {
				case <-again:
					return
				case <-time.After(300 * time.Millisecond):
					s.Process.Signal(sig)
				}
			}
		}()
		how := s.ends()
		close(again)
		if how != sig.String() {
			t.Errorf("%v: %q, stderr %.300s", sig, how, s.stderr.String())
		}
		if found := litter(t, out); len(found) > 0 {
			t.Errorf("%v: left %v", sig, found)
		}
	}
}

// signalInProc: looking for profiles among files of the kernel, some of which wait when
// they are read, ends by itself or with the first signal.
func signalInProc(t *testing.T, exe string) {
	if _, err := os.Stat("/proc/self/status"); err != nil {
		t.Skip("no /proc here")
	}
	s := launch(t, exe, "/proc", "/proc", "-q")
	time.Sleep(300 * time.Millisecond)
	s.Process.Signal(syscall.SIGTERM)
	// On a busy machine the signal comes before the program has begun to catch it.
	if how := s.ends(); how != "exit 2" && how != "exit 130" && how != syscall.SIGTERM.String() {
		t.Errorf("%q, stderr %.300s", how, s.stderr.String())
	}
}

// TestOutputThroughLink: an output that is a link stays one, and what it leads to is
// written, there or not; into a pipe it is written as it is.
func TestOutputThroughLink(t *testing.T) {
	dir, out := writeStory(t, "aa", synth.Nsight), t.TempDir()
	plain := filepath.Join(out, "plain.md")
	mustRun(t, statusOK, append(sides(dir), "-q", "-o", plain)...)
	want, err := os.ReadFile(plain)
	if err != nil {
		t.Fatal(err)
	}
	elsewhere := t.TempDir()
	writeFile(t, filepath.Join(elsewhere, "there.md"), "earlier")
	for link, to := range map[string]string{"a.md": filepath.Join(elsewhere, "there.md"), "b.md": filepath.Join(elsewhere, "new.md"), "c.md": "b.md"} {
		if err := os.Symlink(to, filepath.Join(out, link)); err != nil {
			t.Skip(err)
		}
	}
	for link, to := range map[string]string{"a.md": "there.md", "c.md": "new.md"} {
		mustRun(t, statusOK, append(sides(dir), "-q", "-o", filepath.Join(out, link))...)
		st, err := os.Lstat(filepath.Join(out, link))
		if got, _ := os.ReadFile(filepath.Join(elsewhere, to)); err != nil || st.Mode()&os.ModeSymlink == 0 || !bytes.Equal(got, want) {
			t.Errorf("%s: is %v (%v), %s has %d bytes, want a link and %d", link, st.Mode(), err, to, len(got), len(want))
		}
	}
	os.Symlink("circle.md", filepath.Join(out, "circle.md"))
	if a := compareForAnswer(t, append(sides(dir), "-o", filepath.Join(out, "circle.md"))...); a.status != statusError || !strings.Contains(a.headline, "circle.md: cannot be written: too many links") {
		t.Errorf("a circle of links: exit %d, %s", a.status, a.headline)
	}
	pipe := filepath.Join(out, "pipe.md")
	if err := syscall.Mkfifo(pipe, 0o600); err != nil {
		t.Skip(err)
	}
	read := make(chan []byte, 1)
	go func() {
		f, err := os.Open(pipe)
		if err != nil {
			read <- []byte(err.Error())
			return
		}
		defer f.Close()
		var text bytes.Buffer
		bufio.NewReader(f).WriteTo(&text)
		read <- text.Bytes()
	}()
	mustRun(t, statusOK, append(sides(dir), "-q", "-o", pipe)...)
	if got := <-read; !bytes.Equal(got, want) {
		t.Errorf("the pipe gave %d bytes, want %d", len(got), len(want))
	}
	if st, err := os.Lstat(pipe); err != nil || st.Mode()&os.ModeNamedPipe == 0 {
		t.Errorf("the pipe is now %v (%v)", st.Mode(), err)
	}
	if found := litter(t, out); len(found) > 0 {
		t.Errorf("left %v", found)
	}
}
