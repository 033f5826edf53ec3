package table

import (
	"perfdiff/analyze/source/nsys/table/btree"
	"perfdiff/analyze/trace"
)

// database is an export in SQLite's format, opened so that nothing is written next to it, locked, or run from it.
type database struct {
	meter
	room        trace.Room // for SQLite
	image       *btree.Image
	words       Words
	pages       *btree.File
	schema      *schema // which other files may share: nothing in it changes
	known       NameSet // tables
	log         string  // what came of a log beside the file, "" where that is nothing to know
	readExtents         // what is wanted of tables that are read again and again

	second     second // tables that SQLite reads
	foreignErr error  // what stood in place of a table that was asked for
}
