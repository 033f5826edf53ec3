package cause_test

import (
	"fmt"
	"math"
	"reflect"
	"slices"
	"testing"

	"perfdiff/analyze/run"
	"perfdiff/diff"
	"perfdiff/diff/cause"
	"perfdiff/diff/difftest"
	"perfdiff/diff/policy"
	"perfdiff/diff/sides"
	"perfdiff/diff/verdict"
)

func TestScales(t *testing.T) {
	sometimes := func(v float64) func(int, int) float64 {
		return func(_, s int) float64 { return v * float64(min(1, s%7)) } // zero in every seventh step
	}
	for _, c := range []struct {
		name, metric string
		base, cand   func(int, int) float64
		relative     bool
		estimate     float64
		verdict      verdict.Verdict
		reason       string
	}{
		{"logs", "input_wait_time", difftest.Constant(0.04), difftest.Constant(0.05), true, 0.25, verdict.Regressed, verdict.ReasonDecided},
		{"zero in some steps", "input_wait_time", sometimes(0.04), sometimes(0.05), true, 0.25, verdict.Regressed, verdict.ReasonDecided},
		{"down to zero", "input_wait_time", difftest.Constant(0.04), difftest.Constant(0), true, -1, verdict.Improved, verdict.ReasonDecided},
		{"up from zero", "input_wait_time", difftest.Constant(0), difftest.Constant(0.04), false, 0.04, verdict.Regressed, verdict.ReasonDecided},
		{"a little up from zero", "input_wait_time", difftest.Constant(0), difftest.Constant(0.0004), false, 0.0004, verdict.Unchanged, verdict.ReasonDecided},
		{"up from almost zero", "input_wait_time", difftest.Constant(1e-6), difftest.Constant(0.04), false, 0.039999, verdict.Regressed, verdict.ReasonDecided},
		{"zero on both sides", "input_wait_time", difftest.Constant(0), difftest.Constant(0), false, 0, verdict.Unchanged, verdict.ReasonDecided},
		{"points", "overlap", difftest.Constant(0.8), difftest.Constant(0.6), false, -0.2, verdict.Regressed, verdict.ReasonDecided},
		{"points up", "overlap", difftest.Constant(0.2), difftest.Constant(0.6), false, 0.4, verdict.Improved, verdict.ReasonDecided},
		{"throughput", "io_read_throughput", difftest.Constant(1e9), difftest.Constant(3e9), true, 2, verdict.Improved, verdict.ReasonDecided},
		{"throughput from zero", "io_read_throughput", difftest.Constant(0), difftest.Constant(3e9), false, 3e9, verdict.Improved, verdict.ReasonDecided},
		{"throughput from almost nothing", "io_read_throughput", difftest.Constant(2.9e6), difftest.Constant(3e9), false, 2.9971e9, verdict.Improved, verdict.ReasonDecided},
		{"throughput a thousand times as high", "io_read_throughput", difftest.Constant(3e6), difftest.Constant(3e9), true, 999, verdict.Improved, verdict.ReasonDecided},
		{"not recorded", "overlap", nil, difftest.Constant(0.6), false, math.NaN(), verdict.Inconclusive, verdict.ReasonNotRecorded},
		{"cannot answer", "overlap", difftest.Constant(math.NaN()), difftest.Constant(0.6), false, math.NaN(), verdict.Inconclusive, verdict.ReasonNotRecorded},
		{"infinite", "input_wait_time", difftest.Constant(math.Inf(1)), difftest.Constant(0.6), true, math.NaN(), verdict.Inconclusive, verdict.ReasonNotRecorded},
	} {
		r := difftest.Compare(difftest.Metrics(c.metric, c.base, c.cand))
		got := verdict.MetricOf(r.Metrics, c.metric)
		if got.Relative != c.relative || got.Verdict != c.verdict || got.Reason != c.reason {
			t.Errorf("%s: got relative %v, verdict %d, %s, want %v, %d, %s", c.name, got.Relative, got.Verdict, got.Reason, c.relative, c.verdict, c.reason)
		}
		if d := got.Estimate - c.estimate; math.Abs(d) > 1e-9*math.Max(1, math.Abs(c.estimate)) || math.IsNaN(got.Estimate) != math.IsNaN(c.estimate) {
			t.Errorf("%s: got estimate %g, want %g", c.name, got.Estimate, c.estimate)
		}
		if difftest.WhySaid(got) == "" {
			t.Errorf("%s: why %q, gate %v", c.name, difftest.WhySaid(got), got.Gating)
		}
		if c.relative && got.Lo < -1 {
			t.Errorf("%s: got an interval from %g: nothing falls by more than all", c.name, got.Lo)
		}
	}
}

// TestNoiseOfShares: single runs are taken to differ by 2 points at least in a share, however
// alike the policy says that they are, and by more where it says more. Of steps without any
// noise the interval is that alone.
func TestNoiseOfShares(t *testing.T) {
	width := func(floor float64) float64 {
		base, cand := difftest.Metrics("overlap", difftest.Constant(0.8), difftest.Constant(0.78))
		policy := policy.DefaultPolicy()
		policy.Floor, policy.FewFloor = floor, floor
		c := verdict.MetricOf(diff.Compare(base, cand, policy, diff.Options{}).Metrics, "overlap")
		return c.Hi - c.Lo
	}
	usual := width(verdict.RatioFloor)
	for _, tt := range []struct{ floor, times float64 }{{0.001, 1}, {0.015, 1}, {2 * verdict.RatioFloor, 2}, {3 * verdict.RatioFloor, 3}} {
		if got := width(tt.floor) / usual; math.Abs(got-tt.times) > 1e-6 || !(usual > 0) {
			t.Errorf("runs that differ by %g: the interval is %g times as wide as with 2 points, want %g", tt.floor, got, tt.times)
		}
	}
}

func TestSourcesMustBeTheSame(t *testing.T) {
	base, cand := difftest.Metrics("io_read_throughput", difftest.Constant(1e9), difftest.Constant(3e9))
	for i, s := range []*run.Set{base, cand} {
		for k := range s.Runs[0].Ranks {
			series := s.Runs[0].Ranks[k].Series
			series[len(series)-1].Source = []string{"file access events", "copies"}[i]
		}
	}
	c := verdict.MetricOf(difftest.Compare(base, cand).Metrics, "io_read_throughput")
	want := [2][]string{{"file access events"}, {"copies"}}
	if c.Reason != verdict.ReasonNotJudged || !reflect.DeepEqual(c.Sources, want) {
		t.Errorf("got %s, sources %q, want %q", c.Reason, c.Sources, want)
	}
}

// TestStandsInIsContext: what stands in for a metric, as copies for what was read, is shown with
// its change and judged on neither side.
func TestStandsInIsContext(t *testing.T) {
	for _, of := range []struct {
		name       string
		base, cand bool
		want       string
	}{{"none", false, false, verdict.ReasonDecided}, {"the baseline's", true, false, verdict.ReasonNotJudged}, {"the candidate's", false, true, verdict.ReasonNotJudged},
		{"both", true, true, verdict.ReasonNotJudged}} {
		base, cand := difftest.Metrics("io_read_throughput", difftest.Constant(3e9), difftest.Constant(1e9))
		for i, s := range []*run.Set{base, cand} {
			for k := range s.Runs[0].Ranks {
				series := s.Runs[0].Ranks[k].Series
				series[len(series)-1].Proxy = []bool{of.base, of.cand}[i]
			}
		}
		c := verdict.MetricOf(difftest.Compare(base, cand).Metrics, "io_read_throughput")
		if c.Reason != of.want || math.Abs(c.Estimate+2./3) > 1e-9 || (c.Verdict == verdict.Regressed) != (of.want == verdict.ReasonDecided) {
			t.Errorf("%s stands in: got %v of %g, %s, want %s", of.name, c.Verdict, c.Estimate, c.Reason, of.want)
		}
	}
}

func TestFindings(t *testing.T) {
	mk := func(step, input, compute, idle, gap float64) *run.Set {
		return difftest.SetOf("x", difftest.Job{Ranks: difftest.UpTo(2), Steps: 40, Step: difftest.Steady(step, 0), Series: map[run.Key]func(int, int) float64{
			{Metric: "input_wait_time"}: difftest.Constant(input), {Metric: "compute_time"}: difftest.Constant(compute), {Metric: "idle_time"}: difftest.Constant(idle),
			{Metric: "overlap"}: difftest.Constant(compute * 5), {Metric: "gap_before", Part: "AllReduce"}: difftest.Constant(gap),
			{Metric: "collective_calls", Part: "AllReduce"}: difftest.Constant(4),
		}})
	}
	show := func(r *diff.Report) []string {
		var out []string
		for _, f := range r.Findings {
			x := difftest.Shown(r, &f)
			out = append(out, difftest.Plain(fmt.Sprintf("%s %s %s %s", x.Number, x.Unit, f.Class, x.Text)))
		}
		return out
	}
	for _, c := range []struct {
		name       string
		base, cand *run.Set
		want       []string
	}{
		{"input", mk(0.175, 0.0454, 0.0986, 0.06, 0.001), mk(0.14, 0.0014, 0.0991, 0.02, 0.001), []string{
			"-44 ms better Input wait fell from 45 to 1 ms per step; the step fell by less, 35 ms.",
			"+0.50 ms unchanged Compute is unchanged: 98.60 and 99.10 ms per step.",
			"1.00 ms remains A gap of 1.00 ms before AllReduce remains in the candidate.",
		}},
		{"compute", mk(0.1, 0.001, 0.06, 0.02, 0), mk(0.12, 0.001, 0.08, 0.02, 0), []string{
			"+20 ms worse Compute rose from 60 to 80 ms per step.",
			"+10 points better Overlap of communication rose from 30 to 40 %.",
		}},
		{"a new gap", mk(0.1, 0.001, 0.06, 0.02, 0.0001), mk(0.12, 0.001, 0.06, 0.04, 0.002), []string{
			"+20 ms worse Idle time rose from 20 to 40 ms per step.",
			"0 ms unchanged Compute is unchanged: 60.0 and 60.0 ms per step.",
			"+1.9 ms worse The gap before AllReduce rose from 0.1 to 2.0 ms.",
		}},
		{"nothing", mk(0.1, 0.001, 0.06, 0.02, 0), mk(0.1, 0.001, 0.06, 0.02, 0), nil},
	} {
		got := show(difftest.Compare(c.base, c.cand))
		if !slices.Equal(got, c.want) {
			t.Errorf("%s:\ngot  %q\nwant %q", c.name, got, c.want)
		}
	}
}

func TestKernels(t *testing.T) {
	k := cause.KernelRow("gemm", cause.KernelSum{Time: 10, Calls: 2}, cause.KernelSum{Time: 24, Calls: 3}, 40)
	// (3-2)*(5+8)/2 = 6.5 by calls, (8-5)*(2+3)/2 = 7.5 by duration.
	if k.Delta != 14 || k.Calls != 6.5 || k.Slower != 7.5 || k.Share != 0.25 || k.Class != "compute" {
		t.Errorf("got %+v", k)
	}
	if k := cause.KernelRow("ncclDevKernel_AllReduce_Sum_f32_RING_LL", cause.KernelSum{}, cause.KernelSum{Time: 24, Calls: 3}, 0); k.Calls != 24 || k.Slower != 0 || k.Class != "communication" {
		t.Errorf("new kernel: got %+v", k)
	}
	mk := func(extra float64) *run.Set {
		s := difftest.SetOf("x", difftest.Job{Ranks: difftest.UpTo(2), Steps: 12, Step: difftest.Constant(0.1)})
		for i := range s.Runs[0].Ranks {
			r := &s.Runs[0].Ranks[i]
			for n := range 250 {
				if i == 1 && n == 7 {
					continue // on one rank only: counts half
				}
				key := fmt.Sprintf("k%03d", n)
				times, calls := make([]float64, 12), make([]float64, 12)
				for j := range times {
					times[j], calls[j] = 1e-3+extra*float64(n), 2
				}
				r.Series = append(r.Series, run.Series{Key: run.Key{Metric: sides.KernelTime, Part: key}, Values: times},
					run.Series{Key: run.Key{Metric: sides.KernelLaunches, Part: key}, Values: calls})
			}
		}
		return s
	}
	r := difftest.Compare(mk(0), mk(1e-5))
	if len(r.Kernels) != cause.MaxKernels+1 || r.Kernels[0].Name != "k249" || r.Kernels[cause.MaxKernels].Others != 50 {
		t.Fatalf("got %d rows, first %q, %d others", len(r.Kernels), r.Kernels[0].Name, r.Kernels[len(r.Kernels)-1].Others)
	}
	base, share := 0.0, 0.0
	for _, k := range r.Kernels {
		base += k.BaseTime
		share += k.Share
	}
	if want := 249.5e-3; math.Abs(base-want) > 1e-12 || math.Abs(share-1) > 1e-12 {
		t.Errorf("got %g s in all, share %g, want %g and 1", base, share, want)
	}
}
