package words

import (
	"testing"

	"perfdiff/analyze/run"
	"perfdiff/diff/history"
)

// TestOneDay: a change whose runs are all of one day is said to be so, until a run of another day.
func TestOneDay(t *testing.T) {
	j := slowed()
	m := &j.Metrics[0]
	m.Values, m.Levels = []float64{.1, .103}, []history.Level{{To: 1, Value: .1}, {From: 1, To: 2, Value: .103}}
	j.Runs[1].Saved = 3600e9
	if got, want := plain(LevelChange(j, m, &m.Changes[0])), "+3.1 % between 44ab01c and 9e1f2cd (1 commit), 1970-01-01, seen on one day so far"; got != want {
		t.Errorf("got %q want %q", got, want)
	}
	j.Runs, m.Values = append(j.Runs, history.Run{Saved: 90000e9}), append(m.Values, .103)
	if got := oneDay(j, m, &m.Changes[0]); got != "" {
		t.Errorf("two days: got %q", got)
	}
}

// TestNotRepeated: an odd run that nobody repeated is said with what to do, later that it was never repeated, and
// nothing where it was repeated or somebody decided about it.
func TestNotRepeated(t *testing.T) {
	job := func(later int, more ...history.Run) *history.Job {
		j := &history.Job{Runs: append([]history.Run{{From: run.Origin{Commit: "9e1f2cd"}}}, more...)}
		for range later {
			j.Runs = append(j.Runs, history.Run{From: run.Origin{Commit: "44ab01c"}})
		}
		m := history.Metric{Metric: run.Metric{Name: run.StepTime, Unit: "s"}, Relative: true, SD: .01, Values: []float64{.107}}
		for range j.Runs[1:] {
			m.Values = append(m.Values, .1)
		}
		m.Levels = []history.Level{{To: len(j.Runs), Value: .1}}
		j.Metrics = []history.Metric{m}
		return j
	}
	excluded := job(3)
	excluded.Events = []history.Event{{Kind: history.Exclude, Commit: "9e1f2cd"}}
	for _, tt := range []struct {
		of   *history.Job
		want string
	}{
		{job(8), "9e1f2cd: step time +7.0 % off its level, in its only run: run 9e1f2cd again and save that run, or leave it out with --exclude 9e1f2cd"},
		{job(9), "9e1f2cd: step time +7.0 % off its level, and never repeated; one run moves no level"},
		{job(3, history.Run{From: run.Origin{Commit: "9e1f2cd"}}), ""},
		{excluded, ""},
	} {
		if got := plain(NotRepeated(tt.of, 0)); got != tt.want {
			t.Errorf("got %q want %q", got, tt.want)
		}
	}
}
