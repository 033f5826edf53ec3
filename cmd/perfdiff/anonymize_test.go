package main

import (
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"perfdiff/analyze/synth"
)

// plantNames renames everything below a directory so that each name can be found again, and
// the hosts in the exports.
func plantNames(t *testing.T, dir string) {
	t.Helper()
	var paths []string
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if path != dir {
			paths = append(paths, path)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	for i := len(paths) - 1; i >= 0; i-- { // what is inside first
		path := paths[i]
		if filepath.Ext(path) == ".sqlite" {
			alterFile(path, "UPDATE TARGET_INFO_SYSTEM_ENV SET value = 'plant-' || value || '.corp' WHERE name = 'Hostname'") // a cut one cannot be
		}
		if err := os.Rename(path, filepath.Join(filepath.Dir(path), "plant."+filepath.Base(path))); err != nil {
			t.Fatal(err)
		}
	}
}

// plantedHost is a host as plantNames calls it.
var plantedHost = regexp.MustCompile(`plant-node0*(\d+)\.corp`)

// TestAnonymize: with --anonymize no name of a host, a directory or a file comes through in
// any output, the verdict stays, and the names that were measured stay too.
func TestAnonymize(t *testing.T) {
	for _, name := range []string{"nodes-in-directories", "late-node", "truncated", "several-runs", "no-steps", "missing-rank"} {
		t.Run(name, func(t *testing.T) {
			dir := writeStory(t, name, synth.Nsight)
			plantNames(t, dir)
			base, cand := filepath.Join(dir, "plant.baseline"), filepath.Join(dir, "plant.candidate")
			writeFile(t, filepath.Join(base, "plant.notes.txt"), "no profile")
			open, folded := everyOutput(t, base, cand), everyOutput(t, base, cand, "--anonymize")
			leaks(t, folded, "plant")
			if !strings.Contains(open["report.json"], "plant") || !strings.Contains(folded["report.json"], "node-") || !strings.Contains(folded["report.json"], `"run-`) {
				t.Errorf("nothing was planted, or nothing folded: %.2000s", folded["report.json"])
			}
			first := func(text string) string { headline, _, _ := strings.Cut(text, "\n\n"); return flat(headline) }
			if got, want := first(folded["report.txt"]), first(plantedHost.ReplaceAllString(open["report.txt"], "node-$1")); got != want {
				t.Errorf("got %s want %s", got, want)
			}
			again := everyOutput(t, base, cand, "--anonymize")
			for name, text := range again {
				if !strings.HasPrefix(name, "std") && name != "quiet" && text != folded[name] && !strings.Contains(text, "stop-commands") {
					t.Errorf("%s: another time other bytes", name)
				}
			}
		})
	}
}

// TestAnonymizeSummaries: what was folded when it was saved says no name either, and is
// compared like what was not; of the nodes of one run nothing is taken for one host.
func TestAnonymizeSummaries(t *testing.T) {
	dir := writeStory(t, "late-node", synth.Nsight)
	plantNames(t, dir)
	saved := t.TempDir()
	var exits []int
	for _, flag := range []string{"", "--anonymize"} {
		for _, side := range []string{"baseline", "candidate"} {
			mustRun(t, statusOK, append([]string{"summarize", filepath.Join(dir, "plant."+side), "-o", filepath.Join(saved, side+flag+".perfdiff")}, split(flag)...)...)
		}
		var out, errs strings.Builder
		exits = append(exits, run(t.Context(), []string{filepath.Join(saved, "baseline"+flag+".perfdiff"), filepath.Join(saved, "candidate"+flag+".perfdiff")}, &out, &errs))
		if leaked := strings.Contains(out.String()+errs.String(), "plant"); leaked && flag != "" {
			t.Errorf("%s: got %s", flag, out.String())
		}
	}
	if exits[0] != exits[1] {
		t.Errorf("exit status: got %d want %d", exits[1], exits[0])
	}
	history := filepath.Join(saved, "plant.history")
	if err := os.Mkdir(history, 0o755); err != nil {
		t.Fatal(err)
	}
	writeFile(t, filepath.Join(history, "plant.bad.perfdiff"), "x")
	mustRun(t, statusOK, "summarize", filepath.Join(dir, "plant.candidate"), "-o", filepath.Join(history, "plant.good.perfdiff"))
	leaks(t, everyOutput(t, filepath.Join(dir, "plant.baseline"), filepath.Join(dir, "plant.candidate"), "--anonymize"), "plant")
	for _, form := range []string{"json", "csv", "openmetrics"} {
		stdout, stderr := runAny(t, "history", history, "--anonymize", "--"+form, "-")
		leaks(t, map[string]string{form: stdout + stderr}, "plant")
	}
	out := written(t, statusOK, filepath.Join(dir, "plant.baseline"), filepath.Join(dir, "plant.candidate"), "--anonymize", "--history", history, "--warn-only")
	leaks(t, out, "plant")
}

// TestAnonymizeNodes: the first host of each node's summary is another host.
func TestAnonymizeNodes(t *testing.T) {
	dir, saved := writeStory(t, "nodes-in-directories", synth.Nsight), t.TempDir()
	for _, side := range []string{"baseline", "candidate"} {
		if err := os.Mkdir(filepath.Join(saved, side), 0o755); err != nil {
			t.Fatal(err)
		}
		nodes, _ := filepath.Glob(filepath.Join(dir, side, "*"))
		if len(nodes) != 2 {
			t.Fatalf("got %v", nodes)
		}
		for i, node := range nodes {
			mustRun(t, statusOK, "summarize", node, "-o", filepath.Join(saved, side, fmt.Sprint(i)+".perfdiff"), "--anonymize", "-q")
		}
	}
	out, _ := mustRun(t, statusRegressed, filepath.Join(saved, "baseline"), filepath.Join(saved, "candidate"), "--table")
	if !strings.Contains(flat(out), "1 run of") || !strings.Contains(out, "2 hosts") || strings.Contains(out, "node0001") {
		t.Errorf("got %s", out)
	}
}

// TestAnonymizeDoubts: what is asked of the user names no directory either, and can still be
// answered.
func TestAnonymizeDoubts(t *testing.T) {
	sides := relaid(t, "nodes-in-directories", synth.Kineto, func(node string, rank int, text string) (string, string) {
		return fmt.Sprintf("plant-%s/plant_worker%d.1.pt.trace.json", node, rank), clock.ReplaceAllString(text, "")
	})
	text, stderr := mustRun(t, statusNotJudged, append(sides, "--anonymize", "-q", "-o", "-", "--format", "json")...)
	if want := "directories run-1 and run-2 are either nodes of one run or repeats"; !strings.Contains(text, want) || !strings.Contains(stderr, want) {
		t.Errorf("got %s\n%.3000s want %q", stderr, text, want)
	}
	leaks(t, map[string]string{"stdout": text, "stderr": stderr}, "plant")
	leaks(t, everyOutput(t, sides[0], sides[1], "--anonymize", "--runs", "as-nodes"), "plant")
	for _, args := range [][]string{{"summarize", sides[0], "-o", filepath.Join(t.TempDir(), "x.perfdiff")}, {"check", sides[0]}} {
		stdout, stderr := runAny(t, append(args, "--anonymize")...)
		leaks(t, map[string]string{args[0]: stdout + stderr}, "plant")
	}
}
