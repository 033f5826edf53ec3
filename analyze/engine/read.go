package engine

import (
	"context"
	"database/sql"
	"database/sql/driver"
	"errors"
	"fmt"
	"io"

	"modernc.org/sqlite"
	sqlite3 "modernc.org/sqlite/lib"
	"modernc.org/sqlite/vfs"
)

// Image is the content of a database, with the log next to it applied.
type Image interface {
	io.ReaderAt
	Size() int64 // in bytes
}

// Reader reads one image by SQL. It is for one goroutine at a time.
type Reader struct {
	files  *files
	system *vfs.FS
	db     *sql.DB
	conn   *sql.Conn // limits are a connection's

	longest int // bytes of a value
}

// reading holds the settings for a database that nobody trusts: nothing in its schema runs functions of ours, and each
// page is checked before it is used.
const reading = "&mode=ro&immutable=1&_pragma=trusted_schema(0)&_pragma=cell_size_check(1)"

// OpenImage opens an image, in which no value has more than longest bytes. It fails where
// SQLite cannot read the schema.
func OpenImage(ctx context.Context, image Image, longest int) (*Reader, error) {
	r := &Reader{files: &files{image: image, left: allowedReads(image.Size())}, longest: longest}
	if err := r.connect(ctx); err != nil {
		r.Close()
		return nil, err
	}
	return r, nil
}

func (r *Reader) connect(ctx context.Context) error {
	name, system, err := vfs.New(r.files)
	if err != nil {
		return err
	}
	r.system = system
	connector, err := sqlite.NewConnector("file:" + imageName + "?vfs=" + name + reading)
	if err != nil {
		return err
	}
	r.db = sql.OpenDB(connector)
	if r.conn, err = r.db.Conn(ctx); err != nil {
		return err
	}
	if _, err = sqlite.Limit(r.conn, sqlite3.SQLITE_LIMIT_LENGTH, r.longest); err != nil {
		return err
	}
	return r.Query(ctx, "SELECT name FROM sqlite_master", func([]driver.Value) error { return nil })
}

// Close closes the reader, and leaves the image open.
func (r *Reader) Close() {
	if r.conn != nil {
		r.conn.Close()
	}
	if r.db != nil {
		r.db.Close()
	}
	if r.system != nil {
		r.system.Close()
	}
}

// Query runs a query and hands over its rows, whose values are int64, float64, string, []byte
// or nil and valid until row returns. An error of row ends the query and is returned as it is.
func (r *Reader) Query(ctx context.Context, query string, row func(values []driver.Value) error) error {
	return r.conn.Raw(func(conn any) error {
		c, ok := conn.(connection)
		if !ok {
			return fmt.Errorf("the driver of SQLite gives a connection of type %T", conn)
		}
		rows, err := c.QueryContext(ctx, query, nil)
		if err != nil {
			return r.explain(err)
		}
		return errors.Join(r.each(ctx, rows, row), rows.Close())
	})
}

// each hands over rows, as long as they have no more text than the image can hold: a text is
// there once, or a few times.
func (r *Reader) each(ctx context.Context, rows driver.Rows, row func([]driver.Value) error) error {
	values, left := make([]driver.Value, len(rows.Columns())), 4*r.files.image.Size()+16<<20
	for n := 0; ; n++ {
		if n%checkEvery == 0 && ctx.Err() != nil {
			return ctx.Err()
		}
		if err := rows.Next(values); errors.Is(err, io.EOF) {
			return nil
		} else if err != nil {
			return r.explain(err)
		}
		for _, v := range values {
			switch x := v.(type) {
			case string:
				left -= int64(len(x))
			case []byte:
				left -= int64(len(x))
			}
		}
		if left < 0 {
			return errors.New("more text than the file can hold")
		}
		if err := row(values); err != nil {
			return err
		}
	}
}

// explain returns an error of SQLite, in other words where its own say nothing of the limit.
func (r *Reader) explain(err error) error {
	if failed := (*sqlite.Error)(nil); errors.As(err, &failed) && failed.Code()&0xff == sqlite3.SQLITE_TOOBIG {
		return fmt.Errorf("a value of more than %d MB", r.longest>>20)
	}
	return err
}
