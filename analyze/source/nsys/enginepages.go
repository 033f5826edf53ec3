package nsys

import (
	"context"
	"database/sql"

	"perfdiff/analyze/source/nsys/btree"
)

// enginePages are the pages of a database as the engine sees them, which is
// with the log beside the file. Each is a query: a file with a log is rare,
// and this is still quicker than to step through its rows.
type enginePages struct {
	ctx      context.Context
	db       *sql.DB
	count    uint32
	reserved int // bytes at the end of each page
}

// newEnginePages returns nil where the pages are not to be had or not as the
// decoder knows them.
func newEnginePages(ctx context.Context, db *sql.DB) btree.Pages {
	p := &enginePages{ctx: ctx, db: db}
	var count int64
	var encoding string
	if db.QueryRowContext(ctx, "PRAGMA page_count").Scan(&count) != nil || count < 1 || count > 1<<32-2 ||
		db.QueryRowContext(ctx, "PRAGMA encoding").Scan(&encoding) != nil || encoding != "UTF-8" {
		return nil
	}
	head, err := p.Page(1)
	if err != nil || len(head) < 512 {
		return nil
	}
	p.count, p.reserved = uint32(count), int(head[20])
	return p
}

// Count is the number of pages.
func (p *enginePages) Count() uint32 { return p.count }

// Page returns the usable bytes of one page.
func (p *enginePages) Page(n uint32) ([]byte, error) {
	var data []byte
	if err := p.db.QueryRowContext(p.ctx, "SELECT data FROM sqlite_dbpage WHERE pgno = ?", n).Scan(&data); err != nil {
		return nil, err
	}
	return data[:max(0, len(data)-p.reserved)], nil
}
