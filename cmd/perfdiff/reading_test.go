package main

import (
	"path/filepath"
	"strings"
	"testing"

	"perfdiff/analyze/synth"
)

// readLines are the lines of standard error that say what was read.
func readLines(stderr string) (out []string) {
	for line := range strings.Lines(stderr) {
		if text, ok := strings.CutPrefix(line, "perfdiff: read: "); ok {
			out = append(out, strings.TrimSuffix(text, "\n"))
		}
	}
	return out
}

// TestVerbose: each command that loads run sets says of each file and rank what was read and decided,
// and changes nothing else of what it prints.
func TestVerbose(t *testing.T) {
	dir := writeStory(t, "truncated", synth.Nsight)
	base, cand := filepath.Join(dir, "baseline"), filepath.Join(dir, "candidate")
	other := filepath.Join(writeStory(t, "straggler-rank3", synth.Nsight), "candidate")
	saved := filepath.Join(t.TempDir(), "base.perfdiff")
	mustRun(t, statusOK, "summarize", base, "-q", "-o", saved)
	for _, args := range [][]string{
		{base, cand}, {base, cand, other, "--names", "a,b,c"},
		{"report", cand}, {"check", cand}, {"steps", cand}, {"steps", base, cand}, {"pick", cand}, {"gate", "--store", filepath.Dir(saved), cand},
		{"summarize", cand, "-o", filepath.Join(t.TempDir(), "x.perfdiff")},
	} {
		plain, before, status := runSeveral(args...)
		out, after, again := runSeveral(append(args, "--verbose")...)
		lines := readLines(after)
		if out != plain || again != status || len(readLines(before)) > 0 {
			t.Errorf("%q: --verbose changes what is printed: status %d and %d\n%s", args, status, again, out)
		}
		all := strings.Join(lines, "\n")
		for _, want := range []string{"report.0.sqlite: nsys sqlite, ", "rank 0: number from ", `by range "step N": `,
			"second anchor agrees", " kept; left out step 0 ("} {
			if !strings.Contains(all, want) {
				t.Errorf("%q: got\n%s\nwant %s", args, all, want)
			}
		}
		if strings.Contains(all, dir) {
			t.Errorf("%q: names a directory:\n%s", args, all)
		}
	}
}

// TestVerboseLosses: a file that is left out, metrics that are lost and past runs are said, with numbers for names
// where --anonymize asks for them.
func TestVerboseLosses(t *testing.T) {
	saved := filepath.Join(t.TempDir(), "base.perfdiff")
	mustRun(t, statusOK, "summarize", filepath.Join(writeStory(t, "truncated", synth.Nsight), "baseline"), "-q", "-o", saved)
	for _, x := range []struct {
		story string
		args  []string
		want  []string
		not   string
	}{
		{"truncated", nil, []string{
			"candidate: 4 files, 1 run, 3 ranks: candidate", "report.1.sqlite: nsys sqlite, 0.10 MB; left out: truncated: ",
			"waiting is not told from transfer: not separable: 3 of 4 ranks"}, "past run"},
		{"truncated", []string{"--anonymize", "--history", saved}, []string{
			"file-2: nsys sqlite, 0.10 MB; left out: ", "host node-1, ", "past run: 4 files, 1 run, 4 ranks: past-1"}, "report."},
	} {
		_, stderr, _ := runSeveral(append(append(sides(writeStory(t, x.story, synth.Nsight)), "-q", "--verbose"), x.args...)...)
		all := strings.Join(readLines(stderr), "\n")
		for _, want := range x.want {
			if !strings.Contains(all, want) {
				t.Errorf("%s %q: got\n%s\nwant %s", x.story, x.args, all, want)
			}
		}
		if x.not != "" && strings.Contains(all, x.not) {
			t.Errorf("%s %q: says %s:\n%s", x.story, x.args, x.not, all)
		}
	}
}
