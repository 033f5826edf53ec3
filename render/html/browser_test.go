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

// session is one headless Chromium, and what its pages complain about.
type session struct {
	ctx   context.Context
	seen  *complaints
	close func()
}

// patience ends a page that hangs, and nothing else: whole pages take about a second, and
// on a machine that does much else as many as it takes.
const patience = 5 * time.Minute

// browser starts a Chromium for one test or benchmark. Tests that have one run beside each other, as
// many as go test -parallel says; a test calls it once.
func browser(t testing.TB) *session {
	t.Helper()
	path := chromium(t)
	if one, ok := t.(*testing.T); ok {
		one.Parallel()
	}
	return opened(t, path)
}

// opened starts the Chromium at a path for a test or benchmark.
func opened(t testing.TB, path string) *session {
	t.Helper()
	s, err := persist(t, path)
	if err != nil {
		t.Fatal("starting Chromium: ", err)
	}
	s.seen = listen(t, s.ctx)
	return s
}

// starts is how many times a Chromium that does not start is started. Chosen, not measured:
// on a busy machine a start crashes now and then before it has opened a page, which was not
// seen twice in succession, and one that cannot start at all must not take minutes.
const starts = 3

// persist starts the Chromium at a path again where it crashes before it shows a page: that
// says nothing of perfdiff's pages, which no page of a crashed start has reached.
func persist(t testing.TB, path string) (s *session, err error) {
	for n := range starts {
		if s, err = start(t, path); err == nil {
			return s, nil
		}
		t.Logf("start %d of %d of Chromium: %v", n+1, starts, err)
		s.close()
	}
	return nil, err
}

// start starts the Chromium at a path, with a profile of its own, and shows an empty page.
func start(t testing.TB, path string) (*session, error) {
	opts := append(slices.Clone(chromedp.DefaultExecAllocatorOptions[:]), chromedp.ExecPath(path), chromedp.UserDataDir(t.TempDir()),
		chromedp.NoSandbox, chromedp.DisableGPU, chromedp.NoFirstRun, chromedp.Flag("disable-quic", true), chromedp.Flag("disable-background-networking", true),
		chromedp.Flag("disable-component-update", true), chromedp.Flag("disable-sync", true), chromedp.WSURLReadTimeout(60*time.Second))
	limited, done := context.WithCancel(context.Background())
	alloc, stop := chromedp.NewExecAllocator(limited, opts...)
	ctx, cancel := chromedp.NewContext(alloc)
	s := &session{ctx: ctx, close: sync.OnceFunc(func() {
		polite, impatient := context.WithTimeout(ctx, 10*time.Second)
		if err := chromedp.Cancel(polite); err != nil {
			t.Log("closing Chromium:", err)
		}
		impatient()
		cancel()
		stop()
		done()
	})}
	t.Cleanup(s.close)
	return s, chromedp.Do(ctx, chromedp.Navigate("about:blank"))
}

// TestBrowserStartsAgain has a Chromium that crashes at its first start, and one that always does.
func TestBrowserStartsAgain(t *testing.T) {
	path := chromium(t)
	dir := t.TempDir()
	tried := filepath.Join(dir, "tried")
	shaky := filepath.Join(dir, "shaky")
	script := fmt.Sprintf("#!/bin/sh\nif test -e '%[1]s'; then exec '%[2]s' \"$@\"; fi\n: > '%[1]s'\nexit 1\n", tried, path)
	if err := os.WriteFile(shaky, []byte(script), 0o755); err != nil {
		t.Fatal(err)
	}
	if _, err := persist(t, shaky); err != nil {
		t.Errorf("a Chromium that starts the second time: %v", err)
	}
	dead := filepath.Join(dir, "dead")
	if err := os.WriteFile(dead, []byte("#!/bin/sh\nexit 1\n"), 0o755); err != nil {
		t.Fatal(err)
	}
	if _, err := persist(t, dead); err == nil {
		t.Error("a Chromium that never starts was taken for one that does")
	}
}

// chromium finds the machine's Chromium, or skips unless PERFDIFF_BROWSER=1: the page tests take
// longer on a busy machine than go test gives a package.
func chromium(t testing.TB) string {
	t.Helper()
	if os.Getenv("PERFDIFF_BROWSER") != "1" {
		t.Skip("PERFDIFF_BROWSER=1 is not set: make test sets it and opens pages in Chromium")
	}
	for _, name := range []string{"chromium", "google-chrome", "chromium-browser", "chrome"} {
		if path, err := exec.LookPath(name); err == nil {
			return path
		}
	}
	t.Fatal("no Chromium found: install chromium, or leave the page tests out: PERFDIFF_NO_BROWSER=1 make test")
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

func listen(t testing.TB, ctx context.Context) *complaints {
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

// until waits for a condition. It ends as well when nothing can be expected any more, and
// what is asked afterwards then fails by itself.
const until = `const until = async done => { for (let i = 0; i < 1200 && !done(); i++) await new Promise(r => setTimeout(r, 100)) };`

// scrollThrough opens what is folded, lets every chart come into the window once, waits there until all that are
// seen are drawn, and names those that are empty then.
const scrollThrough = `(async () => { ` + until + `
  for (const d of document.querySelectorAll('details:not(.about)')) d.open = true;
  const charts = [...document.querySelectorAll('.chart')].filter(e => !e.closest('[hidden]'));
  const empty = e => !(e.dataset.drawn && e.querySelector('canvas')) && e.querySelectorAll('svg path, svg text, svg image, svg circle').length < 2;
  const seen = e => { const b = e.getBoundingClientRect(); return b.width > 0 && b.bottom > 0 && b.top < innerHeight };
  for (let y = 0; y < document.body.scrollHeight; y += 500) {
    scrollTo({top: y, behavior: 'instant'});
    await until(() => !charts.some(e => seen(e) && empty(e)));
  }
  scrollTo({top: 0, behavior: 'instant'});
  return charts.filter(empty).map(e => e.id).join(' ') })()`

func evaluate[T any](ctx context.Context, script string) (T, error) {
	return chromedp.Run(ctx, chromedp.Evaluate[T](script, chromedp.EvalAwaitPromise))
}

func open(ctx context.Context, address string, width int64) error {
	return chromedp.Do(ctx, chromedp.EmulateViewport(width, 900), chromedp.Navigate(address), chromedp.WaitReady(chromedp.CSS(`html[data-ready]`)))
}

// saved writes a page to a file and returns its address. With
// PERFDIFF_PAGES=DIR it is also left there to be looked at.
func saved(t testing.TB, name, page string) string {
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

func TestBrowser(all *testing.T) {
	s := browser(all)
	for _, name := range slices.Sorted(maps.Keys(pages)) {
		address := saved(all, name, written(all, pages[name]()))
		for _, width := range []int64{1440, 390} {
			all.Run(fmt.Sprintf("%s/%d", name, width), func(t *testing.T) {
				wrong, err := s.visit(address, width)
				if err != nil {
					// Chromium itself hangs now and then on a loaded machine; a
					// page that is at fault hangs a new one as well.
					t.Logf("trying once more in a new Chromium: %v", err)
					s.close()
					s = opened(all, chromium(all))
					wrong, err = s.visit(address, width)
				}
				if err != nil {
					t.Fatal(err)
				}
				for _, w := range wrong {
					t.Error(w)
				}
			})
		}
	}
}

// visit says what is wrong with a page; the error is that of a browser that
// does not answer.
func (s *session) visit(address string, width int64) (wrong []string, err error) {
	ctx, cancel := context.WithTimeout(s.ctx, patience)
	defer cancel()
	if err := open(ctx, address, width); err != nil {
		return nil, fmt.Errorf("opening the page: %w", err)
	}
	undrawn, err := evaluate[string](ctx, scrollThrough)
	if err != nil {
		return nil, fmt.Errorf("scrolling through: %w", err)
	}
	over, err := evaluate[int](ctx, `document.documentElement.scrollWidth - document.documentElement.clientWidth`)
	if err != nil {
		return nil, err
	}
	if undrawn != "" {
		wrong = append(wrong, "not drawn: "+undrawn)
	}
	if over > 0 {
		wrong = append(wrong, fmt.Sprintf("the page is %d px wider than its window", over))
	}
	return append(wrong, s.seen.take()...), nil
}

// TestBrowserSelection selects by address, key, table and Escape, switches the
// theme and prints.
func TestBrowserSelection(t *testing.T) {
	s := browser(t)
	ctx, cancel := context.WithTimeout(s.ctx, patience)
	defer cancel()
	const address = `location.hash.split('?')[1] || ''`
	if err := open(ctx, saved(t, "selection", written(t, jobReport(16, 19)))+"#rank-steps?rank=5&step=27", 1440); err != nil {
		t.Fatal(err)
	}
	key := func(k string) {
		t.Helper()
		if err := chromedp.Do(ctx, chromedp.KeyEvent(k)); err != nil {
			t.Fatal(err)
		}
	}
	check := func(what, script, want string) {
		t.Helper()
		if got, err := evaluate[string](ctx, script); err != nil {
			t.Fatalf("%s: %v", what, err)
		} else if got != want {
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
	check("print", `dispatchEvent(new Event('beforeprint')); var left = [...document.querySelectorAll('.chart')].filter(e => !e.dataset.drawn && !e.closest('[hidden], details:not([open])')).map(e => e.id).join(); dispatchEvent(new Event('afterprint')); left`, "")
	for _, c := range s.seen.take() {
		t.Error(c)
	}
}
