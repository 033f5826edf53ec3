package main

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"perfdiff/analyze/synth"
	"perfdiff/render"
)

// filesIn are the texts of all files below a directory, by name.
func filesIn(t *testing.T, dir string) map[string]string {
	t.Helper()
	out := map[string]string{}
	err := filepath.WalkDir(dir, func(path string, d os.DirEntry, err error) error {
		if err == nil && d.Type().IsRegular() {
			out[path] = fileText(t, path)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return out
}

// TestOutputsSpareInputs: no output takes the place of what is read or of another output, and none
// is left where the next command would read it. All of it is refused before anything is written.
func TestOutputsSpareInputs(t *testing.T) {
	root := writeStory(t, "missing-rank", synth.Kineto)
	t.Chdir(root)
	files, err := filepath.Glob("candidate/*.json")
	if err != nil || len(files) == 0 {
		t.Fatalf("got %v, %v", files, err)
	}
	profile := files[0]
	writeFile(t, "perfdiff.yaml", "threshold: 2%\n")
	writeFile(t, "steps/log.csv", "step,time_ms\n1,20\n2,20\n")
	writeFile(t, "steps/steps.csv", "step,time_ms\n1,20\n2,20\n")
	writeFile(t, "ncu/a.txt", "x")
	mustRun(t, statusOK, "summarize", "baseline", "-q", "-o", "a.perfdiff")
	mustRun(t, statusOK, "summarize", "baseline", "-q", "--shard", "0/1", "-o", "parts")
	part := "parts/shard-000000-of-000001.part"
	writeFile(t, "past/a.perfdiff", fileText(t, "a.perfdiff"))
	for link, to := range map[string]string{"link.json": profile, "cand": "candidate", "elsewhere/c.json": "../" + profile} {
		writeFile(t, filepath.Join(filepath.Dir(link), ".here"), "")
		if err := os.Symlink(to, link); err != nil {
			t.Skipf("no links here: %v", err)
		}
	}
	for i := range 40 { // links in a circle
		if err := os.Symlink(".", fmt.Sprintf("elsewhere/loop%d", i)); err != nil {
			t.Fatal(err)
		}
	}
	before := filesIn(t, ".")
	pair := []string{"baseline", "candidate"}
	const taken, inside, twice = "which is read: name another file", "lies in the run set candidate", "is given twice"
	for _, tt := range []struct {
		want string
		args []string
	}{
		{taken, append(pair, "--perfetto", profile)},
		{taken, append(pair, "--brief", profile)},
		{taken, append(pair, "-o", profile)},
		{taken, append(pair, "-o", "link.json")},
		{taken, append(pair, "--perfetto", "cand/../candidate/"+filepath.Base(profile))},
		{taken, []string{"baseline", "elsewhere", "-o", profile}},
		{taken, []string{"baseline/" + filepath.Base(profile), profile, "--brief", profile}},
		{taken, append(pair, "--brief", "perfdiff.yaml")},
		{taken, append(pair, "--history", "past", "--perfetto", "past/a.perfdiff")},
		{taken, append(pair, "--history", "a.perfdiff", "--perfetto", "a.perfdiff")},
		{taken, []string{"steps/log.csv", "steps/steps.csv", "--csv", "steps"}},
		{taken, []string{"merge", "parts", "-o", part}},
		{taken, []string{"merge", part, "-o", part}},
		{taken, []string{"ncu", "ncu", "ncu", "-o", "ncu/a.txt"}},
		{taken, []string{"report", "candidate", "-o", profile}},
		{taken, []string{"gate", "--store", "past", "candidate", "--brief", "past/a.perfdiff"}},
		{taken, []string{"plan", "candidate", "--shards", "2", "-o", profile}},
		{"lies in the run set elsewhere", []string{"baseline", "elsewhere", "-o", "elsewhere/new.json"}},
		{inside, append(pair, "-o", "candidate/r.json")},
		{inside, append(pair, "-o", "cand/r.json")},
		{inside, append(pair, "--perfetto", "candidate/t.html")},
		{inside, append(pair, "--brief", "candidate/b.txt")},
		{inside + ", where the next command would take it for a part of that: write it elsewhere, as in out", append(pair, "--csv", "candidate")},
		{inside, append(pair, "--csv", "candidate/new/tables")},
		{inside, append(pair, "--write-up", "candidate/paper")},
		{inside, []string{"report", "candidate", "-o", "candidate/r.json"}},
		{inside, []string{"steps", "candidate", "-o", "candidate/s.csv"}},
		{taken, []string{"check", "candidate", "-o", profile}},
		{inside, []string{"plan", "candidate", "--shards", "2", "-o", "candidate/p.json"}},
		{inside, []string{"summarize", "candidate", "--shard", "0/2", "-o", "candidate/parts"}},
		{inside, []string{"gate", "--store", "past", "candidate", "--csv", "candidate/tables"}},
		{"lies in the run set past", []string{"past", "candidate", "-o", "past/r.html"}},
		{twice, append(pair, "-o", "y.json", "-o", "./y.json")},
		{twice, append(pair, "--perfetto", "p", "--perfetto", "q")},
		{twice, []string{"summarize", "candidate", "-o", "p.perfdiff", "-o", "q.perfdiff"}},
		{"is written by -o, too", append(pair, "--brief", "x.json", "-o", "x.json")},
		{"is written by -o, too", append(pair, "--perfetto", "Y.html", "-o", "y.html")},
		{"is written by --csv, too", append(pair, "--csv", "d", "--write-up", "d")},
		{"is written by --brief, too", append(pair, "--csv", "parts", "--brief", "parts/schema.json")},
	} {
		if out, stderr := mustRun(t, statusError, tt.args...); out != "" || !strings.Contains(stderr, tt.want) {
			t.Errorf("%q: got %q, %s, want %q", tt.args, out, stderr, tt.want)
		}
	}
	after := filesIn(t, ".")
	for path, text := range before {
		if after[path] != text {
			t.Errorf("%s was changed", path)
		}
	}
	if len(after) != len(before) {
		t.Errorf("%d files are left, and there were %d", len(after), len(before))
	}
}

// TestOutputsBesideProfiles: what people leave beside profiles, or in the directory that is the run
// set, changes nothing of what the next command says.
func TestOutputsBesideProfiles(t *testing.T) {
	for _, format := range []synth.Format{synth.Kineto, synth.StepLog} {
		root := writeStory(t, "step-log", format)
		t.Chdir(filepath.Join(root, "candidate"))
		args := []string{"../baseline", "."}
		first, said, status := runSeveral(args...)
		for _, ext := range render.Extensions() {
			if ext != ".json" {
				args = append(args, "-o", "report"+ext)
			}
		}
		mustRun(t, status, append(args, "--csv", "../d", "--sqlite", "../t.db", "--write-up", "../w", "-o", "../r.json")...)
		mustRun(t, statusOK, "summarize", ".", "-q", "-o", "run.perfdiff")
		again, saidAgain, _ := runSeveral("../baseline", ".")
		if again != first || saidAgain != said {
			t.Errorf("%v: got\n%s%s\nwant\n%s%s", format, again, saidAgain, first, said)
		}
		for path := range filesIn(t, "../w") {
			if name := filepath.Base(path); !slices.Contains(render.WriteUpNames(), name) {
				t.Errorf("a write-up holds %s, which its list of names lacks", name)
			}
		}
	}
}

// TestOutputNames: a file that is written under a name for something else, or - for what is no text.
func TestOutputNames(t *testing.T) {
	root := writeStory(t, "missing-rank", synth.Kineto)
	t.Chdir(root)
	mustRun(t, statusOK, "summarize", "baseline", "-q", "--shard", "0/1", "-o", "parts")
	for _, tt := range [][]string{
		{"let it end in .perfdiff", "summarize", "candidate", "-o", "z.html"},
		{"let it end in .perfdiff", "merge", "parts", "-o", "run.HTML"},
		{"let it end in .perfdiff", "merge", "parts", "-o", "more.part"},
		{"let it end in .json", "plan", "candidate", "--shards", "2", "-o", "p.html"},
		{"is the name of a file", "summarize", "candidate", "--shard", "0/4", "-o", "run.perfdiff"},
		{"nothing for standard output", "summarize", "candidate", "--shard", "0/4", "-o", "-"},
		{"nothing for standard output", "summarize", "candidate", "-o", "-"},
		{"nothing for standard output", "merge", "parts", "-o", "-"},
		{"is written as .html, .txt, .json, .md or .csv", "report", "candidate", "-o", "x.svg"},
		{"is written as .json, .csv or .md", "check", "candidate", "-o", "x.html"},
		{"is written as .json, .csv or .md", "steps", "candidate", "-o", "x"},
		{"the text is printed anyway", "steps", "candidate", "-o", "-"},
		{"the text is printed anyway", "report", "candidate", "-o", "-"},
		{"x.csv: a history is written as .html or .txt", "history", "past", "-o", "x.csv"},
		{"--csv -: ", "baseline", "candidate", "--csv", "-"},
		{"--sqlite -: ", "baseline", "candidate", "--sqlite", "-"},
		{"--write-up -: ", "baseline", "candidate", "--write-up", "-"},
	} {
		if out, stderr := mustRun(t, statusError, tt[1:]...); out != "" || !strings.Contains(stderr, tt[0]) {
			t.Errorf("%q: got %q, %s, want %q", tt[1:], out, stderr, tt[0])
		}
	}
	mustRun(t, statusOK, "plan", "candidate", "--shards", "2", "-q", "-o", "plan.json")
	if printed, _ := mustRun(t, statusOK, "plan", "candidate", "--shards", "2", "-o", "-"); printed != fileText(t, "plan.json") {
		t.Errorf("got %s", printed)
	}
	for _, name := range []string{"-", "z.html", "run.HTML", "run.perfdiff"} {
		if _, err := os.Lstat(name); err == nil {
			t.Errorf("%s was made", name)
		}
	}
}
