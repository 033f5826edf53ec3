// Package parquet reads the flat tables that profilers and Arrow write as Parquet:
// columns of numbers and texts, required or optional, page by page. What a file uses
// beyond that is refused by name, never guessed. Counts and sizes are believed only as
// far as the bytes that are there can bear them out.
//
// The format: https://github.com/apache/parquet-format, file parquet.thrift and Encodings.md.
package parquet

import (
	"encoding/binary"
	"errors"
	"fmt"
	"io"
)

// Kind is the kind of a column's values.
type Kind uint8

// The kinds of values.
const (
	Unknown Kind = iota // not read
	Integer             // Values.Ints; true is 1
	Float               // Values.Ints, as math.Float64bits
	Text                // Values.Texts
)

// Unsupported is the error if a file may be valid but uses something that is not supported; its text names that.
type Unsupported string

func (u Unsupported) Error() string { return string(u) + " is not read" }

// File is a table.
type File struct {
	Rows    int64    // as stated, the sum over the groups
	Columns []Column // in order of the file
	Groups  []Group

	r      io.ReaderAt
	leaves int // columns of the file, those in groups of columns among them
}

// Column is a column at the top of a table.
type Column struct {
	Name string
	Kind Kind

	leaf     int // its place among the chunks of a group
	physical int64
	optional bool
	unsigned bool        // 32 bits without a sign
	unread   Unsupported // why its kind is unknown
}

// Group is a group of rows.
type Group struct {
	Rows   int64
	chunks []chunk
}

// chunk is where a column of a group of rows is.
type chunk struct {
	physical, codec   int64
	values            int64
	first, dictionary int64 // offsets of pages
	size              int64 // of all pages
	elsewhere         bool  // in another file, or encrypted
	known             bool
}

// maxFooter bounds the description of a file, in bytes; one of a table with a thousand
// groups of rows takes a megabyte or two.
const maxFooter = 64 << 20

const magic = "PAR1"

// Open reads the description of a file of so many bytes. Its values are read by Read,
// while r is open.
func Open(r io.ReaderAt, size int64) (*File, error) {
	if size == 0 {
		return nil, errors.New("the file is empty")
	}
	var tail [8]byte
	if _, err := r.ReadAt(tail[:], size-8); err != nil || size < 12 || string(tail[4:]) != magic {
		if string(tail[4:]) == "PARE" {
			return nil, Unsupported("an encrypted file")
		}
		return nil, errors.New("the end of a Parquet file is missing")
	}
	n := int64(binary.LittleEndian.Uint32(tail[:4]))
	if n > min(size-12, maxFooter) {
		return nil, fmt.Errorf("a footer of %d bytes is stated in a file of %d", n, size)
	}
	footer := make([]byte, n)
	if _, err := r.ReadAt(footer, size-8-n); err != nil {
		return nil, err
	}
	f := &File{r: r}
	if err := f.parse(footer); err != nil {
		return nil, fmt.Errorf("the footer: %w", err)
	}
	if err := f.check(size - 8 - n); err != nil {
		return nil, err
	}
	return f, nil
}

func (f *File) parse(footer []byte) error {
	t := &thrift{b: footer}
	var schema []element
	t.fields(thriftStruct, func(id int, kind byte) bool {
		switch id {
		case 2:
			t.list(kind, func(kind byte) { schema = append(schema, readElement(t, kind)) })
		case 3:
			f.Rows = t.int(kind)
		case 4:
			t.list(kind, func(kind byte) { f.Groups = append(f.Groups, readGroup(t, kind)) })
		case 8: // how it is encrypted
			t.fail(Unsupported("an encrypted file"))
		default:
			return false
		}
		return true
	})
	if t.err != nil {
		return t.err
	}
	return f.name(schema)
}

func readGroup(t *thrift, kind byte) (g Group) {
	t.fields(kind, func(id int, kind byte) bool {
		switch id {
		case 1:
			t.list(kind, func(kind byte) {
				c := readChunk(t, kind)
				if !c.known { // an empty one would take a byte, and memory a hundred times
					t.fail(errThrift)
				}
				g.chunks = append(g.chunks, c)
			})
		case 3:
			g.Rows = t.int(kind)
		default:
			return false
		}
		return true
	})
	return g
}

func readChunk(t *thrift, kind byte) (c chunk) {
	t.fields(kind, func(id int, kind byte) bool {
		switch id {
		case 1:
			c.elsewhere = len(t.bytes(kind)) > 0
		case 3:
			c.known = true
			c.readPlace(t, kind)
		case 8:
			c.elsewhere, c.known = true, true
			return false
		default:
			return false
		}
		return true
	})
	return c
}

func (c *chunk) readPlace(t *thrift, kind byte) {
	numbers := map[int]*int64{1: &c.physical, 4: &c.codec, 5: &c.values, 7: &c.size, 9: &c.first, 11: &c.dictionary}
	t.fields(kind, func(id int, kind byte) bool {
		if into := numbers[id]; into != nil {
			*into = t.int(kind)
			return true
		}
		return false
	})
}

// check compares what is stated about the rows. The pages of a file end at end.
func (f *File) check(end int64) error {
	rows := int64(0)
	for i, g := range f.Groups {
		if len(g.chunks) != f.leaves {
			return fmt.Errorf("group %d of rows has %d columns of %d", i+1, len(g.chunks), f.leaves)
		}
		if g.Rows < 0 || g.Rows > f.Rows-rows {
			return fmt.Errorf("%d rows are stated, and others for the groups of them", f.Rows)
		}
		rows += g.Rows
		for _, c := range g.chunks {
			if start := c.start(); start < 0 || c.size < 0 || c.size > end || start > end-c.size {
				return fmt.Errorf("group %d of rows has a column outside of the file", i+1)
			}
		}
	}
	if rows != f.Rows {
		return fmt.Errorf("%d rows are stated, and others for the groups of them", f.Rows)
	}
	return nil
}

// start returns the offset of the first page: a dictionary comes before the values that use it.
func (c *chunk) start() int64 {
	if c.dictionary > 0 && c.dictionary < c.first {
		return c.dictionary
	}
	return c.first
}
