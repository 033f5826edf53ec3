//go:build unix

package main

import (
	"path/filepath"
	"strings"
	"testing"

	"perfdiff/cmd/perfdiff/policyfile"
)

// TestPolicyRef: a gate takes the policy of a commit, and none of the working directory, which a pull request changed.
func TestPolicyRef(t *testing.T) {
	runs := mainRuns(t)
	w := newWorkplace(t, t.TempDir(), runs)
	t.Chdir(w.origin)
	writeFile(t, policyfile.Name, "threshold: 99%\n")
	store := filepath.Join(t.TempDir(), "store")
	for _, run := range []string{"run1", "run2", "run3", "run4", "run5", "run6"} {
		mustRun(t, statusOK, "gate", "--store", store, filepath.Join(runs, "baseline", run), "-q", "--save", "--first", "pass")
	}
	slower := []string{"gate", "--store", store, filepath.Join(runs, "candidate/run1")}
	if out, _ := mustRun(t, statusRegressed, slower...); !strings.Contains(out, "perfdiff.yaml: is not read, since whoever is gated may have changed it") {
		t.Errorf("got %s", out)
	}
	mustRun(t, statusOK, append(slower, "--policy", policyfile.Name)...) // it is named
	if out, _ := mustRun(t, statusRegressed, append(slower, "--policy-ref", "HEAD")...); strings.Contains(out, "is not read") {
		t.Errorf("got %s", out)
	}
	for want, args := range map[string][]string{
		"--policy-ref nothing: git knows no such commit here": {"--policy-ref", "nothing"},
		"--policy-ref -x: git knows no such commit here":      {"--policy-ref=-x"},
		"--policy ci/none.yaml: HEAD has no such file":        {"--policy-ref", "HEAD", "--policy", "ci/none.yaml"},
	} {
		if _, stderr := mustRun(t, statusError, append(slower, args...)...); !strings.Contains(stderr, want) {
			t.Errorf("got %s want %s", stderr, want)
		}
	}
}
