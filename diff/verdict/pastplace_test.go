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

// TestOtherHosts: a single run on another host fails no build, unless runs on three hosts say what hosts
// differ by, or several runs of the other side are on it; hosts that nothing names are not other ones.
func TestOtherHosts(t *testing.T) {
	cand := func(host string) *run.Set { return on(host, difftest.PastStep("cand", 99*60e9, .13)) }
	quiet := mains(.1, .1001, .1, .0999, .1, .1, .1001, .1)
	spread := append(mains(.1, .1001, .1, .0999, .1, .1), on("n2", mainRun(6, .1)), on("n3", mainRun(7, .1)))
	for _, tt := range []struct {
		name    string
		cand    *run.Set
		history []*run.Set
		want    diff.GateState
		class   string // of the difference in hosts; "" there is none
	}{
		{"one host", cand("n1"), nil, diff.GateFailed, ""},
		{"another host", cand("n9"), nil, diff.GateNotJudged, policy.ClassLook},
		{"a host that is not known", cand(""), nil, diff.GateFailed, policy.ClassHarmless},
		{"another host than all past runs'", cand("n9"), quiet, diff.GateNotJudged, policy.ClassLook},
		{"past runs of three hosts", cand("n9"), spread, diff.GateFailed, policy.ClassHarmless},
		{"one of the past runs' hosts", cand("n3"), spread, diff.GateFailed, policy.ClassHarmless},
	} {
		level := verdict.FindCurrentLevel(difftest.PastStep("now", 50*60e9, .1), tt.cand, tt.history, policy.DefaultPolicy())
		r := diff.Compare(level.Base, tt.cand, policy.DefaultPolicy(), diff.Options{History: tt.history, Level: level})
		class := ""
		for _, d := range r.Differences {
			if d.Name == policy.Hosts {
				class = d.Class
			}
		}
		if r.Gate.State != tt.want || class != tt.class || r.Verdict != verdict.Regressed {
			t.Errorf("%s: %v, gate %s, hosts %q, want regressed, %s and %q: %s", tt.name, r.Verdict, r.Gate.State, class, tt.want, tt.class, difftest.GateLineOf(r))
		}
	}
}
