package nsys

import (
	"context"
	"fmt"
	"slices"

	"perfdiff/analyze/source/nsys/table"
	"perfdiff/analyze/trace"
)

// What an export can lack without any damage to its pages: tables that were dropped, rows
// that were deleted, texts that rows point to, times that are none. All of it is counted
// and said; beyond a share, what is measured from it is not recorded.

const again = "export the report again: nsys export --type sqlite"

// lose notes that no trace of the file holds all of a content.
func (r *reader) lose(of trace.Content, format string, args ...any) {
	r.losses = append(r.losses, trace.Loss{Of: of, Why: fmt.Sprintf(format, args...)})
}

// checkTable says what a table that was read lacks: rows that its last row's number
// counts and that are not there, rows without times, and rows of no process.
func (r *reader) checkTable(ctx context.Context, l tableLoad, rows, invalid int64) {
	if gone := r.src.Last(ctx, l.table) - rows; gone > 0 {
		r.warn("table %s: its last row has the number %d and only %d are there: the others were deleted or lost "+
			"(%s, unless they were deleted on purpose)", l.table, rows+gone, rows, again)
		if trace.SystemCalls.Beyond(gone, rows+gone) {
			r.sparse |= l.of
			if l.of&(trace.Kernels|trace.Copies) == 0 { // of those, launches tell
				r.lose(l.of, "all rows of table %s: %d of %d are there (%s)", l.table, rows, rows+gone, again)
			}
		}
	}
	if l.of.Beyond(invalid, rows) {
		r.lose(l.of, "rows of table %s with start and end: %d of %d have none (%s)", l.table, invalid, rows, again)
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
	r.warn("table %s: %d of %d rows were left out: they are of no process that the export names (%s)",
		l.table, strays, rows, again)
	if l.of.Beyond(strays, rows) {
		r.lose(l.of, "rows of table %s with their process: %d of %d have none (%s)", l.table, strays, rows, again)
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

// loseIn gives a trace of a process what is lost of it. unlaunched counts its device work
// without launches.
func (r *reader) loseIn(t *trace.Trace, p *process, unlaunched func() trace.Share) {
	for _, l := range append(r.losses[:len(r.losses):len(r.losses)], p.losses...) {
		t.Lose(l.Of, l.Why)
	}
	if r.window.epoch == trace.NoTime && len(t.Device) > 0 {
		r.say(t, "the time at which it began: table TARGET_INFO_SESSION_START_TIME is missing or empty, "+
			"so that nothing says which rank arrives last ("+again+")")
	}
	r.loseNames(t)
	r.loseDevice(t)
	r.loseLaunches(t, unlaunched)
	if r.facts.events["OSRuntime"] && !r.recorded.Has(trace.HasOS) && r.damaged&trace.HasOS == 0 {
		r.say(t, "calls of the system: they were traced, and table "+osTable+" is missing or empty ("+
			again+", with all of its tables)")
	}
}

// loseAloud is for a loss that no warning of the file tells yet.
func (r *reader) loseAloud(t *trace.Trace, of trace.Content, format string, args ...any) {
	if t.Incomplete()&of == of {
		return
	}
	why := fmt.Sprintf(format, args...)
	t.Lose(of, why)
	r.say(t, why)
}

// say warns of what a trace lacks.
func (r *reader) say(t *trace.Trace, lacks string) {
	t.Warnings = append(t.Warnings, trace.Warning{File: r.name, Text: "lacks " + lacks})
}

// loseDevice looks at what the device did: work without any kernel is the work of a table
// that is gone, since nothing copies for its own sake.
func (r *reader) loseDevice(t *trace.Trace) {
	if len(t.Device) > 0 && !slices.ContainsFunc(t.Device, isKernel) && r.damaged&trace.HasDevice == 0 {
		r.loseAloud(t, trace.Kernels|trace.Kinds, "kernels: the device copied, and table %s is missing or empty "+
			"(record with --trace=cuda, or %s)", kernelTable, again)
	}
}

// loseLaunches looks at the launches of what the device did.
func (r *reader) loseLaunches(t *trace.Trace, unlaunched func() trace.Share) {
	if r.damaged&trace.HasLaunches != 0 || len(t.Device) == 0 {
		return
	}
	if !t.Recorded.Has(trace.HasLaunches) {
		r.say(t, "the calls that launch: table CUPTI_ACTIVITY_KIND_RUNTIME is missing or empty, "+
			"so that the edges of steps are the host's (record with --trace=cuda, or "+again+")")
		for _, of := range []trace.Content{trace.Kernels, trace.Copies} {
			if r.sparse&of != 0 {
				r.loseAloud(t, of, "all rows of its tables of device work: some were deleted or lost (%s)", again)
			}
		}
		return
	}
	if !r.unlaunched {
		return
	}
	if x := unlaunched(); trace.Calls.Beyond(x.Some, x.All) {
		r.loseAloud(t, trace.Calls, "the calls that launch: %d of %d kernels, copies and sets have none (%s)",
			x.Some, x.All, again)
	}
}
