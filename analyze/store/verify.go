package store

import (
	"crypto/sha256"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"perfdiff/analyze/order"
	"perfdiff/analyze/run"
)

// Verify lists what is wrong with the files of a store that was read, in order of file, each with what to do. That a
// file's checksum is right, reading it says.
func (c *Contents) Verify() []Finding {
	out := slices.Concat(c.Unreadable(), c.Damaged, c.Warnings)
	digests := map[string]string{}
	for i := range c.Entries {
		e := &c.Entries[i]
		if e.Damaged != nil {
			continue
		}
		if f := e.misnamed(c.Dir); f != nil {
			out = append(out, *f)
		}
		if first, met := digests[e.Digest]; met && e.Digest != "" {
			out = append(out, Finding{e.File, "holds the same as " + first + ": it counts once", "remove one of them"})
		} else {
			digests[e.Digest] = e.File
		}
	}
	for _, name := range c.Litter {
		out = append(out, Finding{name, "was left by a process that ended while it wrote, unless one is writing now",
			"it goes when a run is saved, a day after it was written"})
	}
	for _, name := range c.Others {
		out = append(out, Finding{name, "is neither a run nor anything else of a store", "keep it elsewhere"})
	}
	slices.SortStableFunc(out, func(a, b Finding) int { return order.Names(a.File, b.File) })
	return out
}

// misnamed returns in what a run's name and its content disagree; nil in nothing.
func (e *Entry) misnamed(dir string) *Finding {
	switch {
	case e.Number > 0:
		if want := nameOf(&run.Kept{Number: e.Number, Saved: e.Saved, Digest: e.Digest}); e.File != want {
			return &Finding{e.File, "its name is not that of its content, by which it has its place in the order",
				"rename it " + want}
		}
	case e.name.number > 0:
		return &Finding{e.File, "its name has a number, and its content none: it counts as older than all runs that have one",
			"remove it, or save the run with perfdiff gate --save"}
	case e.name.digest != "": // of a store as it was before, of all bytes
		data, err := os.ReadFile(filepath.Join(dir, e.File))
		if digest := fmt.Sprintf("%x", sha256.Sum256(data)); err == nil && !strings.HasPrefix(digest, e.name.digest) {
			return &Finding{e.File, "its name is not that of its content", againRemedy}
		}
	}
	return nil
}
