package analyze

import (
	"sync"
	"sync/atomic"
	"testing"
	"time"
)

// nobody helps.
var nobody helpers

// TestTogether: each task is done once, before together returns, whether others help or not.
func TestTogether(t *testing.T) {
	for _, workers := range []int{1, 2, 5} {
		var h helpers
		h.begin(workers)
		var all sync.WaitGroup
		for worker := range workers {
			all.Go(func() {
				defer h.leave()
				for n := range 20 - 4*min(worker, 4) {
					var done [9]atomic.Int64
					tasks := make([]func(), n%len(done))
					for i := range tasks {
						tasks[i] = func() { done[i].Add(1) }
					}
					h.together(tasks...)
					for i := range done {
						want := int64(0)
						if i < len(tasks) {
							want = 1
						}
						if got := done[i].Load(); got != want {
							t.Errorf("%d workers: task %d of %d: got done %d times, want %d", workers, i, len(tasks), got, want)
						}
					}
				}
			})
		}
		all.Wait()
		if len(h.offers)+h.busy != 0 {
			t.Errorf("%d workers: got %d offers and %d busy workers at the end", workers, len(h.offers), h.busy)
		}
	}
}

// TestTogetherAlone: without help, tasks are done in their order.
func TestTogetherAlone(t *testing.T) {
	var busy helpers
	busy.begin(3)
	for name, h := range map[string]*helpers{"nobody": &nobody, "all busy": &busy} {
		var order []int
		add := func(i int) func() { return func() { order = append(order, i) } }
		if h.together(add(0), add(1), add(2)); len(order) != 3 || order[0] != 0 || order[1] != 1 || order[2] != 2 {
			t.Errorf("%s: got the order %v", name, order)
		}
	}
}

// TestHelp: who has no file takes a task while the worker with a file is in another one.
func TestHelp(t *testing.T) {
	var h helpers
	h.begin(2)
	var helper sync.WaitGroup
	helper.Go(h.leave)
	other := make(chan bool)
	h.together(
		func() {
			select {
			case <-other:
			case <-time.After(time.Minute):
				t.Error("got no help")
			}
		},
		func() { close(other) },
	)
	h.leave()
	helper.Wait()
}
