package cause_test

import (
	"math"
	"strings"
	"testing"

	"perfdiff/analyze/run"
	"perfdiff/diff"
	"perfdiff/diff/cause"
	"perfdiff/diff/difftest"
	"perfdiff/diff/policy"
	"perfdiff/diff/sides"
	"perfdiff/diff/verdict"
	"perfdiff/render/number"
)

// TestLateByTime: a rank that is last by microseconds at most collectives is not who
// the others wait for.
func TestLateByTime(t *testing.T) {
	side := func(late bool) *run.Set {
		set := with(-1)
		for i := range set.Runs[0].Ranks {
			r := &set.Runs[0].Ranks[i]
			for k := range r.Series {
				for s := range r.Series[k].Values {
					switch r.Series[k].Metric {
					case "last_arrivals": // rank 0 at nine of ten
						r.Series[k].Values[s] = map[int]float64{0: 2.7, 2: 0.3}[r.Rank]
					case "compute_time":
						if late && r.Rank == 2 {
							r.Series[k].Values[s] += 0.02
						}
					case "exposed_wait_time":
						if late && r.Rank != 2 {
							r.Series[k].Values[s] += 0.02
						}
					}
				}
			}
			if r.Rank != 0 {
				r.Waits = append(r.Waits, run.Wait{For: 0, Time: 40_000})
			}
			if late && r.Rank != 2 {
				r.Waits = append(r.Waits, run.Wait{For: 2, Time: 800_000_000})
			}
		}
		return set
	}
	r := difftest.Compare(side(false), side(true))
	if got := strings.ReplaceAll(difftest.TextOf(r, &r.Findings[0]), number.Space, " "); !strings.HasPrefix(got, "Rank 2 is waited for most, 100 % of all waiting: it computes 20 ms per step longer") {
		t.Errorf("got %q", got)
	}
}

// TestWholeNode: ranks that are late as often as their number says are no slow node.
func TestWholeNode(t *testing.T) {
	s := &sides.Side{}
	r := &sides.Run{}
	for i := range 10 {
		host := "a"
		if i == 9 {
			host = "b"
		}
		waits := []run.Wait{{For: i, Time: 100}}
		r.Ranks = append(r.Ranks, &sides.Rank{Rank: &run.Rank{Rank: i, Host: host, Waits: waits}})
	}
	s.Runs = []*sides.Run{r}
	if l, ok := cause.FindLate(s); !ok || l.Kind != "rotating" {
		t.Errorf("got %+v", l)
	}
}

// TestComputeWhy: more calls are no clock, and what goes the other way is no cause.
func TestComputeWhy(t *testing.T) {
	kernels := func(list ...cause.Kernel) []cause.Kernel {
		for i := range list {
			k := &list[i]
			k.Class, k.Family, k.Delta = "compute", "GEMM", k.CandTime-k.BaseTime
			*k = cause.KernelRow(k.Name, cause.KernelSum{Time: k.BaseTime, Calls: k.BaseCalls}, cause.KernelSum{Time: k.CandTime, Calls: k.CandCalls}, 1)
			k.Family = "GEMM"
		}
		return list
	}
	p := difftest.NewPair(&run.Set{}, &run.Set{}, policy.DefaultPolicy())
	for _, tt := range []struct {
		name    string
		shift   float64
		c       verdict.Comparison
		kernels []cause.Kernel
		want    string
		never   string
	}{
		{"more calls", 0.125, verdict.Comparison{Base: 0.010, Delta: 0.00125}, kernels(
			cause.Kernel{Name: "a", BaseTime: 0.005, BaseCalls: 96, CandTime: 0.005625, CandCalls: 108}, cause.Kernel{Name: "b", BaseTime: 0.005, BaseCalls: 96, CandTime: 0.005625, CandCalls: 108}), "12.5 % more often", "clock"},
		{"a clock", 0.06, verdict.Comparison{Base: 0.010, Delta: 0.0006}, kernels(
			cause.Kernel{Name: "a", BaseTime: 0.005, BaseCalls: 96, CandTime: 0.0053, CandCalls: 96}, cause.Kernel{Name: "b", BaseTime: 0.005, BaseCalls: 96, CandTime: 0.0053, CandCalls: 96}), "6.00 % longer, as another GPU clock or another amount of work would cause", "often"},
		{"the other way", 0.10, verdict.Comparison{Base: 0.100, Delta: -0.0109}, kernels(
			cause.Kernel{Name: "gone", BaseTime: 0.019, BaseCalls: 1}, cause.Kernel{Name: "b", BaseTime: 0.081, BaseCalls: 9, CandTime: 0.0891, CandCalls: 9}), "which the candidate does not run; besides, all kernels take about 10.0 % longer", "less"},
		{"a replacement that saves", math.NaN(), verdict.Comparison{Base: 0.100, Delta: 0.012}, kernels(
			cause.Kernel{Name: "k2", BaseTime: 0.040, BaseCalls: 4, CandTime: 0.062, CandCalls: 4},
			cause.Kernel{Name: "sgemm_a", BaseTime: 0.020, BaseCalls: 4}, cause.Kernel{Name: "sgemm_b", CandTime: 0.010, CandCalls: 4}), "k2, from 40 to 62 ms", "in place"},
	} {
		r := &diff.Report{KernelShift: tt.shift, Kernels: tt.kernels}
		p.KernelShift, p.Kernels = tt.shift, tt.kernels
		why, _ := p.ComputeWhy(&tt.c)
		if got := because(r, why); !strings.Contains(got, tt.want) || strings.Contains(got, tt.never) {
			t.Errorf("%s: got %q, want %q and not %q", tt.name, got, tt.want, tt.never)
		}
	}
}

// TestIdleWhy: the causes are parts of the mean, a cause that goes the other way explains
// nothing and is told where the others are more than all of it, and no sentence's parts
// are more than its whole.
func TestIdleWhy(t *testing.T) {
	part := func(because string, base, cand float64) cause.Part {
		return cause.Part{PartChange: cause.PartChange{StepPart: cause.StepPart{Key: run.Key{Metric: "idle_time", Part: because}}, Base: base, Cand: cand, Delta: cand - base}}
	}
	p := difftest.NewPair(&run.Set{}, &run.Set{}, policy.DefaultPolicy())
	for _, tt := range []struct {
		name       string
		base, cand float64 // medians
		parts      []cause.Part
		want       string // "" nothing
	}{
		{"one", 0.005, 0.012, []cause.Part{part("host", 0.001, 0.001), part("unknown", 0.004, 0.011)}, "nothing recorded says what the host does (from 4.0 to 11.0 ms)"},
		{"the other way", 0.020, 0.133, []cause.Part{part("input", 0, 0.147), part("launching", 0.020, 0.003), part("host", 0.020, 0.003)},
			"the host waits for input (from 0 to 147 ms)"},
		{"the mean goes the other way", 0.005, 0.012, []cause.Part{part("host", 0.0204, 0.001), part("unknown", 0.004, 0.011)}, ""},
		{"no causes", 0.005, 0.012, nil, ""},
	} {
		r := &diff.Report{Waterfall: cause.Waterfall{Parts: tt.parts}}
		p.Waterfall = r.Waterfall
		why, _, reasons := p.IdleWhy(&verdict.Comparison{Base: tt.base, Cand: tt.cand, Delta: tt.cand - tt.base})
		if got := because(r, why, reasons...); got != tt.want {
			t.Errorf("%s: got %q, want %q", tt.name, got, tt.want)
		}
		whole, _ := p.IdleParts()
		sum := 0.0
		for _, x := range reasons {
			sum += cause.Delta(&x)
		}
		if math.Abs(sum) > math.Abs(cause.Delta(&whole))*(1+cause.BesideThis) {
			t.Errorf("%s: the reasons are %g s of %g", tt.name, sum, cause.Delta(&whole))
		}
	}
}

// TestBoundsOverSharedSteps: a part that only some steps have does not make its bound
// the mean of those.
func TestBoundsOverSharedSteps(t *testing.T) {
	side := func() *run.Set {
		return difftest.SetOf("a", difftest.Job{Ranks: difftest.UpTo(3), Steps: 40,
			Step: func(_, s int) float64 {
				if s%4 == 3 {
					return 0.2
				}
				return 0.1
			},
			Series: map[run.Key]func(int, int) float64{{Metric: "idle_time"}: difftest.Constant(0.01), {Metric: "exposed_comm_time"}: difftest.Constant(0),
				{Metric: "exposed_wait_time"}: func(_, s int) float64 {
					if s%4 == 3 {
						return 0.02
					}
					return math.NaN()
				}}})
	}
	b := difftest.Compare(side(), side()).Bounds
	if !(b[1].Cand <= b[0].Cand) || math.IsNaN(b[0].Cand) || !math.IsNaN(b[3].Cand) {
		t.Errorf("got %+v", b)
	}
}

// TestGapRemains: a gap is left over only where something changed and the baseline has
// it too.
func TestGapRemains(t *testing.T) {
	side := func(step, gap float64) *run.Set {
		series := map[run.Key]func(int, int) float64{{Metric: "compute_time"}: difftest.Steady(0.6*step, 1)}
		if gap > 0 {
			series[run.Key{Metric: "gap_before", Part: "AllReduce"}] = difftest.Constant(gap)
		}
		return difftest.SetOf("a", difftest.Job{Ranks: difftest.UpTo(3), Steps: 40, Step: difftest.Steady(step, 0), Series: series})
	}
	for _, tt := range []struct {
		name       string
		base, cand *run.Set
		want       int
	}{
		{"nothing changed", side(0.1, 0.003), side(0.1, 0.003), 0}, {"not in the baseline", side(0.2, 0), side(0.1, 0.003), 0}, {"left over", side(0.2, 0.003), side(0.1, 0.003), 1},
	} {
		n := 0
		for _, f := range difftest.Compare(tt.base, tt.cand).Findings {
			if f.Class == verdict.ClassRemains {
				n++
			}
		}
		if n != tt.want {
			t.Errorf("%s: got %d", tt.name, n)
		}
	}
}
