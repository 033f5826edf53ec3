package table

import (
	"context"
	"errors"
	"maps"
	"strings"
	"sync"

	"perfdiff/analyze/source/nsys/table/btree"
)

// schema is the shapes of a file's tables.
type schema map[string]*shape // by folded name

// maxTables bounds the tables of a schema, and maxDeclarations the bytes of their texts:
// exports have a hundred of some kilobytes.
const (
	maxTables       = 1 << 12
	maxDeclarations = 4 << 20
)

// readSchema reads the file's own list of tables, which is a table with its root on the
// first page. The engine takes longer for the schema of a small export than its rows
// take. It is asked where anything in the list is not as exporters write it.
func readSchema(ctx context.Context, pages btree.Pages) (schema, error) {
	var texts []string
	bytes := 0
	keep := func(s string) int64 {
		if bytes += len(s); bytes > maxDeclarations {
			return btree.Null
		}
		texts = append(texts, strings.Clone(s))
		return int64(len(texts) - 1)
	}
	cols := []btree.Column{{Field: 0, Text: keep}, {Field: 1, Text: keep}, {Field: 2, Text: keep}, {Field: 3}, {Field: 4, Text: keep}}
	tables, roots := make(schema), make(map[int64]bool)
	err := btree.Scan(ctx, pages, 1, cols, func(rows [][]int64, n int) error {
		text := func(c, i int) string {
			if rows[c][i] == btree.Null {
				return ""
			}
			return texts[rows[c][i]]
		}
		if bytes > maxDeclarations {
			return errUnusual
		}
		for i := range n {
			kind, name, root := text(0, i), text(1, i), rows[3][i]
			if root <= 1 || root > int64(pages.Count()) || roots[root] || len(tables) == maxTables {
				return errUnusual
			}
			roots[root] = true
			if of := text(2, i); kind == "index" && name == "sqlite_autoindex_"+of+"_1" && text(4, i) == "" && tables[Fold(of)] != nil {
				continue // of a key that is not the rowid
			}
			s := declaredShape(name, text(4, i))
			if kind != "table" || text(2, i) != name || s == nil || tables[Fold(name)] != nil {
				return errUnusual
			}
			s.root, tables[Fold(name)] = uint32(root), s
		}
		texts = texts[:0]
		return nil
	})
	return tables, err
}

// errUnusual ends the reading of a schema that the engine has to read.
var errUnusual = errors.New("unusual schema")

// shapesSeen are what plainShape made of declarations: those of a job's files are the same
// ones, and taking them apart takes as long as reading the tables of a small file.
var shapesSeen = struct {
	sync.RWMutex
	of    map[string]map[string]*shape // by name and by declaration
	bytes int
}{of: make(map[string]map[string]*shape)}

// mostSeen bounds the declarations that are kept, in bytes.
const mostSeen = 1 << 20

// declaredShape is plainShape, whose maps are shared by all that are declared alike.
func declaredShape(name, declares string) *shape {
	shapesSeen.RLock()
	seen := shapesSeen.of[name][declares]
	shapesSeen.RUnlock()
	if seen == nil {
		if seen = plainShape(name, declares); seen == nil {
			return nil
		}
		seen.names()
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

// plainShape is the shape of the table of that name by its declaration, nil if that is
// not as plain as exporters write it.
func plainShape(name, declares string) *shape {
	p := declaration{rest: declares}
	if !p.words("CREATE", "TABLE") || p.name() != name || name == "" || p.next() != "(" {
		return nil
	}
	s := &shape{usual: true, field: make(map[string]int), odd: make(map[string]bool)}
	types, seen := make(map[string]string), make(map[string]bool)
	var keys []string
	for i := 0; ; i++ {
		c, end := p.column()
		own := Fold(c.name)
		if c.name == "" && (len(c.keys) == 0 || i == 0 || end != ")") || c.name != "" && seen[own] || len(keys)*len(c.keys) > 0 || end != "," && end != ")" {
			return nil
		}
		if c.name != "" {
			s.field[own], s.odd[own], types[own], seen[own] = i, c.declared == "REAL", c.declared, true
		}
		if keys = append(keys, c.keys...); end == ")" {
			break
		}
	}
	if p.next() != "" {
		return nil // an option, as of tables without rowids
	}
	for _, name := range keys {
		name = Fold(name)
		if _, ok := s.field[name]; !ok {
			return nil
		}
		// A single INTEGER PRIMARY KEY is another name of the rowid.
		s.field[name], s.odd[name] = btree.Rowid, len(keys) > 1 || types[name] != "INTEGER"
	}
	return s
}

// declaration is the text of a CREATE TABLE, read a word at a time.
type declaration struct{ rest string }

// declaredColumn is what a CREATE TABLE says of one column: its name and its type in capital
// letters; or of the table's key.
type declaredColumn struct {
	name, declared string
	keys           []string // the columns of the key, where it is declared here
}

// column reads one declaration and what ends it; neither name nor key where there is
// anything in it that exporters do not write.
func (p *declaration) column() (c declaredColumn, end string) {
	if rest := *p; rest.words("PRIMARY") {
		*p = rest
		return declaredColumn{keys: p.keys()}, p.next()
	}
	name := p.name()
	switch c.declared = strings.ToUpper(p.next()); c.declared {
	case "INTEGER", "TEXT", "REAL", "BLOB":
	default:
		return declaredColumn{}, ""
	}
	for {
		switch word := p.next(); strings.ToUpper(word) {
		case ",", ")":
			c.name = name
			return c, word
		case "NOT":
			if !p.words("NULL") {
				return declaredColumn{}, ""
			}
		case "PRIMARY":
			if len(c.keys) > 0 || !p.words("KEY") {
				return declaredColumn{}, ""
			}
			c.keys = []string{name}
		case "REFERENCES":
			if p.name() == "" || p.next() != "(" || p.name() == "" || p.next() != ")" {
				return declaredColumn{}, ""
			}
		default:
			return declaredColumn{}, ""
		}
	}
}

// keys reads the columns of PRIMARY KEY (a, b).
func (p *declaration) keys() (names []string) {
	if !p.words("KEY", "(") {
		return nil
	}
	for {
		name := p.name()
		if names = append(names, name); name == "" {
			return nil
		}
		switch p.next() {
		case ",":
		case ")":
			return names
		default:
			return nil
		}
	}
}

// words takes these words, in any case of letters; false if others come.
func (p *declaration) words(want ...string) bool {
	for _, w := range want {
		if !strings.EqualFold(p.next(), w) {
			return false
		}
	}
	return true
}

// name takes an identifier, in double quotes or without; "" if something else comes.
func (p *declaration) name() string {
	word := p.next()
	if quoted, ok := strings.CutPrefix(word, `"`); ok {
		return quoted
	}
	if word == "" || !wordByte(word[0]) || '0' <= word[0] && word[0] <= '9' || reserved[strings.ToUpper(word)] {
		return ""
	}
	return word
}

// reserved are the words that SQLite takes for no name without quotes
// (https://www.sqlite.org/lang_keywords.html, less those that its parser lets be one).
var reserved = func() map[string]bool {
	out := make(map[string]bool)
	for w := range strings.FieldsSeq(`ADD ALL ALTER AND AS AUTOINCREMENT BETWEEN CASE CHECK COLLATE COMMIT CONSTRAINT CREATE DEFAULT DEFERRABLE DELETE
		DISTINCT DROP ELSE ESCAPE EXISTS FOREIGN FROM GROUP HAVING IN INDEX INSERT INTERSECT INTO IS ISNULL JOIN LIMIT NOT NOTHING NOTNULL NULL ON OR ORDER
		PRIMARY REFERENCES RETURNING SELECT SET TABLE THEN TO TRANSACTION UNION UNIQUE UPDATE USING VALUES WHEN WHERE`) {
		out[w] = true
	}
	return out
}()

// next takes the next word or sign, and is "" at the end. A quoted name begins with its
// quote; one that holds a quote is no word of any declaration here.
func (p *declaration) next() string {
	for {
		p.rest = strings.TrimLeft(p.rest, " \t\r\n")
		if !strings.HasPrefix(p.rest, "--") {
			break
		}
		_, p.rest, _ = strings.Cut(p.rest, "\n")
	}
	if p.rest == "" {
		return ""
	}
	n := 0
	for n < len(p.rest) && wordByte(p.rest[n]) {
		n++
	}
	if p.rest[0] == '"' {
		n = 1 + max(0, strings.IndexByte(p.rest[1:], '"'))
		word := p.rest[:n]
		if p.rest = p.rest[n:]; !strings.HasPrefix(p.rest, `"`) || strings.HasPrefix(p.rest, `""`) {
			return "?"
		}
		p.rest = p.rest[1:]
		return word
	}
	n = max(n, 1)
	word := p.rest[:n]
	p.rest = p.rest[n:]
	return word
}

// wordByte tells the letters of names without quotes.
func wordByte(c byte) bool {
	return c == '_' || '0' <= c && c <= '9' || 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z'
}

// with is the schema with one more table; that which several files share stays as it is.
func (s schema) with(name string, t *shape) schema {
	own := maps.Clone(s)
	own[name] = t
	return own
}
