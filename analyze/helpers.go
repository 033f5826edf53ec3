package analyze

import (
	"slices"
	"sync"
	"sync/atomic"
)

// helpers are workers that have no file left and help the others to measure theirs: two workers with equal files end a
// twentieth of a second apart, since one of them got its memory later, and with fewer files than processors most
// workers have none from the start. The zero value is nobody.
type helpers struct {
	mu      sync.Mutex
	changed sync.Cond // signals that there are other offers, or that no worker has a file
	offers  []*offer  // of tasks that somebody may take, oldest first
	busy    int       // workers that may have a file
}

// helpersOfFile is how many workers can do something for a file at once.
const helpersOfFile = 4

// offer is a list of tasks of one worker; each task is done by whoever takes it.
type offer struct {
	tasks []func()
	taken atomic.Int64
	done  sync.WaitGroup
}

// begin sets the number of workers, all of which may still get a file, before the first of them leaves.
func (h *helpers) begin(workers int) { h.changed.L, h.busy = &h.mu, workers }

// together does tasks that do not depend on each other, and returns when all are done. Tasks that nobody helps with
// are done one after the other, in order.
func (h *helpers) together(tasks ...func()) {
	o := &offer{tasks: tasks}
	o.done.Add(len(tasks))
	h.put(o)
	o.doAll()
	h.drop(o)
	o.done.Wait()
}

// doAll does one after the other of the tasks that nobody has taken.
func (o *offer) doAll() {
	for at := int(o.taken.Add(1)) - 1; at < len(o.tasks); at = int(o.taken.Add(1)) - 1 {
		o.tasks[at]()
		o.done.Done()
	}
}

func (h *helpers) put(o *offer) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.offers = append(h.offers, o)
	h.changed.Broadcast()
}

func (h *helpers) drop(o *offer) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.offers = slices.DeleteFunc(h.offers, func(x *offer) bool { return x == o })
}

// leave is called by a worker that has no more files: it helps the others until none of them has one.
func (h *helpers) leave() {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.busy--; h.busy == 0 {
		h.changed.Broadcast()
	}
	for h.busy > 0 {
		if len(h.offers) == 0 {
			h.changed.Wait()
			continue
		}
		o := h.offers[0]
		h.mu.Unlock()
		o.doAll()
		h.drop(o)
		h.mu.Lock()
	}
}
