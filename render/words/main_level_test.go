package words

import (
	"testing"

	"perfdiff/analyze/run"
	"perfdiff/diff/history"
)

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
