package main

import (
	"context"
	"fmt"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"perfdiff/analyze/synth"
)

// TestPeakOfRanks: many small ranks, none of which is large, take at most 1.3 times what --max-memory
// says, the program included, from reading to the page. Where they need more they are refused before
// most are read, in words that name what is enough.
func TestPeakOfRanks(t *testing.T) {
	if testing.Short() || runtime.GOOS != "linux" {
		t.Skip("builds the program, writes 1,024 profiles, and knows peak memory as Linux tells it")
	}
	exe := program(t)
	many := func(ranks int, format synth.Format) (base, cand string) {
		story, err := synth.Parse("many", fmt.Appendf(nil, "about: many ranks\nranks: %d\nsteps: 12\nseed: 3\n", ranks))
		dir := t.TempDir()
		if err == nil {
			_, err = story.Write(context.Background(), dir, format)
		}
		if err != nil {
			t.Fatal(err)
		}
		return filepath.Join(dir, "baseline"), filepath.Join(dir, "candidate")
	}
	within := func(base, cand, jobs string, limit int64) (said string, status int) {
		t.Helper()
		args := []string{base, cand, "-q", "--jobs", jobs, "--max-memory", fmt.Sprintf("%dM", limit), "-o", filepath.Join(t.TempDir(), "r.html")}
		said, status, peak := peakOf(t, exe, args...)
		for range 2 { // a collector that waits for a processor lets more pile up than the program needs
			if peak > limit*1e6/10*13 {
				said, status, peak = peakOf(t, exe, args...)
			}
		}
		if peak > limit*1e6/10*13 {
			t.Errorf("%s, --max-memory %dM, %s at once: got %d MB", filepath.Base(filepath.Dir(base)), limit, jobs, peak/1e6)
		}
		return said, status
	}
	for jobs, format := range map[string]synth.Format{"4": synth.Nsight, "1": synth.Kineto} {
		base, cand := many(64, format)
		if said, status := within(base, cand, jobs, 64); status == statusError || strings.Contains(said, "memory") {
			t.Errorf("64 ranks: got status %d and %s", status, said)
		}
	}
	base, cand := many(512, synth.Nsight)
	said, status := within(base, cand, "2", 64)
	var enough int64
	if _, rest, ok := strings.Cut(said, "(--max-memory "); ok {
		fmt.Sscanf(rest, "%dM", &enough)
	}
	if status != statusError || !strings.Contains(said, "1024 profiles need more memory than is allowed: about ") || enough <= 64 {
		t.Fatalf("512 ranks with 64 MB: got status %d and %s", status, said)
	}
	if said, status := within(base, cand, "2", enough); status == statusError || strings.Contains(said, "memory") {
		t.Errorf("512 ranks with %d MB: got status %d and %s", enough, status, said)
	}
}
