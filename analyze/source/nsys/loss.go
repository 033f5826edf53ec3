package nsys

import (
	"context"

	"perfdiff/analyze/source/build"
	"perfdiff/analyze/source/nsys/table"
	"perfdiff/analyze/trace"
)

// What an export can lack without any damage to its pages: tables that were dropped, rows
// that were deleted, texts that rows point to, times that are none. All of it is counted
// and said; beyond a share, what is measured from it is not recorded.

const again = "export the report again: nsys export --type sqlite"

// checkTable says what a table that was read lacks: rows that its last row's number counts and that are missing, rows
// without times, and rows of no process.
func (r *reader) checkTable(ctx context.Context, l tableLoad, rows, invalid int64) {
	if gone := r.src.Last(ctx, l.table) - rows; gone > 0 {
		r.Warn("table %s: its last row has the number %d and only %d are there: the others were deleted or lost "+
			"(%s, unless they were deleted on purpose)", l.table, rows+gone, rows, again)
		if l.of.Beyond(gone, rows+gone) {
			r.Lose(l.of, "all rows of table %s: %d of %d are there (%s)", l.table, rows, rows+gone, again)
		}
	}
	if l.of.Beyond(invalid, rows) {
		r.Lose(l.of, "rows of table %s with start and end: %d of %d have none (%s)", l.table, invalid, rows, again)
	}
	r.checkOwners(ctx, l, rows)
}

// checkOwners counts the rows of a table that belong to no process of the export.
func (r *reader) checkOwners(ctx context.Context, l tableLoad, rows int64) {
	strays := int64(0)
	for _, p := range r.procs.byID {
		if p.passed > 0 && !r.isKnown(ctx, p) {
			strays += int64(p.passed)
		}
		p.passed = 0
	}
	if strays == 0 {
		return
	}
	r.Warn("table %s: %d of %d rows were left out: they are of no process that the export names (%s)",
		l.table, strays, rows, again)
	if l.of.Beyond(strays, rows) {
		r.Lose(l.of, "rows of table %s with their process: %d of %d have none (%s)", l.table, strays, rows, again)
	}
}

// isKnown reports whether the export names a process, or does not name its processes. One
// that only loads data is among them by its threads.
func (r *reader) isKnown(ctx context.Context, p *process) bool {
	if r.named == nil {
		r.named = make(map[uint64]bool)
		for _, list := range [][2]string{{"PROCESSES", "globalPid"}, {"ThreadNames", "globalTid"}} {
			rows, _ := table.Small(ctx, r.src, list[0], list[1]) // what is wrong with it, who reads the names says
			for _, row := range rows {
				r.named[uint64(row.Num(0))&^threadBits] = true
			}
		}
		delete(r.named, 0)
	}
	return p.id != 0 && (len(r.named) == 0 || r.named[p.id])
}

// loseIn notes in a trace of a process what is lost. unlaunched counts its device work without launches.
func (r *reader) loseIn(t *trace.Trace, p *process, unlaunched func() build.Share) {
	for _, l := range append(r.Lost[:len(r.Lost):len(r.Lost)], p.losses...) {
		t.Lose(l.Of, l.Why)
	}
	if r.window.epoch == trace.NoTime && len(t.Device) > 0 {
		build.Warn(t, "lacks the time at which it began: table TARGET_INFO_SESSION_START_TIME is missing or empty, "+
			"so that nothing says which rank arrives last ("+again+")")
	}
	r.loseNames(t)
	if r.damaged&trace.HasDevice == 0 {
		check.Kernels(t)
	}
	r.loseLaunches(t, unlaunched)
	if r.facts.events["OSRuntime"] && !r.recorded.Has(trace.HasOS) && r.damaged&trace.HasOS == 0 {
		build.Warn(t, "lacks calls of the system: they were traced, and table "+osTable+" is missing or empty ("+
			again+", with all of its tables)")
	}
}

// check looks for what a trace lacks.
var check = build.Check{Again: again,
	NoKernels: "kernels: the device copied, and table " + kernelTable + " is missing or empty " +
		"(record with --trace=cuda, or " + again + ")",
	NoLaunches: "the calls that launch: table CUPTI_ACTIVITY_KIND_RUNTIME is missing or empty, " +
		"so that the edges of steps are the host's (record with --trace=cuda, or " + again + ")"}

// loseLaunches notes if too many launches of the device's work are missing.
func (r *reader) loseLaunches(t *trace.Trace, unlaunched func() build.Share) {
	if r.damaged&trace.HasLaunches != 0 || len(t.Device) == 0 || t.Recorded.Has(trace.HasLaunches) && !r.unlaunched {
		return
	}
	check.Launches(t, unlaunched)
}
