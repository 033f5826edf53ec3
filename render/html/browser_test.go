package html

import (
	"context"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/chromedp/cdproto/network"
	"github.com/chromedp/chromedp"
)

// browser is a headless Chromium for one test, and what its pages complain
// about.
func browser(t *testing.T) (context.Context, *complaints) {
	t.Helper()
	if os.Getenv("PERFDIFF_NO_BROWSER") == "1" {
		t.Skip("PERFDIFF_NO_BROWSER=1")
	}
	opts := append(slices.Clone(chromedp.DefaultExecAllocatorOptions[:]), chromedp.ExecPath(chromium(t)), chromedp.UserDataDir(t.TempDir()),
		chromedp.NoSandbox, chromedp.DisableGPU, chromedp.NoFirstRun, chromedp.Flag("disable-quic", true), chromedp.Flag("disable-background-networking", true),
		chromedp.Flag("disable-component-update", true), chromedp.Flag("disable-sync", true), chromedp.WSURLReadTimeout(60*time.Second))
	limited, done := context.WithTimeout(context.Background(), 5*time.Minute)
	alloc, stop := chromedp.NewExecAllocator(limited, opts...)
	ctx, cancel := chromedp.NewContext(alloc)
	t.Cleanup(func() {
		if err := chromedp.Cancel(ctx); err != nil {
			t.Log("closing Chromium:", err)
		}
		cancel()
		stop()
		done()
	})
	if err := chromedp.Do(ctx, chromedp.Navigate("about:blank")); err != nil {
		t.Fatal("starting Chromium: ", err)
	}
	return ctx, listen(t, ctx)
}

func chromium(t *testing.T) string {
	t.Helper()
	for _, name := range []string{"chromium", "google-chrome", "chromium-browser", "chrome"} {
		if path, err := exec.LookPath(name); err == nil {
			return path
		}
	}
	t.Fatal("no Chromium found: install chromium, or set PERFDIFF_NO_BROWSER=1 to leave the page tests out")
	return ""
}

// complaints are what a page must not do: errors, warnings and requests.
type complaints struct {
	sync.Mutex
	list []string
}

func (c *complaints) add(s string) {
	c.Lock()
	defer c.Unlock()
	c.list = append(c.list, s)
}

func (c *complaints) take() []string {
	c.Lock()
	defer c.Unlock()
	out := c.list
	c.list = nil
	return out
}

func listen(t *testing.T, ctx context.Context) *complaints {
	c := &complaints{}
	if _, err := chromedp.Call(ctx, network.Enable, network.EnableParams{}); err != nil {
		t.Fatal(err)
	}
	messages := chromedp.Console(ctx)
	requests := chromedp.Events(ctx, network.RequestWillBeSent)
	go func() {
		for m, err := range messages {
			if err != nil {
				return
			}
			if m.Type == chromedp.ConsoleError || m.Type == chromedp.ConsoleWarning || m.Type == chromedp.ConsoleException {
				c.add(fmt.Sprintf("%s: %s", m.Type, m.Text))
			}
		}
	}()
	go func() {
		for e, err := range requests {
			if err != nil {
				return
			}
			if u := e.Request.URL; !strings.HasPrefix(u, "file:") && !strings.HasPrefix(u, "data:") {
				c.add("request: " + u)
			}
		}
	}()
	return c
}

// scrollThrough lets every chart come into the window once, and names those
// that are empty then.
const scrollThrough = `(async () => {
  for (let y = 0; y < document.body.scrollHeight; y += 500) { scrollTo({top: y, behavior: 'instant'}); await new Promise(r => requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(r)))) }
  scrollTo({top: 0, behavior: 'instant'}); await new Promise(r => setTimeout(r, 150));
  return [...document.querySelectorAll('.chart')].filter(e => e.querySelectorAll('svg path, svg text, svg image, svg circle').length < 2).map(e => e.id).join(' ') })()`

func evaluate[T any](t *testing.T, ctx context.Context, script string) T {
	t.Helper()
	v, err := chromedp.Run(ctx, chromedp.Evaluate[T](script, chromedp.EvalAwaitPromise))
	if err != nil {
		t.Fatal(err)
	}
	return v
}

func open(t *testing.T, ctx context.Context, address string, width int64) {
	t.Helper()
	if err := chromedp.Do(ctx, chromedp.EmulateViewport(width, 900), chromedp.Navigate(address), chromedp.WaitReady(chromedp.CSS(`html[data-ready]`))); err != nil {
		t.Fatal(err)
	}
}

// saved writes a page to a file and returns its address. With
// PERFDIFF_PAGES=DIR it is also left there to be looked at.
func saved(t *testing.T, name, page string) string {
	t.Helper()
	dir := os.Getenv("PERFDIFF_PAGES")
	if dir == "" {
		dir = t.TempDir()
	}
	path := filepath.Join(dir, name+".html")
	if err := os.WriteFile(path, []byte(page), 0o600); err != nil {
		t.Fatal(err)
	}
	return "file://" + path
}

func TestBrowser(t *testing.T) {
	ctx, seen := browser(t)
	for _, name := range slices.Sorted(maps.Keys(pages)) {
		address := saved(t, name, written(t, pages[name]()))
		for _, width := range []int64{1440, 390} {
			t.Run(fmt.Sprintf("%s/%d", name, width), func(t *testing.T) { visit(t, ctx, seen, address, width) })
		}
	}
}

func visit(t *testing.T, ctx context.Context, seen *complaints, address string, width int64) {
	open(t, ctx, address, width)
	ready := evaluate[float64](t, ctx, `performance.now()`)
	start := time.Now()
	if undrawn := evaluate[string](t, ctx, scrollThrough); undrawn != "" {
		t.Errorf("not drawn: %s", undrawn)
	}
	t.Logf("ready after %.0f ms; scrolled through, with all charts drawn, in %d ms", ready, time.Since(start).Milliseconds())
	if ready > 3000 {
		t.Errorf("got ready after %.0f ms, want at most 3000", ready)
	}
	if over := evaluate[int](t, ctx, `document.documentElement.scrollWidth - document.documentElement.clientWidth`); over > 0 {
		t.Errorf("the page is %d px wider than its window", over)
	}
	for _, c := range seen.take() {
		t.Error(c)
	}
}

// TestBrowserSelection selects by address, key, table and Escape, switches the
// theme and prints.
func TestBrowserSelection(t *testing.T) {
	ctx, seen := browser(t)
	const address = `location.hash.split('?')[1] || ''`
	open(t, ctx, saved(t, "selection", written(t, jobReport(16, 19)))+"#rank-steps?rank=5&step=27", 1440)
	key := func(k string) {
		t.Helper()
		if err := chromedp.Do(ctx, chromedp.KeyEvent(k)); err != nil {
			t.Fatal(err)
		}
	}
	check := func(what, script, want string) {
		t.Helper()
		if got := evaluate[string](t, ctx, script); got != want {
			t.Errorf("%s: got %q, want %q", what, got, want)
		}
	}
	check("address", address, "rank=5&step=27")
	key("]")
	key(".")
	check("keys", address, "rank=6&step=28")
	key("\x1b")
	check("row", `document.querySelector('#ranks tr[data-rank="3"]').click(); `+address, "rank=3")
	key("\x1b")
	check("escape", address, "")
	check("theme", `document.getElementById('theme').click(); document.documentElement.dataset.theme`, "dark")
	check("print", `dispatchEvent(new Event('beforeprint')); var left = [...document.querySelectorAll('.chart')].filter(e => !e.dataset.drawn).map(e => e.id).join(); dispatchEvent(new Event('afterprint')); left`, "")
	for _, c := range seen.take() {
		t.Error(c)
	}
}
