package main

import (
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"perfdiff/analyze/synth"
)

// told is all that perfdiff says of two sides, in one line.
func saysOf(t *testing.T, base, cand string, args ...string) string {
	t.Helper()
	stdout, stderr := mustRun(t, anyVerdict, append([]string{base, cand}, args...)...)
	return plainSpaces(oneLine(stdout + " " + stderr))
}

// moved is a statement that moves rows of the device, so many ns.
func moved(ns int) (all []string) {
	for _, table := range []string{"KERNEL", "MEMCPY"} {
		all = append(all, fmt.Sprintf("update CUPTI_ACTIVITY_KIND_%s set start = start + %d, end = end + %d", table, ns, ns))
	}
	return all
}

// TestPremises: a reason is said where it holds, and is gone where its premise is broken, whatever
// else the inputs hold.
func TestPremises(t *testing.T) {
	overlapping := []string{"update NVTX_EVENTS set end = start + (end - start) * 3 / 2 where text like 'step %'"}
	for _, tt := range []struct {
		name, story string
		edit        []string // of the story
		sql         []string // of the candidate
		want, not   []string
	}{
		{"ranges of steps that overlap go from begin to begin", "aa", nil, overlapping,
			[]string{"PASSED", "4 ranks × 24 steps"}, []string{"profiler was off", "NOT COMPARABLE"}},
		{"launches that come too slowly", "host-bound", nil, nil, []string{"Launches"}, []string{"are not measured"}},
		{"the device's clock is late", "host-bound", nil, moved(3_000_000),
			[]string{"waits of the host return before the work ends that they wait for", "the GPU is idle longer"}, []string{"launched work starts late", "launches are on their way"}},
		{"less work without a clock names both", "work-shrank", nil, nil,
			[]string{"as another GPU clock or another amount of work would cause"}, []string{"hide this"}},
		{"other launches are no matter of a clock", "work-shrank", nil, []string{"update CUPTI_ACTIVITY_KIND_KERNEL set gridX = gridX * 2"},
			[]string{"all kernels take about"}, []string{"GPU clock or another"}},
		{"a single rank waits for no collective", "host-bound", []string{"ranks: 4", "ranks: 1"}, nil, nil, []string{"or a collective"}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			dir, _ := writeEdited(t, tt.story, synth.Nsight, strings.NewReplacer(tt.edit...))
			cand := filepath.Join(dir, "candidate")
			if tt.sql != nil {
				cand = withSQL(t, cand, tt.sql...)
			}
			got := saysOf(t, filepath.Join(dir, "baseline"), cand)
			for _, want := range tt.want {
				if !strings.Contains(got, want) {
					t.Errorf("%q is not in %s", want, got)
				}
			}
			for _, not := range tt.not {
				if strings.Contains(got, not) {
					t.Errorf("%q is in %s", not, got)
				}
			}
		})
	}
}

// TestFactsOfTwoRuns: what one run per side happens to be like is said as that, and fails no build by
// its kind; the gate says why it does not.
func TestFactsOfTwoRuns(t *testing.T) {
	dirs := sides(writeStory(t, "straggler-rank3", synth.Nsight))
	doc, status := mustRunJSON(t, append(dirs, "--fail-on", "straggler", "--gate", "compute_time")...)
	if status != statusOK {
		t.Errorf("exit %d", status)
	}
	for _, f := range doc.Findings {
		if f.Kind == "straggler" && f.Class != "look" {
			t.Errorf("one run per side: a straggler is %s", f.Class)
		}
	}
	if got := saysOf(t, dirs[0], dirs[1], "--fail-on", "straggler", "--gate", "compute_time"); !strings.Contains(got, "about these runs alone and no reason to fail: three runs per side would tell whether that holds.") {
		t.Errorf("the gate does not say it: %s", got)
	}
}
