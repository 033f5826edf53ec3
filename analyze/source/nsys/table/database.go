package table

import "perfdiff/analyze/source/nsys/table/btree"

// database is an export in SQLite's format, opened so that nothing is ever
// written beside it, locked or run from it.
type database struct {
	meter
	image       *btree.Image
	words       Words
	sql         *engine           // nil until it is needed
	pages       btree.Pages       // nil: tables are read through the engine alone
	shapes      schema            // of the tables that were asked for, or of all
	known       NameSet           // tables
	others      map[string]string // what is in the schema and no table, by folded name
	log         string            // what came of a log beside the file, "" where that is nothing to know
	readExtents                   // what is wanted of tables that are read again and again

	foreignErr error // what stands in place of a table that was asked for
}
