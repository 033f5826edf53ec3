package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"perfdiff/analyze/synth"
)

// drawnSteps are the timelines of two sides, as the JSON form of their report has them.
type drawnSteps struct {
	Views    []View
	Timeline Both[[]struct {
		Step  int64
		Ranks []struct {
			Rank                     int
			Names                    []string
			Tracks                   []Track
			Lane, Name, Track, Ahead []int
			Wait                     []*float64 // nil: not known
		}
	}]
}

func timelines(t *testing.T, status int, base, cand string) (d *drawnSteps, text []byte) {
	t.Helper()
	out := filepath.Join(t.TempDir(), "r.json")
	mustRun(t, status, base, cand, "-q", "-o", out)
	text, err := os.ReadFile(out)
	if err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(text, &d); err != nil {
		t.Fatal(err)
	}
	_, text, _ = bytes.Cut(text, []byte(`"timeline":`))
	text, _, _ = bytes.Cut(text, []byte(`"bounds":`))
	return d, text
}

// stepsOfViews are the numbers of the steps of both sides that views of a kind show, in order.
func stepsOfViews(d *drawnSteps, kind string) (out []string) {
	for _, v := range d.Views {
		if v.Kind == kind {
			out = append(out, fmt.Sprintf("%s %d %d", v.Side, d.Timeline.Baseline[v.Step[0]].Step, d.Timeline.Candidate[v.Step[1]].Step))
		}
	}
	slices.Sort(out)
	return out
}

// TestTimelineOfSpikes: all spikes of a story have a view each, beside the same step of the
// baseline or its typical step, which has the number of the candidate's.
func TestTimelineOfSpikes(t *testing.T) {
	for _, format := range []synth.Format{synth.Nsight, synth.Kineto} {
		dir := writeStory(t, "checkpoint-spikes", format)
		d, text := timelines(t, statusRegressed, dir+"/baseline", dir+"/candidate")
		typical := stepsOfViews(d, "typical")
		var a, b int
		if len(typical) != 1 {
			t.Fatalf("%v: got the typical steps %v", format, typical)
		}
		if _, err := fmt.Sscan(typical[0], &a, &b); err != nil || a != b || (a+1)%8 == 0 {
			t.Errorf("%v: got the typical steps %v, want one number without a pause", format, typical)
		}
		spikes := stepsOfViews(d, "spike")
		if len(spikes) != 6 {
			t.Errorf("%v: got the spikes %v, want all six", format, spikes)
		}
		for _, s := range spikes {
			var side string
			if _, err := fmt.Sscan(s, &side, &a, &b); err != nil || side != "candidate" || (b+1)%8 != 0 {
				t.Errorf("%v: got the spike %s, want a step of the candidate with a pause", format, s)
			}
		}
		saved := t.TempDir()
		for _, side := range []string{"baseline", "candidate"} {
			mustRun(t, statusOK, "summarize", filepath.Join(dir, side), "-q", "-o", filepath.Join(saved, side))
		}
		_, again := timelines(t, statusRegressed, filepath.Join(saved, "baseline"), filepath.Join(saved, "candidate"))
		if !bytes.Equal(text, again) || len(text) < 10_000 {
			t.Errorf("%v: summaries have other timelines than profiles", format)
		}
	}
}

// TestTimelineOfCulprit: the rank that others wait for has a view. On the timelines it waits less
// than the others, whose communication is told apart, and device work knows its stream and launch.
func TestTimelineOfCulprit(t *testing.T) {
	dir := writeStory(t, "straggler-rank3", synth.Nsight)
	d, _ := timelines(t, statusRegressed, dir+"/baseline", dir+"/candidate")
	at := slices.IndexFunc(d.Views, func(v View) bool { return v.Kind == "culprit" })
	if at < 0 || d.Views[at].Rank != 3 {
		t.Fatalf("got the views %+v, want one of rank 3", d.Views)
	}
	if beside := d.Views[at].Beside; len(beside) != 2 || slices.Contains(beside, 3) || d.Views[at].Side != "candidate" {
		t.Errorf("got the ranks %v beside rank 3 of the %s, want two others, of the candidate", beside, d.Views[at].Side)
	}
	step := d.Timeline.Candidate[d.Views[at].Step[1]]
	waits := map[int]float64{}
	for _, r := range step.Ranks {
		for i, lane := range r.Lane {
			track, name := r.Track[i], r.Names[r.Name[i]]
			switch {
			case lane == 1 && r.Wait[i] == nil:
				t.Errorf("rank %d: the wait of %s is not known", r.Rank, name)
			case lane == 1:
				waits[r.Rank] += *r.Wait[i]
			case lane == 0 && r.Ahead[i] <= 0:
				t.Errorf("rank %d: the launch of %s is not known", r.Rank, name)
			}
			if lane == 3 && track != 0 || lane != 3 && (track == 0 || r.Tracks[track-1].Host != (lane == 4)) {
				t.Errorf("rank %d: %s in lane %d is on track %d of %+v", r.Rank, name, lane, track, r.Tracks)
			}
		}
	}
	if len(waits) != 8 {
		t.Errorf("got waits of %d ranks, want 8", len(waits))
	}
	for rank, wait := range waits {
		if rank != 3 && wait < waits[3]+2e6 {
			t.Errorf("rank %d waits %g ns, rank 3 %g ns; want 2 ms more", rank, wait, waits[3])
		}
	}
}

// TestTimelineOfPage: the page says what the timeline shows where no script runs.
func TestTimelineOfPage(t *testing.T) {
	dir := writeStory(t, "checkpoint-spikes", synth.Nsight)
	out := filepath.Join(t.TempDir(), "r.html")
	mustRun(t, statusRegressed, dir+"/baseline", dir+"/candidate", "-q", "-o", out)
	text, err := os.ReadFile(out)
	if err != nil {
		t.Fatal(err)
	}
	_, section, _ := strings.Cut(string(text), `<section id="timeline"`)
	section, _, _ = strings.Cut(section, "</section>")
	for _, want := range []string{"A typical step (", "and the longest (", `<div class="ctl noprint" id="tlctl" hidden>`, "Spike of the candidate: step ", "<noscript>", "longest bars of the typical step"} {
		if !strings.Contains(section, want) {
			t.Errorf("the section has no %q", want)
		}
	}
}
