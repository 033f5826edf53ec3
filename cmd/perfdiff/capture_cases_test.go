package main

import (
	"bytes"
	"encoding/json"
	"math"
	"path/filepath"
	"strings"
	"testing"

	"perfdiff/golden"
)

// captureCase is a pair of captures of the cases, with what is true of them. The cases lie beside the project.
type captureCase struct {
	name        string
	percent     float64 // by how much the candidate is slower
	ranks, used int     // of each side; no step that is used: there is no verdict
}

var captureCases = []captureCase{
	{"offload-line-numbers", 10, 1, 38},
	{"offload-line-numbers-llvm", 10, 1, 38},
	{"offload-line-numbers-acc", 10, 1, 38},
	{"spans-noinfo", 5, 1, 12},
	{"good/spans-with-info", 5, 2, 12},
	{"layers-of-one-pass", 10, 1, 0},
}

// judgedPair is what a report says of a pair.
type judgedPair struct {
	Verdict struct {
		Verdict, Headline string
		Judged            bool
	}
	Baseline, Candidate judgedSide
	Metrics             []struct {
		Metric string
		Change struct{ Estimate *float64 }
	}
}

type judgedSide struct {
	Runs  []string
	Ranks []int
	Steps struct {
		Used     int
		Receipts []struct{ Marker, Hint string }
	}
}

// judge compares two sets by the whole program.
func judge(t *testing.T, base, cand string, more ...string) (r judgedPair) {
	t.Helper()
	var stdout, stderr bytes.Buffer
	run(t.Context(), append([]string{base, cand, "-q", "-o", "-", "--format", "json"}, more...), &stdout, &stderr)
	if err := json.Unmarshal(stdout.Bytes(), &r); err != nil {
		t.Fatalf("%v: %s", err, stderr.String())
	}
	return r
}

// slower returns by how many per cent the candidate's steps are slower; NaN: the report does not say.
func (r *judgedPair) slower() float64 {
	for _, m := range r.Metrics {
		if m.Metric == "step_time" && m.Change.Estimate != nil {
			return 100 * *m.Change.Estimate
		}
	}
	return math.NaN()
}

// TestCaptureCases: each pair of captures is read as what it is, both ways.
func TestCaptureCases(t *testing.T) {
	dir := golden.Case(t, "")
	for _, c := range captureCases {
		base, cand := filepath.Join(dir, c.name, "base"), filepath.Join(dir, c.name, "cand")
		for way, r := range []judgedPair{judge(t, base, cand), judge(t, cand, base)} {
			if b, k := r.Baseline, r.Candidate; len(b.Ranks) != c.ranks || len(k.Ranks) != c.ranks || b.Steps.Used != c.used || k.Steps.Used != c.used {
				t.Errorf("%s, way %d: got %v and %v, want %d ranks and %d steps", c.name, way, b, k, c.ranks, c.used)
			}
			want := c.percent
			if way == 1 {
				want = 100/(1+want/100) - 100
			}
			if got := r.slower(); r.Verdict.Judged != (c.used > 0) || r.Verdict.Judged && math.Abs(got-want) > 0.5 {
				t.Errorf("%s, way %d: got %+.1f %%, %s, want %+.1f %%", c.name, way, got, r.Verdict.Headline, want)
			}
		}
	}
}

// TestHelperProcesses: compilers that a rank starts are no ranks, where nothing ran on the device either.
func TestHelperProcesses(t *testing.T) {
	file := golden.Case(t, "helper-processes/no-gpu-work.sqlite")
	if out, _ := mustRun(t, statusNotJudged, "report", file); !strings.Contains(out, "1 rank, NVIDIA") || strings.Contains(out, "the same capture") {
		t.Errorf("got %s", out)
	}
}
