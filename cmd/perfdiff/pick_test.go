package main

import (
	"database/sql"
	"encoding/json"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"perfdiff/analyze/synth"
	"perfdiff/diff"
)

// pickedSteps are what perfdiff pick names.
func pickedSteps(t *testing.T, args ...string) []PickedStep {
	t.Helper()
	stdout, stderr, status := runSeveral(append([]string{"pick", "-q", "--format", "json"}, args...)...)
	if status != statusOK {
		t.Fatalf("got status %d, want 0: %s", status, stderr)
	}
	var doc struct{ Picks []PickedStep }
	if err := json.Unmarshal([]byte(stdout), &doc); err != nil {
		t.Fatal(err)
	}
	if len(doc.Picks) == 0 || len(doc.Picks) > 10 {
		t.Fatalf("got %d rows, want one to ten", len(doc.Picks))
	}
	return doc.Picks
}

func pickedFor(picks []PickedStep, why diff.PickKind) *PickedStep {
	i := slices.IndexFunc(picks, func(p PickedStep) bool { return slices.Contains(p.Why, why) })
	if i < 0 {
		return nil
	}
	return &picks[i]
}

// TestPick: what was put into a story is picked, with the time that the profile itself has.
func TestPick(t *testing.T) {
	for _, c := range []struct {
		story     string
		why, none diff.PickKind
		rank      int // of why; -1: any
	}{
		{"straggler-rank3", diff.PickStraggler, diff.PickSpike, 3},
		{"checkpoint-spikes", diff.PickSpike, diff.PickStraggler, -1},
		{"o-direct", diff.PickDifferent, diff.PickStraggler, -1},
		{"several-runs", diff.PickDifferent, diff.PickSpike, -1},
		{"missing-rank", diff.PickMedian, diff.PickDifferent, -1},
	} {
		for name, format := range map[string]synth.Format{"nsight": synth.Nsight, "pytorch": synth.Kineto} {
			t.Run(c.story+"/"+name, func(t *testing.T) {
				dir, truth := writeEdited(t, c.story, format, strings.NewReplacer())
				picks := pickedSteps(t, filepath.Join(dir, "baseline"), filepath.Join(dir, "candidate"))
				got := pickedFor(picks, c.why)
				if got == nil || c.rank >= 0 && got.Rank != c.rank {
					t.Fatalf("got %+v for %s, want rank %d", got, c.why, c.rank)
				}
				if p := pickedFor(picks, c.none); p != nil {
					t.Errorf("got %+v for %s, want none", p, c.none)
				}
				for i := range picks {
					checkTimes(t, dir, truth, &picks[i], format)
				}
				if c.story == "straggler-rank3" {
					least, middle, most := pickedFor(picks, diff.PickLeastOwn), pickedFor(picks, diff.PickMedianOwn), pickedFor(picks, diff.PickMostOwn)
					if least == nil || middle == nil || most == nil || most.Rank != 3 || least.Rank == middle.Rank || least.Step != most.Step || middle.Step != most.Step {
						t.Errorf("got %+v, %+v, %+v for three ranks, want one step, and most on rank 3", least, middle, most)
					}
				}
				longest := pickedFor(picks, diff.PickLongest)
				for _, p := range picks {
					if p.Side == "candidate" && p.Time > longest.Time {
						t.Errorf("step %d of rank %d takes %v s, the longest %v s", p.Step, p.Rank, p.Time, longest.Time)
					}
				}
			})
		}
	}
}

// checkTimes holds a pick to the story's own step and to the range of the step in the profile.
func checkTimes(t *testing.T, dir string, truth synth.Truth, p *PickedStep, format synth.Format) {
	t.Helper()
	if p.Start == nil || p.File == "" || p.Command == "" {
		t.Fatalf("got no place of %+v", p)
	}
	from, to := markedRange(t, filepath.Join(dir, p.Side, p.File), p.Step, format)
	if *p.Start != from || *p.End < to || float64(*p.End-*p.Start) < float64(p.Time)*1e9-2e3 {
		t.Errorf("step %d of %s: got %d to %d, want from %d to at least %d and at least %v s", p.Step, p.File, *p.Start, *p.End, from, to, p.Time)
	}
	for _, r := range map[string][]synth.Run{"baseline": truth.Baseline, "candidate": truth.Candidate}[p.Side] {
		for _, k := range r.Ranks {
			for _, s := range k.Steps {
				if k.Rank == p.Rank && s.Number == p.Step && (r.Name == "" || r.Name == p.Run) && !near(float64(p.Time), float64(s.Time)/1e9) {
					t.Errorf("step %d of rank %d: got %v s, want %d ns", p.Step, p.Rank, p.Time, s.Time)
				}
			}
		}
	}
}

// markedRange is where a profile has the range of a step, in ns.
func markedRange(t *testing.T, file string, step int64, format synth.Format) (from, to int64) {
	t.Helper()
	name := strconv.FormatInt(step, 10)
	if format == synth.Nsight {
		db, err := sql.Open("sqlite", "file:"+file+"?mode=ro&immutable=1")
		if err != nil {
			t.Fatal(err)
		}
		defer db.Close()
		if err := db.QueryRow("SELECT start, end FROM NVTX_EVENTS WHERE text = ?", "step "+name).Scan(&from, &to); err != nil {
			t.Fatal(err)
		}
		return from, to
	}
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	var doc struct {
		TraceEvents []struct {
			Name    string
			Ts, Dur float64 // microseconds
		}
	}
	if err := json.Unmarshal(text, &doc); err != nil {
		t.Fatal(err)
	}
	for _, e := range doc.TraceEvents {
		if e.Name == "ProfilerStep#"+name {
			return int64(math.Round(e.Ts * 1e3)), int64(math.Round((e.Ts + e.Dur) * 1e3))
		}
	}
	t.Fatalf("%s: holds no step %s", file, name)
	return 0, 0
}

// TestPickQuoting: a file by whatever name is one word of a shell, and nothing that a terminal
// obeys is written.
func TestPickQuoting(t *testing.T) {
	for _, name := range []string{"a b'c.sqlite", "$(touch x);`id`.sqlite", "-rf.sqlite", "a\x1b[2J\nb\\'7.sqlite", "\u202egpj.sqlite", "\xff1.sqlite"} {
		dir := writeStory(t, "aa", synth.Nsight)
		files, err := filepath.Glob(filepath.Join(dir, "baseline", "*"))
		if err != nil || len(files) == 0 {
			t.Fatal("no files", err)
		}
		rename(t, files[0], filepath.Join(dir, name))
		t.Chdir(dir)
		stdout, stderr, status := runSeveral("pick", "-q", "--", name)
		if status != statusOK || strings.ContainsAny(stdout, "\x1b\u202e") {
			t.Fatalf("got status %d, %q %s", status, stdout, stderr)
		}
		commands := 0
		for line := range strings.Lines(stdout) {
			if _, ok := strings.CutPrefix(line, "  nsys "); !ok {
				continue
			}
			commands++
			out, err := exec.Command("bash", "-c", "nsys() { printf %s \"${!#}\"; }; "+line).Output()
			if want := strings.TrimPrefix(name, "-"); err != nil || string(out) != name && string(out) != "./-"+want {
				t.Errorf("the shell reads %q of %q, want %q (%v)", out, line, name, err)
			}
		}
		if commands == 0 {
			t.Errorf("got no command for %q: %s", name, stdout)
		}
		if _, err := os.Stat("x"); err == nil {
			t.Error("the command in a name was carried out")
		}
	}
}

// TestPickOthers: a summary holds the times, a log does not, names are replaced when asked, and
// one rank is enough.
func TestPickOthers(t *testing.T) {
	dir := writeStory(t, "straggler-rank3", synth.Nsight)
	set, saved := filepath.Join(dir, "candidate"), filepath.Join(t.TempDir(), "set.perfdiff")
	if _, stderr, status := runSeveral("summarize", set, "-q", "-o", saved); status != statusOK {
		t.Fatal(stderr)
	}
	open, kept := pickedSteps(t, set), pickedSteps(t, saved)
	for i := range open {
		if len(kept) != len(open) || *kept[i].Start != *open[i].Start || kept[i].Step != open[i].Step || !strings.Contains(kept[i].Note, "not beside") || open[i].Note != "" {
			t.Errorf("got %+v of the summary, want %+v and a note", kept[i], open[i])
		}
	}
	plantNames(t, set)
	stdout, stderr, _ := runSeveral("pick", set, "--anonymize")
	if strings.Contains(stdout+stderr, "plant") || strings.Contains(stdout, dir) || !strings.Contains(stdout, "node-1") {
		t.Errorf("names come through: %s%s", stdout, stderr)
	}
	if one := pickedSteps(t, set, "--ranks", "3"); pickedFor(one, diff.PickStraggler) != nil || one[0].Rank != 3 {
		t.Errorf("got %+v of one rank", one)
	}
	for _, other := range []string{set, saved} {
		if out, stderr, status := runSeveral("pick", set, other); status != statusNotJudged || out != "" || !strings.Contains(stderr, "are the same files") {
			t.Errorf("got status %d of a set and itself: %s%s", status, out, stderr)
		}
	}
	logs := pickedSteps(t, filepath.Join(writeStory(t, "step-log", synth.StepLog), "candidate"))
	if logs[0].Start != nil || logs[0].Command != "" || !strings.Contains(logs[0].Note, "how long") {
		t.Errorf("got %+v of a log, want no times", logs[0])
	}
	if _, _, status := runSeveral("pick", "-q", filepath.Join(writeStory(t, "no-steps", synth.Nsight), "baseline")); status != statusNotJudged {
		t.Errorf("got status %d without steps, want %d", status, statusNotJudged)
	}
}
