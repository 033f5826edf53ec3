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

	"perfdiff/analyze/run"
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
}

// reading is a file that is being read.
type reading struct{ cancel context.CancelCauseFunc }

// limit is how much memory may be taken, in bytes.
func (o Options) limit() int64 {
	if o.Memory > 0 {
		return o.Memory
	}
	return MachineMemory() / 2
}

// SummaryRoom is what saved summaries may take together: the rest is for comparing them
// and writing what comes of it.
func (o Options) SummaryRoom() *run.Room { return &run.Room{Left: o.limit() / 4 * 3} }

func (o Options) room() *run.Room {
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
	debug.SetMemoryLimit(min(m.old, limit))
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
	m.changes++
	return ctx, func() {
		cancel(nil)
		m.mu.Lock()
		defer m.mu.Unlock()
		m.running = slices.DeleteFunc(m.running, func(x *reading) bool { return x == r })
		m.changes++
		m.freed.Broadcast()
	}
}

// collectEvery is the number of bytes read after which what is left of them is
// collected. By itself the collector would wait until the next files take as
// much room again; spans hold no pointers, so that this takes no time.
const collectEvery = 64 << 20

// collect makes room after a file of so many bytes.
func (m *memory) collect(bytes int64) {
	m.mu.Lock()
	m.left += bytes
	due := m.left >= collectEvery
	if due {
		m.left = 0
	}
	m.mu.Unlock()
	if due {
		runtime.GC()
	}
}

// check ends files if the heap is over the limit. What is garbage is collected
// before it is judged, and nothing is judged where a file began or ended
// meanwhile.
func (m *memory) check() {
	m.mu.Lock()
	before := m.changes
	m.mu.Unlock()
	if heap() <= m.limit {
		return
	}
	runtime.GC()
	if heap() <= m.limit {
		return
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	switch n := len(m.running); {
	case m.changes != before || n == 0:
	case n == 1:
		m.running[0].cancel(errTooLarge)
	default:
		m.slots = min(m.slots, n/2)
		for _, r := range m.running[1:] {
			r.cancel(errCrowded)
		}
	}
}

// heap is the number of bytes in objects, those included that are garbage and
// not collected.
func heap() int64 {
	s := []metrics.Sample{{Name: "/memory/classes/heap/objects:bytes"}}
	metrics.Read(s)
	return int64(min(s[0].Value.Uint64(), math.MaxInt64))
}

// tooLarge is the reason why a file was refused. It holds no measured size,
// which differs from run to run.
func (m *memory) tooLarge(name string) error {
	return fmt.Errorf("%s: needs %w: the limit is %d MB (raise --max-memory, or record fewer steps)", name, errTooLarge, m.limit/1e6)
}
