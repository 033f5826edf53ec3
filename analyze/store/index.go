package store

import (
	"bytes"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"time"
)

// index is what index.json holds.
type index struct {
	About  string          `json:"about"`
	Runs   []indexRun      `json:"runs"`
	Events []indexEvent    `json:"events"`
	Levels json.RawMessage `json:"levels,omitempty"`
}

const aboutIndex = "derived from the files beside it, for other programs: perfdiff judges nothing by it, " +
	"and perfdiff history verify makes it again"

type indexRun struct {
	Name    string   `json:"name"`
	Number  int64    `json:"number,omitempty"`
	Saved   string   `json:"saved,omitempty"` // UTC, as in RFC 3339
	Began   string   `json:"began,omitempty"`
	Label   string   `json:"label,omitempty"`
	Commit  string   `json:"commit,omitempty"`
	Link    string   `json:"link,omitempty"`
	Branch  string   `json:"branch,omitempty"`
	Hosts   []string `json:"hosts,omitempty"`
	GPU     string   `json:"gpu,omitempty"`
	Driver  string   `json:"driver,omitempty"`
	Job     string   `json:"job,omitempty"`
	Damaged string   `json:"damaged,omitempty"` // why it cannot be read
}

type indexEvent struct {
	File string `json:"file"`
	Event
}

// Index returns the index of a store. Equal files and levels, which are JSON or nil, give equal bytes.
func (c *Contents) Index(levels json.RawMessage) ([]byte, error) {
	x := index{About: aboutIndex, Runs: []indexRun{}, Events: []indexEvent{}, Levels: levels}
	for i := range c.Entries {
		e := &c.Entries[i]
		r := indexRun{Name: e.Name, Number: e.Number, Saved: timeText(e.Saved), Began: timeText(e.Began), Label: e.Origin.Label,
			Commit: e.Origin.Commit, Link: e.Origin.Link, Branch: e.Branch, Hosts: e.Hosts, GPU: e.GPU, Driver: e.Driver, Job: e.Job}
		if e.Damaged != nil {
			r.Damaged = e.Damaged.Cause
		}
		x.Runs = append(x.Runs, r)
	}
	for _, v := range c.Events {
		x.Events = append(x.Events, indexEvent{v.File, v})
	}
	var b bytes.Buffer
	out := json.NewEncoder(&b)
	out.SetEscapeHTML(false)
	out.SetIndent("", " ")
	err := out.Encode(x)
	return b.Bytes(), err
}

func timeText(at int64) string {
	if at == 0 {
		return ""
	}
	return time.Unix(0, at).UTC().Format(time.RFC3339)
}

// indexTries bounds how often an index is made again because another process saved meanwhile.
const indexTries = 10

// WriteIndex writes the index of a store that was read, with what levels returns, and says whether the one that was
// there was another. It reads the store again until nothing was saved meanwhile: of processes that save at once the
// last leaves an index of all their runs. levels may be nil.
func (c *Contents) WriteIndex(how Reading, levels func(*Contents) (json.RawMessage, error)) (changed bool, err error) {
	for range indexTries {
		var more json.RawMessage
		if levels != nil {
			if more, err = levels(c); err != nil {
				return changed, err
			}
		}
		text, err := c.Index(more)
		if err != nil {
			return changed, err
		}
		have, err := os.ReadFile(filepath.Join(c.Dir, indexName))
		if err != nil || !bytes.Equal(have, text) {
			changed = changed || !errors.Is(err, os.ErrNotExist)
			if err := writeFile(c.Dir, indexName, text); err != nil {
				return changed, writeError(indexName, "cannot be written", err)
			}
		}
		again, err := c.Again(how)
		if err != nil || slices.Equal(c.inIndex(), again.inIndex()) {
			return changed, err
		}
		*c = *again
	}
	return changed, nil
}

// inIndex lists the files that an index is made of.
func (c *Contents) inIndex() (files []string) {
	for i := range c.Entries {
		files = append(files, c.Entries[i].File)
	}
	for i := range c.Events {
		files = append(files, c.Events[i].File)
	}
	return files
}
