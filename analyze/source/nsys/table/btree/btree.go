// Package btree reads the tables of a SQLite database from its own pages: rows
// in the order of the file, columns as integers, at several times the speed of
// stepping through them with SQL. The format is that of
// https://www.sqlite.org/fileformat2.html.
//
// It reads what exporters write and refuses the rest: the cause of a refusal
// is ErrDoubt, no row was made up and the rows so far stand, so that an engine
// can go on behind them. Pages that SQLite would call corrupt are in doubt too;
// the checks here are at least as strict as its own. Nothing is trusted: every
// offset is checked before it is used, no page is visited more often than there
// are pages, and no row takes more memory than maxRow.
package btree

import (
	"errors"
	"fmt"
)

// ErrDoubt is the cause of a refusal: the file may be sound, but reading it
// needs more than this package knows.
var ErrDoubt = errors.New("unusual page or record")

// Pages hands out the pages of a database by number, from 1.
type Pages interface {
	// Page returns the bytes of a page that hold content: all but those
	// reserved at its end. They are valid until the next call.
	Page(n uint32) ([]byte, error)
	// Count is the number of pages.
	Count() uint32
}

// Null is the value of NULL, and of what is no integer in a column of
// integers.
const Null int64 = -1 << 63

// Column is one column of a scan.
type Column struct {
	// Field is the column's place in the record, from 0. Rows that end before
	// it have NULL there. Rowid takes the row's id instead, which is what an
	// INTEGER PRIMARY KEY is.
	Field int
	// Text, if it is not nil, turns the value into an integer; numbers are
	// given to it as SQLite spells them. The string is valid only during the
	// call, and of one longer than 64 kB only the first 64 kB may be there.
	Text func(string) int64
}

// Rowid as a Column's Field stands for the row's id.
const Rowid = -1

// Absent as a Column's Field stands for a column that the table lacks: NULL.
const Absent = -2

// BatchSize is the number of rows that are handed over at once.
const BatchSize = 512

const (
	maxDepth  = 20      // levels of a tree, as SQLite has it
	maxRow    = 1 << 20 // bytes of one row that are put together
	maxText   = 64 << 10
	maxHeader = 1 << 10 // bytes of a record's header

	leafTable     = 13
	interiorTable = 5
)

// doubt is a refusal with its reason.
func doubt(page uint32, format string, args ...any) error {
	return fmt.Errorf("page %d: %w: %s", page, ErrDoubt, fmt.Sprintf(format, args...))
}

// pageOf returns a page of a tree and where its own header begins.
func pageOf(pages Pages, number uint32) (page []byte, head int, err error) {
	if number == 0 || number > pages.Count() {
		return nil, 0, doubt(number, "no such page")
	}
	if page, err = pages.Page(number); err != nil {
		return nil, 0, fmt.Errorf("page %d: %w: %w", number, ErrDoubt, err)
	}
	if number == 1 {
		head = 100 // the file's own header
	}
	if len(page) < head+12 {
		return nil, 0, doubt(number, "too short")
	}
	return page, head, nil
}
