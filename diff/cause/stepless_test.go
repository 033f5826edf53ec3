package cause_test

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"perfdiff/analyze/run"
	"perfdiff/diff"
	"perfdiff/diff/cause"
	"perfdiff/diff/difftest"
	"perfdiff/diff/sides"
	"perfdiff/diff/verdict"
)

// calls are those of one name: so many, each of so many ns, of which the quartiles are a
// share apart.
func calls(table run.Table, name string, count, each int64, spread float64) run.Stat {
	away := int64(spread / 2 * float64(each))
	return run.Stat{Table: table, Name: name, Count: count, Total: count * each, Min: each - away, Max: each + away, Median: each, Quartiles: [2]int64{each - away, each + away}}
}

// stepless is a side of so many runs of one rank without steps, which ran for a second.
func stepless(label string, runs int, stats ...run.Stat) *run.Set {
	s := &run.Set{Label: label}
	for i := range runs {
		w := &run.WholeCapture{Device: 1e9, Host: 2e9, Stats: slices.Clone(stats), Busy: 5e8}
		for at := range w.Launches {
			w.Launches[at] = 100
		}
		for at := range w.Stats { // runs differ by a hundredth of a percent
			w.Stats[at].Median += int64(i) * w.Stats[at].Median / 10_000
		}
		s.Runs = append(s.Runs, run.Run{Name: fmt.Sprint(label, i), Ranks: []run.Rank{{Rank: 0, Receipts: []run.Receipt{{Marker: "none", Hint: "mark steps"}}, Whole: w}}})
	}
	return s
}

// peers are kernels that do not change.
func peers(n int) (out []run.Stat) {
	for i := range n {
		out = append(out, calls(run.KernelTable, fmt.Sprint("peer", i), 200, 50_000+int64(i)*1000, 0.02))
	}
	return out
}

func TestCalls(t *testing.T) {
	kernel := func(each int64) run.Stat { return calls(run.KernelTable, "gemm", 200, each, 0.02) }
	span := func(count, each int64, spread float64) run.Stat {
		return calls(run.RangeTable, "find_centers", count, each, spread)
	}
	sized := func(x run.Stat, bytes int64) run.Stat { x.Bytes = bytes; return x }
	mixed := kernel(150_000)
	mixed.Total = kernel(100_000).Total + 1e6 // the median jumped, the mean did not
	for _, tt := range []struct {
		name       string
		base, cand run.Stat
		beyond     bool
		says       string // of the first finding; "" none
	}{
		{"slower", kernel(100_000), kernel(125_000), true, "gemm takes longer per call: 100 and 125\u202fµs, the median of 200 and 200 calls"},
		{"faster", kernel(125_000), kernel(100_000), true, "gemm takes less per call"},
		{"the same", kernel(100_000), kernel(101_000), false, ""},
		{"another mix", kernel(100_000), mixed, false, ""},
		{"a range", span(60, 67_700_000, 0.1), span(60, 11_500_000, 0.1), true, "The range find_centers takes less per call: 67.7 and 11.5\u202fms"},
		{"a range that varies", span(60, 10_000_000, 1), span(60, 11_500_000, 1), false, ""},
		{"a range called twice", span(2, 67_700_000, 0.1), span(2, 11_500_000, 0.1), false, ""},
		{"larger messages", sized(calls(run.CollectiveTable, "AllReduce", 60, 1e6, 0.1), 60e6), sized(calls(run.CollectiveTable, "AllReduce", 60, 2e6, 0.1), 120e6), false, ""},
		{"slower messages", sized(calls(run.CollectiveTable, "AllReduce", 60, 1e6, 0.1), 60e6), sized(calls(run.CollectiveTable, "AllReduce", 60, 2e6, 0.1), 60e6), true, "AllReduce takes longer per call"},
	} {
		for _, runs := range []int{1, 3} {
			r := difftest.Compare(stepless("b", runs, append(peers(8), tt.base)...), stepless("c", runs, append(peers(8), tt.cand)...))
			at := slices.IndexFunc(r.Calls, func(c cause.Call) bool { return c.Name == tt.base.Name })
			if at < 0 || r.Calls[at].BeyondNoise != tt.beyond && runs == 1 {
				t.Fatalf("%s, %d runs: beyond noise %v, want %v: %+v", tt.name, runs, !tt.beyond, tt.beyond, r.Calls)
			}
			if tt.beyond && !r.Calls[at].BeyondNoise {
				t.Errorf("%s, %d runs: not beyond noise", tt.name, runs)
			}
			if r.Judged || r.Gate.State != diff.GateNotJudged || r.Verdict != verdict.Inconclusive || !r.Stepless() {
				t.Errorf("%s: judged: %s", tt.name, difftest.HeadlineOf(r))
			}
			switch {
			case runs > 1:
			case tt.says == "" && len(r.Findings) > 0:
				t.Errorf("%s: got %q, want none", tt.name, difftest.TextOf(r, &r.Findings[0]))
			case tt.says != "" && (len(r.Findings) != 1 || !strings.HasPrefix(difftest.TextOf(r, &r.Findings[0]), tt.says) || r.Findings[0].Class != verdict.ClassLook):
				t.Errorf("%s: got %+v, want %q", tt.name, r.Findings, tt.says)
			}
		}
	}
}

// TestUnkept: a name that one side keeps is not gone from the other where that one may
// have it among those that it sums up.
func TestUnkept(t *testing.T) {
	rare := calls(run.KernelTable, "rare", 50, 100_000, 0.02) // 5 ms
	of := func(others int64) *run.Set {
		return stepless("c", 1, append(peers(6), calls(run.KernelTable, run.Others, 10, others, 0))...)
	}
	base := stepless("b", 1, append(peers(6), rare)...)
	for _, tt := range []struct {
		others int64 // ns each
		known  bool
	}{{1000, true}, {1_000_000, false}} {
		r := difftest.Compare(base, of(tt.others))
		found := slices.ContainsFunc(r.Calls, func(c cause.Call) bool { return c.Name == "rare" })
		row := slices.ContainsFunc(r.Kernels, func(k cause.Kernel) bool { return k.Name == "rare" })
		if found != tt.known || row != tt.known {
			t.Errorf("others of %d ns each: got %v and %v, want %v", tt.others, found, row, tt.known)
		}
		for _, s := range r.Summaries {
			if slices.ContainsFunc(s.Rows, func(x cause.StatRow) bool { return x.Name == run.Others }) {
				t.Error("the others have a row")
			}
		}
	}
}

// TestKernelOfOneSide: a kernel that only one side runs is a finding where it weighs.
func TestKernelOfOneSide(t *testing.T) {
	r := difftest.Compare(stepless("b", 1, peers(8)...), stepless("c", 1, append(peers(8), calls(run.KernelTable, "new_kernel", 100, 300_000, 0.02))...))
	if len(r.Findings) != 1 || !strings.HasPrefix(difftest.TextOf(r, &r.Findings[0]), "The candidate runs new_kernel, 26.") {
		t.Errorf("got %+v", r.Findings)
	}
	// Replays of which one side recorded no kernels say nothing of them.
	r = difftest.Compare(stepless("b", 1, peers(8)...), stepless("c", 1, calls(run.KernelTable, sides.GraphKernel, 100, 3_000_000, 0.02)))
	if len(r.Findings) != 1 || !strings.Contains(difftest.TextOf(r, &r.Findings[0]), "replays CUDA graphs") {
		t.Errorf("graphs: got %+v", r.Findings)
	}
}

// TestSharedByCalls: what all kernels share is said once.
func TestSharedByCalls(t *testing.T) {
	slower := peers(8)
	for i := range slower {
		x := calls(run.KernelTable, slower[i].Name, 200, slower[i].Median*6/5, 0.02)
		slower[i] = x
	}
	r := difftest.Compare(stepless("b", 1, peers(8)...), stepless("c", 1, slower...))
	if len(r.Findings) != 1 || !strings.HasPrefix(difftest.TextOf(r, &r.Findings[0]), "All kernels take about 20.0") || math.Abs(r.KernelShift-0.2) > 1e-3 {
		t.Errorf("got %+v, shift %g", r.Findings, r.KernelShift)
	}
}

// TestWorkOfASecond: what a cut out of a longer recording holds is compared by the second.
func TestWorkOfASecond(t *testing.T) {
	of := func(launches int, active int64, uneven bool) *run.Set {
		s := stepless("x", 1, peers(8)...)
		k := &s.Runs[0].Ranks[0]
		k.Spans.Active, k.Captured = active, 100*active+int64(launches)*1e9
		for i := range 6 {
			k.Work = append(k.Work, run.KernelWork{Kernel: fmt.Sprint("peer", i), Launches: launches, Time: 1e6, Family: "other"})
		}
		for i := range k.Whole.Launches {
			if uneven && i%4 > 0 {
				k.Whole.Launches[i] = 1
			}
		}
		return s
	}
	for _, tt := range []struct {
		name       string
		base, cand *run.Set
		headline   string
		finding    string
	}{
		{"a fixed window", of(200, 3e8, false), of(160, 3e8, false), "the clock ended both captures after 300 ms", "The clock ended both captures after 0.30\u202fs, and the candidate does 20.0"},
		{"a fixed number of steps", of(200, 3e8, false), of(200, 4e8, false), "no steps were found", "The candidate does 25.0"},
		{"the same", of(200, 3e8, false), of(199, 3e8, false), "no steps were found", ""},
		{"work that comes in bursts", of(200, 3e8, true), of(160, 3e8, true), "no steps were found", ""},
	} {
		r := difftest.Compare(tt.base, tt.cand)
		text := ""
		if len(r.Findings) > 0 {
			text = difftest.TextOf(r, &r.Findings[0])
		}
		if !strings.HasPrefix(text, tt.finding) || tt.finding == "" && text != "" {
			t.Errorf("%s: got %q, want %q", tt.name, text, tt.finding)
		}
		if strings.Contains(difftest.HeadlineOf(r), "the clock ended") != strings.Contains(tt.headline, "the clock ended") {
			t.Errorf("%s: got %q", tt.name, difftest.HeadlineOf(r))
		}
	}
}

// TestEarlierSummary: a summary without whole captures compares nothing and says nothing.
func TestEarlierSummary(t *testing.T) {
	base, cand := stepless("b", 1, peers(8)...), stepless("c", 1, peers(8)...)
	base.Runs[0].Ranks[0].Whole = nil
	r := difftest.Compare(base, cand)
	if len(r.Calls)+len(r.Kernels)+len(r.Findings) > 0 {
		t.Errorf("got %+v", r)
	}
	for _, c := range r.Capture {
		if !c.NotRecorded[0].Is() || c.NotRecorded[1].Is() || !math.IsNaN(c.Base) {
			t.Errorf("got %+v", c)
		}
	}
}
