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
	"perfdiff/analyze/trace"
)

// The causes with which the reading of a file is ended for lack of memory.
var (
	errCrowded  = errors.New("memory is needed by a file that began earlier")
	errTooLarge = errors.New("more memory than is allowed")
)

// memory keeps the heap below a limit while files are read. Where several
// files together need more, all but the one that began first are ended and
// read again later, alone; a file that needs more alone is refused. So what is
// refused depends on the file and the limit, not on what ran beside it.
type memory struct {
	limit int64 // bytes of the heap
	quit  chan struct{}
	done  sync.WaitGroup
	old   int64 // the runtime's own limit before

	mu      sync.Mutex
	freed   *sync.Cond // a file has ended
	running []*reading // in order of their beginning
	changes int        // of running
	slots   int        // files that may be read at once
	left    int64      // bytes read of which garbage may lie about
	after   int64      // what the last collection for want of room left
	asking  sync.Mutex // one at a time collects
	spare   trace.Spare
}

// reading is a file that is being read.
type reading struct{ cancel context.CancelCauseFunc }

// slack is what part of the limit the heap may be beyond it: what is refused is what lives,
// and to find out what does takes a collection, of which near the limit one would follow
// on the other.
const slack = 8

// limit is how much memory may be taken, in bytes.
func (o Options) limit() int64 {
	if o.Memory > 0 {
		return o.Memory
	}
	return MachineMemory() / 2
}

// SummaryRoom is what saved summaries may take together: the rest is for comparing them
// and writing what comes of it.
func (o Options) SummaryRoom() *saved.Room { return &saved.Room{Left: o.limit() / 4 * 3} }

func (o Options) room() *saved.Room {
	if o.Summaries != nil {
		return o.Summaries
	}
	return o.SummaryRoom()
}

// watchEvery is how often the heap is looked at: a reader can fill some 20 MB
// in this time.
const watchEvery = 10 * time.Millisecond

// newMemory begins to watch. The collector works harder near the limit, so
// that garbage is no reason to refuse anything.
func newMemory(limit int64, slots int) *memory {
	m := &memory{limit: limit, slots: slots, quit: make(chan struct{}), old: debug.SetMemoryLimit(-1)}
	m.freed = sync.NewCond(&m.mu)
	debug.SetMemoryLimit(min(m.old, limit+limit/slack))
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

// close ends the watch.
func (m *memory) close() {
	close(m.quit)
	m.done.Wait()
	debug.SetMemoryLimit(m.old)
	m.spare.Drop()
}

// begin waits for its turn and returns the context of a file and what has to
// be called when it has ended.
func (m *memory) begin(ctx context.Context) (context.Context, func()) {
	ctx, cancel := context.WithCancelCause(ctx)
	r := &reading{cancel}
	m.mu.Lock()
	defer m.mu.Unlock()
	for len(m.running) >= m.slots {
		m.freed.Wait()
	}
	m.running = append(m.running, r)
	m.changed()
	ctx = trace.WithSpare(ctx, &m.spare)
	return trace.WithRoom(ctx, func(bytes int64) bool { return m.fits(ctx, r, bytes) }), func() {
		cancel(nil)
		m.mu.Lock()
		defer m.mu.Unlock()
		m.running = slices.DeleteFunc(m.running, func(x *reading) bool { return x == r })
		m.changed()
		m.freed.Broadcast()
	}
}

// changed notes that a file began or ended: what is known of the heap is about others.
func (m *memory) changed() {
	m.changes++
	m.after = 0
}

// collectEvery is the number of bytes read after which what is left of them is
// collected. By itself the collector would wait until the next files take as
// much room again; spans hold no pointers, so that this takes no time. Ranks do: of
// hundreds that lie in small files, which leave little, they would be looked through
// again and again. So there has to be as much garbage, or a share of the limit.
const collectEvery = 64 << 20

// packed is how many bytes of a file without compression what is held of it stands for:
// a compressed one does not say by its size what it leaves behind.
const packed = 16

// held is about how many bytes a trace takes.
func held(t *trace.Trace) int64 {
	const span, stretch, call = 56, 32, 24
	stretches, calls := len(t.Ranges)+len(t.Ops)+len(t.Functions), len(t.API)+len(t.OS)
	return span*int64(len(t.Device)) + stretch*int64(stretches) + call*int64(calls)
}

// collect makes room after a file of so many bytes.
func (m *memory) collect(bytes int64) {
	m.mu.Lock()
	m.left += bytes
	due := m.left >= collectEvery
	if due {
		m.left = 0
	}
	m.mu.Unlock()
	if due && garbage() >= min(collectEvery, m.limit/slack) {
		runtime.GC()
	}
}

// check ends files if the heap is over the limit. What is garbage is collected
// before it is judged, and nothing is judged where a file began or ended
// meanwhile. It is not collected again before there can be something new.
func (m *memory) check() {
	m.mu.Lock()
	before, due := m.changes, m.after+m.limit/slack
	m.mu.Unlock()
	if now := heap(); now <= m.limit || now < due {
		return
	}
	if m.collected() <= m.limit {
		return
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.changes == before && len(m.running) > 0 {
		m.makeRoom(m.running[0])
	}
}

// collected is the heap without garbage, in bytes.
func (m *memory) collected() int64 {
	m.asking.Lock()
	defer m.asking.Unlock()
	m.spare.Drop()
	runtime.GC()
	now := heap()
	m.mu.Lock()
	m.after = now
	m.mu.Unlock()
	return now
}

// makeRoom ends the files beside r, or r if it is alone.
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

// fits reports whether so many bytes more fit beside what there is. The file that began
// first waits until the others have made room; another one makes room itself. One that
// is alone and does not fit is refused.
func (m *memory) fits(ctx context.Context, r *reading, bytes int64) bool {
	for ctx.Err() == nil {
		if heap()+bytes <= m.limit || m.collected()+bytes <= m.limit {
			return true
		}
		m.mu.Lock()
		if m.running[0] != r {
			m.slots = max(1, min(m.slots, len(m.running)/2))
			r.cancel(errCrowded)
		} else if m.makeRoom(r); len(m.running) > 1 {
			m.freed.Wait()
		}
		m.mu.Unlock()
	}
	return false
}

// heap is the number of bytes in objects, those included that are garbage and
// not collected.
func heap() int64 {
	s := []metrics.Sample{{Name: "/memory/classes/heap/objects:bytes"}}
	metrics.Read(s)
	return int64(min(s[0].Value.Uint64(), math.MaxInt64))
}

// garbage is about how many bytes of the heap are garbage: all that came since the last
// collection.
func garbage() int64 {
	s := []metrics.Sample{{Name: "/gc/heap/live:bytes"}}
	metrics.Read(s)
	return heap() - int64(min(s[0].Value.Uint64(), math.MaxInt64))
}

// tooLarge is the reason why a file was refused. It holds no measured size,
// which differs from run to run.
func (m *memory) tooLarge(name string) error {
	return fmt.Errorf("%s: needs %w: the limit is %d MB (raise --max-memory, or record fewer steps)", name, errTooLarge, m.limit/1e6)
}
