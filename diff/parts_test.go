package diff

import (
	"fmt"
	"math"
	"reflect"
	"slices"
	"testing"

	"perfdiff/analyze/run"
	"perfdiff/diff/cause"
	"perfdiff/diff/policy"
	"perfdiff/diff/sides"
	"perfdiff/diff/verdict"
)

// metrics builds a pair of one run a side from values of one metric.
func metrics(m string, base, cand func(int, int) float64) (*run.Set, *run.Set) {
	key := run.Key{Metric: m}
	mk := func(f func(int, int) float64) *run.Set {
		return setOf("x", job{ranks: upTo(3), steps: 40, step: constant(0.1), series: map[run.Key]func(int, int) float64{key: f}})
	}
	return mk(base), mk(cand)
}

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
		{"logs", "input_wait_time", constant(0.04), constant(0.05), true, 0.25, verdict.Regressed, verdict.ReasonDecided},
		{"zero in some steps", "input_wait_time", sometimes(0.04), sometimes(0.05), true, 0.25, verdict.Regressed, verdict.ReasonDecided},
		{"down to zero", "input_wait_time", constant(0.04), constant(0), true, -1, verdict.Improved, verdict.ReasonDecided},
		{"up from zero", "input_wait_time", constant(0), constant(0.04), false, 0.04, verdict.Regressed, verdict.ReasonDecided},
		{"a little up from zero", "input_wait_time", constant(0), constant(0.0004), false, 0.0004, verdict.Unchanged, verdict.ReasonDecided},
		{"up from almost zero", "input_wait_time", constant(1e-6), constant(0.04), false, 0.039999, verdict.Regressed, verdict.ReasonDecided},
		{"zero on both sides", "input_wait_time", constant(0), constant(0), false, 0, verdict.Unchanged, verdict.ReasonDecided},
		{"points", "overlap", constant(0.8), constant(0.6), false, -0.2, verdict.Regressed, verdict.ReasonDecided},
		{"points up", "overlap", constant(0.2), constant(0.6), false, 0.4, verdict.Improved, verdict.ReasonDecided},
		{"throughput", "io_read_throughput", constant(1e9), constant(3e9), true, 2, verdict.Improved, verdict.ReasonDecided},
		{"throughput from zero", "io_read_throughput", constant(0), constant(3e9), false, 3e9, verdict.Improved, verdict.ReasonDecided},
		{"throughput from almost nothing", "io_read_throughput", constant(2.9e6), constant(3e9), false, 2.9971e9, verdict.Improved, verdict.ReasonDecided},
		{"throughput a thousand times as high", "io_read_throughput", constant(3e6), constant(3e9), true, 999, verdict.Improved, verdict.ReasonDecided},
		{"not recorded", "overlap", nil, constant(0.6), false, math.NaN(), verdict.Inconclusive, verdict.ReasonNotRecorded},
		{"cannot answer", "overlap", constant(math.NaN()), constant(0.6), false, math.NaN(), verdict.Inconclusive, verdict.ReasonNotRecorded},
		{"infinite", "input_wait_time", constant(math.Inf(1)), constant(0.6), true, math.NaN(), verdict.Inconclusive, verdict.ReasonNotRecorded},
	} {
		r := compare(metrics(c.metric, c.base, c.cand))
		got := verdict.MetricOf(r.Metrics, c.metric)
		if got.Relative != c.relative || got.Verdict != c.verdict || got.Reason != c.reason {
			t.Errorf("%s: got relative %v, verdict %d, %s, want %v, %d, %s", c.name, got.Relative, got.Verdict, got.Reason, c.relative, c.verdict, c.reason)
		}
		if d := got.Estimate - c.estimate; math.Abs(d) > 1e-9*math.Max(1, math.Abs(c.estimate)) || math.IsNaN(got.Estimate) != math.IsNaN(c.estimate) {
			t.Errorf("%s: got estimate %g, want %g", c.name, got.Estimate, c.estimate)
		}
		if whySaid(got) == "" {
			t.Errorf("%s: why %q, gate %v", c.name, whySaid(got), got.Gating)
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
		base, cand := metrics("overlap", constant(0.8), constant(0.78))
		policy := policy.DefaultPolicy()
		policy.Floor, policy.FewFloor = floor, floor
		c := verdict.MetricOf(Compare(base, cand, policy, Options{}).Metrics, "overlap")
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
	base, cand := metrics("io_read_throughput", constant(1e9), constant(3e9))
	for i, s := range []*run.Set{base, cand} {
		for k := range s.Runs[0].Ranks {
			series := s.Runs[0].Ranks[k].Series
			series[len(series)-1].Source = []string{"file access events", "copies"}[i]
		}
	}
	c := verdict.MetricOf(compare(base, cand).Metrics, "io_read_throughput")
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
		base, cand := metrics("io_read_throughput", constant(3e9), constant(1e9))
		for i, s := range []*run.Set{base, cand} {
			for k := range s.Runs[0].Ranks {
				series := s.Runs[0].Ranks[k].Series
				series[len(series)-1].Proxy = []bool{of.base, of.cand}[i]
			}
		}
		c := verdict.MetricOf(compare(base, cand).Metrics, "io_read_throughput")
		if c.Reason != of.want || math.Abs(c.Estimate+2./3) > 1e-9 || (c.Verdict == verdict.Regressed) != (of.want == verdict.ReasonDecided) {
			t.Errorf("%s stands in: got %v of %g, %s, want %s", of.name, c.Verdict, c.Estimate, c.Reason, of.want)
		}
	}
}

func TestFindings(t *testing.T) {
	mk := func(step, input, compute, idle, gap float64) *run.Set {
		return setOf("x", job{ranks: upTo(2), steps: 40, step: steady(step, 0), series: map[run.Key]func(int, int) float64{
			{Metric: "input_wait_time"}: constant(input), {Metric: "compute_time"}: constant(compute), {Metric: "idle_time"}: constant(idle),
			{Metric: "overlap"}: constant(compute * 5), {Metric: "gap_before", Part: "AllReduce"}: constant(gap),
			{Metric: "collective_calls", Part: "AllReduce"}: constant(4),
		}})
	}
	show := func(r *Report) []string {
		var out []string
		for _, f := range r.Findings {
			x := Shown(r, &f)
			out = append(out, plain(fmt.Sprintf("%s %s %s %s", x.Number, x.Unit, f.Class, x.Text)))
		}
		return out
	}
	for _, c := range []struct {
		name       string
		base, cand *run.Set
		want       []string
	}{
		{"input", mk(0.175, 0.0454, 0.0986, 0.06, 0.001), mk(0.14, 0.0014, 0.0991, 0.02, 0.001), []string{
			"-44.0 ms better Input wait fell from 45.4 to 1.40 ms per step; the step fell by less, 35.0 ms: other parts of it went the other way, or hide this.",
			"+0.50 ms unchanged Compute is unchanged: 98.6 and 99.1 ms per step.",
			"1.00 ms remains A gap of 1.00 ms before AllReduce remains in the candidate.",
		}},
		{"compute", mk(0.1, 0.001, 0.06, 0.02, 0), mk(0.12, 0.001, 0.08, 0.02, 0), []string{
			"+20.0 ms worse Compute rose from 60.0 to 80.0 ms per step.",
			"+10.0 pts better Overlap of communication rose from 30.0 to 40.0 %.",
		}},
		{"a new gap", mk(0.1, 0.001, 0.06, 0.02, 0.0001), mk(0.12, 0.001, 0.06, 0.04, 0.002), []string{
			"+20.0 ms worse Idle time rose from 20.0 to 40.0 ms per step.",
			"0 ms unchanged Compute is unchanged: 60.0 and 60.0 ms per step.",
			"+1.90 ms worse The gap before AllReduce rose from 0.10 to 2.00 ms.",
		}},
		{"nothing", mk(0.1, 0.001, 0.06, 0.02, 0), mk(0.1, 0.001, 0.06, 0.02, 0), nil},
	} {
		got := show(compare(c.base, c.cand))
		if !slices.Equal(got, c.want) {
			t.Errorf("%s:\ngot  %q\nwant %q", c.name, got, c.want)
		}
	}
}

func TestStepPoints(t *testing.T) {
	warm := func(level float64) func(int, int) float64 {
		return func(rank, s int) float64 { return steady(level, 0)(rank, s) * (1 + math.Exp(-float64(s)/2)) }
	}
	base := setOf("a", job{ranks: upTo(3), first: 0, steps: 60, step: warm(0.1), dropped: map[int64]string{0: "first step", 30: "cut"}})
	cand := setOf("b", job{ranks: upTo(3), first: 2, steps: 60, step: steady(0.1, 0), dropped: map[int64]string{30: "cut", 31: "late"}})
	cand.Runs[0].Ranks[0].Steps[20].Dropped = "only here" // one rank of three: the step stays
	r := compare(base, cand)
	both := func(why string) cause.Omission { return cause.Omission{Base: why, Cand: why} }
	want := map[int64]cause.Omission{0: both("first step"), 1: {Missing: cause.MissingInCand}, 2: both(warmUp), 30: both("cut"), 31: {Cand: "late"},
		40: {}, 22: {}, 61: {Missing: cause.MissingInBase}}
	for _, p := range r.Steps {
		if w, ok := want[p.Number]; ok && p.Omission != w {
			t.Errorf("step %d: got %+v, want %+v", p.Number, p.Omission, w)
		}
		if p.Number == 22 && (p.Cand.Ranks != 2 || p.Base.Ranks != 3) {
			t.Errorf("step 22: got %d and %d ranks, want 3 and 2", p.Base.Ranks, p.Cand.Ranks)
		}
	}
	if len(r.Steps) != 62 || !math.IsNaN(r.Steps[0].Cand.Median) {
		t.Errorf("got %d steps, the first with %g in the candidate", len(r.Steps), r.Steps[0].Cand.Median)
	}
	used := 0
	for _, p := range r.Steps {
		if !p.Omission.Omitted() {
			used++
		}
	}
	if c := verdict.MetricOf(r.Metrics, "step_time"); used != c.StepsUsed || used != r.Base.Steps.Used {
		t.Errorf("got %d points in use, %d steps used, %d in the receipt", used, c.StepsUsed, r.Base.Steps.Used)
	}
	if r.Base.Steps.WarmUp == 0 || r.Base.Steps.Found != 60 || r.Base.Steps.Kept != 58 {
		t.Errorf("receipt: got %+v", r.Base.Steps)
	}
}

func TestRankRows(t *testing.T) {
	parts := map[run.Key]func(int, int) float64{
		{Metric: "compute_time"}: constant(0.07), {Metric: "exposed_comm_time"}: constant(0.01),
		{Metric: "exposed_memory_time"}: constant(0.003), {Metric: "idle_time"}: constant(0.017),
	}
	j := job{ranks: []int{-1, -1, 4}, steps: 20, step: steady(0.1, 0), series: parts}
	base := setOf("a", j)
	j.ranks = []int{-1, 5}
	r := compare(base, setOf("b", j))
	var got []string
	for _, row := range r.Ranks {
		got = append(got, fmt.Sprintf("%d %v %v", row.Rank, row.Base.Present, row.Cand.Present))
		for _, s := range []RankSide{row.Base, row.Cand} {
			b := s.Breakdown
			if s.Present && (b.Step != b.Compute+b.ExposedComm+b.ExposedMemory+b.Idle || math.Abs(b.Step-0.1) > 1e-12) {
				t.Errorf("rank %d: breakdown %+v does not add up", row.Rank, b)
			}
			if s.Present && (len(s.Steps) != 20 || len(s.Omissions) != 20 || len(s.Values["compute_time"]) != 20 || !(s.Box[0] < s.Box[4])) {
				t.Errorf("rank %d: got %d steps, box %v", row.Rank, len(s.Steps), s.Box)
			}
		}
	}
	if want := []string{"-1 true true", "-1 true false", "4 true false", "5 false true"}; !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
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
		s := setOf("x", job{ranks: upTo(2), steps: 12, step: constant(0.1)})
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
	r := compare(mk(0), mk(1e-5))
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
