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
// main thread until all charts are drawn at once that a page shows, what each choice of a quantity
// takes in all, and its longest task while scrolling through and while quantities, ranks and steps
// are selected, by the browser's own tracing. Charts
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
			b.ReportMetric(least.choices, "choices-ms")
			b.ReportMetric(least.scroll, "scroll-task-ms")
			b.ReportMetric(least.choose, "select-task-ms")
			b.ReportMetric(float64(least.long), "tasks-above-50ms")
		})
	}
}

// pageCost is in ms of the main thread: everything until all that a page shows is drawn, what
// all choices of a quantity take one after the other, and the longest tasks of scrolling and
// selecting; long counts those that are felt in both.
type pageCost struct {
	drawn, choices, scroll, choose float64
	long                           int
}

func (c pageCost) orLess(d pageCost) pageCost {
	return pageCost{min(c.drawn, d.drawn), min(c.choices, d.choices), min(c.scroll, d.scroll), min(c.choose, d.choose), min(c.long, d.long)}
}

// chooseEach chooses each quantity and waits until its charts are drawn.
const chooseEach = `(async () => { ` + until + `
  const charts = () => [...document.querySelectorAll('.panel:not([hidden]) .chart')];
  for (const i of document.querySelectorAll('input[name=view]')) {
    i.click();
    charts().forEach(e => e.scrollIntoView({behavior: 'instant'}));
    await until(() => !charts().some(e => !e.dataset.drawn));
    ` + settle + `
  } })()`

// costOf opens a page in a browser of its own, draws all of it, scrolls through it, chooses each
// quantity and selects at its widest sections.
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
	choose := try(func() error { return script(chooseEach) })
	choices := total(choose)
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
	return pageCost{total(drawn), choices, longest(scroll), longest(choose), long(scroll) + long(choose)}
}
