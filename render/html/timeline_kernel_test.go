package html

import (
	"fmt"
	"strings"
	"testing"
)

// TestTimelineKernel: a kernel that is selected in the table is marked in the timeline, and a bar
// that is clicked selects its kernel there; the address says which.
func TestTimelineKernel(t *testing.T) {
	s := browser(t)
	r := knownSteps("gemm_old", "gemm_old")
	r.Kernels[0].Name = "gemm_old"
	p := timelineIn(t, s, r, "", 1440)
	id := kernelID("gemm_old")
	// Pixels of the selection's colour in the two rows below stream 7 of the baseline.
	const mark = `const marked = () => { const c = el.querySelector('canvas'), s = c.width / el.clientWidth, d = c.getContext('2d').getImageData(0, Math.round(106.5 * s), c.width, 1).data;
		let n = 0; for (let i = 0; i < d.length; i += 4) if (d[i] === 0x15 && d[i + 1] === 0x17 && d[i + 2] === 0x1c && d[i + 3] === 255) n++; return n / s; }; `
	width := 0.0
	if _, err := fmt.Sscan(p.do(`return el.clientWidth`), &width); err != nil {
		t.Fatal(err)
	}
	x := func(ms float64) float64 { return (112 + ms/100*(width-120)) / width }
	if got := p.do(mark + `return marked()`); got != "0" {
		t.Errorf("marked before anything was selected: %s px", got)
	}
	row := `[...document.querySelectorAll('#ktab tr[data-kernel="` + id + `"]')][0]`
	p.do(row + `.click(); await frame(); el.scrollIntoView({behavior: 'instant'}); await frame(); await frame()`)
	var px float64
	if _, err := fmt.Sscan(p.do(mark+`await frame(); return marked()`), &px); err != nil || px < 0.1*(width-120) || px > 0.13*(width-120) {
		t.Errorf("%g of %g px are marked, want those of 11 of 100 ms", px, width-120)
	}
	if got := p.do(`return by('tlbar').textContent`); !strings.Contains(got, "2 bars, 11.0") || strings.Count(got, "2 bars") != 2 {
		t.Errorf("it is said: %q", got)
	}
	p.is("no longer", row+`.click(); await frame(); return by('tlbar').textContent`, "")
	p.is("a bar that is clicked", fmt.Sprintf(`on('pointerdown', %g, 98); on('pointerup', %g, 98); await frame(); return new URLSearchParams(location.hash.split('?')[1]).get('kernel') + ' ' + `+row+`.getAttribute('aria-selected')`, x(15), x(15)), id+" true")
	if got := p.do(`return by('tlbar').textContent`); !strings.Contains(got, "gemm_old: starts at 10.0") {
		t.Errorf("what the bar is, is said no more: %q", got)
	}
	p.is("a bar of another name", fmt.Sprintf(`on('pointerdown', %g, 115); on('pointerup', %g, 115); await frame(); return new URLSearchParams(location.hash.split('?')[1]).get('kernel')`, x(35), x(35)), id)
	for _, c := range s.seen.take() {
		if !strings.Contains(c, "willReadFrequently") { // of the test itself
			t.Error(c)
		}
	}
}
