package table

import (
	"bytes"
	"context"
	"slices"
	"sync"

	"perfdiff/analyze/source/nsys/table/btree"
)

// The files of a job have one schema, on the same pages, byte by byte: to compare these
// takes a twentieth of the time that reading them anew does.

// seenSchema is a schema with the pages that it was read from. Nothing in it is changed.
type seenSchema struct {
	pages    []seenPage
	encoding btree.Encoding
	*schema
	known NameSet
	last  uint32 // the highest root
}

type seenPage struct {
	number uint32
	bytes  []byte
}

// content returns the part of a page that belongs to the schema: without the file's own header, in which changes are
// counted.
func content(number uint32, page []byte) []byte {
	if number == 1 {
		return page[min(len(page), headerBytes):]
	}
	return page
}

// headerBytes is the size of a file's own header, on the first page.
const headerBytes = 100

// schemasSeen are the last schemas, of few kinds of files.
var schemasSeen struct {
	sync.Mutex
	all []*seenSchema
}

const (
	mostSchemas     = 4
	mostSchemaBytes = 1 << 18 // of the pages of one
)

// readTables reads the schema and the names of the tables; if the same pages were seen before, it does not read them
// again.
func (d *database) readTables(ctx context.Context, pages *btree.File) error {
	schemasSeen.Lock()
	all := slices.Clone(schemasSeen.all)
	schemasSeen.Unlock()
	for _, s := range all {
		if s.is(pages) {
			d.schema, d.known = s.schema, s.known
			return nil
		}
	}
	noting := &recordingPages{Pages: pages}
	read, err := readSchema(ctx, noting, pages.Encoding())
	if err != nil {
		return err
	}
	s := &seenSchema{pages: noting.pages, encoding: pages.Encoding(), schema: read, known: make(NameSet, len(read.tables))}
	for name, t := range read.tables {
		s.known[name], s.last = true, max(s.last, t.root)
	}
	d.schema, d.known = s.schema, s.known
	if noting.bytes <= mostSchemaBytes {
		schemasSeen.Lock()
		defer schemasSeen.Unlock()
		schemasSeen.all = append([]*seenSchema{s}, schemasSeen.all[:min(len(schemasSeen.all), mostSchemas-1)]...)
	}
	return nil
}

// is reports whether the pages hold the same schema.
func (s *seenSchema) is(pages *btree.File) bool {
	if s.last > pages.Count() || s.encoding != pages.Encoding() {
		return false
	}
	for _, p := range s.pages {
		if p.number > pages.Count() {
			return false
		}
		if page, err := pages.Page(p.number); err != nil || !bytes.Equal(content(p.number, page), p.bytes) {
			return false
		}
	}
	return true
}

// recordingPages are pages that keep a copy of each one that is read, up to mostSchemaBytes.
type recordingPages struct {
	btree.Pages
	pages []seenPage
	bytes int
}

func (n *recordingPages) Page(number uint32) ([]byte, error) {
	page, err := n.Pages.Page(number)
	if n.bytes += len(page); err == nil && n.bytes <= mostSchemaBytes {
		n.pages = append(n.pages, seenPage{number, bytes.Clone(content(number, page))})
	}
	return page, err
}
