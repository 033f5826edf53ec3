package store

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"perfdiff/analyze/run"
	"perfdiff/analyze/trace"
)

// Contents is what a store holds.
type Contents struct {
	Dir      string
	Entries  []Entry   // in the order of saving
	Events   []Event   // in the order of saving
	Warnings []Finding // what does no harm to the order or to what is judged, but should be known
	Damaged  []Finding // events that cannot be read: they do not count
	Litter   []string  // names of files that were being written by processes that ended; one may be at it now
	Others   []string  // names of what is neither a run nor anything else of a store
}

// Reading is how the files of a store are read.
type Reading struct {
	Now time.Time
	// Set reads a summary; nil without an error: the file is none. The newest are read first, since memory may not do
	// for all.
	Set func(path string) (*run.Set, error)
	// Drop: sets are not kept, which a store of any size may be read with.
	Drop bool
}

// Read reads a store. A directory that is missing is an empty one. A run that cannot be read does not lose the others:
// it stays in its place, as far as its name says it.
func Read(dir string, how Reading) (*Contents, error) { return (&Contents{Dir: dir}).Again(how) }

// Again reads a store anew; runs that are in c already are not read again, since files of a store never change.
func (c *Contents) Again(how Reading) (*Contents, error) {
	files, err := os.ReadDir(c.Dir)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("%s: %w", filepath.Base(c.Dir), trace.WithoutPath(err))
	}
	out := &Contents{Dir: c.Dir}
	have := map[string]*Entry{}
	for i := range c.Entries {
		have[c.Entries[i].File] = &c.Entries[i]
	}
	slices.SortFunc(files, func(a, b os.DirEntry) int {
		m, n := parseName(a.Name()), parseName(b.Name())
		return -cmp.Or(cmp.Compare(m.number, n.number), cmp.Compare(m.began, n.began), cmp.Compare(m.before, n.before),
			strings.Compare(a.Name(), b.Name()))
	})
	for _, f := range files {
		name := f.Name()
		switch {
		case strings.HasPrefix(name, tempPrefix):
			out.Litter = append(out.Litter, name)
		case strings.HasPrefix(name, "."), name == indexName, name == ofCommits, f.IsDir() && name == BisectDir:
		case isEvent(name):
			out.addEvent(name)
		default:
			out.addRun(name, have[name], how)
		}
	}
	out.Entries = sortEntries(out.Entries, how.Now)
	nameApart(out.Entries)
	sortEvents(out.Events)
	slices.Sort(out.Litter)
	slices.Sort(out.Others)
	out.warn(how.Now)
	return out, nil
}

// addRun reads a run, unless it was read before.
func (c *Contents) addRun(file string, before *Entry, how Reading) {
	info, err := os.Stat(filepath.Join(c.Dir, file))
	if err != nil { // another process has removed it
		return
	}
	if before != nil && before.Damaged == nil && before.Size == info.Size() {
		c.Entries = append(c.Entries, *before)
		return
	}
	e := Entry{Name: strings.TrimSuffix(file, filepath.Ext(file)), File: file, Size: info.Size(), name: parseName(file)}
	set, err := how.Set(filepath.Join(c.Dir, file))
	if set == nil && err == nil && filepath.Ext(file) == runExt {
		err = errors.New("it does not begin like a summary: it is empty, damaged or something else")
	}
	if set != nil && len(set.Runs) == 0 {
		err = errors.New("the summary holds no ranks (remove it)")
	}
	switch {
	case err != nil:
		wrong := findingOf(file, err)
		e.Damaged, e.Number, e.Saved = &wrong, e.name.number, e.name.saved
	case set == nil:
		c.Others = append(c.Others, file)
		return
	default:
		if e.describe(set); !how.Drop {
			e.Set = set
		}
	}
	e.Future = future(e.Saved, how.Now) || future(cmp.Or(e.Began, e.name.began), how.Now)
	c.Entries = append(c.Entries, e)
}

// nameApart gives runs whose files differ in their extension alone different names, and sets theirs and their places.
func nameApart(all []Entry) {
	met := map[string]bool{}
	for i := range all {
		e := &all[i]
		e.Name = strings.TrimSuffix(e.File, filepath.Ext(e.File))
		for met[e.Name] {
			e.Name += "'"
		}
		met[e.Name] = true
		if e.Set != nil {
			e.Set.Label, e.Set.Place = e.Name, i+1
		}
	}
}

// warn lists what is odd about files that can be read.
func (c *Contents) warn(now time.Time) {
	say := func(e *Entry, remedy, text string, args ...any) {
		c.Warnings = append(c.Warnings, Finding{e.File, fmt.Sprintf(text, args...), remedy})
	}
	date := func(at int64) string { return time.Unix(0, at).UTC().Format(time.DateOnly) }
	for i := range c.Entries {
		e := &c.Entries[i]
		began := cmp.Or(e.Began, e.name.began)
		switch {
		case future(e.Saved, now):
			say(e, "set the clock of the machine that saves runs",
				"was saved on %s, says its file, which is in the future: its time counts for nothing", date(e.Saved))
		case future(began, now):
			say(e, "set the clock of the machine that records runs",
				"was recorded on %s, says its file, which is in the future: its time counts for nothing", date(began))
		}
	}
	for i := range c.Events {
		if v := &c.Events[i]; !v.known() {
			why := fmt.Sprintf("is of the kind %.20q, which this perfdiff does not know: it does not count", v.Kind)
			c.Warnings = append(c.Warnings, Finding{v.File, why, "use a newer perfdiff"})
		}
	}
}

// Sets returns the sets of a store in order. One that cannot be read is without runs, and its only file has the error.
func (c *Contents) Sets() (out []*run.Set) {
	for i := range c.Entries {
		switch e := &c.Entries[i]; {
		case e.Damaged != nil:
			out = append(out, &run.Set{Label: e.Name, Place: i + 1, Files: []run.File{{Name: e.File, Err: e.Damaged.Text()}}})
		case e.Set != nil:
			out = append(out, e.Set)
		}
	}
	return out
}

// Unreadable lists the runs that cannot be read.
func (c *Contents) Unreadable() (out []Finding) {
	for i := range c.Entries {
		if d := c.Entries[i].Damaged; d != nil {
			out = append(out, *d)
		}
	}
	return out
}

// Strict returns an error for each run and each event that cannot be read.
func (c *Contents) Strict() error {
	var all []error
	for _, f := range slices.Concat(c.Unreadable(), c.Damaged) {
		all = append(all, errors.New("store: "+f.String()))
	}
	return errors.Join(all...)
}

// mostDamaged is the share of runs that may be unreadable. Chosen, not measured: where more is gone, what is left need
// not be the level on which main stands.
const mostDamaged = 0.25

// Damage returns why nothing can be judged by the store, nil where it can.
func (c *Contents) Damage() *Damage {
	d := &Damage{Damaged: c.Unreadable()}
	n, of := len(d.Damaged), len(c.Entries)
	switch {
	case n == 0:
		return nil
	case c.Entries[of-1].Damaged != nil:
		d.Why = "the newest run of the store cannot be read: " + c.Entries[of-1].Damaged.String()
	case float64(n) > mostDamaged*float64(of):
		d.Why = fmt.Sprintf("%d of the %d runs of the store cannot be read: %s", n, of, d.Damaged[n-1])
	default:
		return nil
	}
	return d
}

// Largest returns the largest number in the store; at least the number of runs that have none.
func (c *Contents) Largest() int64 {
	largest, bare := int64(0), int64(0)
	for i := range c.Entries {
		e := &c.Entries[i]
		if largest = max(largest, e.Number, e.name.number); e.Number == 0 {
			bare++
		}
	}
	for i := range c.Events {
		largest = max(largest, c.Events[i].Number)
	}
	return max(largest, bare)
}
