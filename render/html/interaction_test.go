package html

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"github.com/chromedp/cdproto/input"
	"github.com/chromedp/chromedp"

	"perfdiff/diff"
)

// reader is a page in a browser, and somebody who uses it.
type reader struct {
	t   *testing.T
	s   *session
	ctx context.Context
}

// reading opens a report's page at a place of it.
func reading(t *testing.T, r *diff.Report, hash string) (x *reader, address string) {
	t.Helper()
	s := browser(t)
	ctx, cancel := context.WithTimeout(s.ctx, patience)
	t.Cleanup(cancel)
	x = &reader{t, s, ctx}
	address = saved(t, "interaction", written(t, r))
	x.open(address + hash)
	return x, address
}

// open opens an address anew: a change behind # alone would not load it.
func (x *reader) open(address string) {
	x.t.Helper()
	if err := chromedp.Do(x.ctx, chromedp.Navigate("about:blank")); err != nil {
		x.t.Fatal(err)
	}
	if err := open(x.ctx, address, 1440); err != nil {
		x.t.Fatal(err)
	}
}

// says evaluates a script, which may wait.
func (x *reader) says(script string) string {
	x.t.Helper()
	got, err := evaluate[string](x.ctx, `(async () => { `+until+script+` })()`)
	if err != nil {
		x.t.Fatalf("%s: %v", script, err)
	}
	return got
}

func (x *reader) want(what, script, want string) {
	x.t.Helper()
	if got := x.says(script); got != want {
		x.t.Errorf("%s: got %q, want %q", what, got, want)
	}
}

func (x *reader) key(k string, opts ...chromedp.KeyOption) {
	x.t.Helper()
	if err := chromedp.Do(x.ctx, chromedp.KeyEvent(k, opts...)); err != nil {
		x.t.Fatal(err)
	}
}

// quiet fails the test for whatever the page complained about.
func (x *reader) quiet() {
	x.t.Helper()
	for _, c := range x.s.seen.take() {
		x.t.Error(c)
	}
}

// chart brings a chart into the middle of the window, waits for it, and gives the place of a
// point of it in the window, by shares of its width and height.
func (x *reader) chart(id string, across, down float64) (px, py float64) {
	x.t.Helper()
	text := x.says(fmt.Sprintf(`const e = document.getElementById('c-%s'), top = () => e.getBoundingClientRect().top;
for (let last = NaN; last !== top();) { // what is drawn above moves it
  last = top(); e.scrollIntoView({block: 'center', behavior: 'instant'});
  await until(() => e.dataset.drawn); %s
}
const b = e.getBoundingClientRect(); return (b.left + b.width * %g) + ' ' + (b.top + b.height * %g)`, id, settle, across, down))
	if _, err := fmt.Sscan(text, &px, &py); err != nil {
		x.t.Fatalf("chart %s: %q: %v", id, text, err)
	}
	return px, py
}

// touch is a finger that comes and goes.
func (x *reader) touch(px, py float64) {
	x.t.Helper()
	for _, p := range []input.DispatchTouchEventParams{
		{Type: input.DispatchTouchEventTypeTouchStart, TouchPoints: []*input.TouchPoint{{X: px, Y: py}}},
		{Type: input.DispatchTouchEventTypeTouchEnd, TouchPoints: []*input.TouchPoint{}},
	} {
		if _, err := chromedp.Call(x.ctx, input.DispatchTouchEvent, p); err != nil {
			x.t.Fatal(err)
		}
	}
}

func (x *reader) drag(fromX, fromY, toX, toY float64) {
	x.t.Helper()
	if err := chromedp.Do(x.ctx, chromedp.DragAndDropXY(fromX, fromY, toX, toY, 6)); err != nil {
		x.t.Fatal(err)
	}
}

const (
	hashShown = `return location.hash.split('?')[1] || ''`
	said      = `return document.getElementById('said').textContent`
)

// Every switch, sort, search, open table and the selection are in the address, and the page that
// is opened from it shows the same.
func TestBrowserReload(t *testing.T) {
	x, page := reading(t, fullReport(16, 19), "#kernels?rank=5&step=13..15&collective=AllReduce")
	switches := strings.Fields(x.says(`return [...new Set([...document.querySelectorAll('.seg input')].map(i => i.name))].join(' ')`))
	if len(switches) < 3 {
		t.Fatalf("got the switches %q, want three or more", switches)
	}
	const state = `return JSON.stringify({
  switches: [...document.querySelectorAll('.seg input:checked')].map(i => i.name + '=' + i.value),
  panels: [...document.querySelectorAll('.panel:not([hidden])')].map(p => p.dataset.panel),
  open: [...document.querySelectorAll('details')].map(d => +d.open),
  sorted: [...document.querySelectorAll('th[aria-sort]')].map(h => h.textContent + h.getAttribute('aria-sort')),
  first: [...document.querySelectorAll('table')].map(t => ([...t.tBodies[0].rows].find(r => !r.hidden) || {}).textContent),
  rows: document.querySelectorAll('tr[hidden]').length,
  marked: document.querySelectorAll('tr[aria-selected]').length,
  said: document.getElementById('said').textContent, chosen: document.getElementById('chosen').textContent })`
	untouched := x.says(state)
	for _, name := range switches { // each one alone, then all of them with the rest
		x.says(fmt.Sprintf(`[...document.querySelectorAll('.seg input[name=%s]')].pop().click(); return ''`, name))
		want := x.says(state)
		x.open(page + x.says(`return location.hash`))
		if got := x.says(state); got != want || got == untouched {
			t.Errorf("switch %s: after a reload got\n%s, want\n%s, other than\n%s", name, got, want, untouched)
		}
	}
	x.says(`for (const d of document.querySelectorAll('details')) d.open = true;
await until(() => document.querySelector('#kernels .find-in') && document.querySelector('section:not(#kernels) details[open] .find-in'));
document.querySelector('#ktab th:nth-child(6) button').click();
const find = document.querySelector('#kernels .find-in'); find.value = '1'; find.dispatchEvent(new Event('input'));
const rank = document.querySelector('section:not(#kernels) details[open] .find-in'); rank.value = '1'; rank.dispatchEvent(new Event('input'));
document.querySelector('section:not(#kernels) details[open] button.sort').click();
await until(() => location.hash.includes('open=')); return ''`)
	want := x.says(state)
	x.open(page + x.says(`return location.hash`))
	if got := x.says(state); got != want {
		t.Errorf("after a reload got\n%s, want\n%s", got, want)
	}
	for _, part := range []string{"rank=5", "step=13..15", "collective=AllReduce", "sort.kernels=-6", "find.kernels=1", "open=", "share=", "quantity=", "metric="} {
		if got := x.says(`return location.hash`); !strings.Contains(got, part) {
			t.Errorf("the address %s does not hold %s", got, part)
		}
	}
	x.open(page + "#kernels?rank=999&step=x..y&kernel=zz&collective=__proto__&sort.kernels=-99&share=none&time=9-1&utilization=9..1&view=zz&open=%3Cb%3E,nothing&metric=zz")
	if got := x.says(state); got != untouchedOf(untouched) {
		t.Errorf("unknown values changed the page: got\n%s, want\n%s", got, untouchedOf(untouched))
	}
	x.quiet()
}

// untouchedOf is the state of a page with nothing selected, of one with three steps, a rank and a
// collective.
func untouchedOf(state string) string {
	head, _, _ := strings.Cut(state, `"marked"`)
	return head + `"marked":0,"said":"","chosen":""}`
}

// Keys work after a click on a switch and a choice from a list, by their sign wherever it stands,
// and by their place; Escape works everywhere, and letters stay letters in a field.
func TestBrowserKeys(t *testing.T) {
	r := jobReport(16, 19)
	x, page := reading(t, r, "#rank-steps")
	press := func(key, code string, more string) string {
		return fmt.Sprintf(`document.activeElement.dispatchEvent(new KeyboardEvent('keydown', {key: '%s', code: '%s', bubbles: true, cancelable: true%s})); return location.hash.split('?')[1] || ''`, key, code, more)
	}
	const toRadio = `document.querySelector('input[name=metric]:not(:checked)').focus(); document.activeElement.click(); `
	x.says(toRadio + `return ''`)
	hash := x.says(hashShown)
	x.key("]")
	x.want("a key after a click on a switch", hashShown, "rank=0&"+hash)
	x.key("\x1b")
	x.want("Escape after a click on a switch", hashShown, hash)
	x.open(page + "#rank-steps")
	x.says(`document.getElementById('rank').focus(); return ''`)
	for _, k := range []struct{ what, script, want string }{
		{"a key in a list", press("]", "BracketRight", ""), "rank=0"},
		{"AltGr", press("]", "Digit9", ", ctrlKey: true, altKey: true"), "rank=1"},
		{"Option", press("[", "Digit5", ", altKey: true"), "rank=0"},
		{"the place of a German keyboard", press("+", "BracketRight", ""), "rank=1"},
		{"the place of a French keyboard", press("Dead", "BracketLeft", ""), "rank=0"},
		{"the place of a Russian keyboard", press("\u0431", "Comma", ""), "rank=0&step=29"},
		{"a step more of what is selected", press(">", "Period", ", shiftKey: true"), "rank=0&step=29"},
		{"a step back", press(",", "Comma", ""), "rank=0&step=28"},
		{"two steps", press(":", "Period", ", shiftKey: true"), "rank=0&step=28..29"},
		{"the browser's own", press("]", "BracketRight", ", metaKey: true"), "rank=0&step=28..29"},
		{"a letter at another place", press("w", "Comma", ""), "rank=0&step=28..29"},
		{"Escape in a list", press("Escape", "Escape", ""), ""},
	} {
		x.want(k.what, k.script, k.want)
	}
	x.says(`document.querySelector('.find-in').focus(); return ''`)
	x.key("]")
	x.want("a letter in a field", `return document.activeElement.value + '|' + location.hash.split('?')[1]`, "]|find.kernels=%5D")
	x.key("\x1b")
	x.want("Escape in a field", `return document.activeElement.value + '|' + location.hash.split('?')[1]`, "|undefined")
	x.quiet()
}

// The address names the section that is at the top, the first screen included.
func TestBrowserScrollsBack(t *testing.T) {
	x, _ := reading(t, jobReport(4, 19), "")
	const rest = `; await new Promise(r => setTimeout(r, 300)); return ''`
	x.says(`document.getElementById('steps').scrollIntoView({behavior: 'instant'})` + rest)
	x.says(`scrollBy({top: -400, behavior: 'instant'})` + rest)
	x.key("]")
	if got := x.says(`return location.hash`); !strings.HasPrefix(got, "#rank-steps") {
		t.Errorf("a section back: got %s", got)
	}
	x.says(`scrollTo({top: 0, behavior: 'instant'})` + rest)
	x.key("]")
	x.want("the first screen", `return location.hash`, "#verdict?rank=1")
	x.quiet()
}

// What is dragged over is selected, and marked wherever steps are; it is said aloud.
func TestBrowserBrush(t *testing.T) {
	x, _ := reading(t, jobReport(16, 19), "")
	fromX, y := x.chart("steps", 0.3, 0.5)
	toX, _ := x.chart("steps", 0.6, 0.5)
	x.drag(fromX, y, toX, y)
	hash := x.says(hashShown)
	var first, last int
	if _, err := fmt.Sscanf(hash, "step=%d..%d", &first, &last); err != nil || first < 12 || last-first < 4 || last > 26 {
		t.Fatalf("got %q, want several steps in the middle", hash)
	}
	x.want("said", said, fmt.Sprintf("Selected: steps %d to %d", first, last))
	x.want("rows", `return String(document.querySelectorAll('#steps tr[aria-selected]').length)`, fmt.Sprint(last-first+1))
	x.drag(toX, y, fromX, y)
	x.want("backwards", hashShown, hash)
	x.chart("map-b", 0.5, 0.5)
	x.want("map", `const r = [...document.querySelectorAll('#c-map-b path')].filter(p => p.getAttribute('fill') === 'none' || p.getAttribute('fill') === 'transparent').map(p => p.getBBox()).filter(b => b.height > 100);
return String(r.length > 0 && Math.round(r[0].width / document.querySelector('#c-map-b image').getBBox().width * 19))`, fmt.Sprint(last-first+1))
	x.key("\x1b")
	x.want("said", said, "Nothing selected")
	x.quiet()
}

// A drag on utilization pans and selects nothing; what it is zoomed to outlives a selection and a
// theme, is in the address, and can be undone.
func TestBrowserZoom(t *testing.T) {
	x, page := reading(t, jobReport(16, 19), "#utilization")
	px, py := x.chart("util", 0.6, 0.3)
	const zoomed = `return (/utilization=[^&]*/.exec(location.hash) || [''])[0]`
	x.says(`document.getElementById('util-in').click(); document.getElementById('util-in').click(); return ''`)
	before := x.says(zoomed)
	x.drag(px, py, px-200, py)
	x.want("nothing is selected", said, "")
	x.says(`await until(() => !location.hash.endsWith('` + before + `')); return ''`)
	after := x.says(zoomed)
	if before == "" || after == before || after == "" {
		t.Fatalf("a drag: got %q, before %q", after, before)
	}
	x.says(`document.getElementById('theme').click(); return ''`)
	x.chart("util", 0.6, 0.3)
	if err := chromedp.Do(x.ctx, chromedp.MouseClickXY(px, py)); err != nil {
		t.Fatal(err)
	}
	x.want("a click selects", `return String(/rank=\d+&step=\d+/.test(location.hash))`, "true")
	x.want("a selection", zoomed, after)
	axis := x.says(`return [...document.querySelectorAll('#c-util text')].map(t => t.textContent).filter(s => / s$/.test(s)).join()`)
	x.open(page + x.says(`return location.hash`))
	x.chart("util", 0.6, 0.3)
	x.want("a reload", zoomed, after)
	x.want("axis after a reload", `return [...document.querySelectorAll('#c-util text')].map(t => t.textContent).filter(s => / s$/.test(s)).join()`, axis)
	x.says(`document.getElementById('util-all').click(); return ''`)
	x.want("all of it", zoomed, "")
	x.quiet()
}

// A finger that taps sees the value, and selects with the second tap: by true touches, as the
// browser makes them.
func TestBrowserTouch(t *testing.T) {
	x, _ := reading(t, jobReport(16, 19), "")
	x.says(`for (const d of document.querySelectorAll('details')) d.open = true; return ''`)
	for _, id := range []string{"map-b", "steps", "util", "boxes", "breakdown-c", "collectives"} {
		px, py := x.chart(id, 0.55, 0.3)
		x.touch(px, py)
		x.want(id+", first tap", `const tip = document.getElementById('tip'); await until(() => tip.style.display === 'block');
return tip.style.display + (tip.textContent.length > 10) + /[?&](rank|step|time|collective)=/.test(location.hash)`, "blocktruefalse")
		x.touch(px, py)
		x.want(id, `const tip = document.getElementById('tip'); await until(() => tip.style.display === 'block' && /[?&](rank|step|time|collective)=/.test(location.hash)); `+settle+`
return tip.style.display + (tip.textContent.length > 10) + /[?&](rank|step|time|collective)=/.test(location.hash)`, "blocktruetrue")
		x.key("\x1b")
	}
	x.quiet()
}

// What is selected is outlined by two lines, of which one stands out 3 : 1 of every colour that a
// map can have, in both themes.
func TestBrowserOutlines(t *testing.T) {
	x, _ := reading(t, jobReport(16, 19), "#rank-steps?rank=5&step=15")
	const worst = `const lum = c => { const v = c.map(x => { x /= 255; return x <= 0.04045 ? x / 12.92 : ((x + 0.055) / 1.055) ** 2.4 }); return 0.2126 * v[0] + 0.7152 * v[1] + 0.0722 * v[2] };
const ratio = (a, b) => (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
const canvas = document.createElement('canvas').getContext('2d', {willReadFrequently: true});
const rgb = s => { canvas.fillStyle = s; canvas.fillRect(0, 0, 1, 1); return [...canvas.getImageData(0, 0, 1, 1).data].slice(0, 3) };
const lines = [...document.querySelectorAll('#c-map-b path')].filter(p => (p.getAttribute('fill') === 'none' || p.getAttribute('fill') === 'transparent') && +p.getAttribute('stroke-width') >= 2).map(p => lum(rgb(p.getAttribute('stroke'))));
if (lines.length !== 4) return 'lines: ' + lines.length;
let least = 99;
for (const c of document.querySelectorAll('.ramp canvas')) {
  const d = c.getContext('2d').getImageData(0, 0, c.width, 1).data;
  for (let i = 0; i < d.length; i += 4) least = Math.min(least, Math.max(...lines.map(l => ratio(l, lum([d[i], d[i + 1], d[i + 2]])))));
}
return least >= 3 ? 'ok' : 'contrast ' + least`
	for _, theme := range []string{"light", "dark"} {
		x.chart("map-b", 0.5, 0.5)
		x.want(theme, worst, "ok")
		x.says(`const e = document.getElementById('c-map-b'); document.getElementById('theme').click(); ` + settle + ` return ''`)
	}
	x.quiet()
}
