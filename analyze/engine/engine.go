// Package engine is SQLite itself, by modernc.org/sqlite, and the only place that the program
// has it from. It writes new databases: the demo, the stories. And it reads databases from an
// Image, of which it sees the bytes and nothing else: no file beside it is opened or made, and
// nothing is written.
package engine

import (
	"context"
	"database/sql/driver"
	"fmt"

	"modernc.org/sqlite"
)

// connection is the part of the driver's connection that is used. Package database/sql takes as long for a row as the
// engine does, and is left out.
type connection interface {
	driver.Conn
	driver.ConnPrepareContext
	driver.ExecerContext
	driver.QueryerContext
}

// connect opens a database that a name of the driver says.
func connect(name string) (connection, error) {
	connector, err := sqlite.NewConnector(name)
	if err != nil {
		return nil, err
	}
	conn, err := connector.Connect(context.Background())
	if err != nil {
		return nil, err
	}
	c, ok := conn.(connection)
	if !ok {
		conn.Close()
		return nil, fmt.Errorf("the driver of SQLite gives a connection of type %T", conn)
	}
	return c, nil
}
