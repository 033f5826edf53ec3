package html

import (
	"strings"
	"testing"

	"perfdiff/analyze/run"
)

// TestClockRows: what is known of the clocks of hosts, and what is not.
func TestClockRows(t *testing.T) {
	text := func(c run.Clocks) string {
		var all []string
		for _, r := range clockRows("Baseline", &c) {
			for _, x := range r.Cells[1:] {
				all = append(all, strings.ReplaceAll(x.Text, "\u202f", " "))
			}
		}
		return strings.Join(all, "|")
	}
	for _, tt := range []struct {
		name string
		c    run.Clocks
		want []string
	}{
		{"aligned", run.Clocks{Hosts: []run.HostClock{{Host: "a"}, {Host: "b", Offset: 2e6}}, Residual: 3000, HostResidual: 1000, Used: 48, Matched: 64, Kernels: 64}, []string{"b|+2.00 ms|", "3.00 \u00b5s, on one host 1.00 \u00b5s|48|64 of 64"}},
		{"too few collectives", run.Clocks{NotAligned: []string{"a", "b"}, Matched: 8, Kernels: 8}, []string{"not aligned: a, b|", "wall clocks: 1 to tens of ms|0|8 of 8"}},
		{"many hosts", run.Clocks{NotAligned: []string{"a", "b", "c", "d", "e"}, Kernels: 8}, []string{"not aligned: a, b, c and 2 more|"}},
		{"one host", run.Clocks{NotAligned: []string{"a"}, Kernels: 8}, []string{"one host, not aligned|", "its wall clock: within 1 ms"}},
		{"one of three", run.Clocks{Hosts: []run.HostClock{{Host: "a"}, {Host: "b"}}, NotAligned: []string{"c"}, Used: 9, Kernels: 80}, []string{"b|", "not aligned: c|", "1 to tens of ms"}},
		{"of an older summary", run.Clocks{Kernels: 8}, []string{"not aligned|", "1 to tens of ms"}},
	} {
		got := text(tt.c)
		for _, want := range tt.want {
			if !strings.Contains(got, want) {
				t.Errorf("%s: got %s, want %s in it", tt.name, got, want)
			}
		}
	}
}

// TestUnseparable: the page says of which side waiting cannot be told from transfer.
func TestUnseparable(t *testing.T) {
	const one = "not separable: one rank was captured (capture all ranks to tell waiting from transfer)"
	for _, tt := range []struct{ base, cand, want string }{
		{"", "", ""}, {one, one, " Both sides: " + one + "."}, {one, "", " Baseline: " + one + "."}, {"", one, " Candidate: " + one + "."},
		{"x", "y", " Baseline: x. Candidate: y."},
	} {
		r := jobReport(2, 4)
		r.Base.Clocks, r.Cand.Clocks = []run.Clocks{{Kernels: 5, Inseparable: tt.base}}, []run.Clocks{{Kernels: 5, Inseparable: tt.cand}}
		s := &sheet{r: r}
		if got := s.whyInseparable(); got != tt.want {
			t.Errorf("got %q want %q", got, tt.want)
		}
		if page := written(t, r); tt.want != "" && !strings.Contains(page, "Waiting for late ranks and transfer are not told apart.</b>"+strings.ReplaceAll(tt.want, "+", "&#43;")) {
			t.Errorf("the page does not say %q", tt.want)
		}
	}
}
