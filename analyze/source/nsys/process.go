package nsys

import (
	"cmp"
	"math/bits"
	"slices"

	"perfdiff/analyze/trace"
)

// process is what one process of the file did.
type process struct {
	id      uint64 // global process id: hardware, virtual machine, process
	devices []*device
	launches
	ranges []trace.Range
	api    []trace.Call
	os     []trace.Call
	access []trace.FileAccess
	syncs  []trace.Sync
	mpi    []trace.Call
	calls  []ncclCall // of NCCL, with what it was told
	told   tellings   // once ranges are known

	overhead []trace.Interval // of the profiler, in any thread

	passed   int // rows of the table being read that were left out, as those of another process
	losses   []trace.Loss
	without  []int32       // by the word of its name: calls that no span says to be launched by
	answered []uint64      // a bit for each of api: a span says to be launched by it
	counted  trace.Answers // likewise, where the calls are not in memory
}

// device is one device of a process. While reading, a span's Name is a word
// and its Launch the correlation id of the call that launched it.
type device struct {
	ordinal int64
	spans   []trace.Span
}

// keep takes the spans of a device so far; of none, there are none.
func (d *device) keep(spans []trace.Span) {
	if d != nil {
		d.spans = spans
	}
}

// threadBits are the bits of a global thread id that name the thread.
const threadBits = 1<<24 - 1

// systemID is the operating system's number of the process.
func (p *process) systemID() int64 { return int64(p.id>>24) & threadBits }

// thread is the operating system's number of a thread.
func thread(globalTid int64) int32 { return int32(globalTid & threadBits) }

// processes are the processes of a file by global id; most rows belong to the
// process of the row before.
type processes struct {
	byID map[uint64]*process
	last *process
}

// of is the process of a global process or thread id.
func (p *processes) of(global int64) *process {
	if global == null {
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

// sorted are the processes in order of their system ids.
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

// maxPlaces bounds the devices of a file, and its processes: each gets a trace.
const maxPlaces = 256

// device is the process's device of that ordinal, with its share of the room
// that the table needs; nil where the file has too many.
func (p *process) device(ordinal int64, r *reader) *device {
	for _, d := range p.devices {
		if d.ordinal == ordinal {
			return d
		}
	}
	if r.places == maxPlaces {
		r.crowd++
		return nil
	}
	r.places++
	d := &device{ordinal: ordinal, spans: r.lists.Spans((r.share() + r.later) / int64(len(p.devices)+1))}
	p.devices = append(p.devices, d)
	return d
}

// launches maps correlation ids to the start of the call that carried them.
// The ids are dense in real files, so that a bit for each says whether a span asks
// for it; where they are not, the ids that are asked for are sorted.
type launches struct {
	base   int64
	ids    []int64 // sorted; nil where asked tells
	asked  []asked // by id-base, 64 of them each
	starts []int64 // of the ids that are asked for, in their order
	used   *ids    // in place of ids and asked: where the spans are not in memory
}

// begin makes room for the ids in use.
func (l *launches) begin() {
	if l.used == nil {
		return
	}
	l.used.number()
	l.starts = make([]int64, l.used.count)
	for i := range l.starts {
		l.starts[i] = trace.NoTime
	}
}

// newLaunches prepares for the ids that the devices' spans ask for.
func newLaunches(devices []*device) launches {
	low, high, n := maxTime, int64(0), int64(0)
	for _, d := range devices {
		for i := range d.spans {
			if id := d.spans[i].Launch; id > 0 {
				low, high, n = min(low, id), max(high, id), n+1
			}
		}
	}
	if n == 0 {
		return launches{}
	}
	l := launches{base: low}
	if high-low >= 32*n+1<<16 {
		l.ids = sparseIDs(devices, n)
		l.starts = make([]int64, len(l.ids))
	} else {
		l.ask(devices, high)
	}
	for i := range l.starts {
		l.starts[i] = trace.NoTime
	}
	return l
}

// asked is which of 64 ids spans ask for, and how many ids before them.
type asked struct {
	bits   uint64
	before int32
}

// place is that of an id in starts, -1 if no span asks for it.
func (a *asked) place(id uint64) int {
	bit := uint64(1) << (id % 64)
	if a.bits&bit == 0 {
		return -1
	}
	return int(a.before) + bits.OnesCount64(a.bits&(bit-1))
}

// ask marks the ids that are asked for, up to high.
func (l *launches) ask(devices []*device, high int64) {
	l.asked = make([]asked, (high-l.base)/64+1)
	for _, d := range devices {
		for i := range d.spans {
			if id := d.spans[i].Launch; id > 0 {
				l.asked[(id-l.base)/64].bits |= 1 << ((id - l.base) % 64)
			}
		}
	}
	n := 0
	for i := range l.asked {
		l.asked[i].before = int32(n)
		n += bits.OnesCount64(l.asked[i].bits)
	}
	l.starts = make([]int64, n)
}

func sparseIDs(devices []*device, n int64) []int64 {
	ids := make([]int64, 0, n)
	for _, d := range devices {
		for i := range d.spans {
			if id := d.spans[i].Launch; id > 0 {
				ids = append(ids, id)
			}
		}
	}
	slices.Sort(ids)
	return slices.Compact(ids)
}

// at is the place of an id in starts, -1 if no span asks for it.
func (l *launches) at(id int64) int {
	i := uint64(id - l.base) // large for ids below the first
	if i/64 < uint64(len(l.asked)) {
		return l.asked[i/64].place(i)
	}
	return l.elsewhere(id)
}

// elsewhere is at for ids that asked does not tell.
func (l *launches) elsewhere(id int64) int {
	if id <= 0 {
		return -1
	}
	if l.used != nil {
		return l.used.place(id)
	}
	if i, ok := slices.BinarySearch(l.ids, id); ok {
		return i
	}
	return -1
}

// note records a call. Where a runtime call and the driver call inside it
// share an id, the outer one, which starts first, is the launch. It reports whether any
// span asks for the id.
func (l *launches) note(id, start int64) bool {
	i := l.at(id)
	if i < 0 {
		return false
	}
	if at := &l.starts[i]; *at == trace.NoTime || start < *at {
		*at = start
	}
	return true
}

// of is the start of the call with that id, or trace.NoTime.
func (l *launches) of(id int64) int64 {
	if i := l.at(id); i >= 0 {
		return l.starts[i]
	}
	return trace.NoTime
}
