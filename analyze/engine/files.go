package engine

import (
	"errors"
	"io"
	"io/fs"
	"time"
)

// imageName is the engine's name for the database. There is no other file for it: no log, no lock, nothing that could
// be created.
const imageName = "export"

// files is the file system of the engine: the image of one database and nothing else. Reading fails once more was read
// than any scan of a file needs: a damaged file can lead the engine over the same pages again and again.
type files struct {
	image Image
	left  int64 // bytes that may still be read
}

// errTooMuch is the cause when the engine works more than a file of its size can need.
var errTooMuch = errors.New("reading it takes more than a file of its size can need")

// allowedReads returns how many bytes the engine may read of a file: what is not in its
// cache is read again.
func allowedReads(size int64) int64 { return 64*size + 16<<20 }

// Open opens the database and refuses every other name.
func (e *files) Open(name string) (fs.File, error) {
	if name != imageName {
		return nil, &fs.PathError{Op: "open", Path: name, Err: fs.ErrNotExist}
	}
	return &opened{files: e}, nil
}

// opened is the database, opened.
type opened struct {
	files *files
	at    int64
}

// Read reads the next bytes.
func (f *opened) Read(b []byte) (int, error) {
	if f.files.left -= int64(len(b)); f.files.left < 0 {
		return 0, errTooMuch
	}
	n, err := f.files.image.ReadAt(b, f.at)
	f.at += int64(n)
	if n > 0 && errors.Is(err, io.EOF) {
		err = nil
	}
	return n, err
}

// Seek only supports places from the start.
func (f *opened) Seek(at int64, whence int) (int64, error) {
	if whence != io.SeekStart || at < 0 {
		return 0, fs.ErrInvalid
	}
	f.at = at
	return at, nil
}

// Close leaves the image open, which others read too.
func (f *opened) Close() error { return nil }

// Stat returns the file as the engine knows it.
func (f *opened) Stat() (fs.FileInfo, error) { return f, nil }

// Name returns the file's name.
func (f *opened) Name() string { return imageName }

// Size returns the number of bytes of the database.
func (f *opened) Size() int64 { return f.files.image.Size() }

// Mode returns the mode of a file that is only read.
func (f *opened) Mode() fs.FileMode { return 0o444 }

// ModTime returns the zero time: it is not known.
func (f *opened) ModTime() time.Time { return time.Time{} }

// IsDir returns false.
func (f *opened) IsDir() bool { return false }

// Sys returns nil.
func (f *opened) Sys() any { return nil }
