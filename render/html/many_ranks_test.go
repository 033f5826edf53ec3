package html

import (
	"fmt"
	"html"
	"math"
	"strings"
	"testing"

	"perfdiff/diff"
	"perfdiff/diff/cause"
	"perfdiff/render/words"
)

// slowRank is a report of 128 ranks on 16 hosts, of which one computes a fifth longer in the
// candidate and waits that much less for others.
func slowRank(rank int) *diff.Report {
	r := jobReport(128, 19)
	for i := range r.Ranks {
		for _, side := range []*diff.RankSide{&r.Ranks[i].Base, &r.Ranks[i].Cand} {
			side.Host = fmt.Sprintf("gpu-%02d", 7+3*(i/8))
			side.Parts = []float64{0.06, 0.012, 0.002, 0.004}
		}
	}
	slow := r.Ranks[rank].Cand.Parts
	slow[0], slow[1] = 0.072, 0
	return r
}

// One slow rank of 128 is the first bar of both charts, the first row of the rank table and the
// end of a distribution; nodes have the names of their hosts.
func TestSlowRankIsSeen(t *testing.T) {
	r := slowRank(77)
	d := drawn(t, r)
	names := d.Charts["breakdown-c"].Option.YAxis[0].Data
	if len(names) != ranksBesideNodes+16 || names[0] != "rank 77" || names[ranksBesideNodes] != "gpu-07" || names[len(names)-1] != "gpu-52" {
		t.Errorf("got the bars %q", names)
	}
	bars := seriesOf(t, d, "breakdown-c", "Compute")[0][0]
	if sameNumbers(t, "bars", bars[:2], []float64{72, 60}); bars[ranksBesideNodes+9] != 61.5 {
		t.Errorf("the mean of the slow rank's node: got %g, want 61.5", bars[ranksBesideNodes+9])
	}
	page := written(t, r)
	ranks := page[strings.Index(page, `<section id="ranks"`):]
	first := ranks[strings.Index(ranks, "<tbody>"):]
	first = html.UnescapeString(first[:strings.Index(first, "</tr>")])
	for _, want := range []string{`data-rank="77"`, "Compute +12.0\u202fms (+20.0\u202f%), candidate", "gpu-34"} {
		if !strings.Contains(first, want) {
			t.Errorf("the first row of ranks lacks %q: %s", want, first)
		}
	}
	if n := strings.Count(ranks[:strings.Index(ranks, "</section>")], "<tr data-rank="); n != 128 {
		t.Errorf("the rank table: got %d rows, want all 128 to be searched", n)
	}
	for _, section := range []string{"breakdown", "rank-steps", "utilization", "collectives"} {
		text := page[strings.Index(page, `<section id="`+section):]
		if text = text[:strings.Index(text, "</section>")]; strings.Contains(text, "<tr data-rank=") || !strings.Contains(text, "Over all ranks") {
			t.Errorf("%s lists ranks in place of how they are spread", section)
		}
	}
	breakdown := page[strings.Index(page, `<section id="breakdown`):]
	if !strings.Contains(breakdown[:strings.Index(breakdown, "</section>")], "72.0\u2007<small>rank 77</small>") {
		t.Error("the distribution of compute does not name the slow rank")
	}
}

// Equal ranks are in no order but their own, and say nothing.
func TestNoRankApart(t *testing.T) {
	r := slowRank(77)
	copy(r.Ranks[77].Cand.Parts, r.Ranks[76].Cand.Parts)
	s := &sheet{r: r, ms: stepScale(r)}
	for i, a := range s.apartRanks() {
		if a.place != i || s.apartText(&a) != "" {
			t.Errorf("place %d: got %+v", i, a)
			break
		}
	}
	r.Ranks[3].Base.Host = "elsewhere"
	if got := nameOfHost(r.Ranks[:8]); got != "gpu-07 \u2192 several" {
		t.Errorf("hosts that differ: got %q", got)
	}
}

// The selected rank is marked among the nodes, and its own bar selects it.
func TestBrowserManyRanks(t *testing.T) {
	x, _ := reading(t, slowRank(77), "#breakdown?rank=77")
	x.chart("breakdown-c", 0.5, 0.5)
	full := `await until(() => document.querySelector('#c-breakdown-c').dataset.drawn);
return String([...document.querySelectorAll('#c-breakdown-c path')].filter(p => p.getAttribute('fill') === 'FILL' && !p.getAttribute('fill-opacity')).length)`
	full = strings.Replace(full, "FILL", x.says(`return getComputedStyle(document.documentElement).getPropertyValue('--k-compute').trim()`), 1)
	x.chart("breakdown-c", 0.5, 0.5)
	x.want("bars of compute that are not pale", full, "2")
	x.key("\x1b")
	px, py := x.chart("breakdown-c", 0.3, 0)
	x.says(fmt.Sprintf(`const e = document.elementFromPoint(%g, %g + 40); e.dispatchEvent(new MouseEvent('click', {clientX: %g, clientY: %g + 40, bubbles: true})); return ''`, px, py, px, py))
	x.want("a click on its bar", said, "Selected: rank 77")
	x.says(`for (const d of document.querySelectorAll('#ranks details')) d.open = true; await until(() => document.querySelector('#ranks .find-in'));
const f = document.querySelector('#ranks .find-in'); f.value = 'gpu-34'; f.dispatchEvent(new Event('input')); return ''`)
	x.want("ranks of a host", `return document.querySelector('#ranks [role=status]').textContent`, "8 of 128 rows")
	x.want("no field to find one of few rows", `document.querySelector('#metrics').scrollIntoView();
await until(() => document.querySelector('.ctl[hidden] .find-in'));
return String([...document.querySelectorAll('.ctl[hidden]')].filter(e => e.getClientRects().length).length)`, "0")
	x.quiet()
}

// longNames are kernels whose names differ in the middle, at the end, and in nothing but a long
// tail, as those of PyTorch do.
func longNames() (out []cause.Kernel) {
	for i, name := range []string{
		"void at::native::vectorized_elementwise_kernel<4, at::native::FillFunctor<float>, std::array<char*, 2ul>>(int)",
		"void at::native::vectorized_elementwise_kernel<4, at::native::AddFunctor<float>, std::array<char*, 2ul>>(int)",
		"void at::native::vectorized_elementwise_kernel<4, at::native::AddFunctor<half>, std::array<char*, 2ul>>(int)",
		"void at::native::vectorized_elementwise_kernel<4, at::native::AddFunctor<half>, std::array<char*, 3ul>>(int)",
		"gemm_" + strings.Repeat("x", 200) + "1" + strings.Repeat("y", 200), "gemm_" + strings.Repeat("x", 200) + "2" + strings.Repeat("y", 200),
	} {
		out = append(out, cause.Kernel{Name: name, Class: "compute", Family: []string{"elementwise", "GEMM"}[i/4], Delta: []float64{-3e-3, 2e-3, 1e-3, 0, 0, -5e-4}[i], Slower: 1e-4, Change: math.NaN(), Share: 0.1 * float64(i)})
	}
	return out
}

// No two kernels have one text, which is short where it can be.
func TestKernelTexts(t *testing.T) {
	list := longNames()
	s := &sheet{r: &diff.Report{Kernels: list}}
	ordered := s.kernelsInOrder()
	if ordered[4].Share < ordered[5].Share {
		t.Error("of kernels that did not change, the one with the smaller share comes first")
	}
	seen := map[string]bool{}
	for _, text := range kernelTexts(ordered) {
		if seen[text] {
			t.Errorf("two kernels are %q", text)
		}
		seen[text] = true
	}
	if got := words.Distinct([]string{"a", "b", "a", strings.Repeat("z", 50)}, longestName); strings.Join(got, " ") != "a b a #2 "+shorten(strings.Repeat("z", 50)) {
		t.Errorf("got %q", got)
	}
}

// Kernels are sorted both ways by the change with its sign, found, chosen by kind and copied with
// their whole names; a choice of one is marked and in the address by a name that lasts.
func TestBrowserKernels(t *testing.T) {
	r := jobReport(4, 19)
	r.Kernels = append(longNames(), r.Kernels...)
	x, page := reading(t, r, "#kernels")
	changes := func() string {
		return x.says(`return [...document.querySelectorAll('#ktab tbody tr:not([hidden])')].map(r => r.cells[5].textContent.trim()).slice(0, 2).join()`)
	}
	const head = `document.querySelectorAll('#ktab thead th')[5].querySelector('button').click(); return document.querySelectorAll('#ktab thead th')[5].getAttribute('aria-sort') || ''`
	for _, c := range [][3]string{{"descending", "+2.0", "+1.0"}, {"ascending", "\u22123.0", "\u22120.5"}, {"", "\u22123.0", "+2.0"}} {
		x.want("order", head, c[0])
		if got := changes(); !strings.HasPrefix(got, c[1]) || !strings.Contains(got, ","+c[2]) {
			t.Errorf("%s: got the changes %q, want %q", c[0], got, c[1:])
		}
	}
	x.want("texts", `const t = [...document.querySelectorAll('#ktab tbody tr')].map(r => r.cells[0].textContent); return String(t.length - new Set(t).size)`, "0")
	x.want("kinds", `const k = document.querySelector('#kernels select'); k.value = 'GEMM'; k.dispatchEvent(new Event('change')); return document.querySelector('#kernels [role=status]').textContent`, "2 of 18 rows")
	const copied = `const e = new ClipboardEvent('copy', {clipboardData: new DataTransfer(), bubbles: true, cancelable: true}); document.querySelector('#ktab').dispatchEvent(e);
const text = e.clipboardData.getData('text/plain'); getSelection().removeAllRanges(); return text`
	x.want("the name of one", `const c = document.querySelector('#ktab tr:not([hidden]) .kn[data-v]'); getSelection().selectAllChildren(c); `+copied, r.Kernels[5].Name)
	if got := x.says(`getSelection().selectAllChildren(document.querySelector('#ktab tbody')); ` + copied); strings.Count(got, "\n") != 1 || !strings.Contains(got, r.Kernels[4].Name+"\t") || !strings.Contains(got, r.Kernels[5].Name+"\t") {
		t.Errorf("two rows: got %q", got)
	}
	x.says(`document.querySelector('#ktab tbody tr:not([hidden]) button').click(); return ''`)
	if got := x.says(`return location.hash`); !strings.Contains(got, "kernel="+kernelID(r.Kernels[5].Name)) || !strings.Contains(got, "kind.kernels=GEMM") {
		t.Errorf("got the address %s", got)
	}
	x.open(page + x.says(`return location.hash`))
	x.want("after a reload", said, "Selected: kernel "+r.Kernels[5].Name)
	x.quiet()
}
