package main

import (
	"bytes"
	"context"
	"strings"
	"testing"

	"perfdiff/analyze/synth"
)

// TestNoWarnings: a page says that there are none only where there is nothing to know, and it says
// what follows from what was compared: one run, no history, steps that still grow, missing ranks.
func TestNoWarnings(t *testing.T) {
	for _, tt := range []struct {
		story string
		want  []string
	}{
		{demoStory, []string{"Steps of the baseline still grow at the last one", "One run per side, and no history"}},
		{"missing-rank", []string{"ranks of the candidate are missing", "One run per side, and no history"}},
		{"several-runs", []string{"No history: what runs differ by comes from these few runs"}},
	} {
		var stdout, stderr bytes.Buffer
		run(context.Background(), append(sides(writeStory(t, tt.story, synth.Nsight)), "-q", "-o", "-", "--format", "html"), &stdout, &stderr)
		_, section, _ := strings.Cut(stdout.String(), `<section id="warnings"`)
		section, _, _ = strings.Cut(section, "</section>")
		for _, want := range tt.want {
			if !strings.Contains(section, want) {
				t.Errorf("%s: the page lacks %q:\n%s", tt.story, want, section)
			}
		}
		if strings.Contains(section, "No warnings") {
			t.Errorf("%s: the page says that there are no warnings", tt.story)
		}
	}
}
