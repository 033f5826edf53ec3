package parquet

import (
	"errors"
	"fmt"
)

// Physical types.
const (
	typeBool   = 0
	typeInt32  = 1
	typeInt64  = 2
	typeFloat  = 4
	typeDouble = 5
	typeText   = 6
)

// element is one of the columns and groups of columns in a schema, which lists each
// group before its own.
type element struct {
	name                 string
	physical, repetition int64
	children, converted  int64
	leaf, decimal        bool
	unsigned             bool
}

func readElement(t *thrift, kind byte) element {
	e := element{converted: -1}
	t.fields(kind, func(id int, kind byte) bool {
		switch id {
		case 1:
			e.physical, e.leaf = t.int(kind), true
		case 3:
			e.repetition = t.int(kind)
		case 4:
			e.name = string(t.bytes(kind))
		case 5:
			e.children = t.int(kind)
		case 6:
			e.converted = t.int(kind)
		case 10:
			e.readLogical(t, kind)
		default:
			return false
		}
		return true
	})
	if e.name == "" { // one without anything takes a byte of the file, and memory a hundred
		t.fail(errThrift)
	}
	// ConvertedType: 5 DECIMAL, 11 to 14 UINT_8 to UINT_64.
	e.decimal = e.decimal || e.converted == 5
	e.unsigned = e.unsigned || e.converted >= 11 && e.converted <= 14
	return e
}

// readLogical reads the parts of a LogicalType that change values: 5 DECIMAL, 10 INTEGER.
func (e *element) readLogical(t *thrift, kind byte) {
	t.fields(kind, func(id int, kind byte) bool {
		e.decimal = e.decimal || id == 5
		if id != 10 {
			return false
		}
		t.fields(kind, func(id int, kind byte) bool {
			e.unsigned = e.unsigned || id == 2 && kind == thriftFalse // signed: no
			return false
		})
		return true
	})
}

// name makes the columns from the top level of a schema.
func (f *File) name(schema []element) error {
	if len(schema) == 0 || schema[0].leaf {
		return errors.New("no schema")
	}
	for at := 1; at < len(schema); {
		e := &schema[at]
		f.Columns = append(f.Columns, e.column(f.leaves))
		for open := int64(1); open > 0; at++ { // with all that is in it
			if at == len(schema) || schema[at].children < 0 || schema[at].children > int64(len(schema)) {
				return errors.New("a schema that breaks off")
			}
			if open += schema[at].children - 1; schema[at].leaf {
				f.leaves++
			}
		}
	}
	if int64(len(f.Columns)) != schema[0].children {
		return fmt.Errorf("%d columns, where %d are stated", len(f.Columns), schema[0].children)
	}
	return nil
}

var kinds = map[int64]Kind{typeBool: Integer, typeInt32: Integer, typeInt64: Integer, typeFloat: Float, typeDouble: Float, typeText: Text}

func (e *element) column(leaf int) Column {
	c := Column{Name: e.name, Kind: kinds[e.physical], leaf: leaf, physical: e.physical}
	c.optional, c.unsigned = e.repetition == 1, e.unsigned && e.physical == typeInt32
	switch {
	case !e.leaf || e.children > 0:
		c.unread = "a column of columns"
	case e.repetition != 0 && e.repetition != 1:
		c.unread = "a column of lists"
	case e.decimal:
		c.unread = "type DECIMAL"
	case c.Kind == Unknown:
		c.unread = Unsupported("type " + nameOf(e.physical, "", "", "", "INT96", "", "", "", "FIXED_LEN_BYTE_ARRAY"))
	}
	if c.unread != "" {
		c.Kind = Unknown
	}
	return c
}

// nameOf returns the name of a number of the format, or the number.
func nameOf(x int64, names ...string) string {
	if x >= 0 && x < int64(len(names)) && names[x] != "" {
		return names[x]
	}
	return fmt.Sprint(x)
}
