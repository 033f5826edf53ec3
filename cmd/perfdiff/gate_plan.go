package main

import (
	"fmt"
	"io"
	"math"
	"slices"
	"strings"
	"time"

	"perfdiff/analyze"
	measured "perfdiff/analyze/run"
	"perfdiff/analyze/store"
	"perfdiff/cmd/perfdiff/policyfile"
	"perfdiff/diff"
	"perfdiff/diff/history"
	"perfdiff/diff/policy"
	"perfdiff/diff/verdict"
	"perfdiff/render"
	"perfdiff/render/words"
)

// planStore prints what the gate finds in its store, in the units in which people plan.
func (g *gateCommand) planStore(stdout, stderr io.Writer) int {
	sets, kept, err := analyze.LoadStore(g.store, policyfile.Now(), g.Load)
	if err != nil {
		return printError(stderr, err, "")
	}
	text := planOf(kept, sets, &g.Policy)
	if text == "" {
		printMessage(stderr, words.NotJudged, noPlan)
		return statusNotJudged
	}
	return printText(stdout, stderr, text)
}

const noPlan = "no job of the store has a level yet: keep a few runs of main first"

// planOf says what a gate finds in a store; "" where none of its jobs has a level.
func planOf(kept *store.Contents, sets []*analyze.Set, p *policy.Policy) string {
	counted, _ := store.Counted(kept.Events, kept.Entries, "", true)
	jobs := jobsIn(kept, sets, counted)
	var lines []string
	planned := false
	for i, in := range jobs {
		l := diff.LineOf(in, *p)
		if len(jobs) > 1 {
			lines = append(lines, fmt.Sprintf("Job %d of %d in the store:", i+1, len(jobs)))
		}
		text, some := planJob(l, p)
		lines, planned = append(lines, text...), planned || some
	}
	if !planned {
		return ""
	}
	var b strings.Builder
	for _, line := range append(lines, passing(p, counted)...) {
		b.WriteString(render.Line(line) + "\n")
	}
	return b.String()
}

// planAlphas are the errors that --plan compares: the strictest that is of use, the default and the loosest. Simulated:
// diff/series, PlanOf.
var planAlphas = []float64{0.015, 0.05, 0.2}

// planJob says what the gate finds in a job; false where it has no level.
func planJob(l *history.Line, gate *policy.Policy) (lines []string, ok bool) {
	name, gates := measured.StepTime, gate.Gating
	if l.MetricNamed(name) == nil && len(l.Metrics) > 0 && l.Metrics[0].Metric.OfResult { // the first of what runs print
		name, gates = l.Metrics[0].Metric.Name, l.Names()
	}
	m := l.MetricNamed(name)
	perWeek, known := runsAWeek(&l.Job)
	oneSided := func(alpha float64) float64 { // that CompareStore asks the series with
		return alpha / 4 * verdict.ShareOf(gates, name)
	}
	now := l.Plan(name, oneSided(gate.Alpha), perWeek)
	if m == nil || now == nil || math.IsNaN(now.FoundOne) {
		return []string{"step time: no level yet"}, false
	}
	assumed := ""
	if !known {
		assumed = ", which is assumed"
	}
	lines = append(lines, "Main: "+words.LevelNow(&l.Job, m)+fmt.Sprintf("; %.0f runs a week", perWeek)+assumed+".")
	if now.Worth < 19.5 {
		lines = append(lines, fmt.Sprintf("Neighbouring runs go together: 20 of them tell as much as %.0f.", now.Worth))
	}
	lines = append(lines, "",
		"          fails for nothing,   finds, in four of five cases,",
		"--alpha   times in 100         with one run   with up to three")
	alphas := append([]float64{gate.Alpha}, planAlphas...)
	slices.Sort(alphas)
	alphas = slices.Compact(alphas)
	for _, a := range alphas {
		p, mark := l.Plan(name, oneSided(a), perWeek), ""
		if a == gate.Alpha {
			mark = "   this gate"
		}
		lines = append(lines, fmt.Sprintf("%-9g %-20.1f %-14s %s%s", a, 100*p.Red, percentUp(p.FoundOne), percentUp(p.FoundThree), mark))
	}
	lines = append(lines, "", fmt.Sprintf("A step that grows by %s a week is noticed after %.0f weeks, by %s a week after %.0f.",
		words.Percent(0.003, 1), now.Weeks03, words.Percent(0.01, 0), now.Weeks1))
	return append(lines, otherNoise(l, m)...), true
}

func percentUp(v float64) string { return "+" + words.Percent(v, 1) }

// otherNoise says what runs differ by in the other metrics that gate.
func otherNoise(l *history.Line, step *history.Metric) []string {
	var noise []string
	for i := range l.Metrics {
		m := &l.Metrics[i]
		if text := words.Scatter(m); m.Gating && m != step && m.Metric.Name != measured.StepTimeMean && text != "" {
			noise = append(noise, words.MetricText(m.Metric.Name)+" "+text)
		}
	}
	if noise == nil {
		return nil
	}
	return []string{"From run to run other metrics differ by: " + strings.Join(noise, ", ") + "."}
}

// fewestSaved and leastSpan are from how many runs, over how long, it is known how many there are a week. Chosen, not
// measured: a store that was filled in one go says nothing.
const (
	fewestSaved = 10
	leastSpan   = 7 * 24 * time.Hour
	weekly      = 25 // runs otherwise: five merges a day. Chosen, not measured
)

// runsAWeek returns how many runs of main are saved a week, by the newest 60; false where that is not known.
func runsAWeek(j *history.Job) (float64, bool) {
	var saved []int64
	for i := max(0, len(j.Runs)-60); i < len(j.Runs); i++ {
		if at := j.Runs[i].Saved; at > 0 {
			saved = append(saved, at)
		}
	}
	if n := len(saved); n >= fewestSaved {
		if span := time.Duration(saved[n-1] - saved[0]); span >= leastSpan {
			return float64(n-1) / (span.Hours() / (7 * 24)), true
		}
	}
	return weekly, false
}

// passing says what lets a step that became slower pass, in one place.
func passing(p *policy.Policy, events []store.Event) []string {
	out := []string{"A slower step still passes", "- by less than " + words.Setting(p.ThresholdOf(measured.StepTime, p.Threshold)) + " (threshold)"}
	add := func(text string, args ...any) { out = append(out, "- "+fmt.Sprintf(text, args...)) }
	if p.LevelOf(measured.StepTime) == policy.LevelWarn {
		add("by any size: level: warn of step_time in the policy")
	}
	if !slices.Contains(p.Gating, measured.StepTime) {
		add("by any size: step_time does not gate")
	}
	if p.WarnOnly {
		add("by any size: --warn-only")
	}
	for i := range p.Waivers {
		w := &p.Waivers[i]
		size := "any size"
		if w.UpTo > 0 {
			size = "up to " + words.Setting(w.UpTo)
		}
		add("by a waiver of %s, %s until %s (%s, %s)", w.Of(), size, w.Expires, w.Reason, w.Owner)
	}
	for i := range events {
		v := eventOf(&events[i])
		if expired, _ := v.Expired(policyfile.Now()); v.Kind != history.Accept || expired {
			continue
		}
		size, until := "any size", ""
		if v.UpTo > 0 {
			size = "up to " + words.Setting(v.UpTo)
		}
		if v.Until > 0 {
			until = " until " + words.Day(v.Until)
		}
		add("on main by %s, which was accepted: %s, %s%s (%s, %s)", measured.Origin{Commit: v.Commit}.Short(), words.MetricText(v.Metric), size, until, v.Reason, v.By)
	}
	return out
}
