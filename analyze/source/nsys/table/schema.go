package table

import (
	"context"
	"encoding/binary"
	"fmt"
	"maps"
	"slices"
	"strings"
	"sync"
	"unicode/utf16"

	"perfdiff/analyze/source/nsys/table/btree"
)

// schema holds what a file's own list of its tables says.
type schema struct {
	tables map[string]*shape // by folded name
	// others are what is in the list and no table of rows: what it is, by folded name.
	others map[string]string
}

// maxTables limits the tables of a schema, and maxDeclarations the bytes of their texts: exports have a hundred of
// some kilobytes.
const (
	maxTables       = 20_000
	maxDeclarations = 32 << 20
)

// readSchema reads the file's own list of tables, which is a table with its root on the
// first page. What SQLite calls malformed in it refuses the file, as there, since a table
// can be missing then; of declarations of indexes, views and triggers only names are read.
func readSchema(ctx context.Context, pages btree.Pages, encoding btree.Encoding) (*schema, error) {
	var texts []string
	bytes := 0
	keep := func(s string) int64 {
		if bytes += len(s); bytes > maxDeclarations {
			return btree.Null
		}
		texts = append(texts, decoded(s, encoding))
		return int64(len(texts) - 1)
	}
	cols := []btree.Column{{Field: 0, Text: keep}, {Field: 1, Text: keep}, {Field: 2, Text: keep}, {Field: 3}, {Field: 4, Text: keep}}
	s := &schema{tables: make(map[string]*shape), others: make(map[string]string)}
	roots := make(map[int64]bool)
	err := btree.Scan(ctx, pages, 1, cols, func(rows [][]int64, n int) error {
		if bytes > maxDeclarations {
			return fmt.Errorf("its list of tables has more than %d MB of text", maxDeclarations>>20)
		}
		text := func(c, i int) string {
			if rows[c][i] == btree.Null {
				return ""
			}
			return texts[rows[c][i]]
		}
		for i := range n {
			o := object{kind: Fold(text(0, i)), name: text(1, i), of: text(2, i), root: rows[3][i], sql: text(4, i)}
			if o.root > 0 && o.kind == "table" {
				if roots[o.root] || o.root == 1 || o.root > int64(pages.Count()) {
					return o.malformed()
				}
				roots[o.root] = true
			}
			if err := s.add(o); err != nil {
				return err
			}
		}
		texts = texts[:0]
		return nil
	})
	return s, err
}

// checkRows refuses a file in which the rows of a table have more values than it declares: they belong to another one,
// whose page was put in its place.
func (s *schema) checkRows(pages btree.Pages) error {
	for _, name := range slices.Sorted(maps.Keys(s.tables)) {
		t := s.tables[name]
		if n := btree.Width(pages, t.root); !t.clustered && n > t.stored {
			return fmt.Errorf("table %.100s declares %d columns, and a row in it has %d", name, t.stored, n)
		}
	}
	return nil
}

// decoded returns a copy of a text in UTF-8.
func decoded(s string, from btree.Encoding) string {
	if from == btree.UTF8 {
		return strings.Clone(s)
	}
	var order binary.ByteOrder = binary.LittleEndian
	if from == btree.UTF16BE {
		order = binary.BigEndian
	}
	units := make([]uint16, len(s)/2)
	for i := range units {
		units[i] = order.Uint16([]byte(s[2*i : 2*i+2]))
	}
	return string(utf16.Decode(units))
}

// object is an entry in the list.
type object struct {
	kind, name, of string
	root           int64 // of its tree; 0 of what has none
	sql            string
}

// malformed returns the error of an entry that does not agree with itself.
func (o object) malformed() error {
	const mostName = 100 // bytes that are told
	return fmt.Errorf("its list of tables: the entry %q does not agree with itself", o.name[:min(len(o.name), mostName)])
}

// add takes in an entry.
func (s *schema) add(o object) error {
	d, own := newDeclaration(o.sql), Fold(o.name)
	if o.root == btree.Null {
		return o.malformed()
	}
	if o.sql == "" && strings.HasPrefix(own, "sqlite_autoindex_") {
		return nil // of a key that is not the rowid
	}
	switch o.kind {
	case "table":
		if Fold(o.of) != own || s.tables[own] != nil {
			return o.malformed()
		}
		if d.take("CREATE") && d.take("VIRTUAL") && d.take("TABLE") && d.named(o.name) && o.root <= 0 {
			s.others[own] = "is a virtual table"
			return nil
		}
		shape := declaredShape(o.name, o.sql)
		if shape == nil || o.root <= 0 {
			return o.malformed()
		}
		if len(s.tables) == maxTables {
			return fmt.Errorf("it has more than %d tables", maxTables)
		}
		shape.root = uint32(o.root)
		s.tables[own] = shape
		return nil
	case "index":
		d.take("CREATE")
		d.take("UNIQUE")
	case "view", "trigger":
		if d.take("CREATE"); o.kind == "view" || s.others[own] == "" {
			s.others[own] = "is a " + o.kind
		}
	}
	if !d.take(o.kind) || !d.named(o.name) {
		return o.malformed()
	}
	return nil
}

// shapesSeen remembers the results of shapeOf by declaration: the files of a job have the same ones, and taking them
// apart takes as long as reading the tables of a small file.
var shapesSeen = struct {
	sync.RWMutex
	of    map[string]map[string]*shape // by name and by declaration
	bytes int
}{of: make(map[string]map[string]*shape)}

// mostSeen bounds the declarations that are kept, in bytes.
const mostSeen = 1 << 20

// declaredShape returns the shape of a declared table; tables with the same declaration share its maps.
func declaredShape(name, declares string) *shape {
	shapesSeen.RLock()
	seen := shapesSeen.of[name][declares]
	shapesSeen.RUnlock()
	if seen == nil {
		if seen = shapeOf(name, declares); seen == nil {
			return nil
		}
		keepShape(name, declares, seen)
	}
	own := *seen
	return &own
}

func keepShape(name, declares string, s *shape) {
	shapesSeen.Lock()
	defer shapesSeen.Unlock()
	if shapesSeen.bytes += len(name) + len(declares); shapesSeen.bytes > mostSeen {
		return
	}
	if shapesSeen.of[name] == nil {
		shapesSeen.of[name] = make(map[string]*shape)
	}
	shapesSeen.of[name][declares] = s
}
