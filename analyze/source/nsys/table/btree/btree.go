// Package btree reads the tables of a SQLite database from its own pages: rows
// in the order of the file, columns as integers, at several times the speed of
// stepping through them with SQL. The format is that of
// https://www.sqlite.org/fileformat2.html.
//
// What SQLite reads it reads, to the same values, and what SQLite calls corrupt
// where it checks each cell is Damage here: no row is made up, and the rows so
// far stand. Nothing is trusted: every offset is checked before it is used, no
// page is visited more often than there are pages, and no row takes more memory
// than maxRow.
package btree

import "fmt"

// Damage says what is wrong with a database.
type Damage struct {
	Page uint32 // the page that it was found on; 0 where that says nothing
	Why  string
	Err  error // of reading the page; nil for what is on it
}

func (d *Damage) Error() string {
	if d.Page == 0 {
		return d.Why
	}
	return fmt.Sprintf("page %d: %s", d.Page, d.Why)
}

// Unwrap returns the error of reading the page.
func (d *Damage) Unwrap() error { return d.Err }

// Pages hands out the pages of a database by number, from 1.
type Pages interface {
	// Page returns the bytes of a page that hold content: all but those
	// reserved at its end. They are valid until the next call.
	Page(n uint32) ([]byte, error)
	// Count is the number of pages.
	Count() uint32
}

// Null is the value of NULL, and of non-integers in a column of integers.
const Null int64 = -1 << 63

// Column is one column of a scan.
type Column struct {
	// Field is the column's place in the record, from 0. Rowid takes the row's
	// id instead, which is what an INTEGER PRIMARY KEY is.
	Field int
	// Text, if it is not nil, turns the value into an integer; numbers are
	// given to it as fmt spells them, and texts as they are. The string is valid
	// only during the call.
	Text func(string) int64
	// Real is set of a column whose integers are numbers with a point that
	// SQLite stores in less room.
	Real bool
	// Preset: the declaration says what is in rows that end before the field, which are
	// Damage here. Without, they have NULL.
	Preset bool
}

// Rowid as a Column's Field stands for the row's id.
const Rowid = -1

// Absent as a Column's Field stands for a column that the table lacks: NULL.
const Absent = -2

// BatchSize is the number of rows that are handed over at once.
const BatchSize = 512

// MaxValue is how many bytes a value can have. Texts of exports reach some
// hundred kilobytes.
const MaxValue = 4 << 20

const (
	maxDepth  = 20       // levels of a tree, as SQLite has it
	maxRow    = 16 << 20 // bytes of one row that are put together: those up to the last wanted value
	maxHeader = 98307    // bytes of a record's header, as SQLite has it

	leafTable     = 13
	interiorTable = 5
)

// damaged returns a Damage with its reason.
func damaged(page uint32, format string, args ...any) error {
	return &Damage{Page: page, Why: fmt.Sprintf(format, args...)}
}

// pageOf returns a page of a tree and where its own header begins.
func pageOf(pages Pages, number uint32) (page []byte, head int, err error) {
	if number == 0 || number > pages.Count() {
		return nil, 0, damaged(number, "there is no such page")
	}
	if page, err = pages.Page(number); err != nil {
		return nil, 0, &Damage{number, fmt.Sprintf("it cannot be read: %v", err), err}
	}
	if number == 1 {
		head = 100 // the file's own header
	}
	if len(page) < head+12 {
		return nil, 0, damaged(number, "it is too short")
	}
	return page, head, nil
}
