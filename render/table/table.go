// Package table writes tables of measured values in forms that other programs read: CSV, SQLite
// and JSON. It knows nothing of reports: whoever makes a table says what its
// columns are, and hands over its rows one by one, so that none is held as a whole.
//
// A value that was not recorded is no value: an empty cell, a null. It is never 0.
package table

import "math"

// Kind is the type of all values of a column. In a CSV file nothing else says it, so each value is written in a way
// that no reader takes for another type.
type Kind int

// The kinds of columns.
const (
	Text    Kind = iota // UTF-8
	Integer             // 64 bits with sign
	Float               // 64 bits
	Bool
)

// kindNames are the kinds as a schema names them.
var kindNames = [...]string{Text: "text", Integer: "integer", Float: "float", Bool: "boolean"}

// MarshalText returns the name of the kind in a schema.
func (k Kind) MarshalText() ([]byte, error) { return []byte(kindNames[k]), nil }

// Column describes a column.
type Column struct {
	Name string `json:"name"`
	Kind Kind   `json:"type"` // "text", "integer", "float" or "boolean"
	// Unit is that of its numbers: "s", "B", "B/s", "ratio" (a fraction: 0.02 is 2 %); "" of a
	// count and a number, or where another column says it.
	Unit   string `json:"unit"`
	Doc    string `json:"doc"`              // what it is
	Metric string `json:"metric,omitempty"` // that it holds
	Part   string `json:"part,omitempty"`   // of the metric
}

// Schema describes a table.
type Schema struct {
	Name    string   `json:"name"`
	Doc     string   `json:"doc"` // what a row is
	Columns []Column `json:"columns"`
}

// Table is a schema and its rows.
type Table struct {
	Schema
	// Rows calls emit with each row in order, a cell for each column, until it returns an error,
	// which is then the result. A row is valid until the next one.
	Rows func(emit func([]Cell) error) error
}

// Cell is one value of the kind of its column. The zero value is none.
type Cell struct {
	Present bool
	Text    string
	Integer int64 // of a boolean: 1 is true
	Float   float64
}

// TextCell returns a text; an empty one is none. What is no UTF-8 becomes U+FFFD, byte by byte, as in
// JSON.
func TextCell(s string) Cell { return Cell{Present: s != "", Text: string([]rune(s))} }

// IntegerCell returns a whole number.
func IntegerCell(n int64) Cell { return Cell{Present: true, Integer: n} }

// FloatCell returns a number; NaN and the infinities are none, as in JSON.
func FloatCell(v float64) Cell {
	return Cell{Present: !math.IsNaN(v) && !math.IsInf(v, 0), Float: v}
}

// BoolCell is true or false.
func BoolCell(v bool) Cell {
	c := Cell{Present: true}
	if v {
		c.Integer = 1
	}
	return c
}
