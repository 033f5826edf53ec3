package html

import (
	"fmt"
	"regexp"
	"strings"
	"testing"

	"perfdiff/analyze/source/ncu"
)

// TestAboveTheRoof: a kernel that works faster than its device can is drawn above the roof, in the picture, and said to
// be there, also where the roof stands at a power of ten.
func TestAboveTheRoof(t *testing.T) {
	for _, peak := range []float64{60e12, 100e12} {
		x := &ncu.Roofline{Precision: ncu.Single, Work: 2.26 * peak, Traffic: 1e12, PeakWork: peak, PeakTraffic: 3e12}
		d := rooflineOf("gemm", ncu.Single, [2]*ncu.Roofline{nil, x})
		svg := string(d.SVG)
		if strings.Contains(svg, "NaN") || strings.Contains(svg, "Inf") {
			t.Errorf("peak %g: %s", peak, svg)
		}
		var kernel, roof float64
		for of, pattern := range map[*float64]string{&kernel: `<path d="M[0-9.]+ ([0-9.]+)h0" stroke="var\(--cand\)"`, &roof: `<path d="M[0-9.]+ [0-9.]+ [0-9.]+ ([0-9.]+)h`} {
			m := regexp.MustCompile(pattern).FindStringSubmatch(svg)
			if m == nil {
				t.Fatalf("peak %g: no %s in %s", peak, pattern, svg)
			}
			if _, err := fmt.Sscan(m[1], of); err != nil {
				t.Fatal(err)
			}
		}
		if kernel >= roof || kernel < 10 {
			t.Errorf("peak %g: the kernel stands at %g and the roof at %g", peak, kernel, roof)
		}
		if want := "above the roof of compute, 226\u202f% of it: the peak"; !strings.Contains(d.Notes[0], want) || !strings.Contains(svg, want) || !strings.Contains(svg, ">above the roof<") {
			t.Errorf("got %q, want %q, and both in the picture and below it", d.Notes, want)
		}
	}
}
