package main

import (
	"path/filepath"
	"strings"
	"testing"

	"perfdiff/analyze/synth"
)

// TestNumbersThatDoNotRise: where the numbers in the names of steps cannot be theirs, steps are
// compared in order of time, and that is said; usual names are not remarked on.
func TestNumbersThatDoNotRise(t *testing.T) {
	const said = "the numbers in the names of steps do not rise and are not used"
	for _, tt := range []struct{ name, number string }{
		{"usual", "substr(text, 6)"}, {"one number", "7"}, {"backwards", "100 - substr(text, 6)"}, {"from 0 again", "substr(text, 6) % 15"},
	} {
		dir := writeStory(t, "aa", synth.Nsight)
		for _, side := range []string{"baseline", "candidate"} {
			alter(t, filepath.Join(dir, side), "UPDATE NVTX_EVENTS SET text = 'step ' || ("+tt.number+") WHERE text LIKE 'step %'")
		}
		out, _ := mustRun(t, statusOK, sides(dir)...)
		text := strings.Join(strings.Fields(out), " ")
		if strings.Contains(text, said) != (tt.name != "usual") || !strings.Contains(text, "× 29 steps per side") {
			t.Errorf("%s: %s", tt.name, out)
		}
	}
}
