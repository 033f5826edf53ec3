package table

import (
	"maps"
	"slices"
)

// Words holds what messages call a file and what they tell the user to do: other profilers write SQLite too.
type Words struct {
	Kind  string // "an Nsight Systems export"
	Redo  string // "export the report again"
	Again string // likewise, with the command
}

// ExportWords are the words for exports.
var ExportWords = Words{"an Nsight Systems export", "export the report again",
	"export the report again: nsys export --type sqlite"}

// Tables returns the names of the tables, folded and in order.
func (d *database) Tables() []string { return slices.Sorted(maps.Keys(d.known)) }

func (d *directory) Tables() []string { return slices.Sorted(maps.Keys(d.files)) }
