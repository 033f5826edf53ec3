package part

import (
	"encoding/json"
	"errors"
	"slices"

	"perfdiff/analyze/metric"
	"perfdiff/analyze/picture"
	"perfdiff/analyze/run"
	"perfdiff/analyze/saved"
	"perfdiff/analyze/trace"
)

// File holds what was measured for one profile.
type File struct {
	run.File
	Captures []Capture
}

// Capture holds what was measured for one rank in one profile: all that is needed when the ranks of a run are put
// together.
type Capture struct {
	Rank     run.Rank
	Comm     metric.Communication
	Cuts     []picture.Cut
	Identity trace.Identity
	Epoch    int64          // UTC ns of time 0; trace.NoTime not known
	Window   trace.Interval // of the capture
	Digest   string         // of the trace
	Warnings []trace.Warning
}

// Beside holds what a part says about the whole run set: its profiles, including those of other shards, and the other
// files in its directories, which reports list.
type Beside struct {
	Listed    []Listed `json:",omitempty"` // in the order in which they are read; nil where each machine took its own
	Ignored   []run.File
	Warnings  []trace.Warning
	OtherDirs []string
}

// Listed is a profile of a run set.
type Listed struct {
	Name  string
	Bytes int64
	Shard int // whose it is
}

// captureText is the part of a capture's record that is not in columns.
type captureText struct {
	Rank     run.Rank
	Cuts     []run.Excerpt `json:",omitempty"` // each with one strip
	Identity trace.Identity
	Epoch    int64
	Window   trace.Interval
	Digest   string          `json:",omitempty"`
	Warnings []trace.Warning `json:",omitempty"`
}

// captureBytes is more than a capture takes by itself.
const captureBytes = 8 << 10

// maxCaptures is more captures than a profile has.
const maxCaptures = 1 << 16

// pack returns the record of a file.
func (f *File) pack() ([]byte, error) {
	c := saved.NewColumns()
	text, err := json.Marshal(&f.File)
	if err != nil {
		return nil, err
	}
	c.Text(text)
	n := len(f.Captures)
	c.Count(&n, captureBytes)
	for i := range f.Captures {
		if err := f.Captures[i].write(c); err != nil {
			return nil, err
		}
	}
	return c.Packed()
}

// write writes a capture. It is not changed.
func (x *Capture) write(to *saved.Columns) error {
	text := captureText{Rank: x.Rank, Identity: x.Identity, Epoch: x.Epoch, Window: x.Window, Digest: x.Digest, Warnings: x.Warnings}
	for _, cut := range x.Cuts {
		text.Cuts = append(text.Cuts, run.Excerpt{Step: cut.Step, Ranks: []run.Strip{cut.Strip()}})
	}
	columns := to.Later()
	columns.Rank(&text.Rank)
	text.Cuts = columns.Excerpts(text.Cuts)
	comm := x.Comm
	comm.Columns(columns, len(x.Rank.Steps))
	said, err := json.Marshal(&text)
	if err != nil {
		return err
	}
	to.Text(said)
	to.Append(columns)
	return nil
}

// unpack reads the record of a file.
func unpack(packed []byte, budget *saved.MemoryBudget) (*File, error) {
	c, err := saved.OpenColumns(packed, budget)
	if err != nil {
		return nil, err
	}
	f, n := &File{}, 0
	if text := c.Text(nil); c.OK() && json.Unmarshal(text, &f.File) != nil {
		return nil, errNotWritten
	}
	if c.Count(&n, captureBytes) && n > maxCaptures {
		return nil, errNotWritten
	}
	for range n {
		x, err := readCapture(c)
		if err != nil {
			return nil, err
		}
		f.Captures = append(f.Captures, x)
	}
	return f, c.End()
}

var errNotWritten = errors.New("it holds something else than it should")

func readCapture(from *saved.Columns) (Capture, error) {
	var text captureText
	if said := from.Text(nil); from.OK() && json.Unmarshal(said, &text) != nil {
		return Capture{}, errNotWritten
	}
	from.Rank(&text.Rank)
	text.Cuts = from.Excerpts(text.Cuts)
	x := Capture{Rank: text.Rank, Identity: text.Identity, Epoch: text.Epoch, Window: text.Window, Digest: text.Digest, Warnings: text.Warnings}
	for _, cut := range text.Cuts {
		if len(cut.Ranks) != 1 {
			return Capture{}, errNotWritten
		}
		x.Cuts = append(x.Cuts, picture.CutOf(&cut.Ranks[0], cut.Step))
	}
	x.Comm.Columns(from, len(x.Rank.Steps))
	if !from.OK() {
		return Capture{}, from.End()
	}
	return x, nil
}

// ranks returns the ranks that the file's captures state.
func (f *File) ranks() []int {
	var out []int
	for i := range f.Captures {
		out = append(out, f.Captures[i].Identity.Rank)
	}
	return slices.Clip(out)
}
