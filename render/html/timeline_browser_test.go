package html

import (
	"context"
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"

	"perfdiff/analyze/run"
	"perfdiff/diff"
)

// timelinePage is a browser with a page whose timeline is in the window.
type timelinePage struct {
	*testing.T
	ctx context.Context
}

// inTimeline has what the scripts below share: el is the timeline, frame waits until it was drawn
// again, at is what is seen of the step, and on sends an event to a place, as shares of width and
// pixels of height.
const inTimeline = `(async () => {
  const el = document.getElementById('c-timeline'), by = id => document.getElementById(id);
  const frame = () => new Promise(r => requestAnimationFrame(() => requestAnimationFrame(r)));
  const at = () => el.dataset.from + ' ' + el.dataset.to;
  const on = (type, x, y, o) => { const b = el.getBoundingClientRect();
    el.dispatchEvent(new (type === 'wheel' ? WheelEvent : type === 'dblclick' ? MouseEvent : PointerEvent)(type, Object.assign({clientX: b.left + x * b.width, clientY: b.top + y, bubbles: true, cancelable: true, pointerId: 1, pointerType: 'mouse'}, o))) };
  const key = (k, code) => document.activeElement.dispatchEvent(new KeyboardEvent('keydown', {key: k, code: code || '', bubbles: true, cancelable: true}));
  const out = await (async () => { SCRIPT })();
  await frame();
  return String(out === undefined ? at() : out);
})()`

func (p *timelinePage) do(script string) string {
	p.Helper()
	got, err := evaluate[string](p.ctx, strings.Replace(inTimeline, "SCRIPT", script, 1))
	if err != nil {
		p.Fatalf("%s: %v", script, err)
	}
	return got
}

// seen is the stretch of the step that a script leaves in the window.
func (p *timelinePage) seen(script string) (from, to float64) {
	p.Helper()
	text := p.do(script + "; await frame(); return at()")
	if _, err := fmt.Sscan(text, &from, &to); err != nil {
		p.Fatalf("%s: got %q: %v", script, text, err)
	}
	return from, to
}

func (p *timelinePage) is(what, script, want string) {
	p.Helper()
	if got := p.do(script); got != want {
		p.Errorf("%s: got %q, want %q", what, got, want)
	}
}

// timelineIn opens the timeline of a report.
func timelineIn(t *testing.T, s *session, r *diff.Report, more string, width int64) *timelinePage {
	t.Helper()
	ctx, cancel := context.WithTimeout(s.ctx, patience)
	t.Cleanup(cancel)
	p := &timelinePage{t, ctx}
	if err := chromedp.Do(ctx, chromedp.Navigate("about:blank")); err != nil {
		t.Fatal(err)
	}
	if err := open(ctx, saved(t, "timeline", written(t, r))+more, width); err != nil {
		t.Fatal(err)
	}
	p.ready()
	return p
}

func (p *timelinePage) ready() {
	p.Helper()
	if _, err := evaluate[bool](p.ctx, `(async () => { `+until+`; const el = document.getElementById('c-timeline'); el.scrollIntoView({behavior: 'instant'}); await until(() => el.dataset.drawn); el.scrollIntoView({behavior: 'instant'}); return true })()`); err != nil {
		p.Fatal(err)
	}
}

// knownSteps is a report of one rank whose steps are 100 ms long: a range with two in it, a kernel of 10 ms
// on stream 7 that was launched 5 ms before, a collective on stream 20 that waits for 6 of its 10
// ms, and a gap. The candidate's kernel is named otherwise.
func knownSteps(names ...string) *diff.Report {
	r := jobReport(2, 19)
	for side := range r.Timeline {
		kernel := "gemm_" + []string{"old", "new"}[side]
		if len(names) > side {
			kernel = names[side]
		}
		for at, step := range []int64{20, 25} {
			r.Timeline[side] = append(r.Timeline[side], diff.Excerpt{Run: "a", Used: true, Excerpt: run.Excerpt{Step: step, Long: at == 1, Ranks: []run.Strip{{
				Rank: 1, Length: 100e6, Names: []string{kernel, "AllReduce", "forward", "layer 1", "layer 2", "input"},
				Tracks: []run.Track{{Host: true, Steps: true, ID: 1, Name: "python"}, {ID: 7}, {ID: 20}},
				Spans: []run.StripSpan{
					{Start: 10e6, End: 20e6, Ahead: 5e6, Track: 2}, {Start: 60e6, End: 61e6, Ahead: 50e6, Track: 2},
					{Start: 30e6, End: 40e6, Name: 1, Lane: run.LaneComm, Track: 3, Split: true, Wait: 6e6, Ahead: 8e6},
					{Start: 40e6, End: 60e6, Name: 5, Lane: run.LaneGap},
					{Start: 0, End: 50e6, Name: 2, Lane: run.LaneRange, Track: 1}, {Start: 1e6, End: 20e6, Name: 3, Lane: run.LaneRange, Track: 1}, {Start: 21e6, End: 40e6, Name: 4, Lane: run.LaneRange, Track: 1},
				}}}}})
		}
	}
	r.Views = []diff.View{{Kind: diff.ViewTypical, Rank: -1}, {Kind: diff.ViewSpike, Side: "candidate", Step: [2]int{0, 1}, Rank: -1}, {Kind: diff.ViewCulprit, Side: "candidate", Rank: 1}}
	return r
}

func near(got, want float64) bool { return math.Abs(got-want) < 1e-3 }

// TestTimelineMoves: wheel, drag, fingers, keys, buttons and a double click do what they should
// with what is seen of the step, and nothing leaves the step.
func TestTimelineMoves(t *testing.T) {
	s := browser(t)
	p := timelineIn(t, s, knownSteps(), "", 1440)
	whole := func(what, script string) {
		t.Helper()
		if from, to := p.seen(script); from != 0 || !near(to, 100) {
			t.Errorf("%s: got %g to %g, want the whole step", what, from, to)
		}
	}
	closer := func(what, script string) {
		t.Helper()
		if from, to := p.seen(script); to-from > 90 || from < 0 || to > 100.001 {
			t.Errorf("%s: got %g to %g, want less than the step", what, from, to)
		}
		whole("button after "+what, `by('tlall').click()`)
	}
	whole("at first", "")
	whole("wheel of one who only scrolls", `on('wheel', .5, 60, {deltaY: -100})`)
	closer("ctrl and wheel", `on('wheel', .5, 60, {deltaY: -100, ctrlKey: true})`)
	whole("wheel with focus", `el.focus(); on('wheel', .5, 60, {deltaY: -100})`)
	closer("w", `el.focus(); key('w', 'KeyW')`)
	closer("w of a French keyboard by its place", `el.focus(); key('z', 'KeyW')`)
	closer("plus", `el.focus(); key('+')`)
	closer("button", `by('tlin').click()`)
	closer("two fingers", `on('pointerdown', .4, 60, {pointerType: 'touch'}); on('pointerdown', .6, 60, {pointerId: 2, pointerType: 'touch'});
    on('pointermove', .2, 60, {pointerType: 'touch'}); on('pointermove', .8, 60, {pointerId: 2, pointerType: 'touch'});
    on('pointerup', .2, 60, {pointerType: 'touch'}); on('pointerup', .8, 60, {pointerId: 2, pointerType: 'touch'})`)
	whole("out again", `el.focus(); key('w', 'KeyW'); key('s', 'KeyS'); key('s', 'KeyS')`)
	whole("double click", `key('w', 'KeyW'); on('dblclick', .5, 60)`)
	whole("escape", `el.focus(); key('w', 'KeyW'); key('Escape')`)
	// The time under the pointer stays there.
	from, to := p.seen(`by('tlall').click(); el.focus(); key('w'); key('w'); key('w')`)
	if !near(from+to, 100) {
		t.Errorf("zoom by key: got %g to %g, want the middle in the middle", from, to)
	}
	for _, move := range []struct {
		name, script string
		right        bool
	}{
		{"drag to the left", `on('pointerdown', .6, 60); on('pointermove', .55, 60); on('pointermove', .5, 60); on('pointerup', .5, 60)`, true},
		{"drag to the right", `on('pointerdown', .5, 60); on('pointermove', .55, 60); on('pointermove', .6, 60); on('pointerup', .6, 60)`, false},
		{"d", `key('d', 'KeyD')`, true}, {"a", `key('a', 'KeyA')`, false},
		{"arrow right", `key('ArrowRight')`, true}, {"arrow left", `key('ArrowLeft')`, false},
	} {
		before, end := p.seen("")
		f, e := p.seen(move.script)
		if f > before != move.right || f == before || !near(e-f, end-before) {
			t.Errorf("%s: got %g to %g from %g to %g", move.name, f, e, before, end)
		}
	}
	for range 3 { // to both ends
		from, _ = p.seen(`for (let i = 0; i < 20; i++) key('a', 'KeyA')`)
		_, to = p.seen(`for (let i = 0; i < 20; i++) key('d', 'KeyD')`)
	}
	if from != 0 || !near(to, 100) {
		t.Errorf("got from %g and to %g at the ends", from, to)
	}
	if from, to = p.seen(`for (let i = 0; i < 200; i++) key('w')`); to-from <= 0 {
		t.Errorf("zoomed to nothing: %g to %g", from, to)
	}
	for _, c := range s.seen.take() {
		t.Error(c)
	}
}

// TestTimelineTells: what a bar is, by pointer, tap and key, its name in full; and search.
func TestTimelineTells(t *testing.T) {
	long := "void cutlass::device_kernel<" + strings.Repeat("Very<Long>, ", 15) + ">(Params) <img src=x onerror=alert(1)>"
	s := browser(t)
	p := timelineIn(t, s, knownSteps(long, "__proto__"), "", 1440)
	// Lanes from above: heading 24, rank 46, host 63 (2 deep: 26), stream 7 at 92, stream 20 at 109.
	const left, right = 112.0, 8.0
	width := 0.0
	if _, err := fmt.Sscan(p.do(`return el.clientWidth`), &width); err != nil {
		t.Fatal(err)
	}
	x := func(ms float64) float64 { return (left + ms/100*(width-left-right)) / width }
	hover := func(ms, y float64) string {
		return p.do(fmt.Sprintf(`on('pointermove', %g, %g); const tip = by('tip'); return tip.style.display === 'none' ? '' : tip.textContent + (tip.querySelector('img') ? ' MARKUP' : '')`, x(ms), y))
	}
	for _, tt := range []struct {
		what  string
		ms, y float64
		want  []string
	}{
		{"kernel", 15, 98, []string{"Baseline, rank 1, stream 7", long, "Starts at10.0", "Takes10.0", "Launched ahead by5.00"}},
		{"collective", 35, 115, []string{"stream 20", "AllReduce", "Waits for late ranks6.00", "Transfers4.00"}},
		{"range", 45, 68, []string{"main thread", "forward", "Takes50.0"}},
		{"range in it", 30, 81, []string{"layer 2", "Takes19.0"}},
		{"gap", 50, 130, []string{"gaps", "input", "Takes20.0"}},
	} {
		got := hover(tt.ms, tt.y)
		for _, want := range tt.want {
			if !strings.Contains(got, want) {
				t.Errorf("%s: got %q, want %q in it", tt.what, got, want)
			}
		}
		if strings.Contains(got, "MARKUP") {
			t.Errorf("%s: a name is markup", tt.what)
		}
	}
	if got := hover(80, 98); got != "" {
		t.Errorf("nothing there: got %q", got)
	}
	const tell = `return by('tlbar').textContent`
	for what, script := range map[string]string{
		"tap":   fmt.Sprintf(`on('pointerdown', %g, 98, {pointerType: 'touch'}); on('pointerup', %g, 98, {pointerType: 'touch'}); `, x(15), x(15)),
		"enter": `by('tlall').click(); el.focus(); key('Enter'); key('p'); `,
		"lanes": fmt.Sprintf(`on('pointerdown', %g, 115); on('pointerup', %g, 115); el.focus(); key('ArrowUp'); `, x(35), x(35)),
	} {
		if got := p.do(script + tell); !strings.Contains(got, long+": starts at 10.0") {
			t.Errorf("%s: got %q", what, got)
		}
	}
	p.is("escape", `key('Escape'); `+tell, "")
	search := func(name string) string {
		return fmt.Sprintf(`by('tlfind').value = %q; by('tlfind').dispatchEvent(new Event('input')); `, name)
	}
	const count = `return by('tlcount').textContent`
	p.is("search", search("LAYER")+count, "4 bars")
	p.is("next", `by('tlnext').click(); `+count, "1 of 4")
	p.is("previous", `by('tlprev').click(); `+count, "4 of 4")
	p.is("enter in the field", `by('tlfind').focus(); key('Enter'); `+count, "1 of 4")
	if got := p.do(tell); !strings.Contains(got, "Baseline, rank 1, main thread: layer 1") {
		t.Errorf("a hit: got %q", got)
	}
	if from, to := p.seen(""); from > 1 || to < 20 {
		t.Errorf("a hit is not shown: %g to %g", from, to)
	}
	p.is("short bars", search("cutlass")+`by('tlnext').click(); by('tlnext').click(); `+count, "2 of 2")
	if from, to := p.seen(""); to-from > 30 || from > 60 || to < 61 {
		t.Errorf("a short hit is not shown closely: %g to %g", from, to)
	}
	p.do(`by('tlall').click(); ` + search("LAYER") + `by('tlnext').click()`)
	p.is("n goes to the next hit", `el.focus(); key('n'); `+count, "2 of 4")
	p.is("hostile", search("__proto__")+count, "2 bars")
	p.is("nothing", search("no such kernel")+count, "no bar has this name")
	p.is("none", search("")+count, "")
	for _, c := range s.seen.take() {
		t.Error(c)
	}
}

// TestTimelineState: view, zoom and search are in the address and survive a reload; a selection
// leaves the zoom alone, and a selected step is shown where there is a timeline of it.
func TestTimelineState(t *testing.T) {
	s := browser(t)
	p := timelineIn(t, s, knownSteps(), "#timeline?time=20-45.5&name=forward&view=1", 1440)
	const address = `; await new Promise(r => setTimeout(r, 300)); return location.hash.split('?')[1] || ''`
	check := func(what string) {
		t.Helper()
		if from, to := p.seen(""); !near(from, 20) || !near(to, 45.5) {
			t.Errorf("%s: got %g to %g", what, from, to)
		}
		p.is(what, `return by('tlview').value + ' ' + by('tlfind').value + ' ' + by('tlcount').textContent`, "1 forward 2 bars")
	}
	check("address")
	p.is("selection", `by('rank').value = '1'; by('rank').dispatchEvent(new Event('change'))`+address, "rank=1&name=forward&view=1&time=20-45.5")
	check("selection")
	p.is("theme", `by('theme').click(); return 1`, "1")
	check("theme")
	if err := chromedp.Do(p.ctx, chromedp.Reload(), chromedp.WaitReady(chromedp.CSS(`html[data-ready]`))); err != nil {
		t.Fatal(err)
	}
	p.ready()
	check("reload")
	p.is("whole", `by('tlfind').value = ''; by('tlfind').dispatchEvent(new Event('input')); by('tlall').click()`+address, "rank=1&view=1")
	p.is("view", `by('tlview').value = '0'; by('tlview').dispatchEvent(new Event('change'))`+address, "rank=1")
	step := func(number string) string {
		return `by('step').value = [...by('step').options].find(o => o.textContent.includes('` + number + `')).value; by('step').dispatchEvent(new Event('change')); await new Promise(r => setTimeout(r, 300)); `
	}
	p.is("selected step", step("25")+`return by('tlview').value`, "1")
	p.is("step without a timeline", step("12")+`return by('tlview').value + by('tlbar').textContent.slice(0, 8)`, "1Step 12 ")
	for _, hostile := range []string{"view=99&time=5-1", "view=-1&time=1e999-2", "view=__proto__&time=NaN-NaN&name=%00%3Cimg%3E", "time=0-0.0000000001"} {
		p := timelineIn(t, s, knownSteps(), "#timeline?"+hostile, 1440)
		if from, to := p.seen(""); !(from >= 0 && to <= 100.001 && to > from) {
			t.Errorf("%s: got %g to %g", hostile, from, to)
		}
	}
	for _, c := range s.seen.take() {
		t.Error(c)
	}
}

// TestTimelineDraws: the colours of wait and transfer, of gaps by cause and of kernels are on the
// canvas where their bars are, in light and dark; paper has no timeline, and leaves it as it was.
func TestTimelineDraws(t *testing.T) {
	s := browser(t)
	p := timelineIn(t, s, knownSteps(), "", 1440)
	const pixel = `const c = el.querySelector('canvas'), k = c.width / el.clientWidth, copy = Object.assign(document.createElement('canvas'), {width: c.width, height: c.height}), context = copy.getContext('2d', {willReadFrequently: true});
    context.drawImage(c, 0, 0);
    const all = context.getImageData(0, 0, c.width, c.height), style = getComputedStyle(document.documentElement);
    const hex = n => { const m = /#(..)(..)(..)/.exec(style.getPropertyValue(n)); return m.slice(1).map(v => parseInt(v, 16)).join() };
    const is = (ms, y, name) => { const x = 112 + ms / 100 * (el.clientWidth - 120);
      const at = 4 * (Math.round(y * k) * c.width + Math.round(x * k)), got = [...all.data.slice(at, at + 3)].join();
      return got === hex(name) ? '' : ms + ' ms at ' + y + ': ' + got + ', not ' + name + '; ' };
    return is(11, 94, '--k-compute') + is(35.8, 109, '--k-wait') + is(39.5, 111, '--k-transfer') + is(50, 130, '--k-input')`
	p.is("light", pixel, "")
	p.is("dark", `by('theme').click(); await new Promise(r => setTimeout(r, 500)); `+pixel, "")
	p.is("print", `const size = () => el.clientWidth + ' ' + el.querySelector('canvas').width, before = size();
    dispatchEvent(new Event('beforeprint')); const paper = size(); dispatchEvent(new Event('afterprint'));
    return paper === '0 ' + before.split(' ')[1] && size() === before`, "true")
	p.is("after printing", pixel, "")
	p.is("controls", `return by('tlctl').hidden`, "false")
	for _, c := range s.seen.take() {
		t.Error(c)
	}
}
