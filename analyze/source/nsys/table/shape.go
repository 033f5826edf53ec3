package table

import "perfdiff/analyze/source/nsys/table/btree"

// shape is how a table lies in a SQLite file.
type shape struct {
	root  uint32
	field map[string]int // columns by folded name: the place in the record, or btree.Rowid
	// usual: records have the columns as they are declared. Those of tables with
	// generated columns do not.
	usual bool
	odd   map[string]bool // columns whose values are not simply in the record
	// generated are the columns that SQL of the file computes when they are read.
	generated []string
	columns   NameSet // see names
}

// bind is cols as the pages know them; false if the engine has to read them.
func (s *shape) bind(cols []Column) ([]btree.Column, bool) {
	bound, usual := make([]btree.Column, len(cols)), s.usual
	for i, c := range cols {
		bound[i] = btree.Column{Field: btree.Absent, Text: c.Text}
		field, ok := byFold(s.field, c.Name)
		if !ok {
			continue
		}
		odd, _ := byFold(s.odd, c.Name)
		bound[i].Field, usual = field, usual && !odd
	}
	return bound, usual
}

// names are the columns, which no caller changes.
func (s *shape) names() NameSet {
	if s.columns == nil {
		s.columns = make(NameSet, len(s.field))
		for name := range s.field {
			s.columns[name] = true
		}
	}
	return s.columns
}

// keyed reports whether rowids are the values of a column.
func (s *shape) keyed() bool {
	for _, field := range s.field {
		if field == btree.Rowid {
			return true
		}
	}
	return false
}
