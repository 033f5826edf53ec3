package nsys

import (
	"fmt"

	"perfdiff/analyze/source/nsys/table"
	"perfdiff/analyze/trace"
)

// reader is the state of reading one file.
type reader struct {
	name      string // base name of the file
	src       table.Source
	facts     facts
	counters  counters
	memory    map[memoryPlace]*trace.Allocations
	words     *words
	window    window
	procs     processes
	anyDevice bool         // a process has device work
	lists     *trace.Spare // that rows may go to
	later     int64        // about how many rows the tables of device activity have behind that of kernels
	room      int64        // about how many rows the table has that is being read
	rows      int64        // rows of all large tables
	lostRows  int64
	places    int             // devices so far
	crowd     int             // rows of more devices than a file can have
	recorded  trace.Recorded  // what host tables could have shown
	damaged   trace.Recorded  // what could not be read
	losses    []trace.Loss    // what the file does not hold whole
	sparse    trace.Content   // of whose rows many were deleted or lost
	named     map[uint64]bool // processes that the export names; nil: not asked yet
	domains   map[domain]word
	// calls are the collectives that names of ranges say that a call begins.
	calls    collectives
	shapes   []trace.ShapeVote // of kernels, by word
	threads  []threadName
	warnings []string
	inParts  bool // device work and calls are not in memory: what is lost is told later

	nameless     bool // a kernel or call has no name
	unlaunched   bool // device work has no launch
	withPayloads bool // were read with the ranges, or there are none

	diagnostics []diagnostic
}

func newReader(name string, src table.Source) *reader {
	return &reader{
		name:    name,
		src:     src,
		words:   newWords(),
		procs:   processes{byID: make(map[uint64]*process)},
		domains: make(map[domain]word),
	}
}

func (r *reader) warn(format string, args ...any) {
	r.warnings = append(r.warnings, fmt.Sprintf(format, args...))
}

// warnOfSQLite says what SQLite had to read, once all was read.
func (r *reader) warnOfSQLite() {
	if said := r.src.ReadBySQLite(); said != "" {
		r.warn("%s", said)
	}
}

// share is the room that one process gets for the rows of a table.
func (r *reader) share() int64 { return r.room / int64(max(len(r.procs.byID), 1)) }
