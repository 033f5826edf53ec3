package store

import (
	"time"

	"perfdiff/analyze/order"
)

// For how long runs stay: all of them, then the first of each UTC day, then the first of each week.
const (
	// KeepAll is for how long all runs stay where nobody says otherwise. Simulated: anchors 4 and 16 weeks back need 20
	// runs around each (1.5 of the rules of history); with all of 60 days there is one a day left at 16 weeks.
	KeepAll = 120 * aDay
	// keepDaily is for how long one a day stays. Chosen, not measured: a year back people ask for a day, before that
	// for a release.
	keepDaily = 365 * aDay
	aWeek     = 7 * aDay
)

// leastTold is how many of the newest runs tell what time it is. Chosen, not measured: more than one machine with a
// wrong clock saves before somebody sees it.
const leastTold = 21

// Thin returns the names of the files that may go from runs of one job, in the order of saving: those behind all that
// are neither the first of their day, for a year, nor the first of their week. all 0 keeps everything. What keep says
// stays, and so do the newest run, what cannot be read, and files that people named. To thin a store twice is to thin
// it once.
//
// Ages are told by when runs were saved. A clock that jumps loses nothing: a run is at least as old as those saved
// before it say, and the time now is at most what the middle of the newest runs says. Runs of which no time is known
// stay.
func Thin(runs []Entry, now time.Time, all time.Duration, keep func(name string) bool) (files []string) {
	if all == 0 || len(runs) == 0 {
		return nil
	}
	at := savedTimes(runs, now)
	today := now.UnixNano()
	if told := told(runs, now); told > 0 {
		today = min(today, told)
	}
	days, weeks := map[int64]bool{}, map[int64]bool{}
	for i := range runs {
		e := &runs[i]
		age := time.Duration(today - at[i])
		day, week := at[i]/int64(aDay), at[i]/int64(aWeek)
		first := !days[day]
		if age > all+keepDaily {
			first = !weeks[week]
		}
		days[day], weeks[week] = true, true
		switch {
		case age <= all, at[i] == 0, first, i == len(runs)-1, e.Damaged != nil, e.name == fileName{}, keep != nil && keep(e.Name):
		default:
			files = append(files, e.File)
		}
	}
	return files
}

// savedTimes returns when runs were saved, UTC ns, never falling. Of those that do not say it the capture tells, or the
// next run that does.
func savedTimes(runs []Entry, now time.Time) []int64 {
	at := make([]int64, len(runs))
	last := int64(0)
	for i := range runs {
		last = max(last, timeOf(&runs[i], now))
		at[i] = last
	}
	for i := len(at) - 1; i >= 0 && last > 0; i-- {
		if at[i] == 0 {
			at[i] = last
		}
		last = at[i]
	}
	return at
}

// timeOf returns when a run was saved, as far as it is known; 0 where it is not.
func timeOf(e *Entry, now time.Time) int64 {
	if e.Number > 0 {
		return e.knownSaved(now)
	}
	return e.knownBegan(now)
}

// told returns the time that the middle of the newest runs says; 0 where none says any.
func told(runs []Entry, now time.Time) int64 {
	var times []int64
	for i := len(runs) - 1; i >= 0 && len(times) < leastTold; i-- {
		if at := timeOf(&runs[i], now); at > 0 {
			times = append(times, at)
		}
	}
	return order.LowerMedian(times)
}
