package synth

import (
	"context"
	"errors"
	"os"
)

// errTables is the error of a story that should write Parquet tables without Story.Tables.
var errTables = errors.New("nothing is set that writes tables: Story.Tables")

// writeParquet writes the export of one rank as a directory of tables: what the export to SQLite holds, table by
// table.
func (p *profile) writeParquet(ctx context.Context, dir string, format Format) error {
	if p.story.Tables == nil {
		return errTables
	}
	sqlite := dir + ".sqlite"
	defer os.Remove(sqlite)
	if err := p.writeNsight(ctx, sqlite, format); err != nil {
		return err
	}
	return p.story.Tables(ctx, sqlite, dir)
}
