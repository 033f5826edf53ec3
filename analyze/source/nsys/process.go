package nsys

import (
	"cmp"
	"slices"

	"perfdiff/analyze/source/build"
	"perfdiff/analyze/source/nsys/table"
	"perfdiff/analyze/trace"
)

// process holds what one process of the file did.
type process struct {
	id      uint64 // global process id: hardware, virtual machine, process
	devices []*device
	build.Launches
	ranges []trace.Range
	api    []trace.Call
	os     []trace.Call
	access []trace.FileAccess
	syncs  []trace.Sync
	waits  []trace.StreamWait
	mpi    []trace.Call
	faults []trace.Fault
	calls  trace.Pages[ncclCall] // of NCCL, with their payloads
	callers
	nccl ncclCalls // once ranges are known

	overhead []trace.Interval  // of the profiler, in any thread
	switches map[int32][]int64 // of threads that call CUDA, on a processor or off it

	held held // calls, where they were read with the kernels

	passed   int // rows of the table being read that were left out, as those of another process
	losses   []trace.Loss
	without  []int32       // by its caller: calls that no span says to be launched by
	answered []uint64      // a bit for each of api: a span says to be launched by it
	found    []uint8       // the same of the rows at hand, a byte each
	counted  build.Answers // likewise, where the calls are not in memory
}

// device is one device of a process. While reading, a span's Name is a word
// and its Launch the correlation id of the call that launched it.
type device struct {
	ordinal int64
	spans   []trace.Span
}

// keep takes the spans of a device so far; a nil device has none.
func (d *device) keep(spans []trace.Span) {
	if d != nil {
		d.spans = spans
	}
}

// threadBits are the bits of a global thread id that name the thread.
const threadBits = 1<<24 - 1

// systemID returns the operating system's number of the process.
func (p *process) systemID() int64 { return int64(p.id>>24) & threadBits }

// thread returns the operating system's number of a thread.
func thread(globalTid int64) int32 { return int32(globalTid & threadBits) }

// processes are the processes of a file by global id; most rows belong to the
// process of the row before.
type processes struct {
	byID map[uint64]*process
	last *process
}

// of returns the process of a global process or thread id.
func (p *processes) of(global int64) *process {
	if global == table.Null {
		global = 0
	}
	id := uint64(global) &^ threadBits
	if p.last != nil && p.last.id == id {
		return p.last
	}
	found := p.byID[id]
	if found == nil {
		found = &process{id: id}
		p.byID[id] = found
	}
	p.last = found
	return found
}

// forget returns what forgets some rows of each process.
func (r *rowReader) forget(of func(*process)) func() {
	return func() {
		for _, p := range r.procs.byID {
			of(p)
		}
	}
}

// sorted returns the processes in order of their system ids.
func (p *processes) sorted() []*process {
	all := make([]*process, 0, len(p.byID))
	for _, one := range p.byID {
		all = append(all, one)
	}
	slices.SortFunc(all, func(a, b *process) int {
		return cmp.Or(cmp.Compare(a.systemID(), b.systemID()), cmp.Compare(a.id, b.id))
	})
	return all
}

// device returns the process's device with an ordinal, with its share of the room that the table needs; nil where the
// file has too many.
func (p *process) device(ordinal int64, r *rowReader) *device {
	for _, d := range p.devices {
		if d.ordinal == ordinal {
			return d
		}
	}
	if r.places == build.MaxPlaces {
		r.crowd++
		return nil
	}
	r.places++
	d := &device{ordinal: ordinal, spans: r.lists.Spans((r.share() + r.later) / int64(len(p.devices)+1))}
	p.devices = append(p.devices, d)
	return d
}
