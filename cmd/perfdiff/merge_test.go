package main

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"perfdiff/analyze/synth"
	"perfdiff/testdata"
)

// measureShards measures a run set in so many shards, and returns the directory of their parts.
func measureShards(t *testing.T, set string, shards int, flags ...string) string {
	t.Helper()
	parts := filepath.Join(t.TempDir(), "parts")
	for i := range shards {
		args := append([]string{"summarize", set, "-q", "--shard", fmt.Sprintf("%d/%d", i, shards), "-o", parts}, flags...)
		mustRun(t, statusOK, args...)
	}
	return parts
}

// TestMergedStories: of every story, the parts of several shards merged are the summary of the whole,
// byte by byte.
func TestMergedStories(t *testing.T) {
	for _, name := range testdata.Names() {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			dir, out := writeStory(t, name, synth.Nsight), t.TempDir()
			for _, side := range []string{"baseline", "candidate"} {
				set := filepath.Join(dir, side)
				want := filepath.Join(out, side+".perfdiff")
				mustRun(t, statusOK, "summarize", set, "-q", "-o", want)
				got := filepath.Join(out, side+"-merged.perfdiff")
				parts := filepath.Join(t.TempDir(), "parts")
				for i := range 2 {
					mustRun(t, statusOK, "summarize", set, "-q", "--shard", fmt.Sprintf("%d/2", i), "-o", parts)
				}
				mustRun(t, statusOK, "merge", parts, "-q", "-o", got)
				a, _ := os.ReadFile(want)
				b, err := os.ReadFile(got)
				if err != nil || !bytes.Equal(a, b) {
					t.Errorf("%s: the merged summary differs (%v)", side, err)
				}
			}
		})
	}
}
