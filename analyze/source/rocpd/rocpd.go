// Package rocpd reads the SQLite databases that rocprofv3 of ROCm writes, schema 3 of
// rocprofiler-sdk: share/rocprofiler-sdk-rocpd/rocpd_tables.sql. Tables bear the id of the
// process that they are of behind their names, and a database that was merged holds several
// of each. Of the views that a database brings none is read.
//
// Two forms of the schema are in use: rows with their start, end, process, queue and stream,
// and rows with the numbers of their timestamps and of a track. Columns are bound by name, so
// that both are read.
package rocpd

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"

	"perfdiff/analyze/source/build"
	"perfdiff/analyze/source/nsys/table"
	"perfdiff/analyze/trace"
)

// Sniff reports whether a file that begins with head is such a database: SQLite, with tables of facts that no other
// tool writes.
func Sniff(head []byte) bool {
	return table.IsDatabase(head) && bytes.Contains(head, []byte("rocpd_info_"))
}

// words is what messages call a database.
var words = table.Words{Kind: "a rocpd database", Redo: "record again", Again: "record again with rocprofv3"}

// Read reads one database into a trace for each process and each of its devices with device
// work, in order of table, process and device. A process without device work has a trace for
// its ranges.
//
// opt may be nil. What cannot be read, or is no rows but SQL, is an error; what is left out is told by warnings and,
// beyond a share, is among the Losses of the trace.
func Read(ctx context.Context, path string, opt *trace.Options) ([]*trace.Trace, error) {
	return table.Read(ctx, path, words, opt, func(name string, file table.File, warning string) (all []*trace.Trace, err error) {
		parts := partsOf(file)
		if len(parts) == 0 {
			return nil, errors.New("not a rocpd database: no table rocpd_kernel_dispatch or rocpd_region")
		}
		rows := int64(0)
		for _, suffix := range parts {
			for _, t := range largeTables {
				rows += file.Rows(ctx, t+suffix)
			}
		}
		file.Share(rows)
		for _, suffix := range parts {
			r := newReader(name, suffix, file, opt.Fits)
			if warning != "" {
				r.warn("%s", warning)
			}
			traces, err := r.read(ctx)
			if err != nil {
				return nil, err
			}
			all = append(all, traces...)
		}
		if len(all) == 0 {
			return nil, errors.New("it holds no kernels, copies or ranges " +
				"(of a process that only starts others: leave it out; else record with: rocprofv3 --runtime-trace)")
		}
		return all, nil
	})
}

// Names of tables, without the id of their process.
const (
	kernelTable = "rocpd_kernel_dispatch"
	copyTable   = "rocpd_memory_copy"
	regionTable = "rocpd_region"
	eventTable  = "rocpd_event"
	timeTable   = "rocpd_timestamp"
	trackTable  = "rocpd_track"
)

// largeTables are the tables that the reading time goes to.
var largeTables = []string{kernelTable, copyTable, regionTable, eventTable, timeTable}

// maxParts bounds the processes of a merged database: each has some twenty tables.
const maxParts = 256

// partsOf returns the ends of the names of tables, one for each process of a database, in order.
func partsOf(file table.File) (suffixes []string) {
	for _, name := range file.Tables() {
		for _, t := range []string{kernelTable, regionTable} {
			suffix, ok := strings.CutPrefix(name, t)
			if ok && (suffix == "" || suffix[0] == '_') && !slices.Contains(suffixes, suffix) && len(suffixes) < maxParts {
				suffixes = append(suffixes, suffix)
			}
		}
	}
	slices.Sort(suffixes)
	return suffixes
}

// reader is the state of reading the tables of one process.
type reader struct {
	name     string // base name of the file
	suffix   string // of the names of tables
	src      table.File
	room     trace.Room
	names    *trace.Names
	messages trace.Messages // with the collectives of kernels

	facts
	events  events
	times   dense // timestamps by their number, where rows have numbers
	procs   map[int64]*process
	shapes  build.Shapes
	counted counts
	memory  build.Memories[memoryPlace]

	warnings []string
	written  map[string]int64 // rows of each table that SQLite numbered
	lost     build.Losses     // with rows that are missing
	observed build.Observed
}

// counts counts rows that were left out, and what rows lack.
type counts struct {
	untimed  build.Tally // without two times in order
	nameless build.Share // kernels
	crowd    int64       // rows of more devices than a file can have
	homeless int64       // copies of no GPU
}

func newReader(name, suffix string, file table.File, room trace.Room) *reader {
	return &reader{
		name: name, suffix: suffix, src: file, room: room, names: trace.NewNames(),
		procs: make(map[int64]*process),
	}
}

func (r *reader) warn(format string, args ...any) {
	r.warnings = append(r.warnings, fmt.Sprintf(format, args...))
}

// read reads everything: first what decides how to understand rows, last what only adds.
func (r *reader) read(ctx context.Context) ([]*trace.Trace, error) {
	for _, step := range []func(context.Context) error{
		r.readWritten, r.readFacts, r.readTimes, r.readEvents, r.readKernels, r.readCopies, r.readRegions, r.readMemory,
	} {
		if err := step(ctx); err != nil {
			return nil, words.Damaged(ctx, err)
		}
	}
	if said := r.src.ReadBySQLite(); said != "" {
		r.warn("%s", said)
	}
	return r.traces(ctx), nil
}

// scan reads a table of the process.
func (r *reader) scan(ctx context.Context, name string, cols []table.Column, emit func(*table.Batch)) error {
	holds, rows, first := heldBy[name], int64(0), int64(math.MaxInt64)
	take := emit
	if holds != 0 {
		cols = append(slices.Clip(cols), table.Column{Name: "id"})
		take = func(b *table.Batch) {
			rows += int64(b.N)
			for _, id := range b.Cols[len(cols)-1][:b.N] {
				first = min(first, id)
			}
			emit(b)
		}
	}
	if err := r.src.Scan(ctx, name+r.suffix, cols, take); err != nil {
		return fmt.Errorf("table %s: %w", name+r.suffix, err)
	}
	if rows == 0 {
		first = 1
	}
	if holds != 0 && first > 0 {
		r.checkRows(name+r.suffix, holds, rows, r.written[name+r.suffix]-first+1)
	}
	return nil
}

// heldBy is what the rows of a large table hold, which is lost with them.
var heldBy = map[string]trace.Content{kernelTable: trace.Kernels, copyTable: trace.Copies, regionTable: trace.Ranges | trace.Calls,
	eventTable: trace.Calls, timeTable: trace.Kernels | trace.Copies | trace.Ranges | trace.Calls}

// checkRows says how many rows of a large table are missing, by what the database itself counted as it was written, from
// the first row on.
func (r *reader) checkRows(name string, holds trace.Content, rows, written int64) {
	if rows >= written {
		return
	}
	r.lost.Warn("table %s: %d of %d rows are missing (copy the file again, or record again)", name, written-rows, written)
	if holds.Beyond(written-rows, written) {
		r.lost.Lose(holds, "all rows of table %s: %d of %d are there (%s)", name, rows, written, again)
	}
}

// readWritten reads how many rows SQLite gave numbers to in each table, in its own count
// (https://www.sqlite.org/autoinc.html); a database that counts nothing has none.
func (r *reader) readWritten(ctx context.Context) error {
	rows, err := table.Small(ctx, r.src, "sqlite_sequence", "name", "seq")
	r.written = make(map[string]int64, len(rows))
	for _, row := range rows {
		r.written[row[0]] = row.Num(1)
	}
	return err
}
