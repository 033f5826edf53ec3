package main

import (
	"path/filepath"
	"strings"
	"testing"

	"perfdiff/analyze/synth"
	"perfdiff/cmd/perfdiff/policyfile"
)

// oneLine is a text with single blanks between its words, so that where its lines break
// does not matter.
func oneLine(text string) string { return strings.Join(strings.Fields(text), " ") }

// TestSampledClock: what is said of all kernels, or of those of some ranks, says what the
// sampled clock did, wherever it is said; and where it did nothing, that.
func TestSampledClock(t *testing.T) {
	const job = "job:\n  clock_rate: 1980000000\n"
	for _, c := range []struct {
		name, story string
		edit        []string
		want        []string
		not         string
	}{
		{"of all", "clock-drop", nil, []string{"6.17 % longer, while the clock of the devices fell from 1 980 to 1 867 MHz", "by as much as the GPU clock fell"}, "as another GPU clock or another amount of work would cause"},
		{"of one", "clock-of-one", nil, []string{"while the clock of its device fell from 1 980 to 1 584 MHz", "the clock of its device fell from 1 980 to 1 584 MHz"}, "as another GPU clock or another amount of work would cause"},
		{"of one, where nobody waits", "clock-of-one", []string{"ranks: 4", "ranks: 4\nruns: 3", "clock_rate: 1980000000", "clock_rate: 1980000000\n  all_reduce: {count: 0}\n  forward: 24ms", "{2: 0.8}", "{1: 0.9, 2: 0.9, 3: 0.9}"},
			[]string{"On ranks 1-3 all kernels take longer, while the clock of their devices fell from 1 980 to 1 782 MHz, and on the others about as long as before"}, "as another GPU clock or another amount of work would cause"},
		{"from a step on", "level-change", []string{"candidate:", job + "candidate:"}, []string{"grew, while the clock of the devices fell from 1 980 to 1 523 MHz"}, "as another GPU clock or another amount of work would cause"},
		{"from a step on at one clock", "level-change", []string{"candidate:", job + "candidate:", "clock: 0.769", "slow: {0: 1.3, 1: 1.3, 2: 1.3, 3: 1.3}"},
			[]string{"grew, at the same clock of the devices (1 980 MHz)"}, "as another GPU clock or another amount of work would cause"},
		{"from a step on, not sampled", "level-change", nil, []string{"as another GPU clock or another amount of work would cause"}, "MHz"},
		{"without steps", "clock-drop", []string{"clock_rate", "markers: false\n  clock_rate"}, []string{"per call, while the clock of the devices fell from 1 980 to 1 867 MHz"}, "as another GPU clock or another amount of work would cause"},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			dir, _ := writeEdited(t, c.story, synth.Nsight, strings.NewReplacer(c.edit...))
			var out, errs strings.Builder
			run(t.Context(), []string{filepath.Join(dir, "baseline"), filepath.Join(dir, "candidate")}, &out, &errs)
			said := oneLine(out.String())
			for _, want := range c.want {
				if !strings.Contains(said, oneLine(want)) {
					t.Errorf("got %s %s, want %q in it", out.String(), errs.String(), want)
				}
			}
			if c.not != "" && strings.Contains(said, c.not) {
				t.Errorf("got %s, want no %q in it", out.String(), c.not)
			}
		})
	}
}

// TestClocksByPolicy: other clocks are shown and judged all the same, unless the policy requires
// them to be equal: then nothing is, also where a single device has another one; and where they
// are equal, or nobody sampled them, it is judged.
func TestClocksByPolicy(t *testing.T) {
	const required = "require_equal: [gpu_clock]\n"
	type pair struct{ base, cand string }
	of := func(story string) pair {
		dir := writeStory(t, story, synth.Nsight)
		return pair{filepath.Join(dir, "baseline"), filepath.Join(dir, "candidate")}
	}
	all, one, none := of("clock-drop"), of("clock-of-one"), of("slow-kernel")
	for _, c := range []struct {
		name string
		pair
		policy string
		status int
		says   string
	}{
		{"shown", all, "", statusRegressed, "the clock of the devices fell from 1 980 to 1 867 MHz"},
		{"required", all, required, statusNotJudged, "the policy requires GPU clock to be equal, and it is 1 980 MHz in the baseline and 1 867 MHz in the candidate"},
		{"of one device", one, required, statusNotJudged, "the policy requires GPU clock of rank 2 to be equal, and it is 1 980 MHz in the baseline and 1 584 MHz in the candidate"},
		{"of one device, shown", one, "", statusRegressed, "the clock of its device fell from 1 980 to 1 584 MHz"},
		{"equal", pair{filepath.Join(all.base, "run1"), filepath.Join(all.base, "run2")}, required, statusOK, "No slowdown seen"},
		{"not sampled", none, required, statusRegressed, "Steps take"},
	} {
		t.Chdir(t.TempDir())
		if c.policy != "" {
			writeFile(t, policyfile.Name, c.policy)
		}
		out, _ := mustRun(t, c.status, c.base, c.cand)
		if !strings.Contains(oneLine(out), oneLine(c.says)) {
			t.Errorf("%s: got %s, want %q in it", c.name, out, c.says)
		}
	}
	t.Chdir(t.TempDir())
	writeFile(t, policyfile.Name, required)
	mustRun(t, statusRegressed, all.base, all.cand, "--force")
}
