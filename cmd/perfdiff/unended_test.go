package main

import (
	"path/filepath"
	"strings"
	"testing"

	"perfdiff/analyze/synth"
)

// withoutPop takes the ends of the steps' ranges away, as a program without range_pop leaves
// them.
const withoutPop = "update NVTX_EVENTS set end = null where text like 'step %'"

// TestPushWithoutPop: ranges of steps that were begun and never ended are told by name, with
// the remedy, on every output, and never taken for steps.
func TestPushWithoutPop(t *testing.T) {
	const told = `30 ranges named "step N" have no end (push without pop): call torch.cuda.nvtx.range_pop() behind each`
	dir := writeStory(t, "aa", synth.Nsight)
	mutate(t, dir, withoutPop)
	out, _ := mustRun(t, statusOK, append(sides(dir), "--table")...)
	if flat := strings.Join(strings.Fields(out), " "); !strings.Contains(flat, told) || !strings.Contains(flat, "Optimizer.step: 30 found") {
		t.Errorf("beside another marker: got\n%s", out)
	}
	outputs := outputsOf(t, sides(dir)...)
	for _, ext := range []string{".html", ".json", ".md", ".txt"} {
		plain := strings.NewReplacer("\\\"", `"`, "&#34;", `"`, "\\_", "_", "&quot;", `"`).Replace(outputs[ext])
		if !strings.Contains(strings.Join(strings.Fields(plain), " "), `30 ranges named "step N" have no end`) {
			t.Errorf("%s does not tell it", ext)
		}
	}

	nothing := []string{"delete from NVTX_EVENTS where text not like 'step %'", "update CUPTI_ACTIVITY_KIND_KERNEL set demangledName = (select min(demangledName) from CUPTI_ACTIVITY_KIND_KERNEL)"}
	mutate(t, filepath.Join(dir, "candidate"), nothing...)
	mutate(t, filepath.Join(dir, "baseline"), nothing...)
	out, _ = mustRun(t, statusNotJudged, sides(dir)...)
	if flat := strings.Join(strings.Fields(out), " "); !strings.Contains(flat, "NOT JUDGED") || !strings.Contains(flat, told) || strings.Contains(flat, "wrap each step") {
		t.Errorf("alone: got\n%s", out)
	}
}

// TestPushWithoutPopOneSide: of sides of which one lacks range_pop nothing is judged by ranges
// that the other has, and ranges without an end are not taken for long ones.
func TestPushWithoutPopOneSide(t *testing.T) {
	dir := writeStory(t, "aa", synth.Nsight)
	mutate(t, dir, "delete from NVTX_EVENTS where text not like 'step %'")
	mutate(t, filepath.Join(dir, "candidate"), withoutPop)
	out, _ := mustRun(t, statusNotJudged, sides(dir)...)
	if flat := strings.Join(strings.Fields(out), " "); !strings.Contains(flat, `candidate: 30 ranges named "step N" have no end`) ||
		strings.Contains(flat, "What stands out") {
		t.Errorf("got\n%s", out)
	}
}

// TestWaitWithoutPop: a range of the loader that was never ended is no wait for input to the
// end of the capture, and nothing is found in it.
func TestWaitWithoutPop(t *testing.T) {
	dir := writeStory(t, "aa", synth.Nsight)
	mutate(t, filepath.Join(dir, "candidate"), "update NVTX_EVENTS set end = null where text = 'DataLoader.__next__'")
	mustRun(t, statusNotJudged, sides(dir)...) // for the candidate lacks what gates
	out, _ := mustRun(t, statusOK, append(sides(dir), "--allow", "no-metric")...)
	flat := strings.Join(strings.Fields(out), " ")
	if !strings.HasPrefix(flat, "PASSED") || strings.Contains(flat, "What changed") || !strings.Contains(flat, `ranges named "DataLoader.__next__" have no end`) {
		t.Errorf("got\n%s", out)
	}
}
