package html

import (
	"context"
	"math"
	"strings"
	"testing"

	"perfdiff/analyze/run"
	"perfdiff/diff"
	"perfdiff/diff/cause"
	"perfdiff/diff/verdict"
	"perfdiff/render/number"
)

// familiesReport has a step of 12 kernels, the first eight of one family, of which the first is
// new and the second is gone.
func familiesReport() *diff.Report {
	r := jobReport(4, 12)
	for i := range r.Waterfall.Parts {
		if p := &r.Waterfall.Parts[i]; p.Metric == run.ComputeTime {
			gemm, rest := p.PartChange, p.PartChange
			gemm.Part, rest.Part = "GEMM", "elementwise"
			gemm.Base, gemm.Cand = p.Base*0.75, p.Cand*0.75
			rest.Base, rest.Cand = p.Base-gemm.Base, p.Cand-gemm.Cand
			gemm.Delta, rest.Delta = gemm.Cand-gemm.Base, rest.Cand-rest.Base
			p.Within = []cause.PartChange{gemm, rest}
		}
	}
	for i := range r.Kernels {
		k := &r.Kernels[i]
		k.Name = strings.Replace(k.Name, "gemm", "k", 1)
		if k.Family = "elementwise"; i < 8 {
			k.Family = "GEMM"
		}
	}
	r.Kernels[0].BaseTime, r.Kernels[0].BaseCalls, r.Kernels[0].Delta = 0, 0, r.Kernels[0].CandTime
	r.Kernels[1].CandTime, r.Kernels[1].CandCalls, r.Kernels[1].Delta = 0, 0, -r.Kernels[1].BaseTime
	r.Kernels[2].BeyondNoise, r.Kernels[2].Change = true, 0.2
	return r
}

func treeOf(r *diff.Report) (*sheet, *icicleData) {
	p := &sheet{r: r, state: pageState(r), judged: hasVerdict(r), ms: stepScale(r)}
	return p, p.icicle()
}

// TestIcicleAddsUp: parts are the waterfall's and add up to the step; what lies in a node is
// never wider than it, and fills it where kernels are known.
func TestIcicleAddsUp(t *testing.T) {
	for name, scale := range map[string]float64{"room for others": 0.2, "side by side": 40} {
		r := familiesReport()
		for i := range r.Kernels {
			r.Kernels[i].BaseTime *= scale
			r.Kernels[i].CandTime *= scale
		}
		s, d := treeOf(r)
		if got, want := d.Nodes[0].Width, ([2]float64{r.Waterfall.Base * s.ms.Factor, r.Waterfall.Cand * s.ms.Factor}); math.Abs(got[0]-want[0])+math.Abs(got[1]-want[1]) > 1e-3 {
			t.Errorf("%s: the step is %v, want %v", name, got, want)
		}
		for at := range d.Nodes {
			var sum [2]float64
			children := 0
			for i := range d.Nodes {
				if n := &d.Nodes[i]; n.In == at {
					sum[0], sum[1], children = sum[0]+n.Width[0], sum[1]+n.Width[1], children+1
				}
			}
			for i, have := range d.Nodes[at].Width {
				if children > 0 && math.Abs(sum[i]-have) > 1e-4*d.Nodes[0].Width[i] {
					t.Errorf("%s: %s, side %d: got %g within %g", name, d.Nodes[at].Name, i, sum[i], have)
				}
			}
		}
	}
}

// TestIcicleIsTheTables: a node has the values, the change and the colour that the tables have.
func TestIcicleIsTheTables(t *testing.T) {
	r := familiesReport()
	s, d := treeOf(r)
	page := strings.ReplaceAll(written(t, r), "&#43;", "+")
	kernels, coloured := 0, 0
	for i := range d.Nodes {
		n := &d.Nodes[i]
		if n.Class != "" {
			coloured++
		}
		if n.Kernel == nil {
			continue
		}
		kernels++
		k := &r.Kernels[*n.Kernel]
		own := n.Width
		if n.Own != nil {
			own = *n.Own
		}
		if got, want := number.Format(own[1]), s.ms.Format(k.CandTime); got != want || n.Name != k.Name {
			t.Errorf("%s: got %s, want %s of %s", n.Name, got, want, k.Name)
		}
		if cell := ">" + n.Change + "</td>"; !strings.Contains(page, cell) {
			t.Errorf("%s: no table has its change %q", n.Name, n.Change)
		}
		if want := (map[bool]string{true: s.kernelClass(k)})[k.BeyondNoise]; n.Class != want {
			t.Errorf("%s: got the colour of %q, want %q", n.Name, n.Class, want)
		}
	}
	if kernels != 12 || coloured == 0 {
		t.Errorf("got %d kernels and %d coloured nodes, want 12 and some", kernels, coloured)
	}
	if text := s.insideReading(d); !strings.Contains(text, "one of the baseline's no more, and one that the baseline does not") {
		t.Errorf("gone and new: got %q", text)
	}
	if got := len(s.icicleTable(d).Rows); got == 0 || got > icicleRows {
		t.Errorf("got %d rows of values, want up to %d", got, icicleRows)
	}
}

// TestIcicleColourless: nothing has a colour where nothing is judged, and where nothing changed.
func TestIcicleColourless(t *testing.T) {
	unjudged, same := familiesReport(), judge(jobReport(4, 12), verdict.Unchanged)
	unjudged.Judged = false
	for name, r := range map[string]*diff.Report{"not judged": unjudged, "unchanged": same} {
		for _, n := range func() []icicleNode { _, d := treeOf(r); return d.Nodes }() {
			if n.Class != "" {
				t.Errorf("%s: %s is %s", name, n.Name, n.Class)
			}
		}
	}
	if sec := (&sheet{r: &diff.Report{}}).insideSection(); sec.ID != "" {
		t.Error("without parts of the step there is a section all the same")
	}
}

// launchedReport is familiesReport with its kernels launched in two phases: those of one family
// forward in an operator, the others backward in two.
func launchedReport() *diff.Report {
	r := familiesReport()
	add := func(in int, level cause.LaunchedLevel, name string, kernels ...int) int {
		n := cause.LaunchedNode{In: in, Level: level, Name: name, Kernel: -1}
		for _, i := range kernels {
			k := &r.Kernels[i]
			n.Base.Time, n.Cand.Time = n.Base.Time+k.BaseTime, n.Cand.Time+k.CandTime
			if n.Delta += k.Delta; k.BeyondNoise {
				n.Sure += k.Delta
			}
			if level == cause.LaunchedKernel {
				n.Name, n.Kernel = k.Name, i
			}
		}
		r.Launched.Nodes = append(r.Launched.Nodes, n)
		return len(r.Launched.Nodes) - 1
	}
	upTo := func(from, to int) (out []int) {
		for i := from; i < to; i++ {
			out = append(out, i)
		}
		return out
	}
	leaves := func(in, from, to int) {
		for i := from; i < to; i++ {
			add(in, cause.LaunchedKernel, "", i)
		}
	}
	r.Launched.KnowsPhases, r.Launched.KnowsPlaces = [2]bool{true, true}, [2]bool{true, true}
	all := add(-1, cause.LaunchedAll, "", upTo(0, 12)...)
	in := add(add(all, cause.LaunchedPhase, "forward", upTo(0, 8)...), cause.LaunchedPlace, hostile, upTo(0, 8)...)
	leaves(add(in, cause.LaunchedFamily, "GEMM", upTo(0, 8)...), 0, 8)
	back := add(all, cause.LaunchedPhase, "backward", upTo(8, 12)...)
	leaves(add(add(back, cause.LaunchedPlace, "MulBackward0", 8, 9), cause.LaunchedFamily, "elementwise", 8, 9), 8, 10)
	leaves(add(add(back, cause.LaunchedPlace, "", 10, 11), cause.LaunchedFamily, "elementwise", 10, 11), 10, 12)
	return r
}

// TestIcicleLaunched: the tree by phase and operator has the times of the kernel table, whose names it
// takes from the other tree; colours where enough changed beyond noise, none where nothing is judged;
// and the section says what captures do not name.
func TestIcicleLaunched(t *testing.T) {
	r := launchedReport()
	s, d := treeOf(r)
	l := s.launchedTree(d)
	leaves, sums := 0, make([][2]float64, len(l.Nodes))
	for i := range l.Nodes {
		n := &l.Nodes[i]
		if n.In >= 0 {
			sums[n.In][0], sums[n.In][1] = sums[n.In][0]+n.Width[0], sums[n.In][1]+n.Width[1]
		}
		if n.Kernel == nil {
			continue
		}
		leaves++
		if k := &r.Kernels[*n.Kernel]; n.Name != k.Name || number.Format(n.Width[1]) != s.ms.Format(k.CandTime) {
			t.Errorf("%s: got %g, want %s of %s", n.Name, n.Width[1], s.ms.Format(k.CandTime), k.Name)
		}
		if same := d.forPage()[n.same-1]; same.Name != n.Name || same.KernelID != n.KernelID {
			t.Errorf("%s has the name of %s on the page", n.Name, same.Name)
		}
	}
	for i := range l.Nodes {
		if n := &l.Nodes[i]; n.Kernel == nil && (math.Abs(sums[i][0]-n.Width[0]) > 1e-3 || math.Abs(sums[i][1]-n.Width[1]) > 1e-3) {
			t.Errorf("%s: %v lies in it, it is %v", n.Name, sums[i], n.Width)
		}
	}
	if leaves != 12 {
		t.Errorf("got %d kernels, want 12", leaves)
	}
	if text := s.insideSection(); !strings.Contains(text.Reading, "Forward has ") || !strings.Contains(text.Reading, "one of the baseline's no more") || strings.Contains(text.Blocks[0].Note, "not recorded") {
		t.Errorf("got %q, %q", text.Reading, text.Blocks[0].Note)
	}
	r.Judged = false
	s, d = treeOf(r)
	for _, n := range s.launchedTree(d).Nodes {
		if n.Class != "" {
			t.Errorf("not judged: %s is %s", n.Name, n.Class)
		}
	}
	r.Launched = cause.Launched{KnowsPhases: [2]bool{false, true}}
	if sec := s.insideSection(); s.data.Icicle.Launched != nil || sec.Blocks[0].Levels != nil ||
		!strings.Contains(sec.Blocks[0].Note, "Phases are not recorded in the baseline: name ") || !strings.Contains(sec.Blocks[0].Note, "modules are not recorded in these captures: ") {
		t.Errorf("got %q", sec.Blocks[0].Note)
	}
}

// TestBrowserIcicleLevels: the page opens on phases, the switch goes to the parts and back, names come
// as text, and a reload keeps the levels.
func TestBrowserIcicleLevels(t *testing.T) {
	s := browser(t)
	ctx, cancel := context.WithTimeout(s.ctx, patience)
	defer cancel()
	const look = `(async () => { ` + until + `
  const el = document.getElementById('c-icicle'); el.scrollIntoView({behavior: 'instant'});
  await until(() => el.querySelectorAll('svg path').length > 3);
  const shown = n => [...el.querySelectorAll('svg text')].some(e => e.textContent === n);
  const names = () => ['Kernels in the mean step', 'Forward', 'Backward', 'GEMM', 'Step, mean', 'Compute'].filter(shown).join();
  `
	page := saved(t, "icicle-levels", written(t, launchedReport()))
	if err := open(ctx, page+"#inside", 1440); err != nil {
		t.Fatal(err)
	}
	const phases, parts = "Kernels in the mean step,Forward,Backward,GEMM", "GEMM,Step, mean,Compute"
	for _, tt := range []struct{ name, script, want string }{
		{"opens on phases", `return names()`, phases},
		{"a kernel's name", `const at = (x, y) => { const b = el.getBoundingClientRect(); el.dispatchEvent(new MouseEvent('mousemove', {clientX: b.left + x, clientY: b.top + y, bubbles: true})) };
  at(300, 42 * 4 + 10); const tip = document.getElementById('tip'); return (tip.querySelector('h4').textContent.length > 3) + ' ' + tip.querySelectorAll('img, script').length`, "true 0"},
		{"to the parts", `document.querySelector('input[name=levels][value=parts]').click(); return names()`, parts},
		{"address", `return location.hash`, "#inside?levels=parts"},
		{"and back", `document.querySelector('input[name=levels][value=launched]').click(); return names()`, phases},
	} {
		if got, err := evaluate[string](ctx, look+tt.script+` })()`); err != nil || got != tt.want {
			t.Errorf("%s: got %q, %v; want %q", tt.name, got, err, tt.want)
		}
	}
	if err := open(ctx, page+"#inside?levels=parts", 1440); err != nil {
		t.Fatal(err)
	}
	if got, err := evaluate[string](ctx, look+`return names() + ' ' + document.querySelector('input[name=levels]:checked').value })()`); err != nil || got != parts+" parts" {
		t.Errorf("opened by its address: got %q, %v", got, err)
	}
	for _, c := range s.seen.take() {
		t.Error(c)
	}
}

// TestBrowserIcicle: nodes open and close by pointer and keys, the switch shows what is gone and
// new, and hovering tells the values of the table with whole names.
func TestBrowserIcicle(t *testing.T) {
	s := browser(t)
	ctx, cancel := context.WithTimeout(s.ctx, patience)
	defer cancel()
	r := familiesReport()
	r.About.Names = [2]string{"buffered", "$better <b>"}
	r.Kernels[2].Name = hostile + strings.Repeat("long", 60)
	if err := open(ctx, saved(t, "icicle", written(t, r))+"#inside", 1440); err != nil {
		t.Fatal(err)
	}
	const look = `(async () => { ` + until + `
  const el = document.getElementById('c-icicle'); el.scrollIntoView({behavior: 'instant'});
  await until(() => el.querySelectorAll('svg path').length > 3);
  const tip = document.getElementById('tip'), shown = () => [...el.querySelectorAll('svg text')].map(e => e.textContent);
  const key = k => el.dispatchEvent(new KeyboardEvent('keydown', {key: k, bubbles: true}));
  const at = (x, y, what) => { const b = el.getBoundingClientRect(); el.dispatchEvent(new MouseEvent(what, {clientX: b.left + x, clientY: b.top + y, bubbles: true})) };
  `
	for _, tt := range []struct{ name, script, want string }{
		{"what is drawn", `return ['Step, mean', 'Compute', 'GEMM', 'elementwise'].filter(n => shown().includes(n)).join()`, "Step, mean,Compute,GEMM,elementwise"},
		{"hover", `at(200, 15, 'mousemove'); const got = [...tip.querySelectorAll('td')].map(e => e.textContent); at(0, 0, 'mouseleave');
  return tip.querySelector('h4').textContent + '|' + got[0] + '|' + got[3] + '|' + tip.querySelectorAll('b, img, script').length`, "Step, mean|buffered|$better <b>|0"},
		{"click opens", `at(200, 100, 'click'); const open = shown().includes('elementwise'); at(200, 15, 'click'); return open + ' ' + shown().includes('elementwise')`, "false true"},
		{"keys walk", `el.focus(); key('ArrowDown'); key('ArrowDown'); key('ArrowDown'); const said = document.querySelector('#c-icicle + .vh').textContent; const visible = tip.style.display; key('Escape');
  return said.split(':')[0] + '|' + visible`, "GEMM|block"},
		{"enter and escape", `el.focus(); key('ArrowDown'); key('ArrowDown'); key('ArrowDown'); key('Enter'); const one = shown().includes('elementwise'); key('Escape'); return one + ' ' + shown().includes('elementwise')`, "false true"},
		{"gone and new", `document.querySelector('input[name=icicle][value="2"]').click(); const got = shown().filter(s => /\((new|gone)\)/.test(s)).length;
  document.querySelector('input[name=icicle][value="1"]').click(); return String(got)`, "2"},
		{"whole names", `el.focus(); key('ArrowDown'); key('ArrowDown'); key('ArrowDown'); key('ArrowDown'); let best = '';
  for (let i = 0; i < 8; i++) { const n = tip.querySelector('h4').textContent; if (n.length > best.length) best = n; key('ArrowRight') } key('Escape');
  return (best.length > 240) + ' ' + tip.querySelectorAll('img, script').length`, "true 0"},
		{"a kernel's row", `el.focus(); key('ArrowDown'); key('ArrowDown'); key('ArrowDown'); key('ArrowDown'); key('Enter'); const row = document.querySelector('tr[data-kernel][aria-selected]') !== null;
  key('Escape'); return String(row)`, "true"},
	} {
		if got, err := evaluate[string](ctx, look+tt.script+` })()`); err != nil || got != tt.want {
			t.Errorf("%s: got %q, %v; want %q", tt.name, got, err, tt.want)
		}
	}
	for _, c := range s.seen.take() {
		t.Error(c)
	}
}
