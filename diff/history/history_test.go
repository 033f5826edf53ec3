package history_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"perfdiff/analyze/run"
	"perfdiff/diff/difftest"
	"perfdiff/diff/history"
	"perfdiff/diff/policy"
	"perfdiff/diff/series"
	"perfdiff/diff/sides"
	"perfdiff/diff/verdict"
)

func commitOf(n int) string { return fmt.Sprintf("%08x", 0xc0000000+n) }

// runOf is a run of a commit whose steps take so long, in s.
func runOf(commit int, step float64) *run.Set {
	s := difftest.PastStep(fmt.Sprintf("run-%04d", commit), int64(commit)*3600e9, step)
	s.Place, s.Runs[0].Origin.Commit = commit, commitOf(commit)
	return s
}

// runsOf are runs of commits from 1 on that differ by 1 % about 100 ms, and from one commit on by so much more.
func runsOf(n, from int, by float64) (sets []*run.Set) {
	g := rand.New(rand.NewPCG(1, 2))
	for i := 1; i <= n; i++ {
		step := .1 * (1 + .01*g.NormFloat64())
		if i >= from {
			step *= 1 + by
		}
		sets = append(sets, runOf(i, step))
	}
	return sets
}

// lineOf follows runs.
func lineOf(sets []*run.Set, events ...history.Event) *history.Line {
	p := policy.DefaultPolicy()
	of := sides.Of(verdict.MostCommonSet(sets), &run.Set{}, p.Force)
	h, all := verdict.PastOf(of, sets, map[string]verdict.LeftOut{}, verdict.AgainstUsed)
	return history.Of(history.Input{Past: h, Runs: all, Sets: sets, Events: events, Policy: p})
}

// TestLine: the runs are in the order of saving, and what gates comes first; +5 % is one change of level, told with its
// commit and with both levels, and accepted by an event about that commit.
func TestLine(t *testing.T) {
	sets := runsOf(45, 31, .05)
	slices.Reverse(sets)
	l := lineOf(sets)
	if len(l.Runs) != 45 || l.Runs[0].Name != "run-0001/0" && l.Runs[0].From.Commit != commitOf(1) {
		t.Fatalf("got %d runs, the first %+v", len(l.Runs), l.Runs[0])
	}
	if names := l.Names(); len(names) < 2 || names[0] != run.StepTime || names[1] != run.StepTimeMean {
		t.Errorf("followed are %q", names)
	}
	m := l.MetricNamed(run.StepTime)
	if len(m.Changes) != 1 || len(m.Levels) != 2 || !m.Relative || math.Abs(m.SD-.01) > .004 {
		t.Fatalf("got changes %+v, levels %+v, noise %g", m.Changes, m.Levels, m.SD)
	}
	c := &m.Changes[0]
	if wide := c.Last - c.First; c.First > 30 || c.Last < 30 || wide > 2 || c.Commits != wide+1 ||
		!c.Worse || !c.Told || math.Abs(c.Size-.05) > .01 {
		t.Errorf("got %+v", c)
	}
	if now := m.Now(); now.From != c.At || now.To != 45 || math.Abs(now.Value-.105) > .001 ||
		!(now.Lo < now.Value && now.Value < now.Hi) {
		t.Errorf("main stands on %+v", now)
	}
	r := l.Told(m, c)
	if r == nil || !r.Fails || r.Level != m.Levels[0].Value || r.Value != m.Levels[1].Value || r.NB != 45-c.At ||
		!(r.Estimate > 4*r.SE) {
		t.Errorf("told %+v", r)
	}
	other := *c
	if other.At++; l.Told(m, &other) != nil {
		t.Error("what is no change is told")
	}
	base := l.Base("base", 5)
	if len(base.Runs) != 5 || base.Runs[4].Origin.Commit != commitOf(45) {
		t.Errorf("the baseline has %d runs", len(base.Runs))
	}
	if before := l.Before(c, "before", 100); len(before.Runs) != c.At {
		t.Errorf("%d runs are before the change at %d", len(before.Runs), c.At)
	}
	for upTo, want := range map[float64]bool{0: true, .07: true, .02: false} {
		e := history.Event{Kind: history.Accept, Commit: commitOf(c.At + 1), Metric: run.StepTime, UpTo: upTo}
		if got := lineOf(sets, e).MetricNamed(run.StepTime).Changes[0].Accepted != nil; got != want {
			t.Errorf("up to %g: accepted %v", upTo, got)
		}
	}
	e := history.Event{Kind: history.Exclude, Commit: commitOf(45)}
	if base := lineOf(sets, e).Base("base", 5); base.Runs[4].Origin.Commit != commitOf(44) {
		t.Errorf("an excluded run stands in the baseline")
	}
}

// TestNow: main is told to run the commit of a run again that is off, of a change with the run that shows it, and never
// again.
func TestNow(t *testing.T) {
	sets := runsOf(40, 31, .05)
	told, again := 0, 0
	for n := 20; n <= 40; n++ {
		now := lineOf(sets[:n]).Now()
		if now.Repeat.Again {
			again++
		}
		for _, c := range now.Changes {
			if told++; n < 32 || n > 34 || c.Metric.Metric.Name != run.StepTime {
				t.Errorf("with %d runs main is told of %s %+v", n, c.Metric.Metric.Name, c.Change)
			}
		}
		if len(now.Creep) > 0 {
			t.Errorf("with %d runs main crept", n)
		}
	}
	if told != 1 || again == 0 || again > 3 {
		t.Errorf("main is told %d times, and to run a commit again %d times", told, again)
	}
}

// TestRulings: a candidate is held to main's level: what is as main passes, what is 10 % slower fails, and one run that
// is 3 % slower asks for more where it may.
func TestRulings(t *testing.T) {
	l := lineOf(runsOf(30, 31, 0))
	level := l.MetricNamed(run.StepTime).Now().Value
	for by, want := range map[float64][2]bool{0: {}, .03: {true, false}, .1: {true, true}, -.1: {}} {
		cand := runOf(900, level*(1+by))
		key := run.Key{Metric: run.StepTime}
		one, more := l.Rulings(cand, series.Gate{})[key], l.Rulings(cand, series.Gate{Escalate: true})[key]
		if more.Asks != want[0] || one.Fails != want[1] || one.Asks || more.Fails {
			t.Errorf("%+g: alone %+v, of up to three %+v", by, one, more)
		}
		if one.Runs != 30 || one.Level != level || math.Abs(one.Estimate-math.Log1p(by)) > .002 {
			t.Errorf("%+g: got %+v", by, one)
		}
	}
	if r := lineOf(nil).Rulings(runOf(900, .1), series.Gate{}); len(r) > 0 {
		t.Errorf("without main it says %+v", r)
	}
}

// TestSameSteps: a run is measured alike as a candidate and as main's, though main leaves out the longest warm-up of
// all its runs.
func TestSameSteps(t *testing.T) {
	sets := runsOf(12, 13, 0)
	for i, s := range sets {
		difftest.Edit(s, func(k *run.Rank) {
			for j := range k.Series {
				k.Series[j].Values = slices.Clone(k.Series[j].Values)
				for n := range k.Series[j].Values { // it ends within i/2 steps, and the run goes on to fall
					k.Series[j].Values[n] *= (1 + math.Exp(-float64(n)/float64(1+i)*6)) * (1 - .001*float64(n))
				}
			}
		})
	}
	l := lineOf(sets)
	for i, s := range sets {
		cand := *s
		for key, r := range l.Rulings(&cand, series.Gate{}) {
			if main := l.MetricNamed(key.Metric).Values[i]; math.Abs(r.Value/main-1) > 1e-12 {
				t.Errorf("run %d: %s is %g as main's and %g as a candidate's", i, key.Metric, main, r.Value)
			}
		}
	}
}

// TestBisect: of 16 commits the one that is 6 % slower is named; ends without runs, and an unknown metric, are errors.
func TestBisect(t *testing.T) {
	const good, culprit = 29, 11
	l := lineOf(runsOf(46, 30+culprit, .06))
	b, err := l.Bisect(run.StepTime, good, 45, 16)
	if err != nil {
		t.Fatal(err)
	}
	g := rand.New(rand.NewPCG(3, 4))
	step := b.Next()
	for ; step.End == history.NotYet && step.Used < 40; step = b.Next() {
		by := map[bool]float64{true: .06}[step.Commit >= culprit]
		if n := b.Take(step.Commit, runOf(1000+step.Used, .1*(1+by)*(1+.01*g.NormFloat64()))); n != 1 {
			t.Fatalf("%d runs were taken", n)
		}
	}
	if step.Commit != culprit || math.Abs(b.Size(culprit)-.06) > .02 {
		t.Errorf("ended with %+v, a change by %g", step, b.Size(culprit))
	}
	if _, err := l.Bisect("nothing", good, 45, 16); err == nil {
		t.Error("a metric that nobody follows is bisected")
	}
	if _, err := l.Bisect(run.StepTime, -1, 45, 16); err == nil {
		t.Error("a range that begins before all runs is bisected")
	}
}
