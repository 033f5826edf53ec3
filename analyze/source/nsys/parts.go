package nsys

import (
	"context"
	"errors"
	"path/filepath"

	"perfdiff/analyze/source/build"
	"perfdiff/analyze/source/nsys/table"
	"perfdiff/analyze/trace"
)

// Parts is an export that is too large for memory. All small tables are read at once, with an outline of the large
// ones: device work and calls, which are read one stretch of time after the other. The code that reads an export at
// once turns their rows into spans and calls.
type Parts struct {
	r        *reader
	file     table.File
	device   []tableLoad
	stretch  int64 // about how many bytes rows take that are counted together
	api, os  tableLoad
	places   []*part
	traces   []*trace.Trace
	outlines []*trace.Outline
}

// part is one process with its device.
type part struct {
	p *process
	d *device
	trace.Outline
	density  trace.Density
	first    firstOfName // spans, one of each name
	api, os  firstOfName // calls likewise
	apiCalls map[trace.CallerID]bool
	osCalls  map[trace.CallerID]bool
	callers  int           // how many there are, once all calls were seen
	inUse    map[word]bool // names of calls of the system that began while the device was in use
	comm     []trace.Span  // finished and in order

	// What tells of losses.
	nameless    bool            // a kernel has no name
	sample      trace.Stretch   // a row of each name
	answered    []int64         // by their caller: calls that a span says to be launched by
	notLaunched namelessCount   // device work, and that without a launch
	enclosing   build.Enclosing // in the order of rows, which is about that of time
}

// firstOfName has the first row of each name of a list, in the order in which names first
// occur: in that order they get their ids.
type firstOfName struct {
	seen  []bool // by word
	spans []trace.Span
	calls []trace.Call
}

func (f *firstOfName) is(at word) bool {
	if int(at) >= len(f.seen) {
		f.seen = append(f.seen, make([]bool, int(at)+64-len(f.seen))...)
	}
	was := f.seen[at]
	f.seen[at] = true
	return !was
}

// The memory of a row in bytes while its part is measured: itself, its intervals in the
// sets that it belongs to, and what sorting takes.
const (
	spanRoom = trace.SpanSize + 64
	callRoom = trace.CallSize + 8
)

var (
	errDevices = errors.New("a process works on several devices (record one process per device)")
	errNoWork  = errors.New("it holds no device work")
	errChanged = errors.New("it changed while it was read (wait until the profiler or the copy is done)")
)

// OpenParts reads the small tables of an export. It also fails if the export is of a kind that cannot be read in
// parts. opt is as for Read; its Progress is told about the first pass.
func OpenParts(ctx context.Context, path string, opt *trace.Options) (*Parts, error) {
	return openParts(ctx, path, stretchBytes, opt)
}

func openParts(ctx context.Context, path string, stretch int64, opt *trace.Options) (*Parts, error) {
	name := filepath.Base(path)
	file, warning, err := table.Open(ctx, path, table.ExportWords, opt)
	if err != nil {
		return nil, err
	}
	x := &Parts{r: newReader(name, file, opt.Fits), file: file, stretch: stretch}
	x.r.inParts = true
	x.r.lookBeside(path)
	file.Remember()
	if warning != "" {
		x.r.Warn("%s", warning)
	}
	file.Share(x.r.count(ctx))
	err = x.survey(ctx)
	if refused := file.Refused(); refused != nil && ctx.Err() == nil {
		err = refused
	}
	if err != nil {
		file.Close()
		return nil, err
	}
	file.Done()
	return x, nil
}

// Need returns how many bytes the rows of an export take at least when all are in memory, by
// the numbers of rows that the file says; 0 where it does not.
func Need(ctx context.Context, path string) (bytes int64) {
	file, _, err := table.Open(ctx, path, table.ExportWords, nil)
	if err != nil {
		return 0
	}
	defer file.Close()
	for tableName, each := range rowBytes {
		bytes += each * file.Rows(ctx, tableName)
	}
	return bytes
}

// Close ends the reading.
func (x *Parts) Close() { x.file.Close() }

// Traces returns the traces of the export, with the device's communication alone and without
// calls of CUDA and of the system, and what is known of the rest.
func (x *Parts) Traces() ([]*trace.Trace, []*trace.Outline) { return x.traces, x.outlines }

// Density returns how much memory the rows of a trace take by when they start.
func (x *Parts) Density(i int) *trace.Density { return &x.places[i].density }
