package table

import (
	"context"
	"maps"
	"slices"
)

// Words are what messages call a file and say that is to be done: other profilers write
// SQLite too.
type Words struct {
	Kind  string // "an Nsight Systems export"
	Redo  string // "export the report again"
	Again string // likewise, with the command
}

// exportWords are those of exports.
var exportWords = Words{"an Nsight Systems export", "export the report again",
	"export the report again: nsys export --type sqlite"}

type wordsKey struct{}

// WithWords is a context in which files are opened under other words.
func WithWords(ctx context.Context, w Words) context.Context {
	return context.WithValue(ctx, wordsKey{}, w)
}

func wordsIn(ctx context.Context) Words {
	if w, ok := ctx.Value(wordsKey{}).(Words); ok {
		return w
	}
	return exportWords
}

// Tables are the names of the tables, folded and in order.
func (d *database) Tables() []string { return slices.Sorted(maps.Keys(d.known)) }

func (d *directory) Tables() []string { return slices.Sorted(maps.Keys(d.files)) }
