package main

import (
	"strings"
	"testing"

	"perfdiff/analyze"
	"perfdiff/diff/policy"
	"perfdiff/golden"
)

// TestGoldenHelpMetrics holds the list of what is measured to what was looked at.
func TestGoldenHelpMetrics(t *testing.T) {
	out, _ := mustRun(t, statusOK, "help", metricsTopic)
	golden.Compare(t, goldenDir, "help-metrics.txt", []byte(out))
}

// TestHelpMetrics: each metric is explained in the list and by its name, with its formula,
// and whether it gates as the code that gates has it.
func TestHelpMetrics(t *testing.T) {
	list, _ := mustRun(t, statusOK, "help", metricsTopic)
	gateable := map[string]bool{}
	for _, m := range policy.Gateable(analyze.Metrics()) {
		gateable[m.Name] = true
	}
	for _, m := range policy.Metrics(analyze.Metrics()) {
		alone, _ := mustRun(t, statusOK, "help", metricsTopic, m.Name)
		if m.Formula == "" || m.Doc == "" {
			t.Errorf("%s has no formula or no definition", m.Name)
		}
		for _, want := range []string{m.Doc, "= " + m.Formula, m.Remedy.Nsight} {
			if !strings.Contains(flat(alone), flat(want)) {
				t.Errorf("%s: does not say %q:\n%s", m.Name, want, alone)
			}
		}
		if !strings.Contains(flat(list), flat(m.Doc)) {
			t.Errorf("the list does not explain %s", m.Name)
		}
		title, _, _ := strings.Cut(flat(alone), flat(m.Doc))
		if got := strings.Contains(title, "gate"); got != gateable[m.Name] {
			t.Errorf("%s: got %q, can gate: %v", m.Name, title, gateable[m.Name])
		}
	}
}

// TestHelpMetricsUnknown: a name that no metric has is an error with those that are meant.
func TestHelpMetricsUnknown(t *testing.T) {
	for name, hint := range map[string]string{"gap": "there are gap_count, ", "nothing": "perfdiff help metrics lists them", "": "lists them"} {
		out, errors := mustRun(t, statusError, "help", metricsTopic, name)
		if out != "" || !strings.Contains(errors, "perfdiff: error: help metrics: there is no metric \""+name+"\"") || !strings.Contains(errors, hint) {
			t.Errorf("%q: got %q, %q", name, out, errors)
		}
	}
}
