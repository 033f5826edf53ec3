package main

import (
	"path/filepath"
	"strings"
	"testing"

	"perfdiff/analyze/synth"
)

func TestCheck(t *testing.T) {
	steady, drifts := writeStory(t, "aa", synth.Nsight), writeStory(t, "o-direct", synth.Nsight)
	out, _ := mustRun(t, statusOK, "check", filepath.Join(steady, "baseline"), "--inject", "3%", "--inject", "40%")
	for _, want := range []string{"CHECKED  A comparison catches steps that take", "Four comparisons of this data with itself show no change", "every step", "rank 3", "kernel ", "collective AllReduce", "yes     step_time", "no  "} {
		if !strings.Contains(out, want) {
			t.Errorf("got %s want %q", out, want)
		}
	}
	lines := strings.Split(out, "\n")
	for _, l := range lines {
		f := strings.Fields(l)
		if strings.Contains(l, "every step") && strings.Contains(l, "40") && !strings.Contains(l, "yes") || strings.Contains(l, "every step") && len(f) > 2 && f[2] == "3" && strings.Contains(l, "yes") {
			t.Errorf("40 %% of every step must fail, 3 %% cannot with one run: got %s", l)
		}
	}
	if out, _ := mustRun(t, statusRegressed, "check", filepath.Join(drifts, "baseline")); !strings.Contains(out, "FALSE ALARM") || !strings.Contains(out, "a copy, since half of the steps would be too few") {
		t.Errorf("a run that drifts: got %s", out)
	}
	dir, profiles := pastRuns(t)
	if out, _ := mustRun(t, statusOK, "check", filepath.Join(profiles, "baseline/run12"), "--history", dir, "--inject", "4%", "--gate", "step_time"); !strings.Contains(out, "yes     step_time") {
		t.Errorf("with history 4 %% of every step must fail: got %s", out)
	}
	mustRun(t, statusNotJudged, "check", filepath.Join(writeStory(t, "no-steps", synth.Nsight), "baseline"))
	for _, tt := range []struct {
		args []string
		want string
	}{
		{[]string{"check"}, "expected one RUNSET"}, {[]string{"check", steady, "--inject", "x"}, "--inject x: is no number: it must be from 0"},
	} {
		if _, stderr := mustRun(t, statusError, tt.args...); !strings.Contains(stderr, tt.want) {
			t.Errorf("%v: got %s want %q", tt.args, stderr, tt.want)
		}
	}
}
