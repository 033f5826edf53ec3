// Package nsys reads Nsight Systems exports to SQLite, one file, and to Parquet,
// a directory with a file for each table: every schema from 2021 on, whose
// tables and columns come and go. Columns are bound by name, and what an export
// lacks is not recorded, which is not zero.
//
// The large tables are read once each, in the order of the file, without an
// index and without SQL that sorts or groups: device activity first, which
// decides what is a rank; host activity next, of which each launch finds its
// span; last the texts, of which only those in use are kept. Where the pages of
// kernels and of the calls that launch them alternate, both are read together.
package nsys

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"perfdiff/analyze/source/build"
	"perfdiff/analyze/source/nsys/table"
	"perfdiff/analyze/trace"
)

// Sniff reports whether a file that begins with head can be an export: it is
// a SQLite database.
func Sniff(head []byte) bool { return table.IsDatabase(head) }

// IsExport reports whether a directory is an export to Parquet, one file for
// each table, by the names of the files in it.
func IsExport(dir string) bool { return table.IsDirectory(dir, signs) }

// Read reads one export into a trace for each process and device with device work, in order of process and device. A
// file without any device work gives a trace for each process that did anything on the host, at least one.
//
// opt may be nil. The bytes that its Progress is told add up to the size of the file. Read stops soon after ctx is
// done. What the file holds but cannot be read is left out of the traces: a warning says so and Recorded lacks it.
// What the file should hold and does not is told by warnings and, beyond a share, is among its Losses. Warnings about
// the whole file are in each of its traces.
func Read(ctx context.Context, path string, opt *trace.Options) ([]*trace.Trace, error) {
	return table.Read(ctx, path, table.ExportWords, opt, func(name string, file table.File, warning string) ([]*trace.Trace, error) {
		if !slices.ContainsFunc(signs, file.Has) {
			return nil, errors.New("not an Nsight Systems export: a SQLite database with other tables")
		}
		r := newReader(name, file, opt.Fits)
		r.lists = opt.Value().Spare
		r.lookBeside(path)
		if warning != "" {
			r.Warn("%s", warning)
		}
		file.Share(r.count(ctx))
		if err := file.Refused(); err != nil {
			return nil, err
		}
		return r.read(ctx)
	})
}

// signs are tables, one of which every export has.
var signs = []string{
	groupTable, portTable, "META_DATA_EXPORT", "EXPORT_META_DATA", "TARGET_INFO_SESSION_START_TIME", "TARGET_INFO_SYSTEM_ENV",
	"ANALYSIS_DETAILS", kernelTable, "CUPTI_ACTIVITY_KIND_MEMCPY", "CUPTI_ACTIVITY_KIND_RUNTIME", "NVTX_EVENTS", "OSRT_API",
}

// largeTables are the tables that the reading time goes to. StringIds is not
// among them: its ids can be sparse, so that they do not tell its rows.
var largeTables = []string{
	kernelTable, "CUPTI_ACTIVITY_KIND_MEMCPY", "CUPTI_ACTIVITY_KIND_MEMSET", "CUPTI_ACTIVITY_KIND_GRAPH_TRACE",
	"MPI_P2P_EVENTS", "MPI_COLLECTIVES_EVENTS", "MPI_START_WAIT_EVENTS", "MPI_OTHER_EVENTS", "CUPTI_ACTIVITY_KIND_RUNTIME", "OSRT_API", "CUPTI_ACTIVITY_KIND_SYNCHRONIZATION", "OSRT_FILE_ACCESS_EVENTS",
	schedTable, "NVTX_EVENTS", "NET_NIC_METRIC", genericTable, "GPU_METRICS",
}

// count finds how many rows there are to read.
func (r *reader) count(ctx context.Context) (rows int64) {
	for _, tableName := range largeTables {
		rows += r.src.Rows(ctx, tableName)
	}
	return rows
}

// read reads everything: first what decides how to understand rows, last what says which rank did them.
func (r *reader) read(ctx context.Context) ([]*trace.Trace, error) {
	if err := r.readFacts(ctx); err != nil {
		return nil, table.ExportWords.Damaged(ctx, err)
	}
	if err := r.readLarge(ctx); err != nil {
		return nil, table.ExportWords.Damaged(ctx, err)
	}
	if err := r.readCounters(ctx); err != nil {
		return nil, err
	}
	if err := r.readOverhead(ctx); err != nil {
		return nil, err
	}
	(&waitReader{r.src, &r.procs}).readStreamWaits(ctx)
	ranks, err := r.readRanks(ctx)
	if err != nil {
		return nil, table.ExportWords.Damaged(ctx, err)
	}
	if err := r.words.resolve(ctx, r.src); err != nil {
		return nil, table.ExportWords.Damaged(ctx, fmt.Errorf("table StringIds: %w", err))
	}
	ranks.nccl = r.ncclRanks()
	r.warnOfSQLite()
	return r.traces(ranks), nil
}

func (r *reader) readLarge(ctx context.Context) error {
	loads, err := r.deviceTables(ctx)
	if err != nil {
		return err
	}
	ranges := r.ranges(ctx)
	var held []outcome // of calls that launch, and perhaps of ranges, where they were read with the kernels
	if r.src.Mixed(ctx, kernelTable, runtimeTable) {
		together := []tableLoad{loads[0], r.heldCalls()}
		if r.src.Mixed(ctx, kernelTable, rangeTable) {
			together = append(together, ranges)
		}
		if held, err = r.scan(ctx, together...); err != nil {
			return err
		}
		r.ended(ctx, held[0])
		loads, held = loads[1:], held[1:]
	}
	if err := r.run(ctx, loads); err != nil {
		return err
	}
	for _, p := range r.procs.byID {
		p.devices = slices.DeleteFunc(p.devices, func(d *device) bool { return len(d.spans) == 0 })
		p.Launches.Begin()
		r.anyDevice = r.anyDevice || len(p.devices) > 0
	}
	if loads, err = r.hostTables(ctx, ranges); err != nil {
		return err
	}
	return r.run(ctx, loads, held...)
}

// run reads tables one after another; for tables that were read already it processes the rows that were held.
func (r *reader) run(ctx context.Context, loads []tableLoad, held ...outcome) error {
	for _, l := range loads {
		if at := slices.IndexFunc(held, func(o outcome) bool { return o.table == l.table }); at >= 0 {
			r.takeHeld(l.table)
			r.ended(ctx, held[at])
			continue
		}
		outcomes, err := r.scan(ctx, l)
		if err != nil {
			return err
		}
		r.ended(ctx, outcomes[0])
	}
	return nil
}

// outcome is the result of reading a table.
type outcome struct {
	tableLoad
	room          int64 // about how many rows it was said to have
	rows, invalid int64 // rows that were read, and those without two times in order
	err           error
}

// scan reads tables together, once there is room for the rows of all.
func (r *reader) scan(ctx context.Context, loads ...tableLoad) ([]outcome, error) {
	out, scans := make([]outcome, len(loads)), make([]table.Scan, len(loads))
	for i, l := range loads {
		o := &out[i]
		*o = outcome{tableLoad: l, room: r.src.Rows(ctx, l.table)}
		scans[i] = table.Scan{Table: l.table, Cols: l.cols, Emit: func(b *table.Batch) {
			invalid := r.window.invalid
			r.room, o.rows = o.room, o.rows+int64(b.N)
			l.emit(b)
			o.invalid += int64(r.window.invalid - invalid)
		}}
	}
	if err := r.fit(ctx, out); err != nil {
		return nil, err
	}
	for i, err := range r.src.ScanTogether(ctx, scans) {
		out[i].err = err
	}
	return out, ctx.Err()
}

// ended says what a table lacks. A damaged table does not cost the others: its rows are left out, since a part of them
// would be taken for all.
func (r *reader) ended(ctx context.Context, o outcome) {
	if o.err == nil {
		r.checkTable(ctx, o.tableLoad, o.rows, o.invalid)
		return
	}
	o.undo()
	r.damaged |= o.bits
	r.Warn("table %s %s and was left out: %v (export the report again: nsys export --type sqlite)", o.table, trouble(o.err), o.err)
	r.Lose(o.of, "a table %s that can be read (%s)", o.table, again)
}

// trouble says what an error means for a table: one that cannot be read may still be sound.
func trouble(err error) string {
	if table.Unread(err) {
		return "cannot be read"
	}
	return "is damaged"
}

// rowBytes is the memory, in bytes, of a row of the tables that take most of it.
var rowBytes = map[string]int64{
	kernelTable: trace.SpanSize + 16, "CUPTI_ACTIVITY_KIND_MEMCPY": trace.SpanSize + 16, "CUPTI_ACTIVITY_KIND_MEMSET": trace.SpanSize + 16,
	runtimeTable: trace.CallSize, osTable: trace.CallSize, "NVTX_EVENTS": 32,
}

// fit asks for the room that the rows of tables take, before there are any: what a
// directory holds is a tenth of its rows, and an export has whole tables at once.
func (r *reader) fit(ctx context.Context, tables []outcome) error {
	bytes := int64(0)
	for _, o := range tables {
		bytes += rowBytes[o.table] * o.room
	}
	return build.Fit(ctx, r.fits, bytes)
}
