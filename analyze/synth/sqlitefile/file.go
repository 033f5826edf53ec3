// Package sqlitefile writes SQLite databases: tables that are filled once, in order of their row
// ids, as an exporter of profiles leaves them. The format is that of
// https://www.sqlite.org/fileformat2.html.
//
// It exists so that the program carries no SQL engine for the few kinds of rows of its demo. What
// an engine is for is not here: no statement is run, no constraint held, no row changed, and an
// index stays without rows. Pages are written as they fill, so that a file needs a page of memory
// for each of its tables, and tables that are filled in turns lie in turns, as exporters have it.
package sqlitefile

import (
	"encoding/binary"
	"fmt"
	"os"
	"strings"
)

const (
	pageSize  = 4096
	firstHead = 100 // bytes of page 1 before the root of the schema
	// lockPage is never used: its first byte is what locks of SQLite are taken on.
	lockPage = 1<<30/pageSize + 1
)

// File is a database that is being written. It keeps the first error, does nothing after it, and
// tells it when it is closed. It is not for several goroutines at a time.
type File struct {
	out    *os.File
	pages  uint32 // that have a use so far
	schema *Table
	tables []*Table
	names  map[string]bool // of what the schema holds, in lower case
	err    error
}

// Create makes a file at path, or empties the one that is there.
func Create(path string) (*File, error) {
	out, err := os.Create(path)
	if err != nil {
		return nil, err
	}
	f := &File{out: out, pages: 1, names: map[string]bool{}}
	f.schema = &Table{file: f, name: "sqlite_schema", columns: 5, key: -1, root: 1, number: 1}
	return f, nil
}

// Table adds an empty table that sql, a CREATE TABLE statement, declares with a number of columns.
// key is the place of the one that is INTEGER PRIMARY KEY, which is the id of the row, and -1
// where there is none.
func (f *File) Table(name, sql string, columns, key int) *Table {
	t := &Table{file: f, name: name, columns: columns, key: key, root: f.allocate()}
	t.number = t.root
	f.declare("table", name, name, t.root, sql)
	f.tables = append(f.tables, t)
	return t
}

// View adds a view that sql, a CREATE VIEW statement, declares.
func (f *File) View(name, sql string) { f.declare("view", name, name, 0, sql) }

// Index adds an index that sql, a CREATE INDEX statement, declares of a table that has no rows and
// gets none.
func (t *Table) Index(name, sql string) {
	f := t.file
	if t.rows > 0 {
		f.fail(fmt.Errorf("index %s: table %s has rows, which would have to be in it", name, t.name))
	}
	t.indexed = true
	root := f.allocate()
	f.declare("index", name, t.name, root, sql)
	var empty page
	f.write(root, empty.seal(leafIndex, 0, 0))
}

// declare adds a row to the schema.
func (f *File) declare(kind, name, table string, root uint32, sql string) {
	if key := strings.ToLower(name); f.names[key] {
		f.fail(fmt.Errorf("%s %s: the name is taken", kind, name))
	} else {
		f.names[key] = true
	}
	f.schema.Append(kind, name, table, int64(root), sql)
}

// Close writes what is not written yet and closes the file. The error is the first of all.
func (f *File) Close() error {
	for _, t := range f.tables {
		t.close()
	}
	f.schema.close() // last: the page it ends with tells how many there are
	f.fail(f.out.Close())
	return f.err
}

// fail keeps an error, if it is the first.
func (f *File) fail(err error) {
	if f.err == nil {
		f.err = err
	}
}

// allocate is the number of a page that has no use yet.
func (f *File) allocate() uint32 {
	if f.pages++; f.pages == lockPage {
		f.pages++
	}
	return f.pages
}

// write writes a page; the first with the head of the file.
func (f *File) write(number uint32, bytes []byte) {
	if f.err != nil {
		return
	}
	if number == 1 {
		f.head(bytes)
	}
	_, err := f.out.WriteAt(bytes, int64(number-1)*pageSize)
	f.fail(err)
}

// head writes the head of the file into its first page.
func (f *File) head(first []byte) {
	copy(first, "SQLite format 3\x00")
	binary.BigEndian.PutUint16(first[16:], pageSize)
	copy(first[18:], []byte{
		1, 1, // written and read with a rollback journal
		0,          // bytes at the end of pages that are not used
		64, 32, 32, // shares of a page, which the format fixes
	})
	for at, value := range map[int]uint32{
		24: 1, // changes so far
		28: f.pages,
		40: uint32(len(f.names)), // changes of the schema
		44: 4,                    // format of the schema: integers 0 and 1 take no byte
		56: 1,                    // UTF-8
		92: 1,                    // the number of changes up to which the count of pages holds
		96: 3_007_000,            // the first version of SQLite that counts pages here
	} {
		binary.BigEndian.PutUint32(first[at:], value)
	}
}
