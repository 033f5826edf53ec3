package main

import (
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"perfdiff/analyze/synth"
	"perfdiff/golden"
)

// writeLevels writes a log of 60 steps for each run of a side, which differ by so little within it.
func writeLevels(t *testing.T, side string, levels ...float64) string {
	t.Helper()
	dir := filepath.Join(t.TempDir(), side)
	if err := os.MkdirAll(dir, 0o777); err != nil {
		t.Fatal(err)
	}
	for i, level := range levels {
		g, text := rand.New(rand.NewPCG(uint64(i), uint64(1000*level))), "step,step_time_ms\n"
		for s := range 60 {
			text += fmt.Sprintf("%d,%.4f\n", s+1, level*(.998+.004*g.Float64()))
		}
		if err := os.WriteFile(filepath.Join(dir, fmt.Sprintf("run%d.csv", i+1)), []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

// saidOf is what is printed of two sides, as one line.
func saidOf(t *testing.T, args ...string) string {
	t.Helper()
	out, _ := mustRun(t, anyVerdict, args...)
	return strings.Join(strings.Fields(plainSpaces(out)), " ")
}

// textHas fails where a text lacks one of several, or has one that it must not have ("!…").
func textHas(t *testing.T, text string, want ...string) {
	t.Helper()
	for _, w := range want {
		if not, no := strings.CutPrefix(w, "!"); no == strings.Contains(text, not) {
			t.Errorf("want %q in %.1400s", w, text)
		}
	}
}

// TestRunsThatDiffer: where the runs of a side differ by more than the sides do, it is they that
// leave the change open, and no step within them.
func TestRunsThatDiffer(t *testing.T) {
	text := saidOf(t, writeLevels(t, "b", 100.1, 120, 140), writeLevels(t, "c", 110, 132, 154))
	textHas(t, text, "went from 120 to 132 ms", "Runs of one side differ by 17 %, more than the two sides do: "+
		"baseline runs take 100, 120 and 140 ms, candidate runs take 110, 132 and 154 ms.", "Find out why runs differ",
		"!the steps within these runs differ too much", "!stands alone", "!runs are taken to differ")
	text = saidOf(t, writeLevels(t, "b", 100, 100.3, 99.8), writeLevels(t, "c", 110, 110.2, 109.9))
	textHas(t, text, "SLOWER", "!Runs of one side differ", "!differ by more", "runs differ by 0.")
}

// TestOddRunIsNamed: one run far off all others of its side is named whatever the verdict, and
// it is no step that takes far longer.
func TestOddRunIsNamed(t *testing.T) {
	text := saidOf(t, writeLevels(t, "b", 31.0, 31.1, 31.2), writeLevels(t, "c", 31.3, 31.0, 39.2))
	textHas(t, text, "The candidate's run3 stands alone: its median step takes 39.2 ms against 31.3 and 31.0 ms", "31.3 and 31.0 ms", "!some steps of the candidate")
	text = saidOf(t, writeLevels(t, "b", 31.0, 31.1, 31.2, 38), writeLevels(t, "c", 51.3, 51.0, 51.2, 51.1))
	textHas(t, text, "SLOWER", "The baseline's run4 stands alone")
	text = saidOf(t, writeLevels(t, "b", 31.0, 31.1, 31.2), writeLevels(t, "c", 31.3, 31.0, 31.1))
	textHas(t, text, "!stands alone", "!some runs")
}

// stepChange is the change of the step time in a document.
func stepChange(t *testing.T, sides ...string) (floor, hosts float64, places string, lo float64) {
	t.Helper()
	doc, _ := mustRunJSON(t, sides...)
	for _, m := range doc.Metrics {
		if m.Metric == "step_time" {
			c := m.Change
			return float64(c.Floor), float64(c.Hosts), c.Places, float64(c.Low)
		}
	}
	t.Fatal("no step time")
	return
}

// TestFloorByPlace: a single pair that is not known to have run on one host is taken to differ
// by twice as much, and says why; what somebody declares holds wherever it ran.
func TestFloorByPlace(t *testing.T) {
	for _, tt := range []struct {
		name, set, places string
		floor             float64
		want              string
	}{
		{"same", "select 1", "same", .015, "; runs differ by 1.5 % (assumed)"},
		{"others", "update TARGET_INFO_SYSTEM_ENV set value = 'node9' where name = 'Hostname'", "other", .03, "; runs differ by 3 % (assumed: the sides ran on other devices)"},
		{"unknown", "delete from TARGET_INFO_SYSTEM_ENV where name = 'Hostname'", "unknown", .03, "; runs differ by 3 % (assumed: no host is recorded)"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			dir := writeStory(t, "aa", synth.Nsight)
			base, cand := filepath.Join(dir, "baseline"), filepath.Join(dir, "candidate")
			onHost(t, cand, tt.set)
			floor, _, places, _ := stepChange(t, base, cand)
			if places != tt.places || math.Abs(floor-tt.floor) > 1e-9 {
				t.Errorf("got a floor of %g in places %q, want %g in %q", floor, places, tt.floor, tt.places)
			}
			textHas(t, saidOf(t, base, cand), tt.want, "To see 2 % about ")
			declared := filepath.Join(t.TempDir(), "perfdiff.yaml")
			if err := os.WriteFile(declared, []byte("noise_floor: 2%\n"), 0o666); err != nil {
				t.Fatal(err)
			}
			if floor, _, _, _ := stepChange(t, base, cand, "--policy", declared); floor != .02 {
				t.Errorf("declared: got %g", floor)
			}
		})
	}
}

// onHost runs a statement on all exports under a directory.
func onHost(t *testing.T, dir, statement string) {
	t.Helper()
	err := filepath.WalkDir(dir, func(path string, _ os.DirEntry, err error) error {
		if err == nil && strings.HasSuffix(path, ".sqlite") {
			mutateFile(t, path, statement)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
}

// TestHostsOfRuns: with several runs per side, hosts that each side has for its own are noise, which
// runs on the same hosts would leave out.
func TestHostsOfRuns(t *testing.T) {
	dir := writeStory(t, "several-runs", synth.Nsight)
	base, cand := filepath.Join(dir, "baseline"), filepath.Join(dir, "candidate")
	_, hosts, places, lo := stepChange(t, base, cand)
	if hosts != 0 || places != "same" {
		t.Errorf("on one host: got %g between hosts in places %q", hosts, places)
	}
	textHas(t, saidOf(t, base, cand), "SLOWER", "!and hosts by", "!in turns")
	onHost(t, cand, "update TARGET_INFO_SYSTEM_ENV set value = 'node9' where name = 'Hostname'")
	_, hosts, places, apart := stepChange(t, base, cand)
	if math.Abs(hosts-.026) > .001 || places != "other" || apart > lo-.03 {
		t.Errorf("each side on its own host: got %g between hosts in places %q, from %g on", hosts, places, apart)
	}
	textHas(t, saidOf(t, base, cand), "!SLOWER Steps", "and hosts by 2.6 % (assumed: each side ran on its own)", "Runs of both sides on the same hosts, in turns, would leave out")
	onHost(t, filepath.Join(base, "run3"), "update TARGET_INFO_SYSTEM_ENV set value = 'node9' where name = 'Hostname'")
	if _, _, _, nearer := stepChange(t, base, cand); nearer <= apart {
		t.Errorf("with one run of the baseline on the candidate's host: from %g on, without from %g on", nearer, apart)
	}
}

// TestManyRunsSayThemselves: 14 and 7 runs are judged by what they differ by, as if they were given
// once more as past runs.
func TestManyRunsSayThemselves(t *testing.T) {
	dir := golden.Case(t, "many-runs-small-change")
	text := saidOf(t, filepath.Join(dir, "base"), filepath.Join(dir, "cand"))
	textHas(t, text, "less than the limit: −1.9 % to −1.5 % (95 % interval", "14 and 7 runs of 1 rank × 199 steps per side; runs differ by 0.22 %")
}
