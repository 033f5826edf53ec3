package cause_test

import (
	"slices"
	"strings"
	"testing"

	"perfdiff/analyze/run"
	"perfdiff/diff/cause"
	"perfdiff/diff/difftest"
	"perfdiff/diff/policy"
	"perfdiff/render/number"
)

// with is a set of four ranks of which one, if not -1, computes 20 ms longer and
// arrives last at all three collectives of a step, while the others wait.
func with(late int) *run.Set {
	step := 0.06
	if late >= 0 {
		step = 0.08
	}
	of := func(usual, ofLate, ofOthers float64) func(rank, s int) float64 {
		w := difftest.Wobble(1)
		return func(rank, s int) float64 {
			switch {
			case late < 0:
				return usual * w(rank, s)
			case rank == late:
				return ofLate * w(rank, s)
			}
			return ofOthers * w(rank, s)
		}
	}
	return difftest.SetOf("a", difftest.Job{Ranks: difftest.UpTo(4), World: 4, Steps: 40, Step: difftest.Steady(step, 0), Series: map[run.Key]func(int, int) float64{
		{Metric: "compute_time"}: of(.05, .07, .05), {Metric: "last_arrivals"}: of(.75, 3, 0),
		{Metric: "exposed_wait_time"}: of(.001, 0, .02), {Metric: "exposed_transfer_time"}: of(.009, .009, .009),
	}})
}

func TestStragglers(t *testing.T) {
	for _, tt := range []struct {
		name       string
		base, cand *run.Set
		want       string
	}{
		{"comes", with(-1), with(2), "Rank 2 arrives last at 100 % of all collectives: it computes 20 ms per step longer than the median rank, and the others wait."},
		{"goes", with(2), with(-1), "In the baseline rank 2 arrives last at 100 % of all collectives: it computes 20 ms per step longer than the median rank; in the candidate no longer."},
		{"stays", with(2), with(2), ""}, {"none", with(-1), with(-1), ""},
	} {
		r := difftest.Compare(tt.base, tt.cand)
		got := ""
		for _, f := range r.Findings {
			if f.Metric == "exposed_wait_time" {
				got = strings.ReplaceAll(difftest.TextOf(r, &f), number.Space, " ")
			}
		}
		if got != tt.want {
			t.Errorf("%s: got %q want %q", tt.name, got, tt.want)
		}
	}
}

// TestHiddenWaits: where others wait for a late rank under compute, and only the transfer is
// no longer hidden, the rank is the cause, told first, and not the streams.
func TestHiddenWaits(t *testing.T) {
	side := func(late float64) *run.Set {
		of := func(usual, ofLate, ofOthers float64) func(rank, s int) float64 {
			w := difftest.Wobble(1)
			return func(rank, s int) float64 {
				if rank == 2 {
					return (usual + late*ofLate) * w(rank, s)
				}
				return (usual + late*ofOthers) * w(rank, s)
			}
		}
		return difftest.SetOf("a", difftest.Job{Ranks: difftest.UpTo(8), World: 8, Steps: 40, Step: difftest.Steady(0.1+0.007*late, 0), Series: map[run.Key]func(int, int) float64{
			{Metric: "compute_time"}: of(.07, .007, 0), {Metric: "last_arrivals"}: of(.1, 3, -.1), {Metric: "exposed_wait_time"}: of(.0001, 0, 0),
			{Metric: "exposed_transfer_time"}: of(.003, .001, .008), {Metric: "exposed_comm_time"}: of(.003, .001, .008),
			{Metric: "comm_wait_time"}: of(.0005, 0, .007), {Metric: "comm_transfer_time"}: of(.012, 0, 0),
		}})
	}
	for _, tt := range []struct {
		name       string
		base, cand *run.Set
		want       []string
	}{
		{"comes", side(0), side(1), []string{"Rank 2 arrives last at ", "late ranks push the transfer out of the compute that hides it; the transfer itself "}},
		{"goes", side(1), side(0), []string{"In the baseline rank 2 arrives last at ", "late ranks no longer push the transfer out of the compute that hides it; "}},
		{"stays", side(1), side(1), nil},
	} {
		var got []string
		r := difftest.Compare(tt.base, tt.cand)
		for _, f := range r.Findings {
			if f.Class.Judges() || f.NeedsRuns() {
				got = append(got, difftest.Plain(difftest.TextOf(r, &f))+" "+string(f.Advice.Kind))
			}
		}
		ok := len(got) >= len(tt.want) && (len(got) == 0) == (tt.want == nil)
		for i, want := range tt.want {
			ok = ok && strings.Contains(got[i], want) && !strings.Contains(got[i], string(cause.AdviceStreams))
		}
		if !ok {
			t.Errorf("%s: got %q, want %q", tt.name, got, tt.want)
		}
	}
}

// TestPatterns: a node whose ranks are all late, and ranks that take turns, are told
// from one slow rank.
func TestPatterns(t *testing.T) {
	mk := func(late func(rank, step int) bool) *run.Set {
		of := func(usual, ofLate, ofOthers float64) func(rank, s int) float64 {
			w := difftest.Wobble(1)
			return func(rank, s int) float64 {
				switch {
				case late == nil:
					return usual * w(rank, s)
				case late(rank, s):
					return ofLate * w(rank, s)
				}
				return ofOthers * w(rank, s)
			}
		}
		step := 0.06
		if late != nil {
			step = 0.08
		}
		return difftest.SetOf("a", difftest.Job{Ranks: difftest.UpTo(16), World: 16, Steps: 48, Step: difftest.Steady(step, 0), Series: map[run.Key]func(int, int) float64{
			{Metric: "compute_time"}: of(.05, .07, .05), {Metric: "last_arrivals"}: of(.2, 1, 0),
			{Metric: "exposed_wait_time"}: of(.001, 0, .02), {Metric: "exposed_transfer_time"}: of(.009, .009, .009),
		}})
	}
	for _, tt := range []struct {
		name string
		late func(rank, step int) bool
		want []string
	}{
		{"node", func(rank, _ int) bool { return rank >= 8 }, []string{"The ranks of node1 arrive last at 100", "they compute 20 ms per step longer than those of other nodes"}},
		{"rotating", func(rank, step int) bool { return rank == step%16 }, []string{"Another rank arrives last from step to step", "the last one computes 20 ms longer than the median rank in its step"}},
	} {
		r := difftest.Compare(mk(nil), mk(tt.late))
		got := strings.ReplaceAll(difftest.TextOf(r, &r.Findings[0]), number.Space, " ")
		for _, w := range tt.want {
			if !strings.Contains(got, w) || difftest.Shown(r, &r.Findings[0]).Advice == "" || difftest.Shown(r, &r.Findings[0]).Evidence == "" {
				t.Errorf("%s: got %q, want %q", tt.name, got, w)
			}
		}
	}
}

// TestHiddenStragglers: a rank that is nearly as late as the one that is waited for is late as
// well, though nobody waits for it; one that is only half as late has to be waited for.
func TestHiddenStragglers(t *testing.T) {
	side := func(second, waited float64) *run.Set {
		w := difftest.Wobble(1)
		more, last := []float64{5: second, 2: .02, 7: 0}, []float64{5: waited, 2: 3, 7: 0}
		return difftest.SetOf("a", difftest.Job{Ranks: difftest.UpTo(8), World: 8, Steps: 40, Step: difftest.Steady(0.08, 0), Series: map[run.Key]func(int, int) float64{
			{Metric: "compute_time"}:      func(rank, s int) float64 { return (.05 + more[rank]) * w(rank, s) },
			{Metric: "last_arrivals"}:     func(rank, _ int) float64 { return last[rank] },
			{Metric: "exposed_wait_time"}: func(rank, s int) float64 { return (.02 - more[rank]) * w(rank, s) },
		}})
	}
	for _, c := range []struct {
		name           string
		second, waited float64
		want           []int
	}{
		{"as late, hidden", .018, 0, []int{2, 5}}, {"less late, hidden", .015, 0, []int{2}}, {"less late, waited for", .015, 1, []int{2, 5}},
		{"half as late, waited for", .0105, 1, []int{2, 5}}, {"less than half as late, waited for", .009, 1, []int{2}}, {"not late", 0, 0, []int{2}},
	} {
		base := side(c.second, c.waited)
		p := difftest.NewPair(base, base, policy.DefaultPolicy())
		got, known := cause.FindLate(p.Base)
		if !known || !slices.Equal(got.Ranks, c.want) {
			t.Errorf("%s: got ranks %v (known %v), want %v", c.name, got.Ranks, known, c.want)
		}
	}
}
