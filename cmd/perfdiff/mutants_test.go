package main

import (
	"encoding/json"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"
)

// mutantsFile lists errors that somebody could make in the code, as edits. A test that
// sees none of an edit shows nothing of what the edit breaks. mutate_test.go changes what
// perfdiff reads; this changes perfdiff.
const mutantsFile = "testdata/mutants.txt"

// mostSurvivors is how many edits may live, each with the sentence that says why.
const mostSurvivors = 3

// mutant is one edit: old, which stands once in the files of dir, becomes new.
type mutant struct {
	dir      string   // below which it is
	flags    []string // of go test, which say what of the package's tests is run
	name     string
	old, new string
	why      string // why it lives; "": it must not
}

// mutants reads the list, whose head says how it is written.
func mutants(t *testing.T) (all []mutant) {
	t.Helper()
	text, err := os.ReadFile(mutantsFile)
	if err != nil {
		t.Fatal(err)
	}
	dir, flags := "", []string(nil)
	for block := range strings.SplitSeq(string(text), "\n\n") {
		m := mutant{}
		for line := range strings.SplitSeq(strings.Trim(block, "\n"), "\n") {
			rest := line[min(2, len(line)):]
			switch {
			case line == "" || line[0] == '#':
			case line[0] == '[':
				words := strings.Fields(strings.Trim(line, "[]"))
				dir, flags = words[0], words[1:]
			case strings.HasPrefix(line, "- "):
				m.old = withLine(m.old, rest)
			case strings.HasPrefix(line, "+ "):
				m.new = withLine(m.new, rest)
			case strings.HasPrefix(line, "= "):
				m.why = rest
			default:
				m.dir, m.flags, m.name = dir, flags, line
			}
		}
		if m.name != "" {
			all = append(all, m)
		}
	}
	return all
}

func withLine(lines, line string) string {
	if lines == "" {
		return line
	}
	return lines + "\n" + line
}

// plant finds the file of an edit and returns it with its text as edited.
func (m *mutant) plant() (file, text string, err error) {
	found := 0
	err = filepath.WalkDir(filepath.Join(root, m.dir), func(path string, d fs.DirEntry, err error) error {
		switch name := filepath.Base(path); {
		case err != nil:
			return err
		case d.IsDir() && name == "testdata":
			return filepath.SkipDir
		case d.IsDir() || strings.HasSuffix(name, "_test.go"):
			return nil
		}
		content, err := os.ReadFile(path)
		if n := strings.Count(string(content), m.old); n > 0 {
			found += n
			file, text = path, strings.Replace(string(content), m.old, m.new, 1)
		}
		return err
	})
	if err == nil && (found != 1 || m.old == "" || m.old == m.new) {
		err = fmt.Errorf("%s: %s: %q stands there %d times, want once (bring %s up to date)", m.dir, m.name, m.old, found, mutantsFile)
	}
	return file, text, err
}

// TestMutantsApply: each edit is still one of the code as it is.
func TestMutantsApply(t *testing.T) {
	all := mutants(t)
	seen := map[string]bool{}
	for _, m := range all {
		if _, _, err := m.plant(); err != nil {
			t.Error(err)
		}
		if of := m.dir + m.old + m.new; seen[of] {
			t.Errorf("%s: %s: the same edit stands there twice", m.dir, m.name)
		} else {
			seen[of] = true
		}
	}
	if len(all) < 100 {
		t.Errorf("got %d edits, want at least 100", len(all))
	}
}

// The ends of an edit.
const (
	killedNear = "own tests"
	killedFar  = "whole program"
	survived   = "survived"
	broken     = "does not build"
)

// fate runs the tests of the edit's package, and where they see nothing every story
// through the whole program.
func (m *mutant) fate(t *testing.T) string {
	file, text, err := m.plant()
	if err != nil {
		t.Error(err)
		return broken
	}
	overlay, err := overlaid(t.TempDir(), file, text)
	if err != nil {
		t.Error(err)
		return broken
	}
	for _, run := range []struct {
		end, pkg string
		flags    []string
	}{{killedNear, packageOf(t, file), m.flags}, {killedFar, "cmd/perfdiff", []string{"-run", "^TestGolden$"}}} {
		if run.end == killedFar && os.Getenv("PERFDIFF_MUTATE") == "own" {
			break
		}
		// An edit can make a loop endless: that the time limit ends it is seen as well.
		args := append([]string{"test", "-vet=off", "-failfast", "-timeout", "10m", "-p", "1", "-overlay", overlay}, run.flags...)
		cmd := exec.Command("go", append(args, "./"+run.pkg)...)
		cmd.Dir, cmd.Env = root, append(os.Environ(), "PERFDIFF_MUTATE=", "PERFDIFF_NO_BROWSER=1")
		out, err := cmd.CombinedOutput()
		switch {
		case err == nil:
		case strings.Contains(string(out), "[build failed]") || strings.Contains(string(out), "[setup failed]"):
			t.Errorf("%s: %s: the edited code does not build: %s", m.dir, m.name, out)
			return broken
		default:
			return run.end
		}
	}
	return survived
}

// packageOf is the package that a file is part of, or embedded in.
func packageOf(t *testing.T, file string) string {
	for dir := filepath.Dir(file); ; dir = filepath.Dir(dir) {
		if goFiles, _ := filepath.Glob(filepath.Join(dir, "*.go")); len(goFiles) > 0 {
			rel, err := filepath.Rel(root, dir)
			if err != nil {
				t.Error(err)
			}
			return filepath.ToSlash(rel)
		}
	}
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

// TestMutants makes every edit in turn and runs the tests that should see it. It is what
// "make mutate" does; MUTANTS is a pattern of "package: name", and with PERFDIFF_MUTATE=own
// the whole program is not asked.
func TestMutants(t *testing.T) {
	if os.Getenv("PERFDIFF_MUTATE") == "" {
		t.Skip("make mutate runs it")
	}
	only := regexp.MustCompile(os.Getenv("MUTANTS"))
	all := slices.DeleteFunc(mutants(t), func(m mutant) bool { return !only.MatchString(m.dir + ": " + m.name) })
	ends := make([]string, len(all))
	work := make(chan int)
	var workers sync.WaitGroup
	for range runtime.NumCPU() {
		workers.Go(func() {
			for i := range work {
				ends[i] = all[i].fate(t)
				t.Logf("%-14s %-24s %s", ends[i], all[i].dir, all[i].name)
			}
		})
	}
	for i := range all {
		work <- i
	}
	close(work)
	workers.Wait()
	count := map[string]map[string]int{}
	for i, m := range all {
		if count[m.dir] == nil {
			count[m.dir] = map[string]int{}
		}
		count[m.dir][ends[i]]++
		switch {
		case ends[i] == survived && m.why == "":
			t.Errorf("%s: %s: no test sees it: - %s + %s", m.dir, m.name, m.old, m.new)
		case ends[i] != survived && m.why != "":
			t.Errorf("%s: %s: a test sees it, and the list says why none does", m.dir, m.name)
		}
	}
	living := 0
	for _, dir := range slices.Sorted(maps.Keys(count)) {
		of := count[dir]
		living += of[survived]
		t.Logf("%-24s %3d seen by %s, %2d by the %s, %d %s", dir, of[killedNear], killedNear, of[killedFar], killedFar, of[survived], survived)
	}
	if living > mostSurvivors {
		t.Errorf("%d edits survived, want at most %d", living, mostSurvivors)
	}
}
