package table

import (
	"encoding/json"
	"io"
)

// WriteJSON writes tables as one object: under the name of each a list of its rows, one a line, which
// are objects whose members are the columns in their order. What was not recorded is null.
func WriteJSON(w io.Writer, tables []Table) error {
	before := "{\n"
	for i := range tables {
		name, err := json.Marshal(tables[i].Name)
		if err != nil {
			return err
		}
		if _, err := io.WriteString(w, before+"  "+string(name)+": ["); err != nil {
			return err
		}
		if err := writeObjects(w, &tables[i]); err != nil {
			return err
		}
		before = ",\n"
	}
	_, err := io.WriteString(w, "\n}\n")
	return err
}

// writeObjects writes the rows of a table, and the end of their list.
func writeObjects(w io.Writer, t *Table) error {
	names := make([][]byte, len(t.Columns))
	for i := range t.Columns {
		name, err := json.Marshal(t.Columns[i].Name)
		if err != nil {
			return err
		}
		names[i] = append(name, ": "...)
	}
	var text []byte
	between, end := "\n    {", "]"
	err := t.Rows(func(row []Cell) error {
		text = append(text[:0], between...)
		between, end = ",\n    {", "\n  ]"
		for i := range row {
			if i > 0 {
				text = append(text, ", "...)
			}
			value, err := json.Marshal(valueOf(t.Columns[i].Kind, &row[i]))
			if err != nil {
				return err
			}
			text = append(append(text, names[i]...), value...)
		}
		_, err := w.Write(append(text, '}'))
		return err
	})
	if err != nil {
		return err
	}
	_, err = io.WriteString(w, end)
	return err
}

// valueOf returns a value for encoding/json, nil for none.
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

// WriteSchema writes a description of tables: their names, what a row is, the columns with types, units and meanings,
// and how the policy of their verdicts differs from the default ("": it does not).
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
