package part

import (
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"hash"
	"io"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"perfdiff/analyze/saved"
)

func newSum() hash.Hash { return sha256.New() }

// Part is a part that is ready to be written.
type Part struct {
	Header
	records [][]byte // that of what lies beside, then of each entry
}

// New makes a part from what was measured for the files of a shard. h is the part's header, without what follows from
// the files. The records are compressed here.
func New(h Header, beside Beside, files []File) (*Part, error) {
	text, err := json.Marshal(&beside)
	if err != nil {
		return nil, err
	}
	c := saved.NewColumns()
	c.Text(text)
	first, err := c.Packed()
	if err != nil {
		return nil, err
	}
	p := &Part{Header: h, records: [][]byte{first}}
	p.Beside, p.Entries = len(first), nil
	order := make([]int, len(files))
	for i := range order {
		order[i] = i
	}
	slices.SortFunc(order, func(a, b int) int { return strings.Compare(files[a].Name, files[b].Name) })
	for _, i := range order {
		f := &files[i]
		record, err := f.pack()
		if err != nil {
			return nil, err
		}
		p.records = append(p.records, record)
		p.Entries = append(p.Entries, Entry{Name: f.Name, Bytes: f.Bytes, Digest: f.Digest, Ranks: f.ranks(), Err: f.Err != "", Packed: len(record)})
	}
	return p, p.check()
}

// WriteTo writes the part as it stands in its file.
func (p *Part) WriteTo(w io.Writer) (int64, error) {
	line, err := json.Marshal(&p.Header)
	if err != nil {
		return 0, err
	}
	if len(line) > largestHeader {
		return 0, fmt.Errorf("a shard of %d profiles is too large for a part (make more shards)", len(p.Entries))
	}
	sum, n := newSum(), int64(0)
	put := func(b []byte) error {
		sum.Write(b)
		m, err := w.Write(b)
		n += int64(m)
		return err
	}
	err = put([]byte(magic + version + "\n" + string(line) + "\n"))
	for _, record := range p.records {
		if err == nil {
			err = put(record)
		}
	}
	if err == nil {
		err = put(sum.Sum(nil))
	}
	return n, err
}

// Write writes the part into a directory, which is made if it is missing, under its name: whole or
// not at all. A part of that name is replaced; two processes that write one part write the same.
func (p *Part) Write(dir string) (path string, bytes int64, err error) {
	if err := os.MkdirAll(dir, 0o777); err != nil {
		return "", 0, err
	}
	path = filepath.Join(dir, p.Name())
	f, err := create(dir)
	if err != nil {
		return path, 0, err
	}
	defer func() {
		f.Close()
		if err != nil {
			os.Remove(f.Name())
		}
	}()
	if bytes, err = p.WriteTo(f); err != nil {
		return path, 0, err
	}
	if err = f.Sync(); err != nil { // a node that is lost now must not leave a name without content
		return path, 0, err
	}
	if err = f.Close(); err != nil {
		return path, 0, err
	}
	if err = os.Rename(f.Name(), path); err == nil {
		syncDir(dir)
	}
	return path, bytes, err
}

// create makes a file that no other process has: a job has the same number when it is started again, and a process may
// have the number of one on another machine.
func create(dir string) (*os.File, error) {
	host, _ := os.Hostname()
	host = strings.Map(func(r rune) rune {
		if r == filepath.Separator || r < ' ' {
			return '-'
		}
		return r
	}, host)
	for {
		name := fmt.Sprintf("%s%s.%d.%016x", tempPrefix, host, os.Getpid(), rand.Uint64())
		f, err := os.OpenFile(filepath.Join(dir, name), os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o644)
		if !errors.Is(err, os.ErrExist) {
			return f, err
		}
	}
}

// syncDir makes the new name last. Some file systems cannot, and then nothing is lost but time: the
// merge names a part that is missing.
func syncDir(dir string) {
	if d, err := os.Open(dir); err == nil {
		d.Sync()
		d.Close()
	}
}
