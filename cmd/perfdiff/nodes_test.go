package main

import (
	"bytes"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"perfdiff/analyze/synth"
)

// relaid writes a story with its files elsewhere: move says where a file goes, by
// the directory that it lies in, its base name and its rank, and what it holds then.
func relaid(t *testing.T, story string, format synth.Format, move func(node string, rank int, text string) (to, changed string)) []string {
	t.Helper()
	dir, truth := writeEdited(t, story, format, strings.NewReplacer())
	out := t.TempDir()
	for name, runs := range map[string][]synth.Run{"baseline": truth.Baseline, "candidate": truth.Candidate} {
		for _, r := range runs {
			for _, k := range r.Ranks {
				from := fileOf(t, filepath.Join(dir, name, r.Name), k.File)
				text, err := os.ReadFile(from)
				if err != nil {
					t.Fatal(err)
				}
				to, changed := move(path.Base(filepath.ToSlash(filepath.Dir(from))), k.Rank, string(text))
				put(t, filepath.Join(out, name, r.Name, to), changed)
			}
		}
	}
	return []string{filepath.Join(out, "baseline"), filepath.Join(out, "candidate")}
}

func put(t *testing.T, path, text string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
}

// fileOf is the file of that base name in dir or below.
func fileOf(t *testing.T, dir, name string) (found string) {
	t.Helper()
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err == nil && d.Name() == name {
			found = path
		}
		return err
	})
	if err != nil || found == "" {
		t.Fatalf("%s is not in %s: %v", name, dir, err)
	}
	return found
}

// What a trace of PyTorch says of its job and of the time, taken away.
var (
	distributed = regexp.MustCompile(`"distributedInfo": \{.*\}\], "nccl_version": "[^"]*"\},\n`)
	clock       = regexp.MustCompile(`"baseTimeNanoseconds": \d+,\n`)
)

func anonymousJob(text string) string { return distributed.ReplaceAllString(text, "") }

// verdictOf is what a comparison says, without the names of files.
func verdictOf(t *testing.T, want int, args ...string) string {
	t.Helper()
	stdout, _ := mustRun(t, want, append(args, "-o", "-", "--format", "json")...)
	return asked.ReplaceAllString(fileNames.ReplaceAllString(stdout, `"file"`), "")
}

var fileNames = regexp.MustCompile(`"[\w./-]*(?:report\.|worker|trace)[\w./-]*"`)

// TestNodeDirectories: a run whose files lie in a directory for each node is what it is
// with all of them in one, in each format; from summaries of its nodes too, as far as
// they tell.
func TestNodeDirectories(t *testing.T) {
	for format, name := range map[synth.Format]string{synth.Nsight: "report.%d.sqlite", synth.Kineto: "worker%d.1.pt.trace.json"} {
		layout := func(deep bool) []string {
			return relaid(t, "nodes-in-directories", format, func(node string, rank int, text string) (string, string) {
				if to := fmt.Sprintf(name, rank); !deep {
					return to, text
				} else {
					return node + "/" + to, text
				}
			})
		}
		flat, nodes := layout(false), layout(true)
		if a, b := sorted(verdictOf(t, statusRegressed, flat...)), sorted(verdictOf(t, statusRegressed, nodes...)); a != b {
			t.Errorf("format %d: directories of nodes give another report than one directory", format)
		}
		sums := t.TempDir()
		for _, side := range nodes {
			for _, node := range []string{"node0001", "node0002"} {
				to := filepath.Join(sums, filepath.Base(side), node+".perfdiff")
				put(t, to, "")
				mustRun(t, statusOK, "summarize", filepath.Join(side, node), "-q", "-o", to)
			}
		}
		stdout, _ := mustRun(t, statusRegressed, filepath.Join(sums, "baseline"), filepath.Join(sums, "candidate"), "--table")
		for _, want := range []string{"1 run of 8 ranks", "ranks 0-7 of 8", "who waited for whom in collectives is not known"} {
			if !strings.Contains(strings.Join(strings.Fields(stdout), " "), want) {
				t.Errorf("format %d: summaries of nodes: got %s want %q", format, stdout, want)
			}
		}
		if stdout, _ := mustRun(t, statusOK, "history", filepath.Join(sums, "baseline")); !strings.Contains(stdout, "has 1\n  run on 2 hosts") {
			t.Errorf("format %d: summaries of nodes as a history: got %s", format, stdout)
		}
	}
}

// sorted is a text with its lines in order: files are in order of name.
func sorted(text string) string {
	lines := strings.Split(text, "\n")
	slices.Sort(lines)
	return strings.Join(lines, "\n")
}

// TestUndecidedRuns: what can be nodes or repeats is not judged, by force neither, and
// not saved, until the user says what it is.
func TestUndecidedRuns(t *testing.T) {
	sides := relaid(t, "nodes-in-directories", synth.Kineto, func(node string, rank int, text string) (string, string) {
		return fmt.Sprintf("%s/worker%d.1.pt.trace.json", node, rank), clock.ReplaceAllString(text, "")
	})
	flat := relaid(t, "nodes-in-directories", synth.Kineto, func(node string, rank int, text string) (string, string) {
		return fmt.Sprintf("worker%d.1.pt.trace.json", rank), clock.ReplaceAllString(text, "")
	})
	const doubt = "the directories node0001 and node0002 are either nodes of one run or repeats: they hold different ranks, and nothing says when they were captured"
	stdout, _ := mustRun(t, statusNotJudged, append(sides, "--force")...)
	for _, want := range []string{"No verdict: it is not known what the runs are.", doubt, "--runs as-nodes (one run) or --runs as-repeats"} {
		if !strings.Contains(strings.Join(strings.Fields(stdout), " "), strings.TrimPrefix(want, "the ")) {
			t.Errorf("got %s want %q", stdout, want)
		}
	}
	if strings.Contains(stdout, "regressed") {
		t.Errorf("nothing may be judged: got %s", stdout)
	}
	file := filepath.Join(t.TempDir(), "x.perfdiff")
	for _, args := range [][]string{{"summarize", sides[0], "-o", file}, {"check", sides[0]}, {sides[0], sides[1], "-q"}} {
		if _, stderr := mustRun(t, statusNotJudged, args...); !strings.Contains(stderr, doubt) || !strings.Contains(stderr, "--runs as-nodes") {
			t.Errorf("%v: got %s", args, stderr)
		}
	}
	if _, err := os.Stat(file); err == nil {
		t.Error("summarize wrote what is not known")
	}
	if a, b := sorted(verdictOf(t, statusRegressed, append(sides, "--runs", "as-nodes")...)), sorted(verdictOf(t, statusRegressed, flat...)); a != b {
		t.Error("--runs as-nodes gives another report than one directory")
	}
	mustRun(t, statusOK, "summarize", sides[0], "-o", file, "--runs", "as-nodes", "-q")
	if stdout, _ := mustRun(t, statusOK, "summarize", sides[0], "-o", file, "--runs", "as-repeats"); !strings.Contains(stdout, "2 runs of 4 ranks each, ") {
		t.Errorf("--runs as-repeats: got %s", stdout)
	}
}

// TestNamesOfRanks: ranks that only names say are those ranks, in the spellings of
// launchers, and those of a node need the user's word.
func TestNamesOfRanks(t *testing.T) {
	named := func(name func(node string, rank int) string) []string {
		return relaid(t, "straggler-rank3", synth.Kineto, func(node string, rank int, text string) (string, string) {
			return name(node, rank), anonymousJob(text)
		})
	}
	want := verdictOf(t, statusRegressed, named(func(_ string, rank int) string { return fmt.Sprintf("worker%d.1.pt.trace.json", rank) })...)
	for _, spelling := range []string{"trace_%d_8.json", "mlperf_steps11-29.%02d.json", "dlrm_0_%d.json", "name_20240511_103022_%d.json"} {
		got := verdictOf(t, statusRegressed, named(func(_ string, rank int) string { return fmt.Sprintf(spelling, rank) })...)
		if a, b := stepOf(got), stepOf(want); a != b {
			t.Errorf("%s: got %s want %s", spelling, a, b)
		}
	}
	stdout, _ := mustRun(t, statusRegressed, append(named(func(_ string, rank int) string { return fmt.Sprintf("trace-%d-of-8.json", rank) }), "--table")...)
	if !strings.Contains(stdout, "ranks 0-7 of 8 from file name") {
		t.Errorf("-of-8: got %s", stdout)
	}
	local := named(func(_ string, rank int) string { return fmt.Sprintf("n%d/local%d.json", rank/4, rank%4) })
	if stdout, _ := mustRun(t, statusNotJudged, local...); !strings.Contains(stdout, "what the runs are") {
		t.Errorf("ranks of nodes: got %s", stdout)
	}
	stdout, _ = mustRun(t, statusRegressed, append(local, "--rank-name", `n(?P<node>\d+)/local(?P<rank>\d+)`, "--table")...)
	if !strings.Contains(stdout, "ranks 0-7 from --rank-name") {
		t.Errorf("--rank-name: got %s", stdout)
	}
	for expr, want := range map[string]string{"(": "--rank-name: error parsing", `(\d+)`: "has no group called rank", `x(?P<rank>\d+)`: "matches none of its 8 files"} {
		if _, stderr := mustRun(t, statusError, append(local, "--rank-name", expr)...); !strings.Contains(stderr, want) {
			t.Errorf("--rank-name %s: got %s want %q", expr, stderr, want)
		}
	}
}

var stepLine = regexp.MustCompile(`(?s)"metrics": \[\s*\{.*?\}`)

// stepOf is the comparison of the step time in a report.
func stepOf(report string) string { return stepLine.FindString(report) }

// TestDoubtedRanks: files that fall together, and ranks of the two sides that come from
// different sources and do not match, give no verdict; by force they do, and it is said.
func TestDoubtedRanks(t *testing.T) {
	worker := func(_ string, rank int, text string) (string, string) {
		return fmt.Sprintf("worker%d.1.pt.trace.json", rank), text
	}
	whole := relaid(t, "straggler-rank3", synth.Kineto, worker)
	copies := relaid(t, "straggler-rank3", synth.Kineto, worker)
	for r := range 4 {
		text, err := os.ReadFile(fileOf(t, copies[1], fmt.Sprintf("worker%d.1.pt.trace.json", r)))
		if err != nil {
			t.Fatal(err)
		}
		put(t, filepath.Join(copies[1], fmt.Sprintf("copy%d.json", r)), string(text))
	}
	misread := relaid(t, "straggler-rank3", synth.Kineto, func(_ string, rank int, text string) (string, string) {
		return fmt.Sprintf("lora_rank16_%c.json", 'a'+rank), anonymousJob(text)
	})
	guessed := relaid(t, "straggler-rank3", synth.Kineto, func(_ string, rank int, text string) (string, string) {
		return fmt.Sprintf("%c.json", 'a'+rank), anonymousJob(text)
	})
	if err := os.Remove(filepath.Join(guessed[1], "f.json")); err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct {
		name, base, cand, want string
	}{
		{"half of the files twice", whole[0], copies[1], "4 of 12 captures say a rank that another one has"},
		{"a number that is no rank", misread[0], misread[1], "7 of 8 captures say a rank that another one has, as rank 16 by file name"},
		{"guessed, and one is missing", whole[0], guessed[1], "the ranks do not match, and not all are the profiles' own numbers"},
	} {
		var flat bytes.Buffer
		stdout, _ := mustRun(t, statusNotJudged, tt.base, tt.cand)
		flat.WriteString(strings.Join(strings.Fields(stdout), " "))
		for _, want := range []string{"No verdict: it is not known which ranks the files are of.", tt.want[1:]} {
			if !strings.Contains(flat.String(), want) {
				t.Errorf("%s: got %s want %q", tt.name, stdout, want)
			}
		}
		stdout, _ = mustRun(t, statusRegressed, tt.base, tt.cand, "--force")
		if text := strings.Join(strings.Fields(stdout), " "); !strings.Contains(text, "compared only because of --force") {
			t.Errorf("%s, by force: got %s", tt.name, stdout)
		}
	}
}

// TestLayouts: however the files of one side of an unchanged job are named and laid
// out, and of both, nothing is called changed: they are compared, or what is not known
// is said.
func TestLayouts(t *testing.T) {
	all := relaid(t, "aa", synth.Kineto, func(_ string, rank int, text string) (string, string) {
		return fmt.Sprintf("worker%d.1.pt.trace.json", rank), text
	})
	for _, tt := range []struct {
		name   string
		anon   bool   // the traces do not say their ranks
		format string // of the name, with the node and the rank on it, and the rank
		status int    // against the files as they were, and against others like it
		alike  int
	}{
		{"nodes", false, "n%[1]d/trace.%[3]d.json", 0, 0},
		{"names", true, "trace.%[3]d.json", 0, 0},
		{"names and the world", true, "trace-%[3]d-of-4.json", 0, 0},
		{"no names", true, "%[3]c.json", 0, 0},
		{"nodes by names", true, "n%[1]d/trace.%[3]d.json", 0, 0},
		{"directories of ranks", true, "rank%[3]d/trace.json", 0, 0},
		{"node and rank in a name", true, "trace_%[1]d_%[3]d.json", 0, 0},
		{"ranks of each node", true, "n%[1]d/trace.%[2]d.json", 3, 3},
		{"directories without names", true, "%[3]c/trace.json", 3, 3},
		{"the same number", true, "%[3]c.8.json", 3, 3},
	} {
		sides := relaid(t, "aa", synth.Kineto, func(_ string, rank int, text string) (string, string) {
			if tt.anon {
				text = anonymousJob(text)
			}
			n := any(rank)
			if strings.Contains(tt.format, "%[3]c") {
				n = 'a' + rank
			}
			name := fmt.Sprintf(tt.format, rank/2, rank%2, n)
			return strings.Split(name, "%!(EXTRA")[0], text
		})
		for cand, want := range map[string]int{all[1]: tt.status, sides[1]: tt.alike} {
			stdout, _ := mustRun(t, want, sides[0], cand)
			for _, changed := range []string{"improved", "regressed"} {
				if strings.Contains(stdout, changed) {
					t.Errorf("%s: got %s", tt.name, stdout)
				}
			}
		}
	}
}
