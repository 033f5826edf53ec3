package btree

import (
	"io"
	"os"
)

// Image is the content of a database file with the log next to it applied: pages in a write-ahead log are taken from
// there, and pages that an unfinished write changed are taken from its rollback journal. Nothing is written, locked or
// created, and no index of the log (-shm) is needed.
type Image struct {
	file *os.File
	log  *os.File // nil where nothing is taken from a log
	size int64    // bytes of the database
	page int64    // bytes of a page
	// inLog says where in the log the pages are that are not taken from the file, by
	// number.
	inLog   map[uint32]int64
	logInfo os.FileInfo // size and time of the log when it was opened
}

// OpenImage opens the file at path without any log. The path must be the file's own, not a link to it: logs lie next
// to the file.
func OpenImage(path string) (*Image, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	info, err := f.Stat()
	if err != nil {
		f.Close()
		return nil, err
	}
	return &Image{file: f, size: info.Size()}, nil
}

// Size returns the number of bytes of the database.
func (m *Image) Size() int64 { return m.size }

// Close closes the file and its log.
func (m *Image) Close() error {
	if m.log != nil {
		m.log.Close()
	}
	return m.file.Close()
}

// ReadAt reads as a file does.
func (m *Image) ReadAt(b []byte, off int64) (n int, err error) {
	if m.inLog == nil {
		return m.file.ReadAt(b, off)
	}
	for n < len(b) && off < m.size {
		in := off % m.page
		part := b[n:min(n+int(min(m.page-in, m.size-off)), len(b))]
		from, at := m.file, off
		if moved, ok := m.inLog[uint32(off/m.page)+1]; ok {
			from, at = m.log, moved+in
		}
		got, err := from.ReadAt(part, at)
		n, off = n+got, off+int64(got)
		if got < len(part) {
			return n, err
		}
	}
	if n < len(b) {
		return n, io.EOF
	}
	return n, nil
}

// Stable reports whether the log that pages are taken from is as it was: it is used
// again from its beginning while the file itself stays as it is.
func (m *Image) Stable() bool {
	if m.log == nil {
		return true
	}
	now, err := m.log.Stat()
	return err == nil && now.Size() == m.logInfo.Size() && now.ModTime().Equal(m.logInfo.ModTime())
}
