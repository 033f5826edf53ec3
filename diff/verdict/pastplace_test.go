package verdict_test

import (
	"math"
	"slices"
	"strings"
	"testing"

	"perfdiff/analyze/run"
	"perfdiff/diff"
	"perfdiff/diff/difftest"
	"perfdiff/diff/policy"
	"perfdiff/diff/sides"
	"perfdiff/diff/verdict"
	"perfdiff/render/words"
)

// TestPastElsewhere: where all past runs are of other hosts than a side, or of another driver,
// runs are taken to differ by the floor at least, and that is said.
func TestPastElsewhere(t *testing.T) {
	quiet := func() []*run.Set { return mains(.1, .1001, .1, .0999, .1, .1, .1001, .1) }
	base, cand := difftest.PastStep("now", 50*60e9, .1), difftest.PastStep("cand", 99*60e9, .1)
	for _, tt := range []struct {
		name       string
		base, cand *run.Set
		history    []*run.Set
		want       string
	}{
		{"the same host", base, cand, quiet(), ""},
		{"the candidate is elsewhere", base, on("n9", difftest.PastStep("cand", 99*60e9, .1)), quiet(), "the past runs are of other hosts than the candidate: theirs are n1, here they are n9: runs are taken to differ by 1.5\u202f% at least"},
		{"both are", on("n9", difftest.PastStep("now", 50*60e9, .1)), on("n9", difftest.PastStep("cand", 99*60e9, .1)), quiet(), "the past runs are of other hosts than the baseline"},
		{"a history of several hosts", base, on("n9", difftest.PastStep("cand", 99*60e9, .1)), append(quiet()[:6], on("n2", mainRun(6, .1)), on("n3", mainRun(7, .1))), ""},
		{"hosts that are not known", base, on("", difftest.PastStep("cand", 99*60e9, .1)), quiet(), ""},
		{"another driver", driver(difftest.PastStep("now", 50*60e9, .1), "560"), driver(difftest.PastStep("cand", 99*60e9, .1), "560"), drivers(quiet(), "550"), "the past runs are of another driver than the baseline: 550 and 560"},
		{"the candidate has another driver", driver(difftest.PastStep("now", 50*60e9, .1), "550"), driver(difftest.PastStep("cand", 99*60e9, .1), "560"), drivers(quiet(), "550"), "the past runs are of another driver than the candidate: 550 and 560"},
	} {
		level := verdict.FindCurrentLevel(tt.base, tt.cand, tt.history, policy.DefaultPolicy())
		r := diff.Compare(level.Base, tt.cand, policy.DefaultPolicy(), diff.Options{History: tt.history, Level: level})
		c := verdict.MetricOf(r.Metrics, sides.StepTime.Metric)
		said := ""
		for _, w := range r.Warnings {
			if strings.HasPrefix(words.Warning(&w), "the past runs are of") {
				said = words.Warning(&w)
			}
		}
		if !strings.HasPrefix(said, tt.want) || tt.want == "" && said != "" || c.History == 0 {
			t.Errorf("%s: got %q, noise of %d runs, want %q", tt.name, said, c.History, tt.want)
		}
		if assumed := c.Floor >= math.Log1p(.0149); assumed != (tt.want != "") {
			t.Errorf("%s: runs are taken to differ by %g", tt.name, c.Floor)
		}
	}
}

func drivers(sets []*run.Set, version string) []*run.Set {
	out := slices.Clone(sets)
	for i := range out {
		driver(out[i], version)
	}
	return out
}
