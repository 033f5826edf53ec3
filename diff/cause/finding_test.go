package cause_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"perfdiff/analyze/run"
	"perfdiff/diff"
	"perfdiff/diff/cause"
	"perfdiff/diff/difftest"
	"perfdiff/diff/policy"
	"perfdiff/diff/verdict"
)

// because is what clauses say behind a sentence; "" of none.
func because(r *diff.Report, why []cause.Clause, reasons ...cause.Reason) string {
	f := cause.NewFinding(policy.KindReplays)
	alone := difftest.Plain(difftest.TextOf(r, &f))
	f.Clauses, f.Reasons = why, reasons
	text := strings.TrimPrefix(difftest.Plain(difftest.TextOf(r, &f)), strings.TrimSuffix(alone, "."))
	return strings.TrimSuffix(strings.TrimPrefix(text, ": "), ".")
}

// lateSet has eight ranks on so many hosts, some of which take 10 ms longer for a phase
// while the others wait.
func lateSet(hosts int, phase string, late ...int) *run.Set {
	is := func(rank int) bool {
		for _, l := range late {
			if l == rank {
				return true
			}
		}
		return false
	}
	w := difftest.Wobble(1)
	step := 0.05
	if len(late) > 0 {
		step = 0.06
	}
	series := map[run.Key]func(int, int) float64{
		{Metric: "compute_time"}: func(rank, s int) float64 {
			v := .03
			if is(rank) && strings.Contains(phase, "compute") {
				v = .04
			}
			return v * w(rank, s)
		},
		{Metric: "input_wait_time"}: func(rank, s int) float64 {
			v := .001
			if is(rank) && strings.Contains(phase, "input") {
				v = .011
			}
			return v * w(rank, s)
		},
		{Metric: "last_arrivals"}: func(rank, s int) float64 {
			switch {
			case len(late) == 0:
				return 3.0 / 8
			case is(rank):
				return 3 / float64(len(late))
			}
			return 0
		},
		{Metric: "exposed_wait_time"}: func(rank, s int) float64 {
			if len(late) > 0 && !is(rank) {
				return .01 * w(rank, s)
			}
			return .0001 * w(rank, s)
		},
		{Metric: "exposed_transfer_time"}: func(rank, s int) float64 { return .002 * w(rank, s) },
	}
	out := difftest.SetOf("a", difftest.Job{Ranks: difftest.UpTo(8), World: 8, Steps: 40, Step: difftest.Steady(step, 0), Series: series})
	for i := range out.Runs[0].Ranks {
		out.Runs[0].Ranks[i].Host = fmt.Sprint("node", i*hosts/8)
	}
	return out
}

// TestWhoIsLate: one rank, some ranks, a node, another of either, and one that is late
// with something else.
func TestWhoIsLate(t *testing.T) {
	for _, tt := range []struct {
		name       string
		base, cand *run.Set
		want       string
	}{
		{"some ranks", lateSet(2, "compute"), lateSet(2, "compute", 1, 3, 6), "+10 ms look: Ranks 1, 3, 6 arrive last at 100 % of all collectives: they compute 10 ms per step longer than the median of the others, and the others wait."},
		{"a node", lateSet(4, "compute"), lateSet(4, "compute", 2, 3), "+10 ms look: The ranks of node1 arrive last at 100 % of all collectives: they compute 10 ms per step longer than those of other nodes, and the others wait."},
		{"input", lateSet(2, "input"), lateSet(2, "input", 5), "+10 ms look: Rank 5 arrives last at 100 % of all collectives: it waits for input 10 ms per step longer than the median rank, and the others wait."},
		{"another rank", lateSet(2, "compute", 3), lateSet(2, "compute", 5), "0 ms look: Rank 5 arrives last at 100 % of all collectives: it computes 10.00 ms per step longer than the median rank, and the others wait. In the baseline rank 3 arrives last at 100 % of all collectives: it computes 10.00 ms per step longer than the median rank."},
		{"another reason", lateSet(2, "compute", 3), lateSet(2, "input", 3), "0 ms look: Rank 3 arrives last at 100 % of all collectives: it waits for input 10.00 ms per step longer than the median rank, and the others wait. In the baseline it computes 10.00 ms per step longer than the median rank."},
		{"two reasons", lateSet(2, "compute input"), lateSet(2, "compute input", 5), "+20 ms look: Rank 5 arrives last at 100 % of all collectives: it computes 10 ms and waits for input 10 ms per step longer than the median rank, and the others wait; the step rose by less, 10 ms."},
		{"no reason recorded", lateSet(2, ""), lateSet(2, "", 5), "+8.7 ms look: Rank 5 arrives last at 100 % of all collectives, and the others wait."},
		{"goes", lateSet(4, "compute", 2, 3), lateSet(4, "compute"), "\u221210 ms look: In the baseline the ranks of node1 arrive last at 100 % of all collectives: they compute 10 ms per step longer than those of other nodes; in the candidate no longer."},
		{"stays", lateSet(4, "compute", 2, 3), lateSet(4, "compute", 2, 3), ""},
	} {
		if got := difftest.SaidOf(difftest.Compare(tt.base, tt.cand), "exposed_wait_time"); got != tt.want {
			t.Errorf("%s:\n got %q\nwant %q", tt.name, got, tt.want)
		}
	}
}

// TestAgainst: waiting that went and a transfer that grew are told apart, also where
// their sum did not change.
func TestAgainst(t *testing.T) {
	of := func(wait, transfer float64) *run.Set {
		w := difftest.Wobble(1)
		at := func(v float64) func(int, int) float64 {
			return func(rank, s int) float64 { return v * w(rank, s) }
		}
		return difftest.SetOf("a", difftest.Job{Ranks: difftest.UpTo(4), Steps: 60, Step: difftest.Steady(.05, 0), Series: map[run.Key]func(int, int) float64{
			{Metric: "exposed_comm_time"}: at(wait + transfer), {Metric: "exposed_wait_time"}: at(wait), {Metric: "exposed_transfer_time"}: at(transfer),
		}})
	}
	r := difftest.Compare(of(.008, .002), of(.002, .008))
	if got := difftest.SaidOf(r, "exposed_transfer_time"); !strings.HasPrefix(got, "+6.0 ms look: Exposed transfer rose from 2.0 to 8.0 ms per step; the step as a whole did not rise.") {
		t.Errorf("got %q", got)
	}
	if got := difftest.SaidOf(r, "exposed_comm_time"); got != "" {
		t.Errorf("the sum: got %q", got)
	}
}

// TestDriftWords: what the sentence says is what both sides do.
func TestDriftWords(t *testing.T) {
	course := func(rise float64, seed uint64) *run.Set {
		w := difftest.NoisySteps(0.1, 0.002, seed)
		return difftest.One(100, 0, func(rank, s int) float64 { return w(rank, s) * (1 + rise*(float64(s)/99-0.5)) })
	}
	for _, tt := range []struct {
		base, cand float64
		want       string
	}{
		{0, .4, "look: Steps grow over the run in the candidate: the baseline shows no trend (100 ms), the candidate goes from 80."},
		{.4, 0, "look: Steps no longer grow over the run"}, {.2, .6, "look: Steps grow more over the run"}, {.6, .2, "look: Steps grow less over the run"},
		{0, -.4, "look: Steps shrink over the run in the candidate"}, {-.4, 0, "look: Steps no longer shrink over the run"},
		{-.3, .3, "look: Steps grow over the run instead of shrinking"}, {.3, -.3, "look: Steps shrink over the run instead of growing"},
		{-.2, -.6, "look: Steps shrink more over the run"}, {-.6, -.2, "look: Steps shrink less over the run"}, {0, 0, ""},
	} {
		if got := difftest.SaidOf(difftest.Compare(course(tt.base, 1), course(tt.cand, 2)), "drift"); !strings.Contains(got, tt.want) || (got == "") != (tt.want == "") {
			t.Errorf("%v to %v: got %q, want %q", tt.base, tt.cand, got, tt.want)
		}
	}
}

// TestJumpIsNoDrift: steps that take longer from one step on for good are told as that, and not
// as steps that grow over the run.
func TestJumpIsNoDrift(t *testing.T) {
	course := func(jump float64, seed uint64) *run.Set {
		w := difftest.NoisySteps(0.1, 0.002, seed)
		return difftest.One(60, 0, func(rank, s int) float64 {
			if s >= 30 {
				return w(rank, s) * (1 + jump)
			}
			return w(rank, s)
		})
	}
	for _, jumps := range [][2]float64{{0, .4}, {.4, 0}} {
		kinds := map[policy.Kind]int{}
		for _, f := range difftest.Compare(course(jumps[0], 1), course(jumps[1], 2)).Findings {
			kinds[f.Kind]++
		}
		if kinds[policy.KindLevelChange] != 1 || kinds[policy.KindDrift] != 0 {
			t.Errorf("%v: got findings %v, want one change of level and no drift", jumps, kinds)
		}
	}
}

// TestSpikesWithoutPeriod: slow steps at odd places, and none on the other side.
func TestSpikesWithoutPeriod(t *testing.T) {
	spiky := func(places ...int) *run.Set {
		w := difftest.NoisySteps(0.1, 0.002, 1)
		return difftest.One(80, 0, func(rank, s int) float64 {
			v := w(rank, s)
			for _, at := range places {
				if at == s {
					v *= 2
				}
			}
			return v
		})
	}
	if got := difftest.SaidOf(difftest.Compare(spiky(), spiky(11, 20, 41, 52, 70)), "tail"); !strings.Contains(got, "worse: 5 steps of the candidate take 99.8 ms longer than their neighbours, 6.24 ms per step") {
		t.Errorf("got %q", got)
	}
	if got := difftest.SaidOf(difftest.Compare(spiky(30), spiky(11, 20)), "tail"); got != "" {
		t.Errorf("one and two: got %q", got)
	}
}

// TestWarmUpFinding: a warm-up that became longer, which the comparison leaves out.
func TestWarmUpFinding(t *testing.T) {
	warm := func(steps int, seed uint64) *run.Set {
		w := difftest.NoisySteps(0.1, 0.002, seed)
		return difftest.One(80, 0, func(rank, s int) float64 {
			v := w(rank, s)
			if s < steps {
				v *= 2
			}
			return v
		})
	}
	got := difftest.SaidOf(difftest.Compare(warm(0, 1), warm(12, 2)), "step_time")
	if !strings.HasPrefix(got, "+11 steps look: The warm-up takes 11 steps in the candidate and 0 steps in the baseline, which costs 1") {
		t.Errorf("got %q", got)
	}
	if got := difftest.SaidOf(difftest.Compare(warm(3, 1), warm(4, 2)), "step_time"); got != "" {
		t.Errorf("3 and 4 steps: got %q", got)
	}
}

// TestCancelling: kernels that move against each other are named although compute as a
// whole did not change; TestSharedBy: a clock of some devices is not one of all.
func TestCancelling(t *testing.T) {
	p := difftest.NewPair(&run.Set{}, &run.Set{}, policy.DefaultPolicy())
	p.Step = 0.03
	kernel := func(name string, cand float64) cause.Kernel {
		k := cause.KernelRow(name, cause.KernelSum{Time: .006, Calls: 4}, cause.KernelSum{Time: cand, Calls: 4}, 1)
		k.BeyondNoise = true
		return k
	}
	up, down := kernel("up", .009), kernel("down", .003)
	r := &diff.Report{Kernels: []cause.Kernel{up, down}}
	p.Kernels = r.Kernels
	if got := because(r, p.Cancelling(&verdict.Comparison{Base: .05, Cand: .05})); !strings.Contains(got, "within it up, from 6.0 to 9.0") || !strings.Contains(got, "and down, from 6.0 to 3.0") {
		t.Errorf("got %q", got)
	}
	r.Kernels[1].BeyondNoise = false
	if got := p.Cancelling(&verdict.Comparison{Base: .05, Cand: .05}); got != nil {
		t.Errorf("one alone: got %v", got)
	}
	p.Kernels = []cause.Kernel{up, kernel("less up", .008)}
	if got := p.Cancelling(&verdict.Comparison{Base: .05, Cand: .05}); got != nil {
		t.Errorf("two that go one way: got %v", got)
	}
	r.Kernels = []cause.Kernel{up, kernel("less up", .008), down, kernel("less down", .004)}
	p.Kernels = r.Kernels
	if got := because(r, p.Cancelling(&verdict.Comparison{Base: .05, Cand: .05})); !strings.Contains(got, "within it up, from") || !strings.Contains(got, "and down, from") {
		t.Errorf("of several the largest: got %q", got)
	}
}

func TestSharedBy(t *testing.T) {
	of := func(slow ...int) *run.Set {
		return difftest.SetOf("a", difftest.Job{Ranks: difftest.UpTo(4), Steps: 20, Step: difftest.Steady(.05, 0), Series: map[run.Key]func(int, int) float64{
			{Metric: "compute_time"}: func(rank, s int) float64 {
				for _, r := range slow {
					if r == rank {
						return .033
					}
				}
				return .03
			}}})
	}
	for _, tt := range []struct{ slow, want []int }{{[]int{0, 1, 2, 3}, nil}, {[]int{2, 3}, []int{2, 3}}, {[]int{1}, []int{1}}} {
		if got := difftest.NewPair(of(), of(tt.slow...), policy.DefaultPolicy()).SharedBy(0.05); !slices.Equal(got, tt.want) {
			t.Errorf("%v: got %v want %v", tt.slow, got, tt.want)
		}
	}
}

// TestReplays: graph replays against single kernels are a difference to know of.
func TestReplays(t *testing.T) {
	p := difftest.NewPair(&run.Set{}, &run.Set{}, policy.DefaultPolicy())
	p.NotCompared.Replays[1] = true
	different, _ := verdict.Facts(p.Terms, nil)
	if len(different) != 1 || different[0].Name != "CUDA graphs" || different[0].Class != policy.ClassLook {
		t.Errorf("got %+v", different)
	}
}

// TestHostBlames sums up ranks by host, where there are several.
func TestHostBlames(t *testing.T) {
	rank := func(n int, host string, last, causes, compute float64) cause.RankWait {
		return cause.RankWait{Rank: n, Host: host, LastShare: last, CausedWait: causes, LongerBy: map[string]float64{"compute": compute}}
	}
	got := cause.HostWaits([]cause.RankWait{rank(0, "b", .1, .001, 0), rank(1, "a", .5, .004, .002), rank(2, "b", .1, .001, 0), rank(3, "a", .3, .002, .004)})
	if len(got) != 2 || got[0].Host != "a" || got[0].LastShare != .8 || got[0].CausedWait != .006 || got[0].LongerBy["compute"] != .003 || got[1].CausedWait != .002 {
		t.Errorf("got %+v", got)
	}
	if cause.HostWaits([]cause.RankWait{rank(0, "a", 1, 1, 1)}) != nil || cause.HostWaits([]cause.RankWait{rank(0, "", 1, 1, 1), rank(1, "a", 1, 1, 1)}) != nil {
		t.Error("one host, or unknown ones: got some")
	}
}
