package enginetest

import (
	"context"
	"database/sql/driver"
	"errors"
	"fmt"
	"strconv"
	"sync"

	"perfdiff/analyze/source/nsys/table"

	"modernc.org/sqlite"
)

// collectName is the SQL aggregate that carries rows into Go. database/sql
// hands out one boxed row at a time, for three times the processor time.
const collectName = "collect"

var (
	registerOnce sync.Once
	errRegister  error
)

// register makes the aggregate known to connections that are opened later.
func register() error {
	registerOnce.Do(func() {
		errRegister = sqlite.RegisterFunction(collectName, &sqlite.FunctionImpl{
			NArgs:         -1,
			VolatileArgs:  true, // texts are copied when they are kept
			MakeAggregate: func(sqlite.FunctionContext) (sqlite.AggregateFunction, error) { return &aggregate{}, nil },
		})
	})
	return errRegister
}

// collectors are the scans under way. SQL can hand an aggregate nothing but
// numbers, so that the first argument says whose rows they are.
var collectors = struct {
	sync.Mutex
	byID map[int64]*collector
}{byID: make(map[int64]*collector)}

// announce gives c the smallest free number: one below 256 is passed from
// SQLite without an allocation.
func announce(c *collector) (id int64) {
	collectors.Lock()
	defer collectors.Unlock()
	for collectors.byID[id] != nil {
		id++
	}
	collectors.byID[id] = c
	return id
}

func forget(id int64) {
	collectors.Lock()
	defer collectors.Unlock()
	delete(collectors.byID, id)
}

func collectorOf(v driver.Value) (*collector, error) {
	id, _ := v.(int64)
	collectors.Lock()
	defer collectors.Unlock()
	if c := collectors.byID[id]; c != nil {
		return c, nil
	}
	return nil, errors.New("no such scan")
}

// aggregate is one run of the SQL aggregate.
type aggregate struct{ c *collector }

// Step takes one row.
func (a *aggregate) Step(_ *sqlite.FunctionContext, args []driver.Value) error {
	if a.c == nil {
		c, err := collectorOf(args[0])
		if err != nil {
			return err
		}
		a.c = c
	}
	return a.c.row(args[1:])
}

// WindowInverse is never called: the aggregate is no window function.
func (a *aggregate) WindowInverse(*sqlite.FunctionContext, []driver.Value) error { return nil }

// WindowValue is the aggregate's result, which nobody reads.
func (a *aggregate) WindowValue(*sqlite.FunctionContext) (driver.Value, error) { return int64(0), nil }

// Final ends the aggregate; the scan flushes what is left itself.
func (a *aggregate) Final(*sqlite.FunctionContext) {}

// batchSize is the most rows of a batch.
const batchSize = 4096

// collector gathers the rows of one scan into batches.
type collector struct {
	ctx   context.Context
	text  []func(string) int64
	batch table.Batch
	into  [][]int64 // the columns that the table has, parts of batch.Cols
	emit  func(*table.Batch) error
	err   error // what stopped the scan
}

// newCollector makes room for cols of which the table has those in have, and
// returns the names of these in the order in which row takes them.
func newCollector(ctx context.Context, cols []table.Column, have table.NameSet, emit func(*table.Batch) error) (*collector, []string) {
	c := &collector{ctx: ctx, emit: emit}
	var names []string
	for _, col := range cols {
		values := make([]int64, batchSize)
		c.batch.Cols = append(c.batch.Cols, values)
		if !have.Has(col.Name) {
			for i := range values {
				values[i] = table.Null
			}
			continue
		}
		c.into = append(c.into, values)
		c.text = append(c.text, col.Text)
		names = append(names, col.Name)
	}
	return c, names
}

func (c *collector) row(values []driver.Value) error {
	for i, v := range values {
		c.into[i][c.batch.N] = convert(v, c.text[i])
	}
	c.batch.N++
	if c.batch.N == batchSize {
		return c.flush()
	}
	return nil
}

// flush hands the batch on. It is also where a scan ends early.
func (c *collector) flush() error {
	if c.err = c.ctx.Err(); c.err != nil {
		return c.err
	}
	c.err = c.emit(&c.batch)
	c.batch.N = 0
	return c.err
}

// convert is what a value of any SQLite type counts as in a column: exporters
// write integers and texts, and SQLite lets anybody write anything.
func convert(v driver.Value, text func(string) int64) int64 {
	if text == nil {
		switch x := v.(type) {
		case int64:
			return x
		case float64:
			if x > -1<<62 && x < 1<<62 && x == float64(int64(x)) {
				return int64(x)
			}
		}
		return table.Null
	}
	switch x := v.(type) {
	case string:
		return text(x)
	case []byte:
		return text(string(x))
	case int64:
		return text(strconv.FormatInt(x, 10))
	case float64:
		return text(fmt.Sprint(x))
	}
	return table.Null
}
