package html

import (
	"context"
	"encoding/json"
	"math"
	"strconv"
	"strings"
	"testing"

	cdppage "github.com/chromedp/cdproto/page"
	"github.com/chromedp/chromedp"

	"perfdiff/golden"
)

// noting keeps the charts that the library makes, by the element they are in.
const noting = `window.made = {}; Object.defineProperty(window, 'echarts', { configurable: true, set(library) {
  const init = (el, ...rest) => window.made[el.id] = library.init(el, ...rest);
  Object.defineProperty(window, 'echarts', { value: Object.assign({}, library, { init }) }) } })`

// held are the values of a chart's series as ECharts holds them once it is drawn, by name and
// in order; what is not there is null.
const held = `JSON.stringify(made['c-CHART'].getOption().series
  .filter(s => s.type !== 'custom').map(s => ({ name: s.name, values: s.data.map(d => {
    const v = d && typeof d === 'object' && !Array.isArray(d) ? d.value : d;
    return v === '-' ? null : v }) })))`

// painted are the cells of a map as they are painted: for each the place of its colour in the
// legend's scale, by the nearest colour, and what the legend says at its ends.
const painted = `(async () => {
  const pixels = (source, width, height) => {
    const c = document.createElement('canvas'); c.width = width; c.height = height;
    const x = c.getContext('2d'); x.drawImage(source, 0, 0, width, height);
    return x.getImageData(0, 0, width, height).data };
  const ramp = document.querySelector('#RAMP canvas'), scale = pixels(ramp, ramp.width, 1);
  const picture = new Image(), from = document.querySelector('#c-MAP image');
  picture.src = from.getAttribute('href') || from.getAttributeNS('http://www.w3.org/1999/xlink', 'href');
  await picture.decode();
  const w = picture.naturalWidth, h = picture.naturalHeight, all = pixels(picture, w, h), levels = [];
  for (let j = 0; j < ROWS; j++) for (let i = 0; i < COLUMNS; i++) {
    const at = 4 * (Math.floor((j + 0.4) * h / ROWS) * w + Math.floor((i + 0.4) * w / COLUMNS));
    let best = -1, least = 1e9;
    for (let k = 0; k < ramp.width && all[at + 3] > 0; k++) {
      const d = [0, 1, 2].reduce((s, n) => s + Math.abs(scale[4 * k + n] - all[at + n]), 0);
      if (d < least) { least = d; best = k }
    }
    levels.push(best);
  }
  const ends = [...document.querySelectorAll('#RAMP span')].map(e => e.textContent);
  return JSON.stringify({ levels: levels, top: ramp.width - 1, ends: ends }) })()`

// TestBrowserShowsTheData: what is drawn is what the page holds: the lines of the steps, the
// bars of the collectives, and the cells of a map by their colours.
func TestBrowserShowsTheData(t *testing.T) {
	s := browser(t)
	ctx, cancel := context.WithTimeout(s.ctx, patience)
	defer cancel()
	page := written(t, jobReport(4, 12))
	d, err := golden.Decode([]byte(page))
	if err != nil {
		t.Fatal(err)
	}
	before := cdppage.AddScriptToEvaluateOnNewDocumentParams{Source: noting}
	if _, err := chromedp.Call(ctx, cdppage.AddScriptToEvaluateOnNewDocument, before); err != nil {
		t.Fatal(err)
	}
	if err := open(ctx, saved(t, "shown", page), 1440); err != nil {
		t.Fatal(err)
	}
	// Printing draws all charts at once, and so does what follows it.
	const print = `['beforeprint', 'afterprint'].forEach(e => dispatchEvent(new Event(e))); true`
	if _, err := evaluate[bool](ctx, print); err != nil {
		t.Fatal(err)
	}
	for _, id := range []string{"steps", "collectives", "quantiles", "breakdown-c"} {
		sameSeries(ctx, t, id, d.Charts[id])
	}
	m := d.Map.Metrics[0]
	base, cand := d.Floats(m.Base, d.Map.Columns*len(d.Ranks)), d.Floats(m.Cand, d.Map.Columns*len(d.Ranks))
	difference := make([]float64, len(base))
	for i := range base {
		difference[i] = cand[i] - base[i]
	}
	for id, values := range map[string][]float64{"map-b": base, "map-c": cand, "map-d": difference} {
		sameCells(ctx, t, id, d, values)
	}
	for _, c := range s.seen.take() {
		t.Error(c)
	}
}

// sameSeries: ECharts holds the values of all series of the page's data.
func sameSeries(ctx context.Context, t *testing.T, id string, c golden.Chart) {
	t.Helper()
	text, err := evaluate[string](ctx, strings.Replace(held, "CHART", id, 1))
	if err != nil {
		t.Fatal(err)
	}
	var got []struct {
		Name   string
		Values []any
	}
	if err := json.Unmarshal([]byte(text), &got); err != nil {
		t.Fatal(err)
	}
	if len(got) != len(c.Option.Series) {
		t.Fatalf("%s: %d series are drawn, want %d", id, len(got), len(c.Option.Series))
	}
	for i := range got {
		want := &c.Option.Series[i]
		if got[i].Name != want.Name {
			t.Errorf("%s: series %d is %s, want %s", id, i, got[i].Name, want.Name)
		}
		drawn := golden.Series{}
		for _, v := range got[i].Values {
			drawn.Data = append(drawn.Data, struct{ Value any }{v})
		}
		sameNumbers(t, id+": "+want.Name+" as it is drawn", drawn.Components()[0], want.Components()[0])
	}
}

// sameCells: the colour of each cell says its value, read off the legend of the map.
func sameCells(ctx context.Context, t *testing.T, id string, d *golden.Drawn, values []float64) {
	t.Helper()
	ramp := map[bool]string{true: "ramp-rd", false: "ramp-rs"}[id == "map-d"]
	rows, columns := strconv.Itoa(len(d.Ranks)), strconv.Itoa(d.Map.Columns)
	edit := strings.NewReplacer("RAMP", ramp, "MAP", id, "ROWS", rows, "COLUMNS", columns)
	text, err := evaluate[string](ctx, edit.Replace(painted))
	if err != nil {
		t.Fatal(err)
	}
	var got struct {
		Levels []int
		Top    int
		Ends   []string
	}
	if err := json.Unmarshal([]byte(text), &got); err != nil {
		t.Fatal(err)
	}
	if len(got.Levels) != len(values) || len(got.Ends) != 2 {
		t.Fatalf("%s: got %d cells and a legend of %q", id, len(got.Levels), got.Ends)
	}
	lo, hi := legendNumber(t, got.Ends[0]), legendNumber(t, got.Ends[1])
	for i, v := range values {
		if column := i % d.Map.Columns; column == 0 { // left out, and hatched
			continue
		}
		read := lo + (hi-lo)*float64(got.Levels[i])/float64(got.Top)
		if got.Levels[i] < 0 || math.Abs(read-v) > 0.02*(hi-lo) {
			t.Errorf("%s: cell %d has the colour of %.4g, want %.4g", id, i, read, v)
			return
		}
		if v == 0 && id == "map-d" && 2*got.Levels[i] != got.Top {
			t.Errorf("%s: cell %d has a colour, and the sides are equal there", id, i)
		}
	}
}

// legendNumber is the number at one end of a legend.
func legendNumber(t *testing.T, text string) float64 {
	t.Helper()
	plain := strings.NewReplacer("\u2212", "-", "+", "", "\u2009", "", "\u202f", " ").Replace(text)
	for _, word := range strings.Fields(plain) {
		if v, err := strconv.ParseFloat(word, 64); err == nil {
			return v
		}
	}
	t.Fatalf("no number in the legend %q", text)
	return 0
}

// TestBrowserRunsNothingElse: a script that gets into the page in some way does not run.
func TestBrowserRunsNothingElse(t *testing.T) {
	s := browser(t)
	ctx, cancel := context.WithTimeout(s.ctx, patience)
	defer cancel()
	const strange = `<img alt="x" src="data:," onerror="window.strange=1"><script>window.strange=2</script>`
	page := strings.Replace(written(t, jobReport(2, 3)), "</main>", strange+"</main>", 1)
	if err := open(ctx, saved(t, "strange", page), 1440); err != nil {
		t.Fatal(err)
	}
	if ran, err := evaluate[bool](ctx, `'strange' in window`); err != nil || ran {
		t.Errorf("a strange script ran: %v, %v", ran, err)
	}
	if len(s.seen.take()) == 0 {
		t.Error("the browser does not complain of a strange script")
	}
}
