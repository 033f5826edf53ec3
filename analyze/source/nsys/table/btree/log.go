package btree

import (
	"bufio"
	"context"
	"encoding/binary"
	"io"
	"maps"
	"os"
)

// LogState says what was taken from the log next to a database.
type LogState int

const (
	Nothing LogState = iota // there is no log, or it holds nothing that counts
	Whole                   // all that the log holds was taken
	Broken                  // the log breaks off: what was written up to there was taken
	Undone                  // a write that never ended was undone
	Damaged                 // a write that never ended cannot be undone: pages that the journal counts are damaged or missing
	NotALog                 // the log is not one of this database, and was not read
)

// The endings of the logs that SQLite leaves next to a file.
const (
	WALSuffix     = "-wal"
	JournalSuffix = "-journal"
)

// ApplyLogs applies the logs next to the file at path, as SQLite would when it opens the file, and returns the ending
// of the log that was looked at. It fails with errors of reading or of ctx.
func (m *Image) ApplyLogs(ctx context.Context, path string) (suffix string, what LogState, err error) {
	for _, kind := range []struct {
		suffix string
		read   func(context.Context, *os.File, int64, int64) (*pagesOfLog, error)
	}{{WALSuffix, readWAL}, {JournalSuffix, readJournal}} {
		f, info, err := openLog(path + kind.suffix)
		if err != nil {
			return kind.suffix, Nothing, err
		}
		if f == nil {
			continue
		}
		found, err := kind.read(ctx, f, info.Size(), m.pageSize())
		if err == nil && found.applied != Damaged && (found.pages > 0 || found.applied == Undone) {
			m.apply(f, info, found)
			return kind.suffix, found.applied, nil
		}
		f.Close()
		if err != nil || found.applied != Nothing {
			return kind.suffix, found.what(), err
		}
	}
	return "", Nothing, nil
}

// openLog opens a log; nil where there is none or it is empty.
func openLog(path string) (*os.File, os.FileInfo, error) {
	info, err := os.Stat(path)
	if err != nil || !info.Mode().IsRegular() || info.Size() == 0 {
		return nil, nil, nil
	}
	f, err := os.Open(path)
	if err != nil {
		return nil, nil, err
	}
	if info, err = f.Stat(); err != nil {
		f.Close()
		return nil, nil, err
	}
	return f, info, nil
}

// pageSize returns the page size in the file's own header, 0 if it is not possible.
func (m *Image) pageSize() int64 {
	var head [18]byte
	if n, _ := m.file.ReadAt(head[:], 0); n < len(head) {
		return 0
	}
	size := int64(binary.BigEndian.Uint16(head[16:]))
	if size == 1 {
		size = 65536
	}
	if !isPageSize(size) {
		return 0
	}
	return size
}

func isPageSize(n int64) bool { return n >= 512 && n <= 65536 && n&(n-1) == 0 }

// pagesOfLog holds the pages of a log.
type pagesOfLog struct {
	moved   map[uint32]int64 // offsets of pages in the log, by number
	pages   uint32           // of the database
	page    int64            // bytes of each
	applied LogState
}

// what returns what was applied; the log may not have been read.
func (p *pagesOfLog) what() LogState {
	if p == nil {
		return Nothing
	}
	return p.applied
}

const (
	walHead   = 32
	frameHead = 24
	walMagic  = 0x377f0682 // its lowest bit: sums are over big-endian words
	walFormat = 3007000
)

// readWAL finds the pages in a write-ahead log: the last of each number up to the last commit
// (https://www.sqlite.org/fileformat2.html#the_write_ahead_log). Frames of an earlier use of the log follow the valid
// ones and are recognised by their salt.
func readWAL(ctx context.Context, f *os.File, size, page int64) (*pagesOfLog, error) {
	out := &pagesOfLog{applied: NotALog, page: page}
	r := bufio.NewReaderSize(f, 1<<20)
	head := make([]byte, walHead)
	if _, err := io.ReadFull(r, head); err != nil {
		return out, nil
	}
	sum, ok := walStart(head, page)
	if !ok {
		return out, nil
	}
	out.applied, out.moved = Whole, make(map[uint32]int64)
	pending := make(map[uint32]int64) // since the last commit
	frame := make([]byte, frameHead+page)
	for at := int64(walHead); at < size; at += int64(len(frame)) {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		n, err := io.ReadFull(r, frame)
		earlier, number := n < frameHead || string(frame[8:16]) != string(head[16:24]), word(frame, 0)
		if goesOn := err == nil && sum.of(frame); earlier && at > walHead && n >= frameHead && !goesOn {
			break // of an earlier use; the first frame is written with the head
		} else if earlier || number == 0 || !goesOn {
			out.applied = Broken
			break
		}
		pending[number] = at + frameHead
		if pages := word(frame, 1); pages > 0 { // a commit
			out.pages = pages
			maps.Copy(out.moved, pending)
			clear(pending)
		}
	}
	switch {
	case len(pending) > 0:
		out.applied = Broken
	case out.applied == Whole && out.pages == 0:
		out.applied = Nothing
	}
	return out, nil
}

// word returns one of the big-endian words of a log.
func word(b []byte, i int) uint32 { return binary.BigEndian.Uint32(b[4*i:]) }

// walStart returns the checksum of the head of a write-ahead log; false if it is not the log of a database with pages
// of this size.
func walStart(head []byte, page int64) (*walSum, bool) {
	sum := &walSum{order: binary.LittleEndian}
	if word(head, 0)&1 == 1 {
		sum.order = binary.BigEndian
	}
	sum.add(head[:24])
	known := word(head, 0)&^1 == walMagic && word(head, 1) == walFormat
	fits := int64(word(head, 2)) == page && isPageSize(page)
	return sum, known && fits && sum.a == word(head, 6) && sum.b == word(head, 7)
}

// walSum is the running checksum of a write-ahead log.
type walSum struct {
	order binary.ByteOrder
	a, b  uint32
}

// of takes in a frame and reports whether the sum in it is right.
func (s *walSum) of(frame []byte) bool {
	s.add(frame[:8])
	s.add(frame[frameHead:])
	return s.a == word(frame, 4) && s.b == word(frame, 5)
}

// add takes in a multiple of eight bytes.
func (s *walSum) add(b []byte) {
	for ; len(b) >= 8; b = b[8:] {
		s.a += s.order.Uint32(b) + s.b
		s.b += s.order.Uint32(b[4:]) + s.a
	}
}

const (
	journalHead  = 28
	journalMagic = "\xd9\xd5\x05\xf9\x20\xa1\x63\xd7"
)

// readJournal finds the pages as they were before a write that did not end, which are in its rollback journal
// (https://www.sqlite.org/fileformat2.html#the_rollback_journal). A journal with a cleared head is finished.
func readJournal(ctx context.Context, f *os.File, size, page int64) (*pagesOfLog, error) {
	out := &pagesOfLog{applied: NotALog, moved: make(map[uint32]int64), page: page}
	for at := int64(0); at+journalHead <= size; {
		h, err := readJournalHead(f, at)
		if err != nil {
			return nil, err
		}
		if at == 0 && out.page == 0 {
			out.page = h.page // the first page of the file was not written yet
		}
		switch {
		case at == 0 && h.cleared:
			out.applied = Nothing
			return out, nil
		case !h.valid || h.page != out.page || at == 0 && namesSuper(f, size):
			return out, nil
		case at == 0:
			out.pages, out.applied = h.pages, Undone
		}
		at += h.sector
		more, err := out.restore(ctx, f, h, at, size)
		if err != nil || !more {
			return out, err
		}
		at += h.records(size-at) * (out.page + 8)
		at = (at + h.sector - 1) / h.sector * h.sector
	}
	return out, nil
}

// restore takes the pages after one head of a journal; false where one was not written to its end: nothing after it
// counts.
func (p *pagesOfLog) restore(ctx context.Context, f *os.File, h journalPart, at, size int64) (bool, error) {
	record := make([]byte, p.page+8)
	for range h.records(size - at) {
		if err := ctx.Err(); err != nil {
			return false, err
		}
		n, err := f.ReadAt(record, at)
		if err != nil && err != io.EOF {
			return false, err
		}
		number, sum := binary.BigEndian.Uint32(record), binary.BigEndian.Uint32(record[4+p.page:])
		if n < len(record) || number == 0 || journalSum(record[4:4+p.page], h.nonce) != sum {
			if h.count != toTheEnd || at+int64(len(record)) < size { // the head counts what had reached the disk
				p.applied = Damaged // only the last of records that nobody counted may have been cut
			}
			return false, nil
		}
		if number <= p.pages {
			p.moved[number] = at + 4
		}
		at += int64(len(record))
	}
	return true, nil
}

// journalPart is a head in a journal, each time that it was written to the disk.
type journalPart struct {
	valid, cleared bool
	count          uint32 // records, or toTheEnd
	nonce, pages   uint32
	sector, page   int64
}

// toTheEnd as the count of a head stands for all records up to the end of the file.
const toTheEnd = 1<<32 - 1

// records returns the number of records after the head, in left bytes.
func (h journalPart) records(left int64) int64 {
	if h.count == toTheEnd {
		return left / (h.page + 8)
	}
	return min(int64(h.count), left/(h.page+8)+1) // the last may be cut
}

func readJournalHead(f *os.File, at int64) (h journalPart, err error) {
	var b [journalHead]byte
	if _, err := f.ReadAt(b[:], at); err != nil {
		return h, err
	}
	w := b[len(journalMagic):]
	h = journalPart{cleared: b[0] == 0, count: word(w, 0), nonce: word(w, 1), pages: word(w, 2)}
	h.sector, h.page = int64(word(w, 3)), int64(word(w, 4))
	h.valid = string(b[:8]) == journalMagic && h.sector >= journalHead && h.sector <= 65536 && isPageSize(h.page)
	return h, nil
}

// namesSuper reports whether a journal is one of several that count together: its meaning depends on a file somewhere
// else.
func namesSuper(f *os.File, size int64) bool {
	var end [8]byte
	n, _ := f.ReadAt(end[:], max(0, size-8))
	return n == len(end) && string(end[:]) == journalMagic
}

// journalSum returns the checksum of a page in a journal.
func journalSum(page []byte, sum uint32) uint32 {
	for i := len(page) - 200; i > 0; i -= 200 {
		sum += uint32(page[i])
	}
	return sum
}

// apply takes the pages that a log holds. A page that neither the log nor the file has
// ends the image, which is then shorter than its header says.
func (m *Image) apply(log *os.File, then os.FileInfo, found *pagesOfLog) {
	own := m.size / found.page
	m.logInfo, m.log, m.page, m.inLog, m.size = then, log, found.page, found.moved, int64(found.pages)*found.page
	for n := own; n < int64(found.pages); n++ {
		if _, ok := m.inLog[uint32(n)+1]; !ok {
			m.size = n * m.page
			return
		}
	}
}
