package main

import (
	"path/filepath"
	"strings"
	"testing"

	"perfdiff/analyze/synth"
	"perfdiff/cmd/perfdiff/policyfile"
)

// TestFailOnKind: findings of a kind that a policy names fail where they are for the worse and hold,
// in either direction of looking, also where nothing is judged, and no other ones do.
func TestFailOnKind(t *testing.T) {
	dirs := map[string]string{}
	for _, name := range []string{"checkpoint-spikes", "jitter", "fixed-window", "different-gpu", "aa"} {
		dirs[name] = filepath.Dir(sides(writeStory(t, name, synth.Nsight))[0])
	}
	for _, tt := range []struct {
		story, flags string
		back         bool
		exit         int
	}{
		{"checkpoint-spikes", "", false, statusRegressed}, {"checkpoint-spikes", "--fail-on spike", false, statusRegressed},
		{"checkpoint-spikes", "--fail-on jitter,spike", false, statusRegressed}, {"checkpoint-spikes", "--fail-on jitter", false, statusRegressed},
		{"checkpoint-spikes", "--fail-on spike", true, statusOK}, {"checkpoint-spikes", "--fail-on spike --warn-only", false, statusOK},
		{"jitter", "--fail-on jitter", false, statusOK}, {"jitter", "--fail-on jitter", true, statusOK},
		{"different-gpu", "--fail-on not-comparable", false, statusRegressed}, {"different-gpu", "--fail-on spike", false, statusNotJudged},
		{"different-gpu", "--fail-on not-comparable --warn-only", false, statusNotJudged},
		{"aa", "--fail-on spike,jitter,straggler,idle,compute", false, statusOK},
		{"aa", "--fail-on compute-unchanged", false, statusError}, {"aa", "--fail-on Spike", false, statusError},
	} {
		base, cand := filepath.Join(dirs[tt.story], "baseline"), filepath.Join(dirs[tt.story], "candidate")
		if tt.back {
			base, cand = cand, base
		}
		_, stderr := mustRun(t, tt.exit, append([]string{base, cand, "-q"}, strings.Fields(tt.flags)...)...)
		if said := strings.Contains(stderr, "of the kinds of findings level-change, straggler"); said != (tt.exit == statusError) {
			t.Errorf("%s %s: got %s", tt.story, tt.flags, stderr)
		}
	}
	sides := []string{filepath.Join(dirs["checkpoint-spikes"], "baseline"), filepath.Join(dirs["checkpoint-spikes"], "candidate")}
	for name, text := range written(t, statusRegressed, append(sides, "--fail-on", "spike")...) {
		if !strings.Contains(flat(text), "A finding of the kind spike fails by the policy.") && strings.HasPrefix(name, "report.") {
			t.Errorf("%s does not say why it fails", name)
		}
	}
}

// TestWaiverOfKind: a waiver of a kind lets its findings through, which every output says,
// and nothing else; behind its last day it does not.
func TestWaiverOfKind(t *testing.T) {
	sides := sides(writeStory(t, "checkpoint-spikes", synth.Nsight))
	t.Chdir(t.TempDir())
	for _, tt := range []struct {
		policy string
		exit   int
		want   string // in what is said
	}{
		{"fail_on: [spike]\nwaivers: [{kind: spike, reason: old disk, owner: ana, expires: 2999-01-01}]\n", statusOK, "Findings of the kind spike are let through: old disk (ana, until 2999-01-01)."},
		{"fail_on: [spike]\nwaivers: [{kind: drift, reason: old disk, owner: ana, expires: 2999-01-01}]\n", statusRegressed, "A finding of the kind spike fails by the policy."},
		{"fail_on: [spike]\nwaivers: [{kind: spike, reason: old disk, owner: ana, expires: 2001-01-01}]\n", statusRegressed, "the waiver of spike expired on 2001-01-01 (old disk, ana)"},
		{"waivers: [{kind: spike, reason: old disk, owner: ana, expires: 2999-01-01}]\n", statusOK, "findings of the kind spike waived until 2999-01-01: ana, old disk"},
		{"waivers: [{kind: rain, reason: old disk, owner: ana, expires: 2999-01-01}]\n", statusError, `1:18: "rain" is no kind of findings: choose of level-change`},
		{"waivers: [{kind: spike, reason: old disk, expires: 2999-01-01}]\n", statusError, `a waiver of "spike" needs kind, reason, owner and expires`},
		{"waivers: [{kind: spike, up_to: 3%, reason: old disk, owner: ana, expires: 2999-01-01}]\n", statusError, "has neither metric nor up_to"},
		{"waivers: [{kind: spike, reason: a, owner: b, expires: 2999-01-01}, {kind: spike, reason: a, owner: b, expires: 2999-01-01}]\n", statusError, "spike is waived twice"},
	} {
		writeFile(t, policyfile.Name, tt.policy)
		stdout, stderr := mustRun(t, tt.exit, sides...)
		if said := strings.Join(strings.Fields(plainSpaces(stdout+" "+stderr)), " "); !strings.Contains(said, tt.want) {
			t.Errorf("%s: %q is not in %s", tt.policy, tt.want, said)
		}
	}
	writeFile(t, policyfile.Name, "fail_on: [spike]\nwaivers: [{kind: spike, reason: old disk, owner: ana, expires: 2999-01-01}]\n")
	printed, _ := mustRun(t, statusOK, "policy")
	writeFile(t, policyfile.Name, printed)
	if again, _ := mustRun(t, statusOK, "policy"); again != printed || !strings.Contains(printed, `- {kind: spike, reason: "old disk", owner: "ana", expires: "2999-01-01"}`) {
		t.Errorf("the policy as printed is another one:\n%s", again)
	}
}
