package html

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/chromedp"
)

// TestFirstScreenFits: on usual screens the last finding stands above the fold, and nothing is
// blank: what follows begins right behind the picture or the findings.
func TestFirstScreenFits(t *testing.T) {
	s := browser(t)
	for _, name := range []string{"job", "runs", "regressed", "unchanged"} {
		address := saved(t, "fits-"+name, written(t, pages[name]()))
		for _, size := range [][2]int64{{1440, 900}, {1366, 768}, {1440, 1400}} {
			ctx, cancel := context.WithTimeout(s.ctx, patience)
			if err := chromedp.Do(ctx, chromedp.EmulateViewport(size[0], size[1]), chromedp.Navigate(address), chromedp.WaitReady(chromedp.CSS(`html[data-ready]`))); err != nil {
				t.Fatal(err)
			}
			got, err := evaluate[[]float64](ctx, `(() => {
				const bottom = q => Math.max(...[...document.querySelectorAll(q)].map(e => e.getBoundingClientRect().bottom), 0);
				return [bottom('.find li, .brief, .sum'), bottom('.answer figure'), document.querySelector('.bar').getBoundingClientRect().top, bottom('.first > *')] })()`)
			if err != nil {
				t.Fatal(err)
			}
			last := max(got[0], got[1])
			if got[0] == 0 || last > float64(size[1]) {
				t.Errorf("%s, %d x %d: the last finding ends at %g px, the picture at %g", name, size[0], size[1], got[0], got[1])
			}
			if last = got[3]; got[2]-last > 80 {
				t.Errorf("%s, %d x %d: %g px are blank above what follows", name, size[0], size[1], got[2]-last)
			}
			cancel()
		}
	}
}

// tap is what a browser sends of a finger on an element, at its middle or at a dot of the
// first picture.
const tap = `const at = d => { const s = [...document.querySelectorAll('#c-first svg')].find(e => e.clientWidth), b = s.getBoundingClientRect(), k = b.width / s.viewBox.baseVal.width;
    const p = s.querySelectorAll('[data-side]')[d].getAttribute('d').split('M')[1].split(/[ h]/); return [b.left + p[0] * k, b.top + p[1] * k] };
  const tap = (e, [x, y]) => { const o = {bubbles: true, clientX: x, clientY: y};
    e.dispatchEvent(new PointerEvent('pointerdown', {...o, pointerType: 'touch'})); e.dispatchEvent(new MouseEvent('mousemove', o)); e.dispatchEvent(new MouseEvent('click', o)) };
  const tip = document.getElementById('tip'), told = () => (tip.style.display === 'block' ? tip.textContent : '') + '|' + (location.hash.split('?')[1] || '');`

// TestFirstPictureAnswers: a pointer on a dot is told its step and value, and a click selects the
// step; a finger is told first, and selects with the second tap.
func TestFirstPictureAnswers(t *testing.T) {
	s := browser(t)
	ctx, cancel := context.WithTimeout(s.ctx, patience)
	defer cancel()
	r := jobReport(4, 12)
	page := saved(t, "answers", written(t, r))
	first := 0
	for r.Steps[first].Omission.Omitted() {
		first++
	}
	step := strconv.FormatInt(r.Steps[first].Number, 10)
	for _, tt := range []struct{ name, script, want string }{
		{"pointer", `const e = document.getElementById('c-first'), [x, y] = at(0); e.dispatchEvent(new MouseEvent('mousemove', {bubbles: true, clientX: x, clientY: y})); told()`, "Baselinestep " + step},
		{"click", `const e = document.getElementById('c-first'), [x, y] = at(0); e.dispatchEvent(new MouseEvent('click', {bubbles: true, clientX: x, clientY: y})); told() + document.querySelectorAll('#c-first .p0 .ring').length`, "|step=" + step + "2"},
		{"first tap", `const e = document.getElementById('c-first'); tap(e, at(0)); told()`, "Baselinestep " + step},
		{"second tap", `const e = document.getElementById('c-first'); tap(e, at(0)); tap(e, at(0)); told()`, "|step=" + step},
	} {
		if err := open(ctx, page, 1440); err != nil {
			t.Fatal(err)
		}
		got, err := evaluate[string](ctx, `(() => { `+tap+strings.Replace(tt.script, "told()", "return told()", 1)+` })()`)
		if err != nil {
			t.Fatal(err)
		}
		if !strings.Contains(got, tt.want) {
			t.Errorf("%s: got %q, want %q in it", tt.name, got, tt.want)
		}
		if selected := strings.Contains(got, "|step="); selected != (tt.name == "click" || tt.name == "second tap") {
			t.Errorf("%s: got %q", tt.name, got)
		}
	}
}

// TestTouch: on a phone each kind of chart tells its values at the first tap and keeps telling
// them when the second selects.
func TestTouch(t *testing.T) {
	s := browser(t)
	ctx, cancel := context.WithTimeout(s.ctx, patience)
	defer cancel()
	if err := open(ctx, saved(t, "touch", written(t, jobReport(4, 12))), 390); err != nil {
		t.Fatal(err)
	}
	for _, id := range []string{"steps", "map-b", "util", "breakdown-b"} {
		got, err := evaluate[[]string](ctx, fmt.Sprintf(`(async () => { %s %s
			const e = document.getElementById('c-%s');
			for (let up = e; up; up = up.parentElement) if (up.tagName === 'DETAILS') up.open = true;
			e.scrollIntoView({behavior: 'instant', block: 'center'});
			await until(() => e.dataset.drawn);
			const b = e.getBoundingClientRect(), p = [b.left + b.width / 2, b.top + b.height * 0.3], out = [];
			document.getElementById('clear').click();
			for (let i = 0; i < 2; i++) { tap(e, p); out.push(told()); }
			return out })()`, until, tap, id))
		if err != nil {
			t.Fatal(err)
		}
		selects := regexp.MustCompile(`\|.*(rank|step)=`).MatchString
		if strings.HasPrefix(got[0], "|") || selects(got[0]) {
			t.Errorf("%s, first tap: got %q, want a value and no selection", id, got[0])
		}
		if strings.HasPrefix(got[1], "|") || !selects(got[1]) {
			t.Errorf("%s, second tap: got %q, want the value and a selection", id, got[1])
		}
	}
}

// pageCount are the pages of a PDF.
func pageCount(t *testing.T, pdf []byte) (n int) {
	t.Helper()
	for _, m := range regexp.MustCompile(`/Count (\d+)`).FindAllSubmatch(pdf, -1) {
		k, err := strconv.Atoi(string(m[1]))
		if err != nil {
			t.Fatal(err)
		}
		n = max(n, k)
	}
	if n == 0 || !bytes.HasPrefix(pdf, []byte("%PDF-")) {
		t.Fatal("no PDF, or one without pages")
	}
	return n
}

// TestPaper: on A4 a report is at most ten pages, and the answer, the picture and the findings
// are on the first one.
func TestPaper(t *testing.T) {
	const paper = 1017 // px, the height of A4 without its margins
	s := browser(t)
	for _, name := range []string{"job", "runs", "regressed", "large", "nodes", "unjudged"} {
		ctx, cancel := context.WithTimeout(s.ctx, patience)
		if err := open(ctx, saved(t, "paper-"+name, written(t, pages[name]())), 1440); err != nil {
			t.Fatal(err)
		}
		pdf, err := chromedp.Run(ctx, chromedp.PrintToPDF(chromedp.PDFPaper(chromedp.PaperA4), chromedp.PDFMargin(14/25.4), chromedp.PDFPrintBackground()))
		if err != nil {
			t.Fatal(err)
		}
		if n := pageCount(t, pdf); n > 10 {
			t.Errorf("%s: got %d pages, want at most 10", name, n)
		}
		end, err := evaluate[float64](ctx, `dispatchEvent(new Event('beforeprint')); document.querySelector('.first').getBoundingClientRect().bottom + scrollY`)
		if err != nil {
			t.Fatal(err)
		}
		if end > paper {
			t.Errorf("%s: the first screen ends at %g px of paper, want at most %d", name, end, paper)
		}
		if dir := os.Getenv("PERFDIFF_PAGES"); dir != "" {
			if err := os.WriteFile(filepath.Join(dir, name+".pdf"), pdf, 0o600); err != nil {
				t.Error(err)
			}
		}
		cancel()
	}
}

// TestNoScript: without JavaScript the page says so on top, shows the picture and every table,
// and no control that does nothing; printed it is as short.
func TestNoScript(t *testing.T) {
	s := browser(t)
	ctx, cancel := context.WithTimeout(s.ctx, patience)
	defer cancel()
	off := func(ctx context.Context, off bool) {
		if _, err := chromedp.Call(ctx, emulation.SetScriptExecutionDisabled, emulation.SetScriptExecutionDisabledParams{Value: off}); err != nil {
			t.Fatal(err)
		}
	}
	off(ctx, true)
	defer off(ctx, false)
	if err := chromedp.Do(ctx, chromedp.EmulateViewport(1440, 900), chromedp.Navigate(saved(t, "noscript", written(t, fullReport(4, 12))))); err != nil {
		t.Fatal(err)
	}
	got, err := evaluate[[]string](ctx, `(() => {
		const seen = q => [...document.querySelectorAll(q)].filter(e => e.getClientRects().length);
		return [seen('.noscript').map(e => e.getBoundingClientRect().top < 100).join(), '' + seen('#c-first svg').length, '' + seen('.still svg').length + ' ' + seen('#tlhelp, #c-timeline').length, seen('select, button, input[type=radio], .chart').map(e => e.id || e.outerHTML.slice(0, 60)).join(', '), '' + (seen('table').length > 10)] })()`)
	if err != nil {
		t.Fatal(err)
	}
	for i, want := range []string{"true", "1", "1 0", "", "true"} {
		if got[i] != want {
			t.Errorf("%s: got %q, want %q", []string{"said on top", "pictures", "a still step and what belongs to the moving one", "controls and empty charts", "tables"}[i], got[i], want)
		}
	}
	pdf, err := chromedp.Run(ctx, chromedp.PrintToPDF(chromedp.PDFPaper(chromedp.PaperA4), chromedp.PDFMargin(14/25.4)))
	if err != nil {
		t.Fatal(err)
	}
	if n := pageCount(t, pdf); n > 10 {
		t.Errorf("got %d pages, want at most 10", n)
	}
	if dir := os.Getenv("PERFDIFF_PAGES"); dir != "" {
		if shot, err := chromedp.Run(ctx, chromedp.CaptureScreenshot()); err == nil {
			if err := os.WriteFile(filepath.Join(dir, "noscript.png"), shot, 0o600); err != nil {
				t.Error(err)
			}
		}
	}
}
