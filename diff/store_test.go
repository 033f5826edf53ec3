package diff_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"perfdiff/analyze/run"
	"perfdiff/analyze/trace"
	"perfdiff/diff"
	"perfdiff/diff/difftest"
	"perfdiff/diff/history"
	"perfdiff/diff/policy"
	"perfdiff/diff/verdict"
)

// storeOfMain is a store of main of a project whose steps take 100 ms, and whose runs differ by 1 % or as said.
type storeOfMain struct {
	g      *rand.Rand
	sd     float64
	sets   []*run.Set
	events []history.Event
	commit int    // main's newest
	host   string // of the next run
	drawn  int
}

func newStoreOfMain(seed uint64) *storeOfMain {
	return &storeOfMain{g: rand.New(rand.NewPCG(seed, 3)), sd: .01, host: "n1"}
}

// run draws a run of a commit whose steps take 1 + by times as long.
func (m *storeOfMain) run(commit int, by float64) *run.Set {
	m.drawn++
	s := difftest.PastStep(fmt.Sprintf("run-%04d", m.drawn), int64(m.drawn)*3600e9, .1*(1+by)*(1+m.sd*m.g.NormFloat64()))
	difftest.Edit(s, func(k *run.Rank) { k.Host = m.host })
	s.Runs[0].Origin.Commit = commitOf(commit)
	return s
}

func commitOf(n int) string { return fmt.Sprintf("%08x", 0xc0000000+n) }

// keep saves a run.
func (m *storeOfMain) keep(s *run.Set) {
	s.Place = len(m.sets) + 1
	m.sets = append(m.sets, s)
}

// merge saves a run of each of so many commits that take 1 + by times as long.
func (m *storeOfMain) merge(n int, by float64) *storeOfMain {
	for range n {
		m.commit++
		m.keep(m.run(m.commit, by))
	}
	return m
}

// contents is what the gate reads.
func (m *storeOfMain) contents(main bool) diff.StoreContents {
	return diff.StoreContents{Sets: m.sets, Events: m.events, Main: main, Now: time.Unix(1e9, 0)}
}

// judge gates a candidate of these runs.
func (m *storeOfMain) judge(main bool, escalate bool, runs ...*run.Set) *diff.Report {
	cand := *runs[0]
	cand.Label = "candidate"
	for _, s := range runs[1:] {
		cand.Runs, cand.Files = append(slices.Clone(cand.Runs), s.Runs...), append(slices.Clone(cand.Files), s.Files...)
	}
	p := policy.DefaultPolicy()
	p.Escalate = escalate
	return diff.CompareStore(&cand, diff.NewStore("main", &cand, m.contents(main), p), p, diff.Options{})
}

// pullRequest gates a pull request whose steps take 1 + by times as long, with one run or, where that asks for more, three.
func (m *storeOfMain) pullRequest(by float64) *diff.Report {
	one := m.run(900_000, by)
	r := m.judge(false, true, one)
	if r.Gate.State == diff.GateMoreRuns && r.Gate.Causes[0].Kind != diff.CauseMainUnsure {
		r = m.judge(false, true, one, m.run(900_000, by), m.run(900_000, by))
	}
	return r
}

// next gates main's next commit as the command does: its run is saved whatever it is told, and run again while it asks
// for that. It returns what each run is told.
func (m *storeOfMain) next(by float64, odd ...float64) (out []*diff.Report) {
	m.commit++
	for i := 0; ; i++ {
		d := by
		if i < len(odd) {
			d += odd[i]
		}
		s := m.run(m.commit, d)
		r := m.judge(true, false, s)
		m.keep(s)
		if out = append(out, r); r.Gate.State != diff.GateMoreRuns {
			return out
		}
	}
}

// told lists the states of gates.
func told(all []*diff.Report) string {
	var out []string
	for _, r := range all {
		out = append(out, string(r.Gate.State))
	}
	return strings.Join(out, ", ")
}

// saidBy is what a gate says.
func saidBy(r *diff.Report) string {
	return difftest.Plain(difftest.HeadlineOf(r) + " | " + difftest.GateLineOf(r))
}

// TestGateByMain: a pull request fails for what it does.
func TestGateByMain(t *testing.T) {
	const pulls = 20
	for _, tt := range []struct {
		name       string
		main       func(m *storeOfMain)
		same, slow int // at most so many unchanged fail of 20, at least so many that are 5 % slower
	}{
		{"30 runs", func(m *storeOfMain) { m.merge(30, 0) }, 0, 19},
		{"the newest of 30 fast by chance", func(m *storeOfMain) { m.merge(29, 0).merge(1, -.05) }, 1, 19},
		{"the newest of 30 slow by chance", func(m *storeOfMain) { m.merge(29, 0).merge(1, .05) }, 0, 0},
		{"+5 % merged", func(m *storeOfMain) { m.merge(30, 0).merge(1, .05) }, 1, 0},
		{"+5 % merged two runs ago", func(m *storeOfMain) { m.merge(30, 0).merge(2, .05) }, 1, 0},
		{"+5 % merged five runs ago", func(m *storeOfMain) { m.merge(30, 0).merge(5, .05) }, 1, 12},
	} {
		same, slow := 0, 0
		for seed := range uint64(pulls) {
			m := newStoreOfMain(seed + 100)
			tt.main(m)
			level := 0.0
			if strings.HasPrefix(tt.name, "+5 %") {
				level = .05
			}
			if r := m.pullRequest(level); r.Gate.State == diff.GateFailed {
				same++
			}
			if r := m.pullRequest(level + .05); r.Gate.State == diff.GateFailed {
				slow++
			}
		}
		t.Logf("%s: of %d unchanged %d fail, of %d that are 5 %% slower %d", tt.name, pulls, same, pulls, slow)
		if same > tt.same || slow < tt.slow {
			t.Errorf("%s: of %d unchanged %d fail, of %d that are 5 %% slower %d; want at most %d and at least %d", tt.name, pulls, same, pulls, slow, tt.same, tt.slow)
		}
	}
}

// TestMainFails: main is told of +5 % once, after its own commit was run three times, and by then pull requests are held
// to the new level; the range names the commit.
func TestMainFails(t *testing.T) {
	m := newStoreOfMain(1)
	m.merge(30, 0)
	all := m.next(.05)
	if got := told(all); got != "more runs, more runs, failed" {
		t.Fatalf("main is told %s: %s", got, saidBy(all[len(all)-1]))
	}
	r := all[2]
	c := r.Gate.Causes[0]
	if c.Kind != diff.CauseMainChanged || c.Shift.From.Commit != commitOf(31) || c.Shift.Until.Commit != commitOf(31) || c.Shift.After.Commit != commitOf(30) {
		t.Errorf("got %+v", c.Shift)
	}
	if len(r.Gate.Causes) != 1 || !strings.Contains(saidBy(r), "between c000001e and c000001f (1 commit)") || !strings.Contains(saidBy(r), "--accept c000001f --metric step_time --up-to ") {
		t.Errorf("said %s", saidBy(r))
	}
	for i := range 10 {
		if all := m.next(.05); all[len(all)-1].Gate.State != diff.GatePassed {
			t.Errorf("commit %d after it is told %s: %s", i, told(all), saidBy(all[len(all)-1]))
		}
		if r := m.pullRequest(.05); r.Gate.State != diff.GatePassed {
			t.Errorf("an unchanged pull request on commit %d after it: %s: %s", i, r.Gate.State, saidBy(r))
		}
	}
	if open := r.StoreFindings.Open; len(open) == 0 {
		t.Error("the change is not listed as open")
	}
}

// TestMainAccepted: a change that people accepted is green and no more open, whichever run is gated.
func TestMainAccepted(t *testing.T) {
	for upTo, want := range map[float64]diff.GateState{.07: diff.GatePassed, .02: diff.GateFailed, 0: diff.GatePassed} {
		m := newStoreOfMain(1)
		m.merge(30, 0)
		m.events = []history.Event{{Kind: history.Accept, Commit: commitOf(31), Metric: run.StepTime, UpTo: upTo, Reason: "checked gradients", By: "ana"}}
		all := m.next(.05)
		r := all[len(all)-1]
		if r.Gate.State != want {
			t.Errorf("up to %g: main is told %s: %s", upTo, told(all), saidBy(r))
		}
		if says := "Main is as accepted: step time +"; strings.Contains(saidBy(r), says) != (want == diff.GatePassed) {
			t.Errorf("up to %g: said %s", upTo, saidBy(r))
		}
		if open := m.pullRequest(.05).StoreFindings.Open; (len(open) == 0) != (want == diff.GatePassed) {
			t.Errorf("up to %g: open are %+v", upTo, open)
		}
	}
}

// TestMainOdd: an odd run of main is run again and then left out, and nothing fails by it.
func TestMainOdd(t *testing.T) {
	m := newStoreOfMain(1)
	m.merge(30, 0)
	all := m.next(0, .1)
	if got := told(all); got != "more runs, passed" {
		t.Fatalf("main is told %s: %s", got, saidBy(all[len(all)-1]))
	}
	if said := saidBy(all[0]); !strings.Contains(said, "above its level: an odd run, or a change") || !strings.Contains(said, "again and save that run too") {
		t.Errorf("said %s", said)
	}
	r := m.pullRequest(0)
	odd := 0
	for _, p := range r.StoreFindings.All {
		if p.Why.Is() {
			odd++
		}
	}
	if odd != 1 || !r.StoreFindings.All[30].Why.Is() || r.Gate.State != diff.GatePassed {
		t.Errorf("%d runs are left out, the gate %s: %s", odd, r.Gate.State, saidBy(r))
	}
}

// TestOneSlowRun: one slow run of three decides nothing.
func TestOneSlowRun(t *testing.T) {
	m := newStoreOfMain(1)
	m.merge(30, 0)
	slow := []*run.Set{m.run(900, .25), m.run(900, 0), m.run(900, 0)}
	if r := m.judge(false, true, slow[0]); r.Gate.State != diff.GateMoreRuns {
		t.Errorf("the slow one alone: %s", r.Gate.State)
	}
	if r := m.judge(false, true, slow...); r.Gate.State == diff.GateFailed {
		t.Errorf("one of three: %s", saidBy(r))
	}
}

// TestStoreCreep: main finds creep of 1 % a week within five weeks of 25 runs, once, and names no commit; to a pull
// request it is a notice.
func TestStoreCreep(t *testing.T) {
	m := newStoreOfMain(1)
	m.merge(150, 0)
	for i := range 125 {
		by := float64(i) * .01 / 25
		all := m.next(by)
		r := all[len(all)-1]
		at := slices.IndexFunc(r.Gate.Causes, func(c diff.GateCause) bool { return c.Kind == diff.CauseMainCrept })
		if r.Gate.State != diff.GateFailed || at < 0 {
			continue
		}
		t.Logf("found after %d runs: %s", i, saidBy(r))
		if pr := m.pullRequest(by); pr.Gate.State != diff.GatePassed || len(pr.StoreFindings.Open) == 0 || pr.StoreFindings.Open[0].Creep == nil {
			t.Errorf("a pull request: %s: %s, %+v", pr.Gate.State, saidBy(pr), pr.StoreFindings.Open)
		}
		m.events = append(m.events, history.Event{Kind: history.Accept, Commit: commitOf(m.commit), Metric: run.StepTime})
		all = m.next(by)
		if r := all[len(all)-1]; r.Gate.State != diff.GatePassed {
			t.Errorf("accepted: main is told %s: %s", told(all), saidBy(r))
		}
		return
	}
	t.Error("creep of 5 % in five weeks was not found")
}

// TestStoreHosts: what hosts differ by is learned, so that a slower host is no slower code.
func TestStoreHosts(t *testing.T) {
	m := newStoreOfMain(1)
	slower := []float64{0, .04, -.03, .02}
	on := func(i int, by float64) float64 {
		m.host = fmt.Sprint("n", i%4)
		return by + slower[i%4]
	}
	for i := range 60 {
		m.merge(1, on(i, 0))
	}
	failed, found := 0, 0
	for i := range 20 {
		three := func(by float64) *diff.Report {
			by = on(i, by)
			return m.judge(false, false, m.run(900, by), m.run(900, by), m.run(900, by))
		}
		if three(0).Gate.State == diff.GateFailed {
			failed++
		}
		if three(.06).Gate.State == diff.GateFailed {
			found++
		}
	}
	if failed > 0 || found < 18 {
		t.Errorf("of 20 unchanged %d fail, of 20 that are 6 %% slower %d are found", failed, found)
	}
}

// TestFewRunsInStore: with one to four runs a candidate is judged with what is assumed, and 30 % are found.
func TestFewRunsInStore(t *testing.T) {
	for n := 1; n < 5; n++ {
		m := newStoreOfMain(1)
		m.merge(n, 0)
		r := m.pullRequest(0)
		if said := saidBy(r) + difftest.BasisOf(r); r.Gate.State != diff.GatePassed || strings.Contains(said, "no history") || r.StoreFindings.Runs != n {
			t.Errorf("%d runs, unchanged: %s: %s", n, r.Gate.State, said)
		}
		if r := m.pullRequest(.3); r.Gate.State != diff.GateFailed {
			t.Errorf("%d runs, 30 %% slower: %s: %s", n, r.Gate.State, saidBy(r))
		}
	}
}

// TestStoreBaseline: a run that was cut short, and one of another job, do not stand in the baseline; runs that differ in
// what the policy requires to be equal are another history.
func TestStoreBaseline(t *testing.T) {
	m := newStoreOfMain(1)
	m.merge(10, 0)
	work := func(s *run.Set, kernel string) *run.Set {
		return difftest.Edit(s, func(k *run.Rank) { k.Work = []run.KernelWork{{Kernel: kernel, Time: 3}} })
	}
	cut, other := m.run(11, 0), work(m.run(12, 0), "fmha")
	m.keep(difftest.Edit(cut, func(k *run.Rank) { k.Steps = k.Steps[:15] }))
	m.keep(other)
	p := policy.DefaultPolicy()
	cand := work(m.run(900, 0), "gemm")
	store := diff.NewStore("main", cand, m.contents(false), p)
	for _, r := range store.Base.Runs {
		if r.Name == cut.Runs[0].Name || r.Name == other.Runs[0].Name {
			t.Errorf("%s stands in the baseline", r.Name)
		}
	}
	if r := diff.CompareStore(cand, store, p, diff.Options{}); verdict.MetricOf(r.Metrics, run.StepTime).StepsUsed < 25 {
		t.Errorf("%d steps are compared", verdict.MetricOf(r.Metrics, run.StepTime).StepsUsed)
	}
	driver := func(s *run.Set, version string) *run.Set {
		return difftest.Edit(s, func(k *run.Rank) { k.Facts = []trace.Fact{{Key: trace.FactDriver, Value: version}} })
	}
	m = newStoreOfMain(1)
	m.merge(10, 0)
	for i, s := range m.sets {
		driver(s, map[bool]string{true: "550", false: "560"}[i < 9])
	}
	for _, require := range [][]string{nil, {"driver"}} {
		p.RequireEqual = require
		cand := driver(m.run(900, 0), "560")
		r := diff.CompareStore(cand, diff.NewStore("main", cand, m.contents(false), p), p, diff.Options{})
		if want := map[bool]int{true: 10, false: 1}[require == nil]; r.StoreFindings.Runs != want || r.Gate.State != diff.GatePassed {
			t.Errorf("%v required: %d runs count, %s: %s", require, r.StoreFindings.Runs, r.Gate.State, saidBy(r))
		}
	}
}
