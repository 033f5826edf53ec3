package analyze

import (
	"context"
	"errors"
	"fmt"
	"math"
	"runtime"
	"runtime/debug"
	"runtime/metrics"
	"slices"
	"sync"
	"time"

	"perfdiff/analyze/saved"
	"perfdiff/analyze/source"
	"perfdiff/analyze/trace"
)

// Causes for which the reading of a file is cancelled for lack of memory.
var (
	errCrowded  = errors.New("memory is needed by a file that began earlier")
	errTooLarge = errors.New("more memory than is allowed")
)

// memory keeps the heap below a limit while files are read. If several files together need more, all but the one that
// began first are cancelled and read later, one at a time. A file that needs more by itself is refused. So what is
// refused depends only on the file and the limit, not on what was read at the same time.
type memory struct {
	limit    int64 // bytes of the heap
	quit     chan struct{}
	done     sync.WaitGroup
	oldLimit int64 // memory limit of the Go runtime before, in bytes

	mu          sync.Mutex
	fileEnded   *sync.Cond // signals that the reading of a file ended
	running     []*reading // in the order in which they began
	changes     int        // how often running changed
	slots       int        // files that may be read at once
	uncollected int64      // bytes read since the last collection
	liveBytes   int64      // heap after the last collection that was forced; 0: running changed since
	collecting  sync.Mutex // held by the goroutine that collects
	spare       trace.Spare
	more        func() bool // reports whether a file was not begun yet, which needs what is spare
	helpers     helpers     // workers without a file
}

// reading is a file that is being read.
type reading struct{ cancel context.CancelCauseFunc }

// limitSlack is the part of the limit (an eighth) by which the heap may exceed it. Only live
// memory counts against the limit, and finding out how much is live takes a collection. Without
// slack one collection would follow another near the limit.
const limitSlack = 8

// limit returns the memory that may be used, in bytes.
func (o Options) limit() int64 {
	if o.Memory > 0 {
		return o.Memory
	}
	return MachineMemory() / 2
}

// SummaryRoom returns the memory that saved summaries may take together. The rest is for comparing
// them and writing the report.
func (o Options) SummaryRoom() *saved.MemoryBudget {
	return &saved.MemoryBudget{Bytes: o.limit() / 4 * 3}
}

func (o Options) room() *saved.MemoryBudget {
	if o.Summaries != nil {
		return o.Summaries
	}
	return o.SummaryRoom()
}

// watchEvery is how often the heap is looked at. A reader can fill some 20 MB in that time.
const watchEvery = 10 * time.Millisecond

// newMemory starts watching the heap. It also tells the Go runtime to collect more often near
// the limit, so that no file is refused because of garbage.
func newMemory(limit int64, slots int) *memory {
	m := &memory{limit: limit, slots: slots, quit: make(chan struct{}), oldLimit: debug.SetMemoryLimit(-1)}
	m.fileEnded = sync.NewCond(&m.mu)
	debug.SetMemoryLimit(min(m.oldLimit, limit+limit/limitSlack))
	m.done.Go(func() {
		tick := time.NewTicker(watchEvery)
		defer tick.Stop()
		for {
			select {
			case <-m.quit:
				return
			case <-tick.C:
				m.check()
			}
		}
	})
	return m
}

// close stops watching.
func (m *memory) close() {
	close(m.quit)
	m.done.Wait()
	debug.SetMemoryLimit(m.oldLimit)
	if m.spare.Drop() >= muchSpare {
		runtime.GC() // else comparing and writing take as much fresh memory, with the lists beside it
	}
}

// muchSpare is so much memory of lists that nobody needs any more, in bytes, that it is worth a
// collection, which takes about a millisecond.
const muchSpare = 64 << 20

// begin waits until another file may be read. It returns a context and options for reading it, with
// the memory that there is, and a function to call at the end.
func (m *memory) begin(ctx context.Context) (context.Context, source.Options, func()) {
	ctx, cancel := context.WithCancelCause(ctx)
	r := &reading{cancel}
	m.mu.Lock()
	defer m.mu.Unlock()
	for len(m.running) >= m.slots {
		m.fileEnded.Wait()
	}
	m.running = append(m.running, r)
	m.noteChange()
	opt := source.Options{Spare: &m.spare, Room: func(bytes int64) bool { return m.fits(ctx, r, bytes) }}
	return ctx, opt, func() {
		cancel(nil)
		m.mu.Lock()
		defer m.mu.Unlock()
		m.running = slices.DeleteFunc(m.running, func(x *reading) bool { return x == r })
		m.noteChange()
		m.fileEnded.Broadcast()
	}
}

// noteChange notes that a file began or ended, so that earlier measurements of the heap are out of date.
func (m *memory) noteChange() {
	m.changes++
	m.liveBytes = 0
}

// collectEvery is how many bytes are read before the collector is run. By itself it would wait
// until the next files need as much memory again. A collection takes no time, since spans hold
// no pointers. Ranks hold some: the hundreds of ranks of many small files, which leave little
// garbage, would be looked through again and again. So there has to be as much garbage, or a
// share of the limit.
const collectEvery = 64 << 20

// compressionFactor is how many bytes of an uncompressed file correspond to a byte of its trace
// in memory. The size of a compressed file does not tell how much garbage reading it leaves.
const compressionFactor = 16

// traceBytes returns about how much memory a trace takes, in bytes.
func traceBytes(t *trace.Trace) int64 {
	const span, stretch, call, operation, tied = trace.SpanSize + 8, 32, trace.CallSize, 56, 8 // those of operators stand beside their kernels
	stretches, calls := len(t.Ranges)+len(t.Ops)+len(t.Functions), len(t.API)+len(t.OS)
	bytes := span*int64(len(t.Device)) + stretch*int64(stretches) + call*int64(calls)
	if n := int64(len(t.Operations)); n > 0 {
		bytes += operation*n + tied*int64(len(t.Device))
	}
	return bytes
}

// nameBytes is about how many bytes measuring takes for each name of a trace, in tables by kernel. Measured: 700,000
// names of kernels took 300 MB beside their trace.
const nameBytes = 448

// namesFit reports whether there is room for tables by the names of traces, which share them.
func namesFit(ctx context.Context, reading *source.Options, traces []*trace.Trace) bool {
	most := 0
	for _, t := range traces {
		most = max(most, t.Names.Len())
	}
	return ctx.Err() == nil && (reading.Room == nil || reading.Room(int64(most)*nameBytes))
}

// collectAfter runs the collector if it is due, after a file of so many bytes.
func (m *memory) collectAfter(bytes int64) {
	m.mu.Lock()
	m.uncollected += bytes
	due := m.uncollected >= collectEvery
	if due {
		m.uncollected = 0
	}
	m.mu.Unlock()
	// What one large file leaves counted as live when the collector last ran, in the middle
	// of it.
	if due && (bytes >= collectEvery || garbage() >= min(collectEvery, m.limit/limitSlack)) {
		runtime.GC()
	}
}

// check cancels files if the live heap is over the limit. It collects garbage before it decides, and decides nothing
// if a file began or ended meanwhile. It does not collect again until the heap has grown by the slack.
func (m *memory) check() {
	m.mu.Lock()
	before, due := m.changes, m.liveBytes+m.limit/limitSlack
	m.mu.Unlock()
	if now := heap(); now <= m.limit || now < due {
		return
	}
	if m.liveHeap() <= m.limit {
		return
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.changes == before && len(m.running) > 0 {
		m.makeRoom(m.running[0])
	}
}

// liveHeap collects garbage and returns the size of the heap, in bytes.
func (m *memory) liveHeap() int64 {
	m.collecting.Lock()
	defer m.collecting.Unlock()
	m.spare.Drop()
	runtime.GC()
	now := heap()
	m.mu.Lock()
	m.liveBytes = now
	m.mu.Unlock()
	return now
}

// makeRoom cancels the other files, or r itself if there are none.
func (m *memory) makeRoom(r *reading) {
	n := len(m.running)
	if n == 1 {
		r.cancel(errTooLarge)
		return
	}
	m.slots = min(m.slots, n/2)
	for _, x := range m.running {
		if x != r {
			x.cancel(errCrowded)
		}
	}
}

// fits reports whether so many more bytes fit into memory. The file that began first waits until the others have made
// room for it; any other file is cancelled itself. A file that is alone and does not fit is refused. As in check, a
// measurement during which a file began or ended decides nothing: the memory of a file that is gone would count
// against this one.
func (m *memory) fits(ctx context.Context, r *reading, bytes int64) bool {
	for ctx.Err() == nil {
		m.mu.Lock()
		before := m.changes
		m.mu.Unlock()
		if heap()+bytes <= m.limit || m.liveHeap()+bytes <= m.limit {
			return true
		}
		m.mu.Lock()
		switch {
		case m.changes != before:
		case m.running[0] != r:
			m.slots = max(1, min(m.slots, len(m.running)/2))
			r.cancel(errCrowded)
		default:
			if m.makeRoom(r); len(m.running) > 1 {
				m.fileEnded.Wait()
			}
		}
		m.mu.Unlock()
	}
	return false
}

// heap returns the size of the heap in bytes, garbage included.
func heap() int64 {
	s := []metrics.Sample{{Name: "/memory/classes/heap/objects:bytes"}}
	metrics.Read(s)
	return int64(min(s[0].Value.Uint64(), math.MaxInt64))
}

// garbage returns about how many bytes of the heap are garbage: all that came since the last
// collection.
func garbage() int64 {
	s := []metrics.Sample{{Name: "/gc/heap/live:bytes"}}
	metrics.Read(s)
	return heap() - int64(min(s[0].Value.Uint64(), math.MaxInt64))
}

// tooLarge returns the error for a refused file. It says no measured size, since that differs from
// run to run.
func (m *memory) tooLarge(name string) error {
	return fmt.Errorf("%s: needs %w: the limit is %d MB (raise --max-memory, or record fewer steps)", name, errTooLarge, m.limit/1e6)
}
