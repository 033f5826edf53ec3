package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// writeRankLogs writes four logs of 40 steps of ms each at places that name holds a number in, with marks before lines.
func writeRankLogs(t *testing.T, name, mark string, ms float64) string {
	t.Helper()
	dir := t.TempDir()
	for i := range 4 {
		var text strings.Builder
		for k := 1; k <= 40; k++ {
			text.WriteString(strings.ReplaceAll(mark, "N", fmt.Sprint(i)))
			fmt.Fprintf(&text, "step %d | loss 2.5 | step_time: %.3fms\n", k, ms*(1+0.001*float64((7*k+3*i)%11)))
		}
		writeFile(t, filepath.Join(dir, filepath.FromSlash(strings.ReplaceAll(name, "N", fmt.Sprint(i)))), text.String())
	}
	return dir
}

// TestRankLogs: logs of the ranks of one job are one run, as launchers call their files, directories or lines; repeats
// are several.
func TestRankLogs(t *testing.T) {
	for _, c := range []struct {
		name, mark, want string
	}{
		{"attempt_0/N/stdout.log", "", "1 run of 4 ranks"},
		{"1/rank.N/stdout", "", "1 run of 4 ranks"},
		{"rank_N/train.log", "", "1 run of 4 ranks"},
		{"job_rankN.log", "", "1 run of 4 ranks"},
		{"outN.log", "[rankN]: ", "1 run of 4 ranks"},
		{"outN.log", "[Rank N] ", "1 run of 4 ranks"},
		{"outN.log", "[rank0] ", "4 runs of 1 rank"},
		{"outN.log", "", "4 runs of 1 rank"},
		{"runN/rank0/train.log", "", "4 runs of 1 rank"},
		{"runN/train.log", "", "4 runs of 1 rank"},
	} {
		status := statusOK
		if strings.HasPrefix(c.want, "4") {
			status = statusRegressed
		}
		stdout, stderr := mustRun(t, status, writeRankLogs(t, c.name, c.mark, 100), writeRankLogs(t, c.name, c.mark, 110))
		if text := strings.Join(strings.Fields(stdout), " "); !strings.Contains(text, c.want) {
			t.Errorf("%s with %q: got %s%s, want %s", c.name, c.mark, stdout, stderr, c.want)
		}
	}
}

// TestLogBesideRuns: a log beside directories of logs is not taken for the only run.
func TestLogBesideRuns(t *testing.T) {
	base, cand := writeRankLogs(t, "runN/train.log", "", 100), writeRankLogs(t, "runN/train.log", "", 110)
	other := writeRankLogs(t, "runN.log", "", 50)
	if err := os.Rename(filepath.Join(other, "run0.log"), filepath.Join(cand, "other.log")); err != nil {
		t.Fatal(err)
	}
	if _, stderr := mustRun(t, statusError, base, cand); !strings.Contains(stderr, "not known which are its runs") {
		t.Errorf("got %s", stderr)
	}
}
