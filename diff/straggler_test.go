package diff

import (
	"strings"
	"testing"

	"perfdiff/analyze/run"
	"perfdiff/diff/number"
)

// with is a set of four ranks of which one, if not -1, computes 20 ms longer and
// arrives last at all three collectives of a step, while the others wait.
func with(late int) *run.Set {
	step := 0.06
	if late >= 0 {
		step = 0.08
	}
	of := func(usual, ofLate, ofOthers float64) func(rank, s int) float64 {
		w := wobble(1)
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
	return setOf("a", job{ranks: upTo(4), world: 4, steps: 40, step: steady(step, 0), series: map[run.Key]func(int, int) float64{
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
		{"comes", with(-1), with(2), "Rank 2 arrives last at 100 % of all collectives: it computes 20.0 ms a step longer than the median rank, and the others wait."},
		{"goes", with(2), with(-1), "In the baseline rank 2 arrives last at 100 % of all collectives: it computes 20.0 ms a step longer than the median rank; in the candidate no longer."},
		{"stays", with(2), with(2), ""}, {"none", with(-1), with(-1), ""},
	} {
		r := compare(tt.base, tt.cand)
		got := ""
		for _, f := range r.Findings {
			if f.Metric == "exposed_wait_time" {
				got = strings.ReplaceAll(f.Text, number.Space, " ")
			}
		}
		if got != tt.want {
			t.Errorf("%s: got %q want %q", tt.name, got, tt.want)
		}
	}
}

// TestPatterns: a node whose ranks are all late, and ranks that take turns, are told
// from one slow rank.
func TestPatterns(t *testing.T) {
	mk := func(late func(rank, step int) bool) *run.Set {
		of := func(usual, ofLate, ofOthers float64) func(rank, s int) float64 {
			w := wobble(1)
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
		return setOf("a", job{ranks: upTo(16), world: 16, steps: 48, step: steady(step, 0), series: map[run.Key]func(int, int) float64{
			{Metric: "compute_time"}: of(.05, .07, .05), {Metric: "last_arrivals"}: of(.2, 1, 0),
			{Metric: "exposed_wait_time"}: of(.001, 0, .02), {Metric: "exposed_transfer_time"}: of(.009, .009, .009),
		}})
	}
	for _, tt := range []struct {
		name string
		late func(rank, step int) bool
		want []string
	}{
		{"node", func(rank, _ int) bool { return rank >= 8 }, []string{"The ranks of node1 arrive last at 100", "they compute 20.0 ms a step longer than those of other nodes"}},
		{"rotating", func(rank, step int) bool { return rank == step%16 }, []string{"Another rank arrives last from step to step", "the last one computes 20.0 ms longer than the median rank in its step"}},
	} {
		r := compare(mk(nil), mk(tt.late))
		got := strings.ReplaceAll(r.Findings[0].Text, number.Space, " ")
		for _, w := range tt.want {
			if !strings.Contains(got, w) || r.Findings[0].Advice == "" || r.Findings[0].Evidence == "" {
				t.Errorf("%s: got %q, want %q", tt.name, got, w)
			}
		}
	}
}
