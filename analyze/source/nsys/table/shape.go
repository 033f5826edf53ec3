package table

import "perfdiff/analyze/source/nsys/table/btree"

// shape is how a table lies in a SQLite file.
type shape struct {
	root   uint32
	fields map[string]field // columns by folded name
	stored int              // values of a row; it can have fewer
	keyed  bool             // rowids are the values of a column
	// clustered: the rows have no ids and lie in the tree of their key, which SQLite reads.
	clustered bool
	columns   NameSet // the names of fields, which no caller changes
}

// field is where the values of a column lie, and how.
type field struct {
	place  int // in the record, or btree.Rowid
	real   bool
	preset bool // see btree.Column
	// computed: SQL of the file makes the values when they are read. A generated column
	// that is stored is one like any other.
	computed bool
}

// bind returns cols as the pages know them.
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

// shapeOf returns the shape of a table from its declaration; nil if SQLite could not read that.
func shapeOf(name, declares string) *shape {
	t := newDeclaration(declares).table(name)
	if t == nil {
		return nil
	}
	s := &shape{fields: make(map[string]field), columns: make(NameSet), clustered: t.clustered}
	for _, c := range t.columns {
		own := Fold(c.name)
		f := field{real: isReal(c.kind, t.strict), computed: c.computed}
		if !c.computed {
			f.place = s.stored
			s.stored++
		}
		if f.preset = c.preset; c.computed {
			f.place = btree.Absent
		}
		s.fields[own], s.columns[own] = f, true
	}
	for _, k := range t.keys {
		if !s.columns[Fold(k)] {
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

// alone returns the column that is another name of the rowid, nil if none is: a key of one column whose kind is
// exactly INTEGER.
func (t *declaredTable) alone() *declaredColumn {
	if len(t.keys) != 1 || !t.alias {
		return nil
	}
	for i, c := range t.columns {
		if Fold(c.name) == Fold(t.keys[0]) && Fold(unquoteKind(c.kind)) == "integer" {
			return &t.columns[i]
		}
	}
	return nil
}
