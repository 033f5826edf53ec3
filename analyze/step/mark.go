package step

import "perfdiff/analyze/run"

// mark is one occurrence of a marker: it begins a step. Times are in ns.
type mark struct {
	number     int64
	start, end int64 // of the marker itself, host clock; end may be NoTime
	device     int64 // start of the first device work, where the marker is device work itself; else NoTime
	thread     int32 // 0 where the marker is device work
	renumbered bool  // the name has a number, and number is the place in time: numbers do not rise
}

// markerMarks is a marker with its marks in one capture.
type markerMarks struct {
	marker      run.Marker
	marks       []mark
	label       string // for the receipt, where it says more than the marker's own text; "" else
	profilerOff bool   // the profiler was off between the marks, so that each step ends with its own work
}
