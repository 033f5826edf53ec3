package table

import (
	"encoding/json"
	"io"
)

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
