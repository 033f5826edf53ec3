package nsys

import (
	"context"
	"strings"

	"perfdiff/analyze/source/build"
	"perfdiff/analyze/source/nsys/table"
	"perfdiff/analyze/trace"
)

// window is the stretch of time that rows have to touch, with a count of those that do not. Rows before the start of a
// capture exist (up to some 20 s before it) and are not measurements of it.
type window struct {
	from    int64
	to      int64 // null: the file does not say
	last    int64 // end of the last row that was kept
	epoch   int64 // UTC nanoseconds of time 0, or trace.NoTime
	early   int   // rows that ended before from
	invalid int   // rows without two times in order
}

// holds reports whether a row counts, and counts it when it does not.
func (w *window) holds(start, end int64) bool {
	if start < -build.MaxTime || end > build.MaxTime || end < start || end < w.from {
		w.leaveOut(start, end)
		return false
	}
	w.last = max(w.last, end)
	return true
}

// leaveOut counts a row that does not count.
func (w *window) leaveOut(start, end int64) {
	if start < -build.MaxTime || end > build.MaxTime || end < start {
		w.invalid++
	} else {
		w.early++
	}
}

// capture returns the time that the profiler observed: what the file says, and at least all that was kept.
func (w *window) capture() trace.Interval {
	end := max(w.last, w.from)
	if w.to != table.Null {
		end = max(end, w.to)
	}
	return trace.Interval{Start: w.from, End: end}
}

func (r *reader) readWindow(ctx context.Context, src table.Source) error {
	var start, duration int64
	var err error
	if start, err = firstNumber(ctx, src, "TARGET_INFO_SESSION_START_TIME", "utcEpochNs"); err == nil {
		duration, err = firstNumber(ctx, src, "ANALYSIS_DETAILS", "duration")
	}
	shift := table.Row{r.facts.export["PARAM_TIME_SHIFT"]}.Num(0)
	normalized := strings.EqualFold(r.facts.export["PARAM_TIME_NORMALIZE"], "true")
	r.window = newWindow(start, duration, shift, normalized)
	return err
}

// newWindow returns the window of a session that began at UTC start and lasted
// duration, each null or 0 if it is not known. Times are nanoseconds since the
// start of the session, unless the export made them UTC (--ts-normalize) or
// moved them (--ts-shift).
func newWindow(start, duration, shift int64, normalized bool) window {
	w := window{to: table.Null, last: -build.MaxTime, epoch: trace.NoTime}
	known := start > 0 && start < build.MaxTime
	if shift < -build.MaxTime || shift > build.MaxTime {
		shift = 0
	}
	w.from = shift
	switch {
	case normalized:
		w.epoch = -shift
		if known {
			w.from += start
		}
	case known:
		w.epoch = start - shift
	}
	if duration > 0 && duration < build.MaxTime && w.from < build.MaxTime {
		w.to = w.from + duration
	}
	return w
}

// firstNumber returns one number of a table with one row, null if it is not there.
func firstNumber(ctx context.Context, src table.Source, tableName, name string) (int64, error) {
	rows, err := table.Small(ctx, src, tableName, name)
	if err != nil || len(rows) == 0 {
		return table.Null, err
	}
	return rows[0].Num(0), nil
}
