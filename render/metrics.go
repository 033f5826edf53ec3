package render

import (
	"io"
	"slices"
	"strings"

	"perfdiff/analyze/run"
	"perfdiff/analyze/source/remedy"
	"perfdiff/analyze/trace"
	"perfdiff/diff/policy"
)

// Metrics writes what is measured, by the section of the page where it is shown: each metric's unit, direction,
// whether it is a part of the step and whether it can fail a build, what it is and its formula. one: only some metrics
// are shown, with what a capture must record for each instead of how to read them.
func Metrics(w io.Writer, all []run.Metric, one bool, opt Options) error {
	t := newText(opt)
	if !one {
		t.line("", 0, metricsIntro)
	}
	for _, section := range sectionsOf(all) {
		t.heading(section)
		for i := range all {
			if all[i].Section == section {
				metric(t, &all[i], one)
			}
		}
	}
	_, err := io.WriteString(w, strings.TrimPrefix(t.String(), "\n"))
	return err
}

// metricsIntro is how the list is read.
const metricsIntro = "What is measured, for each step of each rank where nothing else is said, by the section of the page that shows it. " +
	"Behind = stands the formula, and whose definition it is where it is another's. Gates: a regression fails a build " +
	"where no policy says otherwise (the drift with --history alone); can gate: it does where --gate names it. " +
	"perfdiff help metrics NAME says what a capture must record."

// sectionsOf returns the sections of metrics, in the order in which they come first.
func sectionsOf(all []run.Metric) (out []string) {
	for i := range all {
		if !slices.Contains(out, all[i].Section) {
			out = append(out, all[i].Section)
		}
	}
	return out
}

func metric(t *text, m *run.Metric, needs bool) {
	name := m.Name
	if m.Part != "" {
		name += " by " + m.Part
	}
	t.paintedLine("strong", "  "+name+": ", 4, strings.Join(traits(m), ", "))
	t.line("    ", 4, m.Doc)
	t.line("    = ", 6, m.Formula)
	if !needs {
		return
	}
	if m.Remedy == remedy.Same(m.Needs) || m.Remedy == (remedy.Text{}) {
		t.line("    needs ", 6, m.Needs)
		return
	}
	for _, p := range trace.Profilers() {
		t.line("    needs, of "+string(p)+": ", 6, m.Remedy.Of(p))
	}
}

// units says what units are called where metrics are explained.
var units = map[string]string{"s": "seconds", "B": "bytes", "B/s": "bytes per second", "1": "a count", "ratio": "a ratio",
	"FLOP": "floating-point operations", "FLOP/s": "floating-point operations per second"}

// traits says in words what to know about a metric before it is judged.
func traits(m *run.Metric) []string {
	better := map[run.Better]string{run.Lower: "lower is better", run.Higher: "higher is better", run.Neither: "not judged"}
	out := []string{units[m.Unit], better[m.Better]}
	if m.PartOfStep {
		out = append(out, "part of the step")
	}
	if m.OfRun {
		out = append(out, "one number a run")
	}
	if m.Joint {
		out = append(out, "of all ranks together")
	}
	switch {
	case slices.Contains(policy.DefaultGating(), m.Name):
		out = append(out, "gates")
	case m.Main:
		out = append(out, "can gate")
	}
	return out
}
