package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"testing"
	"time"
)

// ending is what became of an edit.
type ending int

const (
	undecided ending = iota // it does not build, or its tests said neither yes nor no
	killedNear
	killedFar
	survived
)

func (e ending) String() string {
	return [...]string{"nothing decided", "own tests", "whole program", "survived"}[e]
}

// fate is the end of an edit, and the test that saw it or why none could.
type fate struct {
	end  ending
	test string
}

// suite is a package whose tests are asked, with flags of go test.
type suite struct {
	pkg   string
	flags string // parted by spaces
}

// wholeProgram is asked about an edit of which its own package sees nothing.
var wholeProgram = suite{"cmd/perfdiff", "-run ^TestGolden$"}

// wholePasses is the error of the whole program without any edit, which is asked once.
var wholePasses = sync.OnceValue(func() error {
	dir, err := os.MkdirTemp("", "perfdiff-mutants")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	_, err = wholeProgram.passes(dir)
	return err
})

// The tests of one suite take seconds, the slowest half a minute on two
// cores that do nothing else. An edit that may never end is given up soon, which is its end; any other only says then that the
// machine was too busy, and decides nothing.
const (
	longest     = 15 * time.Minute
	longestLoop = 2 * time.Minute
	// mostMemory is how much of the address space it may take, in KiB, where a shell can limit that.
	mostMemory = 8 << 20
)

// build compiles the tests of a package, with an edit laid over it where overlay is not "".
func (s suite) build(dir, overlay string) (binary string, err error) {
	binary = filepath.Join(dir, strings.ReplaceAll(s.pkg, "/", "-")+".test")
	args := []string{"test", "-c", "-vet=off", "-p", "1", "-ldflags=-s -w", "-o", binary}
	if overlay != "" {
		args = append(args, "-overlay", overlay)
	}
	cmd := exec.Command("go", append(args, "./"+s.pkg)...)
	cmd.Dir = root
	if out, err := cmd.CombinedOutput(); err != nil {
		return "", fmt.Errorf("%s does not build: %w: %.600s", s.pkg, err, out)
	}
	return binary, nil
}

// ask runs the tests up to the first that fails and returns its name, "" where all pass.
// An error says that they decided nothing.
func (s suite) ask(binary string, limit time.Duration) (failed string, err error) {
	flags := append(strings.Fields(s.flags), "-failfast", "-timeout="+limit.String())
	for i, f := range flags {
		if strings.HasPrefix(f, "-") {
			flags[i] = "-test." + f[1:]
		}
	}
	ctx, cancel := context.WithTimeout(context.Background(), limit+time.Minute)
	defer cancel()
	limited := fmt.Sprintf(`ulimit -v %d 2>/dev/null; exec "$0" "$@"`, mostMemory)
	cmd := exec.CommandContext(ctx, "sh", append([]string{"-c", limited, binary}, flags...)...)
	cmd.Dir = filepath.Join(root, filepath.FromSlash(s.pkg))
	// What an edited program writes is never what is expected of it from then on.
	cmd.Env = append(os.Environ(), "PERFDIFF_MUTATE=", "PERFDIFF_GOLDEN=", "PERFDIFF_BROWSER=")
	out, err := cmd.CombinedOutput()
	return firstFailure(string(out), err)
}

// passes runs a suite without any edit. It returns how long that took, or why it fails.
func (s suite) passes(dir string) (takes time.Duration, err error) {
	binary, err := s.build(dir, "")
	if err != nil {
		return 0, err
	}
	start := time.Now()
	failed, err := s.ask(binary, longest)
	if err == nil && failed != "" {
		err = errors.New(failed)
	}
	if err != nil {
		return 0, fmt.Errorf("%s %s: fails without any edit: %w", s.pkg, s.flags, err)
	}
	return time.Since(start), nil
}

var failedTest = regexp.MustCompile(`(?m)^ *--- FAIL: (\S+)`)

// errEndless is of tests that were stopped by their time limit.
var errEndless = errors.New("its tests did not end in time")

// firstFailure reads what a run of tests wrote and how it ended.
func firstFailure(out string, err error) (failed string, _ error) {
	m := failedTest.FindAllStringSubmatch(out, -1)
	switch {
	case err == nil:
		return "", nil
	case strings.Contains(out, "panic: test timed out"):
		return "", errEndless
	case len(m) > 0:
		name, _, _ := strings.Cut(m[0][1], "/")
		return name, nil
	case strings.Contains(out, "out of memory"):
		return "", errEndless
	case strings.Contains(out, "panic: ") || strings.Contains(out, "fatal error: "):
		return "a panic", nil
	}
	return "", fmt.Errorf("its tests ended with %w, and none is named: %.600s", err, out)
}

// ownFate asks the tests of the edit's package alone.
func (m *mutant) ownFate(dir string) fate { return m.fateBy(dir, true) }

// fate asks the tests of the edit's package, and where they see nothing the whole program.
func (m *mutant) fate(dir string) fate { return m.fateBy(dir, ownOnly()) }

func (m *mutant) fateBy(dir string, own bool) fate {
	file, text, err := m.plant()
	if err != nil {
		return fate{test: err.Error()}
	}
	pkg, err := packageOf(file)
	if err != nil {
		return fate{test: err.Error()}
	}
	overlay, err := overlaid(dir, file, text)
	if err != nil {
		return fate{test: err.Error()}
	}
	limit := longest
	if m.loops != "" {
		limit = longestLoop + 4*m.takes
	}
	near := suite{pkg, m.flags}
	for _, s := range []suite{near, wholeProgram} {
		if s == wholeProgram {
			if own {
				break
			}
			if err := wholePasses(); err != nil {
				return fate{test: err.Error()}
			}
		}
		binary, err := s.build(dir, overlay)
		if err != nil {
			return fate{test: err.Error()}
		}
		failed, err := s.ask(binary, limit)
		if errors.Is(err, errEndless) && m.loops != "" {
			failed, err = "the time limit", nil
		}
		switch {
		case err != nil:
			return fate{test: err.Error()}
		case failed != "" && s == near:
			return fate{killedNear, failed}
		case failed != "":
			return fate{killedFar, failed}
		}
	}
	return fate{end: survived}
}

// packageOf returns the package of a file, whose tests are to see it.
func packageOf(file string) (string, error) {
	rel, err := filepath.Rel(root, filepath.Dir(file))
	return filepath.ToSlash(rel), err
}

// overlaid writes an edited file into a directory and tells the compiler to take it.
func overlaid(dir, file, text string) (path string, err error) {
	abs, err := filepath.Abs(file)
	if err != nil {
		return "", err
	}
	edited := filepath.Join(dir, filepath.Base(file))
	if err := os.WriteFile(edited, []byte(text), 0o600); err != nil {
		return "", err
	}
	list, err := json.Marshal(map[string]map[string]string{"Replace": {abs: edited}})
	if err != nil {
		return "", err
	}
	path = filepath.Join(dir, "overlay.json")
	return path, os.WriteFile(path, list, 0o600)
}

// TestFirstFailure: what a run of tests wrote is read as it was meant.
func TestFirstFailure(t *testing.T) {
	exit := errors.New("exit status 1")
	for _, c := range []struct {
		name, out string
		err       error
		want      string
		decided   bool
	}{
		{"all pass", "PASS\n", nil, "", true},
		{"a test", "--- FAIL: TestA (0.00s)\n    a_test.go:9: got 1 want 2\nFAIL\n", exit, "TestA", true},
		{"a part of a test", "--- FAIL: TestA (0.00s)\n    --- FAIL: TestA/b (0.00s)\nFAIL\n", exit, "TestA", true},
		{"a panic in a test", "--- FAIL: TestA (0.00s)\npanic: index out of range [recovered]\n", exit, "TestA", true},
		{"a panic beside tests", "panic: index out of range\n\ngoroutine 7 [running]:\n", exit, "a panic", true},
		{"a time limit", "panic: test timed out after 2m0s\n\trunning tests:\n\t\tTestA (2m0s)\n", exit, "", false},
		{"no memory", "fatal error: runtime: out of memory\n", exit, "", false},
		{"killed from outside", "", errors.New("signal: killed"), "", false},
	} {
		got, err := firstFailure(c.out, c.err)
		if got != c.want || (err == nil) != c.decided {
			t.Errorf("%s: got %q, %v, want %q, decided %v", c.name, got, err, c.want, c.decided)
		}
	}
}
