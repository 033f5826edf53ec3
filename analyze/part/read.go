package part

import (
	"bytes"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"perfdiff/analyze/saved"
)

// ErrDamaged is the error if a part does not hold what was written.
var ErrDamaged = errors.New("is damaged: its checksum is another one")

// ErrForeign is the cause where a file is no part, or one of another version.
var ErrForeign = errors.New("cannot be merged")

// Reader is a part that is read record by record.
type Reader struct {
	Header
	Path    string
	Sum     [sha256.Size]byte // of its content
	offsets []int64           // of each record, and of the end of the last
}

// Open reads the header of a part and checks all of the file against its checksum. The error is an
// ErrDamaged, an ErrForeign, or one of the file system. It does not name the file.
func Open(path string) (*Reader, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	info, err := f.Stat()
	switch {
	case err != nil:
		return nil, err
	case !info.Mode().IsRegular():
		return nil, fmt.Errorf("%w: is no file", ErrForeign)
	}
	head, err := readLines(f)
	if err != nil {
		return nil, err
	}
	h, size, err := readHeader(head)
	switch {
	case err != nil && bytes.HasPrefix(head, []byte(begin)), len(head) < len(begin) && isNamed(path) && strings.HasPrefix(begin, string(head)):
		return nil, ErrDamaged
	case err != nil:
		return nil, fmt.Errorf("%w: %w", ErrForeign, err)
	}
	r := &Reader{Header: h, Path: path, offsets: []int64{size, size + int64(h.Beside)}}
	for _, e := range h.Entries {
		r.offsets = append(r.offsets, r.offsets[len(r.offsets)-1]+int64(e.Packed))
	}
	if info.Size() != r.offsets[len(r.offsets)-1]+sha256.Size {
		return nil, ErrDamaged
	}
	r.Sum, err = checkSum(f, info.Size())
	return r, err
}

// begin is how every part of this version begins.
const begin = magic + version + "\n"

// isNamed reports whether a file has the name of a part: such a file that is empty or ends in its first line was cut,
// and must be measured again, where any other such file is no part.
func isNamed(path string) bool {
	name := filepath.Base(path)
	return strings.HasPrefix(name, "shard-") && strings.HasSuffix(name, Ext)
}

// checkSum returns the checksum at the end of a file, if it fits the content.
func checkSum(f *os.File, size int64) (have [sha256.Size]byte, err error) {
	sum := newSum()
	if _, err := io.Copy(sum, io.NewSectionReader(f, 0, size-sha256.Size)); err != nil {
		return have, err
	}
	if _, err := f.ReadAt(have[:], size-sha256.Size); err != nil {
		return have, err
	}
	if !bytes.Equal(sum.Sum(nil), have[:]) {
		return have, ErrDamaged
	}
	return have, nil
}

// readLines reads the first two lines of a file, or what there is of them, as far as a header can go.
func readLines(f *os.File) ([]byte, error) {
	var head []byte
	lines, block := 0, make([]byte, 64<<10)
	for len(head) < largestHeader {
		n, err := f.ReadAt(block, int64(len(head)))
		if len(head) == 0 && !Is(block[:n]) {
			return block[:min(n, len(magic))], nil
		}
		lines += bytes.Count(block[:n], []byte("\n"))
		head = append(head, block[:n]...)
		switch {
		case lines >= 2, err == io.EOF:
			return head, nil
		case err != nil:
			return nil, err
		}
	}
	return head, nil
}

// record reads record i.
func (r *Reader) record(i int) ([]byte, error) {
	f, err := os.Open(r.Path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	b := make([]byte, r.offsets[i+1]-r.offsets[i])
	_, err = f.ReadAt(b, r.offsets[i])
	return b, err
}

// BesideProfiles returns what the part says about the whole run set.
func (r *Reader) BesideProfiles(budget *saved.MemoryBudget) (b Beside, err error) {
	packed, err := r.record(0)
	if err != nil {
		return b, err
	}
	c, err := saved.OpenColumns(packed, budget)
	if err != nil {
		return b, err
	}
	if text := c.Text(nil); c.OK() && json.Unmarshal(text, &b) != nil {
		return b, errNotWritten
	}
	return b, c.End()
}

// File returns what was measured for entry i. It takes memory from the budget; where that is too small, the error is
// saved.ErrMemory.
func (r *Reader) File(i int, budget *saved.MemoryBudget) (*File, error) {
	packed, err := r.record(1 + i)
	if err != nil {
		return nil, err
	}
	f, err := unpack(packed, budget)
	if err != nil {
		return nil, err
	}
	e := r.Entries[i]
	if f.Name != e.Name || f.Bytes != e.Bytes || f.Digest != e.Digest {
		return nil, errNotWritten
	}
	return f, nil
}
