package main

import (
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// mutantsFile lists errors that somebody could make in the code, as edits. A test that
// sees none of an edit shows nothing of what the edit breaks. mutate_test.go changes what
// perfdiff reads; this changes perfdiff.
const mutantsFile = "testdata/mutants.txt"

// mutant is one edit: old, which stands once in the files of dir, becomes new.
type mutant struct {
	dir      string // below which it is
	flags    string // of go test, parted by spaces: what of the package's tests is run
	name     string
	old, new string
	why      string        // why it lives; "": it must not
	loops    string        // why its tests may never end; "": they must
	takes    time.Duration // how long its tests take without it
	// Of an edit that was drawn: the file and its text as edited. Its old text need not stand once.
	file, text string
}

// mutants reads the list, whose head says how it is written.
func mutants(t *testing.T) (all []mutant) {
	t.Helper()
	text, err := os.ReadFile(mutantsFile)
	if err != nil {
		t.Fatal(err)
	}
	dir, flags := "", ""
	for block := range strings.SplitSeq(string(text), "\n\n") {
		m := mutant{}
		for line := range strings.SplitSeq(strings.Trim(block, "\n"), "\n") {
			rest := line[min(2, len(line)):]
			switch {
			case line == "" || line[0] == '#':
			case line[0] == '[':
				dir, flags, _ = strings.Cut(strings.Trim(line, "[]"), " ")
			case strings.HasPrefix(line, "- "):
				m.old = withLine(m.old, rest)
			case strings.HasPrefix(line, "+ "):
				m.new = withLine(m.new, rest)
			case strings.HasPrefix(line, "= "):
				m.why = rest
			case strings.HasPrefix(line, "~ "):
				m.loops = rest
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
	if m.file != "" {
		return m.file, m.text, nil
	}
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
