package synth_test

import (
	"context"
	"math"
	"testing"

	"perfdiff/analyze"
	"perfdiff/analyze/run"
	"perfdiff/analyze/step"
	"perfdiff/analyze/synth"
	"perfdiff/testdata"
)

// partOfPath is the part of the simulation's path that a measured part belongs to.
var partOfPath = map[string]synth.PathPart{
	run.PathCompute: synth.PathCompute, run.PathComm: synth.PathComm, run.PathCopies: synth.PathCopies,
	run.PathInput: synth.PathInput, run.PathStorage: synth.PathInput,
}

// TestPaths: the critical path of each step adds up to the step to the nanosecond, and consists of
// what the simulation went through, to 3 % of all steps of each rank.
func TestPaths(t *testing.T) {
	for _, name := range []string{"slow-allreduce", "o-direct", "straggler-rank3", "host-bound", "lost-overlap", "allocator", "blocking-communication", "expert-imbalance"} {
		for _, format := range []synth.Format{synth.Nsight, synth.Kineto} {
			text, err := testdata.Story(name)
			if err != nil {
				t.Fatal(err)
			}
			story, err := synth.Parse(name, text)
			if err != nil {
				t.Fatal(err)
			}
			dir := t.TempDir()
			truth, err := story.Write(context.Background(), dir, format)
			if err != nil {
				t.Fatal(err)
			}
			for side, want := range map[string][]synth.Run{"baseline": truth.Baseline, "candidate": truth.Candidate} {
				set, err := analyze.Load(context.Background(), dir+"/"+side, analyze.Options{Step: step.Options{SkipFirst: -1}})
				if err != nil {
					t.Fatal(err)
				}
				for i := range set.Runs[0].Ranks {
					comparePaths(t, name+" "+side, &set.Runs[0].Ranks[i], want[0].Ranks[i].Steps)
				}
			}
		}
	}
}

// TestBlocking: with equally much exposed, communication held up compute on one side alone, and it
// is recorded which stream waited for which.
func TestBlocking(t *testing.T) {
	for _, format := range []synth.Format{synth.Nsight, synth.Kineto} {
		text, err := testdata.Story("blocking-communication")
		if err != nil {
			t.Fatal(err)
		}
		story, err := synth.Parse("blocking-communication", text)
		if err != nil {
			t.Fatal(err)
		}
		dir := t.TempDir()
		if _, err := story.Write(context.Background(), dir, format); err != nil {
			t.Fatal(err)
		}
		for side, share := range map[string]float64{"baseline": 0, "candidate": 1} { // of what is exposed
			set, err := analyze.Load(context.Background(), dir+"/"+side, analyze.Options{})
			if err != nil {
				t.Fatal(err)
			}
			for _, r := range set.Runs[0].Ranks {
				blocked, exposed := 0.0, 0.0
				for i := range r.Steps {
					blocked += r.Values(run.Key{Metric: run.BlockingCommTime})[i]
					exposed += r.Values(run.Key{Metric: run.ExposedCommTime})[i]
				}
				if exposed < 0.009*float64(len(r.Steps)) || math.Abs(blocked-share*exposed) > 0.05*exposed {
					t.Errorf("%s, rank %d: got %.2f ms blocked of %.2f exposed", side, r.Rank, 1e3*blocked, 1e3*exposed)
				}
				for _, s := range r.Series {
					if (s.Metric == run.BlockingCommTime || s.Metric == run.PathTime) && s.Source != run.SourceStreamWaits {
						t.Errorf("%s, rank %d: %s is told %s, want %s", side, r.Rank, s.Metric, s.Source, run.SourceStreamWaits)
					}
				}
			}
		}
	}
}

func comparePaths(t *testing.T, at string, r *run.Rank, want []synth.Step) {
	t.Helper()
	var got, truth [synth.PathParts]float64
	whole := 0.0
	for i := range want {
		sum := 0.0
		for _, s := range r.Series {
			if s.Metric != run.PathTime {
				continue
			}
			part, known := partOfPath[s.Part]
			if !known {
				part = synth.PathOther
			}
			got[part] += s.Values[i]
			sum += s.Values[i]
		}
		time := r.Values(run.Key{Metric: run.StepTime})[i]
		if whole += time; math.Abs(sum-time) > 1e-10 {
			t.Errorf("%s, rank %d, step %d: the path adds up to %v, want %v", at, r.Rank, i, sum, time)
		}
		for k, ns := range want[i].Path {
			truth[k] += float64(ns) * 1e-9
		}
	}
	for k := range got {
		if math.Abs(got[k]-truth[k]) > 0.03*whole {
			t.Errorf("%s, rank %d: got %.2f ms of part %d, want %.2f of %.2f", at, r.Rank, 1e3*got[k], k, 1e3*truth[k], 1e3*whole)
		}
	}
}
