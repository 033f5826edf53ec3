package synth_test

import (
	"context"
	"math"
	"slices"
	"testing"

	"perfdiff/analyze"
	"perfdiff/analyze/run"
	"perfdiff/analyze/step"
	"perfdiff/analyze/synth"
	"perfdiff/testdata"
)

// TestExcerpts: of stories, the typical and the worst step of each side have all ranks,
// the worst is the longest that is kept but for the first, and the typical takes what the
// median step does.
func TestExcerpts(t *testing.T) {
	for _, name := range []string{"checkpoint-spikes", "late-node", "aa", "rotating-straggler", "o-direct"} {
		text, err := testdata.Story(name)
		if err != nil {
			t.Fatal(err)
		}
		story, err := synth.Parse(name, text)
		if err != nil {
			t.Fatal(err)
		}
		dir := t.TempDir()
		if _, err := story.Write(context.Background(), dir, synth.Nsight); err != nil {
			t.Fatal(err)
		}
		for _, side := range []string{"baseline", "candidate"} {
			set, err := analyze.Load(context.Background(), dir+"/"+side, analyze.Options{Step: step.Options{SkipFirst: -1}})
			if err != nil {
				t.Fatal(err)
			}
			excerptsHold(t, name+", "+side, &set.Runs[0])
		}
	}
}

func excerptsHold(t *testing.T, name string, r *run.Run) {
	t.Helper()
	times := map[int64][]float64{}
	for i := range r.Ranks {
		for k, v := range r.Ranks[i].Values(run.Key{Metric: "step_time"}) {
			if s := r.Ranks[i].Steps[k]; s.Dropped == "" && v > 0 {
				times[s.Number] = append(times[s.Number], v)
			}
		}
	}
	var numbers []int64
	of := map[int64]float64{}
	for n, v := range times {
		slices.Sort(v)
		numbers, of[n] = append(numbers, n), (v[(len(v)-1)/2]+v[len(v)/2])/2
	}
	slices.Sort(numbers)
	var all []float64
	for _, n := range numbers {
		all = append(all, of[n])
	}
	slices.Sort(all)
	middle := (all[(len(all)-1)/2] + all[len(all)/2]) / 2
	if len(r.Excerpts) < 4 {
		t.Fatalf("%s: got %d excerpts", name, len(r.Excerpts))
	}
	worst := 0
	for i, e := range r.Excerpts {
		total := 0
		for _, s := range e.Ranks {
			total += len(s.Spans)
		}
		lacking := len(r.Ranks) - len(e.Ranks)
		if e.Long && !e.Worst { // ranks need not agree on what stands out most
			lacking = max(0, lacking-len(r.Ranks)/4)
		}
		if lacking != 0 || total > run.MaxExcerptBars || total < run.MaxExcerptBars/8 {
			t.Errorf("%s: step %d has %d of %d ranks and %d bars", name, e.Step, len(e.Ranks), len(r.Ranks), total)
		}
		if off := of[e.Step]/middle - 1; i == 0 && (e.Step < numbers[len(numbers)/4] || math.Abs(off) > 0.05) {
			t.Errorf("%s: typical is step %d of %d to %d, %+.1f %% off the median", name, e.Step, numbers[0], numbers[len(numbers)-1], 100*off)
		}
		if e.Worst {
			worst++
		}
		for _, n := range numbers[1:] {
			if e.Worst && of[n] > of[e.Step]+1e-9 {
				t.Errorf("%s: the worst step is %d of %g s, and step %d takes %g s", name, e.Step, of[e.Step], n, of[n])
			}
		}
	}
	if worst != 1 {
		t.Errorf("%s: got %d worst steps", name, worst)
	}
}
