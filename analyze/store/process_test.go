package store

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"
)

// childOf names the store in which this program, started anew by a test, saves runs. Its argument is the first of
// them and how many, and it prints what it has saved.
const childOf = "PERFDIFF_TEST_STORE"

func TestMain(m *testing.M) {
	dir := os.Getenv(childOf)
	if dir == "" {
		os.Exit(m.Run())
	}
	first, _ := strconv.Atoi(os.Args[1])
	count, _ := strconv.Atoi(os.Args[2])
	if err := saveMany(dir, first, count, os.Stdout); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

// saveMany saves runs, each with an event and the index, and prints the names of what is saved.
func saveMany(dir string, first, count int, out io.Writer) error {
	c := &Contents{Dir: dir}
	for n := first; n < first+count; n++ {
		now := time.Now()
		name, err := Save(dir, aRun(n, time.Time{}), Saving{Now: now})
		if err != nil {
			return err
		}
		fmt.Fprintln(out, name)
		v, err := AddEvent(dir, accepted(n), now)
		if err != nil {
			return err
		}
		fmt.Fprintln(out, v.File)
		how := reading(now)
		how.Drop = true
		if c, err = c.Again(how); err == nil {
			_, err = c.WriteIndex(how, nil)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// child returns a process that saves runs in a store.
func child(t *testing.T, dir string, first, count int) *exec.Cmd {
	t.Helper()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(self, fmt.Sprint(first), fmt.Sprint(count))
	cmd.Env = append(os.Environ(), childOf+"="+dir)
	return cmd
}

// holds fails for what was said to be saved and is not there, and for anything that cannot be read.
func holds(t *testing.T, dir string, saved []string) *Contents {
	t.Helper()
	c := contents(t, dir, time.Now())
	if wrong := slices.Concat(c.Unreadable(), c.Damaged); len(wrong) > 0 || len(c.Others) > 0 {
		t.Errorf("got %v %v", wrong, c.Others)
	}
	there := map[string]bool{}
	for i := range c.Entries {
		there[c.Entries[i].File] = true
	}
	for i := range c.Events {
		there[c.Events[i].File] = true
	}
	for _, name := range saved {
		if !there[name] {
			t.Errorf("%s was saved and is lost", name)
		}
	}
	return c
}

// TestWriters: eight that save and decide at once, in this process and in another one, lose nothing, and the last
// leaves the index of all.
func TestWriters(t *testing.T) {
	dir := t.TempDir()
	const writers, each = 8, 4
	var all sync.WaitGroup
	var outs [writers]bytes.Buffer
	for i := range writers {
		all.Go(func() {
			err := error(nil)
			if first := 1 + i*each; i == writers-1 {
				cmd := child(t, dir, first, each)
				cmd.Stdout = &outs[i]
				err = cmd.Run()
			} else {
				err = saveMany(dir, first, each, &outs[i])
			}
			if err != nil {
				t.Errorf("writer %d: %v", i, err)
			}
		})
	}
	all.Wait()
	var saved []string
	for i := range outs {
		saved = append(saved, strings.Fields(outs[i].String())...)
	}
	c := holds(t, dir, saved)
	if len(c.Entries) != writers*each || len(c.Events) != writers*each || len(saved) != 2*writers*each || len(c.Litter) > 0 {
		t.Errorf("got %d runs, %d events and %v", len(c.Entries), len(c.Events), c.Litter)
	}
	last := int64(0)
	for i := range c.Entries {
		if e := &c.Entries[i]; e.Number < last {
			t.Errorf("%s comes behind number %d", e.Name, last)
		} else {
			last = e.Number
		}
	}
	text, err := os.ReadFile(filepath.Join(dir, indexName))
	want, err2 := c.Index(nil)
	if err != nil || err2 != nil || !bytes.Equal(text, want) {
		t.Errorf("the index is not of all runs (%v, %v)", err, err2)
	}
	if findings := c.Verify(); len(findings) > 0 {
		t.Errorf("got %v", findings)
	}
}

// TestOneSet: of processes that save one set at once one file stays.
func TestOneSet(t *testing.T) {
	dir := t.TempDir()
	var all sync.WaitGroup
	for i := range 8 {
		all.Go(func() {
			if _, err := Save(dir, aRun(1, time.Time{}), Saving{Now: daily(i)}); err != nil {
				t.Error(err)
			}
		})
	}
	all.Wait()
	c := holds(t, dir, nil)
	if len(c.Entries) != 1 {
		t.Fatalf("got %d runs", len(c.Entries))
	}
	if err := os.Truncate(filepath.Join(dir, c.Entries[0].File), 500); err != nil { // a damaged one is none
		t.Fatal(err)
	}
	if name := save(t, dir, daily, 1)[0]; name == c.Entries[0].File {
		t.Errorf("got %s", name)
	}
}

// TestKilled: a process that is killed at fifty places loses nothing that it said it saved, and leaves nothing that
// is half written but litter, which goes.
func TestKilled(t *testing.T) {
	const kills, stores = 50, 5 // several, since a large one takes long to read
	root := t.TempDir()
	said := map[string][]string{} // by store
	longest := time.Duration(0)
	for i := range kills {
		dir := filepath.Join(root, fmt.Sprint(i%stores))
		cmd := child(t, dir, 1+1000*i, 1000)
		out, err := cmd.StdoutPipe()
		if err == nil {
			err = cmd.Start()
		}
		if err != nil {
			t.Fatal(err)
		}
		lines := bufio.NewScanner(out)
		began := time.Time{}
		for n := 0; n < 3 && lines.Scan(); n++ { // one round and the beginning of the next
			if n == 0 {
				began = time.Now()
			}
			said[dir] = append(said[dir], lines.Text())
		}
		longest = max(longest, time.Since(began))
		time.Sleep(longest * time.Duration(i) / kills)
		if err := cmd.Process.Kill(); err != nil {
			t.Fatal(err)
		}
		for lines.Scan() {
			said[dir] = append(said[dir], lines.Text())
		}
		cmd.Wait()
		for _, name := range said[dir] { // each time, since reading all takes long
			if info, err := os.Stat(filepath.Join(dir, name)); err != nil || info.Size() == 0 {
				t.Fatalf("kill %d: %s: %v", i, name, err)
			}
		}
	}
	runs, litter := 0, 0
	for dir, names := range said {
		c := holds(t, dir, names)
		runs, litter = runs+len(c.Entries), litter+len(c.Litter)
		if _, err := Save(dir, aRun(99_999, time.Time{}), Saving{Now: time.Now().AddDate(0, 0, 2)}); err != nil {
			t.Fatal(err)
		}
		if c := contents(t, dir, time.Now()); len(c.Litter) > 0 {
			t.Errorf("left: %v", c.Litter)
		}
	}
	if t.Logf("%d runs, litter of %d kills", runs, litter); runs < 2*kills {
		t.Error("was it killed before it wrote?")
	}
}

// refused saves where nothing can be written, and checks that all is said and nothing lost.
func refused(t *testing.T, what, dir, cause, remedy string, before []string) {
	t.Helper()
	_, err := Save(dir, aRun(500, time.Time{}), Saving{Now: daily(9)})
	_, err2 := AddEvent(dir, accepted(500), daily(9))
	c := holds(t, dir, before)
	_, err3 := c.WriteIndex(reading(daily(9)), nil)
	for i, err := range []error{err, err2, err3} {
		if err == nil || !strings.Contains(err.Error(), cause) || !strings.Contains(err.Error(), remedy) || strings.Contains(err.Error(), dir) {
			t.Errorf("%s, %d: got %v want %q and %q", what, i, err, cause, remedy)
		}
	}
	if len(c.Litter) > 0 {
		t.Errorf("%s: left %v", what, c.Litter)
	}
	if _, err := os.Stat(filepath.Join(dir, indexName)); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("%s: there is an index (%v)", what, err)
	}
}
