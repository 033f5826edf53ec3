package html

import (
	"context"
	"fmt"
	"io"
	"regexp"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"

	"perfdiff/diff/difftest"
	"perfdiff/diff/history"
)

func twoJobs() Jobs {
	return Jobs{All: []history.Job{difftest.FlatJob(), difftest.MovedJob()}, Tool: "perfdiff test"}
}

func writtenJobs(t testing.TB, write func(io.Writer) error) string {
	t.Helper()
	var b strings.Builder
	if err := write(&b); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// TestJobSite: the site is a list and a page for each job; links between its files and within pages lead somewhere, and
// nothing is asked of anybody.
func TestJobSite(t *testing.T) {
	h := twoJobs()
	h.All = append(h.All, history.Job{Name: "Gpt H100"}, history.Job{Name: "gpt/h100"}, history.Job{Name: "index"})
	files := map[string]string{}
	for _, f := range JobSite(h) {
		files[f.Name] = writtenJobs(t, f.Write)
	}
	if len(files) != 6 || files["index.html"] == "" || files["gpt-h100-2.html"] == "" || files["index-2.html"] == "" {
		t.Errorf("got %d files", len(files))
	}
	for name, page := range files {
		for _, m := range regexp.MustCompile(`href="([^"]*)"`).FindAllStringSubmatch(page, -1) {
			switch to := m[1]; {
			case strings.HasPrefix(to, "https://ci.example/"):
			case strings.HasPrefix(to, "#"):
				if !strings.Contains(page, ` id="`+to[1:]+`"`) {
					t.Errorf("%s: %s leads nowhere", name, to)
				}
			case files[to] == "":
				t.Errorf("%s: no file %s", name, to)
			}
		}
		if strings.Contains(page, " src=") || strings.Contains(page, "@import") || strings.Contains(page, "url(") {
			t.Errorf("%s asks for something", name)
		}
	}
	for _, want := range []string{"Main is 7.0\u202f% slower since 2026-10-04: 29.45 to 31.50\u202fms a step.", "Runs of this job differ by 0.5\u202f% (standard deviation). The newest level has 25 runs on 6 hosts.", "No run for nine days.", "ana: new &lt;tokenizer&gt;", "All runs (60)"} {
		if !strings.Contains(files["resnet-a100.html"], want) {
			t.Errorf("the page of a job lacks %q", want)
		}
	}
}

// TestJobsInBrowser: at both widths nothing is wider than the window; dots lead to their reports, marks say what they
// are, and the page asks for nothing.
func TestJobsInBrowser(t *testing.T) {
	s := browser(t)
	ctx, cancel := context.WithTimeout(s.ctx, patience)
	defer cancel()
	h := twoJobs()
	address := saved(t, "jobs", writtenJobs(t, func(w io.Writer) error { return WriteJobs(w, h) }))
	for _, width := range []int64{1280, 390} {
		if err := chromedp.Do(ctx, chromedp.EmulateViewport(width, 900), chromedp.Navigate(address), chromedp.WaitReady(chromedp.CSS(`#job-2`))); err != nil {
			t.Fatal(err)
		}
		if _, err := evaluate[bool](ctx, `document.querySelectorAll('details').forEach(e => e.open = true); true`); err != nil {
			t.Fatal(err)
		}
		over, err := evaluate[int](ctx, `document.documentElement.scrollWidth - document.documentElement.clientWidth`)
		if err != nil || over > 0 {
			t.Errorf("at %d px the page is %d px wider than its window (%v)", width, over, err)
		}
		inside, err := evaluate[string](ctx, `[...document.querySelectorAll('.scroll')].filter(e => e.scrollWidth > e.clientWidth + 1).map(e => e.getAttribute('aria-label') || e.getAttribute('aria-labelledby')).join()`)
		if err != nil || inside != "" {
			t.Errorf("at %d px a table scrolls sideways: %s (%v)", width, inside, err)
		}
	}
	for script, want := range map[string]string{
		`document.querySelectorAll('#job-2 .p0 circle[data-run][data-value]').length`:                                 "119",
		`document.querySelectorAll('#job-2 .p0 [data-change]').length`:                                                "2",
		`document.querySelectorAll('#job-2 .p0 [data-level]').length`:                                                 "5",
		`document.querySelectorAll('#job-2 tbody tr[id] a[href^="https://ci.example/"]').length`:                      "60",
		`document.querySelector('#job-2 .p0 a circle').parentNode.getAttribute('href')`:                               "https://ci.example/0",
		`document.querySelectorAll('a[tabindex="-1"] circle').length == document.querySelectorAll('a circle').length`: "true",
		`document.getElementById('theme').click(); document.documentElement.dataset.theme`:                            "dark",
	} {
		if got, err := evaluate[any](ctx, script); err != nil || fmt.Sprint(got) != want {
			t.Errorf("%s: got %v (%v), want %s", script, got, err, want)
		}
	}
	for _, c := range s.seen.take() {
		t.Error(c)
	}
}

// TestJobsAccessible holds the pages to axe-core; see TestAccessible.
func TestJobsAccessible(t *testing.T) {
	h := twoJobs()
	h.All[0].Metrics[0].Changes = []history.Change{{At: 5, First: 5, Last: 6, Size: 0.03, Worse: true}}
	axeOnDrawnPage(t, saved(t, "jobs-axe", writtenJobs(t, func(w io.Writer) error { return WriteJobs(w, h) })))
}
