package nsys

import (
	"perfdiff/analyze/source/build"
	"perfdiff/analyze/source/nsys/table"
	"perfdiff/analyze/trace"
)

// reader is the state of reading one file. The readers of rows share its source, words, window and processes, and have
// a state of their own.
type reader struct {
	build.Losses
	rowReader
	sampler
	ncclReader

	name    string // base name of the file
	src     table.Source
	facts   facts
	words   *words
	window  window
	procs   processes
	damaged trace.Recorded  // what could not be read
	named   map[uint64]bool // processes that the export names; nil: not asked yet
	domains map[domain]word
	threads []threadName

	nameless   bool // a kernel or call has no name
	unlaunched bool // device work has no launch

	diagnostics diagnostics
}

// rowReader turns rows of the tables of device and host activity into spans, calls and ranges of the
// processes that they are of.
type rowReader struct {
	src       table.Source
	words     *words
	window    *window
	procs     *processes
	anyDevice bool           // a process has device work
	lists     *trace.Spare   // that rows may go to
	later     int64          // about how many rows the tables of device activity have behind that of kernels
	room      int64          // about how many rows the table has that is being read
	places    int            // devices so far
	crowd     int            // rows of more devices than a file can have
	recorded  trace.Recorded // what host tables could have shown
	shapes    build.Shapes   // of kernels, by word
	inParts   bool           // device work and calls are not in memory: what is lost is told later
}

func newReader(name string, src table.Source, room trace.Room) *reader {
	r := &reader{
		name:    name,
		src:     src,
		words:   newWords(),
		procs:   processes{byID: make(map[uint64]*process)},
		domains: make(map[domain]word),
	}
	r.rowReader = rowReader{src: src, words: r.words, window: &r.window, procs: &r.procs}
	r.sampler = sampler{src: src, window: &r.window, losses: &r.Losses, counters: newCounters(), fits: room}
	r.ncclReader = ncclReader{src: src, words: r.words, procs: &r.procs, facts: &r.facts}
	return r
}

// warnOfSQLite says what SQLite had to read, once all was read.
func (r *reader) warnOfSQLite() {
	if said := r.src.ReadBySQLite(); said != "" {
		r.Warn("%s", said)
	}
}

// share returns the room that one process gets for the rows of a table.
func (r *rowReader) share() int64 { return r.room / int64(max(len(r.procs.byID), 1)) }
