package diff_test

import (
	"math"
	"slices"
	"testing"

	"perfdiff/analyze/run"
	"perfdiff/diff"
	"perfdiff/diff/policy"
	"perfdiff/diff/series"
	"perfdiff/diff/verdict"
)

// scalar returns a run's step time as a series takes it.
func scalar(s *run.Set) series.Point {
	v := (*verdict.Past)(nil).RunsOf(s).Values(run.StepTime)[0]
	return series.Point{Value: math.Log(v), Host: s.Runs[0].Ranks[0].Host, Commit: s.Runs[0].Origin.Commit}
}

// TestYearAgrees: what the gate says of whole runs is what the rules say of their step times, of each run of main and of
// each pull request, over 200 merges with three steps, odd runs and creep. The step time alone gates, and its mean does
// not speak, as steps of a run differ by one factor.
func TestYearAgrees(t *testing.T) {
	p := policy.DefaultPolicy()
	p.Gating = []string{run.StepTime}
	alpha := p.Alpha / 2 * verdict.ShareOf(p.Gating, run.StepTime) / 2
	m, s := newStoreOfMain(7), series.Follow(nil, series.Rule{Floor: p.Floor, Least: p.Threshold})
	gate := func(main bool, runs ...*run.Set) *diff.Report {
		cand := *runs[0]
		cand.Label = "candidate"
		return diff.CompareStore(&cand, diff.NewStore("main", &cand, m.contents(main), p), p, diff.Options{})
	}
	m.merge(1, 0)
	s.Push(scalar(m.sets[0]))
	red, mains, asked := 0, 0, 0
	for i := range 200 {
		level := map[bool]float64{true: .05}[i >= 50] - map[bool]float64{true: .04}[i >= 100] + float64(max(0, i-150))*.0004
		m.commit++
		for runs := 1; ; runs++ {
			odd := map[bool]float64{true: .1}[i%20 == 19 && runs == 1]
			x := m.run(m.commit, level+odd)
			r := gate(true, x)
			m.keep(x)
			before := len(s.Changes())
			s.Push(scalar(x))
			rep := s.Repeat()
			if got := r.StoreFindings.Main; got.Again != rep.Again || math.Abs(got.Off-rep.Off) > 1e-9 && !rep.Again {
				t.Fatalf("merge %d, run %d: main is told %+v, the rules say %+v", i, runs, got, rep)
			}
			told := slices.IndexFunc(s.Changes()[before:], func(c series.Change) bool { return c.Size >= p.Threshold && !c.Gradual }) >= 0
			if told {
				mains++
			}
			if has := slices.ContainsFunc(r.StoreFindings.Main.Changes, func(c diff.MainChange) bool { return c.Change != nil && c.Metric.Metric.Name == run.StepTime }); has != told {
				t.Fatalf("merge %d, run %d: main is told of a change: %v, the rules say %v", i, runs, has, told)
			}
			if !rep.Again {
				break
			}
			asked++
		}
		if i < 10 {
			continue
		}
		x := m.run(900_000, level+map[bool]float64{true: .05}[i%2 == 1])
		want := s.Answer([]series.Point{scalar(x)}, series.Gate{Alpha: alpha})
		r := gate(false, x)
		main := verdict.MetricOf(r.Metrics, run.StepTime).Main
		if main == nil || main.Fails != (want.Answer == series.Fail) || main.MainAgain != (want.Answer == series.MainAgain) || math.Abs(main.Estimate-want.Held.Starts[0].Estimate) > 1e-9 {
			t.Fatalf("merge %d: a pull request is told %+v, the rules say %+v", i, main, want)
		}
		if main.Fails != (r.Gate.State == diff.GateFailed) {
			t.Errorf("merge %d: the step time fails: %v, the gate %s: %s", i, main.Fails, r.Gate.State, saidBy(r))
		}
		if main.Fails {
			red++
		}
	}
	t.Logf("%d pull requests fail of 190, of which 95 are 5 %% slower; main is told of %d changes, and runs %d commits again", red, mains, asked)
}
