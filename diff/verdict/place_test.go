package verdict_test

import (
	"fmt"
	"math"
	"slices"
	"testing"

	"perfdiff/analyze/run"
	"perfdiff/diff/difftest"
	"perfdiff/diff/verdict"
)

// runsOn is a side whose runs were on so many hosts, one run on each as they are named; the last
// of them takes so much longer, all of it idle.
func runsOn(label string, level, longer float64, hosts ...string) *run.Set {
	var jobs []difftest.Job
	for i := range hosts {
		idle := 0.01
		if i == len(hosts)-1 {
			idle += longer
		}
		step := difftest.NoisySteps(level+idle, 0.004, uint64(100*level)+uint64(i))
		jobs = append(jobs, difftest.Job{
			Name: fmt.Sprint("run", i+1), Ranks: difftest.UpTo(2), First: 11, Steps: 40, Step: step,
			Series: map[run.Key]func(int, int) float64{
				{Metric: run.ComputeTime}: func(int, int) float64 { return level },
				{Metric: run.IdleTime}:    func(rank, s int) float64 { return step(rank, s) - level },
			},
		})
	}
	out := difftest.SetOf(label, jobs...)
	for i := range out.Runs {
		for j := range out.Runs[i].Ranks {
			out.Runs[i].Ranks[j].Host = hosts[i]
		}
	}
	return out
}

// TestPlaces: hosts that each side has for its own are noise beside what runs differ by, as far as
// these do not show it; on the same hosts, as often, they cancel.
func TestPlaces(t *testing.T) {
	for _, tt := range []struct {
		name       string
		base, cand []string
		where      verdict.Places
		floor      float64
		hosts      bool
	}{
		{"one host", []string{"a"}, []string{"a"}, verdict.PlacesSame, .015, false},
		{"another", []string{"a"}, []string{"b"}, verdict.PlacesOther, .03, false},
		{"not known", []string{"a"}, []string{""}, verdict.PlacesUnknown, .03, false},
		{"three on one host", []string{"a", "a", "a"}, []string{"a", "a", "a"}, verdict.PlacesSame, .015, false},
		{"the same three", []string{"a", "b", "c"}, []string{"c", "b", "a"}, verdict.PlacesSame, .015, false},
		{"each side on one", []string{"a", "a", "a"}, []string{"b", "b", "b"}, verdict.PlacesOther, .015, true},
		{"three and three others", []string{"a", "b", "c"}, []string{"d", "e", "f"}, verdict.PlacesOther, .015, false},
		{"not as often", []string{"a", "a", "b"}, []string{"a", "b", "b"}, verdict.PlacesOther, .015, false},
		{"three not known", []string{"", "", ""}, []string{"", "", ""}, verdict.PlacesUnknown, .015, false},
	} {
		c := verdict.MetricOf(difftest.Compare(runsOn("base", .1, 0, tt.base...), runsOn("cand", .1, 0, tt.cand...)).Metrics, run.StepTime)
		if c.Places != tt.where || math.Abs(c.Floor-tt.floor) > 1e-9 || c.Hosts > 0 != tt.hosts {
			t.Errorf("%s: got %s, a floor of %g, hosts %g; want %s, %g, hosts %v", tt.name, c.Places, c.Floor, c.Hosts, tt.where, tt.floor, tt.hosts)
		}
	}
}

// TestOddRuns: a run that stands apart is named with the host that it alone was on and the part
// of the step that it is in.
func TestOddRuns(t *testing.T) {
	r := difftest.Compare(runsOn("base", .1, 0, "a", "a", "a"), runsOn("cand", .1, .03, "a", "a", "bad"))
	if len(r.Ground.Odd) != 1 {
		t.Fatalf("got %+v, want one run", r.Ground.Odd)
	}
	o := r.Ground.Odd[0]
	if o.Side != "candidate" || o.Run != "run3" || !slices.Equal(o.Hosts, []string{"bad"}) || o.Part.Name != run.IdleTime || math.Abs(o.By-.03) > .003 || len(o.Others) != 2 {
		t.Errorf("got %+v", o)
	}
	for _, even := range [][]string{{"a"}, {"a", "b"}, {"a", "b", "c"}} {
		if r := difftest.Compare(runsOn("base", .1, 0, even...), runsOn("cand", .12, 0, even...)); len(r.Ground.Odd) > 0 {
			t.Errorf("runs alike on %v: got %+v", even, r.Ground.Odd)
		}
	}
}
