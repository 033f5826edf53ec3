package table

import (
	"slices"

	"perfdiff/analyze/source/nsys/table/btree"
)

// shape is how a table lies in a SQLite file.
type shape struct {
	root   uint32
	fields map[string]field // columns by folded name
	keyed  bool             // rowids are the values of a column
	// clustered: the rows have no ids and lie in the tree of their key.
	clustered bool
	columns   NameSet // the names of fields, which no caller changes
}

// field is where the values of a column lie, and how.
type field struct {
	place  int // in the record, or btree.Rowid
	real   bool
	preset any // see btree.Column
	// computed: SQL of the file makes the values when they are read. A generated column
	// that is stored is one like any other.
	computed bool
}

// bind is cols as the pages know them.
func (s *shape) bind(cols []Column) []btree.Column {
	bound := make([]btree.Column, len(cols))
	for i, c := range cols {
		bound[i] = btree.Column{Field: btree.Absent, Text: c.Text}
		if f, ok := byFold(s.fields, c.Name); ok {
			bound[i].Field, bound[i].Real, bound[i].Preset = f.place, f.real, f.preset
		}
	}
	return bound
}

// shapeOf is the shape of the table of that name by its declaration; nil where that is none
// that SQLite reads.
func shapeOf(name, declares string) *shape {
	t := newDeclaration(declares).table(name)
	if t == nil {
		return nil
	}
	s := &shape{fields: make(map[string]field), columns: make(NameSet), clustered: t.clustered}
	place := 0
	if t.clustered {
		if place = s.placeKeys(t); place < 0 {
			return nil
		}
	}
	for _, c := range t.columns {
		own, as := Fold(c.name), affinityOf(c.kind, t.strict)
		f, placed := s.fields[own]
		if f.real, f.computed = as == asReal, c.computed; !placed && !c.computed {
			f.place = place
			place++
		}
		if f.preset = c.preset.preset(as); c.computed {
			f.place = btree.Absent
		}
		s.fields[own], s.columns[own] = f, true
	}
	for _, k := range t.keys {
		if !s.columns[Fold(k.name)] {
			return nil
		}
	}
	if only := t.alone(); only != nil && !t.clustered {
		f := s.fields[Fold(only.name)]
		s.keyed, f.place = true, btree.Rowid
		s.fields[Fold(only.name)] = f
	}
	return s
}

// placeKeys places the columns of the key, which stand first in records without rowids: each
// once for each collation. It returns how many places they take, -1 where there is no such
// column.
func (s *shape) placeKeys(t *declaredTable) int {
	var placed []declaredKey
	for _, k := range t.keys {
		k.name = Fold(k.name)
		at := slices.IndexFunc(t.columns, func(c declaredColumn) bool { return Fold(c.name) == k.name })
		if at < 0 {
			return -1
		}
		if k.collation == "" {
			k.collation = t.columns[at].collation
		}
		if k.collation = Fold(k.collation); k.collation == "" {
			k.collation = "binary"
		}
		if slices.Contains(placed, k) {
			continue
		}
		if _, ok := s.fields[k.name]; !ok {
			s.fields[k.name] = field{place: len(placed)}
		}
		placed = append(placed, k)
	}
	return len(placed)
}

// alone is the column that is another name of the rowid, nil if none is: a key of one column
// whose kind is INTEGER and nothing else.
func (t *declaredTable) alone() *declaredColumn {
	if len(t.keys) != 1 || !t.alias {
		return nil
	}
	for i, c := range t.columns {
		if Fold(c.name) == Fold(t.keys[0].name) && Fold(unquoteKind(c.kind)) == "integer" {
			return &t.columns[i]
		}
	}
	return nil
}
