package html

import (
	"context"
	"encoding/json"
	"fmt"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/tracing"
	"github.com/chromedp/chromedp"
)

// task is one piece of work of a page's main thread, ms: the page answers to nothing
// until it ends. On a machine that does other things as well cpu is what counts.
type task struct{ cpu, wall float64 }

// longTask is from how many ms on a task is felt, as browsers define it.
const longTask = 50

// traceEvent is one event of the browser's own tracing; times in µs.
type traceEvent struct {
	Name, Ph string
	Pid, Tid int
	Dur      float64
	Tdur     float64
	Args     struct{ Name string }
}

// tasks are those of the main thread while do runs.
func (s *session) tasks(ctx context.Context, do func() error) ([]task, error) {
	listening, stop := context.WithCancel(ctx)
	defer stop()
	var all []traceEvent
	done := make(chan struct{})
	if err := chromedp.Listen(listening, func(event any) {
		switch e := event.(type) {
		case *tracing.EventDataCollected:
			for _, text := range e.Value {
				var t traceEvent
				if json.Unmarshal(text, &t) == nil && (t.Name == "RunTask" || t.Name == "thread_name") {
					all = append(all, t)
				}
			}
		case *tracing.EventTracingComplete:
			close(done)
		}
	}); err != nil {
		return nil, err
	}
	config := &tracing.TraceConfig{IncludedCategories: []string{"disabled-by-default-devtools.timeline"}}
	if _, err := chromedp.Call(ctx, tracing.Start, tracing.StartParams{TraceConfig: config}); err != nil {
		return nil, fmt.Errorf("starting the trace: %w", err)
	}
	if err := do(); err != nil {
		return nil, err
	}
	if _, err := chromedp.Call(ctx, tracing.End, cdp.Empty{}); err != nil {
		return nil, fmt.Errorf("ending the trace: %w", err)
	}
	select {
	case <-done:
		return mainTasks(all), nil
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

// mainTasks are those of the main thread of the process that draws the page: of all such
// threads the one that does most.
func mainTasks(events []traceEvent) []task {
	type thread struct{ pid, tid int }
	of, main := map[thread][]task{}, map[thread]bool{}
	for _, e := range events {
		at := thread{e.Pid, e.Tid}
		if e.Name == "thread_name" {
			main[at] = e.Args.Name == "CrRendererMain"
		} else if e.Ph == "X" {
			of[at] = append(of[at], task{e.Tdur / 1000, e.Dur / 1000})
		}
	}
	var most []task
	for at, list := range of {
		if main[at] && total(list) > total(most) {
			most = list
		}
	}
	return most
}

// total and longest are in ms of the processor.
func total(list []task) (sum float64) {
	for _, t := range list {
		sum += t.cpu
	}
	return sum
}

func longest(list []task) (most float64) {
	for _, t := range list {
		most = max(most, t.cpu)
	}
	return most
}

// long counts the tasks that are felt.
func long(list []task) (n int) {
	for _, t := range list {
		if t.cpu > longTask {
			n++
		}
	}
	return n
}
