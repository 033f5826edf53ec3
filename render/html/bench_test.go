package html

import (
	"context"
	"fmt"
	"testing"
	"time"

	"github.com/chromedp/chromedp"
)

// drawnAll draws every chart at once, as printing does.
const drawnAll = `(async () => { dispatchEvent(new Event('beforeprint')); ` + settle + ` })()`

// settle waits until what was asked for is painted: for two frames, however late they come.
const settle = `await new Promise(r => { requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(r, 50))); setTimeout(r, 60000) });`

// BenchmarkPage is what a page costs the reader: its bytes, the processor time of the
// main thread until all charts are drawn at once, and its longest task while scrolling
// through and while ranks and steps are selected, by the browser's own tracing. Charts
// are drawn one in a task, so that no task is felt: tasks above 50 ms are counted.
func BenchmarkPage(b *testing.B) {
	for _, c := range sizes {
		b.Run(fmt.Sprintf("%dx%d", c.ranks, c.steps), func(b *testing.B) {
			page := written(b, fullReport(c.ranks, c.steps))
			address := saved(b, fmt.Sprintf("page-%d", c.ranks), page)
			var least pageCost
			for b.Loop() {
				// The least of two: other work on the machine only adds.
				least = costOf(b, address).orLess(costOf(b, address))
			}
			b.ReportMetric(float64(len(page))/1e6, "MB")
			b.ReportMetric(least.drawn, "drawn-ms")
			b.ReportMetric(least.scroll, "scroll-task-ms")
			b.ReportMetric(least.choose, "select-task-ms")
			b.ReportMetric(float64(least.long), "tasks-above-50ms")
		})
	}
}

// pageCost is in ms of the main thread: everything until all is drawn, and the longest
// tasks of scrolling and selecting; long counts those that are felt in both.
type pageCost struct {
	drawn, scroll, choose float64
	long                  int
}

func (c pageCost) orLess(d pageCost) pageCost {
	return pageCost{min(c.drawn, d.drawn), min(c.scroll, d.scroll), min(c.choose, d.choose), min(c.long, d.long)}
}

// costOf opens a page in a browser of its own, draws all of it, scrolls through it and
// selects at its widest sections.
func costOf(b *testing.B, address string) pageCost {
	b.Helper()
	s := browser(b)
	defer s.close()
	ctx, cancel := context.WithTimeout(s.ctx, 2*time.Minute)
	defer cancel()
	try := func(do func() error) []task {
		b.Helper()
		list, err := s.tasks(ctx, do)
		if err != nil {
			b.Fatal(err)
		}
		return list
	}
	script := func(text string) error {
		_, err := evaluate[any](ctx, text)
		return err
	}
	drawn := try(func() error {
		if err := open(ctx, address, 1440); err != nil {
			return err
		}
		return script(drawnAll)
	})
	if err := open(ctx, address+"?again", 1440); err != nil { // as it is before it was printed
		b.Fatal(err)
	}
	scroll := try(func() error { return script(scrollThrough) })
	var choose []task
	for _, id := range []string{"steps", "breakdown", "rank-steps", "utilization"} {
		if err := script(`(async () => { document.getElementById('` + id + `').scrollIntoView({behavior: 'instant'}); ` + settle + ` })()`); err != nil {
			b.Fatal(err)
		}
		choose = append(choose, try(func() error {
			for _, key := range []string{"]", "."} {
				if err := chromedp.Do(ctx, chromedp.KeyEvent(key)); err != nil {
					return err
				}
				if err := script(`(async () => { ` + settle + settle + ` })()`); err != nil {
					return err
				}
			}
			return nil
		})...)
	}
	return pageCost{total(drawn), longest(scroll), longest(choose), long(scroll) + long(choose)}
}
