package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"perfdiff/analyze/synth"
	"perfdiff/testdata"
)

// anyVerdict stands for each exit status of a comparison that was made, whatever it says.
const anyVerdict = -1

func mustRun(t *testing.T, want int, args ...string) (stdout, stderr string) {
	t.Helper()
	var out, errs bytes.Buffer
	if got := run(context.Background(), args, &out, &errs); got != want && (want != anyVerdict || got == statusError) {
		t.Fatalf("perfdiff %s: exit %d want %d: %s", strings.Join(args, " "), got, want, errs.String())
	}
	return out.String(), errs.String()
}

// TestSummaries: of every story, comparing summaries, one summary or none gives
// the same bytes in every format.
func TestSummaries(t *testing.T) {
	for _, name := range testdata.Names() {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			dir, out := writeStory(t, name, synth.Nsight), t.TempDir()
			base, cand := filepath.Join(dir, "baseline"), filepath.Join(dir, "candidate")
			for i, side := range []string{base, cand} {
				mustRun(t, statusOK, "summarize", side, "-q", "-o", filepath.Join(out, []string{"b.perfdiff", "c.perfdiff"}[i]))
			}
			compare := func(to string, sides ...string) {
				mustRun(t, anyVerdict, append(sides, "-q", "-o", filepath.Join(out, to+".json"), "-o", filepath.Join(out, to+".html"), "-o", filepath.Join(out, to+".md"))...)
			}
			compare("profiles", base, cand)
			compare("summaries", filepath.Join(out, "b.perfdiff"), filepath.Join(out, "c.perfdiff"))
			compare("mixed", filepath.Join(out, "b.perfdiff"), cand)
			for _, ext := range []string{".json", ".html", ".md"} {
				want, err := os.ReadFile(filepath.Join(out, "profiles"+ext))
				if err != nil {
					t.Fatal(err)
				}
				for _, other := range []string{"summaries", "mixed"} {
					if got, err := os.ReadFile(filepath.Join(out, other+ext)); err != nil || !bytes.Equal(got, want) {
						t.Errorf("%s%s differs from that of the profiles (%v)", other, ext, err)
					}
				}
			}
		})
	}
}

func TestSummarizeUsage(t *testing.T) {
	dir := writeStory(t, "aa", synth.Nsight)
	base := filepath.Join(dir, "baseline")
	for _, tt := range []struct {
		args []string
		want string
	}{
		{[]string{"summarize"}, "expected one RUNSET, got 0 arguments"}, {[]string{"summarize", base}, "-o FILE is missing"},
		{[]string{"summarize", base, "-o", "nowhere/x.perfdiff"}, "nowhere/x.perfdiff: cannot be written"},
		{[]string{"summarize", "nowhere", "-o", filepath.Join(dir, "x.perfdiff")}, "nowhere: no such file"},
		{[]string{"summarize", base, "-o", filepath.Join(dir, "x"), "--nope"}, "unknown flag: --nope"},
	} {
		if _, stderr := mustRun(t, statusError, tt.args...); !strings.Contains(stderr, tt.want) {
			t.Errorf("%v: got %s want %q", tt.args, stderr, tt.want)
		}
	}
	file := filepath.Join(dir, "main.perfdiff")
	out, _ := mustRun(t, statusOK, "summarize", base, "-o", file)
	if !strings.Contains(out, "1 run of 4 ranks") {
		t.Errorf("got %q", out)
	}
	content, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	damaged := bytes.Clone(content)
	damaged[len(damaged)/2] ^= 1
	for name, c := range map[string]struct {
		data []byte
		want string
	}{
		"damaged": {damaged, "the summary is damaged: its checksum is another one"},
		"cut":     {content[:len(content)/2], "the summary is damaged"},
		"newer":   {[]byte("perfdiff summary 7\n" + string(content)), `a summary of version "7", this perfdiff reads up to version 6`},
	} {
		path := filepath.Join(dir, name+".perfdiff")
		if err := os.WriteFile(path, c.data, 0o600); err != nil {
			t.Fatal(err)
		}
		if _, stderr := mustRun(t, statusError, file, path); !strings.Contains(stderr, "candidate: "+name+".perfdiff: "+c.want) {
			t.Errorf("%s: got %s want %q", name, stderr, c.want)
		}
	}
	if out, _ := mustRun(t, statusNotJudged, file, file, "--ranks", "1-2", "--table"); !strings.Contains(out, "ranks 1-2") {
		t.Errorf("--ranks of a summary: got %s", out)
	}
	if _, stderr := mustRun(t, statusError, file, file, "--ranks", "77"); !strings.Contains(stderr, "none of the ranks") {
		t.Errorf("--ranks of nothing: got %s", stderr)
	}
	if _, stderr := mustRun(t, statusNotJudged, file, file, "--step-kernel", "x", "-q"); !strings.Contains(stderr, "do nothing to it") {
		t.Errorf("--step-kernel: got %s", stderr)
	}
	if _, stderr := mustRun(t, statusNotJudged, file, file, "--rank-name", `(?P<rank>\d)`, "-q"); !strings.Contains(stderr, "--rank-name does nothing to it") {
		t.Errorf("--rank-name: got %s", stderr)
	}
}

// TestAskedRanks: what --ranks leaves out is not missing, from profiles and from
// summaries, and a summary says that its waits are not those of the chosen ranks.
func TestAskedRanks(t *testing.T) {
	whole, lost, dir := sides(writeStory(t, "aa", synth.Nsight)), sides(writeStory(t, "missing-rank", synth.Nsight)), t.TempDir()
	base, cand, some := filepath.Join(dir, "b.perfdiff"), filepath.Join(dir, "c.perfdiff"), filepath.Join(dir, "some.perfdiff")
	mustRun(t, statusOK, "summarize", whole[0], "-q", "-o", base)
	mustRun(t, statusOK, "summarize", whole[1], "-q", "-o", cand)
	if _, stderr := mustRun(t, statusOK, "summarize", whole[1], "-q", "--ranks", "0-2", "-o", some); stderr != "" {
		t.Errorf("summarize --ranks: got %s", stderr)
	}
	const warned = "waits, transfers and skews are those among all ranks of the summary"
	for _, tt := range []struct {
		sides []string
		ranks string
		want  int
		warn  bool
	}{
		{whole, "0-2", 0, false}, {[]string{base, cand}, "0-2", 0, true}, {[]string{base, cand}, "0-3", 0, false},
		{[]string{base, some}, "", 0, false}, {[]string{whole[0], some}, "0-2", 0, false},
		{lost, "1-2", 1, false}, {lost, "0-1", 0, false},
	} {
		args := append(slices.Clone(tt.sides), "-q", "--fail-on", "missing-rank")
		if tt.ranks != "" {
			args = append(args, "--ranks", tt.ranks)
		}
		if _, stderr := mustRun(t, tt.want, args...); strings.Contains(stderr, warned) != tt.warn {
			t.Errorf("%v: got %s", args, stderr)
		}
	}
}

// TestSummariesOfOneName: summaries of other runs that were made of directories of one
// name, as pipelines do, are other runs; a copy of one is none.
func TestSummariesOfOneName(t *testing.T) {
	dir := t.TempDir()
	for i, side := range sides(writeStory(t, "aa", synth.Nsight)) {
		from := filepath.Join(dir, fmt.Sprint("checkout", i), "profiles")
		if err := os.CopyFS(from, os.DirFS(side)); err != nil {
			t.Fatal(err)
		}
		mustRun(t, statusOK, "summarize", from, "-q", "-o", filepath.Join(dir, fmt.Sprint("main", i)))
	}
	other := sides(writeStory(t, "slow-allreduce", synth.Nsight))[0]
	for _, tt := range []struct {
		name string
		from []string // of main0 and main1
		runs int
	}{
		{"two runs", []string{"main0", "main1"}, 2}, {"one run twice", []string{"main1", "main1"}, 1}, {"one of them twice", []string{"main0", "main1", "main0"}, 2},
	} {
		past := t.TempDir()
		for i, name := range tt.from {
			text, err := os.ReadFile(filepath.Join(dir, name))
			if err != nil {
				t.Fatal(err)
			}
			writeFile(t, filepath.Join(past, fmt.Sprintf("%d.perfdiff", i)), string(text))
		}
		var stdout, stderr bytes.Buffer
		run(context.Background(), []string{past, other, "-o", "-", "--format", "json", "--force"}, &stdout, &stderr)
		var doc struct {
			Baseline struct{ Runs []string }
		}
		if err := json.Unmarshal(stdout.Bytes(), &doc); err != nil || len(doc.Baseline.Runs) != tt.runs {
			t.Errorf("%s: got runs %v, want %d (%v)", tt.name, doc.Baseline.Runs, tt.runs, err)
		}
	}
}
