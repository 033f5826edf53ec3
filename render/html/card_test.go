package html

import (
	"context"
	"encoding/xml"
	"github.com/chromedp/chromedp"
	"io"
	"math"
	"regexp"
	"strings"
	"testing"

	"perfdiff/analyze/run"
	"perfdiff/diff"
	"perfdiff/diff/cause"
	"perfdiff/diff/policy"
	"perfdiff/diff/verdict"
	"perfdiff/golden"
)

// withFindings is a job with a timeline and a finding of each of the kinds that have cards of
// their own; names are hostile.
func withFindings() *diff.Report {
	r := fullReport(8, 24)
	r.Views = []diff.View{{Kind: diff.ViewTypical, Step: [2]int{0, 0}, Rank: -1},
		{Kind: diff.ViewCulprit, Side: "candidate", Step: [2]int{0, 1}, Rank: 3, Beside: []int{5, 7}}}
	about := func(k policy.Kind, metric, part string) *cause.Finding {
		f := cause.NewFinding(k)
		f.Metric, f.Part, f.Base, f.Cand, f.Delta, f.Lo, f.Hi, f.Unit, f.Class, f.Section = metric, part, 0.01, 0.03, 0.02, 0.01, 0.03, "s", verdict.ClassWorse, "ranks"
		return &f
	}
	late := about(policy.KindStraggler, run.ExposedWaitTime, "")
	late.Ranks, late.Late = []int{3}, &cause.LateChange{Cand: &cause.Late{Kind: cause.LateRank, Ranks: []int{3}, Share: 1}, OnOtherSide: math.NaN()}
	spike := about(policy.KindSpike, run.StepTime, "")
	last := r.Steps[len(r.Steps)-1].Number
	spike.Steps = []int64{last}
	spike.EachSpike = 0.02
	spike.Spikes = &cause.SpikeDetails{Side: "candidate", Worst: cause.Stability{Run: "a", Spikes: []int64{last}, Excess: 0.02}, Other: &cause.Stability{}}
	kernel := about(policy.KindKernelAlone, run.KernelTime, hostile)
	r.Kernels[0].Name = r.Timeline[1][0].Ranks[0].Names[len(run.IdleCauses)]
	kernel.Kernel = &r.Kernels[0]
	for _, row := range r.Ranks {
		for _, key := range []string{run.StepTime, run.ExposedWaitTime, run.InputWaitTime} {
			row.Base.Values[key], row.Cand.Values[key] = nil, nil
		}
	}
	r.Findings = nil
	for _, f := range []*cause.Finding{late, spike, kernel, about(policy.KindInputWait, run.InputWaitTime, ""), about(policy.KindGapBefore, run.GapBefore, hostile), about(policy.KindGapBefore, run.GapBefore, "other"), about(policy.KindGapBefore, run.GapBefore, "\u00e9\u00e9")} {
		r.Findings = append(r.Findings, *f)
	}
	for k := range r.Ranks {
		for _, side := range []*diff.RankSide{&r.Ranks[k].Base, &r.Ranks[k].Cand} {
			for i := range side.Steps {
				side.Values[run.StepTime] = append(side.Values[run.StepTime], 0.08)
				side.Values[run.ExposedWaitTime] = append(side.Values[run.ExposedWaitTime], 0.001*float64(k)+0.01*noise(k, i))
				side.Values[run.InputWaitTime] = append(side.Values[run.InputWaitTime], 0.02*noise(k, i, 2))
				side.OwnTime = append(side.OwnTime, side.Values[run.StepTime][i]-side.Values[run.ExposedWaitTime][i])
			}
		}
	}
	for side := range r.RankWaits {
		for rank := range 8 {
			r.RankWaits[side] = append(r.RankWaits[side], cause.RankWait{Rank: rank, WaitsFor: map[int]float64{3: 0.001 * float64(rank)}, LongerBy: map[string]float64{}})
		}
	}
	return r
}

var cardOf = regexp.MustCompile(`(?s)<li id="([^"]*)"><details class="card">(.*?)</details></li>`)

// TestCards: each finding has an address of its own, as many pictures as the page has data for,
// and a sentence above each of them.
func TestCards(t *testing.T) {
	for name, of := range map[string]func() *diff.Report{"all": withFindings, "job": pages["job"], "hollow": hollow, "one rank": pages["one-rank"], "stepless": stepless} {
		r := of()
		page := written(t, r)
		d, err := golden.Decode([]byte(page))
		if err != nil {
			t.Fatal(err)
		}
		seen := map[string]bool{}
		for _, m := range cardOf.FindAllStringSubmatch(page, -1) {
			id := m[1]
			if seen[id] || !regexp.MustCompile(`^f-[a-z0-9]+(-[a-z0-9]+)*$`).MatchString(id) {
				t.Errorf("%s: %q is there twice, or no address", name, id)
			}
			seen[id] = true
			if got, want := strings.Count(m[2], "<figure>"), len(d.Cards[id]); got != want {
				t.Errorf("%s: %s: got %d pictures, and data for %d", name, id, got, want)
			}
			for _, f := range d.Cards[id] {
				if f.Kind == "dots" && (len(f.Base) != len(f.Cand) || len(f.At) > 0 && len(f.At) != len(f.Base)) {
					t.Errorf("%s: %s: got %d, %d and %d points", name, id, len(f.Base), len(f.Cand), len(f.At))
				}
			}
			if strings.Contains(m[2], "<span></span></figcaption>") {
				t.Errorf("%s: %s: a picture without a sentence", name, id)
			}
		}
		if len(seen) != len(r.Findings) {
			t.Errorf("%s: got %d cards of %d findings", name, len(seen), len(r.Findings))
		}
	}
}

// TestCardOfKind: cards of some kinds show what is made for them.
func TestCardOfKind(t *testing.T) {
	page := written(t, withFindings())
	for id, want := range map[string][]string{
		"f-straggler-3": {"Own time of each rank", "Who waits for rank 3", "The step of three ranks", "in which it is furthest behind", "below it rank 5, which takes as long as most, and rank 7, which waits longest for it"},
		"f-spike":       {"The spikes among the steps", "A spike beside its neighbours", "The spike and a typical step"},
		"f-kernel-alone-script-img-src-x-onerror-alert-1": {"The kernel", "Its place in the step"},
		"f-input-wait": {"A typical step", "Step by step", "Rank by rank", "How sure"},
	} {
		_, card, found := strings.Cut(page, `<li id="`+id+`">`)
		card, _, _ = strings.Cut(card, "</details></li>")
		for _, text := range want {
			in := card
			if text == "rank 3, late" {
				in = dataBlock(t, page)
			}
			if !found || !strings.Contains(in, text) {
				t.Errorf("%s: no %q", id, text)
			}
		}
	}
}

// TestExtremes: of many steps the least and the largest of either side are drawn, and those that
// are named.
func TestExtremes(t *testing.T) {
	var v [2][]float64
	for i := range 10_000 {
		v[0], v[1] = append(v[0], noise(i)), append(v[1], noise(i, 1))
	}
	v[0][1234], v[1][777], v[1][9999], v[0][5] = 9, -9, 9, nan
	at := extremePlaces(v, []int{4321})
	if len(at) > 2*mostCardPoints {
		t.Errorf("got %d points", len(at))
	}
	for _, want := range []int{1234, 777, 9999, 4321} {
		found := false
		for _, i := range at {
			found = found || i == want
		}
		if !found {
			t.Errorf("%d is left out", want)
		}
	}
	if few := extremePlaces([2][]float64{{1, 2, nan}, {nan, nan, nan}}, nil); len(few) != 3 {
		t.Errorf("got %d of three points", len(few))
	}
}

// catching keeps what a page copies and saves.
const catching = `window.caught = []; Object.defineProperty(navigator, 'clipboard', { value: { writeText: s => { caught.push(s); return Promise.resolve() } } });
HTMLAnchorElement.prototype.click = function () { caught.push(this.download + '\n' + this.href) }; true`

// TestBrowserCards: a finding opens by its address and by a click, shows its pictures, and gives
// itself away as a link, Markdown, SVG, PNG and CSV.
func TestBrowserCards(t *testing.T) {
	s := browser(t)
	ctx, cancel := context.WithTimeout(s.ctx, patience)
	defer cancel()
	address := saved(t, "cards", written(t, withFindings()))
	if err := open(ctx, address+"#f-straggler-3?rank=3", 1440); err != nil {
		t.Fatal(err)
	}
	ask := func(script string) string {
		t.Helper()
		got, err := evaluate[string](ctx, script)
		if err != nil {
			t.Fatalf("%s: %v", script, err)
		}
		return got
	}
	const cards = `(async () => { ` + until + `
		await until(() => document.querySelector('#f-straggler-3 .acts'));
		return [...document.querySelectorAll('details.card[open]')].map(e => e.parentNode.id + ' ' + e.querySelectorAll('.pic svg').length + ' of ' + e.querySelectorAll('figure').length).join() })()`
	if got := ask(cards); got != "f-straggler-3 5 of 5" {
		t.Errorf("opened by its address: got %q", got)
	}
	if got := ask(`location.hash + ' ' + document.getElementById('rank').value`); got != "#f-straggler-3?rank=3 3" {
		t.Errorf("got the address %q", got)
	}
	ask(catching + `; ''`)
	press := func(card, name string) string {
		return ask(`(async () => { ` + until + ` const before = caught.length, bar = document.querySelector('#` + card + ` .acts');
			[...bar.querySelectorAll('button')].find(b => b.textContent === '` + name + `').click();
			await until(() => caught.length > before && bar.querySelector('span').textContent); return caught[caught.length - 1] })()`)
	}
	if got, want := press("f-straggler-3", "Copy link"), address+"#f-straggler-3?rank=3"; got != want {
		t.Errorf("link: got %q, want %q", got, want)
	}
	svg := press("f-straggler-3", "SVG")
	if name, data, _ := strings.Cut(svg, "\n"); name != "f-straggler-3.svg" || !standsAlone(ask(`atob('`+strings.TrimPrefix(data, "data:image/svg+xml;base64,")+`')`)) {
		t.Errorf("SVG: got %.200q", svg)
	}
	if png := press("f-straggler-3", "PNG"); !strings.HasPrefix(png, "f-straggler-3.png\ndata:image/png;base64,") || len(png) < 10_000 {
		t.Errorf("PNG: got %d bytes, %.60q", len(png), png)
	}
	csv := press("f-straggler-3", "CSV")
	_, data, _ := strings.Cut(csv, "base64,")
	if text := ask(`atob('` + data + `')`); !strings.Contains(text, "\r\nrank,baseline ms,candidate ms,named\r\n") || !strings.Contains(text, "row,lane,name,start ms") || strings.Count(text, ",1\r\n") < 1 {
		t.Errorf("CSV: got %.300q", text)
	}
	text := press("f-straggler-3", "Copy as Markdown")
	for _, want := range []string{"**+20\u202fms (worse)** Rank 3", "](data:image/svg+xml;base64,", "- Own time of each rank. ", "[Evidence](<cards.html#f-straggler-3?rank=3>)"} {
		if !strings.Contains(text, want) {
			t.Errorf("Markdown: no %q in %.700q", want, text)
		}
	}
	const hostileCard = `f-kernel-alone-script-img-src-x-onerror-alert-1`
	ask(`document.querySelector('#` + hostileCard + ` summary').click(); (async () => { ` + until + ` await until(() => document.querySelector('#` + hostileCard + ` .acts')); return '' })()`)
	if got := ask(`location.hash`); got != "#"+hostileCard+"?rank=3&open=verdict" {
		t.Errorf("after a click: got the address %q", got)
	}
	for _, name := range []string{"Copy as Markdown", "CSV", "SVG"} {
		if got := press(hostileCard, name); strings.Contains(got, "<img") || strings.Contains(got, "</script>") {
			t.Errorf("%s: markup of a name: %.300q", name, got)
		}
	}
	if got := ask(`document.querySelectorAll('.ev img, .ev script, .pic [onerror]').length + ' ' + typeof window.strange`); got != "0 undefined" {
		t.Errorf("a name became markup: %s", got)
	}
	if got := ask(`document.querySelector('#f-straggler-3 .pic svg').getAttribute('aria-label')`); !strings.HasPrefix(got, "The step without waiting for others") && !strings.HasPrefix(got, "Exposed wait time") {
		t.Errorf("a screen reader is told %q", got)
	}
	if err := chromedp.Do(ctx, chromedp.EmulateViewport(390, 844), chromedp.Reload()); err != nil {
		t.Fatal(err)
	}
	if got := ask(`(async () => { ` + until + ` await until(() => document.querySelector('#` + hostileCard + ` .acts')); return String(document.documentElement.scrollWidth - document.documentElement.clientWidth) + ' ' + document.querySelectorAll('details.card[open]').length })()`); got != "0 2" {
		t.Errorf("on a phone, after a reload: got %q, want no px too wide and both cards open", got)
	}
	ask(`document.querySelector('details.rest').open = true; (async () => { ` + until + ` await until(() => document.querySelector('details.rest').open); document.querySelector('details.rest details.card').open = true; await until(() => document.querySelector('details.rest .acts')); return '' })()`)
	if got := ask(`[location.hash === '#' + document.querySelector('details.rest details.card').parentNode.id + '?rank=3&open=' + 'verdict,verdict.3', location.hash].join(' ')`); !strings.HasPrefix(got, "true") {
		t.Errorf("a card in a fold: %s, want neither the card nor the fold in it", got)
	}
	for _, c := range s.seen.take() {
		t.Error(c)
	}
}

// standsAlone reports whether a picture is well-formed and needs nothing of a page.
func standsAlone(svg string) bool {
	d := xml.NewDecoder(strings.NewReader(svg))
	for {
		if _, err := d.Token(); err == io.EOF {
			return strings.HasPrefix(svg, "<svg xmlns=") && !strings.Contains(svg, "var(") && strings.Contains(svg, "Own time of each rank")
		} else if err != nil {
			return false
		}
	}
}

// TestBrowserAppendix: a link to a line opens it, and rows there can be selected.
func TestBrowserAppendix(t *testing.T) {
	s := browser(t)
	ctx, cancel := context.WithTimeout(s.ctx, patience)
	defer cancel()
	if err := open(ctx, saved(t, "appendix", written(t, jobReport(16, 19)))+"#glossary", 1440); err != nil {
		t.Fatal(err)
	}
	got, err := evaluate[string](ctx, `(async () => { `+until+` const open = id => document.querySelector('#' + id + ' > details').open;
		await until(() => open('glossary'));
		const before = open('glossary') + ' ' + open('ranks');
		location.hash = 'ranks'; await until(() => open('ranks'));
		const rows = document.querySelectorAll('#ranks tr[data-rank]'), buttons = document.querySelectorAll('#ranks button.rowb');
		await until(() => document.querySelectorAll('#ranks button.rowb').length);
		document.querySelector('#ranks tr[data-rank="3"] button').click();
		return before + ' ' + open('ranks') + ' ' + document.querySelectorAll('#ranks .rowb .rowb').length + ' ' + document.getElementById('rank').value })()`)
	if want := "true false true 0 3"; err != nil || got != want {
		t.Errorf("got %q, %v, want %q", got, err, want)
	}
	for _, c := range s.seen.take() {
		t.Error(c)
	}
}
