package btree

import (
	"encoding/binary"
	"errors"
	"io"
	"io/fs"
)

// File is a database whose pages are read directly from its image.
type File struct {
	f        *Image
	pageSize int
	usable   int
	count    uint32
	encoding Encoding
	blocks   [4]block
	clock    int
	ahead    int   // bytes that the next miss reads
	end      int64 // of the last block that was read
	expected []uint32
}

// block is a stretch of the file.
type block struct {
	at   int64
	data []byte
	room *[mostAhead]byte // which data is a part of
	used int              // clock of the last use
}

const (
	leastAhead = 64 << 10
	mostGap    = 9 << 10 // bytes that cost less to read than another call: two pages of 4 KB
)

// NewFile returns the database of an image. A header that SQLite refuses is an error.
func NewFile(image *Image) (*File, error) {
	db := &File{f: image, ahead: leastAhead}
	if err := db.readHeader(); err != nil {
		return nil, err
	}
	return db, nil
}

// Release gives back the memory of the pages, none of which may be in use any more.
func (db *File) Release() {
	for i := range db.blocks {
		if room := db.blocks[i].room; room != nil {
			blockPool.Put(room)
		}
		db.blocks[i] = block{}
	}
}

// Count returns the number of pages.
func (db *File) Count() uint32 { return db.count }

// Encoding is the encoding of the texts of a database, by its number in the header
// (https://www.sqlite.org/fileformat2.html#enc). Texts are handed over as they are.
type Encoding uint8

// The encodings that there are.
const (
	UTF8 Encoding = 1 + iota
	UTF16LE
	UTF16BE
)

// Encoding returns the encoding of all texts.
func (db *File) Encoding() Encoding { return db.encoding }

func (db *File) readHeader() error {
	head := make([]byte, 100)
	if _, err := db.f.ReadAt(head, 0); err != nil {
		return err
	}
	db.pageSize = int(binary.BigEndian.Uint16(head[16:]))
	if db.pageSize == 1 {
		db.pageSize = 65536
	}
	switch {
	case !isPageSize(int64(db.pageSize)):
		return damaged(1, "a page size of %d", db.pageSize)
	case head[19] > 2 || head[47] > 4:
		return damaged(1, "a format that only newer programs read")
	case head[21] != 64 || head[22] != 32 || head[23] != 32:
		return damaged(1, "the header of the file does not add up")
	}
	db.encoding = max(UTF8, Encoding(head[59]&3))
	db.usable = db.pageSize - int(head[20])
	pages := db.f.Size() / int64(db.pageSize)
	if db.usable < 480 || pages > 1<<32-2 {
		return damaged(1, "%d usable bytes on each of %d pages", db.usable, pages)
	}
	db.count = uint32(pages)
	if said := binary.BigEndian.Uint32(head[28:]); said != 0 && said < db.count &&
		binary.BigEndian.Uint32(head[24:]) == binary.BigEndian.Uint32(head[92:]) {
		db.count = said
	}
	return nil
}

// lockByte is where SQLite's locks are; no page of a table is there.
const lockByte = 1 << 30

// Page returns the usable bytes of a page.
func (db *File) Page(n uint32) ([]byte, error) {
	at := int64(n-1) * int64(db.pageSize)
	if at/int64(db.pageSize) == lockByte/int64(db.pageSize) {
		return nil, errors.New("the page of locks")
	}
	db.clock++
	for i := range db.blocks {
		b := &db.blocks[i]
		if at >= b.at && at+int64(db.pageSize) <= b.at+int64(len(b.data)) {
			b.used = db.clock
			return b.data[at-b.at:][:db.usable], nil
		}
	}
	b, err := db.load(at)
	if err != nil {
		return nil, err
	}
	return b.data[at-b.at:][:db.usable], nil
}

// expect notes the pages that will be asked for next.
func (db *File) expect(pages []uint32) { db.expected = pages }

// run returns how many pages from page on to read together: up to the last expected one that follows closely, so that
// the pages of one table are read although other tables' lie between them. 0: page is not expected.
func (db *File) run(page uint32) int {
	for len(db.expected) > 0 && db.expected[0] != page {
		db.expected = db.expected[1:]
	}
	if len(db.expected) == 0 {
		return 0
	}
	end := page
	for _, next := range db.expected[1:] {
		if next <= end || int(next-end-1) > mostGap/db.pageSize || int(next-page) >= mostAhead/db.pageSize {
			break
		}
		end = next
	}
	return int(end-page) + 1
}

// load reads the block that begins at a page, or a small file as a whole. Blocks cost a system call and a copy each:
// while reading goes on where it ended they double, elsewhere they are short, so that a file in disorder is not read
// many times over.
func (db *File) load(at int64) (*block, error) {
	if at >= db.end && at < db.end+mostAhead {
		db.ahead = min(2*db.ahead, mostAhead)
	} else {
		db.ahead = leastAhead
	}
	oldest := &db.blocks[0]
	for i := range db.blocks {
		if db.blocks[i].used < oldest.used {
			oldest = &db.blocks[i]
		}
	}
	size := max(db.ahead, db.pageSize)
	if n := db.run(uint32(at/int64(db.pageSize)) + 1); n > 0 {
		size = n * db.pageSize
	}
	from := at
	if db.f.Size() <= mostAhead {
		from, size = 0, mostAhead
	}
	if oldest.room == nil {
		oldest.room = blockPool.Get().(*[mostAhead]byte)
	}
	size = int(max(0, min(int64(size), db.f.Size()-from))) // what is behind the end takes another call to find out
	n, err := db.f.ReadAt(oldest.room[:size], from)
	oldest.at, oldest.data, oldest.used = from, oldest.room[:n], db.clock
	if from+int64(n) < at+int64(db.pageSize) {
		var with *fs.PathError
		if errors.As(err, &with) { // who reads knows the path
			err = with.Err
		}
		if err == nil || errors.Is(err, io.EOF) {
			err = io.ErrUnexpectedEOF
		}
		return nil, err
	}
	db.end = from + int64(n)
	return oldest, nil
}
