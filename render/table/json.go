package table

import (
	"encoding/json"
	"io"
)

// WriteJSON writes a table as a list of objects, one a line, whose members are the columns in
// their order. What was not recorded is null.
func WriteJSON(w io.Writer, t *Table) error {
	names := make([][]byte, len(t.Columns))
	for i := range t.Columns {
		name, err := json.Marshal(t.Columns[i].Name)
		if err != nil {
			return err
		}
		names[i] = append(name, ": "...)
	}
	text, between := []byte("["), "\n  {"
	err := t.Rows(func(row []Cell) error {
		text = append(text, between...)
		between = ",\n  {"
		for i := range row {
			if i > 0 {
				text = append(text, ", "...)
			}
			text = append(text, names[i]...)
			value, err := json.Marshal(valueOf(t.Columns[i].Kind, &row[i]))
			if err != nil {
				return err
			}
			text = append(text, value...)
		}
		_, err := w.Write(append(text, '}'))
		text = text[:0]
		return err
	})
	if err != nil {
		return err
	}
	if between == "\n  {" { // no row
		_, err = w.Write([]byte("[]\n"))
		return err
	}
	_, err = w.Write([]byte("\n]\n"))
	return err
}

// valueOf is a value for encoding/json, nil for none.
func valueOf(kind Kind, c *Cell) any {
	switch {
	case !c.Present:
		return nil
	case kind == Integer:
		return c.Integer
	case kind == Float:
		return c.Float
	case kind == Bool:
		return c.Integer != 0
	}
	return c.Text
}

// WriteSchema writes what describes tables: their names, what a row is, the columns with
// types, units and meanings, and in what the policy of their verdicts is not the default ("":
// in nothing).
func WriteSchema(w io.Writer, tables []Table, policy string) error {
	schemas := make([]Schema, len(tables))
	for i := range tables {
		schemas[i] = tables[i].Schema
	}
	e := json.NewEncoder(w)
	e.SetIndent("", "  ")
	return e.Encode(struct {
		Policy string   `json:"policy,omitempty"`
		Tables []Schema `json:"tables"`
	}{policy, schemas})
}
