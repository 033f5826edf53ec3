package difftest

import (
	"fmt"
	"math"
	"time"

	"perfdiff/analyze/run"
	"perfdiff/diff/history"
	"perfdiff/diff/verdict"
)

// FlatJob is a job that did not change: 12 runs on 6 hosts, a day apart.
func FlatJob() history.Job {
	j := history.Job{Name: "gpt-h100"}
	step := metricOf(run.StepTime, "s", run.Lower, 12)
	for i := range 12 {
		j.Runs = append(j.Runs, jobRun(i, i))
		step.Values[i] = 0.1832 * (1 + 0.011*wave(i))
	}
	step.Levels, step.SD, step.Gating, step.Relative = []history.Level{{From: 0, To: 12, Value: 0.1832, Lo: 0.1832 * 0.978, Hi: 0.1832 * 1.022}}, 0.011, true, true
	j.Metrics = []history.Metric{step}
	return j
}

// MovedJob is a job whose step takes 5 % longer since its run 34, which was accepted, and 4 % more in no single step;
// of its 60 runs one is odd and one of another GPU, and none came for nine days. Its idle time fell with the change,
// its throughput did not change.
func MovedJob() history.Job {
	const n, at, odd, other = 60, 34, 20, 47
	j := history.Job{Name: "resnet-a100", Quiet: 9*24*time.Hour + time.Hour}
	step, idle, rate := metricOf(run.StepTime, "s", run.Lower, n), metricOf(run.IdleTime, "s", run.Lower, n), metricOf("read_throughput", "B/s", run.Higher, n)
	for i := range n {
		j.Runs = append(j.Runs, jobRun(i, 2*i))
		level, left := 0.0291*(1+0.0007*float64(i)), 0.004
		if i >= at {
			level, left = level*1.05, 0.0031
		}
		step.Values[i], idle.Values[i], rate.Values[i] = level*(1+0.004*wave(i)), left*(1+0.03*wave(i+3)), 2.2e9*(1+0.01*wave(i+5))
	}
	step.Values[odd] *= 1.24
	j.Runs[odd].Why = verdict.LeftOut{Kind: verdict.ApartFromAll, Size: 0.24}
	j.Runs[other].Why = verdict.LeftOut{Kind: verdict.OtherSetup, Differs: verdict.SetupGPU, Then: []string{"NVIDIA A100-SXM4-80GB"}, Now: []string{"NVIDIA H100 80GB HBM3"}, Against: verdict.AgainstMost}
	idle.Values[other] = math.NaN()
	j.Runs[9].Gone = true
	accept := history.Event{Kind: "accept", Commit: j.Runs[at].From.Commit, Metric: run.StepTime, UpTo: 0.07, Reason: "new <tokenizer>", By: "ana", At: j.Runs[at].Saved + 3600e9}
	j.Events = []history.Event{accept, {Kind: "note", Commit: j.Runs[50].From.Commit, Reason: "storage moved", By: "bo", At: j.Runs[50].Saved}}
	step.Levels = []history.Level{levelOf(0, at, 0.02945, 0.005), levelOf(at, n, 0.0315, 0.005)}
	step.Changes = []history.Change{{At: at, First: at - 1, Last: at, Seen: at + 3, Size: 0.05, Worse: true, Commits: 3, Accepted: &accept,
		Moved: []history.Moved{{Name: "compute", Before: 0.0201, After: 0.0214}, {Name: "waiting for input", Before: 0.001, After: 0.0011}}}}
	step.SD, step.Creep = 0.005, &history.Creep{Ago: 59, From: 0, Size: 0.041, Told: 0.05}
	idle.Levels, idle.SD = []history.Level{levelOf(0, at, 0.004, 0.03), levelOf(at, n, 0.0031, 0.03)}, 0.03
	idle.Changes = []history.Change{{At: at, First: at - 2, Last: at + 1, Seen: at + 4, Size: -0.225, Gradual: true}}
	rate.Levels, rate.SD = []history.Level{levelOf(0, n, 2.2e9, 0.01)}, 0.01
	step.Gating, step.Relative, idle.Gating, idle.Relative, rate.Relative = true, true, true, true, true
	j.Metrics = []history.Metric{step, idle, rate}
	return j
}

func levelOf(from, to int, value, sd float64) history.Level {
	return history.Level{From: from, To: to, Value: value, Lo: value * (1 - 2*sd), Hi: value * (1 + 2*sd)}
}

func metricOf(name, unit string, better run.Better, n int) history.Metric {
	m := history.Metric{Values: make([]float64, n)}
	m.Metric = run.Metric{Name: name, Unit: unit, Better: better, Doc: "of a \"job\""}
	return m
}

// jobRun is run i of a job, saved so many days after the first.
func jobRun(i, days int) history.Run {
	saved := time.Date(2026, 7, 28, 9, 30, 0, 500e6, time.UTC).AddDate(0, 0, days).UnixNano()
	return history.Run{Name: fmt.Sprintf("%06d-run", i+1), Number: int64(i + 1), Saved: saved, Began: saved - 7200e9, Branch: "trunk", Hosts: []string{fmt.Sprint("node", i%6)}, GPU: "NVIDIA H100 80GB HBM3", Driver: "550.90.07",
		From: run.Origin{Commit: fmt.Sprintf("%07x%033x", 0x9e1f2c0+i*7919, i), Link: fmt.Sprint("https://ci.example/", i)}}
}

// wave is between -1 and 1, without a pattern that a reader would see.
func wave(i int) float64 { return math.Mod(float64(i*i)*0.618033988749895+float64(i)*0.4142, 2) - 1 }
